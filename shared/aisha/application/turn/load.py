"""How a turn starts: the conversation, checked records of the client's, and the question stored before any model is asked."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from time import monotonic

from msgspec.structs import replace
from ulid import ULID

from aisha.application.audit.trail import AuditTrail
from aisha.application.knowledge.on_demand_context import more_info_of
from aisha.application.requests.chat_request import ChatRequest, RequestContext, RequestEntity
from aisha.application.requests.client_conversation import conversation_id_of, title_of
from aisha.application.tenants.preferences import preferences_of, profile_of
from aisha.application.tooling.visibility import is_open_to
from aisha.application.turn.journal import Settlement, TurnJournal
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.application.turn.state import Turn, TurnDependencies, TurnInput
from aisha.domain.conversation import Conversation, Message, Session, SessionEntity
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.modes import MODES
from aisha.domain.principal import Principal
from aisha.domain.records import RECORD_TYPES, Record
from aisha.domain.tool_results import entity_of_record

REREAD = 100
"""Messages among which the question of another try is looked for."""


def load_turn(
    request: ChatRequest,
    principal: Principal,
    deps: TurnDependencies,
    journal: TurnJournal | None = None,
    *,
    is_streamed: bool = True,
) -> Turn:
    """The turn's turn with the user's message stored: two round trips, all else is read beside the first.

    Raises `NotFoundError` for a conversation that is not this user's. A client's own chat `id` names one that is made at
    its first request. With the `journal` of a turn that was cut off it is the same turn: its question stands already.
    """
    started = monotonic()
    if request.mode is not None and request.mode not in MODES:
        raise InvalidInputError(f"There is no mode {request.mode!r}. There are: {', '.join(MODES)}.", pointer="/mode")
    caller = replace(
        principal,
        zone=request.timezone or principal.zone,
        locale=(request.locale or principal.locale).replace("_", "-"),
    )
    instant = deps.clock.now()
    asked = requested_records(request.session_entities or (), request.context, caller)
    reading = deps.workers.submit(deps.records.get_many, caller.tenant, asked) if asked else None
    liking = deps.workers.submit(preferences_of, deps.entries, caller.tenant, caller.user)
    tenant = deps.workers.submit(profile_of, deps.ports.profile, caller.tenant)
    session = _session(request, caller, deps, instant, journal)
    read = reading.result() if reading else {}
    stored = {key: record for key, record in read.items() if is_open_to(caller, record)}
    question_id = journal.question_id if journal else f"msg_{ULID()}"
    begun = _begun(session, question_id, deps.limits.history_messages) if journal and journal.is_resumed else None
    session = replace(session, messages=session.messages[-deps.limits.history_messages :])
    session = begun or deps.conversations.begin(session, Message(question_id, 0, "user", request.message, instant))
    session, settlement = _settled(session, journal)
    profile = tenant.result()
    tools = deps.registry.permitted(caller, profile.rules)
    more_info, warnings = more_info_of(request, session.conversation.attachments, tools)
    turn_input = TurnInput(
        request=request,
        principal=caller,
        deps=deps,
        session=session,
        now=instant.astimezone(caller.tzinfo),
        deadline=monotonic() + deps.limits.turn_seconds,
        message_id=journal.answer_id if journal else f"msg_{ULID()}",
        preferences=liking.result(),
        profile=profile,
        tools=tools,
        entities=with_requested(session.conversation.entities, [stored[key] for _, key in asked if key in stored]),
        is_streamed=is_streamed,
        journal=journal,
        settlement=settlement,
        trail=_trail(deps, caller, session),
    )
    turn = Turn(turn_input, TurnRecord(more_info, warnings=warnings), TurnTimings(started))
    for dropped in _dropped(request, stored):
        turn.record.warn(f"The record {dropped!r} of the request is not one you can use; it was left out.")
    turn.record.add_names(turn_input.entities)
    turn.timings.spend("load", started)
    return turn


def _trail(deps: TurnDependencies, principal: Principal, session: Session) -> AuditTrail | None:
    audit = deps.ports.audit
    return AuditTrail(audit, principal, deps.clock, session.conversation.id, is_batched=True) if audit else None


def _session(
    request: ChatRequest, principal: Principal, deps: TurnDependencies, now: datetime, journal: TurnJournal | None
) -> Session:
    is_resumed = journal is not None and journal.is_resumed
    last = REREAD if is_resumed else deps.limits.history_messages
    if request.conversation_id is not None:
        return deps.conversations.load(principal.tenant, principal.user, request.conversation_id, last)
    new_id = journal.conversation_id if journal else f"conv_{ULID()}"
    if request.id:
        new_id = conversation_id_of(principal.tenant, principal.user, request.id)
    if request.id or is_resumed:
        with suppress(NotFoundError):
            return deps.conversations.load(principal.tenant, principal.user, new_id, last)
    head = Conversation(new_id, principal.tenant, principal.user, title_of(request.message), now, now)
    told = request.earlier()[-deps.limits.history_messages :]
    return Session(head, tuple(Message("", 0, role, text, now) for role, text in told))


def _begun(session: Session, question_id: str, last: int) -> Session | None:
    """The session as it was when the question was stored, at most the `last` messages of it; None if it never was."""
    for place, message in enumerate(session.messages):
        if message.id == question_id:
            head = replace(session.conversation, sequence=message.sequence + 1)
            return Session(head, session.messages[max(0, place - last) : place])
    return None


def _settled(session: Session, journal: TurnJournal | None) -> tuple[Session, Settlement | None]:
    """The session with the question that another try took to settle it, and what was decided about that."""
    settlement = journal.settlement() if journal else None
    if settlement is None:
        return session, None
    return replace(session, conversation=replace(session.conversation, pending=settlement.pending)), settlement


def requested_records(
    entities: Sequence[RequestEntity], page: RequestContext | None, principal: Principal
) -> list[tuple[str, str]]:
    """`(type, id)` of the records that the client says the talk is about and the user may see, the page's first."""
    named = [(entity.type, entity.id) for entity in entities]
    if page and page.record_type and page.record_id:
        named.insert(0, (page.record_type, page.record_id))
    return [
        (kind, record_id)
        for kind, record_id in dict.fromkeys(named)
        if (known := RECORD_TYPES.get(kind)) is not None and principal.may_use(known.MODULE)
    ]


def _dropped(request: ChatRequest, stored: dict[str, Record]) -> list[str]:
    return [entity.name or entity.id for entity in request.session_entities or () if entity.id not in stored]


def with_requested(known: Sequence[SessionEntity], records: Sequence[Record]) -> tuple[SessionEntity, ...]:
    """What the conversation does not know yet comes in front; what it knows keeps its place, with its present name."""
    ids = {entity.id for entity in known}
    fresh = {record.id: entity_of_record(record) for record in records}
    new = tuple(entity for record_id, entity in fresh.items() if record_id not in ids)
    return new + tuple(fresh.get(entity.id, entity) for entity in known)
