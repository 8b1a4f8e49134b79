"""How an MCP client's user is asked about a call, and how their answer comes to it: in a stream, or by repeating the call.

Up to 2025-11-25 the question is a request in the stream that answers the call. The user's answer is another POST, which
may reach another instance: that one runs the stored call and leaves the result where the stream looks for it. From
2026-07-28 on the question is the call's result, and the client repeats the call with the answer.
"""

from collections.abc import Generator, Mapping
from time import sleep
from typing import Any

from aisha.api.mcp import results
from aisha.api.mcp.messages import McpAnswer, MessageId, object_param, text_param
from aisha.application.mcp import calls
from aisha.application.mcp.clients import McpClient
from aisha.application.mcp.waiting import keep_result, watched
from aisha.application.turn.state import TurnDependencies
from aisha.bootstrap import Services
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import AishaError, GoneError, NotFoundError
from aisha.domain.principal import Principal
from aisha.renderers.server_sent_events import data


def asked_in_stream(
    message_id: MessageId, pending: PendingConfirmation, principal: Principal, request_id: str, services: Services
) -> Generator[str]:
    """The question as an event, then the result of the call, once another request has brought the user's answer.

    What goes wrong meanwhile is the call's result: the client has no other answer to wait for.
    """
    yield data(results.rpc_request(pending.id, results.question(pending)))
    deps, result = services.turn_dependencies, results.waiting_result(pending)
    try:
        for settled in watched(pending, principal, deps, services.settings.mcp_question_seconds, sleep):
            # Nothing to send; but the feed looks whether the client is still there.
            yield ""
            if settled is not None:
                result = dict(settled.result) if settled.result is not None else results.said_result(settled.said)
    except AishaError as error:
        result = results.failed_result(error, request_id)
    yield data(results.rpc_result(message_id, result))


def settle_answer(answer: McpAnswer, principal: Principal, request_id: str, deps: TurnDependencies) -> None:
    """The user's answer to a question in a stream: the call runs here, and the stream is left its result.

    A client that dismisses the question, or can't ask it, leaves the call waiting. Raises `NotFoundError`, `GoneError`.
    """
    confirmation_id = str(answer.id)
    pending = calls.waiting_call(confirmation_id, principal, deps)
    result = _decided(pending, (answer.result or {}).get("action"), principal, request_id, deps)
    keep_result(confirmation_id, result, principal, deps)


def repeated_call(
    params: Mapping[str, Any], client: McpClient, principal: Principal, request_id: str, deps: TurnDependencies
) -> dict[str, Any]:
    """The result of a call that is repeated with the user's answer; without one the question again.

    Raises `ProtocolError` for another call than the one that was asked about.
    """
    name, arguments = text_param(params, "name"), object_param(params, "arguments")
    confirmation_id = text_param(params, "requestState")
    calls.check_offered(name, client, deps)
    try:
        pending = calls.waiting_call(confirmation_id, principal, deps)
    except (GoneError, NotFoundError) as error:
        return results.failed_result(error, request_id)
    calls.check_repeated(pending, name, arguments)
    answer = object_param(params, "inputResponses").get(results.QUESTION)
    if not isinstance(answer, Mapping):
        return results.asking_result(pending)
    return _decided(pending, answer.get("action"), principal, request_id, deps)


def result_of(outcome: calls.McpOutcome, request_id: str) -> dict[str, Any]:
    """What a call that does not wait is answered with."""
    return results.call_result(outcome.call, request_id) if outcome.call else results.declined_result(request_id)


def _decided(
    pending: PendingConfirmation, action: object, principal: Principal, request_id: str, deps: TurnDependencies
) -> dict[str, Any]:
    if action not in ("accept", "decline"):
        return results.waiting_result(pending)
    try:
        outcome = calls.settle_call(pending.id, action == "accept", principal, deps)
    except AishaError as error:
        return results.failed_result(error, request_id)
    return result_of(outcome, request_id)
