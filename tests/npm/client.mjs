// One chat through the real client. usage: node client.mjs MAJOR URL TOKEN CHAT-ID TRIMMED SENTENCE...
// Says each sentence in the same chat and prints, as one JSON line each, what the client made of the answer.
// TRIMMED: whole, trimmed (send the last message alone), or history (go on in a new chat with the server's messages).
const [major, url, token, chatId, trimmed, ...sentences] = process.argv.slice(2);
const { AbstractChat, DefaultChatTransport, readUIMessageStream, validateUIMessages, isToolUIPart, isToolOrDynamicToolUIPart } = await import(`ai${major}`);
const isTool = isToolUIPart ?? isToolOrDynamicToolUIPart;

// The state that a framework's hook keeps (useChat of React, Vue, Svelte), without a framework.
class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => { this.messages = [...this.messages, message]; };
  popMessage = () => { this.messages = this.messages.slice(0, -1); };
  replaceMessage = (index, message) => { this.messages = this.messages.with(index, this.snapshot(message)); };
  snapshot = (value) => structuredClone(value);
}

class Chat extends AbstractChat {}

const transport = new DefaultChatTransport({
  api: `${url}/api/ai/chat`,
  headers: { Authorization: `Bearer ${token}` },
  ...(trimmed === "trimmed" && {
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
      body: { id, messages: messages.slice(-1), trigger, messageId },
    }),
  }),
});

function shown(message) {
  const parts = message?.parts ?? [];
  return {
    id: message?.id,
    role: message?.role,
    metadata: message?.metadata,
    kinds: parts.map((part) => part.type),
    text: parts.filter((part) => part.type === "text").map((part) => part.text).join("\n\n"),
    textStates: parts.filter((part) => part.type === "text").map((part) => part.state),
    tools: parts.filter(isTool).map((part) => ({
      type: part.type, state: part.state, input: part.input, output: part.output, errorText: part.errorText,
    })),
    data: Object.fromEntries(parts.filter((part) => part.type.startsWith("data-")).map((part) => [part.type, part.data])),
  };
}

const state = new State();
const chat = new Chat({ id: chatId, state, transport });
for (const text of sentences) {
  await chat.sendMessage({ text });
  const answer = state.messages.at(-1);
  console.log(JSON.stringify({ by: "chat", status: state.status, error: state.error?.message, ...shown(answer) }));
}

// The same by hand: the transport's chunks, and the messages that grow out of them.
let last, states = 0, failure;
try {
  const chunks = await transport.sendMessages({
    trigger: "submit-message",
    chatId: `${chatId}-by-hand`,
    messageId: undefined,
    messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: sentences[0] }] }],
    abortSignal: undefined,
  });
  for await (const message of readUIMessageStream({ stream: chunks, terminateOnError: true })) { last = message; states += 1; }
} catch (error) {
  failure = error.message;
}
console.log(JSON.stringify({ by: "reader", states, error: failure, ...shown(last) }));

// The history as the server has it, put into a new chat that goes on with it.
const conversationId = state.messages.at(-1)?.metadata?.conversationId;
if (trimmed === "history" && conversationId) {
  const headers = { Authorization: `Bearer ${token}` };
  const history = await (await fetch(`${url}/api/ai/conversations/${conversationId}`, { headers })).json();
  const messages = await validateUIMessages({ messages: history.messages });
  const resumed = new State();
  resumed.messages = messages;
  const before = messages.map(shown);
  await new Chat({ id: chatId, state: resumed, transport }).sendMessage({ text: "What can you do?" });
  console.log(JSON.stringify({ by: "history", before, status: resumed.status, ...shown(resumed.messages.at(-1)) }));
}
