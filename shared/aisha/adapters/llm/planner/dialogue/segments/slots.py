"""Prepare the segments of a message: slots put right, several orders parted, orders on conditions only imagined."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.writing.pairing import fields_of
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    BEFORE_VERBS,
    COMPUTED,
    LISTS,
    MIN_BACKGROUND,
    NAMES,
    SURE_ANSWER,
    TOLD,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.words import first_names

MAX_FIELD_WORDS = 3
_CONDITIONAL = WRITES - {"remind", "instruct", "remember"}
"""Orders that nothing can keep until a condition is met."""
_IMAGINABLE = _CONDITIONAL | {"hypothetical"}
_AFTER_NUMBER = frozenset((":", ")", ".", ",", "-"))
_TELLING = frozenset(("phone", "email", "url"))
"""Tags of values that tell their field themselves."""
_SUBJECTS = frozenset(("he", "she", "they", "he's", "she's", "they're"))
_CHANGES = frozenset("update_record advance_stage convert change_activity complete_activity delete".split())
_ASKING = frozenset("what what's where how which who would will do does".split())
"""First words of a question about what would be."""
_MIN_CONDITIONAL = 6
"""Tokens of the shortest sentence with a condition and a question."""
_OF_ONE_RECORD = frozenset(("ask_field", "score"))
"""Acts that answer about one record."""
_ENUMERATING = frozenset(("and", ",", "&", "+", "plus", "'", "s", "of", "for"))
_MIN_QUESTION = 5
"""Tokens of the shortest part of an enumeration that asks something without naming a field."""
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
MAX_KIND_WORDS = 6
"""Words of a correction that only names another kind of records."""
_TAKING_BACK = frozenset("no nope wait sorry scratch actually correction rather".split())
"""First words, after a pause, of what corrects the words before it."""
_MEANING = frozenset((("i", "mean"), ("i", "meant"), ("make", "that"), ("or", "rather")))
_AFTER_REPLY = frozenset("once when with on asap soon at by after as earliest accordingly".split())
_SPELT = re.compile(r"(?<![\w'’])(?:[^\W\d_][ .-]{1,2}){2,40}[^\W\d_](?!\w)")
"""A word in single letters: "P R U I T T", "P-R-U-I-T-T"."""
_AFTER_NO = frozenset("wait sorry make actually scratch not drop it's i".split())
"""Words after a "no" that corrects; "no rush" does not."""
_BECAUSE = frozenset(("because", "cos", "cuz", "'cause"))
_WORDED = frozenset("next_step next_action job_title department industry source".split())
_REPLYING = frozenset("with once when on by asap soon at after".split())
"""Words after "revert" where that is to answer."""
_JOINTS = frozenset(("and", ",", "&", "+", "plus", "or", "also", ";", "then"))
_BEFORE_ADJECTIVES = frozenset("is are was were be been so very too quite rather bit all really".split())
_BEFORE_NAMES = frozenset("the a an for to with of from at on about lead contact account deal".split())
_PAUSES = frozenset((",", ";", ":", "-", "–", "—", "…", ".", "("))
_STAYING = frozenset("stay stays leave keep keeps remain remains".split())
_COPULAS = frozenset("is are was were be has have 's s re should wants want".split())
_AROUND_SUBJECTS = (
    BEFORE_VERBS | lexicon.INTERJECTIONS | frozenset("the that this for on about now re , . : ; - – — …".split())
)
_ABOUT_RECORDS = frozenset("ask_field score history notes create_note update_record advance_stage".split())
"""Acts that are about one record."""
_POSSESSIVES = frozenset(("his", "her", "their", "its", "our"))


def plain_segment(segment: Segment) -> Segment:
    """Return a segment without its number in a list; "forget that" drops what was just said."""
    if segment.act == "forget" and {span.tag for span in segment.spans} <= {"ref"}:
        return replace(segment, act="no")
    if segment.act in ("no", "negated") and _denies_kind(segment):
        return replace(segment, act="context")
    if segment.act == "undo" and _asks_for_reply(segment):
        return replace(segment, act="context")
    if segment.act == "correct" and not segment.spans:
        segment = _with_values(segment)
    segment = _without_spelling(_of_record(segment))
    segment = _without_aside(_with_whole_words(_with_own_fields(_without_stray_names(_within_lines(segment)))))
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
    if segment.act == "update_record" and verb not in lexicon.ORDER_VERBS and _only_names_field(segment):
        return replace(segment, act="ask_field")  # "Share Ann's phone number."
    if segment.probability < SURE_ANSWER and segment.act not in WRITES and verb in lexicon.ORDER_VERBS:
        orders = [(act, share) for act, share in segment.others if act in WRITES and share >= MIN_BACKGROUND]
        if orders:  # "Qualify him, then": the verb tells more than a doubtful reading.
            segment = replace(segment, act=orders[0][0], probability=max(orders[0][1], policy.MIN_PROBABILITY))
    first = 1 if tokens[0].word == "(" else 0
    is_number = len(tokens) > first + 2 and (
        tokens[first].word in lexicon.ORDINALS or tokens[first].word.isdigit() or first == 1
    )
    is_numbered = is_number and tokens[first + 1].word in _AFTER_NUMBER
    return _after(segment, tokens[first + 2].start) if is_numbered else segment


def _asks_for_reply(segment: Segment) -> bool:
    """Return whether "revert" asks for an answer, as in India: "please revert once done", "revert at the earliest"."""
    pairs = pairwise([*tokenize(segment.text), None])
    return any(one and two and one.word == "revert" and two.word in _AFTER_REPLY for one, two in pairs)


def _without_spelling(segment: Segment) -> Segment:
    """Return a segment without a name of it that is spelt out: "Ann Pruitt, P R U I T T"."""
    for match in _SPELT.finditer(segment.text):
        word = "".join(letter for letter in match.group() if letter.isalpha()).lower()
        if any(token.word == word or token.text.lower() == word for token in tokenize(segment.text)):
            text = segment.text[: match.start()] + " " * len(match.group()) + segment.text[match.end() :]
            spans = tuple(one for one in segment.spans if not match.start() <= one.start < match.end())
            segment = replace(segment, text=text, spans=spans)
    return segment


def _of_record(segment: Segment) -> Segment:
    """Return what may change a record or a goal as a change of a record, where it says nothing of goals."""
    share = dict(segment.others).get("update_record", 0.0)
    is_of_goal = any(lexicon.kind_named(token) == "goal" for token in tokenize(segment.text))
    if segment.act != "update_goal" or share < policy.MIN_MEANT or is_of_goal or not names_in(segment):
        return segment
    return replace(segment, act="update_record", is_disputed=True)


def _as_reply(segment: Segment) -> Segment:
    """Return an order to revert with something, or once something is done, as what it is: a wish for an answer."""
    pairs = pairwise([token.word for token in tokenize(segment.text) if token.word != "back"])
    if segment.act != "undo" or not any(one == "revert" and two in _REPLYING for one, two in pairs):
        return segment
    is_question = any(span.tag == "field" for span in segment.spans)
    return replace(segment, act="ask_field" if is_question else "context", probability=1.0, others=())


def _only_names_field(segment: Segment) -> bool:
    """Return whether what may be a question says no value: the field, and whose it is, is all that it names."""
    tags = {span.tag for span in segment.spans}
    share = dict(segment.others).get("ask_field", 0.0)
    return "field" in tags and tags <= {"field", "name", "org", "ref"} and share >= policy.MIN_MEANT


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
    """Return an order that says a value without a clause on somebody after it, or on why: "…, he knows Ann well".

    A clause that tells a state with a value of its own stays: "…, she is the buyer now".
    """
    tokens = tokenize(segment.text)
    starts = [
        two.start
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if (one.word in (",", "-", "–", ";") and two.word in _SUBJECTS) or two.word in _BECAUSE
        if not any(span.tag in TOLD | {"text"} and span.start > two.start for span in segment.spans)
        or not _COPULAS & {three.word, two.word.partition("'")[2]}
        if not any(span.start < two.start < span.end for span in segment.spans)
    ]
    start = starts[0] if starts else len(segment.text)
    before = tuple(span for span in segment.spans if span.end <= start)
    has_value = any(span.tag in TOLD | {"owner", "text"} for span in before)
    is_unreal = any(one.word in policy.UNREAL for one in tokens if one.start >= start)
    if not starts or segment.act not in _CHANGES or not has_value or is_unreal:
        return segment
    return replace(segment, text=segment.text[:start], spans=before)


def _without_stray_names(segment: Segment) -> Segment:
    """Return an order without a small word as a further name, unless it is joined to the one before: "with freight"."""
    kept = list[Span]()
    for span in segment.spans:
        if segment.act in BACKGROUND and span.tag == "name" and _is_adjective(segment, span):
            continue  # "No wonder he was frosty."
        is_small = span.tag == "name" and span.text.islower() and " " not in span.text
        before = [one.word for one in tokenize(segment.text[: span.start]) if one.word not in _BEFORE_NAMES][-1:]
        is_joined = not before or before[0] in _JOINTS
        if segment.act in WRITES and is_small and not is_joined and any(one.tag == "name" for one in kept):
            continue
        kept.append(span)
    return replace(segment, spans=tuple(kept))


def _is_adjective(segment: Segment, span: Span) -> bool:
    """Return whether a small word that is no first name only says what somebody is."""
    before = [one.word for one in tokenize(segment.text[: span.start])][-1:]
    is_small = span.text.islower() and " " not in span.text and span.text not in first_names()
    return is_small and bool(before) and before[0] in _BEFORE_ADJECTIVES


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
        is_as_field = span.tag in ("name", "new") and _is_put_as_field(segment, span)
        if not (is_field or is_as_field):
            spans.append(span)
        elif is_as_field:
            spans.append(replace(span, tag="value"))
        elif not any(one.tag in _TELLING for one in segment.spans):
            spans.append(replace(span, tag="field"))
    return replace(segment, spans=tuple(spans))


def _is_put_as_field(segment: Segment, span: Span) -> bool:
    """Return whether what was read as a name is put as a field that holds words: "Chase signature as the next step"."""
    field = next((one for one in segment.spans if one.tag == "field" and one.start >= span.end), None)
    between = segment.text[span.end : field.start].split() if field is not None else []
    return (
        between[:1] == ["as"]
        and len(between) <= 2
        and bool(_WORDED & {*lexicon.fields_in(field.text)} if field else ())
    )


def _after(segment: Segment, cut: int) -> Segment:
    """Return the part of a segment from a place on, with the slots that are in it."""
    spans = tuple(replace(span, start=span.start - cut) for span in segment.spans if span.start >= cut)
    return replace(segment, text=segment.text[cut:], spans=spans)


def parted_at_correction(segment: Segment) -> Iterator[Segment]:
    """Yield an ask and what corrects it in the same sentence: "move it to ten... no, eleven"."""
    tokens = tokenize(segment.text)
    nouns = [one for one in tokens if lexicon.kind_named(one)] if segment.act in LISTS else []
    verbatim = [(span.start, span.end) for span in segment.spans if span.tag in ("text", "topic")]
    ends = [*(span.end for span in segment.spans), *(noun.end for noun in nouns)]
    places = [
        place
        for place in range(1, len(tokens) - 1)
        if tokens[place - 1].word in _PAUSES or tokens[place - 1].word.endswith(".") or _takes_back_twice(tokens, place)
        if _takes_back(tokens[place].word, tokens[place + 1])
        if not any(start <= tokens[place].start < end for start, end in verbatim)
        if any(end <= tokens[place].start for end in ends)
    ]
    if not places:
        yield segment
        return
    start = tokens[places[0]].start
    head = tuple(span for span in segment.spans if span.end <= start)
    tail = _after(segment, start)
    if not tail.spans and _takes_back_twice(tokens, places[0]):
        tail = _with_values(tail)
    # "How many leads do I have, no wait, contacts?"
    is_other_kind = nouns and nouns[-1].start > start and len(tokens) - places[0] <= MAX_KIND_WORDS
    if not (tail.spans or (is_other_kind and lexicon.kind_named(nouns[0]) != lexicon.kind_named(nouns[-1]))):
        yield segment
        return
    asked = replace(segment, text=segment.text[:start], spans=head)
    yield asked
    said, words = name_words(asked), {token.word for token in tokenize(tail.text)}
    if name_words(tail) - said:
        # "Delete Ann. No, sorry, Ann stays, it's Bo": who is left out is no one to do it to.
        spans = tuple(one for one in tail.spans if one.tag not in NAMES or not {*one.text.lower().split()} <= said)
        yield from parted_at_correction(replace(tail, act="correct", spans=spans, others=()))
    else:
        yield from parted_at_correction(replace(tail, act="negated" if words & _STAYING else "correct", others=()))


def _takes_back_twice(tokens: Sequence[Token], place: int) -> bool:
    """Return whether two words say that a correction follows, which need no pause before them: "no sorry"."""
    return {tokens[place].word, tokens[place + 1].word} <= _TAKING_BACK


def _with_values(segment: Segment) -> Segment:
    """Return a segment with the enumerated values that it says as slots."""
    tokens = tokenize(segment.text)
    placed = [(tokens[first].start, tokens[last - 1].end) for _, first, last in lexicon.placed_in(tokens, "values")]
    return replace(segment, spans=tuple(Span("value", segment.text[start:end], start) for start, end in placed))


def _takes_back(word: str, following: Token) -> bool:
    if (word, following.word) in _MEANING:
        return True
    return word in _TAKING_BACK and (word != "no" or following.kind == "mark" or following.word in _AFTER_NO)


def each_record(segment: Segment) -> Iterator[Segment]:
    """Yield the orders for each record of one: "an account Acme, a contact there Ann Lee and a deal Acme Starter"."""
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
    yield from _cut(segment, cuts[1:])


def each_question(plan: Plan, segment: Segment) -> Sequence[Segment]:
    """Return the questions of an enumeration: "Ann's email, the amount of the Acme pilot and the date of Bo's demo"."""
    names = [span for span in segment.spans if span.tag in ("name", "org")]
    if segment.act not in _OF_ONE_RECORD or len(names) < 2:
        return [segment]
    if (owned := _about_owner(segment, names)) is not None:
        return [owned]
    between = [tokenize(segment.text[one.end : two.start]) for one, two in pairwise(names)]
    if all(tokens and {token.word for token in tokens} <= _ENUMERATING for tokens in between):
        return [_with_one_name(segment, names, name) for name in names]  # "Ann's and Bo's email"
    joints = [[token.start for token in tokens if token.word in _JOINTS] for tokens in between]
    if not all(joints):
        return [segment]
    cuts = [name.end + places[-1] for name, places in zip(names, joints, strict=False)]
    parts = list(_cut(segment, cuts))
    has_field = [any(span.tag == "field" for span in part.spans) for part in parts]
    if not has_field[0] or any(
        len(tokenize(one.text)) < _MIN_QUESTION and not has for one, has in zip(parts, has_field, strict=True)
    ):
        return [segment]
    read = [[part] if has else plan.read(part.text).segments for part, has in zip(parts, has_field, strict=True)]
    # A part is an ask of its own, however short.
    asked = [replace(one, probability=max(one.probability, SURE_ANSWER)) for part in read for one in part]
    return asked if all(one.act in READS for one in asked) else [segment]


def _about_owner(segment: Segment, names: Sequence[Span]) -> Segment | None:
    """Return the clause that asks for a field of the last name, where others only stand in clauses before it.

    Example: "I'm off to Falcon next week, what's Nina's job title there".
    """
    fields = [span.start for span in segment.spans if span.tag == "field"]
    last = names[-1]
    is_owner = any(segment.text[last.end : start].strip() in ("'s", "’s") for start in fields)
    starts = [two.start for one, two in pairwise(tokenize(segment.text)) if one.word in _PAUSES and two.word in _ASKING]
    cut = max((start for start in starts if start <= last.start), default=0)
    is_apart = names[-2].end <= cut and all(start > cut for start in fields)
    return _after(segment, cut) if is_owner and is_apart else None


def _with_one_name(segment: Segment, names: Sequence[Span], name: Span) -> Segment:
    """Return a segment about one of the names that it enumerates."""
    first, last = names[0].start, names[-1].end
    blank = " " * (name.start - first) + name.text + " " * (last - name.end)
    spans = tuple(span for span in segment.spans if span == name or span not in names)
    return replace(segment, text=segment.text[:first] + blank + segment.text[last:], spans=spans)


def _cut(segment: Segment, cuts: Sequence[int]) -> Iterator[Segment]:
    """Yield the parts of a segment between places."""
    for first, last in pairwise((0, *cuts, len(segment.text))):
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


def with_questions(plan: Plan, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a sentence that asks something on a condition is parted: "if she signs, what's my total?"."""
    sentence = list[Segment]()
    for segment in segments:
        sentence.append(segment)
        if _ends_sentence(segment):
            yield from _asked_on_condition(plan, sentence)
            sentence = []
    yield from _asked_on_condition(plan, sentence)


def _asked_on_condition(plan: Plan, sentence: Sequence[Segment]) -> Sequence[Segment]:
    """Return the segments of a sentence, or its condition as an imagined order and what it asks."""
    text = " ".join(segment.text for segment in sentence)
    tokens = tokenize(text)
    if len(tokens) < _MIN_CONDITIONAL or sentence[0].act not in READS | {"hypothetical"}:
        return sentence
    if policy.is_condition(text):
        pairs = pairwise(tokens)
        cut = next((two.start for one, two in pairs if one.word == "," and two.word in _ASKING), 0)
        condition, question = text[:cut], text[cut:]
    else:
        cut = next((one.start for one in tokens[1:] if one.word == "if" and policy.is_condition(text[one.start :])), 0)
        condition, question = text[cut:], text[:cut]
    if not cut or tokenize(question)[0].word not in _ASKING:
        return sentence
    asked = [_as_question(one) for one in plan.read(question).segments]
    spans = tuple(
        replace(span, start=span.start + condition.index(one.text))
        for one in plan.read(condition).segments
        for span in one.spans
    )
    is_read = all(one.act in COMPUTED for one in asked)
    return [Segment(condition, "hypothetical", spans=spans), *asked] if is_read else sentence


def _as_question(segment: Segment) -> Segment:
    read = next((act for act, share in segment.others if act in READS and share >= MIN_BACKGROUND), None)
    return replace(segment, act=read) if segment.act == "hypothetical" and read else segment


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
            is_own = _is_change_of_its_own(waiting, segment)
            yield replace(waiting, act="report") if is_reason and not is_own else waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _is_change_of_its_own(told: Segment, order: Segment) -> bool:
    """Return whether a statement gives a field a value, and the order after it another: "she's warm now, and …"."""
    fields, others = _fields_told(told), _fields_told(order)
    return told.act in FIELD_CHANGE_ACTS and bool(fields) and not fields & others


def _fields_told(segment: Segment) -> set[str]:
    """Return the fields that a segment names, and those whose values it says. An untold status has an empty name."""
    told = [one for one in segment.spans if one.tag in TOLD | {"owner"}]
    is_named = any(span.tag == "field" for span in segment.spans)
    sure = [one for one in told if is_named or one.tag in _TELLING | {"amount", "owner"} or lexicon.values_in(one.text)]
    named = {name for span in segment.spans if span.tag == "field" and told for name in lexicon.fields_in(span.text)}
    return named.union(*(fields_of(segment, one) for one in sure))


def begins_as_order(segment: Segment) -> bool:
    first = next((one.word for one in tokenize(segment.text) if one.word not in BEFORE_VERBS), "")
    return first in lexicon.ORDER_VERBS


def with_subjects(segments: Iterable[Segment], now: datetime) -> Iterator[Segment]:
    """Yield the segments; what only says whom or what the next one is about is put before that: "Bob. Has he any?".

    So is a question that goes on with another field: "may I know the stage | and amount of the Globex deal".
    """
    waiting: Segment | None = None
    for segment in map(_as_reply, segments):
        if waiting is not None and _goes_on_with_fields(waiting, segment):
            segment = replace(waiting.followed_by(segment), others=())
        elif waiting is not None and _is_subject(waiting, now) and _is_about_subject(segment):
            joined = waiting.followed_by(segment)
            segment = replace(segment, text=joined.text, spans=joined.spans)
        elif waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


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
    around = _JOINTS | lexicon.DETERMINERS | {"number", "of"}
    first = next((place for place, one in enumerate(tokens) if one.word not in around), 0)
    is_field = any(span.tag == "field" and span.start == tokens[first].start for span in segment.spans)
    is_named = any(span.tag in ("name", "org", "new") for span in question.spans)
    others = [span for span in segment.spans if span.tag in ("name", "org", "new")]
    return _ends_with_field(question) and first > 0 and is_field and not (is_named and others)


def _is_about_subject(segment: Segment) -> bool:
    """Return whether a segment names nobody itself and is about one record, or points at what was said before."""
    words = {one.word for one in tokenize(segment.text)}
    is_named = any(span.tag in ("name", "org", "new") for span in segment.spans)
    is_pointing = any(span.tag == "ref" for span in segment.spans) or bool(words & lexicon.PERSON_PRONOUNS)
    is_ask = segment.act in READS | WRITES - {"create_record"}
    return is_ask and not is_named and (is_pointing or segment.act in _ABOUT_RECORDS)


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
    words = [one.word for one in tokenize(text)]
    is_denial = any(word in lexicon.NEGATIONS or word.endswith("n't") for word in words)
    return not is_denial and not lexicon.INTERJECTIONS.issuperset(words)
