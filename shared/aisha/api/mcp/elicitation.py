"""Elicitation: asking the user of an MCP client to confirm a call.

Up to the revision 2025-11-25 the question is a request in the event stream that answers the call. The client sends the
user's decision in another POST, which may reach another process: that one runs the stored call and stores the result,
for which the stream polls. From 2026-07-28 on the question is the call's result, and the client repeats the call with
the decision.
"""

from collections.abc import Generator, Mapping
from time import sleep
from typing import Any

from aisha.api.mcp import results
from aisha.api.mcp.messages import McpResponse, MessageId, object_param, text_param
from aisha.application.mcp import calls
from aisha.application.mcp.clients import McpClient
from aisha.application.mcp.waiting import poll, store_result
from aisha.application.turn.state import TurnDependencies
from aisha.bootstrap import Services
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.errors import AishaError, GoneError, NotFoundError
from aisha.domain.principal import Principal
from aisha.renderers.server_sent_events import data


def question_stream(
    message_id: MessageId, pending: PendingConfirmation, principal: Principal, request_id: str, services: Services
) -> Generator[str]:
    """Yield the question as an event, then the result of the call when another request has brought the user's decision.

    An error becomes the call's result, because the stream has begun and can't have another status.
    """
    yield data(results.rpc_request(pending.id, results.question(pending)))
    deps, result = services.turn_dependencies, results.waiting_result(pending)
    try:
        for settled in poll(pending, principal, deps, services.settings.mcp_question_seconds, sleep):
            # An empty piece lets the feed notice that the client has disconnected.
            yield ""
            if settled is not None:
                result = dict(settled.result) if settled.result is not None else results.text_result(settled.text)
    except AishaError as error:
        result = results.failed_result(error, request_id)
    yield data(results.rpc_result(message_id, result))


def settle_response(response: McpResponse, principal: Principal, request_id: str, deps: TurnDependencies) -> None:
    """Run or drop the call that a stream asked about, and store its result for that stream.

    The call keeps waiting if the client dismissed the question or can't ask it. Raises `NotFoundError`, `GoneError`.
    """
    # The question's id is the confirmation's, so any process can take the answer.
    confirmation_id = str(response.id)
    pending = calls.waiting_call(confirmation_id, principal, deps)
    result = _settle(pending, (response.result or {}).get("action"), principal, request_id, deps)
    store_result(confirmation_id, result, principal, deps)


def repeated_call(
    params: Mapping[str, Any], client: McpClient, principal: Principal, request_id: str, deps: TurnDependencies
) -> dict[str, Any]:
    """Return the result of a call that is repeated with the user's decision; without a decision, the question again.

    Raises `ProtocolError` for another call than the one in question.
    """
    name, arguments = text_param(params, "name"), object_param(params, "arguments")
    confirmation_id = text_param(params, "requestState")
    # Again: the client of a repeated call may be another one than that of the first.
    calls.check_offered(name, client, deps)
    try:
        pending = calls.waiting_call(confirmation_id, principal, deps)
    except (GoneError, NotFoundError) as error:
        return results.failed_result(error, request_id)
    calls.check_repeated(pending, name, arguments)
    response = object_param(params, "inputResponses").get(results.QUESTION)
    if not isinstance(response, Mapping):
        return results.asking_result(pending)
    return _settle(pending, response.get("action"), principal, request_id, deps)


def outcome_result(outcome: calls.McpOutcome, request_id: str) -> dict[str, Any]:
    """Return the result of a call that ran or was declined."""
    return results.call_result(outcome.call, request_id) if outcome.call else results.declined_result(request_id)


def _settle(
    pending: PendingConfirmation, action: object, principal: Principal, request_id: str, deps: TurnDependencies
) -> dict[str, Any]:
    # MCP's third action, `cancel`, dismisses the form without a decision.
    if action not in ("accept", "decline"):
        return results.waiting_result(pending)
    try:
        outcome = calls.settle_call(pending.id, principal, deps, approve=action == "accept")
    except AishaError as error:
        return results.failed_result(error, request_id)
    return outcome_result(outcome, request_id)
