"""Answer orders that are denied, only imagined, or wait for something."""

from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import writing_words
from aisha.adapters.llm.planner.acts.imagined import imagined_amount, imagined_deal, imagined_stage
from aisha.adapters.llm.planner.acts.writing.relative import difference_in
from aisha.adapters.llm.planner.conditions import is_condition
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import conditional, formats, questions
from aisha.adapters.llm.planner.resolve import subject
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import stem, tokenize

NOT_SENT = "All right, I won't send it. Say “send it” when you want it to go out."
_SENDING = frozenset("send sent sending".split())
# Words before something that an order waits for.
_AWAITED = frozenset("if unless once until whenever".split())
_IMAGINING = frozenset("if suppose say imagine what would could should were had might happens".split())
_HAPPENING = frozenset(map(stem, ("happen", "become")))


@act("negated")
def negated(plan: Plan, ask: Ask) -> Answer:
    """Do nothing. When the ask is about the change just made, offer to take that back."""
    if plan.topic.draft is not None and ask.words & (_SENDING | writing_words("withdrawing")):
        return Answer(NOT_SENT, topic=plan.topic)
    text, written = "All right, I won't do that.", plan.topic.written
    shared = ask.stems & {token.stem for token in tokenize(written) if token.word not in writing_words("no_names")}
    if written and (shared or ask.words & writing_words("withdrawing")):
        return plan.offer(f"{text} {written} Shall I take that back?", "undo that", topic=plan.topic)
    return Answer(text, topic=plan.topic)


@act("hypothetical")
def hypothetical(plan: Plan, ask: Ask) -> Answer:
    """Say what an imagined order would do, and offer it; advise when asked whether to. Nothing is written."""
    is_pointing = (
        ask.texts("name") or ask.texts("org") or ask.words & (lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS)
    )
    is_of_deal = is_pointing and imagined_stage(ask) is not None and "lead" not in ask.kinds
    ref = (imagined_deal(plan, ask) if is_of_deal else None) or (subject(plan, ask) if is_pointing else None)
    # "If I moved it, …" imagines something, "if she signs, …" waits for it.
    is_awaited = any(
        one.word in _AWAITED and not (one.word == "if" and two.word in ("i", "we")) for one, two in pairwise(ask.tokens)
    ) or (is_condition(ask.text) and "if" not in ask.words)
    if not isinstance(ref, Ref) and "what" in ask.words and ask.stems & _HAPPENING:
        return ACTS["documents"](plan, ask)  # "What happens when I convert a lead?"
    if not isinstance(ref, Ref):
        return Answer(conditional.awaited(ask.text) if is_awaited else conditional.NOTHING_CHANGED, topic=plan.topic)
    is_asked = not ask.words.isdisjoint(("what", "what's", "how"))
    if is_asked and ref.type == "opportunity" and (told := _amount_imagined(plan, ask, ref)):
        return Answer(told, topic=plan.topic_of(ref))
    imagined = next((act_name for act_name, _, _ in lexicon.placed_in(ask.outside, "imagined_acts")), "")
    slots = {tag: text for tag in ("value", "owner", "field", "amount") if (text := ask.first(tag))}
    if ask.first("amount") and difference_in(ask.text) is None and imagined in ("", "delete"):
        imagined = "set_field"  # "I'm thinking of dropping it to 20k": no deletion.
        slots.setdefault("field", {"opportunity": "amount", "lead": "estimated value"}.get(ref.type, ""))
    if not imagined and lexicon.values_in(slots.get("value", "")):
        imagined = "advance_stage"
    if not (imagined or slots or is_awaited or ask.words & _IMAGINING):
        return Answer(questions.not_understood(ask.text), topic=plan.topic)
    text, order = conditional.imagined(imagined, ref, slots)
    topic = plan.topic_of(ref)
    # "As soon as they pay it should go to won" asks for no advice.
    if ask.words & writing_words("advice") and (not is_awaited or ask.text.rstrip().endswith("?")):
        advice = ACTS["next_steps"](plan, ask)
        text = f"{advice.text}\n\n{conditional.UNCHANGED}"
        # "Do it" means what was asked about.
        return (
            plan.offer(f"{text} Shall I {order}?", order, topic=advice.topic) if order else replace(advice, text=text)
        )
    if is_awaited:
        return (
            _reminding(plan, ask, text, order, topic) if order else Answer(conditional.awaited(ask.text), topic=topic)
        )
    is_denied = any(one.act == "negated" for one in plan.read(plan.scene.user_text).segments)
    is_offered = order and not is_denied  # "… Please do not change anything."
    return plan.offer(f"{text} Shall I do it?", order, topic=topic) if is_offered else Answer(text, topic=topic)


def _amount_imagined(plan: Plan, ask: Ask, ref: Ref) -> str:
    """Return the sentence that tells what a deal would be worth; empty where no other amount is imagined."""
    record = plan.record(ref)
    stored, currency = float(record.get("amount") or 0), str(record.get("currency") or "USD")
    amount = imagined_amount(ask, stored)
    if amount is None or not stored:
        return ""
    sums = formats.format_sums({currency: amount}), formats.format_sums({currency: stored})
    return f"**{ref.name}** would be worth **{sums[0]}** instead of {sums[1]}. {conditional.UNCHANGED}"


def _reminding(plan: Plan, ask: Ask, text: str, order: str, topic: Topic) -> Answer:
    """Answer to an order on a condition, which nothing here can wait for, with the offer of a reminder."""
    text = f"{text} I can't wait for something to happen first."
    topic = replace(topic, offers=(order,))  # "She said yes, do it."
    times = ask.times
    if not times or times[0].moment(plan.now) <= plan.now:
        return Answer(f"{text} Tell me when it has, and I'll do it.", topic=topic)
    due = f"on {times[0].moment(plan.now):%B %-d, %Y}"
    return plan.offer(f"{text} Shall I remind you {due} to {order}?", f"remind me {due} to {order}", topic=topic)
