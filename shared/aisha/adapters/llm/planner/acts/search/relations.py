"""Read conditions on what belongs to records: "with an open deal over 50k", "with no activity in two weeks".

What belongs to them is read as a list of its own, and the records are those that it belongs to.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.filters import Condition, Filters, having
from aisha.adapters.llm.planner.acts.search.kinds import PROSPECTS, kind_of_type
from aisha.adapters.llm.planner.acts.search.times import Period, lasting
from aisha.adapters.llm.planner.acts.search.words import DENIED, EMPTY, RELATIVE, STAFF, denials
from aisha.adapters.llm.planner.plan import Plan, at_once
from aisha.adapters.llm.planner.replies import formats, listings
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import word_set
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

Reading = Callable[[Plan, Ask, str], Filters]
"""A function that reads the conditions of an ask for records of a kind."""
Owners = Callable[[Mapping[str, Any]], int]
"""A function that returns how many of the related records belong to a record."""
MAX_RELATED = 50
"""Related records that are looked at: as many as a search returns."""
PLANNED = word_set("condition_words", "planned")
_COMING = PLANNED | {"next", "future", "further"}
_OPEN = frozenset("open active running live current".split())
_LINKED = frozenset("to linked attached assigned associated connected tied person primary main whatsoever yet".split())
_ONE = frozenset("a any single person people".split())
_ANYTHING = frozenset("nothing anything".split())
_EVER = {"due_after": "2000-01-01T00:00:00+00:00"}
"""A time before all activities: without one, only those that are planned are listed."""
_OF_ONE = lexicon.PERSON_PRONOUNS | {"this", "that", "same"}
BELONGING = frozenset("belong belongs belonging".split())
OF_OWNERS = frozenset(("at", "of", "from", "for", "with"))
"""Words before the companies that records belong to."""
_SUBJECTS = frozenset(("we", "i", "nobody"))
"""Words that begin a relative clause without a relative word: "a contact we haven't called"."""
_EXACTLY = frozenset(("only", "exactly", "just"))
Limit = tuple[int, int | None, str]
"""The least and the most records that belong to another (None for no end), and the words for that."""
_LINKS = {"contact": "contact", "account": "company"}
"""Words for the link of a record to one of another kind."""
_AROUND = (
    EMPTY
    | DENIED
    | _LINKED
    | BELONGING
    | frozenset("whose there up currently right now at the moment yet in out got".split())
)


def relation_said(
    plan: Plan, read: Reading, ask: Ask, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters
) -> Condition | None:
    """Return the condition that a clause sets for what belongs to records.

    None is for a clause that says something else, or more than can be looked up.
    """
    kind, noun = related_in(tokens, filters)
    if noun is None or not plan.has(_tool(kind)) or not _are_linked(filters.kind, kind):
        return None
    part, limit = _counted(_part_of(ask, tokens, spans), noun)
    if limit is None and any(one.word == "than" for one in tokens) and not any(one.relation for one in part.amounts):
        return None  # "With more contacts than deals."
    part = _without_opening(part, own_tokens(tokens, filters), noun)
    is_bare = limit is None and _is_bare(part) and not lexicon.says_value(noun)  # Customers are of a type.
    if is_bare and f"{kind}_id" in RECORD_TYPES[filters.kind].model_fields:
        link = having(f"{kind}_id", _LINKS[kind])
        return link.denied if denials(tokens) % 2 else link
    if (filters.kind, kind) == ("account", "contact") and not (_is_plural(noun) or _has_article(tokens, noun)):
        return None  # "Without contact" may be that nobody spoke to them.
    related = _read(plan, read, part, kind, own_tokens(tokens, filters))
    if related is None or (owners := owners_of(plan, filters.kind, related)) is None:
        return None
    least, most, limit_text = limit or (1, None, "")
    described = " ".join(filter(None, (limit_text, related.described(1 if most == least == 1 else 2))))

    def holds(record: Mapping[str, Any]) -> bool:
        return least <= owners(record) and (most is None or owners(record) <= most)

    told = Condition(f"with {described}", holds, f"without {described}")
    return told.denied if denials(own_tokens(tokens, filters)) % 2 else told


def _tool(kind: str) -> str:
    return "list_activities" if kind == "activity" else f"search_{lexicon.PLURALS[kind]}"


def own_tokens(tokens: Sequence[Token], filters: Filters) -> Sequence[Token]:
    """Return the tokens of a clause before the relative clause that describes what belongs to the records.

    In "with customers that have no open deal" the denial is not about the customers.
    """
    _, noun = related_in(tokens, filters)
    place = tokens.index(noun) + 1 if noun is not None else len(tokens)
    following = tokens[place].word if place < len(tokens) else ""
    # "Deals whose contact hasn't answered"
    return (
        tokens[:place]
        if following in RELATIVE | _SUBJECTS | {"with", "having"} or following.endswith("n't")
        else tokens
    )


def related_in(tokens: Sequence[Token], filters: Filters) -> tuple[str, Token | None]:
    """Return the other kind of records that a clause is about, with its noun."""
    words, kind = {one.word for one in tokens}, filters.kind
    is_of_owners = any(one.word in OF_OWNERS - {"with"} for one in tokens[:1])
    fields = {
        at for _, first, last in lexicon.placed_in(tokens, "fields") for at in range(first, last) if last - first > 1
    }
    is_planned, has_number = bool(words & _COMING), bool(find_amounts(" ".join(one.word for one in tokens)))
    for place, (before, token, after) in enumerate(zip([None, *tokens], tokens, [*tokens, None][1:], strict=False)):
        named = lexicon.kind_named(token)
        if place in fields or (token.stem in filters.enums and not is_of_owners):
            continue  # The "last contact" is a field, and accounts may be prospects.
        if (before is not None and before.word in _OF_ONE) or (has_number and token.word in STAFF):
            continue  # "With her company", "with 500 people".
        is_modifier = after is not None and lexicon.kind_named(after) is not None  # "customer accounts"
        if named in ("note", "goal") or (named == "account" and kind == "lead"):
            return "", None
        if is_of_owners or kind == "opportunity":
            named = named or kind_of_type(token)  # "Contacts at partners", "deals with vendors"
        if named == "lead" and kind != "lead" and token.word in PROSPECTS:
            named = "account"  # "Deals with prospects": companies that are prospects.
        if named not in (None, kind) and not is_modifier:
            return str(named), token
        if kind != "activity" and _says_activity(tokens, token, is_planned=is_planned):
            return "activity", token
    return "", None


def _says_activity(tokens: Sequence[Token], token: Token, *, is_planned: bool) -> bool:
    """Return whether a word is an activity: "a demo", "calls" and "nothing planned", but not the field "no phone"."""
    if is_planned and token.word in _ANYTHING:
        return True
    is_type = bool(_type(token))
    is_field = bool(lexicon.fields_in(token.word)) or token.word in STAFF
    return is_type and (is_planned or (not is_field and (_is_plural(token) or _has_article(tokens, token))))


def _type(token: Token) -> str:
    is_verb = token.word.endswith(("ed", "ing"))
    return lexicon.activity_type_of(token.word) or (not is_verb and lexicon.activity_type_of(token.stem)) or ""


def _is_plural(token: Token) -> bool:
    return token.word.endswith("s") or token.word == "people"


def _has_article(tokens: Sequence[Token], noun: Token) -> bool:
    before = [one.word for one in tokens if one.start < noun.start]
    return any(one in _ONE | {"an"} or lexicon.number_in(one) is not None for one in before)


def _part_of(ask: Ask, tokens: Sequence[Token], spans: Sequence[Span]) -> Ask:
    """Return the words of a clause as an ask for what belongs to the records."""
    first, last = tokens[0].start, max([tokens[-1].end, *(span.end for span in spans)])
    text = " " * first + ask.text[first:last] + " " * (len(ask.text) - last)
    # Not sure of its act, so that no word before the noun is passed over: "with strategic deals".
    return Ask(replace(ask.segment, text=text, act="search", probability=0.5, spans=tuple(spans)), ask.now)


def _without_opening(part: Ask, tokens: Sequence[Token], noun: Token) -> Ask:
    """Return the ask without the words of the clause around its noun that say nothing of what belongs to those."""
    whens = [span for span in part.segment.spans if span.tag == "when"]
    for token in tokens:
        if any(span.holds(token) for span in whens):
            continue  # "With a deal closing in March."
        if token.word in _AROUND and (token.start < noun.start or token.word not in EMPTY) and token != noun:
            part = part.without(token.start, token.end)
    return part


def _counted(part: Ask, noun: Token) -> tuple[Ask, Limit | None]:
    """Return the ask without a limit of how many belong to a record, and that: "with more than one open deal"."""
    _, starts = plain_text(part.outside)
    for amount in part.amounts:
        said = [one for one, at in zip(part.outside, starts, strict=True) if amount.reach[0] <= at < amount.reach[1]]
        if amount.relation and not (amount.is_money or amount.is_percent) and said[0].start < noun.start:
            rest, number = part.without(said[0].start, min(said[-1].end, noun.start)), int(amount.value)
            if amount.relation == "more":
                least = number + amount.is_strict
                return rest, (least, None, listings.format_bound(least, is_least=True))
            most = number - amount.is_strict
            return rest, (0, most, f"at most {most}")
    exact = [(one, two) for one, two in pairwise(part.outside) if one.word in _EXACTLY and lexicon.number_in(two.word)]
    if exact and exact[0][1].end <= noun.start:
        number = lexicon.number_in(exact[0][1].word) or 1
        return part.without(exact[0][0].start, exact[0][1].end), (number, number, f"only {number}")
    return part, None


def _are_linked(kind: str, other: str) -> bool:
    """Return whether records of two kinds can belong to each other: a lead has no contacts."""
    fields, other_fields = RECORD_TYPES[kind].model_fields, RECORD_TYPES[other].model_fields
    return other == "activity" or f"{other}_id" in fields or f"{kind}_id" in other_fields


def _is_bare(part: Ask) -> bool:
    return not part.segment.spans and all(one.kind == "mark" or lexicon.kind_named(one) for one in part.tokens)


def _read(plan: Plan, read: Reading, part: Ask, kind: str, tokens: Sequence[Token]) -> Filters | None:
    """Return the conditions of what belongs to the records; None where a word of them says what can't be looked up."""
    words, apart = {one.word for one in tokens}, replace(plan, topic=Topic(), spoken=(), bindings={})
    is_coming = bool(words & _COMING)
    length = lasting(part)[:1] if kind == "activity" and words & DENIED and not is_coming else ()
    for one in reversed(part.segment.spans if length else ()):
        part = part.without(one.start, one.end) if one.tag == "when" else part
    for token in part.loose if kind == "activity" else ():
        part = part.without(token.start, token.end) if token.word in _COMING | _OPEN | _ANYTHING else part
    related = read(apart, part, kind)
    if related.unknown:
        return None
    if kind == "activity":
        is_open = is_coming or bool(words & _OPEN)
        if not is_open and related.arguments.get("status") == "scheduled":
            del related.arguments["status"]
            related.conditions.append(Condition("", lambda one: one.get("status") != "cancelled"))
        if length:
            related.arguments |= {
                "due_after": _instant(bounds(length[0], part.now)[0]),
                "due_before": part.now.isoformat(),
            }
    return related


def _instant(moment: Any) -> str:
    return str(moment.isoformat())


def owners_of(plan: Plan, kind: str, related: Filters) -> Owners | None:
    """Return how many of the related records belong to a record; None where there are too many to look at."""
    arguments = related.arguments
    if related.kind == "activity":
        about = {} if kind == "account" else {"entity_type": kind}
        arguments = {**(about if "status" in arguments else _EVER | about), **arguments}
    calls = [partial(plan.call, related.tool, "look for what belongs to those", **arguments, limit=MAX_RELATED)]
    is_through = (kind, related.kind) == ("account", "activity")
    # What is planned with a company is with itself, its people or its deals.
    calls += [
        partial(plan.call, _tool(other), "look up whose they are", limit=MAX_RELATED)
        for other in ("contact", "opportunity") * is_through
    ]
    page, *links = at_once(calls)
    if any(one.get("next_cursor") for one in (page, *links)):
        return None
    items = [one for one in page["items"] if all(condition.holds(one) for condition in related.conditions)]
    if not items and any(one.guess for one in related.conditions):
        return None  # A word that may be no condition: "with strategic deals".
    field = f"{related.kind}_id"
    if field in RECORD_TYPES[kind].model_fields:
        ids = {str(one["id"]) for one in items}
        return lambda record: int(str(record.get(field)) in ids)
    companies = {str(one["id"]): str(one.get("account_id")) for link in links for one in link["items"]}
    owners = (
        str((one.get("related") or {}).get("id")) if related.kind == "activity" else str(one.get(f"{kind}_id"))
        for one in items
    )
    counted = Counter(companies.get(one, one) for one in owners)
    return lambda record: counted[str(record.get("id"))]


def contact_of_others(plan: Plan, kind: str, period: Period, *, is_silent: bool) -> Condition | None:
    """Return the condition that somebody was in contact about records that don't tell it, or nobody since a time.

    A company is contacted through its people, a deal by what was done for it. None where there is too much to look at.
    """
    first, last = period
    since = (last or datetime.fromisoformat(_EVER["due_after"])) if is_silent else first
    name = "contacted" if kind == "account" else "due"
    about = {
        f"{name}_after": since and since.isoformat(),
        f"{name}_before": None if is_silent else last and last.isoformat(),
    }
    tool = "search_contacts" if kind == "account" else "list_activities"
    about |= {} if kind == "account" else {"status": "completed"}
    given = {name: value for name, value in about.items() if value is not None}
    other = "contact" if kind == "account" else "activity"
    if not plan.has(tool) or (owners := owners_of(plan, kind, Filters(other, tool, {}, given))) is None:
        return None
    noun = "contact" if kind == "account" else "a finished activity"
    days = (last if is_silent else first, None if is_silent else last)
    period_text = formats.format_period(*(one and one.date() for one in days), is_past=True) or "so far"
    condition = Condition(f"with {noun} {period_text}", lambda one: owners(one) > 0, f"without {noun} {period_text}")
    return condition.denied if is_silent else condition
