"""Join the segments of a message that belong together: a subject and its fields, an order and its condition."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.writing.pairing import fields_of
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.conditions import is_condition
from aisha.adapters.llm.planner.dialogue.segments.slots import (
    CONDITIONAL,
    IMAGINABLE,
    JOINTS,
    as_reply,
    begins_as_order,
    names_in,
)
from aisha.adapters.llm.planner.dialogue.words import BEFORE_VERBS, LISTS, TOLD
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, ADDRESS_TAGS, FIELD_CHANGE_ACTS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize

MAX_FIELD_WORDS = 3
_BEING = frozenset("is are was were".split())
# Words that stand for the noun of the question before; "of those" is a part of what that found.
_POINTING = frozenset("ones one".split())
_AROUND_SUBJECTS = (
    BEFORE_VERBS | lexicon.INTERJECTIONS | frozenset("the that this for on about now re , . : ; - – — …".split())
)
_UNITS = lexicon.word_set("condition_words", "lengths") | {"hour", "minute"}
_ABOUT_RECORDS = ACTS_ABOUT_ONE | frozenset("create_note update_record advance_stage".split())
"""Acts that are about one record."""


def with_conditions(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; every order on a condition in its sentence is only imagined: "if he leaves, set … and …"."""
    waiting: Segment | None = None
    condition: Segment | None = None
    for segment in segments:
        is_conditional = is_condition(segment.text)
        is_order = segment.act in CONDITIONAL or (segment.act == "hypothetical" and not is_conditional)
        is_joined = waiting is not None and waiting.act in IMAGINABLE and not ends_sentence(waiting)
        if condition is not None and is_order:
            if waiting is not None and waiting is not condition:
                yield waiting
            waiting = _on_condition(condition, segment)
        elif waiting is not None and is_conditional and not is_order and is_joined:
            # "Set Ann to lost unless she calls."
            condition_after = replace(segment, spans=_spans_needed(segment, waiting))
            waiting = replace(waiting, act="hypothetical", probability=1.0).followed_by(condition_after)
        else:
            if waiting is not None:
                yield waiting
            waiting = segment
            if is_conditional and is_order:
                waiting = replace(segment, act="hypothetical", probability=1.0)
            if is_conditional:
                condition = Segment("if so,", "hypothetical") if is_order else segment
        if ends_sentence(segment):
            condition = None
    if waiting is not None:
        yield waiting


def _on_condition(condition: Segment, order: Segment) -> Segment:
    """Return an order that is only imagined, with the time of its condition, and with whom that names if needed."""
    opening = next((one.start for one in tokenize(order.text) if one.word not in ("and", "then", "also")), 0)
    imagined = order.part(opening)
    spans = _spans_needed(condition, order)
    return replace(condition, spans=spans, act="hypothetical", probability=1.0).followed_by(imagined)


def _spans_needed(condition: Segment, order: Segment) -> tuple[Span, ...]:
    """Return the slots of a condition that its order needs: the time, and whom it names if the order names nobody."""
    tags = ("when",) if names_in(order) else ("when", "name", "new", "ref")
    return tuple(span for span in condition.spans if span.tag in tags)


def ends_sentence(segment: Segment) -> bool:
    return segment.text.rstrip().endswith((".", "!", "?"))


def without_headings(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments; what only announces the order after it orders nothing: "three things done: set Ann to …"."""
    for segment, following in zip(segments, [*segments[1:], None], strict=True):
        is_bare = segment.text.rstrip().endswith(":") and not segment.spans
        is_heading = is_bare and following is not None and begins_as_order(following)
        yield replace(segment, act="context") if is_heading else segment


def without_reasons(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; what only tells why an order follows is news: "the demo clashes …, please move it to …"."""
    waiting: Segment | None = None
    for segment in segments:
        if waiting is not None and segment.act in READS and tokenize(segment.text)[0].word in lexicon.REASON_WORDS:
            segment = replace(segment, act="context")  # "… I remember, because who has an actuary?"
        is_order = segment.act in WRITES and begins_as_order(segment) and not names_in(segment)
        if waiting is not None:
            is_bare = segment.act in FIELD_CHANGE_ACTS and {one.tag for one in segment.spans} <= {"ref", "field"}
            has_order = begins_as_order(waiting) or policy.start_of_order(waiting.text) or _orders_it(waiting)
            is_reason = waiting.act == segment.act and is_order and not (is_bare or has_order)
            # "He texted, it's April 30. Update the close date.", "The call is overdue. Please move it to Friday."
            is_told = is_order and ((waiting.act == "correct" and is_bare) or _is_overdue(waiting))
            is_news = is_told or (is_reason and not _is_change_of_its_own(waiting, segment))
            yield replace(waiting, act="report") if is_news else waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _orders_it(segment: Segment) -> bool:
    """Return whether an order for "it" stands within a segment: "the quote for Ann make that urgent"."""
    pointing = lexicon.THING_PRONOUNS | lexicon.PERSON_PRONOUNS
    pairs = pairwise(tokenize(segment.text))
    return any(one.word in lexicon.ORDER_VERBS and two.word in pointing for one, two in pairs)


def _is_overdue(statement: Segment) -> bool:
    """Return whether a statement says that an activity is late, which is no news that it is done."""
    return statement.act == "complete_activity" and any(one.text.lower() == "overdue" for one in statement.spans)


def _is_change_of_its_own(statement: Segment, order: Segment) -> bool:
    """Return whether a statement gives a field a value, and the order after it another: "she's warm now, and …"."""
    fields, others = _fields_told(statement), _fields_told(order)
    return statement.act in FIELD_CHANGE_ACTS and bool(fields) and not fields & others


def _fields_told(segment: Segment) -> set[str]:
    """Return the fields that a segment names, and those whose values it says. An untold status has an empty name."""
    values = [one for one in segment.spans if one.tag in TOLD | {"owner"}]
    is_named = any(span.tag == "field" for span in segment.spans)
    sure = [
        one
        for one in values
        if is_named or one.tag in ADDRESS_TAGS | {"amount", "owner"} or lexicon.values_in(one.text)
    ]
    named = {name for span in segment.spans if span.tag == "field" and values for name in lexicon.fields_in(span.text)}
    return named.union(*(fields_of(segment, one) for one in sure))


def with_subjects(segments: Iterable[Segment], now: datetime) -> Iterator[Segment]:
    """Yield the segments; what only says whom or what the next one is about is put before that: "Bob. Has he any?".

    So is a question that goes on with another field: "may I know the stage | and amount of the Globex deal".
    """
    waiting: Segment | None = None
    for segment in map(as_reply, segments):
        if waiting is not None and (
            _goes_on_with_fields(waiting, segment) or _goes_on_with_condition(waiting, segment)
        ):
            segment = replace(waiting.followed_by(segment), others=())
        elif waiting is not None and _is_subject(waiting, now) and _is_about_subject(segment, waiting):
            joined = waiting.followed_by(segment)
            segment = replace(segment, text=joined.text, spans=joined.spans)
        elif waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def with_shared_nouns(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a question takes the noun that it lacks from the like one before it.

    Example: "which of my tasks are overdue | and which ones are due today".
    """
    before: Segment | None = None
    for one in segments:
        before = _with_noun_of(before, one) if before is not None else one
        yield before


def _with_activity_of(segment: Segment, tokens: Sequence[Token], before: Sequence[Token]) -> Segment:
    """Return an order for "one" with the noun of what was said before: "next step is a demo, book one for Friday"."""
    pairs = zip(tokens, [*tokens[1:], None], strict=True)
    # "One hour" counts.
    one = next((token for token, two in pairs if token.word == "one" and not (two and two.word in _UNITS)), None)
    nouns = [token for token in before if lexicon.activity_type_of(token.word)]
    if one is None or not nouns or any(lexicon.activity_type_of(token.word) for token in tokens):
        return segment
    return segment.amended_word(one.start, one.text, f"a {nouns[-1].text}")


def _with_noun_of(before: Segment, segment: Segment) -> Segment:
    tokens, others = tokenize(segment.text), tokenize(before.text)
    if segment.act == before.act == "create_activity":
        return _with_activity_of(segment, tokens, others)
    start = next((place for place, one in enumerate(tokens) if one.word not in JOINTS), 0)
    asking = _asking_words(tokens[start:])
    end = _noun_end(others, len(asking)) if start > 0 and asking and asking == _asking_words(others) else 0
    if not end or ends_sentence(before) or any(map(_is_noun, tokens)):
        return segment
    place = start + len(asking)
    after = next((at for at in range(place, len(tokens)) if tokens[at].word not in _POINTING), len(tokens))
    noun = before.text[others[len(asking) - 1].end : others[end - 1].end]
    whole = segment.with_words(tokens[place - 1].end, tokens[after - 1].end, noun)
    spans = tuple(one for one in whole.spans if one.tag != "ref")
    return replace(whole, act=before.act, probability=before.probability, spans=spans)


def _asking_words(tokens: Sequence[Token]) -> list[str]:
    """Return the words that begin a question for records: "which", "how many"; empty for another sentence."""
    words = [one.word for one in tokens[:2]]
    return words if words == ["how", "many"] else words[:1] if words[:1] in (["which"], ["what"]) else []


def _noun_end(tokens: Sequence[Token], first: int) -> int:
    """Return where the noun of a question ends, before its verb; 0 where that isn't clear."""
    verb = next((place for place, one in enumerate(tokens) if one.word in _BEING), 0)
    nouns = [place for place, one in enumerate(tokens) if place >= first and _is_noun(one)]
    return 0 if not nouns or 0 < verb < nouns[0] else verb or nouns[0] + 1


def _is_noun(token: Token) -> bool:
    forms = (token.word, token.stem) if token.word.endswith("s") else (token.word,)
    return bool(lexicon.kind_named(token) or any(map(lexicon.activity_type_of, forms)))


def _is_subject(segment: Segment, now: datetime) -> bool:
    """Return whether a segment only names or chooses a record, and says nothing of it: "the other one,", "Bob."."""
    ask = Ask(segment, now)
    choice = choice_in(ask)
    named = [span for span in segment.spans if span.tag in ("name", "org", "owner", "new")]
    taken = [(choice.start, choice.end)] if choice is not None else [(span.start, span.end) for span in named]
    rest = [one for one in ask.tokens if not any(start <= one.start < end for start, end in taken)]
    is_small = all(one.word in _AROUND_SUBJECTS or lexicon.kind_named(one) for one in rest)
    return len(taken) == 1 and is_small and not segment.text.rstrip().endswith("?")


def _ends_with_field(segment: Segment) -> bool:
    """Return whether a question ends with the name of a field, and no sentence with it: "may I know the stage"."""
    fields = [span for span in segment.spans if span.tag == "field"]
    is_open = bool(fields) and not segment.text[fields[-1].end :].strip(" ,")
    return segment.act == "ask_field" and is_open


def _goes_on_with_fields(question: Segment, segment: Segment) -> bool:
    """Return whether a segment begins with another field of a question: "and designation of Ann Lee"."""
    tokens = tokenize(segment.text)
    around = JOINTS | lexicon.DETERMINERS | {"number", "of"}
    first = next((place for place, one in enumerate(tokens) if one.word not in around), 0)
    is_field = any(span.tag == "field" and span.start == tokens[first].start for span in segment.spans)
    is_named = any(span.tag in ("name", "org", "new") for span in question.spans)
    others = [span for span in segment.spans if span.tag in ("name", "org", "new")]
    return _ends_with_field(question) and first > 0 and is_field and not (is_named and others)


def _goes_on_with_condition(question: Segment, segment: Segment) -> bool:
    """Return whether a field with a value after a list only limits it: "list the deals, close date May to June"."""
    first = next((one.start for one in tokenize(segment.text) if one.word not in JOINTS), 0)
    is_field = any(one.tag == "field" and one.start == first for one in segment.spans) and first > 0
    is_told = segment.act in FIELD_CHANGE_ACTS and not names_in(segment)
    return question.act in LISTS and not ends_sentence(question) and is_told and is_field


def _is_about_subject(segment: Segment, subject: Segment) -> bool:
    """Return whether a segment names nobody itself and is about one record, or points at what was said before.

    "And Ann, but make hers 60k" asks the same for Ann first.
    """
    words = {one.word for one in tokenize(segment.text)}
    if subject.act == "again" and "but" in words:
        return False
    is_named = any(span.tag in ("name", "org", "new") for span in segment.spans)
    is_pointing = any(span.tag == "ref" for span in segment.spans) or bool(words & lexicon.PERSON_PRONOUNS)
    is_ask = segment.act in READS | WRITES - {"create_record"}
    return is_ask and not is_named and (is_pointing or segment.act in _ABOUT_RECORDS)


def with_bare_fields(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments; a bare field with a question mark ("email?") asks for the field."""
    for segment in segments:
        tokens = [token for token in tokenize(segment.text) if token.kind != "mark"]
        is_bare = segment.act != "again" and 0 < len(tokens) <= MAX_FIELD_WORDS and segment.text.rstrip().endswith("?")
        if is_bare and lexicon.phrase_key(" ".join(token.word for token in tokens), "fields"):
            spans = (Span("field", segment.text[tokens[0].start : tokens[-1].end], tokens[0].start),)
            yield Segment(segment.text, "ask_field", spans=spans)
        else:
            yield segment
