// Streams and problems that the API might send, as faults of the proxy.

export const CHAT = /^POST \/api\/ai\/chat$/;

/** Return the body of a problem document. */
export const problem = (status, code, message = "", more = {}) => ({
  type: `urn:aisha:problem:${code}`,
  title: code,
  status,
  code,
  message,
  retryable: false,
  request_id: "req-1",
  ...more,
});

/** Return a stream of parts between its usual beginning and end. */
export const stream = (...parts) => {
  const messageMetadata = { conversationId: "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q", requestId: "r" };
  const all = [
    { type: "start", messageId: "msg_1", messageMetadata },
    { type: "start-step" },
    ...parts,
    { type: "finish", messageMetadata: { status: "completed", warnings: [] } },
  ];
  const body = `${all.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("")}data: [DONE]\n\n`;
  return { status: 200, headers: { "content-type": "text/event-stream" }, body };
};

/** Return the parts of a text. */
export const text = (delta) => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta },
  { type: "text-end", id: "t" },
];

/** Return a confirmation that waits ten minutes. */
export const confirmation = (members) => ({
  type: "data-confirmation",
  data: {
    id: "conf_1",
    confirmationType: "yes_no",
    question: "Shall I?",
    isDestructive: false,
    tool: "update_lead",
    arguments: {},
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    ...members,
  },
});
