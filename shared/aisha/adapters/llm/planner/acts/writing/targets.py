"""Choose the records that a change is about."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import writing_words
from aisha.adapters.llm.planner.acts.search.fetching import fetch
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.naming import Ambiguous, searches_for
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Pending, Plan
from aisha.adapters.llm.planner.replies import changes, formats, questions
from aisha.adapters.llm.planner.resolve import require_all, settled, several_of
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.slots import repaired, strange
from aisha.adapters.llm.planner.state import Question, Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import Token

MAX_CHANGED = 10
"""Records that an order may describe: the user sees all of them before agreeing."""
_MARKS = frozenset(",;:.-–")
_BEFORE_NEW = writing_words("given") | {"on", "=", "are"}
"""Words between the records that an order describes and their new value: "my unqualified leads to lost"."""


def records_meant(plan: Plan, ask: Ask, question: str, kinds: Sequence[str] = ()) -> tuple[Ref, ...]:
    """Return the records that an ask is about. Raises `EarlyAnswer`, also for a whole kind of records."""
    if (
        (_plural_kind(ask) or ask.words & writing_words("every"))
        and not ask.texts("name")
        and not several_of(plan, ask, kinds)
    ):
        raise plan.refuse(changes.LIST_FIRST)
    try:
        return tuple({ref.id: ref for ref in require_all(plan, ask, question, kinds)}.values())
    except Pending as pending:
        # A customer's deals are searched for in the next round: all kinds of records in this one.
        names = dict.fromkeys(call.arguments.get("name_contains") for call in pending.calls)
        if tuple(kinds) != ("opportunity",) or None in names:
            raise
        searches = [one for name in names for one in searches_for(plan, str(name), KINDS)]
        raise Pending(one for one in searches if plan.results.of(one) is None) from None


def _plural_kind(ask: Ask) -> Token | None:
    """Return the word for several records of a kind: "leads", "every lead"."""
    is_each = bool(ask.words & writing_words("every"))
    return next((one for one in ask.loose if _is_kind(one, is_each=is_each)), None)


def _is_kind(token: Token, *, is_each: bool) -> bool:
    forms = (token.word[:-1] if token.word.endswith("s") else "", token.word if is_each else "")
    return any(lexicon.kind_of(form) in KINDS for form in forms)


def change_of_all(ask: Ask) -> tuple[Ask, Ask] | None:
    """Return an order for all records of a description in two: the change, and the description as a search.

    Examples: "put all my unqualified leads on lost", "all my leads in Albany: set them to warm". None for another one.
    """
    noun = _plural_kind(ask)
    if noun is None or ask.first("name"):
        return None
    fields = [span for span in ask.segment.spans if span.tag == "field"]
    before = [one for one in ask.tokens if one.start < noun.start]
    # "Open" is the verb of an order elsewhere.
    verbs = {one.word for one in before if one.word in lexicon.ORDER_VERBS and not lexicon.values_in(one.word)}
    ends = [one.end for one in before if one.word in verbs | _BEFORE_NEW or one.text in _MARKS]
    ends += [one.end for one in fields if one.end <= noun.start]
    first = next((one.start for one in before if one.start >= max(ends, default=0)), noun.start)
    values = {span.start for span in ask.segment.spans if span.tag not in ("field", "ref", "confirmed")}
    values |= {one.start for one in ask.loose if one.word == "me" or lexicon.values_in(one.word)}
    after = [one for one in ask.tokens if one.start > noun.start]
    cuts = [
        (one.word == "on", one.start) for one, two in pairwise(after) if one.word in _BEFORE_NEW and two.start in values
    ]
    if not cuts:
        return None
    cut = min(cuts)[1]
    spans = [replace(one, start=one.start - first) for one in ask.segment.spans if first <= one.start < cut]
    described = Ask(Segment(ask.text[first:cut], "search", spans=tuple(spans)), ask.now)
    return ask.without(first, cut), described


def all_described(plan: Plan, described: Ask) -> Sequence[dict[str, Any]]:
    """Return all records that a search describes. Raises `EarlyAnswer` for none, too many, or what nothing finds."""
    described, kind = repaired(described), next(kind for kind in described.kinds if kind in KINDS)
    filters = filters_of(plan, described, kind).strict
    if unknown := [*filters.unknown, *(token.text for token in strange(described))]:
        raise plan.refuse(f"I don't know how to look for {formats.quote_all(unknown)}, so I changed nothing.")
    page = fetch(plan, filters, MAX_CHANGED)
    if not page.items:
        raise plan.refuse(f"There are no {filters.described(2)}, so I changed nothing. Tell me which you mean.")
    if page.checked or page.cursor:
        text = f"There are more than {MAX_CHANGED} {filters.described(2)}, and I change at most {MAX_CHANGED} at once."
        raise plan.refuse(f"{text} Nothing was changed: tell me which of them you mean.")
    return page.items


def only_one(plan: Plan, ask: Ask, refs: Sequence[Ref], asked_name: str, name: str) -> Ref:
    """Return the only one of records. Raises `EarlyAnswer` with the question for one of several."""
    if len(refs) > 1:
        question = Question("which", ask.segment, asked_name, tuple(refs))
        raise EarlyAnswer(Answer(questions.ask_which(name, refs), question, plan.topic))
    return refs[0]


def deal_of(plan: Plan, ask: Ask, ref: Ref) -> Ref:
    """Return the only open deal of an account or a contact. Raises `EarlyAnswer` for none, or for one of several."""
    search = {f"{ref.type}_id": ref.id, "open_only": True}
    refs = [ref_of(item) for item in items_of(plan.need("search_opportunities", **search))]
    if not refs:
        raise plan.refuse(f"There is no open deal with **{ref.name}**.")
    return refs[0] if len(refs) == 1 else settled(plan, ask, Ambiguous(ref.name, tuple(refs)))


def single(plan: Plan, refs: Sequence[Ref], verb: str) -> Ref:
    """Return the only record: the gate asks about each of what can't be undone for long."""
    if len(refs) > 1:
        raise plan.refuse(f"I {verb} one record at a time and ask before each. Which one shall be the first?")
    return refs[0]
