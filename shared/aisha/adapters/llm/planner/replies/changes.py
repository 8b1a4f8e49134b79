"""Tell what was created, changed, converted and taken back, and ask for what a change lacks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.replies.formats import LABELS, field_noun, format_value, numbered
from aisha.adapters.llm.planner.replies.profiles import format_profile
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.wording import humanise, join_names, with_article

ONE_OWNER = "Every record has one owner, so I can't split it. Tell me which of you shall have which record."
LIST_FIRST = (
    "I only change records that you name or that I have just listed. Show them first, for example "
    "“show me my warm leads”, and then say what to change."
)
_FLAGS: Mapping[str, tuple[str, ...]] = {
    "do_not_call": ("may be called again", "must not be called"),
    "do_not_email": ("may be emailed again", "must not be emailed"),
}


def unknown_owner(name: str) -> str:
    """Return the doubt about a new owner whom no record shows as a colleague."""
    return f"I don't know a colleague called {name}, since nobody of that name owns a record"


def created(what: str, records: Sequence[Mapping[str, Any]], now: datetime, user: str) -> str:
    """Tell what was created ("the lead **Ann Lee**"), with the facts of a single record. The owner `user` is "you"."""
    facts = format_profile(records[0], now, user).partition("\n\n")[2] if len(records) == 1 else ""
    return f"I've created {what}." + (f"\n\n{facts}" if facts else "")


def not_linked(name: str) -> str:
    """Say that a new deal has no customer, as a paragraph, and offer to create one."""
    return f"\n\nI found no account, contact or lead called {name}, so it isn't linked to one. Shall I add the account?"


def changed(refs: Sequence[Ref], values: Mapping[str, Any], now: datetime) -> str:
    """Tell the new values of records: "I've updated **Ann Lee**: status is now **warm**."."""
    return f"I've updated {join_names([f'**{ref.name}**' for ref in refs])}: {_changes_text(values, now)}."


def former_values(ref: Ref, values: Mapping[str, Any], now: datetime) -> str:
    """Tell the values that a change replaced: "Before that, the score of **Ann Lee** was **60**."."""
    shown = _shown(values).items()
    texts = [
        f"the {field_noun(field)} was **{format_value(values, field, now)}**"
        if value not in (None, "", [])
        else f"the {field_noun(field)} was empty"
        for field, value in shown
    ]
    return f"Before that change to **{ref.name}**, {join_names(texts)}."


def ask_all(refs: Sequence[Ref], values: Mapping[str, Any], now: datetime) -> str:
    """Ask whether to change all records that an order describes, with their names and the new values."""
    nouns = LABELS[refs[0].type][len(refs) > 1]
    number = f"these {len(refs)} {nouns}" if len(refs) > 1 else f"this {nouns}"
    texts = [f"the {field_noun(field)} to **{format_value(values, field, now)}**" for field in _shown(values)]
    lines = numbered([f"**{ref.name}**" + (f" ({ref.about})" if ref.about else "") for ref in refs])
    return f"Shall I set {join_names(texts)} for {number}?\n\n{lines}"


def unchanged(ref: Ref, values: Mapping[str, Any], now: datetime) -> str:
    """Say that a record has these values already."""
    states = _states_text(f"**{ref.name}**", values, now, "already")
    return f"{states[:1].upper()}{states[1:]}, so there was nothing to change."


def _changes_text(values: Mapping[str, Any], now: datetime) -> str:
    texts = []
    for field, value in _shown(values).items():
        verb = "are" if field == "tags" else "is"
        text = f"{field_noun(field)} {verb} now **{format_value(values, field, now)}**"
        texts.append(_FLAGS[field][bool(value)] if field in _FLAGS else text)
    return join_names(texts)


def _states_text(name: str, values: Mapping[str, Any], now: datetime, adverb: str) -> str:
    """Return values as states: "the status of **Ann Lee** is already **warm** and the score is already **80**"."""
    texts: list[str] = []
    for field, value in _shown(values).items():
        verb, whose = "are" if field == "tags" else "is", "" if texts else f" of {name}"
        text = f"the {field_noun(field)}{whose} {verb} {adverb} **{format_value(values, field, now)}**"
        texts.append(f"{name} {_FLAGS[field][bool(value)]}" if field in _FLAGS else text)
    return join_names(texts)


def _shown(values: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in values.items() if field != "currency" and not field.endswith("_id")}


def left_out(kind: str, left: Sequence[tuple[str, str]]) -> str:
    """Name what was said and not stored, as a paragraph: see `acts.writing.fitting.fit`; empty for nothing."""
    noun = with_article(LABELS[kind][0])
    unset = join_names([f"the {_name(field)} to “{value}”" for field, value in left if field and value])
    missing = join_names([_name(field) for field, value in left if field and not value])
    loose = [f"“{value}”" for field, value in left if not field]
    sentences = [
        f"I can't set {unset} on {noun}." if unset else "",
        f"I didn't catch the {missing}." if missing else "",
        f"I didn't know where to put {join_names(loose)}, so I left {'it' if len(loose) == 1 else 'them'} out."
        if loose
        else "",
    ]
    return "".join(f"\n\n{text}" for text in [" ".join(filter(None, sentences))] if text)


def _name(field: str) -> str:
    """Return what a field is called by the words that the user has for it: "close date" for "closes"."""
    return next((field_noun(one) for one in lexicon.fields_in(field)), field)


def no_field(kind: str, field: str) -> str:
    """Say that a kind of record has no such field."""
    return f"{LABELS[kind][1].capitalize()} have no field for “{field}”, so I haven't changed anything."


def read_only_field(field: str) -> str:
    """Say that a field of the team's own can be read alone."""
    return f"I can read the {field} and not change it, so I haven't changed anything. An admin can make it writable."


def ask_change(ref: Ref, field: str, value: str, options: Sequence[str]) -> str:
    """Ask for the field or the value that a change lacks."""
    if field and not value:
        return f"{'Who' if field == 'owner' else 'What'} is the new {field} of **{ref.name}**?"
    if field and options:
        return no_such_value(field, value, options)
    if value:
        return f"Which field of **{ref.name}** shall I set to “{value}”?"
    return f"What shall I change on **{ref.name}**? For example its status, owner or phone number."


def in_thousands(ref: Ref, field: str, record: Mapping[str, Any], values: Mapping[str, Any], now: datetime) -> str:
    """Say that a number is taken for thousands, since the stored one is."""
    noun, stored = field_noun(field), format_value(record, field, now)
    return f"The {noun} of **{ref.name}** is {stored}, so I take {values[field]:,.0f} for thousands"


def no_such_value(field: str, value: str, options: Sequence[str]) -> str:
    """Say that a field has no such value, and ask for one that it has."""
    choices = join_names([*map(humanise, options)], "or")
    return f"There is no {field} “{value}”. It can be {choices}. Which one shall it be?"


def converted(name: str, done: Mapping[str, Any]) -> str:
    """Tell what a lead became."""
    deal = f", with the deal **{done['opportunity']['name']}**" if done.get("opportunity") else ""
    text = f"I've converted **{name}** to a contact at the account **{done['account']['name']}**{deal}."
    similar = join_names([f"**{one['name']}**" for one in done.get("possible_duplicates") or ()])
    return f"{text} The account is new; {similar} may be the same company." if similar else text


def undone(receipts: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Tell which changes were taken back: "I've taken that back: **Ann Lee** is gone again."."""
    texts = []
    for receipt in receipts:
        name, after = f"**{receipt['entity']['name']}**", receipt.get("after") or {}
        # The team's own words for values are in `custom`, such as the name of a stage.
        earlier = (receipt.get("before") or {}).get("custom") or {}
        own = {field: value for field, value in (after.get("custom") or {}).items() if value != earlier.get(field)}
        values = {field: value for field, value in (after | own).items() if field != "custom" and value is not None}
        text = f"{name} is {'gone again' if receipt['action'] == 'deleted' else 'back'}"
        if receipt["action"] == "updated":
            text = _states_text(name, values, now, "back to") or f"{name} is as it was before"
        texts.append(text)
    return f"I've taken that back: {'; '.join(texts)}."


def only_whole(written: str) -> str:
    return f"I can only take back the last change as a whole. {written.rstrip('.')}. Shall I take all of that back?"


def only_the_last(written: str) -> str:
    """Say that only the last change can be taken back, and offer that."""
    return f"I can only take back the last change. {written} Shall I take that back?"
