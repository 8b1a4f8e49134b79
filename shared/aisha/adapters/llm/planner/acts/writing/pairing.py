"""Part an order that says several: records with values of their own, or an order and its correction."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import plan_words
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, RECORD_NAME_TAGS, VALUE_TAGS, WRITES
from aisha.domain.language.ask import CORRECTIONS
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize

_KEEPING = lexicon.LEAVING | {"not", "don't"}
# Words after "no" or "sorry" that correct nothing: "no rush", "sorry for the delay".
_ASIDES = lexicon.NO_HURRY | {"for", "about", "need", "matter", "doubt"}
_STAYING = lexicon.STAYING | {"wrong"}
# Orders whose corrections are parts of a text, or read by their acts.
_ONE_TEXT = frozenset("create_note remember instruct draft_email send_email invite remind".split())
_SAME = {"new": "name", "amount": "value", "count": "value"}
"""Tags of which one corrects the other."""


def _name_groups(segment: Segment) -> list[list[Span]]:
    """Return the names of a segment; those with no more than "and" or "of" between them are in one group."""
    groups: list[list[Span]] = []
    for span in (one for one in segment.spans if one.tag in RECORD_NAME_TAGS):
        if not groups:
            groups.append([span])
            continue
        last = groups[-1][-1]
        between = {one.word for one in _between(segment, last, span)}
        has_slot = any(last.end <= one.start < span.start for one in segment.spans)
        is_apart = between & plan_words("joints") and (has_slot or between - plan_words("joints") - lexicon.LINK_WORDS)
        if is_apart:
            groups.append([span])
        else:
            groups[-1].append(span)
    return groups


def is_mixed(segment: Segment) -> bool:
    """Return whether several records and several values are said, and not which value is whose."""
    names = [span for span in segment.spans if span.tag in RECORD_NAME_TAGS]
    options = [key for key in _told_values(segment) if lexicon.phrase_key(key, "values")]
    sums = {span.text for span in segment.spans if span.tag == "amount"}
    is_list = len(names) > 1 and (len({*options}) > 1 or len(sums) > 1)
    return is_list or (len(_name_groups(segment)) > 1 and len({*_told_values(segment)}) > 1)


def _told_values(segment: Segment) -> list[str]:
    """Return the values that a segment says, those without a slot among them."""
    outside = _outside(segment)
    unslotted = [key for key, _, _ in lexicon.placed_in(outside, "values")]
    own = [two.word for one, two in pairwise(outside) if (one.word, two.word) == ("to", "me")]
    return [*(span.text for span in segment.spans if span.tag in VALUE_TAGS), *unslotted, *own]


def each_order(segment: Segment) -> Iterator[Segment]:
    """Yield the orders of a segment, each with what it says of its own, and a correction apart from its order."""
    for part in corrected_within(segment):
        yield from each_change(part)


def each_change(segment: Segment) -> Iterator[Segment]:
    """Yield the changes of records that have values of their own: "Ann is warm now, Bo's score goes up to 75"."""
    groups = _name_groups(segment)
    if segment.act not in FIELD_CHANGE_ACTS or len(groups) < 2:
        yield segment
        return
    values = [span.start for span in segment.spans if span.tag in VALUE_TAGS]
    # "Set the score to 75 for Ann and the status to warm for Bo": the values come first.
    place = 0 if values and values[0] < groups[0][0].start else -1
    cuts = [0]
    for before, after in pairwise(groups):
        joints = [one for one in _between(segment, before[-1], after[0]) if one.word in plan_words("joints")]
        cuts.append(joints[place].end)
    parts = [_part(segment, first, last) for first, last in pairwise((*cuts, len(segment.text)))]
    if not all(map(_told_values, parts)):
        yield segment
        return
    yield parts[0]
    # "Assign Ann to Bob and Clara to me": the verb goes for each.
    verb = tokenize(segment.text)[0].text
    is_order = verb.lower() in lexicon.ORDER_VERBS
    for part in parts[1:]:
        has_verb = not is_order or tokenize(part.text)[0].word in lexicon.ORDER_VERBS
        yield part if has_verb else _with_opening(part, f"{verb} ")


def with_field_of(first: Segment, part: Segment) -> Segment:
    """Return a part of an order with the field of the first for "that": "the score of Ann to 4 and that of Bo to 2"."""
    field = next((one for one in first.spans if one.tag == "field"), None)
    that = next((one for one, two in pairwise(_outside(part)) if (one.word, two.word) == ("that", "of")), None)
    if field is None or that is None:
        return part
    named = part.with_words(that.start, that.end, f"the {field.text}")
    return replace(named, spans=(Span("field", field.text, that.start + len("the ")), *named.spans))


def corrected_within(segment: Segment) -> Iterator[Segment]:
    """Yield an order and its correction in one sentence apart: "delete Ann Lee – no, sorry, I mean Bo Ek"."""
    is_order = segment.act in (WRITES - _ONE_TEXT) | {"correct"}
    tokens = _outside(segment) if is_order else []
    for one, two, three in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        is_aside = three is not None and three.word in _ASIDES
        if one.kind != "mark" or two.word not in CORRECTIONS or is_aside:
            continue
        before, after = (
            {_SAME.get(span.tag, span.tag) for span in segment.spans if (span.start < one.start) is is_before}
            for is_before in (True, False)
        )
        if before & after - {"ref", "field", "when", "text", "topic"}:
            yield _part(segment, 0, one.start)
            yield replace(_part(segment, two.start, len(segment.text)), act="correct", others=())
            return
    yield segment


def without_kept(asked: Segment, correction: Segment) -> tuple[Segment, Segment]:
    """Return an order without the values of fields that its correction leaves alone, and the correction without those.

    Example: "set it to 56k" - "no, leave the amount as is, it's the close date: June 5".
    """
    for field in [span for span in correction.spans if span.tag == "field"]:
        clause = [one for one in tokenize(correction.text) if one.end <= field.start]
        start = max((one.end for one in clause if one.kind == "mark"), default=0)
        names = {*lexicon.fields_in(field.text)}
        if names and any(one.word in _KEEPING for one in clause if one.start >= start):
            left_alone = [span for span in asked.spans if names & fields_of(asked, span)]
            for span in left_alone:
                text = asked.text[: span.start] + " " * len(span.text) + asked.text[span.end :]
                asked = replace(asked, text=text, spans=tuple(one for one in asked.spans if one != span))
            correction = replace(correction, spans=tuple(one for one in correction.spans if one != field))
    return asked, correction


def keeps_record(asked: Segment, correction: Segment, changed: Sequence[str] = ()) -> bool:
    """Return whether a correction only says that the record of an order stays as it is: "no, Ann stays warm".

    `changed` are the names of the records that the order changed, where it says "both".
    """
    named = [*changed, *(span.text for span in asked.spans if span.tag in RECORD_NAME_TAGS)]
    names = {word for name in named for word in name.lower().split()}
    words = {word for span in correction.spans if span.tag in RECORD_NAME_TAGS for word in span.text.lower().split()}
    is_kept = any(one.word in _KEEPING | _STAYING for one in _outside(correction))
    is_pointing = asked.act in FIELD_CHANGE_ACTS and not words and len(changed) == 1
    is_pointing = is_pointing and any(span.tag == "ref" for span in correction.spans)
    return (
        is_kept
        and (bool(words) or is_pointing)  # "No, keep her with me."
        and words <= names
        and {span.tag for span in correction.spans} <= RECORD_NAME_TAGS | {"ref", "value"}
    )


def fields_of(segment: Segment, span: Span) -> set[str]:
    """Return the fields that a slot is, or gives a value of: the one before it, else the one of such values."""
    if span.tag == "field":
        return {*lexicon.fields_in(span.text)}
    before = next((one for one in reversed(segment.spans) if one.tag == "field" and one.end <= span.start), None)
    own = {"amount": "amount", "when": "close_date", "owner": "owner", "email": "email", "phone": "phone"}
    return {*lexicon.fields_in(before.text)} if before else {own.get(span.tag, "")}


def _between(segment: Segment, before: Span, after: Span) -> Sequence[Token]:
    return [one for one in _outside(segment) if before.end <= one.start < after.start]


def _outside(segment: Segment) -> list[Token]:
    """Return the tokens outside of slots."""
    spans = segment.spans
    return [one for one in tokenize(segment.text) if not any(span.start <= one.start < span.end for span in spans)]


def _with_opening(segment: Segment, opening: str) -> Segment:
    spans = tuple(replace(one, start=one.start + len(opening)) for one in segment.spans)
    return replace(segment, text=opening + segment.text, spans=spans)


def _part(segment: Segment, first: int, last: int) -> Segment:
    first += len(segment.text[first:last]) - len(segment.text[first:last].lstrip())
    spans = tuple(replace(one, start=one.start - first) for one in segment.spans if first <= one.start < last)
    return replace(segment, text=segment.text[first:last], spans=spans)
