"""The judge of a write in a turn: what the user said, and the records that the conversation is about."""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from pydantic_core import to_jsonable_python

from aisha.application.orders.case import CallContext, Judgement
from aisha.application.orders.isolated import SECONDS, ask_opinion
from aisha.application.orders.judge import judge
from aisha.application.orders.matching.targets import (
    Focus,
    RecordMention,
    has_name_word,
    ids_in,
    is_referred_to,
    record_mention,
    stated_name_words,
)
from aisha.application.orders.matching.values import ValueCheck
from aisha.application.records.changed_meanwhile import MeanwhileChange, changed_by_others
from aisha.application.turn.confirming.carried_out import DONE, is_order_finished, is_repeated
from aisha.application.turn.confirming.untrusted_sources import untrusted_sources_of
from aisha.application.turn.confirming.user_words import read_utterance
from aisha.application.turn.entities import rank_entities
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.application.turn.wording.call_words import Referents
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.conversations.tool_results import found_in, receipts_in
from aisha.domain.crm.records import Record
from aisha.domain.json_values import with_texts
from aisha.domain.models import Caller
from aisha.domain.tools import ToolCall

_LINKS = ("account_id", "contact_id", "lead_id", "opportunity_id")
_MAX_REPLIES = 6
"""Replies that "the other one" may go back to."""
SINCE_SHOWN = "since you saw it"
_TEXT_NAMES = ("company", "account_name", "email")


class Verdict(Struct, frozen=True):
    """A verdict on a write: the reason why it waits, in words for the user, empty for one that runs; `note` says
    what let it run."""

    reason: str
    note: str = ""


def verdict_on(turn: Turn, call: ToolCall) -> Verdict:
    """Return whether a write runs without a question.

    Another try of the request gets the verdict of the first one: the records may have changed since.
    """
    verdict = _verdict(turn, call)
    if turn.input.journal is None:
        return verdict
    calls = turn.record.calls
    stored = turn.input.journal.first_value(f"verdict.{len(calls)}.{calls.index(call)}", asdict(verdict))
    return Verdict(str(stored["reason"]), str(stored["note"]))


def foreseen_verdict(turn: Turn, call: ToolCall) -> Verdict:
    """Return the verdict that a write would get now, as far as no model has to be asked for it."""
    return _verdict(turn, call, is_preview=True)


def _verdict(turn: Turn, call: ToolCall, *, is_preview: bool = False) -> Verdict:
    turn_input, record = turn.input, turn.record
    if is_repeated(call, record.calls, record.utterance):
        return Verdict(DONE)
    judgement = judge_call(turn_input, record, call)
    change = changed_since_shown(turn_input, record, call.arguments)
    if change is not None and change.touches(call.arguments):
        # Nobody orders that what they have not seen be overwritten.
        return Verdict(f"{change.clause} {SINCE_SHOWN}")
    if judgement.is_ordered and _repeats_finished_order(turn, call):
        return Verdict(DONE)
    if judgement.is_ordered:
        return Verdict("", "you asked for it")
    if judgement.finding != "denied" and turn_input.profile.trusts(call.name, turn_input.principal.roles):
        return Verdict("", f"your organisation trusts the assistant with it ({judgement.reason})")
    if judgement.finding == "unread" and not is_preview and _is_affirmed(turn, call):
        return Verdict("", f"a second model read your message as this order ({judgement.reason})")
    return Verdict(judgement.reason)


def _repeats_finished_order(turn: Turn, call: ToolCall) -> bool:
    """Return whether only an order of an earlier message orders the call, and that was carried out."""
    utterance = turn.record.utterance
    if utterance is None or not utterance.earlier_segments or not is_order_finished(turn.input, call, utterance):
        return False
    return not judge(
        call, utterance.without(utterance.earlier_segments), _call_context(turn.input, turn.record)
    ).is_ordered


def _is_affirmed(turn: Turn, call: ToolCall) -> bool:
    """Return whether the isolated judge, if there is a model for it, says that the user ordered the call."""
    model, utterance, start = turn.input.deps.order_judge, turn.record.utterance, monotonic()
    if model is None or utterance is None or call.spec is None or call.spec.toolkit == "mcp":
        # A server's own names of its tools and their arguments would be shown to it.
        return False
    context = _call_context(turn.input, turn.record)
    mentions = [context.mention_of(record_id) for record_id in ids_in(call.arguments)]
    if not all(
        has_name_word(mention, utterance) if utterance.is_foreign else is_referred_to(mention, utterance, context.focus)
        for mention in mentions
    ):
        return False
    # Not even a value of the call may bring it a text of others.
    if ValueCheck(utterance, (), call.spec).has_foreign_text(call.arguments):
        return False
    names = {mention.id: stated_name_words(mention, utterance) or "the one spoken of" for mention in mentions}
    opinion = ask_opinion(
        model,
        utterance.messages,
        call.name,
        # Ids say nothing to a model that reads nothing else.
        with_texts(call.arguments, lambda text: names.get(text, text)),
        Caller(turn.input.principal, turn.input.now),
        min(turn.input.deadline, start + SECONDS),
    )
    turn.timings.usage += opinion.usage
    turn.timings.spend("models", start)
    return opinion.is_ordered


def changed_since_shown(
    turn_input: TurnInput, record: TurnRecord, arguments: Mapping[str, Any]
) -> MeanwhileChange | None:
    """Return what others changed on a record of a call since an earlier answer of the conversation showed it."""
    shown_versions = {
        entity.id: (entity.seen, entity.version) for entity in turn_input.entities if entity.seen is not None
    }
    ids = [record_id for record_id in ids_in(arguments) if record_id in shown_versions]
    audit = turn_input.deps.ports.audit
    if not ids or audit is None:
        return None
    referents = Referents(turn_input, record)
    for record_id in ids:
        if (stored := referents.record(record_id)) is None:
            continue
        # The preview of a call, its verdict and its question each want to know.
        key = record_id, stored.version
        if key not in record.changes:
            record.changes[key] = changed_by_others(audit.log, turn_input.principal, stored, *shown_versions[record_id])
        if (change := record.changes[key]) is not None:
            return change
    return None


def judge_call(turn_input: TurnInput, record: TurnRecord, call: ToolCall) -> Judgement:
    """Return whether the user's words order a write that is about to run."""
    if record.utterance is None:
        record.utterance = read_utterance(turn_input, record)
    return judge(call, record.utterance, _call_context(turn_input, record))


def _call_context(turn_input: TurnInput, record: TurnRecord) -> CallContext:
    referents = Referents(turn_input, record)
    entities = {entity.id: entity for entity in (*turn_input.entities, *_entities_in(record.calls))}
    return CallContext(
        focus=_focus(turn_input, record, tuple(entities.values())),
        mention_of=lambda record_id: _record_mention(record_id, entities, referents),
        stored_fields_of=lambda record_id: _stored(referents.record(record_id)),
        user=turn_input.principal.user,
        untrusted_sources=untrusted_sources_of(turn_input, record),
        assistant_name=turn_input.assistant_name,
    )


def _entities_in(calls: Sequence[ToolCall]) -> list[SessionEntity]:
    return [entity for call in calls if call.result.ok for entity in found_in(call.result)]


def _focus(turn_input: TurnInput, record: TurnRecord, entities: Sequence[SessionEntity]) -> Focus:
    page = turn_input.request.context
    open_record = [page.record_id] if page is not None and page.record_id else []
    pending = turn_input.session.conversation.pending
    asked_about = ids_in(pending.arguments) if pending is not None else []
    at_start = list(turn_input.entities)
    recent: dict[str, str] = {}
    for entity in at_start:
        recent.setdefault(entity.type, entity.id)
    candidates: dict[str, str] = {}
    for entity in rank_entities(record.calls, turn_input.request.message, ()):
        if entity.type not in recent:
            candidates.setdefault(entity.type, entity.id)
    replies = [
        message.content
        for message in reversed(turn_input.session.messages)
        if message.role == "assistant" and message.id
    ]
    created = [
        str(receipt["entity"]["id"])
        for call in record.calls
        if call.has_written
        for receipt in receipts_in(call.result.value)
        if receipt.get("action") == "created"
    ]
    return Focus(
        recently_mentioned=(*open_record, *asked_about, *recent.values()),
        pronoun_candidates=tuple(candidates.values()),
        found_this_turn=tuple(entity.id for entity in _entities_in(record.calls)),
        named_in_replies=[_records_named_in(text, at_start) for text in replies[:_MAX_REPLIES]],
        created_this_turn=created,
        conversation_records=entities,
        previous_message=_last_message(turn_input),
    )


def _last_message(turn_input: TurnInput) -> str:
    """Return the user's message before this one. One that came with the request too: it only tells who is not meant."""
    return next((message.content for message in reversed(turn_input.session.messages) if message.role == "user"), "")


def _records_named_in(text: str, entities: Sequence[SessionEntity]) -> tuple[str, ...]:
    """Return the records whose names stand in a text, in their order there."""
    lowered = text.lower()
    places = [(lowered.find(entity.name.lower()), entity.id) for entity in entities if entity.name]
    return tuple(record_id for place, record_id in sorted(places) if place >= 0)


def _record_mention(record_id: str, entities: Mapping[str, SessionEntity], referents: Referents) -> RecordMention:
    entity, record = entities.get(record_id), referents.record(record_id)
    if record is None:
        name = referents.name(record_id) or (entity.name if entity else "")
        return record_mention(record_id, [name], [name])
    related = [str(text) for field in _TEXT_NAMES if (text := getattr(record, field, None))]
    linked: list[Any] = [getattr(record, field, None) for field in _LINKS]
    linked.append(getattr(getattr(record, "related", None), "id", None))
    related += [known_name for link in linked if link and (known_name := referents.name(str(link))) is not None]
    return record_mention(record_id, [record.display_name], related)


def _stored(record: Record | None) -> dict[str, Any]:
    return dict(to_jsonable_python(record)) if record is not None else {}
