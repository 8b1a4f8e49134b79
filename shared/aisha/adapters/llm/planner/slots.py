"""Judge whether slots can be what their tags say. The tagger is right four times in five, so an act that only reads
leaves out, trims or retags the others: a word that is no name must not become a search for it.
"""

from calendar import month_name
from collections.abc import Iterator, Sequence

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.search.words import colleagues_in
from aisha.domain.language import lexicon
from aisha.domain.language.acts import PROPER_NAME_TAGS, SEARCHES
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.lexicon import phrase_key, word_set
from aisha.domain.language.marks import plain_text, time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.words import first_names, is_common

MAX_VALUE_WORDS = 4
"""Words of a value; longer ones are parts of sentences."""
_NAME_FIELDS = frozenset("first_name last_name name".split())
# Words that name fields elsewhere: "the number of leads", "the accounts of Bob".
_NO_COLUMNS = frozenset("number numbers line lines account accounts team work works size team where when".split())
_MAX_FILLER = 3
"""Letters of a word that only goes with lists up to which it is no condition: "vs"."""
_NO_NAMES = ("kinds", "activities", "fields")
"""Tables whose phrases are no names."""
_NO_VALUES = word_set("condition_words", "no_values") | lexicon.SELF_WORDS | lexicon.PERSON_PRONOUNS
_HONORIFICS = word_set("writing", "honorifics")
_SOMEBODY = word_set("condition_words", "somebody")
KNOWN = frozenset.union(
    *(word_set("time_words", key) for key in ("contacted", "closing", "created", "changed", "periods")),
    *(word_set("condition_words", key) for key in ("late", "own", "won", "employees", "money", "plain", "no_values")),
    *(lexicon.SELF_WORDS, lexicon.PLURAL_WORDS, lexicon.PERSON_PRONOUNS, CORRECTIONS),
)
"""Words that are no conditions by themselves."""
_OWNER_CUES, _HANDED, _RECIPIENTS = (word_set("condition_words", key) for key in ("owner_cues", "handed", "recipients"))
# Words between fields and the records that they are asked for of.
_OF_RECORDS = frozenset("of for".split())
_MONTHS = frozenset(name.lower() for name in month_name[1:])
_JOINTS = frozenset("and or nor n plus also & / +".split())
_PLACED, _JOINED = (word_set("condition_words", key) for key in ("placed", "joined_values"))


def strange(ask: Ask) -> list[Token]:
    """Return the tokens that neither a slot, a time, an amount nor the words of searches explain."""
    if not ask.loose:
        return []
    unexplained, read = {*policy.unexplained(ask)}, _measured(ask)
    if ask.act in SEARCHES:
        # What only goes with lists in the training, and no filter reads, is a condition: "the leads that he neglects".
        long_words = (one for one in ask.loose if len(one.word) > _MAX_FILLER)
        unexplained |= {one.text for one in long_words if not lexicon.is_read_by_searches(one)}
    values = (one for table in ("values", "asked_values") for one in lexicon.placed_in(ask.outside, table))
    for _, first, last in values:
        read |= {token.start for token in ask.outside[first:last]}
    return [
        one
        for one in ask.loose
        if one.text in unexplained and one.word not in KNOWN and " " not in one.word and one.start not in read
    ]


def _measured(ask: Ask, *, is_limit: bool = False) -> set[int]:
    """Return where tokens of times and amounts begin, of "north of a thousand" all; amounts that are limits only."""
    text, starts = plain_text(ask.outside)
    amounts = [one for one in find_amounts(text) if one.relation or not is_limit]
    times = time_tokens(ask.outside, ask.now)
    return {
        token.start
        for token, start, is_time in zip(ask.outside, starts, times, strict=True)
        if is_time or any(one.reach[0] <= start < one.reach[1] for one in amounts)
    }


def plausible(ask: Ask) -> Ask:
    """Return the ask with only the slots that can be what they say, trimmed or retagged where that makes them so."""
    return ask.with_spans(one for span in ask.segment.spans for one in _judged(span))


def _judged(span: Span) -> Iterator[Span]:
    if span.tag == "ref":
        tokens = [token for token in tokenize(span.text) if token.kind == "word"]
        named = [one for one in tokens if len(tokens) > 1 and _is_named(one)]  # "that viktor guy"
        yield Span("name", named[0].text, span.start + named[0].start) if named else span
        return
    if span.tag not in PROPER_NAME_TAGS:
        tokens = [token for token in tokenize(span.text) if token.kind != "mark"]
        words = {token.word for token in tokens if len(token.text) == 1 or not token.text.isupper()}  # "IT" is one.
        is_said = bool(tokens) and len(tokens) <= MAX_VALUE_WORDS and not words & _NO_VALUES
        if span.tag == "value" and span.text.lower() in _MONTHS:
            yield Span("when", span.text, span.start)  # "The May ones"
        elif span.tag == "value" and any(one.is_money for one in find_amounts(span.text)):
            yield Span("amount", span.text, span.start)
        elif span.tag == "value" and len(tokens) > 1 and lexicon.fields_in(tokens[-1].word) == ["industry"]:
            yield Span("value", span.text[: tokens[-2].end], span.start)  # "In the media industry"
        elif span.tag != "value" or is_said or phrase_key(span.text, "values"):
            yield span
        return
    tokens = [token for token in tokenize(span.text) if token.kind != "mark"]
    is_lower = not any(token.is_capital for token in tokens)
    if is_lower and phrase_key(span.text, "values"):
        yield Span("value", span.text, span.start)
    elif any(one.start == 0 and one.end == len(span.text) for one in find_amounts(span.text)):
        return  # "above seventy thousand": read as an amount
    elif inner := _trimmed(tokens):
        text = span.text[inner[0].start : inner[-1].end]
        if span.tag == "owner" and is_lower:
            named = [token for token in inner if may_be_name(token) and token.word not in _OWNER_CUES]  # "owned by bob"
            if named:
                yield Span(span.tag, named[-1].text, span.start + named[-1].start)
        elif len(inner) > 1 or not _is_no_name(inner[0]):
            yield Span(span.tag, text, span.start + inner[0].start)


def _trimmed(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens of a name without lower-case words around capitalised ones, and without a field after it."""
    capitals = [place for place, token in enumerate(tokens) if token.is_capital]
    if capitals and len(capitals) < len(tokens):
        return tokens[capitals[0] : capitals[-1] + 1] if not tokens[-1].word.isdecimal() else tokens[capitals[0] :]
    first, last = 0, len(tokens)
    while last - first > 1 and tokens[first].word in _HONORIFICS:
        first += 1
    while last - first > 1 and tokens[last - 1].word in _SOMEBODY:
        last -= 1
    is_cased = bool(capitals) and not all(token.text.isupper() for token in tokens)
    while last - first > 2 and not is_cased and phrase_key(tokens[last - 1].text.removesuffix("s"), "fields"):
        last -= 1
    return tokens[first:last]


def _is_no_name(token: Token) -> bool:
    """Return whether a word names something else than a record: a field, a kind, an amount, a salutation."""
    if token.word in _HONORIFICS or token.word in _NO_VALUES or find_amounts(token.word):
        return True
    return not token.is_capital and any(phrase_key(token.text, table) for table in _NO_NAMES)


def _is_named(token: Token) -> bool:
    """Return whether a token in a pointing phrase is a name: a word that is neither common nor one of the CRM."""
    return not (is_common(token.word) or _is_no_name(token) or token.word in lexicon.ORDINALS or len(token.word) < 3)


def may_be_name(token: Token) -> bool:
    """Return whether a token can be a person's first name: capitalised, a first name, or no common word."""
    return token.is_capital or token.word in first_names() or not is_common(token.word)


def repaired(ask: Ask) -> Ask:
    """Return the ask with slots that its words must be: "bob's deals", "does bob have", "retail accounts", "top 5"."""
    # Searches have no free text: its words say conditions, where it is no topic that records may have.
    spans_said = [one for one in plausible(ask).segment.spans if one.tag != "text" and not _is_person(one)]
    filters = [one for one in spans_said if one.tag != "topic" or _may_be_on_record(one.text)]
    limits = _measured(ask, is_limit=True)
    spans = [one if one.start in limits else Span(_tag_in_search(ask, one), one.text, one.start) for one in filters]
    ask = ask.with_spans([*spans, *_states(ask.with_spans(spans))])
    spans = [*ask.segment.spans, *_columns(ask)]
    owners = [token for _, token in colleagues_in(ask.tokens)]
    unread, tokens = [one for one in strange(ask) if one not in owners], (None, *ask.tokens, None)
    for place, (before, token, after) in enumerate(zip(tokens, ask.tokens, tokens[2:], strict=False)):
        is_owner = _is_owner(ask.tokens, place)
        is_last = bool(before and lexicon.kind_named(before)) and {*ask.tokens[place:]} <= {*unread}
        if token in unread and (is_owner or is_last or (after and lexicon.kind_named(after))):
            end = ask.tokens[-1].end if is_last else token.end
            spans.append(Span("owner" if is_owner else "value", ask.text[token.start : end], token.start))
    return ask.with_spans(spans)


def _may_be_on_record(topic: str) -> bool:
    """Return whether records may have the words of a topic, which name no kind, state or activity."""
    tables = (
        lexicon.kind_named,
        lambda one: lexicon.values_in(one.word),
        lambda one: lexicon.activity_type_of(one.word),
    )
    return not any(find(token) for token in tokenize(topic) for find in tables)


def _states(ask: Ask) -> Iterator[Span]:
    """Yield the states of the US that no slot holds."""
    loose = list(ask.loose)
    for size in (2, 1):
        for place in range(len(loose) - size + 1):
            first, last = loose[place], loose[place + size - 1]
            text = ask.text[first.start : last.end]
            if text.lower() in lexicon.US_STATES:
                yield Span("value", text, first.start)
                loose = [token for token in loose if not first.start <= token.start < last.end]
                break


def _columns(ask: Ask) -> Iterator[Span]:
    """Yield the fields asked for of records, that no slot holds: "phones of all leads", "deals with their owners"."""
    starts = {token.start for token in ask.loose}
    summed = {place for _, first, last in lexicon.placed_in(ask.outside, "summing") for place in range(first, last)}
    taken = -1
    for _, first, last in lexicon.placed_in(ask.outside, "fields"):
        before, after = (ask.outside[at].word if 0 <= at < len(ask.outside) else "" for at in (first - 1, last))
        is_joined = before in _JOINED and first - 1 == taken
        is_asked = is_joined or before in ("their", "its") or (after in _OF_RECORDS and first > 0)
        is_noun = ask.outside[first].word not in _NO_COLUMNS and first not in summed
        if is_asked and is_noun and ask.outside[first].start in starts:
            start, end, taken = ask.outside[first].start, ask.outside[last - 1].end, last
            yield Span("field", ask.text[start:end], start)


def _is_person(span: Span) -> bool:
    """Return whether a field is a colleague's name: "owned by bob"."""
    return span.tag == "field" and span.text.lower() in first_names() and not lexicon.fields_in(span.text)


def _tag_in_search(ask: Ask, span: Span) -> str:
    """Return the tag that a slot has in a search: "5" is a count, "in Denver" a place, "me and Bob" two owners."""
    words = [token.word for token in ask.tokens if token.end <= span.start][-3:]
    if span.text.isdecimal() and span.tag != "when":
        return "count"
    if words and {*lexicon.fields_in(" ".join(words[-2:]))} & _NAME_FIELDS:
        return "name"  # "with the surname Nair"
    if span.tag == "owner" and words[-1:] != ["all"] and not {*span.text.lower().split()} & first_names():
        return "name"  # "How many deals does Helios have?"
    if (
        span.tag in PROPER_NAME_TAGS
        and words[-1:]
        and words[-1] in _PLACED
        and ask.kinds[:1] in (("lead",), ("account",))
    ):
        return "value"
    return "owner" if span.tag in PROPER_NAME_TAGS and " " not in span.text and joins_self(words) else span.tag


def joins_self(words: Sequence[str]) -> bool:
    """Return whether the words before a colleague name the user too: "me and", "me and also"."""
    return len(words) > 1 and bool({*words} & {"me", "myself", "i", "mine"}) and bool({*words} & _JOINTS)


def _is_owner(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a token stands where a colleague does: "bob's", "does bob", "assigned to bob"."""
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    before, handed = (tokens[place - back].word if place >= back else "" for back in (1, 2))
    is_cued = before in _OWNER_CUES or (before in _RECIPIENTS and handed in _HANDED)
    return after == "'s" or (is_cued and may_be_name(tokens[place]))
