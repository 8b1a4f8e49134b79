"""The start of a turn: read the conversation, preferences and records, and store the user's message."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.audit.trail import AuditTrail
from aisha.application.knowledge.on_demand_context import start_more_info
from aisha.application.requests.chat_request import ChatRequest, RequestContext, RequestEntity
from aisha.application.requests.client_conversation import conversation_id_of, may_begin, unstored_id
from aisha.application.requests.titles import title_of
from aisha.application.tenants.preferences import Preferences, preferences_of
from aisha.application.tenants.profile import TenantProfile, profile_of
from aisha.application.tooling.gate.visibility import is_visible
from aisha.application.turn.journal import Settlement, TurnJournal
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.application.turn.replacing import check_replaced, replaced_by
from aisha.application.turn.state import Turn, TurnDependencies, TurnInput
from aisha.domain.conversations.conversation import Conversation, Message, Session, SessionEntity
from aisha.domain.conversations.modes import MODES
from aisha.domain.conversations.tool_results import entity_of_record
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from aisha.domain.ids import new_ulid
from aisha.domain.principal import Principal

NOT_STORED = "Nothing can be saved right now: this answer is not kept in the conversation, and nothing can be changed."
NOT_BEGUN = (
    "Nothing can be saved right now: nothing can be changed, and this answer is not kept. You can go on here: the "
    "conversation begins with the first message that can be saved."
)
FILES_NOT_READ = "Files and images can't be read here, so the answer is to the text alone."
MAX_REREAD_MESSAGES = 100
"""Messages among which a retried request looks for the user's message that its first try has stored."""


class _Loading(Struct, frozen=True):
    """A turn that is being loaded."""

    request: ChatRequest
    caller: Principal
    deps: TurnDependencies
    now: datetime
    journal: TurnJournal | None


def load_turn(
    request: ChatRequest,
    principal: Principal,
    deps: TurnDependencies,
    journal: TurnJournal | None = None,
    *,
    is_streamed: bool = True,
) -> Turn:
    """Return the turn with the user's message stored, in two round trips: all else is read in parallel to the first.

    When nothing can be stored right now, the turn may only read, and nothing of it is kept.

    Raises `NotFoundError` for a conversation that does not belong to this user, `ConflictError` for an answer that
    can't be replaced. A conversation named by a client's own chat `id` is created by its first request, and one that
    could not be stored by the next that can be. The `journal` of a turn that was cut off restores that turn, whose
    message is stored already.
    """
    started = monotonic()
    _check_mode(request)
    caller = caller_of(principal, request.timezone, request.locale)
    loading = _Loading(request, caller, deps, deps.clock.now(), journal)
    requested = requested_records(request.session_entities or (), request.context, caller)
    # Most requests name no record, and a thread would cost more than it gains.
    reading = deps.start_read("requested", partial(_readable, deps, caller, requested)) if requested else None
    preferences = deps.start_read("preferences", partial(preferences_of, deps.entries, caller.tenant, caller.user))
    session = _session(loading)
    records = reading() if reading is not None else {}
    is_new = session.conversation.version == 0
    session, is_stored = _begin_if_possible(loading, session)
    # Read without a thread: nearly every turn finds it in the cache.
    profile = profile_of(deps.ports.profile, caller.tenant)
    turn_input = _turn_input(loading, session, preferences(), profile, records.values(), started)
    turn_input = replace(turn_input, is_streamed=is_streamed, is_stored=is_stored)
    turn = Turn(turn_input, _record(turn_input, records), TurnTimings(started))
    if not is_stored:
        turn.record.warn(NOT_BEGUN if is_new else NOT_STORED)
    if request.has_files:
        turn.record.warn(FILES_NOT_READ)
    turn.timings.spend("load", started)
    return turn


def _turn_input(
    loading: _Loading,
    session: Session,
    preferences: Preferences,
    profile: TenantProfile,
    records: Iterable[Record],
    started: float,
) -> TurnInput:
    request, caller, deps, journal = loading.request, loading.caller, loading.deps, loading.journal
    replaced = replaced_by(request, session.messages)
    session = replace(session, messages=tuple(message for message in session.messages if message not in replaced))
    session, settlement = _settled(session, journal)
    ports, tenant = deps.ports, caller.tenant
    rules = profile.rules_for(caller.roles)
    return TurnInput(
        request=request,
        principal=caller,
        deps=deps,
        session=session,
        now=loading.now.astimezone(caller.tzinfo),
        deadline=started + deps.limits.turn_seconds,
        message_id=journal.answer_id if journal else f"msg_{new_ulid()}",
        preferences=preferences,
        profile=profile,
        tools=deps.registry.permitted(caller, rules, ports.team_values(tenant), ports.custom_fields(tenant)),
        entities=with_requested(session.conversation.entities, records),
        journal=journal,
        settlement=settlement,
        trail=_trail(deps, caller, session),
        replaced=replaced,
    )


def _check_mode(request: ChatRequest) -> None:
    if request.mode is not None and request.mode not in MODES:
        raise InvalidInputError(f"There is no mode {request.mode!r}. There are: {', '.join(MODES)}.", pointer="/mode")


def caller_of(principal: Principal, zone: str | None, locale: str | None) -> Principal:
    """Return the user with the time zone and locale of the request, where it has any."""
    # Browsers write `de-DE`, many systems `de_DE`.
    return replace(principal, zone=zone or principal.zone, locale=(locale or principal.locale).replace("_", "-"))


def _readable(deps: TurnDependencies, principal: Principal, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
    """Return the records that exist and that the user may see, by id, in the order of the request."""
    records = deps.records.get_many(principal.tenant, ids)
    return {key: records[key] for _, key in ids if key in records and is_visible(principal, records[key])}


def _begin_if_possible(loading: _Loading, session: Session) -> tuple[Session, bool]:
    """Return the session with the user's message, and whether that is stored."""
    request, caller = loading.request, loading.caller
    try:
        return _begin(loading, session), True
    except UnavailableError:
        # A retry of this request would not find what this try has done.
        if loading.journal is not None:
            raise
    if session.conversation.version == 0 and request.conversation_id is None and not request.id:
        head = replace(session.conversation, id=unstored_id(caller.tenant, caller.user, loading.now))
        session = replace(session, conversation=head)
    return session, False


def _begin(loading: _Loading, session: Session) -> Session:
    """Store the user's message, unless another try of the request has stored it."""
    request, deps, journal = loading.request, loading.deps, loading.journal
    last = deps.limits.history_messages
    question_id = journal.question_id if journal else f"msg_{new_ulid()}"
    if journal and journal.is_resumed and (begun := _begun(session, question_id, last)) is not None:
        return begun
    check_replaced(request, session.messages)
    metadata = {"platform": loading.caller.door}
    question = Message(question_id, 0, "user", request.message, loading.now, metadata=metadata)
    return deps.conversations.begin(replace(session, messages=session.messages[-last:]), question)


def _record(turn_input: TurnInput, records: Mapping[str, Record]) -> TurnRecord:
    request, attachments = turn_input.request, turn_input.session.conversation.attachments
    more_info, warnings = start_more_info(request, attachments, turn_input.tools)
    record = TurnRecord(more_info, warnings=warnings)
    for entity in request.session_entities or ():
        if entity.id not in records:
            record.warn(warning_of_unusable(entity))
    record.add_names(turn_input.entities)
    return record


def _trail(deps: TurnDependencies, principal: Principal, session: Session) -> AuditTrail | None:
    audit = deps.ports.audit
    return AuditTrail(audit, principal, deps.clock, session.conversation.id, is_batched=True) if audit else None


def _session(loading: _Loading) -> Session:
    request, caller, deps, now = loading.request, loading.caller, loading.deps, loading.now
    journal = loading.journal
    is_resumed = journal is not None and journal.is_resumed
    # The message of the first try may have been followed by those of other requests.
    last = MAX_REREAD_MESSAGES if is_resumed else deps.limits.history_messages
    if request.conversation_id is not None:
        try:
            return deps.conversations.load(caller.tenant, caller.user, request.conversation_id, last)
        except NotFoundError:
            if not may_begin(request.conversation_id, caller.tenant, caller.user, now):
                raise
    new_id = journal.conversation_id if journal else f"conv_{new_ulid()}"
    if request.conversation_id is not None:
        new_id = request.conversation_id
    elif request.id:
        new_id = conversation_id_of(caller.tenant, caller.user, request.id)
    # The first request with this id, or the first try of this request, may have created the conversation.
    if request.id or is_resumed:
        with suppress(NotFoundError):
            return deps.conversations.load(caller.tenant, caller.user, new_id, last)
    head = Conversation(new_id, caller.tenant, caller.user, title_of(request.message), now, now)
    earlier = request.earlier()[-deps.limits.history_messages :]
    return Session(head, tuple(Message("", 0, role, text, now) for role, text in earlier))


def _begun(session: Session, question_id: str, last: int) -> Session | None:
    """Return the session as it was when the question was stored, with its `last` messages; None if it is not stored."""
    for place, message in enumerate(session.messages):
        if message.id == question_id:
            head = replace(session.conversation, sequence=message.sequence + 1)
            return Session(head, session.messages[max(0, place - last) : place])
    return None


def _settled(session: Session, journal: TurnJournal | None) -> tuple[Session, Settlement | None]:
    """Return the session with the pending call that another try has decided about, and that decision."""
    settlement = journal.settlement() if journal else None
    if settlement is None:
        return session, None
    return replace(session, conversation=replace(session.conversation, pending=settlement.pending)), settlement


def requested_records(
    entities: Sequence[RequestEntity], page: RequestContext | None, principal: Principal
) -> list[tuple[str, str]]:
    """Return type and id of the records that the client names, the page's first, without those of closed modules."""
    ids = [(entity.type, entity.id) for entity in entities]
    # The open page comes first: it is what “this” most likely means.
    if page and page.record_type and page.record_id:
        ids.insert(0, (page.record_type, page.record_id))
    return [
        (kind, record_id)
        for kind, record_id in dict.fromkeys(ids)
        if (record_type := RECORD_TYPES.get(kind)) is not None and principal.may_use(record_type.MODULE)
    ]


def warning_of_unusable(entity: RequestEntity) -> str:
    """Return the warning about a record of the request that the user may not see or that does not exist."""
    return f"The record {entity.name or entity.id!r} of the request is not one you can use; it was left out."


def with_requested(entities: Sequence[SessionEntity], records: Iterable[Record]) -> tuple[SessionEntity, ...]:
    """Return the records that are new to the conversation, then its own `entities`, with their current names."""
    ids = {entity.id for entity in entities}
    # By their current names: a record may have been renamed since the conversation began.
    by_id = {record.id: entity_of_record(record) for record in records}
    new = tuple(entity for record_id, entity in by_id.items() if record_id not in ids)
    return new + tuple(by_id.get(entity.id, entity) for entity in entities)
