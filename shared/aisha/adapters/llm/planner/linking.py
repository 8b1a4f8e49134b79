"""Link a name to the deal of which an ask says more words: "the Silverline support renewal" is no account."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, resolve
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

_MIN_APART = 2
"""Words of a deal that must stand together apart from its account: "let Falcon have the training package"."""
# Acts whose names are new, are no records, or narrow a list.
_UNLINKED = frozenset(
    (
        "create_record instruct remember forget documents search count rank list_activities forecast my_day events "
        "compare convert"
    ).split()
)
# Words that may stand between the parts of a name: "Stonebridge's rollout", "the rollout at Stonebridge".
_BETWEEN = frozenset("'s the at for of with from deal".split())
_SLOTS = frozenset("field value topic".split())
_KNOWN = (
    lexicon.ORDER_VERBS | lexicon.INTERJECTIONS | lexicon.LINK_WORDS | lexicon.QUESTION_STARTS | lexicon.STATING_VERBS
)


def with_whole_names(plan: Plan, ask: Ask) -> tuple[Plan, Ask]:
    """Return the plan and the ask with a name bound to the deal of which the words beside it say more.

    Raises `Pending` with the searches for the name, most of which the ask costs anyway.
    """
    if ask.act in _UNLINKED or plan.bindings or not plan.has("search_opportunities"):
        return plan, ask
    spans = [span for span in ask.segment.spans if span.tag in ("name", "org")]
    for span in filter(_is_mixed, spans if ask.act in READS else ()):
        found = items_of(plan.need_all([naming.search_for(plan, span.text, "opportunity")])[0])
        if len(named := [one for one in map(ref_of, found) if _words(span.text) <= _words(one.name)]) == 1:
            # "Meridian pilot": without the small word it would be the account.
            capitals = " ".join(token.text for token in tokenize(span.text) if token.is_capital)
            return replace(plan, bindings={span.text.lower(): named[0], capitals.lower(): named[0]}), ask
    open_spans = [span for span in spans if _unexplained(ask, span)]
    if not open_spans:
        return plan, ask
    # "Divya's deal" may be looked for by the customer.
    kinds = () if ask.act in FIELD_CHANGE_ACTS else resolve.kinds_named(ask)
    # All names in one round, since a turn has three.
    searches = [one for span in spans for one in naming.searches_for(plan, span.text, kinds)]
    deals = [naming.search_for(plan, span.text, "opportunity") for span in open_spans]
    plan.need_all([*searches, *deals])
    for span in open_spans:
        items = items_of(plan.results.of(naming.search_for(plan, span.text, "opportunity")))
        matches = [(run, deal) for deal in map(ref_of, items) if (run := _words_of_deal(deal, ask, span))]
        longest = max((len(run) for run, _ in matches), default=0)
        best = {deal.id: (run, deal) for run, deal in matches if len(run) == longest}
        if len(best) == 1:
            (run, deal), *_ = best.values()
            return _bound(plan, ask, span, run, deal)
    return plan, ask


def _is_mixed(span: Span) -> bool:
    """Return whether a name has words with capital letters and words without."""
    return len({token.is_capital for token in tokenize(span.text) if token.kind == "word"}) > 1


def _bound(plan: Plan, ask: Ask, span: Span, run: Sequence[Token], deal: Ref) -> tuple[Plan, Ask]:
    """Return the plan and the ask with a name that has the words of the run; other slots lose them."""
    start, end = span.start, span.end
    if _is_beside(ask, span, run):
        start, end = min(start, run[0].start), max(end, run[-1].end)
    name = Span("name", ask.text[start:end], start)
    # "I met Kofi from Helios, set the field service to 40k" changes the deal.
    names_before = [
        one for one in ask.segment.spans if one.tag in ("name", "org") and one.end <= min(start, run[0].start)
    ]
    names_before = names_before if ask.act in FIELD_CHANGE_ACTS else []
    others = [one for one in ask.segment.spans if one != span and one not in names_before]
    other_spans = [part for one in others for part in _without(one, run, ask.text)]
    # An ask leaves small words at the edges of a name out.
    bindings = {text.lower(): deal for text in (span.text, name.text)}
    return replace(plan, bindings=bindings), ask.with_spans([*other_spans, name])


def _without(span: Span, run: Sequence[Token], text: str) -> Iterator[Span]:
    """Yield what is left of a slot without the words of a run: "close" of "annual license close"."""
    first, last = run[0].start, run[-1].end
    for start, end in ((span.start, min(first, span.end)), (max(last, span.start), span.end)):
        if part := text[start:end].strip():
            yield Span(span.tag, part, text.index(part, start))


def _unexplained(ask: Ask, span: Span) -> list[Token]:
    """Return the words beside a name, and those of other slots, that are no field, value, time or kind."""
    is_time = time_tokens(ask.tokens, ask.now)
    outside = [
        one
        for one, timed in zip(ask.tokens, is_time, strict=True)
        if not (timed or span.start <= one.start < span.end or one.word in _BETWEEN)
    ]
    after = next((one for one in outside if one.start >= span.end), None)
    before = next((one for one in reversed(outside) if one.end <= span.start), None)
    beside = [one for one in (before, after) if one is not None]
    slots = [one for one in ask.segment.spans if one.tag in _SLOTS and one != span]
    held = [one for one in outside if any(slot.start <= one.start < slot.end for slot in slots)]
    return [one for one in (*beside, *held) if one.kind == "word" and not _is_known(one)]


def _is_known(token: Token) -> bool:
    word = token.word
    is_kind = lexicon.kind_named(token) or lexicon.activity_type_of(word)
    return bool(word in _KNOWN or is_kind or lexicon.fields_in(word) or lexicon.values_in(word))


def _words_of_deal(deal: Ref, ask: Ask, span: Span) -> tuple[Token, ...]:
    """Return the longest run of words in an ask that are of a deal's name beyond the name given."""
    more = _words(deal.name) - _words(span.text) - lexicon.LINK_WORDS
    runs = [tuple(run) for run in _runs(ask, more, span)]
    fitting = [run for run in runs if len(run) >= _MIN_APART or _is_beside(ask, span, run)]
    return max(fitting, key=len, default=())


def _runs(ask: Ask, words: frozenset[str], span: Span) -> Iterator[list[Token]]:
    """Yield the runs of words that stand together outside of a name."""
    run: list[Token] = []
    for token in ask.tokens:
        if token.word in words and not span.start <= token.start < span.end:
            run.append(token)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _is_beside(ask: Ask, span: Span, run: Sequence[Token]) -> bool:
    """Return whether only small words stand between a run and a name."""
    first, last = (span.end, run[0].start) if run[0].start >= span.end else (run[-1].end, span.start)
    return all(token.word in _BETWEEN for token in ask.tokens if first <= token.start < last)


def _words(text: str) -> frozenset[str]:
    return frozenset(token.word for token in tokenize(text) if token.kind != "mark")
