"""Find the values of a write that no slot holds: amounts, days, enumerated values, words after a field."""

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import plan_words, word_before, writing_words
from aisha.adapters.llm.planner.acts.search.words import STAFF
from aisha.adapters.llm.planner.acts.writing.names import is_company
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, stem, tokenize
from aisha.domain.tools import ToolSpec

TEXT_TAGS = frozenset("value text topic company new org".split())
VALUE_TAGS = TEXT_TAGS | frozenset("amount when owner email phone url".split())
MEASURES = frozenset(("employee_count", "score", "probability", "annual_revenue"))
# Words between a field and its value.
_GIVING = frozenset("to is = : as into becomes".split())
_FREE_TEXTS = frozenset("next_step next_action description".split())
_SAYING = frozenset("to is = : as be say says read reads should ought now needs must becomes".split())
# Verbs after a field that begin a clause, and no value of it.
_NEEDING = frozenset("want wants need needs require requires should must has ought could can will".split())
# Words between a field of free text and what it shall say, beside those that say so.
_THERE = frozenset("there here on for it that this one".split())
_JOINTS = frozenset("and then plus with for".split())
_COPULAS = frozenset("is are as".split())
# Tags of what may follow a job and "of": "VP of Supply Chain".
_AREA_TAGS = NAME_TAGS | {"value", "text"}
_NEAR = 3
"""Words between a joint and the field after it: "and the score"."""
MAX_GAP = 8
"""Characters between a value and an untagged word that belongs to it: "industry: software"."""
_MAX_PART = 4
"""Words of a value that was not tagged."""


def is_attribute(spec: ToolSpec, text: str) -> bool:
    """Return whether a text names a job or an industry that the tool has a parameter for."""
    tokens = tokenize(text)
    tables = [table for table in ("jobs", "industries") if any(lexicon.placed_in(tokens, table))]
    return any({"jobs": "job_title", "industries": "industry"}[table] in spec.properties for table in tables)


def measures_in(text: str) -> frozenset[str]:
    """Return the parameters of numbers that a text names: "220 people" are employees."""
    has_staff = any(token.word in STAFF for token in tokenize(text))
    return MEASURES.intersection(lexicon.fields_in(text)) | ({"employee_count"} if has_staff else set())


def gleaned(ask: Ask, spec: ToolSpec, *, is_known: bool = False) -> Ask:
    """Return the ask with the amounts, days and enumerated values that stand outside of its slots as slots.

    A change has them only where it has no other value, since "the 50k deal" tells which one is meant, or where it is
    known which one is.
    """
    is_created = spec.name.startswith("create_")
    is_new = is_created or is_known
    if not is_created:
        ask = with_free_text(ask, spec)
        ask = ask.with_spans([*ask.segment.spans, *_after_fields(ask)])
        ask = ask.with_spans([*ask.segment.spans, *_after_old(ask)])
    spans = [_with_measure(ask, span) for span in _joined_values(ask)]
    # What a number counts is a part of its value: "60 employees".
    ask = ask.with_spans(
        span for place, span in enumerate(spans) if not any(span.start < one.end for one in spans[:place])
    )
    if not is_new:
        # "The revenue is 220 million, and it is a customer."
        loose = {token.start: token for token in ask.loose}
        told = policy.reason_starts(ask)  # "It's as good as signed, put the probability at 85."
        states = [one for one in _loose_values(ask, spec) if _is_predicate(ask, loose[one.start])]
        states = [one for one in states if one.start not in told]
        ask = ask.with_spans([*ask.segment.spans, *states])
    if not is_new and (any(span.tag in VALUE_TAGS for span in ask.segment.spans) or ask.values):
        return ask
    gleanings = [*_loose_amounts(ask, spec), *(_loose_values(ask, spec) if is_new else ())]
    if is_new:
        taken = {span.start for span in gleanings}
        gleanings += [span for span in _loose_parts(ask, spec) if not any(span.start <= at < span.end for at in taken)]
    if "close_date" in spec.properties and is_new:
        gleanings += _loose_days(ask)
    return ask.with_spans([*ask.segment.spans, *gleanings]) if gleanings else ask


def _after_fields(ask: Ask) -> Iterator[Span]:
    """Yield the words that stand after a field and "to" or "is", where no slot holds them: "phone to 2065550123"."""
    spans = ask.segment.spans
    for field in (one for one in spans if one.tag == "field"):
        end = min((one.start for one in spans if one.start >= field.end), default=len(ask.text))
        tokens = [token for token in ask.loose if field.end <= token.start < end]
        given = next((place for place, token in enumerate(tokens) if token.word in _GIVING), None)
        value: list[Token] = []
        for token in (
            (one for one in tokens[given + 1 :] if one.word not in writing_words("given")) if given is not None else ()
        ):
            if token.kind == "mark" or token.word in _JOINTS:
                break
            value.append(token)
        is_filler = all(token.word in _SAYING | _THERE for token in value)  # "The score: that should be 78."
        # "The health to be marked healthy" has its value already.
        has_value = any(span.tag in VALUE_TAGS and span.start == end == value[-1].end + 1 for span in spans if value)
        if 0 < len(value) <= _MAX_PART and given == 0 and not (is_filler or has_value):
            yield Span("value", ask.text[value[0].start : value[-1].end], value[0].start)


def _after_old(ask: Ask) -> Iterator[Span]:
    """Yield the words after an old value, where no slot holds them: "changed from prospect [to] customer"."""
    for old in (one for one in ask.segment.spans if one.tag == "value"):
        after = [one for one in ask.tokens if one.start >= old.end]
        if word_before(ask, old) != "from" or [one.word for one in after[:1]] != ["to"]:
            continue
        value = list(itertools.takewhile(lambda one: one.kind != "mark" and one.word not in _JOINTS, after[1:]))
        if 0 < len(value) <= _MAX_PART and all(one in ask.loose for one in value):
            yield Span("value", ask.text[value[0].start : value[-1].end], value[0].start)


def with_free_text(ask: Ask, spec: ToolSpec) -> Ask:
    """Return the ask with what a field of free text shall say as its value: "next step should be ring him Friday"."""
    kind = spec.name.partition("_")[2]
    fields = list(lexicon.placed_in(ask.tokens, "fields"))
    for place, (general, first, last) in enumerate(fields):
        after = list(itertools.takewhile(partial(_is_before_text, ask), ask.tokens[last:]))
        start = last + len(after)
        # "Next step call Giorgio, probability 30"
        is_said = start < len(ask.tokens) and (
            any(one.word in _SAYING for one in after) or ask.tokens[start].word in lexicon.ORDER_VERBS
        )
        if lexicon.field_name(general, kind) not in _FREE_TEXTS & spec.properties.keys() or not is_said:
            continue
        # "…, and his score to 60" is another field; "visit the site" is none.
        joints = (at for _, at, _ in fields[place + 1 :] for at in range(max(at - _NEAR, start), at))
        end = next((at for at in joints if ask.tokens[at].word in _JOINTS | {",", ".", ";"}), len(ask.tokens))
        text = ask.text[ask.tokens[start].start : ask.tokens[end - 1].end].rstrip(" .,!")
        name = Span("field", ask.text[ask.tokens[first].start : ask.tokens[last - 1].end], ask.tokens[first].start)
        value = Span("value", text, ask.tokens[start].start)
        others = [
            one
            for one in ask.segment.spans
            if one.end <= name.start or one.start >= value.end or name.end <= one.start < one.end <= value.start
        ]
        return ask.with_spans([*others, name, value])
    return ask


def _is_before_text(ask: Ask, token: Token) -> bool:
    """Return whether a word stands between a field of free text and what it shall say: "on the [Acme deal]:"."""
    is_name = any(span.tag in NAME_TAGS and span.holds(token) for span in ask.segment.spans)
    return token.word in _SAYING | _THERE | {"of", "the"} or is_name or lexicon.kind_named(token) is not None


def _joined_values(ask: Ask) -> list[Span]:
    """Return the slots; two of one value are one: "food and beverage", and "VP of Supply Chain"."""
    spans = list[Span]()
    for span in ask.segment.spans:
        last = spans[-1] if spans else span
        between = ask.text[last.end : span.start].strip()
        are_industries = "industry" in _field_before(ask, last) or all(
            any(lexicon.placed_in(tokenize(one.text), "industries")) for one in (last, span)
        )
        # "Her title is now CFO and COO"
        are_titles = "job_title" in _field_before(ask, last) and last is not span
        is_joint = last.tag == span.tag == "value" and between in ("and", "&") and (are_industries or are_titles)
        is_job = last.tag == "value" and any(lexicon.placed_in(tokenize(last.text), "jobs"))
        is_area = is_job and between in ("of", "for") and span.tag in _AREA_TAGS and not is_company(span.text)
        is_address = last.tag == span.tag == "value" and between == "," and "address" in _field_before(ask, last)
        if is_joint or is_area or is_address:
            spans[-1] = Span("value", ask.text[last.start : span.end], last.start)
        else:
            spans.append(span)
    return spans


def _field_before(ask: Ask, span: Span) -> Sequence[str]:
    """Return the fields that the tagged field before a slot names; empty without one."""
    field = next((one for one in reversed(ask.segment.spans) if one.tag == "field" and one.end <= span.start), None)
    return lexicon.fields_in(field.text) if field else ()


def _with_measure(ask: Ask, span: Span) -> Span:
    """Return the slot of a number with what it counts: "220 employees"."""
    after = next((token for token in ask.tokens if 0 < token.start - span.end <= 1), None)
    if after is None or span.tag not in ("value", "amount", "count") or not span.text[-1].isdecimal():
        return span
    if not measures_in(after.word):
        return span
    return Span("value", ask.text[span.start : after.end], span.start)


def _loose_parts(ask: Ask, spec: ToolSpec) -> list[Span]:
    """Return what stands between marks and is a job, an industry, or the value after its field: "industry biotech"."""
    spans, part = list[Span](), list[Token]()
    for token in [*ask.tokens, None]:
        if token is not None and token.kind != "mark":
            part.append(token)
            continue
        named = [(place, next(iter(lexicon.fields_in(one.word)), "")) for place, one in enumerate(part, 1)]
        named = [(place, name) for place, name in named if name in spec.properties and name not in ("company", "owner")]
        words_of_part = part[named[-1][0] :] if named else part
        is_value = len(words_of_part) < len(part) or is_attribute(spec, " ".join(one.text for one in words_of_part))
        is_free = all(one in ask.loose and not lexicon.kind_of(one.stem) for one in words_of_part)
        is_clause = bool(words_of_part) and words_of_part[0].word in _NEEDING  # "Her title wants changing."
        if words_of_part and is_value and is_free and not is_clause and len(words_of_part) <= _MAX_PART:
            first, last = words_of_part[0], words_of_part[-1]
            spans.append(Span("value", ask.text[first.start : last.end], first.start))
        part = []
    return spans


def _loose_amounts(ask: Ask, spec: ToolSpec) -> list[Span]:
    _, starts = plain_text(ask.outside)
    spans = []
    for amount in ask.amounts:
        tokens = [one for one, start in zip(ask.outside, starts, strict=True) if amount.start <= start < amount.end]
        if not tokens or not all(token in ask.loose for token in tokens):
            continue
        last = ask.tokens.index(tokens[-1])
        after, before = ask.tokens[last + 1 : last + 2], ask.tokens[: ask.tokens.index(tokens[0])][-1:]
        if after and measures_in(after[0].word) & spec.properties.keys():
            spans.append(Span("value", ask.text[tokens[0].start : after[0].end], tokens[0].start))
        elif (amount.is_money or amount.is_percent) and not any(lexicon.kind_of(one.stem) for one in after):
            spans.append(Span("amount", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
        elif any(lexicon.fields_in(one.word) for one in before):
            spans.append(Span("value", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
    return spans


def _loose_days(ask: Ask) -> list[Span]:
    plain, starts = plain_text(ask.outside)
    spans = []
    for time in find_times(plain, ask.now):
        tokens = [one for one, start in zip(ask.outside, starts, strict=True) if time.start <= start < time.end]
        if tokens and time.first is not None and all(token in ask.loose for token in tokens):
            spans.append(Span("when", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
    return spans


def _loose_values(ask: Ask, spec: ToolSpec) -> list[Span]:
    options = {option for schema in spec.general_properties.values() for option in schema.get("enum", ())}
    spans = []
    for key, first, last in lexicon.placed_in(ask.loose, "values"):
        tokens = ask.loose[first:last]
        is_whole = tokens[-1].end - tokens[0].start <= sum(len(one.text) + 1 for one in tokens)
        places = [ask.tokens.index(tokens[0]) - 1, ask.tokens.index(tokens[-1]) + 1]
        is_part = all(not 0 <= at < len(ask.tokens) or ask.tokens[at].kind == "mark" for at in places)
        named = all(lexicon.kind_of(one.word) or one.word in writing_words("no_names") for one in tokens)
        names = named and not (spec.name.endswith("_account") and (is_part or _is_predicate(ask, tokens[0])))
        is_field = bool(lexicon.fields_in(tokens[-1].word)) and _has_value_after(ask, tokens[-1])
        if {key, f"closed_{key}"} & options and is_whole and not names and not is_field:
            spans.append(Span("value", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
    return spans


def _is_predicate(ask: Ask, token: Token) -> bool:
    """Return whether a word says what somebody is: "they are a vendor in mining"."""
    before = [one.word for one in ask.tokens if one.end <= token.start and one.word not in lexicon.DETERMINERS][-1:]
    return bool(before) and (before[0] in _COPULAS or before[0].endswith(("'re", "'s")))


def is_moved_to(ask: Ask, span: Span) -> bool:
    """Return whether a verb of moving stands right before "to" and a slot: "they're pushing it to May 8"."""
    before = [one.stem for one in ask.tokens if one.end <= span.start][-_NEAR - 1 :]
    return before[-1:] == ["to"] and any(stem(word) in before for word in plan_words("moving"))


def _has_value_after(ask: Ask, token: Token) -> bool:
    tags = VALUE_TAGS - {"when"}
    return any(0 <= span.start - token.end <= MAX_GAP and span.tag in tags for span in ask.segment.spans)
