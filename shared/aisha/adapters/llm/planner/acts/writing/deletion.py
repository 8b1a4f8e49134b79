"""Delete records, notes and activities, and take changes back."""

from collections.abc import Collection

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.activities.selection import activities_meant
from aisha.adapters.llm.planner.acts.asks import as_names, writing_words
from aisha.adapters.llm.planner.acts.execution import answer_done
from aisha.adapters.llm.planner.acts.search.kinds import is_plural_kind
from aisha.adapters.llm.planner.acts.writing.targets import only_one, records_meant, single
from aisha.adapters.llm.planner.naming import all_near, chosen
from aisha.adapters.llm.planner.plan import Answer, Plan, act
from aisha.adapters.llm.planner.replies import changes, formats
from aisha.adapters.llm.planner.resolve import ordinals_of, require_all
from aisha.adapters.llm.planner.restoring import with_part_restored
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon, refusals
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.wording import join_names

_TAKEN_BACK = "You took that back"
_PARTS = frozenset("bit part half".split())
_EACH = frozenset(("every", "each", "all"))


@act("delete")
def delete(plan: Plan, ask: Ask) -> Answer:
    """Delete records, or the one note or activity meant. The gate asks first."""
    forms = [form for token in ask.loose for form in (token.word, token.stem)]
    kinds = {kind for form in forms if (kind := lexicon.kind_of(form))}
    is_named = bool(ask.texts("name") or ask.texts("new"))
    is_several = any(map(is_plural_kind, ask.outside)) or bool(ask.words & _EACH)
    if kinds and kinds <= {*KINDS} and is_several and not is_named:
        raise plan.refuse(str(refusals.refusal_for("delete all records")))
    if ask.texts("field"):
        raise plan.refuse("I can't empty a field. Tell me its new value and I'll change it.")
    asked = plan.topic.asked.act if plan.topic.asked is not None else ""
    if not (kinds or is_named or ask.texts("org") or plan.bindings) and asked in ("count", "forecast"):
        raise plan.ask_who(ask, "Which record should I delete? The last answer was about a number.")
    last = [ref.type for ref in (*plan.topic.listed[:1], *plan.topic.refs[:1]) if not (kinds or ask.texts("name"))]
    if "note" in (*kinds, *ask.kinds, *last):
        ref = _note(plan, ask)
    elif "activity" in (*kinds, *last) or any(lexicon.activity_type_of(form) for form in forms):
        records = activities_meant(plan, ask, ask.times, "Which activity should I delete?")
        ref = only_one(plan, ask, [ref_of(one) for one in records], "", "that")
    else:
        ref = single(plan, records_meant(plan, as_names(ask, "new", "org"), "Which record should I delete?"), "delete")
        if ref.type == "account" and kinds and kinds <= {"lead", "contact", "opportunity"}:
            raise plan.ask_who(ask, f"I found only the account {ref.name}. What is the name of what I should delete?")
    plan.call(f"delete_{ref.type}", f"delete {ref.name}", **{f"{ref.type}_id": ref.id})
    return answer_done(plan, f"I've deleted {formats.bold([ref])}.")


def _note(plan: Plan, ask: Ask) -> Ref:
    """Return the one note that an ask means: the one just written, one with its topic, or the last one on a record."""
    if (bound := plan.bindings.get("")) is not None and bound.type == "note":
        return bound
    topic = " ".join(
        word
        for word in (ask.first("topic") or ask.first("text") or "").split()
        if word not in writing_words("no_names")
    )
    known_notes = [*dict.fromkeys(ref for ref in (*plan.topic.refs, *plan.topic.listed) if ref.type == "note")]
    place = next(iter(ordinals_of(ask)), 0)
    known_note = chosen(known_notes, place or 1) if len(known_notes) == 1 or place else None
    if known_note is not None and not (topic or ask.first("name")):
        return known_note
    if topic and not ask.first("name"):
        items = items_of(plan.need("search_notes", query=topic))
    else:
        about = require_all(plan, ask, "Which note do you mean? Tell me whom it is about.", KINDS)[0]
        items = items_of(plan.need("list_notes", **about.entity))
    refs = [ref_of(item) for item in items if not topic or all_near(topic, str(item.get("content")))]
    if not refs:
        raise plan.refuse("I found no such note.")
    is_written = plan.topic.ordered is not None and plan.topic.ordered.act == "create_note"
    if is_written and not (topic or ask.first("name") or place):
        # By its text: somebody else may have written a later one.
        just_written = [ref_of(item) for item in items if f"“{item.get('content')}”" in plan.topic.written]
        refs, place = just_written or refs, int(bool(just_written))
    return chosen(refs, abs(place)) or only_one(plan, ask, refs, "", "that")


@act("undo")
def undo(plan: Plan, ask: Ask) -> Answer:
    """Take the last change back. When a record that was not changed last is named, ask first."""
    if (restored := with_part_restored(plan, ask)) is not None:
        return restored
    name, written = ask.first("name"), plan.topic.written
    if name and written and not all_near(name, written):
        return plan.offer(changes.only_the_last(written), "undo that", topic=plan.topic)
    is_of_part = bool(lexicon.fields_in(plan.scene.user_text.lower()) or ask.words & _PARTS)
    is_whole = bool(ask.texts("field")) and not lexicon.fields_in(plan.scene.user_text.lower())  # "All of it."
    if is_of_part and not is_whole and written.count(" is now ") > 1:
        ref = plan.topic.changed_alone
        replaced = plan.topic.replaced.get(ref.id, {}) if ref is not None else {}
        if not replaced or lexicon.fields_in(plan.scene.user_text.lower()):
            return plan.offer(changes.only_whole(written), "undo that", topic=plan.topic)
        nouns = join_names([f"the {formats.field_noun(field)}" for field in replaced], "or")
        raise plan.ask_slot(ask, "field", f"Which part of it shall I take back: {nouns}, or all of it?")
    if name and not written:
        plan = replace(plan, doubt=plan.doubt or "I can only take back the last change")
    if written.startswith(_TAKEN_BACK) and "put" in ask.words:
        # It may be meant to be done again.
        plan = replace(plan, doubt=plan.doubt or "That one is undone already, and the one before it is left")
    receipts = plan.call("undo_last", "take that back")["receipts"]
    refs = [Ref(one["entity"]["type"], one["entity"]["id"], one["entity"]["name"]) for one in receipts]
    text = changes.undone(receipts, plan.now)
    written = text.replace("I've taken that back", _TAKEN_BACK, 1)
    topic = plan.topic_of(*(ref for ref in refs if ref.type in KINDS), written=written)
    if others := _changed_beside(plan, {ref.id for ref in refs}):
        text += f" What I did before that for {join_names(others)} stays: say “undo that” again to take it back, too."
    elif ask.is_plural:
        text += " I take back one order at a time: say “undo that” again for the one before."
    return Answer(text, topic=topic)


def _changed_beside(plan: Plan, undone: Collection[str]) -> list[str]:
    """Return the names of the records that the last message's other orders changed."""
    last = next((one for one in reversed(plan.scene.history) if one.role == "assistant"), None)
    writes = [one for one in last.tool_calls if one.status == "executed" and one.entities] if last is not None else []
    writes = [one for one in writes if one.name in plan.tools and plan.tools[one.name].access == "write"]
    names = [f"**{one.entities[0].name}**" for one in writes if one.entities[0].id not in undone]
    return list(dict.fromkeys(names)) if len(writes) > 1 else []
