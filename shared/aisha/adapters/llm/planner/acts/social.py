"""Greetings, thanks, small talk, help, and what has no answer in the CRM."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import says
from aisha.adapters.llm.planner.acts.writing.conditional import NOT_SENT
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.domain.assistant import full_name
from aisha.domain.language import lexicon, refusals
from aisha.domain.language.ask import Ask

HELLO = (
    "Hello{name}! I can look up and change your leads, contacts, accounts and deals, plan activities, keep notes "
    "and tell you what to do next. Where shall we start?"
)
THANKS = "You're welcome! Is there anything else I can do for you?"
BYE = "Goodbye! Everything is saved for when you come back."
SMALL_TALK = "I'm best at CRM work. Ask me “What should I do next?” and I'll find you something useful to do."
NOTHING_CHANGED = "All right, nothing was changed. What would you like to do instead?"
NOTHING_MORE = "All right. What I did before stays as it is; say “undo that” to take it back."
NOTHING_WAITS = (
    "There is nothing waiting for your answer. Tell me what you would like to do, for example “What should I do next?”"
)
NO_HURRY = "No hurry. Tell me when you're ready."
IDENTITY = (
    "I'm {name}, the assistant of your CRM. I find, create and change your records, plan activities, and always have a "
    "suggestion for the next step. What can I do for you?"
)
HELP = (
    "Here is what I can do:\n\n"
    "- **Find**: “Show me my warm leads”, “Which deals close this month?”\n"
    "- **Tell**: “Tell me about” a person, company or deal, “When did we last talk?”\n"
    "- **Act**: “Schedule a call tomorrow at 9”, “Add a note”, “Mark as qualified”, “Draft an email”\n"
    "- **Count**: “How many open deals do we have?”, “Forecast my pipeline”\n"
    "- **Advise**: “What should I do next?”, “What is overdue?”\n"
    "- **Remember**: “Remind me on Friday to send the offer”, “Undo that”"
)


_FIXED = {"thanks": THANKS, "goodbye": BYE, "help": HELP, "wait": NO_HURRY}
"""The replies that are always the same, by their acts."""


@act(*_FIXED)
def fixed_reply(plan: Plan, ask: Ask) -> Answer:
    refusal = refusals.refusal_for(ask.text) if ask.act == "help" else None
    return Answer(refusal or _FIXED[ask.act])


@act("no")
def no(plan: Plan, ask: Ask) -> Answer:
    """Answer a no that nothing waited for; right after a change it may be about that."""
    if plan.topic.draft is not None:
        return Answer(NOT_SENT, topic=plan.topic)
    if not plan.topic.written:
        return Answer(NOTHING_CHANGED)
    begins_with_no = ask.tokens[0].word in lexicon.NEGATIONS
    if says(ask, "cancelling") and not begins_with_no and any(ref.type == "activity" for ref in plan.topic.changed):
        return ACTS["change_activity"](plan, Ask(replace(ask.segment, act="change_activity"), ask.now))
    if ask.words & lexicon.THING_PRONOUNS or not lexicon.ORDER_VERBS.isdisjoint(ask.words):  # "Cancel that."
        text = f"All right. {plan.topic.written.rstrip('.')}. Shall I take that back?"
        return plan.offer(text, "undo that", topic=plan.topic)
    return Answer(NOTHING_MORE, topic=plan.topic)


@act("greeting")
def greeting(plan: Plan, ask: Ask) -> Answer:
    first_name = (plan.scene.principal.name or "").partition(" ")[0]
    return Answer(HELLO.format(name=f", {first_name}" if first_name else ""))


@act("smalltalk", "context")
def small_talk(plan: Plan, ask: Ask) -> Answer:
    return Answer(refusals.refusal_for(ask.text) or SMALL_TALK)


@act("identity")
def identity(plan: Plan, ask: Ask) -> Answer:
    return Answer(IDENTITY.format(name=full_name(plan.scene.assistant_name)))


@act("yes", "choose")
def nothing_waits(plan: Plan, ask: Ask) -> Answer:
    if ask.act == "yes" and plan.topic.offers:
        # "Ok, do it" after advice.
        return plan.offer(f"Shall I {plan.topic.offers[0]}?", plan.topic.offers[0], topic=plan.topic)
    return Answer(NOTHING_WAITS)


@act("impossible")
def impossible(plan: Plan, ask: Ask) -> Answer:
    return Answer(refusals.refusal_for(ask.text) or refusals.unknown())
