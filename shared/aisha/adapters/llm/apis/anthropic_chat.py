"""A `ChatModel` by Anthropic's Messages API."""

from aisha.adapters.llm.apis.anthropic_wire import CACHED, MessageReader, conversation, system_blocks, tool_json
from aisha.adapters.llm.apis.provider_chat import ProviderChatModel
from aisha.adapters.llm.apis.tools_json import ToolsJson
from aisha.domain.json_values import compact_json
from aisha.domain.models import ModelRequest

API_VERSION = "2026-10-21"


class AnthropicChatModel(ProviderChatModel):
    """One Claude model."""

    path = "/v1/messages"
    request_id_header = "request-id"
    default_provider = "anthropic"
    # The API has no temperature since this version: a request with one is refused.
    takes_temperature = False

    def headers(self, api_key: str) -> dict[str, str]:
        return {**super().headers(api_key), "anthropic-version": API_VERSION}

    def tools_json(self) -> ToolsJson:
        # The tools come before all else of the prompt, so that the mark is for all of them.
        return ToolsJson(tool_json, CACHED)

    def reader(self) -> MessageReader:
        return MessageReader(self.model)

    def body(self, request: ModelRequest) -> bytes:
        system = system_blocks(request.messages, json_mode=request.json_mode)
        fields = {
            "model": request.model or self.model,
            "max_tokens": self.terms.output_tokens(request.max_tokens),
            "stream": True,
            "messages": conversation(request.messages, self.model),
            **self.terms.options,
        }
        if system:
            fields["system"] = system
        tools = f',"tools":{self.tools.of(request.tools)}' if request.tools else ""
        return f"{compact_json(fields)[:-1]}{tools}}}".encode()
