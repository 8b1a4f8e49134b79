"""Prepare the segments of a message: slots put right, several orders parted, orders on conditions only imagined."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.dialogue.words import BEFORE_VERBS, MIN_BACKGROUND, SURE_ANSWER, TOLD
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

MAX_FIELD_WORDS = 3
_CONDITIONAL = WRITES - {"remind", "instruct", "remember"}
"""Orders that nothing can keep until a condition is met."""
_IMAGINABLE = _CONDITIONAL | {"hypothetical"}
_AFTER_NUMBER = frozenset((":", ")", ".", ",", "-"))
_TELLING = frozenset(("phone", "email", "url"))
"""Tags of values that tell their field themselves."""
_SUBJECTS = frozenset(("he", "she", "they", "he's", "she's", "they're"))
_CHANGES = frozenset("update_record advance_stage convert change_activity complete_activity delete".split())
_CLOSINGS = frozenset(
    (
        "best regards",
        "kind regards",
        "warm regards",
        "regards",
        "best",
        "sincerely",
        "best wishes",
        "many thanks",
        "cheers",
    )
)
_COPULAS = frozenset("is are was were be has have 's s re should wants want".split())
_POSSESSIVES = frozenset(("his", "her", "their", "its", "our"))


def plain_segment(segment: Segment) -> Segment:
    """Return a segment without its number in a list; "forget that" drops what was just said."""
    if segment.act == "forget" and {span.tag for span in segment.spans} <= {"ref"}:
        return replace(segment, act="no")
    if segment.act in ("no", "negated") and _denies_kind(segment):
        return replace(segment, act="context")
    segment = _without_aside(_with_whole_words(_with_own_fields(_within_lines(segment))))
    tokens = tokenize(segment.text)
    taken = [(span.start, span.end) for span in segment.spans if span.tag in ("text", "topic")]
    ifs = [
        one.start
        for one in tokens[1:]
        if one.word in ("if", "unless") and policy.is_condition(segment.text[one.start :])
    ]
    if segment.act in _CONDITIONAL and any(not any(start <= at < end for start, end in taken) for at in ifs):
        return replace(segment, act="hypothetical")  # "Set Ann to lost if she says no."
    verb = next((one.word for one in tokens if one.word not in BEFORE_VERBS), "")
    if segment.probability < SURE_ANSWER and segment.act not in WRITES and verb in lexicon.ORDER_VERBS:
        orders = [(act, share) for act, share in segment.others if act in WRITES and share >= MIN_BACKGROUND]
        if orders:  # "Qualify him, then": the verb tells more than a doubtful reading.
            segment = replace(segment, act=orders[0][0], probability=max(orders[0][1], policy.MIN_PROBABILITY))
    is_number = tokens[0].word in lexicon.ORDINALS or tokens[0].word.isdigit()
    is_numbered = is_number and tokens[1:2] and tokens[1].word in _AFTER_NUMBER
    return _after(segment, tokens[2].start) if is_numbered and len(tokens) > 2 else segment


def _denies_kind(segment: Segment) -> bool:
    """Return whether a segment only says that there is no record of a kind: "convert him. No deal yet"."""
    words = [token for token in tokenize(segment.text) if token.word == "no" or token.word not in lexicon.INTERJECTIONS]
    is_no = [token.word for token in words[:1]] == ["no"]
    return is_no and any(lexicon.kind_named(token) in lexicon.KINDS for token in words[1:2])


def _within_lines(segment: Segment) -> Segment:
    """Return a segment whose slots end with their line, without the closing words of a letter as a name."""
    spans = (
        span if span.tag in ("text", "topic") else replace(span, text=span.text.partition("\n")[0].rstrip())
        for span in segment.spans
    )
    return replace(segment, spans=tuple(span for span in spans if span.text.lower() not in _CLOSINGS))


def _without_aside(segment: Segment) -> Segment:
    """Return an order that says a value without a clause on somebody after it: "…, he knows Ann well".

    A clause that tells a state with a value of its own stays: "…, she is the buyer now".
    """
    tokens = tokenize(segment.text)
    starts = [
        two.start
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if one.word in (",", "-", "–", ";") and two.word in _SUBJECTS
        if not any(span.tag in TOLD | {"text"} and span.start > two.start for span in segment.spans)
        or not _COPULAS & {three.word, two.word.partition("'")[2]}
    ]
    start = starts[0] if starts else len(segment.text)
    before = tuple(span for span in segment.spans if span.end <= start)
    has_value = any(span.tag in TOLD | {"owner", "text"} for span in before)
    if not starts or segment.act not in _CHANGES or not has_value:
        return segment
    return replace(segment, text=segment.text[:start], spans=before)


def _with_whole_words(segment: Segment) -> Segment:
    """Return a segment whose values do not end within a word: "cobalt" of "cobalt.example"."""
    spans = list[Span]()
    for span in segment.spans:
        rest = re.match(r"[.@]\w[\w.@/+-]*", segment.text[span.end :]) if span.tag == "value" else None
        spans.append(replace(span, text=f"{span.text}{rest[0].rstrip('.,;!?')}") if rest else span)
    return replace(segment, spans=tuple(spans))


def _with_own_fields(segment: Segment) -> Segment:
    """Return a segment in which a small word right after "their" is a field, and no name: "their switchboard is …"."""
    spans = list[Span]()
    for span in segment.spans:
        before = [one.word for one in tokenize(segment.text[: span.start])][-1:]
        is_field = span.tag in ("name", "new") and span.text.islower() and before and before[0] in _POSSESSIVES
        if not is_field:
            spans.append(span)
        elif not any(one.tag in _TELLING for one in segment.spans):
            spans.append(replace(span, tag="field"))
    return replace(segment, spans=tuple(spans))


def _after(segment: Segment, cut: int) -> Segment:
    """Return the part of a segment from a place on, with the slots that are in it."""
    spans = tuple(replace(span, start=span.start - cut) for span in segment.spans if span.start >= cut)
    return replace(segment, text=segment.text[cut:], spans=spans)


def each_record(segment: Segment) -> Iterator[Segment]:
    """Yield the records of one order: "an account Acme, a contact there Ann Lee and a deal Acme Starter"."""
    news = [span.start for span in segment.spans if span.tag in ("new", "name")]
    tokens = tokenize(segment.text)
    cuts = [
        before.start
        for before, token in pairwise(tokens)
        if before.word in ("a", "an") and lexicon.kind_named(token) in lexicon.KINDS
    ]
    parts = list(pairwise((0, *cuts[1:], len(segment.text))))
    if segment.act != "create_record" or not all(any(first <= new < last for new in news) for first, last in parts):
        yield segment
        return
    for first, last in parts:
        inside = tuple(one for one in segment.spans if one.end <= last)
        yield _after(replace(segment, text=segment.text[:last], spans=inside), first)


def parted_segment(segment: Segment) -> Iterator[Segment]:
    """Yield an order that begins with what is not to be done, or with its condition, in two.

    Examples: "don't email Ann, just draft something", "once she signs, set the deal to won".
    """
    is_denied = segment.act in WRITES and tokenize(segment.text)[0].word in policy.DENIALS
    is_conditional = segment.act in _IMAGINABLE and policy.is_condition(segment.text)
    if not (start := policy.start_of_order(segment.text) if is_denied or is_conditional else 0):
        yield segment
        return
    opening = tuple(span for span in segment.spans if span.end <= start)
    yield Segment(segment.text[:start], "hypothetical" if is_conditional else "negated", spans=opening)
    yield _after(segment, start)


def with_conditions(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; every order on a condition in its sentence is only imagined: "if he leaves, set … and …"."""
    waiting: Segment | None = None
    condition: Segment | None = None
    for segment in segments:
        is_condition = policy.is_condition(segment.text)
        is_order = segment.act in _CONDITIONAL or (segment.act == "hypothetical" and not is_condition)
        is_joined = waiting is not None and waiting.act in _IMAGINABLE and not _ends_sentence(waiting)
        if condition is not None and is_order:
            if waiting is not None and waiting is not condition:
                yield waiting
            waiting = _on_condition(condition, segment)
        elif waiting is not None and is_condition and not is_order and is_joined:
            waiting = _on_condition(segment, waiting)  # "Set Ann to lost unless she calls."
        else:
            if waiting is not None:
                yield waiting
            waiting = segment
            if is_condition and is_order:
                waiting = replace(segment, act="hypothetical", probability=1.0)
            if is_condition:
                condition = Segment("if so,", "hypothetical") if is_order else segment
        if _ends_sentence(segment):
            condition = None
    if waiting is not None:
        yield waiting


def _on_condition(condition: Segment, order: Segment) -> Segment:
    """Return an order that is only imagined, with the time of its condition, and with whom that names if needed."""
    tags = ("when",) if names_in(order) else ("when", "name", "new", "ref")
    kept = tuple(span for span in condition.spans if span.tag in tags)
    opening = next((one.start for one in tokenize(order.text) if one.word not in ("and", "then", "also")), 0)
    imagined = _after(order, opening)
    return replace(condition, spans=kept, act="hypothetical", probability=1.0).followed_by(imagined)


def _ends_sentence(segment: Segment) -> bool:
    return segment.text.rstrip().endswith((".", "!", "?"))


def without_reasons(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; what only tells why an order follows is news: "the demo clashes …, please move it to …"."""
    waiting: Segment | None = None
    for segment in segments:
        is_order = segment.act in WRITES and begins_as_order(segment) and not names_in(segment)
        if waiting is not None:
            is_told = segment.act in FIELD_CHANGE_ACTS and {one.tag for one in segment.spans} <= {"ref", "field"}
            is_reason = waiting.act == segment.act and is_order and not (is_told or begins_as_order(waiting))
            yield replace(waiting, act="report") if is_reason else waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def begins_as_order(segment: Segment) -> bool:
    first = next((one.word for one in tokenize(segment.text) if one.word not in BEFORE_VERBS), "")
    return first in lexicon.ORDER_VERBS


def with_bare_fields(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments; a bare field with a question mark ("email?") asks for the field."""
    for segment in segments:
        tokens = [token for token in tokenize(segment.text) if token.kind != "mark"]
        is_bare = 0 < len(tokens) <= MAX_FIELD_WORDS and segment.text.rstrip().endswith("?")
        if is_bare and lexicon.phrase_key(" ".join(token.word for token in tokens), "fields"):
            spans = (Span("field", segment.text[tokens[0].start : tokens[-1].end], tokens[0].start),)
            yield Segment(segment.text, "ask_field", spans=spans)
        else:
            yield segment


def name_words(segment: Segment) -> set[str]:
    return {word for name in names_in(segment) for word in name.lower().split()}


def subject_of(segment: Segment) -> Span | None:
    """Return the slot of whom or what a segment is about: a person's, else a company's."""
    return next((span for tag in ("new", "name", "org") for span in segment.spans if span.tag == tag), None)


def names_in(segment: Segment) -> list[str]:
    return [span.text for span in segment.spans if span.tag in ("name", "new") and _may_be_name(span.text)]


def _may_be_name(text: str) -> bool:
    return not any(one.word in lexicon.NEGATIONS or one.word.endswith("n't") for one in tokenize(text))
