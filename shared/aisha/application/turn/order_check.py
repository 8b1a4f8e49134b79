"""The judge of a write in a turn: what the user said, and the records that the conversation is about."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from aisha.application.orders.judge import Judgement, Scene, judge
from aisha.application.orders.said import Said
from aisha.application.orders.targets import Focus, Spoken, ids_in, spoken
from aisha.application.turn.call_words import Referents
from aisha.application.turn.entities import rank_entities
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.sight import sight_of
from aisha.application.turn.state import TurnInput
from aisha.domain.conversations.conversation import Message, SessionEntity
from aisha.domain.crm.records import Record
from aisha.domain.models import OFFLINE
from aisha.domain.tool_results import found_in, receipts_in
from aisha.domain.tools import ToolCall

_LINKS = ("account_id", "contact_id", "lead_id", "opportunity_id")
_TEXT_NAMES = ("company", "account_name", "email")


def judge_call(turn_input: TurnInput, record: TurnRecord, call: ToolCall) -> Judgement:
    """Return whether the user's words order a write that is about to run."""
    if record.said is None:
        record.said = what_was_said(turn_input, record)
    referents = Referents(turn_input, record)
    known = {one.id: one for one in (*turn_input.entities, *_found(record.calls))}
    scene = Scene(
        focus=_focus(turn_input, record, tuple(known.values())),
        spoken=lambda record_id: _spoken(record_id, known, referents),
        stored=lambda record_id: _stored(referents.record(record_id)),
        user=turn_input.principal.user,
        sight=sight_of(turn_input, record),
    )
    return judge(call, record.said, scene)


def what_was_said(turn_input: TurnInput, record: TurnRecord) -> Said:
    """Return the user's words: this message, and those before it that it continues."""
    messages = turn_input.session.messages
    # Messages without an id came with the request: anybody may have written them.
    own = [message for message in messages if message.id]
    last = next((message for message in reversed(own) if message.role == "assistant"), None)
    is_answer = last is not None and _asks(last.content)
    is_trusted = last is not None and (last.metadata.get("provider") == OFFLINE or not sight_of(turn_input, record))
    return Said(
        turn_input.request.message,
        turn_input.now,
        earlier=[message.content for message in reversed(own) if message.role == "user"],
        is_answer=is_answer,
        shown=_last_question(last) if last is not None and is_answer and is_trusted else "",
        known_names=[entity.name for entity in turn_input.entities],
    )


def _asks(text: str) -> bool:
    return "?" in text.rstrip()[-200:]


def _last_question(message: Message) -> str:
    text = message.content
    end = text.rfind("?")
    start = max(text.rfind(mark, 0, end) for mark in (". ", "\n", "! ", "? "))
    return text[start + 1 : end].strip()


def _found(calls: Sequence[ToolCall]) -> list[SessionEntity]:
    return [entity for call in calls if call.result.ok for entity in found_in(call.result)]


def _focus(turn_input: TurnInput, record: TurnRecord, known: Sequence[SessionEntity]) -> Focus:
    page = turn_input.request.context
    opened = [page.record_id] if page is not None and page.record_id else []
    pending = turn_input.session.conversation.pending
    asked = ids_in(pending.arguments) if pending is not None else []
    at_start = list(turn_input.entities)
    # A pronoun means what was spoken of before; without that, what this turn has found for it.
    now = at_start or list(rank_entities(record.calls, turn_input.request.message, ()))
    first: dict[str, str] = {}
    for entity in now:
        first.setdefault(entity.type, entity.id)
    for entity in rank_entities(record.calls, turn_input.request.message, ()):
        first.setdefault(entity.type, entity.id)
    last = next((one for one in reversed(turn_input.session.messages) if one.role == "assistant" and one.id), None)
    created = [
        str(receipt["entity"]["id"])
        for call in record.calls
        if call.has_written
        for receipt in receipts_in(call.result.value)
        if receipt.get("action") == "created"
    ]
    return Focus(
        first=(*opened, *asked, *first.values()),
        found=tuple(entity.id for entity in _found(record.calls)),
        shown=_shown(last.content if last else "", at_start),
        created=created,
        known=known,
    )


def _shown(text: str, entities: Sequence[SessionEntity]) -> tuple[str, ...]:
    """Return the records whose names stand in a text, in their order there."""
    lowered = text.lower()
    places = [(lowered.find(entity.name.lower()), entity.id) for entity in entities if entity.name]
    return tuple(record_id for place, record_id in sorted(places) if place >= 0)


def _spoken(record_id: str, known: Mapping[str, SessionEntity], referents: Referents) -> Spoken:
    entity, record = known.get(record_id), referents.record(record_id)
    if record is None:
        name = referents.name(record_id) or (entity.name if entity else "")
        return spoken(record_id, [name], [name])
    related = [str(text) for field in _TEXT_NAMES if (text := getattr(record, field, None))]
    linked: list[Any] = [getattr(record, field, None) for field in _LINKS]
    linked.append(getattr(getattr(record, "related", None), "id", None))
    related += [known_name for one in linked if one and (known_name := referents.name(str(one))) is not None]
    return spoken(record_id, [record.display_name], related)


def _stored(record: Record | None) -> dict[str, Any]:
    return dict(to_jsonable_python(record)) if record is not None else {}
