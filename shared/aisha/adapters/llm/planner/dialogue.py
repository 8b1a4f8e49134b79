"""Turn the segments of a message into steps: asks to answer, in order, with what they take from the dialogue.

An answer completes the ask that the question was about. A correction changes the ask before it. "The same for Ann"
repeats an ask with other slots. An offer that is taken up is read like a message.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace
from rapidfuzz.distance import OSA

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.mailing import is_revision
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import choose, chosen_of, described, neighbour
from aisha.adapters.llm.planner.state import DialogueState, Question, Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS, WRITES
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

ORDERS = READS | WRITES
SURE_ORDER = 0.75
"""A new order from this probability on is no answer to a question."""
SURE_ANSWER = 0.5
"""An offer is taken up by an answer of this probability on."""
MIN_ASIDE, MIN_BACKGROUND = 0.6, 0.15
"""A segment less probable than the first is an aside if it is background with the second."""
MAX_FIELD_WORDS = 3
MIN_RESPELT = 3
"""Shorter words are not taken for another spelling of a name."""
MAX_BARE_WORDS = 4
"""A longer question about a number is about other records than the answer before it."""
MAX_ANSWER_WORDS = 8
"""Longer messages are no answer to "Which one?"."""
MAX_SLOT_WORDS = 6
"""A longer message without the slot that was asked for is something else, unless a text was asked for."""
_NAMES = frozenset(("name", "new", "org", "owner"))
BACKGROUND = frozenset(("context", "report", "greeting", "thanks", "smalltalk", "goodbye"))
"""Acts of segments that are not answered beside an ask."""
_SOCIAL = frozenset(("greeting", "thanks", "goodbye", "yes", "no", "wait"))
_WITHDRAWING = frozenset(("negated", "correct", "no", "wait", "hypothetical"))
"""Acts of segments after an order that may take it back."""
_NO_ANSWERS = READS | _WITHDRAWING | _SOCIAL | {"take_up"}
"""Acts that give no slot that was asked for."""
_CONDITIONAL = WRITES - {"remind", "instruct", "remember"}
_IMAGINABLE = _CONDITIONAL | {"hypothetical"}
"""Orders that nothing can keep until a condition is met."""
_HESITATING = frozenset("or hmm hm wait hold hang unless no nah nope actually".split())
"""First words of what comes after an order that make it doubtful: "cancel it … or, when is it again?"."""
_AFTER_NUMBER = frozenset((":", ")", ".", ",", "-"))
_BEFORE_VERBS = frozenset("then so and ok okay well , you may can could please".split())
"""Words before the verb of an order: "then you may delete it"."""
_TELLING = frozenset(("phone", "email", "url"))
"""Tags of values that tell their field themselves."""
_SUBJECTS = frozenset(("he", "she", "they"))
_CLOSINGS = frozenset(
    ("best regards", "kind regards", "warm regards", "regards", "best", "sincerely", "best wishes", "many thanks", "cheers")
)
_COPULAS = frozenset("is are was were be has have 's should wants want".split())
_POSSESSIVES = frozenset(("his", "her", "their", "its", "our"))
"""Words between an order that is denied and the one that is given."""
_EVERY = frozenset(("all", "both", "each", "everyone"))
_TOLD = frozenset(("amount", "value", "when", "phone", "email", "url", "count"))
_GIVEN_UP = frozenset(("not", "than", "of", "from"))
"""Words before a time that no longer counts: "Friday instead of Thursday"."""
_SHIFTED = frozenset(("later", "earlier", "sooner"))
_NUMBERS = frozenset(("amount", "value", "count"))
_UNIT = re.compile(r"\D?[\d.,]{1,20}(?P<unit> ?(?:k|m|thousand|million|grand))", re.IGNORECASE)
"""Matches a number with its unit, which the correction of it leaves out: "95k" - "I meant 97"."""
_OWN = frozenset(("mine", "my", "myself", "own"))
_AND_THAT = re.compile(r"\W{0,3}(?:and|plus)\s+that\b", re.IGNORECASE)
"""Matches the beginning of what goes on with what a note says."""
_OF_OWNERS = frozenset(("count", "search", "rank", "list_activities"))
_RECORDED = frozenset(("create_record", "update_record"))
_STATED = frozenset(("search", "forecast", "ask_field", "again", "about"))
"""Acts as which a mere statement of values may be read."""
_LISTING = frozenset("show list find give get pull display search see look any all".split())
_ADVISING = frozenset(("next_steps", "my_day"))
_LISTS = frozenset(("search", "rank", "count", "list_activities"))
_SORTING = frozenset("sort sorted order ordered ranked descending ascending".split())
_NARROWING = frozenset("only just narrow filter restrict limit weighted".split())
_EXCLUDING = frozenset("without minus except excluding exclude drop skip ignore leave not".split())
_COUNTING = frozenset(("count", "search", "rank"))
_CREATING = frozenset(("add", "create", "enter", "register"))
_ONLY = frozenset(("only", "just"))
_MAILS = frozenset(("draft_email", "send_email"))
_THERE = frozenset(("there", "here"))
_BEFORE_PLACES = frozenset(("in", "at", "to", "near", "the"))
_MAKING = frozenset(("create_record", "create_activity", "invite"))
"""Orders to which a sentence may add what they lack."""
_NO_DETAILS = (ORDERS - {"about", "ask_field", "update_record", "search"}) | {"negated", "hypothetical", "again"}
_STATING = lexicon.LINKS | lexicon.PERSON | lexicon.THING | lexicon.INTERJECTIONS | lexicon.STATING


_TAKEN_BACK = frozenset("create_activity invite create_note update_record advance_stage complete_activity".split())
"""Orders that are taken back and given anew when the correction names another record."""
_WITH_ITS_RECORD = 2
"""Records that an order for one activity leaves: whom it is about, and the activity."""
_CHANGED_BY = {
    "create_activity": "change_activity",
    "invite": "change_activity",
    "change_activity": "change_activity",
    "create_record": "update_record",
}
"""The act that changes what another act made."""


class Step(Struct, frozen=True):
    """An ask to answer. `bindings` are records chosen by name, `spoken` the names that the message said before it.

    `doubt` is a reason to confirm it first that the ask itself does not show. `denied` is the order that the ask takes
    back.
    """

    ask: Ask
    bindings: Mapping[str, Ref] = field(default_factory=dict)
    spoken: tuple[str, ...] = ()
    doubt: str = ""
    denied: Segment | None = None


def steps_of(plan: Plan, state: DialogueState, message: str) -> list[Step]:
    """Return the steps of a message."""
    read = (
        part for segment in plan.read(message).segments for one in _each_record(segment) for part in _parted(_plain(one))
    )
    segments = tuple(_of_draft(plan, state.topic, segment) for segment in _with_conditions(read))
    if state.question is not None and (answered := _answered(plan, state.question, message, segments)) is not None:
        return answered
    return list(_merged(plan, state, segments))


def _of_draft(plan: Plan, topic: Topic, segment: Segment) -> Segment:
    """Return a segment that revises the draft shown last as one for a draft: "shorter", "add that I'll call"."""
    asked = topic.asked
    is_waiting = topic.draft is None and asked is not None and asked.act in _MAILS and segment.act in _MAILS
    if not (topic.draft or is_waiting) or segment.act in _SOCIAL or not is_revision(Ask(segment, plan.now)):
        return segment
    if asked is not None and is_waiting:
        return asked.followed_by(segment)
    return replace(segment, act="draft_email", probability=1.0)


def _plain(segment: Segment) -> Segment:
    """Return a segment without its number in a list; "forget that" drops what was just said."""
    if segment.act == "forget" and {span.tag for span in segment.spans} <= {"ref"}:
        return replace(segment, act="no")
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
    verb = next((one.word for one in tokens if one.word not in _BEFORE_VERBS), "")
    if segment.probability < SURE_ANSWER and segment.act not in WRITES and verb in lexicon.ORDER_VERBS:
        orders = [(act, share) for act, share in segment.others if act in WRITES and share >= MIN_BACKGROUND]
        if orders:  # "Qualify him, then": the verb tells more than a doubtful reading.
            segment = replace(segment, act=orders[0][0], probability=max(orders[0][1], policy.MIN_PROBABILITY))
    is_number = tokens[0].word in lexicon.ORDINALS or tokens[0].word.isdigit()
    is_numbered = is_number and tokens[1:2] and tokens[1].word in _AFTER_NUMBER
    return _after(segment, tokens[2].start) if is_numbered and len(tokens) > 2 else segment


def _within_lines(segment: Segment) -> Segment:
    """Return a segment whose slots end with their line, without the closing words of a letter as a name."""
    spans = (
        span if span.tag in ("text", "topic") else replace(span, text=span.text.partition("\n")[0].rstrip())
        for span in segment.spans
    )
    return replace(segment, spans=tuple(span for span in spans if span.text.lower() not in _CLOSINGS))


def _without_aside(segment: Segment) -> Segment:
    """Return an order that says a value without the slots of a clause on somebody after it: "…, he knows Ann well"."""
    tokens = tokenize(segment.text)
    starts = [
        two.start
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if one.word in (",", "-", "–", ";") and two.word in _SUBJECTS and three.word not in _COPULAS
    ]
    told = [span for span in segment.spans if starts and span.end <= starts[0]]
    if segment.act not in WRITES or not any(span.tag in _TOLD | {"owner", "text"} for span in told):
        return segment
    return replace(segment, spans=tuple(told))


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


def _each_record(segment: Segment) -> Iterator[Segment]:
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


def _parted(segment: Segment) -> Iterator[Segment]:
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


def _with_conditions(segments: Iterable[Segment]) -> Iterator[Segment]:
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
    """Return an order as one that is only imagined; of its condition the time is kept, and who is meant if it names none."""
    tags = ("when",) if _names(order) else ("when", "name", "new", "ref")
    kept = tuple(span for span in condition.spans if span.tag in tags)
    opening = next((one.start for one in tokenize(order.text) if one.word not in ("and", "then", "also")), 0)
    imagined = _after(order, opening)
    return replace(condition, spans=kept, act="hypothetical", probability=1.0).followed_by(imagined)


def _ends_sentence(segment: Segment) -> bool:
    return segment.text.rstrip().endswith((".", "!", "?"))


def _answered(plan: Plan, question: Question, message: str, segments: Sequence[Segment]) -> list[Step] | None:
    """Return the steps of an answer to the planner's question, or None when the message is something else."""
    first, rest = segments[0], segments[1:]
    if first.act == "no" or (first.act == "negated" and len(segments) == 1):
        others = [step for step in _merged(plan, DialogueState(), rest) if step.ask.act in ORDERS]
        return others or [Step(Ask(Segment(first.text, "no"), plan.now))]
    is_order = first.act in ORDERS and first.probability >= SURE_ORDER and bool(Ask(first, plan.now).loose)
    if question.kind == "offer":
        offered = tuple(map(_plain, plan.read(_offered(question.offers, first)).segments))
        if _takes_up(first, offered) and not (first.act == "choose" and len(question.offers) < 2):
            return [*_merged(plan, DialogueState(), offered), *_merged(plan, DialogueState(), rest)]
        return None
    assert question.ask is not None  # noqa: S101 - every other kind of question is about an ask
    if question.kind == "which":
        if (every := _all_of(plan, question, first)) is not None:
            return [every, *_merged(plan, DialogueState(), rest)]
        chosen = choose(message, question.candidates) if len(tokenize(message)) <= MAX_ANSWER_WORDS else None
        # "Ah, there are more! The one in Boston."
        told = (choose(one.text, question.candidates) for one in segments)
        chosen = chosen or next((ref for ref in told if ref is not None), None)
        if chosen is None and first.act == "choose":
            chosen = described(plan, question.name, question.candidates, first.text)
        if len(question.candidates) == 1 and first.act == "yes":
            chosen = question.candidates[0]
        if chosen is None or (is_order and not _only_names(message, chosen)):
            return None
        bindings = {question.name.lower(): chosen, "": chosen} if not question.name else {question.name.lower(): chosen}
        extra = Segment(
            first.text, first.act, spans=tuple(span for span in first.spans if span.tag in ("when", "amount"))
        )
        return [Step(Ask(question.ask.amended(extra), plan.now), bindings), *_merged(plan, DialogueState(), rest)]
    if question.tag == "kind" and (kind := _kind_told(message, segments)):
        answer = Segment(kind, question.ask.act, spans=(Span("value", kind, 0),))
        return [Step(Ask(question.ask.amended(answer), plan.now))]
    if is_order and first.act != question.ask.act:
        return None
    if not _gives(question.tag, first, message):
        return None
    bindings = dict.fromkeys((question.name.lower(),), question.candidates[0]) if question.candidates else {}
    completed = Ask(_completed(question, message, first), plan.now)
    return [Step(completed, bindings), *_merged(plan, DialogueState(), rest)]


def _kind_told(message: str, segments: Sequence[Segment]) -> str:
    """Return the one kind of record that a short answer without a name tells: "make her a contact"."""
    tokens = tokenize(message)
    kinds = {one.text for one in tokens if lexicon.kind_named(one) in lexicon.KINDS}
    is_short = len(tokens) <= MAX_ANSWER_WORDS and "?" not in message
    return kinds.pop() if is_short and len(kinds) == 1 and not any(map(_names, segments)) else ""


def _all_of(plan: Plan, question: Question, first: Segment) -> Step | None:
    """Return what tells about all candidates, where the answer to a question for reading is "show all Johns"."""
    assert question.ask is not None  # noqa: S101 - see _answered
    words = {token.word for token in tokenize(first.text)}
    if question.ask.act not in READS or not words & _EVERY or first.act in WRITES:
        return None
    names = [ref.name for ref in question.candidates]
    if len(set(names)) < len(names):
        return None
    starts = [len(", ".join(names[:place])) + 2 * bool(place) for place in range(len(names))]
    spans = tuple(Span("name", name, start) for name, start in zip(names, starts, strict=True))
    ask = Ask(Segment(", ".join(names), "about", spans=spans), plan.now)
    return Step(ask, {ref.name.lower(): ref for ref in question.candidates})


def _gives(tag: str, first: Segment, message: str) -> bool:
    """Return whether a message can be the words for a slot: it has the slot, or is short and asks for nothing."""
    tags = {span.tag for span in first.spans}
    if tag in _NAMES and tokenize(message)[0].text.islower() and _begins_as_order(first):
        return False  # "Make it an account."
    if tag in tags or (tag in _NAMES and tags & _NAMES) or (tag == "text" and first.act not in ORDERS):
        return True
    words = [token for token in tokenize(message) if token.kind != "mark"]
    if tag != "confirmed" and first.act in _NO_ANSWERS and first.probability >= SURE_ANSWER:
        return False  # "What shall I change on Ann?" - "And her email?", "No, I meant Bo.", "Send it."
    return (
        len(words) <= MAX_SLOT_WORDS
        and "?" not in message
        and (first.act not in ORDERS or first.probability < SURE_ORDER)
    )


def _offered(offers: Sequence[str], answer: Segment) -> str:
    """Return the offer that an answer takes up: the one at the place that it names, else the first."""
    place = next(iter(lexicon.ordinals_in([token.word for token in tokenize(answer.text)])), 1)
    return offers[min(place, len(offers)) - 1] if place > 0 else offers[-1]


def _only_names(message: str, chosen: Ref) -> bool:
    """Return whether a message says a record's name, or no word that is not of it: "training package"."""
    words = {token.word for token in tokenize(message) if token.kind != "mark"} - lexicon.LINKS - lexicon.STATING
    known = {token.word for token in tokenize(f"{chosen.name} {chosen.about} {chosen.type}")}
    return chosen.name.lower() in message.lower() or words <= known


def _takes_up(answer: Segment, offered: Sequence[Segment]) -> bool:
    """Return whether an answer accepts an offer: "yes", or "yes, remind me" to the offer of a reminder."""
    accepting = {"yes", "take_up", "choose", "more"}
    if answer.act not in accepting:
        return False
    repeated = {one.act for one in offered} if not _names(answer) else set()
    return answer.probability + sum(share for act, share in answer.others if act in repeated) >= SURE_ANSWER


def _completed(question: Question, message: str, first: Segment) -> Segment:
    """Return the ask with the answer as the slot that it lacked."""
    assert question.ask is not None  # noqa: S101 - see _answered
    tag = question.tag
    given = [span for span in first.spans if span.tag == tag]
    if not given and tag in _NAMES:
        given = [Span(tag, span.text, span.start) for span in first.spans if span.tag in _NAMES]
    whole = Span(tag, message.strip().rstrip(".!"), 0)
    if tag == "when" and len(tokenize(message)) <= MAX_ANSWER_WORDS:
        given = [whole]
    elif tag == "when" and len(given) > 1:
        given = [Span(tag, first.text[given[0].start : given[-1].end], given[0].start)]
    ask = question.ask
    if question.kind == "who" and question.name:
        ask = replace(ask, spans=tuple(span for span in ask.spans if span.tag != "name"))
    # "Greta Holm from Nordlys" names the company of a new record, too.
    names = _NAMES - {"org"} if tag == "new" else _NAMES
    others = tuple(span for span in first.spans if given and span.tag not in (tag, *names))
    return ask.amended(Segment(message, ask.act, spans=(*(given[:1] or [whole]), *others)))


def _merged(plan: Plan, state: DialogueState, segments: Sequence[Segment]) -> Iterator[Step]:
    """Yield the steps of segments: corrections merged, background left out where there is something to answer."""
    wanted = [segment for segment in segments if segment.act not in BACKGROUND]
    asks = [segment for segment in wanted if segment.act in ORDERS or segment.act in ("again", "correct", "impossible")]
    sure = [segment for segment in asks if segment.probability >= SURE_ORDER]
    if any(one.act == "wait" for one in segments) and not asks:
        # "I was thinking about moving it, but let's wait."
        segments = [one for one in segments if one.act != "hypothetical"]
    segments = [_in_dialogue(plan, state, one) for one in segments]
    earlier, spoken = state.topic.spoken, list[str]()
    steps: list[Step] = []
    before: list[Segment] = []
    for segment in _without_reasons(_with_bare_fields(segments)):
        if steps and steps[-1].ask.act in _LISTS and _excludes(segment):
            # "Leads from cold calls, skip lost ones."
            steps[-1] = replace(steps[-1], ask=Ask(steps[-1].ask.segment.followed_by(segment), plan.now))
            continue
        place = _place_of_order(steps, segment)
        ordered = state.topic.ordered
        if place is not None and segment.act == "correct" and "back" in steps[place].ask.words and ordered is not None:
            # "Set Ann to warm." - "Put her back to new, I meant Bo."
            steps.append(Step(Ask(_amended(ordered, segment), plan.now)))
            continue
        if place is not None and (changed := _changed(plan, steps[place], segment)) is not None:
            steps[place] = changed
            spoken += _names(segment)
            continue
        if place is not None and _casts_doubt(segment):
            steps[place] = replace(steps[place], doubt=policy.UNSURE)
        if segment.act in BACKGROUND and wanted:
            spoken += _names(segment)
            before.append(segment)
            continue
        if (
            (segment.act in _SOCIAL | {"choose"} and asks)
            or (_is_aside(segment) and sure)
            or (len(asks) > 1 and (_says_nothing(segment) or (segment.act == "correct" and not segment.spans)))
        ):
            spoken += _names(segment)
            continue
        if not steps and (more := _more_of_changed(plan, state.topic, segment)) is not None:
            steps.append(more)
        elif state.topic.asked is not None and (
            segment.act == "correct" or (not steps and _tells_value(state.topic.asked, segment))
        ):
            steps += [replace(one, spoken=tuple(spoken)) for one in _corrected(plan, state.topic, segment)]
        elif steps and (segment.act == "again" or _goes_on(segment, steps[-1].ask.act)):
            repeated = _repeated(plan, steps[-1].ask.segment, segment)
            doubt = "" if segment.act in ("again", steps[-1].ask.act) else policy.UNSURE
            steps.append(Step(Ask(repeated, plan.now), spoken=tuple(spoken), doubt=doubt))
        elif segment.act == "again" and state.topic.asked is not None:
            if _narrows(state.topic.asked, segment):
                steps.append(Step(Ask(replace(segment, act="search"), plan.now), spoken=tuple(spoken)))
                continue
            following = neighbour(state.topic, Ask(segment, plan.now))
            if following is None and any(one.tag == "ref" for one in segment.spans):
                following = chosen_of(state.topic, Ask(segment, plan.now))
            bindings = {"": following} if following is not None else {}
            anew = Ask(_repeated(plan, state.topic.asked, segment), plan.now)
            steps.append(Step(anew, bindings, spoken=tuple(spoken)))
        else:
            complete = _with_antecedent(segment, before or _asked_about(state, segment))
            complete = _with_colleague(complete, [*(one.ask.segment for one in steps), *before])
            is_pointing = any(span.tag == "ref" for span in segment.spans)
            ask = Ask(complete, plan.now)
            places = [name for one in before for name in _places(one)] if _THERE & ask.words else []
            steps.append(Step(ask, spoken=tuple(places[-1:]) or tuple(spoken) or earlier * is_pointing))
        # Of a new record, the names after the first belong to it.
        spoken += _names(segment)[: 1 if segment.act == "create_record" else None]
    yield from steps


def _tells_value(asked: Segment, again: Segment) -> bool:
    """Return whether what was read as "the same for …" tells a value of the field asked for: "make it VP instead"."""
    tags = {span.tag for span in again.spans}
    is_value = bool(tags & _TOLD) and not tags & (_NAMES | {"field"})
    return again.act == "again" and asked.act == "ask_field" and is_value and "?" not in again.text


def _more_of_changed(plan: Plan, topic: Topic, segment: Segment) -> Step | None:
    """Return the change that a statement after a creation or a change may be: "already in proposal, by the way".

    It is confirmed first, since it orders nothing.
    """
    said, tags = Ask(segment, plan.now), {span.tag for span in segment.spans}
    is_after_change = topic.asked is not None and topic.asked.act in _RECORDED and topic.written
    is_statement = segment.act in (_STATED | BACKGROUND) and not policy.is_question(said) and "?" not in said.text
    if not (is_after_change and is_statement and tags & _TOLD) or tags - {*_TOLD, "field", "ref"} or said.kinds:
        return None
    if len(topic.changed) != 1 or said.tokens[0].word in _LISTING | lexicon.ORDER_VERBS:
        return None
    change = replace(segment, act="update_record", probability=1.0, others=())
    return Step(Ask(change, plan.now), {"": topic.changed[0]}, doubt=policy.UNSURE)


def _in_dialogue(plan: Plan, state: DialogueState, segment: Segment) -> Segment:
    """Return a segment as what it can only be here: a choice where nothing was asked, an order among questions."""
    asked = state.topic.asked
    if segment.act == "choose" and asked is not None and asked.act in READS:
        fields = [one for one in Ask(segment, plan.now).outside if lexicon.fields_in(one.word)]
        asked_for = [Span("field", one.text, one.start) for one in fields if one.word not in lexicon.ORDINALS]
        if asked_for:  # "second one's number"
            ordered = sorted((*segment.spans, *asked_for), key=lambda span: span.start)
            return replace(segment, act="ask_field", spans=tuple(ordered), others=())
        return replace(segment, act="again")
    tags = {span.tag for span in segment.spans}
    if segment.act == "impossible" and segment.probability < MIN_ASIDE:
        # A doubtful "I can't do that" would be worse than an answer to what it may be.
        read = next((act for act, share in segment.others if act in READS and share >= MIN_BACKGROUND), None)
        segment = replace(segment, act=read) if read else segment
    if (refined := _refined(state.topic, segment)) is not None:
        return refined
    shown = [ref for ref in state.topic.refs if ref.type == "activity"]
    if segment.act == "create_activity" and tags == {"ref", "when"} and len(shown) == 1 and not _types_said(segment):
        return replace(segment, act="change_activity")  # "Please put this one on March 23."
    if asked is not None and asked.act in READS and _is_bare_name(segment):
        spans = tuple(replace(one, tag="name") for one in segment.spans)
        return replace(segment, act="again", probability=1.0, others=(), spans=spans)  # "& the platform rollout?"
    is_of_field = asked is not None and asked.act == "ask_field" and segment.act == "change_activity"
    if is_of_field and tags and tags <= {"text", "value", "ref"} and not {ref.type for ref in state.topic.refs} - {*lexicon.KINDS}:
        return replace(segment, act="correct", probability=1.0)  # "What's her next action?" - "Change that to …"
    if segment.act == "count" and asked is not None and asked.act in _COUNTING and _counts_the_same(plan, segment):
        return replace(segment, act="again")  # "What did we win this year?" - "In how many deals?"
    has_list = len(state.topic.group) > 1 or state.topic.search is not None
    if segment.act in _ADVISING and has_list and _ranks_listed(Ask(segment, plan.now)):
        return replace(segment, act="rank")  # "which of them closes first?"
    verb = next((one.word for one in tokenize(segment.text) if one.word not in _BEFORE_VERBS), "")
    if segment.act == "update_record" and tags <= _NAMES and verb in _CREATING:
        # "Add Zenith to the system": there is nothing to change.
        spans = tuple(replace(one, tag="new") if one.tag == "name" else one for one in segment.spans)
        return replace(segment, act="create_record", spans=spans)
    is_among_questions = segment.act == "again" and asked is not None and asked.act in READS
    if is_among_questions and tags & _TOLD and "ref" in tags and _begins_as_order(segment):
        return replace(segment, act="update_record")  # "make the smaller one 30k"
    return segment


def _types_said(segment: Segment) -> bool:
    return any(lexicon.activity_type_of(token.word) or token.word in lexicon.PERSON for token in tokenize(segment.text))


def _refined(topic: Topic, segment: Segment) -> Segment | None:
    """Return what sorts or narrows the last list or total as a search in it: "biggest first", "without Bob's"."""
    asked, search = topic.asked, topic.search
    if asked is None or search is None or asked.act not in _LISTS | {"again", "more"}:
        return None
    words = [one.word for one in tokenize(segment.text) if one.kind != "mark" and one.word not in _BEFORE_VERBS]
    is_sorting = not _SORTING.isdisjoint(words) or words[-1:] == ["first"]
    is_narrowing = words[:1] and words[0] in _NARROWING
    is_excluding = words[:1] and words[0] in _EXCLUDING and not (segment.act in WRITES and segment.probability >= SURE_ORDER)
    if not (is_sorting or is_narrowing or is_excluding) or _names(segment) or any(map(_is_person_word, words)):
        return None
    act = "rank" if is_sorting else asked.act if asked.act in ("count", "list_activities") else "search"
    act = "list_activities" if search.tool == "list_activities" and act == "search" else act
    of_those = " of those, sorted" if is_sorting else " of those"
    return Segment(segment.text.rstrip(" .!?") + of_those, act, spans=segment.spans)


def _excludes(segment: Segment) -> bool:
    """Return whether a segment only says which records a list before it leaves out."""
    is_order = segment.act in WRITES and segment.probability >= SURE_ORDER
    return tokenize(segment.text)[0].word in _EXCLUDING and not is_order and not _names(segment) and bool(segment.spans)


def _is_person_word(word: str) -> bool:
    return word in lexicon.PERSON - lexicon.OF_EITHER


def _is_bare_name(segment: Segment) -> bool:
    """Return whether a short question of which no act is sure only names something: "and the rollout?"."""
    words = [token for token in tokenize(segment.text) if token.kind != "mark"]
    is_doubtful = segment.act in READS and segment.probability < SURE_ANSWER and segment.text.rstrip().endswith("?")
    is_named = len(segment.spans) == 1 and segment.spans[0].tag in ("name", "topic", "org")
    return is_doubtful and is_named and len(words) <= MAX_BARE_WORDS


def _counts_the_same(plan: Plan, segment: Segment) -> bool:
    """Return whether a short question about a number is about the records of the answer before it."""
    ask, search = Ask(segment, plan.now), plan.topic.search
    is_short = not segment.spans and sum(token.kind != "mark" for token in ask.tokens) <= MAX_BARE_WORDS
    kinds = {lexicon.PLURALS[kind] for kind in ask.kinds if kind in lexicon.PLURALS}
    return is_short and search is not None and kinds <= {search.tool.removeprefix("search_")}


def _ranks_listed(ask: Ask) -> bool:
    return "which" in ask.words and bool(ask.orders) and bool(ask.texts("ref"))


def _narrows(asked: Segment, again: Segment) -> bool:
    """Return whether what was read as "the same for …" leaves some of the list out: "only the hot ones"."""
    words = {token.word for token in tokenize(again.text)}
    return asked.act in ("search", "rank", "again") and bool(words & _ONLY) and bool(words & {"ones", "those", "them"})


def _without_reasons(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; what only tells why an order follows is news: "the demo clashes …, please move it to …"."""
    waiting: Segment | None = None
    for segment in segments:
        is_order = segment.act in WRITES and _begins_as_order(segment) and not _names(segment)
        if waiting is not None:
            is_reason = waiting.act == segment.act and is_order and not _begins_as_order(waiting)
            yield replace(waiting, act="report") if is_reason else waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _begins_as_order(segment: Segment) -> bool:
    first = next((one.word for one in tokenize(segment.text) if one.word not in _BEFORE_VERBS), "")
    return first in lexicon.ORDER_VERBS


def _with_colleague(segment: Segment, before: Sequence[Segment]) -> Segment:
    """Return a question about what "he" owns with the colleague named before it: "Bob is first. How many has he?"."""
    owners = [span for one in before for span in one.spans if span.tag == "owner"]
    words = {token.word for token in tokenize(segment.text)}
    if segment.act not in _OF_OWNERS or not owners or _names(segment) or not words & lexicon.PERSON:
        return segment
    return segment.followed_by(Segment(owners[-1].text, segment.act, spans=(replace(owners[-1], start=0),)))


def _places(segment: Segment) -> list[str]:
    """Return the names after "in" or "at" of what was said before "which leads are there": towns, companies."""
    found = list[str]()
    for span in segment.spans:
        before = [one.word for one in tokenize(segment.text[: span.start])][-1:]
        found += [span.text] if span.tag in ("name", "org", "new", "value") and {*before} & _BEFORE_PLACES else []
    return found


def _says_nothing(segment: Segment) -> bool:
    """Return whether a segment that repeats an ask says nothing to repeat it with: "for now"."""
    tokens = tokenize(segment.text)
    is_telling = any(lexicon.kind_named(one) or lexicon.values_in(one.word) or one.is_capital for one in tokens[1:])
    return segment.act == "again" and not segment.spans and not is_telling


def _with_bare_fields(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments; a bare field with a question mark ("email?") asks for the field."""
    for segment in segments:
        tokens = [token for token in tokenize(segment.text) if token.kind != "mark"]
        is_bare = 0 < len(tokens) <= MAX_FIELD_WORDS and segment.text.rstrip().endswith("?")
        if is_bare and lexicon.phrase_key(" ".join(token.word for token in tokens), "fields"):
            spans = (Span("field", segment.text[tokens[0].start : tokens[-1].end], tokens[0].start),)
            yield Segment(segment.text, "ask_field", spans=spans)
        else:
            yield segment


def _goes_on(segment: Segment, act: str) -> bool:
    """Return whether a segment without an order of its own names another to do the same for: "and for Clara"."""
    tokens = tokenize(segment.text)
    is_joined = tokens[0].word in ("and", "plus", "&", ",", "also")
    has_own = any(one.word in lexicon.ORDER_VERBS or lexicon.activity_type_of(one.word) for one in tokens)
    is_same = segment.act == act == "create_activity" and not has_own
    return is_joined and bool(_names(segment)) and (is_same or segment.probability < SURE_ANSWER)


def _place_of_order(steps: Sequence[Step], segment: Segment) -> int | None:
    """Return the place of the order that a later segment may change: the last of those whom it names, or the last."""
    orders = [place for place, step in enumerate(steps) if step.denied is not None or step.ask.act in WRITES]
    said = _name_words(segment)
    named = [place for place in orders if said & _name_words(steps[place].denied or steps[place].ask.segment)]
    if named or segment.act != "negated" or not said:
        return max(named or orders, default=None)
    return None


def _changed(plan: Plan, step: Step, segment: Segment) -> Step | None:
    """Return an order as a later segment of the message changes it, or None where that says something else."""
    ask, is_named = step.ask, bool(_names(segment))
    if step.denied is not None:
        # "Mark Ann as lost. No, leave Ann, I had Bo in mind."
        if segment.act in ("correct", "again") or (segment.act not in ORDERS and is_named):
            doubt = "" if segment.act == "correct" else policy.UNSURE
            return Step(Ask(_amended(step.denied, segment), plan.now), spoken=step.spoken, doubt=doubt)
        return None
    if segment.act == "correct":
        return replace(step, ask=Ask(_amended(ask.segment, segment), plan.now))
    if segment.act == ask.act == "update_record" and _lacks_value(ask) and _names(segment):
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))  # "give Ann and Bo to Carl"
    if segment.act == ask.act and ask.act in _MAKING and (joined := _joined(plan, ask, segment)) is not None:
        return replace(step, ask=Ask(joined, plan.now))
    if _is_invited_too(ask, segment):
        return replace(step, ask=Ask(replace(ask.segment.followed_by(segment), act="invite"), plan.now))
    if segment.act == ask.act == "create_note" and _AND_THAT.match(segment.text):
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))
    if _is_detail(plan, ask, segment):
        return replace(step, ask=Ask(ask.segment.followed_by(_as_new(ask, segment)), plan.now))
    if segment.act == "negated" or (segment.act == "no" and segment.probability >= SURE_ANSWER):
        # "Draft an email to Ann. Don't send it yet." says nothing about the draft.
        if _denies_sending(plan, ask, segment):
            return step
        return Step(Ask(replace(segment, act="negated"), plan.now), denied=ask.segment)
    return None


def _is_invited_too(ask: Ask, segment: Segment) -> bool:
    """Return whether a segment asks for the invitation to the meeting ordered before it: "and send her an invite"."""
    tags = {span.tag for span in segment.spans}
    return (
        (ask.act, segment.act) == ("create_activity", "invite")
        and ask.activity_types == ("meeting",)
        and tags <= {"ref"}
    )


def _lacks_value(ask: Ask) -> bool:
    """Return whether an order names only whom it is about."""
    return {span.tag for span in ask.segment.spans} <= {"name", "org", "new"} and not ask.values


def _joined(plan: Plan, ask: Ask, segment: Segment) -> Segment | None:
    """Return two orders to make something as one where the same thing is ordered twice, else None."""
    said = Ask(segment, plan.now)
    tags = {span.tag for span in segment.spans} - {"ref"}
    is_unnamed = ask.act == "create_record" and not said.kinds
    if not tags or (is_unnamed and not (_names(ask.segment) and (_names(segment) or _begins_as_order(segment)))):
        # "I want to speak to him at eight; put the call in." - "Add Ann Lee. Buyer at Globex, ann@globex.example"
        return ask.segment.followed_by(segment)
    is_pointing = len(tags) < len(segment.spans) and not _names(segment)
    if ask.act == "create_record" and (is_pointing or not _names(ask.segment)):
        # "There's a new company, Ridgeway. Create an account for them."
        return _with_antecedent(segment, [ask.segment])
    return None


def _is_detail(plan: Plan, ask: Ask, segment: Segment) -> bool:
    """Return whether a segment only states more of what an order before it makes: "The name is Marigold Bakery"."""
    if ask.act not in _MAKING or "?" in segment.text or segment.act in _NO_DETAILS:
        return False
    said = Ask(segment, plan.now)
    given = {span.tag for span in said.segment.spans} - {"field", "ref"}
    if ask.act == "create_record":
        is_other = bool(_names(segment)) and bool(_names(ask.segment))
    else:
        is_other = bool(given & {"name", "new", "org"}) or bool(given & {span.tag for span in ask.segment.spans})
    is_stated = all(
        token.kind == "mark" or token.word in _STATING or lexicon.fields_in(token.word) for token in said.loose
    )
    # "She came to us by referral."
    is_told = segment.act == "report" and given == {"value"} and all(map(_is_known_value, said.texts("value")))
    return bool(given) and not is_other and (is_stated or is_told)


def _is_known_value(text: str) -> bool:
    return lexicon.phrase_key(text, "values") is not None


def _as_new(ask: Ask, segment: Segment) -> Segment:
    """Return a detail with the first name in it as that of the record to create, where the order has none."""
    if ask.act != "create_record" or _names(ask.segment) or any(one.tag == "new" for one in segment.spans):
        return segment
    tags = ("name",) if {"lead", "contact"} & {*ask.kinds} else ("name", "org")
    named = next((one for one in segment.spans if one.tag in tags), None)
    return replace(segment, spans=tuple(replace(one, tag="new") if one is named else one for one in segment.spans))


def _denies_sending(plan: Plan, ask: Ask, segment: Segment) -> bool:
    """Return whether what is denied is that a draft is sent."""
    if ask.act != "draft_email":
        return False
    tokens = tokenize(segment.text)
    denied = max((place for place, token in enumerate(tokens) if token.word in policy.DENIALS), default=-1)
    clause = segment.text[tokens[denied + 1].start :] if denied + 1 < len(tokens) else segment.text
    return plan.read(clause).segments[0].act in ("send_email", "take_up")


def _casts_doubt(segment: Segment) -> bool:
    """Return whether a segment after an order may take it back, so that the order is confirmed first."""
    if next((token.word in _HESITATING for token in tokenize(segment.text)), False):
        return True
    share = dict(((segment.act, segment.probability), *segment.others))
    withdrawn = sum(share.get(act, 0.0) for act in _WITHDRAWING)
    return segment.act in _WITHDRAWING or (segment.probability < SURE_ORDER and withdrawn >= MIN_BACKGROUND)


def _name_words(segment: Segment) -> set[str]:
    return {word for name in _names(segment) for word in name.lower().split()}


def _is_aside(segment: Segment) -> bool:
    """Return whether a segment beside a clear ask may be background: it is likely to be, or what is not to be done."""
    share = dict(((segment.act, segment.probability), *segment.others))
    background = sum(share.get(act, 0.0) for act in BACKGROUND)
    return segment.act == "negated" or (segment.probability < MIN_ASIDE and background >= MIN_BACKGROUND)


def _repeated(plan: Plan, asked: Segment, again: Segment) -> Segment:
    """Return the ask for something else: with the slots, values and the kind of record of "and bob's warm leads?"."""
    ask = Ask(again, plan.now)
    if ask.texts("ref") and not _names(again) and not ask.words & lexicon.PLURAL:
        # "When did we last speak to Ann?" - "And to the other one?"
        for span in (one for one in asked.spans if one.tag in ("name", "new", "org")):
            asked = Ask(asked, plan.now).without(span.start, span.end).segment
    if asked.act == "update_record" and (fields := {*lexicon.fields_in(again.text)}):
        asked = _of_fields(asked, fields)
    tagged = {token.start for token in ask.tokens} - {token.start for token in ask.loose}
    values = [token for token in ask.loose if lexicon.values_in(token.word) and token.start not in tagged]
    spans = sorted(
        [*again.spans, *(Span("value", token.text, token.start) for token in values)], key=lambda span: span.start
    )
    repeated = asked.amended(Segment(again.text, again.act, spans=tuple(spans)))
    owners = [span for span in repeated.spans if span.tag == "owner"]
    is_own = bool(ask.words & (lexicon.SELF if owners else _OWN))
    if asked.act in READS and is_own and not ask.texts("owner"):
        # "How many did Bob win?" - "And me?"
        bare = Ask(repeated, plan.now)
        own = bare.without(owners[0].start, owners[-1].end).segment if owners else repeated
        repeated = replace(own, text=f"{own.text.rstrip(' ?')} of my own")
    if asked.act == "count" and "ones" in ask.words:
        repeated = replace(repeated, act="search")  # "How much is that?" - "And the ones in proposal?"
    for found in (_kinds_in, _orders_in):
        new, old = found(ask), found(Ask(repeated, plan.now))
        if new and old:
            repeated = repeated.amended_word(old[0], old[1], new[1])
    return repeated


def _of_fields(asked: Segment, fields: set[str]) -> Segment:
    """Return a change with only the fields named and what follows each: "the same industry for Acme"."""
    cuts, is_kept = list[Span](), True
    for span in asked.spans:
        named = lexicon.fields_in(span.text) if span.tag == "field" else []
        is_kept = bool(fields & {*named}) if named else is_kept
        if not is_kept and span.tag not in ("name", "new", "org", "ref"):
            cuts.append(span)
    text = asked.text
    for span in cuts:
        text = text[: span.start] + " " * len(span.text) + text[span.end :]
    return replace(asked, text=text, spans=tuple(one for one in asked.spans if one not in cuts))


def _kinds_in(ask: Ask) -> tuple[int, str] | None:
    """Return where the first kind of record stands, and its word."""
    return next(((token.start, token.text) for token in ask.loose if lexicon.kind_named(token)), None)


def _orders_in(ask: Ask) -> tuple[int, str] | None:
    """Return where the first order of a ranking stands, and its words."""
    for _, first, last in ask.orders:
        start = ask.outside[first].start
        return start, ask.text[start : ask.outside[last - 1].end]
    return None


def _with_antecedent(segment: Segment, before: Sequence[Segment]) -> Segment:
    """Return a creation without a name with the slots of the news before it: "I met Ann Lee of Globex, add her"."""
    if segment.act != "create_record" or _names(segment):
        return segment
    first = next(
        (place for place in range(len(before) - 1, -1, -1) if before[place].spans and _named(before[place])), None
    )
    if first is None:
        return segment
    named = _named(before[first])
    for place, one in enumerate(before[first:]):
        tags = {span.tag for span in segment.spans if span.tag not in ("value", "field")}
        # Of the sentence that names somebody the values are often of something else: "last night in Seattle".
        kept = [
            span for span in one.spans if span.tag not in tags and (place or span.tag not in ("value", "when", "ref"))
        ]
        spans = tuple(replace(span, tag="new") if span == named else span for span in kept)
        segment = segment.amended(Segment(one.text, one.act, spans=spans)) if place == 0 else _extended(segment, spans)
    return segment


def _asked_about(state: DialogueState, segment: Segment) -> list[Segment]:
    """Return the name that was not found before "then create a lead for her"."""
    question = state.question
    if question is None or question.kind != "who" or not question.name:
        return []
    if not any(span.tag == "ref" for span in segment.spans):
        return []
    return [Segment(question.name, "context", spans=(Span("name", question.name, 0),))]


def _extended(segment: Segment, spans: Sequence[Span]) -> Segment:
    """Return a segment with further slots after its text."""
    for span in spans:
        if span.tag != "ref":
            segment = segment.followed_by(Segment(span.text, segment.act, spans=(replace(span, start=0),)))
    return segment


def _named(segment: Segment) -> Span | None:
    """Return the slot of whom or what a segment is about: a person's, else a company's."""
    return next((span for tag in ("new", "name", "org") for span in segment.spans if span.tag == tag), None)


def _corrected(plan: Plan, topic: Topic, correction: Segment) -> Iterator[Step]:
    """Yield what corrects the last ask: the ask anew, a change of what it made, or its undoing and the ask anew."""
    asked, ordered = topic.asked, topic.ordered
    assert asked is not None  # noqa: S101 - see _merged
    tags = {span.tag for span in correction.spans} - {"ref", "name", "org", "new"}
    fields = [span for span in asked.spans if span.tag == "field"]
    activity = next((ref for ref in topic.changed if ref.type == "activity"), None)
    if ordered is not None and asked.act in READS and tags == {"when"} and activity and not _has_time(plan, asked):
        # "Book a visit for Tuesday at 9." - "Where are they based?" - "Make that 10 o'clock."
        moved = Segment(correction.text, "change_activity", correction.probability, correction.spans)
        yield Step(Ask(moved, plan.now), {"": activity})
        return
    shown = [ref for ref in topic.refs if ref.type == "activity"]
    if asked.act in READS and tags == {"when"} and len(shown) == 1 and _is_shift(correction):
        # "When am I seeing Ann?" - "Make that half an hour later."
        moved = Segment(correction.text, "change_activity", correction.probability, correction.spans)
        yield Step(Ask(moved, plan.now), {"": shown[0]})
        return
    if asked.act == "ask_field" and fields and tags:
        # "When does it close?" - "Make it May 15." A value that is only told is confirmed first.
        is_order = tokenize(correction.text)[0].word in lexicon.ORDER_VERBS
        order = Segment(correction.text, "update_record", 1.0, correction.spans)
        order = order.followed_by(Segment(fields[0].text, "update_record", spans=(replace(fields[0], start=0),)))
        yield Step(Ask(order, plan.now), doubt="" if is_order else policy.UNSURE)
        return
    told = {span.tag for span in asked.spans} & _TOLD
    if asked.act == "update_record" and topic.written and tags and told and not tags & (told | {"value"}):
        # "Raise it to 71k." - "And they sign on the 20th.": another field of the same record.
        other = Segment(correction.text, asked.act, correction.probability, correction.spans)
        yield Step(Ask(other, plan.now), {"": topic.changed[0]} if len(topic.changed) == 1 else {}, doubt=policy.UNSURE)
        return
    if asked.act == "create_record" and topic.written and (made := topic.changed[:1]) and _names(correction):
        yield Step(Ask(_of_made(asked, correction), plan.now), {"": made[0]})
        return
    again = _amended(asked, correction)
    if not topic.written or asked.act not in WRITES:
        yield Step(Ask(again, plan.now))
        return
    again = replace(again, probability=max(asked.probability, correction.probability))
    if _names(correction) and asked.act in _TAKEN_BACK:
        doubt = policy.UNSURE if policy.unexplained(Ask(correction, plan.now)) else ""
        yield Step(Ask(Segment("undo", "undo"), plan.now), doubt=doubt)
        yield Step(Ask(again, plan.now), doubt=doubt)
    elif asked.act in _CHANGED_BY:
        changed = Segment(correction.text, _CHANGED_BY[asked.act], correction.probability, correction.spans)
        yield Step(
            Ask(changed, plan.now), {"": activity} if activity and len(topic.changed) <= _WITH_ITS_RECORD else {}
        )
    else:
        yield Step(Ask(again, plan.now))


def _is_shift(correction: Segment) -> bool:
    return _begins_as_order(correction) or any(one.word in _SHIFTED for one in tokenize(correction.text))


def _of_made(asked: Segment, correction: Segment) -> Segment:
    """Return the change of what was just created that a correction tells: "he's not from Acme, it's Globex"."""
    old = {span.text.lower(): span.tag for span in asked.spans}
    if respelt := _respelt(asked, correction):
        spans = (Span("new", respelt, len("rename it to ")),)
        return Segment(f"rename it to {respelt}", "update_record", correction.probability, spans)
    given = [span for span in correction.spans if span.tag in _NAMES and span.text.lower() not in old]
    denied = {old[span.text.lower()] for span in correction.spans if span.text.lower() in old}
    rest = tuple(span for span in correction.spans if span.tag not in _NAMES | {"ref"})
    if not given:
        return replace(correction, act="update_record", spans=rest)
    company = "org" in denied or given[0].tag == "org"
    text = f"set the company to {given[0].text}" if company else f"rename it to {given[0].text}"
    span = Span("value" if company else "new", given[0].text, len(text) - len(given[0].text))
    spans = (*((Span("field", "company", 8),) if company else ()), span)
    changed = Segment(text, "update_record", correction.probability, spans)
    return changed.followed_by(replace(correction, spans=rest)) if rest else changed


def _respelt(asked: Segment, correction: Segment) -> str:
    """Return the name of what was made with a word as a correction spells it: "Blum, not Blom"; empty for none."""
    name = next((span.text for span in asked.spans if span.tag in ("new", "name")), "")
    own = {token.word: token.text for token in tokenize(name)}
    said = [token for token in tokenize(correction.text) if len(token.word) >= MIN_RESPELT and token.word not in own]
    for token in said:
        for word, text in own.items():
            if len(word) >= MIN_RESPELT and OSA.distance(token.word, word, score_cutoff=1) <= 1:
                return name.replace(text, token.text if text.islower() else token.text.capitalize())
    return ""


def _amended(asked: Segment, correction: Segment) -> Segment:
    """Return an ask with the slots of a correction: of several times the one that counts, a number in the old unit."""
    spans = list[Span]()
    for span in correction.spans:
        before = [one.word for one in tokenize(correction.text[: span.start]) if one.kind != "mark"][-1:]
        if span.tag == "when" and before and before[0] in _GIVEN_UP:
            continue  # "on the 20th, not the 8th"
        last = next((one for one in reversed(spans) if one.tag == "when"), None)
        if span.tag == "when" and last is not None:
            between = {one.word for one in tokenize(correction.text[last.end : span.start]) if one.kind != "mark"}
            if between - {"at", "on"} and not between & CORRECTIONS:
                continue  # "Friday at 11, she is flying on Thursday"
        spans.append(span)
    old = next((unit for one in asked.spans if one.tag in _NUMBERS and (unit := _UNIT.fullmatch(one.text))), None)
    if old is not None:
        spans = [
            replace(one, text=f"{one.text}{old['unit']}") if one.tag in _NUMBERS and one.text.isdigit() else one
            for one in spans
        ]
    return asked.amended(replace(correction, spans=tuple(spans)))


def _has_time(plan: Plan, asked: Segment) -> bool:
    """Return whether an ask is about a time: "when does it close?", "what is on tomorrow?"."""
    ask = Ask(asked, plan.now)
    return bool(ask.texts("when")) or any(name.endswith(("_date", "_at")) for name in ask.fields)


def _names(segment: Segment) -> list[str]:
    return [span.text for span in segment.spans if span.tag in ("name", "new") and _may_be_name(span.text)]


def _may_be_name(text: str) -> bool:
    return not any(one.word in lexicon.NEGATIONS or one.word.endswith("n't") for one in tokenize(text))
