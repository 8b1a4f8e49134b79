"""Tell what is asked of each record of the last list: "when do they close?", "and who's the contact for each?"."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.profile.fields import fields_asked
from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, MAX_LISTED
from aisha.adapters.llm.planner.acts.search.filters import AMOUNT_FIELDS
from aisha.adapters.llm.planner.acts.search.kinds import tool_of
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, at_once
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.wording import format_day

_EACH = frozenset(("each", "both", "all", "every"))
_THEY = lexicon.THEY_PRONOUNS | {"those", "these", "theirs"}
_CHOOSING = frozenset(("which", "any", "whether", "than", "anyone", "else", "other", "others", "rest"))
"""Words of a question for a part of the list, or for others."""
_ONE = frozenset("it its that this he his him she her".split())
_LINKING = (("with", "their"), ("and", "their"))
_ONE_BY_ONE = frozenset(("name", "due_date", "created_at"))
Row = Mapping[str, Any]


def asked_of_each(plan: Plan, ask: Ask) -> Answer | None:
    """Return the fields, or the people, companies or owners, that an ask is for of all records listed; else None."""
    if ask.act not in READS | {"again", "more", "choose"} or not _is_of_all(plan, ask):
        return None
    kind = next(iter(_kinds_listed(plan)), "")
    fields, unknown = fields_asked(ask, plan.custom_fields)
    is_each = bool({one.word for one in ask.tokens} & _EACH)
    linked = [
        one for one in ("contact", "account") if one in ask.kinds and one != kind and _links(kind, one, is_each=is_each)
    ]
    unknown = [words for words in unknown if not any(lexicon.kind_of(word) in linked for word in words.split())]
    names = [lexicon.field_name(one, kind) for one in fields if one != "company" or "account" not in linked]
    names = [one for one in dict.fromkeys(names) if one in RECORD_TYPES[kind].model_fields or one == "company"]
    names = [one for one in names if one not in _ONE_BY_ONE or len(names) == 1]
    if {*names} <= {*AMOUNT_FIELDS.values()} and ask.act == "count" and not is_each:
        return None  # "What are they worth?" asks for their sum.
    if unknown or not (names or linked) or (len(names) < len({*fields} - {"company", "due_date", "name"})):
        return None
    rows = _rows(plan, kind)
    columns = [_column(plan, kind, one, rows) for one in linked]
    lines = [
        f"**{row.get('display_name')}**: "
        + ", ".join(
            [*(_said(plan, row, name) for name in names), *(column.get(str(row["id"]), "") for column in columns)]
        )
        for row in rows
    ]
    refs, search = tuple(ref_of(dict(row)) for row in rows), plan.topic.search
    more = max((search.total or 0) - len(rows), 0) if search is not None else 0
    text = formats.number_lines(lines) + (
        f"\n\nThese are the first {len(rows)}; there are {more} more." if more else ""
    )
    return Answer(text, topic=Topic(refs, search))


def listed_with_linked(plan: Plan, ask: Ask) -> Answer | None:
    """Return a list with what each record is linked to: "my deals with their contacts"; None for another ask."""
    if ask.act != "search":
        return None
    tokens = [one for one in ask.outside if one.kind != "mark"]
    before, their, noun = tokens[-3:] if len(tokens) > len(_LINKING) else (None, None, None)
    if not (before and their and noun) or (before.word, their.word) not in _LINKING:
        return None
    if lexicon.kind_named(noun) not in ("contact", "account"):
        return None
    answer = ACTS["search"](plan, ask.without(before.start, noun.end))
    of_each = Ask(replace(ask.segment, act="ask_field", text=f"{noun.text} of each", spans=()), ask.now)
    table = asked_of_each(replace(plan, topic=answer.topic or plan.topic), of_each)
    head, _, _ = answer.text.partition("\n")
    return replace(table, text=f"{head}\n\n{table.text}") if table is not None else answer


def _is_of_all(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask is about every record of the last list, and sets no condition."""
    kinds, words = _kinds_listed(plan), {one.word for one in ask.tokens}
    # Beside a call that was planned stands the one whom it is with.
    in_mind = [ref for ref in plan.topic.refs if ref.type != "activity"]
    is_pointing = bool(words & _EACH) or (bool(words & _THEY) and len(in_mind) != 1)
    is_pointing = is_pointing or (len(in_mind) > 1 and (_is_bare_plural(ask) or _is_of_any(ask)))
    summed = {key for key, *_ in lexicon.placed_in(ask.outside, "summing")} & {"together", "mean_value", "part_of_all"}
    is_other = any(ask.texts(tag) for tag in ("name", "org", "new", "owner", "when", "amount", "count", "value"))
    loose = " ".join(one.word for one in ask.loose)
    is_other = is_other or bool({*lexicon.values_in(loose)} - {"contacted"})  # "When were they last contacted?"
    is_other = is_other or bool(words & _CHOOSING or summed or ask.orders or plan.bindings or plan.spoken)
    return len(kinds) == 1 and kinds <= {*KINDS} and is_pointing and not is_other


def _is_bare_plural(ask: Ask) -> bool:
    """Return whether an ask says nothing but a field of several: "phone numbers?"."""
    spans = [one for one in ask.segment.spans if one.tag == "field"]
    rest = {one.word for one in ask.loose if one.kind != "mark"}
    return (
        len(spans) == len(ask.segment.spans) == 1 and spans[0].text.endswith("s") and rest <= {"and", "the", "please"}
    )


def _is_of_any(ask: Ask) -> bool:
    """Return whether "it" or "his" is whom a question for a field is about, though several were listed."""
    texts = {text.lower() for text in ask.texts("ref")}
    return ask.act == "ask_field" and bool(texts) and texts <= _ONE


def _kinds_listed(plan: Plan) -> set[str]:
    """Return the kinds of the records of the last list, or of those that were only counted."""
    group, search = plan.topic.group, plan.topic.search
    if len(group) > 1:
        kinds = {ref.type for ref in group}
        # The company is listed beside its people.
        return kinds - {"account"} if sum(ref.type == "account" for ref in group) == 1 else kinds
    return {kind for kind in KINDS if search is not None and not plan.topic.refs and tool_of(kind) == search.tool}


def _links(kind: str, other: str, *, is_each: bool) -> bool:
    return f"{other}_id" in RECORD_TYPES[kind].model_fields or (kind, other, is_each) == ("account", "contact", True)


def _rows(plan: Plan, kind: str) -> list[dict[str, Any]]:
    """Return the records that were listed, or the first of those counted."""
    group, search = plan.topic.group, plan.topic.search
    if len(group) > 1 or search is None:
        return plan.records([ref for ref in group if ref.type == kind][:MAX_LISTED])
    items = plan.call(search.tool, "list those", **search.arguments, limit=MAX_CHECKED)["items"]
    return [one for one in items if search.within is None or str(one["id"]) in search.within[1]][:MAX_LISTED]


def _said(plan: Plan, row: Row, name: str) -> str:
    """Return a field of a record with its name, or that it is not on record."""
    noun = formats.field_noun(name)
    if name == "last_contacted_at" and row.get(name):
        day = datetime.fromisoformat(str(row[name])).astimezone(plan.now.tzinfo).date()
        return f"{noun} {format_day(day, plan.now.date())}"
    if row.get(name) in (None, "", [], {}):
        return f"no {noun} on record"
    return f"{noun} {formats.format_value(row, name, plan.now, plan.user)}"


def _column(plan: Plan, kind: str, other: str, rows: Sequence[Row]) -> dict[str, str]:
    """Return the company, or the people with their phone numbers, of each record by its id."""
    none = f"no {'contact' if other == 'contact' else 'company'} on record"
    if f"{other}_id" in RECORD_TYPES[kind].model_fields:
        refs = {
            str(row[f"{other}_id"]): Ref(other, str(row[f"{other}_id"]), "") for row in rows if row.get(f"{other}_id")
        }
        people = dict(zip(refs, plan.records([*refs.values()]), strict=True))
        linked = {str(row["id"]): [people[key]] for row in rows if (key := str(row.get(f"{other}_id"))) in people}
    else:
        calls = [partial(plan.call, tool_of(other), "look for the people there", account_id=row["id"]) for row in rows]
        linked = {str(row["id"]): page["items"] for row, page in zip(rows, at_once(calls), strict=True)}
    return {str(row["id"]): "; ".join(map(_named, linked.get(str(row["id"]), ()))) or none for row in rows}


def _named(record: Row) -> str:
    return ", ".join(filter(None, (str(record.get("display_name")), str(record.get("phone") or ""))))
