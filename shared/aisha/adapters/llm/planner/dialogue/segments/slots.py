"""Put the slots of a segment right, and find the names in it."""

import re
from collections.abc import Sequence
from itertools import pairwise, product

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import plan_words
from aisha.adapters.llm.planner.conditions import CONDITIONS, is_condition
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, BEFORE_VERBS, MIN_BACKGROUND, SURE_ANSWER, TOLD
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, READS, WRITES
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, stem, tokenize
from aisha.domain.language.words import first_names, is_first_name

CONDITIONAL = WRITES - {"remind", "instruct", "remember"}
"""Orders that nothing can keep until a condition is met."""
IMAGINABLE = CONDITIONAL | {"hypothetical"}
_AFTER_NUMBER = frozenset(": ) . , -".split())
# Verbs that ask for what is on record: what they are about is not changed.
_ASKING_IF = frozenset(map(stem, ("ask", "wonder", "know", "see", "check")))
"""Verbs before an "if" that is no condition: "he asked me if it can be later, so make it 2"."""
_MAX_BEFORE_IF = 3
_TELLING_VERBS = frozenset("read repeat report verify state recite tell show".split())
_SUBJECTS = frozenset("he she they he's she's they're".split())
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
_BECAUSE = lexicon.REASON_WORDS - {"since"}
# Words after "revert" where that is to answer.
_REPLYING = frozenset("once when with on asap soon at by after as earliest accordingly".split())
_BEFORE_ADJECTIVES = frozenset("is are was were be been so very too quite rather bit all really".split())
_PERIODS = frozenset("day week month".split())
_COPULAS = frozenset("is are was were be has have 's s re should wants want".split())
_POSSESSIVES = lexicon.POSSESSIVES | {"our"}
"""Tags of values that tell their field themselves."""
_CHANGES = frozenset("update_record advance_stage convert change_activity complete_activity delete".split())
_WITH_ASIDES = _CHANGES | {"correct", "update_goal"}
_USERS_STATES = frozenset("m 'm am re 're are ve 've have was were had".split())
_WORDED = frozenset("next_step next_action job_title department industry source".split())
_BEFORE_NAMES = frozenset("the a an for to with of from at on about lead contact account deal".split())
_MAX_BEFORE_NUMBER = 6
_SPELT = re.compile(r"(?<![\w'’])(?:[^\W\d_][ .-]{1,2}){2,40}[^\W\d_](?!\w)")
"""A word in single letters: "P R U I T T", "P-R-U-I-T-T"."""
JOINTS = frozenset(("and", ",", "&", "+", "plus", "or", "also", ";", "then"))
_AGENDAS = _PERIODS | frozenset("calendar agenda diary schedule".split())


def plain_segment(segment: Segment) -> Segment:
    """Return a segment without its number in a list; "forget that" drops what was just said."""
    words = {token.word for token in tokenize(segment.text)}
    if segment.act not in WRITES and (agenda := _agenda_of(segment)) is not None:
        return agenda
    if segment.act == "forget" and {span.tag for span in segment.spans} <= {"ref"} and not words & lexicon.SELF_WORDS:
        return replace(segment, act="no")
    if segment.act in ("no", "negated") and _denies_kind(segment):
        return replace(segment, act="context")
    if segment.act == "negated" and _cancels(segment):
        share = dict(segment.others)["change_activity"]
        return replace(segment, act="change_activity", probability=segment.probability + share)
    if segment.act == "negated" and _opts_out(segment):
        return replace(segment, act="update_record", probability=policy.MIN_PROBABILITY)
    if segment.act == "hypothetical" and _asks_for_state(segment):
        read = (act for act, share in segment.others if act in READS and share >= MIN_BACKGROUND)
        return replace(segment, act=next(read, segment.act))  # "Is Acme a customer?"
    if segment.act == "correct" and not segment.spans:
        segment = with_values(segment)
    segment = _without_spelling(_of_record(segment))
    segment = _without_aside(
        _with_whole_words(_with_own_fields(_without_stray_names(_with_parted_names(_within_lines(segment)))))
    )
    tokens = tokenize(segment.text)
    taken = [(span.start, span.end) for span in segment.spans if span.tag in ("text", "topic")]
    ifs = [
        one.start
        for at, one in enumerate(tokens[1:], 1)
        if one.word in ("if", "unless")
        and is_condition(segment.text[one.start :])
        and _ASKING_IF.isdisjoint(before.stem for before in tokens[max(0, at - _MAX_BEFORE_IF) : at])
    ]
    if segment.act in CONDITIONAL and any(not any(start <= at < end for start, end in taken) for at in ifs):
        return replace(segment, act="hypothetical")  # "Set Ann to lost if she says no."
    verb = next((one.word for one in tokens if one.word not in BEFORE_VERBS), "")
    if segment.act == "update_record" and verb not in lexicon.ORDER_VERBS and _only_names_field(segment):
        spans = tuple(replace(one, tag="field") if one.tag == "value" else one for one in segment.spans)
        return replace(segment, act="ask_field", spans=spans, others=())  # "Share Ann's phone number."
    if segment.act in ("undo", "impossible") and verb in _TELLING_VERBS and "to" not in words and segment.spans:
        fields = lexicon.fields_in(segment.text.lower())
        return replace(segment, act="ask_field" if fields else "about", others=())  # "Read back the one for Acme."
    if segment.probability < SURE_ANSWER and segment.act not in WRITES and verb in lexicon.ORDER_VERBS:
        orders = [(act, share) for act, share in segment.others if act in WRITES and share >= MIN_BACKGROUND]
        if orders:  # "Qualify him, then": the verb tells more than a doubtful reading.
            segment = replace(segment, act=orders[0][0], probability=max(orders[0][1], policy.MIN_PROBABILITY))
    first = 1 if tokens[0].word == "(" else 0
    is_number = len(tokens) > first + 2 and (
        tokens[first].word in lexicon.ORDINALS or tokens[first].word.isdecimal() or first == 1
    )
    is_numbered = is_number and tokens[first + 1].word in _AFTER_NUMBER
    if is_numbered:
        return segment.part(tokens[first + 2].start)
    return segment.part(spoken) if (spoken := _after_spoken_number(tokens)) else segment


def _agenda_of(segment: Segment) -> Segment | None:
    """Return the question for somebody's activities that "Bob's week" is; None for any other segment."""
    owners = [span for span in segment.spans if span.tag in ("owner", "name")]
    for owner, (mark, noun) in product(owners, pairwise(tokenize(segment.text))):
        if mark.word == "'s" and mark.start == owner.end and noun.word in _AGENDAS:
            words = f"activities{f' this {noun.text}' if noun.word in _PERIODS else ''}"
            listed = segment.amended_word(noun.start, noun.text, words)
            whens = [Span("when", words.removeprefix("activities "), noun.start + len("activities "))] * (" " in words)
            owned = (replace(span, tag="owner") if span.start == owner.start else span for span in listed.spans)
            spans = tuple(sorted((*owned, *whens), key=lambda span: span.start))
            return replace(listed, act="list_activities", probability=1.0, others=(), spans=spans)
    return None


def _after_spoken_number(tokens: Sequence[Token]) -> int:
    """Return the place of the ask after its number in a dictated list: "three things, one mark …", "two who owns …"."""
    for place, (number, after) in enumerate(pairwise(tokens[:_MAX_BEFORE_NUMBER])):
        before = {one.word for one in tokens[:place]} - lexicon.INTERJECTIONS - JOINTS
        is_announced = not before or "things" in before
        is_ask = after.word in lexicon.ORDER_VERBS | lexicon.QUESTION_STARTS | {"remind"}
        if number.kind == "word" and lexicon.number_in(number.word) is not None and is_ask and is_announced:
            return after.start
    return 0


def _cancels(segment: Segment) -> bool:
    """Return whether what may be a change of an activity begins so: "scrap the call with Ann, she is ill"."""
    words = [token.word for token in tokenize(segment.text) if token.word not in BEFORE_VERBS][:3]
    is_activity = any(map(lexicon.activity_type_of, words[1:]))
    share = dict(segment.others).get("change_activity", 0.0)
    return share >= MIN_BACKGROUND and is_activity and words[0] in plan_words("cancelling") and bool(names_in(segment))


def _opts_out(segment: Segment) -> bool:
    """Return whether what may be a change denies a channel for good: "don't call Ann any more"."""
    tokens = tokenize(segment.text)
    words = [token.word for token in tokens]
    denials = [
        one.word
        for one, two in pairwise(tokens)
        if one.word in policy.DENIALS | {"nobody"}
        and (lexicon.activity_type_of(two.word) or lexicon.activity_type_of(two.stem))
    ]
    is_meant = dict(segment.others).get("update_record", 0.0) >= policy.MIN_MEANT
    # "Make sure nobody emails Ann"
    is_lasting = not {"anymore", "more", "again", "ever", "longer"}.isdisjoint(words) or bool(
        {*denials} & {"never", "nobody"}
    )
    is_denied = bool(denials) and (denials[0] == "nobody" or words[0] in policy.DENIALS)
    return is_meant and is_denied and is_lasting and bool(names_in(segment))


def _asks_for_state(segment: Segment) -> bool:
    """Return whether a question is what somebody or something is, and not what they would be."""
    words = [token.word for token in tokenize(segment.text) if token.word not in lexicon.INTERJECTIONS]
    return words[:1] in (["is"], ["are"]) and CONDITIONS.isdisjoint(words)


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


def as_reply(segment: Segment) -> Segment:
    """Return an order to revert with something, or once something is done, as what it is: a wish for an answer."""
    pairs = pairwise([token.word for token in tokenize(segment.text) if token.word != "back"])
    if segment.act != "undo" or not any(one == "revert" and two in _REPLYING for one, two in pairs):
        return segment
    is_question = any(span.tag == "field" for span in segment.spans)
    return replace(segment, act="ask_field" if is_question else "context", probability=1.0, others=())


def _only_names_field(segment: Segment) -> bool:
    """Return whether what may be a question says no value: the field, and whose it is, is all that it names."""
    fields = [one for one in segment.spans if one.tag == "field" or (one.tag == "value" and lexicon.is_field(one.text))]
    others = {span.tag for span in segment.spans if span not in fields}
    share = dict(segment.others).get("ask_field", 0.0)
    # Several fields without a value are asked for, as in "for Acme return: account type, industry, website".
    return bool(fields) and others <= {"name", "org", "ref"} and (share >= policy.MIN_MEANT or len(fields) > 1)


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

    A clause that tells a state with a value of its own stays: "…, she is the buyer now"; not of the user: "…, I'm away
    tomorrow".
    """
    tokens = tokenize(segment.text)
    starts = [
        two.start
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if (one.word in (",", "-", "–", ";") and (two.word in _SUBJECTS or _tells_of_user(two, three)))
        or two.word in _BECAUSE
        if not any(span.tag in TOLD | {"text"} and span.start > two.start for span in segment.spans)
        or not _COPULAS & {three.word, two.word.partition("'")[2]}
        or _tells_of_user(two, three)
        if not any(span.start < two.start < span.end for span in segment.spans)
    ]
    start = starts[0] if starts else len(segment.text)
    before = segment.part(0, start)
    has_value = any(span.tag in TOLD | {"owner", "text"} for span in before.spans)
    # "Ann is no longer a buyer, she runs sales": the clause tells what is so instead.
    opening = next((one.start for one in tokens if one.word not in ("no", ",")), 0) * (segment.act == "correct")
    is_denied = any(one.word in lexicon.NEGATIONS | {"no", "not"} for one in tokens if opening <= one.start < start)
    # What keeps the user tomorrow is no doubt about the order: "…, I'm away tomorrow".
    told = [one for one in tokens if one.start >= start]
    days = [span for span in segment.spans if span.tag == "when"] if len(told) > 1 and _tells_of_user(*told[:2]) else []
    is_unreal = is_denied or any(
        one.word in policy.UNREAL and not any(span.holds(one) for span in days) for one in told
    )
    return before if starts and segment.act in _WITH_ASIDES and has_value and not is_unreal else segment


def _tells_of_user(subject: Token, verb: Token) -> bool:
    """Return whether a clause that begins so tells how the user is: "I'm travelling", "we were late"."""
    word, _, ending = subject.word.partition("'")
    return word in ("i", "we") and bool({ending, verb.word} & _USERS_STATES)


def _without_stray_names(segment: Segment) -> Segment:
    """Return an order without a small word as a further name, unless it is joined to the one before: "with freight"."""
    kept = list[Span]()
    values = {one.start for one in segment.spans if one.tag == "value"}
    for span in segment.spans:
        verb, _, rest = span.text.partition(" ")
        is_verb = span.tag == "name" and span.start == 0 and verb.lower() in lexicon.ORDER_VERBS
        if is_verb and not rest and span.end + 1 in values:
            continue  # "mark won"
        if is_verb and rest and verb.lower() not in first_names():
            span = Span("name", rest, span.end - len(rest))  # "Increase Omar's value"
        if segment.act in BACKGROUND and span.tag == "name" and _is_adjective(segment, span):
            continue  # "No wonder he was frosty."
        is_small = span.tag == "name" and span.text.islower() and " " not in span.text
        before = [one.word for one in tokenize(segment.text[: span.start]) if one.word not in _BEFORE_NAMES][-1:]
        is_verb = span.tag in ("name", "new") and span.text.islower() and bool({*before} & _SUBJECTS)
        if is_verb:
            continue  # "They caved."
        is_joined = not before or before[0] in JOINTS or span.text in first_names()  # "mark dmitri olga and bo"
        if segment.act in WRITES and is_small and not is_joined and any(one.tag == "name" for one in kept):
            continue
        kept.append(span)
    return replace(segment, spans=tuple(kept))


def _with_parted_names(segment: Segment) -> Segment:
    """Return a segment with the company and the person of a name in small letters apart: "left blue harbor divya"."""
    spans = list[Span]()
    for span in segment.spans:
        words = tokenize(span.text) if span.tag == "name" and span.text.islower() else []
        person = next((one for one in words if is_first_name(one.word)), None)
        if person is None or person.start == 0:
            spans.append(span)
            continue
        spans.append(Span("org", span.text[: person.start].rstrip(), span.start))
        spans.append(Span("name", span.text[person.start :], span.start + person.start))
    return replace(segment, spans=tuple(spans))


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
        elif not any(one.tag in ADDRESS_TAGS for one in segment.spans):
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


def with_values(segment: Segment) -> Segment:
    """Return a segment with the enumerated values and the amounts that it says as slots."""
    tokens = tokenize(segment.text)
    placed = [tokens[first:last] for _, first, last in lexicon.placed_in(tokens, "values")]
    # "Contacts" are records, and no slip of "contacted".
    value_tokens = [one for one in placed if not (lexicon.kind_named(one[-1]) and one[-1].word.endswith("s"))]
    values = [Span("value", segment.text[one[0].start : one[-1].end], one[0].start) for one in value_tokens]
    amounts = [Span("amount", segment.text[one.start : one.end], one.start) for one in find_amounts(segment.text)]
    apart = (one for one in amounts if not any(one.start < other.end and other.start < one.end for other in values))
    return replace(segment, spans=tuple(sorted((*values, *apart), key=lambda span: span.start)))


def begins_as_order(segment: Segment) -> bool:
    first = next((one.word for one in tokenize(segment.text) if one.word not in BEFORE_VERBS), "")
    return first in lexicon.ORDER_VERBS


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
