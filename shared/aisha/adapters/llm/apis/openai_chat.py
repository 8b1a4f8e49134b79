"""A `ChatModel` by OpenAI's chat completions, which Groq, Gemini and Ollama speak, too."""

from aisha.adapters.llm.apis.openai_wire import CompletionReader, message_json, one_system_message
from aisha.adapters.llm.apis.provider_chat import ProviderChatModel
from aisha.adapters.llm.apis.tools_json import ToolsJson
from aisha.application.tooling.formats import openai_function
from aisha.domain.json_values import compact_json
from aisha.domain.models import ModelRequest


class OpenAIChatModel(ProviderChatModel):
    """One model behind an OpenAI-compatible endpoint."""

    path = "/chat/completions"
    request_id_header = "x-request-id"
    default_provider = "openai"

    def tools_json(self) -> ToolsJson:
        return ToolsJson(openai_function)

    def reader(self) -> CompletionReader:
        return CompletionReader(self.provider)

    def body(self, request: ModelRequest) -> bytes:
        parts = [
            '{"model":',
            compact_json(request.model or self.model),
            ',"stream":true,"stream_options":{"include_usage":true}' if request.streamed else "",
            ',"messages":[',
            ",".join([message_json(message, self.provider) for message in one_system_message(request.messages)]),
            "]",
        ]
        if request.temperature is not None and self.terms.takes_temperature:
            parts.append(f',"temperature":{request.temperature}')
        if self.terms.price is not None or request.max_tokens is not None:
            # The cost of an answer has a bound only when its length has one.
            parts.append(f',"max_completion_tokens":{self.terms.output_tokens(request.max_tokens)}')
        if request.json_mode:
            parts.append(',"response_format":{"type":"json_object"}')
        if request.tools:
            parts += ',"tools":', self.tools.of(request.tools)
        if self.terms.options:
            parts += ",", compact_json(dict(self.terms.options))[1:-1]
        return "".join([*parts, "}"]).encode()
