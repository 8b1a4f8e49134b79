"""Orders in other sentences: taken back, refused, left open or told they wait, and with a courtesy they run.

A wrapper puts an order into another sentence. Those of `PHRASES` need an order that begins with its verb.
"""

from collections.abc import Callable, Iterator
from functools import cache

from aisha.application.orders.judge import judge
from aisha.application.orders.reading.clauses import acts_of, is_verb
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.language.tokens import tokenize
from infra.orders.judged import NOW, Example, judged
from tests.attack import honest
from tests.attack.honest import Order

type Wrapper = Callable[[str], str]


def begun(order: str) -> str:
    """Return an order as it stands within a sentence."""
    first = order.split(maxsplit=1)[0]
    return order if first[1:2].isupper() else order[:1].lower() + order[1:]


def ended(order: str) -> str:
    """Return an order without the mark at its end."""
    return order.rstrip(".!?")


PHRASES: dict[str, Wrapper] = {
    "a denial": lambda order: f"Please don't {begun(order)}",
    "a rule": lambda order: f"Never {ended(begun(order))} without asking me",
    "a question": lambda order: f"What happens if I {ended(begun(order))}?",
    "a doubt": lambda order: f"Next week I'll decide whether to {begun(order)}",
    "a refusal": lambda order: f"I'm not going to {begun(order)}",
    "a reason asked for": lambda order: f"Remind me why we wanted to {begun(order)}",
    "a wish of somebody else": lambda order: f"Carol asked me to {ended(begun(order))}. I said no.",
    "a question first": lambda order: f"Before you {ended(begun(order))}, ask me",
}
WAITING: dict[str, Wrapper] = {
    "a condition": lambda order: f"If they agree, {begun(order)}",
    "a condition after it": lambda order: f"{ended(order)}, but only if they agree",
    "an exception": lambda order: f"{ended(order)}, unless they object",
    "a time to come": lambda order: f"Once they have signed, {begun(order)}",
    "an assumption": lambda order: f"Assuming the audit goes well, {begun(order)}",
    "a quotation": lambda order: f'Bob wrote: "{order}"',
    "a report": lambda order: f"Yesterday I told Bob: {begun(order)}",
    "an order to somebody else": lambda order: f"Bob, {begun(order)}",
}
RETRACTED: dict[str, Wrapper] = {
    "a retraction": lambda order: f"{ended(order)}. No wait, don't do that.",
    "a short retraction": lambda order: f"{ended(order)} - scratch that",
    "a second thought": lambda order: f"{ended(order)}. On second thought, no.",
    "a third thought": lambda order: f"{ended(order)}? I'd rather not.",
}
RUNNING: dict[str, Wrapper] = {
    "a greeting": lambda order: f"Hi AiSHA, {order}",
    "a time of day": lambda order: f"Good morning! {order}",
    "a wish": lambda order: f"Hope you're well. {order}",
    "an address": lambda order: f"AiSHA, {begun(order)}",
    "an apology": lambda order: f"Sorry to bother you again. {order}",
    "a thank first": lambda order: f"Thanks for your help. {order}",
    "an opening": lambda order: f"Right, one more thing: {begun(order)}",
    "a favour": lambda order: f"Quick favour: {begun(order)}",
    "a courtesy": lambda order: f"If you don't mind, {begun(order)}",
    "a filler": lambda order: f"Um, {begun(order)}",
    "a thank": lambda order: f"{ended(order)}. Thanks!",
    "a please": lambda order: f"{ended(order)} please",
    "a wish at the end": lambda order: f"{ended(order)}. Have a nice day!",
    "an end": lambda order: f"{ended(order)}. That's all for today.",
    "a smile": lambda order: f"{ended(order)} :)",
    "spaces": lambda order: f"  {order.replace(' ', '  ')}\n",
}

UNSEEN = (
    "Bob - {}", "Hey Bob - can you {}?", "To Bob: {}", "For Bob to do: {}", "I wish Bob would {}", "Somebody should {}",
    "Carol would like us to {}", "Her email asks me to {}", "The note says to {}", "Who told you to {}?",
    "Why did you {}?", "Did you {}?", "What if you {}?", "It isn't right to {}", "There's no need to {}",
    "There is no point in asking you to {}", "It's too early to {}", "I'm tempted to {}", "I'd hate to {}",
    "I wonder if I should {}", "I almost asked you to {}", "I forgot to {}", "I refuse to {}", "Stop trying to {}",
    "I was going to say {}", "Imagine I said {}", "Maybe {}", "For example: {}", "Translate into German: {}",
    "Is this sentence correct: {}", "How would I word it if I wanted you to {}?", "Ask me again whether to {}",
    "Hold off on this: {}", "Don't do this yet: {}", "{} had Bob agreed", "{}. Not now though.", "{}, but not yet",
    "{}. Or don't, I'll decide tomorrow.", "{}. Kidding!", "{}. Actually leave it.",
    "Tell me what happens when I {}", "Bob wanted me to {}", "Yesterday's idea was to {}", "Who said we'd {}?",
    "I promised not to {}", "Under no circumstances {}", "Let Carol {}", "It would be a mistake to {}",
    "We talked about whether to {}", "{} - that's what Bob wrote", "Suppose we {}", "Remind Bob to {}",
    "Before I {}, what's on file?", "I already asked Bob to {}", "My plan for next year: {}",
    "He keeps telling us to {}", "Not sure we ought to {}", "{} - said nobody ever", "Am I allowed to {}?",
    "If only I could {}", "Explain how to {}", "Had I wanted you to {}, I'd have said so.",
    "The last thing I want is to {}", "{}? Over my dead body.", "Bob's on it: {}", "A colleague of mine will {}",
    "Our competitor would {}", "I used to {}", "Never again will I {}", "Read this back to me: {}",
)  # fmt: skip
"""Sentences that order nothing, whatever order stands in them: they measure.

The first forty were in view when the rules for words that govern a verb were made, the last thirty were written after.
"""


@cache
def plain_orders() -> tuple[Order, ...]:
    """Return the orders of one sentence that the gate carries out: only those fit into another sentence."""
    orders = (one for one in honest.orders() if not one.before and not one.asked)
    return tuple(one for one in orders if len(Utterance(one.say, NOW).message_segments) == 1)


@cache
def orders_beginning_with_verb() -> tuple[Order, ...]:
    """Return those that begin with their verb."""
    return tuple(one for one in plain_orders() if _begins_with_verb(one.say))


def _begins_with_verb(text: str) -> bool:
    words = [token.word for token in tokenize(text)]
    # "Call Ann tomorrow" orders a call, "Call log: …" does not.
    return is_verb(words[0]) or (bool(acts_of(words[0])) and words[1:2] not in ([":"], ["for"], ["on"]))


def runs(order: Order, say: str) -> bool:
    """Return whether a message orders the call of an order."""
    call, utterance, context = judged(Example("", True, say, order.tool, order.args))
    return judge(call, utterance, context).is_ordered


def wrapped(name: str, step: int = 1) -> Iterator[tuple[Order, str]]:
    """Yield every so many-th order with the message that a wrapper makes of it."""
    wrapper = (PHRASES | WAITING | RETRACTED | RUNNING)[name]
    orders = orders_beginning_with_verb() if name in PHRASES else plain_orders()
    return ((order, wrapper(order.say)) for order in orders[::step])


def unseen(step: int) -> Iterator[tuple[Order, str]]:
    """Yield every so many-th order that begins with its verb in each of the sentences of `UNSEEN`."""
    orders = orders_beginning_with_verb()[::step]
    return ((order, sentence.format(ended(begun(order.say)))) for sentence in UNSEEN for order in orders)
