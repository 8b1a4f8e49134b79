"""The flow-chat request: a chat request with an optional answer to the pending question."""

from typing import Any

from pydantic import ConfigDict, Field

from aisha.application.requests.chat_request import HAS_MESSAGES, ChatRequest, Identifier, message_or
from aisha.application.requests.validation import check_length, read_object, validated
from aisha.application.turn.concluding.follow_up_buttons import DECISION_MESSAGES
from aisha.domain.errors import InvalidInputError

CONFIRMED: dict[str, Any] = {"required": ["userConfirmation"], "properties": {"userConfirmation": {"type": "boolean"}}}


class FlowRequest(ChatRequest):
    """A flow-chat request. With `user_confirmation`, the answer to the pending question, `message` may be left out."""

    model_config = ConfigDict(json_schema_extra=message_or(HAS_MESSAGES, CONFIRMED))

    user_confirmation: bool | None = None
    confirmation_id: Identifier | None = Field(
        default=None,
        description="The `confirmation.id` that `userConfirmation` is about: another question is not settled by it.",
    )
    choice: str | None = Field(
        default=None, description="With `confirmationId`, the `value` of the chosen one of `alternatives`."
    )


def parse_flow_request(raw: bytes, max_chars: int) -> FlowRequest:
    """Parse and validate a request body. Raises the errors of `parse_chat_request`."""
    request = validated(FlowRequest, read_object(raw))
    if request.confirmation_id is not None and request.user_confirmation is None:
        raise InvalidInputError(
            "`confirmationId` needs a decision. Send `userConfirmation`.", pointer="/userConfirmation"
        )
    if not request.message and not request.messages and request.user_confirmation is not None:
        request.message = DECISION_MESSAGES[request.user_confirmation]
    if not request.message:
        raise InvalidInputError("There is no message. Send `message`.", pointer="/message")
    check_length(request.message, max_chars, "/message")
    return request
