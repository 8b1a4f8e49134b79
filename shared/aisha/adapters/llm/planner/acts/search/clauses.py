"""Read the clauses of a search that no parameter says: denials, relative clauses and related records."""

from collections.abc import Iterator, Sequence

from aisha.adapters.llm.planner.acts.search.filters import Condition, Filters, among, beyond, differs, lacks
from aisha.adapters.llm.planner.acts.search.times import lasting
from aisha.adapters.llm.planner.acts.search.words import DENIED, LENGTHS, STAFF, contacted_stems
from aisha.adapters.llm.planner.policy import is_sure
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.slots import strange
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import placed_in, word_set
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

_MAX_FILLER = 3
"""Letters of a word that nothing explains up to which it is passed over."""
_BEGUN = word_set("condition_words", "begun")
_RELATIVE = word_set("condition_words", "relative")
_DESCRIBED = word_set("condition_words", "described")
_WON = word_set("condition_words", "won")
_DWELLING = word_set("condition_words", "dwelling")


def without_clauses(ask: Ask, filters: Filters) -> Ask:
    """Return the ask without the conditions that no parameter says; add those to the filters."""
    for tokens in list(_clauses(ask, filters)):
        start = tokens[0].start
        spans = [span for span in ask.segment.spans if start <= span.start < tokens[-1].end]
        end = max([tokens[-1].end, *(span.end for span in spans)])
        if (conditions := _conditions(ask, tokens, spans, filters)) is not None:
            filters.conditions += conditions
            filters.unknown += [] if conditions else [ask.text[start:end]]
            ask = ask.without(start, end)
    nouns = [token.start for token in ask.outside if lexicon.kind_named(token)]
    # Before the noun stand the words of the question, unless they were not understood.
    first = nouns[0] if nouns and is_sure(ask) else 0
    left = [one.text for one in strange(ask) if nouns and one.start > first and len(one.word) > _MAX_FILLER]
    filters.unknown += [" ".join(left)] if left else []
    return ask


def _clauses(ask: Ask, filters: Filters) -> Iterator[list[Token]]:
    """Yield the parts that begin with a denial, a relative word or related records: "companies with deals"."""
    part: list[Token] = []
    for place, token in enumerate(ask.outside):
        begins = token.word in DENIED or (place > 0 and token.word in _BEGUN and _describes(ask, place))
        begins = begins or (not part and place > 0 and _is_related(ask, token, filters))
        if part and (begins or token.text in ",;.?!"):
            yield part
            part = []
        part += [token] if begins or part else []
    if part:
        yield part


def _describes(ask: Ask, place: int) -> bool:
    """Return whether a relative word follows what it describes: "leads who left", not "a deal, which would it be"."""
    token, before = ask.outside[place], ask.outside[place - 1]
    if token.word not in _RELATIVE:
        return True
    is_slot = any(span.start <= before.start < span.end for span in ask.segment.spans)
    return bool(is_slot or lexicon.kind_named(before) or before.word in _DESCRIBED)


def _is_related(ask: Ask, token: Token, filters: Filters) -> bool:
    """Return whether a token names another kind of records than is asked for, and no role: "the customer Acme"."""
    named, kind = lexicon.kind_named(token), filters.kind
    if token.stem in filters.enums:
        return False  # "accounts that are prospects"
    before = next((one.word for one in reversed(ask.tokens) if one.end <= token.start), "")
    if named == "account" and before in lexicon.PERSON | {"this", "that", "same"}:
        return False  # "with her company"
    is_number = token.word in STAFF and bool(ask.amounts)  # "with more than 500 people"
    if is_number or named in (None, kind, *ask.kinds[:1]) or (kind, named) == ("contact", "account"):
        return False
    return not any(one.start <= token.start < one.end or 1 <= one.start - token.end <= 2 for one in ask.segment.spans)


def _conditions(ask: Ask, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> list[Condition] | None:
    """Return what a clause says, to be checked here; empty: it is unknown, None: it is left to the parameters."""
    words, text = {token.word for token in tokens}, " ".join(token.word for token in tokens)
    fields = RECORD_TYPES[filters.kind].model_fields
    if any(_is_related(ask, token, filters) for token in tokens):
        return []
    if not words & DENIED:
        return None if spans or any(said_values(tokens, filters)) or not {*tokens} & {*strange(ask)} else []
    if contacted_stems() & {token.stem for token in tokens} and "last_contacted_at" in fields:
        filters.is_silent = bool(find_times(text, ask.now) or lasting(ask))
        if filters.is_silent:
            return None
        is_timed = any(span.tag == "when" for span in spans) or bool(words & LENGTHS)
        return [] if is_timed else [Condition("never contacted so far", lacks("last_contacted_at"))]
    if values := [value for value, _ in said_values(tokens, filters) if value in filters.enums]:
        return [among(filters.enums[value], (value,), is_denied=True) for value in values]
    if owners := [span.text.lower() for span in spans if span.tag == "owner"]:
        return [Condition(f"not of {owner.capitalize()}", differs("owner", owner)) for owner in owners]
    if filters.kind == "activity" and (
        types := [
            one
            for token in tokens
            if (one := lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem))
        ]
    ):
        return [Condition(f"without {one}s", differs("activity_type", one)) for one in types]
    if amounts := [one for one in find_amounts(text) if one.relation in ("more", "less")]:
        return [beyond(one, filters.kind) for one in amounts]
    names = [lexicon.field_name(name, filters.kind) for name in lexicon.fields_in(text)]
    if names and all(name in fields for name in names):
        return [Condition(f"without {formats.field_noun(name)}", lacks(name)) for name in names]
    return None if len(tokens) == 1 or "than" in words else []


def said_values(tokens: Sequence[Token], filters: Filters) -> Iterator[tuple[str, Sequence[Token]]]:
    """Yield the enumerated values, as the kind of record has them, each with its tokens."""
    enums, same = filters.enums, lexicon.entries("same_values")[filters.kind]
    is_lost = False
    for key, first, last in placed_in(tokens, "values"):
        if tokens[first].word not in _DWELLING:
            yield key if key in enums else same.get(key, key), tokens[first:last]
            is_lost = is_lost or key in ("lost", "closed_lost")
    if filters.kind == "opportunity" and not is_lost and (won := [token for token in tokens if token.word in _WON]):
        yield "closed_won", won
