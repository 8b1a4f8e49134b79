"""Read a message as the answer to the planner's question: a choice, a missing slot, or an offer that is taken up."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.writing.targets import change_of_all
from aisha.adapters.llm.planner.dialogue.merging import merged_steps
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, names_in, plain_segment
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.words import (
    BEFORE_VERBS,
    ORDERS,
    SOCIAL,
    SURE_ANSWER,
    SURE_ORDER,
    TOLD,
    WITHDRAWING,
)
from aisha.adapters.llm.planner.naming import choose, described
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.references import first_of
from aisha.adapters.llm.planner.state import DialogueState, Question, Ref
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, PROPER_NAME_TAGS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

MAX_ANSWER_WORDS = 8
"""Longer messages are no answer to "Which one?"."""
MAX_SLOT_WORDS = 6
"""A longer message without the slot that was asked for is something else, unless a text was asked for."""
_NO_ANSWERS = READS | WITHDRAWING | SOCIAL | {"take_up"}
"""Acts that give no slot that was asked for."""
# Acts whose time may come with the answer to "Which one?". Any other value in such an answer tells who is meant.
_PLANNING = frozenset("create_activity change_activity invite remind".split())
_EVERY = frozenset("all both each everyone".split())


def steps_of_answer(plan: Plan, question: Question, message: str, segments: Sequence[Segment]) -> list[Step] | None:
    """Return the steps of an answer to the planner's question, or None when the message is something else."""
    first, rest = segments[0], segments[1:]
    if first.act == "no" or (first.act == "negated" and len(segments) == 1):
        others = [step for step in merged_steps(plan, DialogueState(), rest) if step.ask.act in ORDERS]
        return others or [Step(Ask(Segment(first.text, "no"), plan.now))]
    is_order = first.act in ORDERS and first.probability >= SURE_ORDER and bool(Ask(first, plan.now).loose)
    if question.kind == "offer":
        if plan.topic.offers and plan.topic.offers[0] not in question.offers and _tells_news(first):
            # "Shall I remind you to mark Ann as won?" - "She has signed, do it."
            is_ordered = not {"do", "go"}.isdisjoint(one.word for one in tokenize(message))
            done = replace(first, act="take_up", probability=1.0 if is_ordered else policy.MIN_PROBABILITY, others=())
            return [Step(Ask(done, plan.now)), *merged_steps(plan, DialogueState(), rest)]
        offered = tuple(map(plain_segment, plan.read(_offered(question.offers, first)).segments))
        if _takes_up(first, offered) and not (first.act == "choose" and len(question.offers) < 2):
            return [*merged_steps(plan, DialogueState(), offered), *merged_steps(plan, DialogueState(), rest)]
        return None
    assert question.ask is not None  # noqa: S101 - every other kind of question is about an ask
    if question.kind == "which":
        if (every := _all_of(plan, question, first)) is not None:
            return [every, *merged_steps(plan, DialogueState(), rest)]
        chosen = choose(message, question.candidates) if len(tokenize(message)) <= MAX_ANSWER_WORDS else None
        # "Ah, there are more! The one in Boston."
        meant = (choose(one.text, question.candidates) for one in segments)
        chosen = chosen or next((ref for ref in meant if ref is not None), None)
        rest = [one for one in rest if one.act != "choose"]
        if chosen is None and first.act == "choose":
            chosen = described(plan, question.name, question.candidates, first.text)
        if chosen is None and len(tokenize(message)) <= MAX_SLOT_WORDS and not message.rstrip().endswith("?"):
            # "the smaller one", "the cheapest"
            one = first if "one" in first.text.lower().split() else replace(first, text=f"{first.text} one")
            chosen = first_of(plan, Ask(one, plan.now), question.candidates)
        if len(question.candidates) == 1 and first.act == "yes":
            chosen = question.candidates[0]
        if chosen is None and (anew := _of_other_name(question, message, first)) is not None:
            return [Step(Ask(anew, plan.now))]
        is_new = is_order and (begins_as_order(first) or policy.is_question(Ask(first, plan.now)))
        if chosen is None or (is_new and not _only_names(message, chosen)):
            return None
        ask, bindings = question.ask, {question.name.lower(): chosen}
        if question.name.lower() not in ask.text.lower():
            bindings[""] = chosen  # The name was said before the ask: "John rang. Call him back at four."
        if ask.act in _PLANNING and not any(span.tag == "when" for span in ask.spans):
            ask = ask.amended(replace(first, spans=tuple(span for span in first.spans if span.tag == "when")))
        return [Step(Ask(ask, plan.now), bindings), *merged_steps(plan, DialogueState(), rest)]
    only = _only_one_of(plan, question, first)
    if only is not None:
        return [only, *merged_steps(plan, DialogueState(), rest)]
    if question.tag == "kind" and (kind := _kind_told(message, segments)):
        answer = Segment(kind, question.ask.act, spans=(Span("value", kind, 0),))
        return [Step(Ask(question.ask.amended(answer), plan.now))]
    if question.kind == "who" and question.name and _creates(first):
        # "I couldn't find Ann Lee." - "Create her."
        creation = Segment(
            f"create {question.name}", "create_record", spans=(Span("new", question.name, len("create ")),)
        )
        return [Step(Ask(creation, plan.now)), *merged_steps(plan, DialogueState(), rest)]
    is_for = question.kind == "who" and tokenize(first.text)[0].word in ("for", "with") and bool(names_in(first))
    if is_for and question.ask.act == "create_activity":
        # "Who is it for?" - "For Ann Lee, title is Review results. Also, what's her phone?"
        return list(
            merged_steps(plan, DialogueState(), [question.ask.followed_by(replace(first, act=question.ask.act)), *rest])
        )
    if is_order and first.act != question.ask.act:
        return None
    if is_order and question.ask.act == "create_record" and not begins_as_order(first):
        # "Whom is the deal with?" - "It's called Pilot, 45k, the account is Globex."
        return list(merged_steps(plan, DialogueState(), [question.ask.followed_by(first), *rest]))
    if not _gives(question.tag, first, message):
        return None
    bindings = dict.fromkeys((question.name.lower(),), question.candidates[0]) if question.candidates else {}
    completed = Ask(_completed(question, message, first), plan.now)
    return [Step(completed, bindings), *merged_steps(plan, DialogueState(), rest)]


def _of_other_name(question: Question, message: str, first: Segment) -> Segment | None:
    """Return the ask with the name that is all of an answer, in the place of the one asked about; else None.

    "The closest that I found to Acme is Acme Labs. Do you mean that one?" - "Ann Lee"
    """
    named = [span for span in first.spans if span.tag in NAME_TAGS]
    old = next((span for span in question.ask.spans if span.text == question.name), None) if question.ask else None
    if question.ask is None or old is None or [span.text for span in named] != [message.strip(" .!")]:
        return None
    return question.ask.with_words(old.start, old.end, named[0].text)


def _only_one_of(plan: Plan, question: Question, first: Segment) -> Step | None:
    """Return the change of the one record that "only Ann" takes out of those that a question has named."""
    parts = change_of_all(Ask(question.ask, plan.now)) if question.tag == "confirmed" and question.ask else None
    if parts is None or not {one.word for one in tokenize(first.text)} & {"only", "just"}:
        return None
    ref = choose(first.text, plan.topic.refs)
    return Step(parts[0], {"": ref}) if ref is not None else None


def _creates(answer: Segment) -> bool:
    """Return whether an answer only orders to create what was not found: "create it", "ok, add her then"."""
    words = [one.word for one in tokenize(answer.text) if one.kind != "mark" and one.word not in BEFORE_VERBS]
    is_bare = {span.tag for span in answer.spans} <= {"ref"} and len(words) <= MAX_SLOT_WORDS
    is_kind = any(map(lexicon.kind_of, words))  # "create a lead for her" names the kind
    return is_bare and not is_kind and "create_record" in lexicon.acts_of_verb(words[0] if words else "")


def _kind_told(message: str, segments: Sequence[Segment]) -> str:
    """Return the one kind of record that a short answer without a name tells: "make her a contact"."""
    tokens = tokenize(message)
    kinds = {one.text for one in tokens if lexicon.kind_named(one) in lexicon.KINDS}
    is_short = len(tokens) <= MAX_ANSWER_WORDS and "?" not in message
    return kinds.pop() if is_short and len(kinds) == 1 and not any(map(names_in, segments)) else ""


def _all_of(plan: Plan, question: Question, first: Segment) -> Step | None:
    """Return what tells about all candidates, where the answer to a question for reading is "show all Johns"."""
    assert question.ask is not None  # noqa: S101 - see steps_of_answer
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
    if tag in PROPER_NAME_TAGS and tokenize(message)[0].text.islower() and begins_as_order(first):
        return False  # "Make it an account."
    if tag == "text" and first.act == "correct" and tags == {"when"}:
        return False  # "What should the note say?" - "No, Tuesday at 9.", of the call planned beside it.
    words = [token for token in tokenize(message) if token.kind != "mark"]
    if tag == "field" and first.act in WRITES and tags & TOLD:
        return False  # "Which field of the pilot shall I set to 140?" - "Next step for it: legal review."
    if tag in ("field", "value") and words[0].word in lexicon.QUESTION_STARTS and message.rstrip().endswith("?"):
        return False  # "Which field of Ann shall I set to 25?" - "Which of the two is worth more?"
    if (
        tag in PROPER_NAME_TAGS
        and not tags & PROPER_NAME_TAGS
        and any(one.word in lexicon.ORDER_VERBS | lexicon.NEGATIONS for one in words)
    ):
        return False  # "Who is it for?" - "Wait, no, assign it to me."
    if tag in PROPER_NAME_TAGS and tags & {"amount", "value", "field", "text"} and len(words) > MAX_SLOT_WORDS:
        return False  # "Who is it for?" - "The Acme renewal went up to 150k, by the way."
    if (
        tag in tags
        or (tag in PROPER_NAME_TAGS and tags & PROPER_NAME_TAGS)
        or (tag == "text" and first.act not in ORDERS)
    ):
        return True
    if tag == "confirmed" and first.act in READS | {"more"}:
        return False  # "Shall I change these 10?" - "Show more."
    if tag != "confirmed" and first.act in _NO_ANSWERS and first.probability >= SURE_ANSWER:
        return False  # "What shall I change on Ann?" - "And her email?", "No, I meant Bo.", "Send it."
    is_question = tokenize(message)[0].word in lexicon.QUESTION_STARTS
    if tag in PROPER_NAME_TAGS and (is_question or (first.act == "again" and first.probability >= SURE_ANSWER)):
        return False  # "Which deal do you mean?" - "Only those above 50k.", "Who is there?"
    return (
        len(words) <= MAX_SLOT_WORDS
        and "?" not in message
        and (first.act not in ORDERS or first.probability < SURE_ORDER)
    )


def _tells_news(answer: Segment) -> bool:
    """Return whether an answer tells of somebody before it accepts something: "ok she said yes. do it"."""
    words = [one.word.partition("'")[0] for one in tokenize(answer.text) if one.word not in lexicon.INTERJECTIONS]
    others = lexicon.SUBJECT_PRONOUNS - {"i", "you", "we"}
    return answer.act in ("yes", "take_up") and not others.isdisjoint(words[:1])


def _offered(offers: Sequence[str], answer: Segment) -> str:
    """Return the offer that an answer takes up: the one at the place that it names, else the first."""
    place = next(iter(lexicon.ordinals_in([token.word for token in tokenize(answer.text)])), 1)
    return offers[min(place, len(offers)) - 1] if place > 0 else offers[-1]


def _only_names(message: str, chosen: Ref) -> bool:
    """Return whether a message says a record's name, or no word that is not of it: "training package"."""
    words = (
        {token.word for token in tokenize(message) if token.kind != "mark"} - lexicon.LINK_WORDS - lexicon.STATING_VERBS
    )
    candidate_words = {token.word for token in tokenize(f"{chosen.name} {chosen.about} {chosen.type}")}
    return chosen.name.lower() in message.lower() or words <= candidate_words


def _takes_up(answer: Segment, offered: Sequence[Segment]) -> bool:
    """Return whether an answer accepts an offer: "yes, remind me" to that of a reminder, or orders just what it offers.

    Example: "add that to her notes" to the offer of a note.
    """
    accepting = {"yes", "take_up", "choose", "more"}
    is_bare = {span.tag for span in answer.spans} <= {"ref"} and not answer.text.rstrip().endswith("?")
    if answer.act in WRITES and is_bare and [answer.act] == [one.act for one in offered]:
        return True
    if answer.act not in accepting:
        return False
    repeated = {one.act for one in offered} if not names_in(answer) else set()
    return answer.probability + sum(share for act, share in answer.others if act in repeated) >= SURE_ANSWER


def _completed(question: Question, message: str, first: Segment) -> Segment:
    """Return the ask with the answer as the slot that it lacked."""
    assert question.ask is not None  # noqa: S101 - see steps_of_answer
    tag = question.tag
    if tag == "confirmed":
        # A yes is no part of what is written.
        return replace(question.ask, spans=(*question.ask.spans, Span(tag, message, len(question.ask.text))))
    given = [span for span in first.spans if span.tag == tag]
    if not given and tag in PROPER_NAME_TAGS:
        given = [Span(tag, span.text, span.start) for span in first.spans if span.tag in PROPER_NAME_TAGS]
    whole = Span(tag, message.strip().rstrip(".!"), 0)
    if tag == "when" and len(tokenize(message)) <= MAX_ANSWER_WORDS:
        given = [whole]
    elif tag == "when" and len(given) > 1:
        given = [Span(tag, first.text[given[0].start : given[-1].end], given[0].start)]
    ask = question.ask
    if question.kind == "who" and question.name:
        ask = replace(ask, spans=tuple(span for span in ask.spans if span.tag != "name"))
    # "Greta Holm from Nordlys" names the company of a new record, too.
    names = PROPER_NAME_TAGS - {"org"} if tag == "new" else PROPER_NAME_TAGS
    others = tuple(span for span in first.spans if given and span.tag not in (tag, *names))
    return ask.amended(Segment(message, ask.act, spans=(*(given[:1] or [whole]), *others)))
