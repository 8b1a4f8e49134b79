"""Read conditions on the deals or activities that belong to records: "without open deals", "with nothing scheduled"."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.adapters.llm.planner.acts.search.filters import Condition, Filters, having
from aisha.adapters.llm.planner.acts.search.words import DENIED, EMPTY
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.lexicon import word_set
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

_MAX_JOINED = 50
"""Deals or activities that are looked at: as many as a search returns."""
_EVER = "2000-01-01T00:00:00+00:00"
"""A time before all activities: without one, only those that are planned are listed."""
PLANNED = word_set("condition_words", "planned")
_COMING = PLANNED | {"next", "future", "further"}
_OPEN = frozenset("open active running live current".split())
_LINKED = frozenset("to linked attached assigned associated connected tied person primary main whatsoever yet".split())
_ONE = frozenset("a any single person people".split())
_ANYTHING = frozenset("nothing anything".split())
_LINKS = {
    ("opportunity", "contact"): "contact",
    ("opportunity", "account"): "company",
    ("contact", "account"): "company",
}
"""Links of records, by the kinds of both."""
_QUALIFYING = frozenset(("name", "new", "org", "owner", "when", "amount", "count"))
"""Tags of slots that say more of what belongs to a record than is looked up here."""
_AROUND = EMPTY | DENIED | frozenset("up currently right now at the moment yet in out".split())


def begins_with_plan(tokens: Sequence[Token]) -> bool:
    """Return whether words begin with a planned activity: "a [demo coming] up"."""
    return len(tokens) > 1 and bool(lexicon.activity_type_of(tokens[0].word)) and tokens[1].word in PLANNED


def belonging_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Condition | None:
    """Return the condition on deals or activities that a clause says as if it were not denied; None for another clause.

    Also None where there are too many to look at. Raises `Pending` while they are looked up.
    """
    words = {one.word for one in tokens if one.kind != "mark"}
    kinds = {kind for one in tokens if (kind := lexicon.kind_named(one))}
    rest = {one.word for one in tokens if one.word in words - _AROUND and not (lexicon.kind_named(one) or _type(one))}
    if any(span.tag in _QUALIFYING for span in spans):
        return None
    if rest <= _LINKED and (link := _link_said(plan, tokens, kinds, filters.kind)) is not None:
        return link
    if filters.kind in ("account", "contact") and kinds == {"opportunity"} and rest <= _OPEN:
        ids = linked(plan, "search_opportunities", f"{filters.kind}_id", {"open_only": True} if rest else {})
        return _has(ids, "open deals" if rest else "deals")
    types, is_planned = {_type(one) for one in tokens} - {""}, bool(words & _COMING)
    says_activity = "activity" in kinds or (is_planned and (types or words & _ANYTHING))
    is_read = not (rest - _COMING - _OPEN) and len(types) < 2 and not kinds - {"activity"}
    if filters.kind not in ("lead", "contact", "opportunity") or not (says_activity and is_read):
        return None
    kind = next(iter(types - {"task"}), "")  # Tasks may be all that there is to do.
    about: dict[str, Any] = {"entity_type": filters.kind, "activity_type": kind or None}
    is_open = is_planned or bool(rest & _OPEN)
    about |= {"status": "scheduled"} if is_open else {"due_after": _EVER}
    noun = f"{kind}s" if kind else "activities"
    return _has(linked(plan, "list_activities", "", about), f"scheduled {noun}" if is_open else noun)


def _link_said(plan: Plan, tokens: Sequence[Token], kinds: set[str], kind: str) -> Condition | None:
    """Return the condition that deals have a contact or a company, contacts a company, or companies contacts."""
    (other,) = kinds if len(kinds) == 1 else ("",)
    if (kind, other) in _LINKS:
        return having(f"{other}_id", _LINKS[kind, other])
    # "Without contact" may be that nobody spoke to them.
    is_noun = any(lexicon.kind_named(one) and one.word.endswith("s") for one in tokens) or any(
        one.word in _ONE for one in tokens
    )
    if (kind, other) == ("account", "contact") and is_noun:
        return _has(linked(plan, "search_contacts", "account_id", {}), "contacts")
    return None


def _type(token: Token) -> str:
    return lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem) or ""


def linked(plan: Plan, tool: str, name: str, about: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the ids of the records that deals or activities belong to; None where there are too many of these."""
    if not plan.has(tool):
        return None
    page = plan.call(tool, "look for what belongs to those", **about, limit=_MAX_JOINED)
    if page.get("next_cursor"):
        return None
    return frozenset(_owner_of(item, name) for item in page["items"])


def _owner_of(item: Mapping[str, Any], name: str) -> str:
    return str(item.get(name) or "") if name else str((item.get("related") or {}).get("id") or "")


def _has(ids: frozenset[str] | None, noun: str) -> Condition | None:
    return None if ids is None else Condition(f"with {noun}", lambda one: str(one.get("id")) in ids, f"without {noun}")
