"""Keep and tell what the user asked to remember, and the user's standing instructions."""

from msgspec.structs import replace

from aisha.adapters.llm.planner import resolve
from aisha.adapters.llm.planner.acts.asks import with_text
from aisha.adapters.llm.planner.acts.personal.items import ask_which, items_from, listed, only_match, texts_of
from aisha.adapters.llm.planner.acts.personal.reminders import wording
from aisha.adapters.llm.planner.acts.writing.update import opt_outs
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span

NOTHING_KEPT = "There is nothing to forget: I only keep what you ask me to remember, and that is nothing so far."


MAX_SAID = 5
# Words of a question for what was said in the conversation.
_SAID = frozenset("ask asked asking question questions say said talk talked discuss discussed".split())
_KEPT = frozenset("remember remembered memory memories keep store stored mind".split())


@act("remember")
def remember(plan: Plan, ask: Ask) -> Answer:
    """Keep a fact that the user tells."""
    fact = wording(ask, "remember")
    if not fact:
        raise plan.ask_slot(ask, "text", "What shall I remember?")
    person = (
        resolve.pointed_at(plan, ask)
        if fact.split()[0].lower() in lexicon.PERSON_PRONOUNS and plan.topic.refs
        else None
    )
    if person is not None and plan.has("create_note"):
        note = ask.with_spans([Span("text", fact, ask.text.find(fact))])
        return ACTS["create_note"](plan, Ask(replace(note.segment, act="create_note"), ask.now))
    plan = with_text(plan, ask, fact)
    value = plan.call("memory", "remember that", action="create", text=fact)
    return Answer(f"I'll remember: {fact}." if "receipt" in value else f"I remember that already: {fact}.")


@act("recall")
def recall(plan: Plan, ask: Ask) -> Answer:
    """Tell what the user asked to remember, all of it or about a subject."""
    about = ask.first("topic") or ask.first("name") or ask.first("text")
    if ask.words & _SAID and not ask.words & _KEPT and not about:
        said = [message.content for message in plan.scene.history if message.role == "user"][-MAX_SAID:]
        return Answer(listed("Earlier in this conversation you said:", said, "This is the start of our conversation."))
    if about is None:
        items = items_from(plan, "memory", "look that up", action="list")
        nothing = "You haven't asked me to remember anything yet."
        return Answer(listed("You asked me to remember:", texts_of(items), nothing))
    items = items_from(plan, "memory", "look that up", action="search", query=about)
    nothing = f"You haven't asked me to remember anything about {about}."
    return Answer(listed(f"About {about} you asked me to remember:", texts_of(items), nothing))


@act("forget")
def forget(plan: Plan, ask: Ask) -> Answer:
    """Forget the one memory that the ask means."""
    items = items_from(plan, "memory", "look that up", action="list")
    if not items:
        return Answer(NOTHING_KEPT)
    if len(items) > 1 and ask.is_plural:
        ask_which("memory", items, "I can forget one thing at a time. ")
    one = only_match(plan, ask, items, "memory")
    plan.call("memory", "forget that", action="delete", memory_id=one["id"])
    return Answer(f"I've forgotten it: {one['text']}.")


@act("instruct")
def instruct(plan: Plan, ask: Ask) -> Answer:
    """Keep a wish on how to answer from now on."""
    if ask.first("name") and opt_outs(ask):
        return ACTS["update_record"](plan, ask)  # "Never email Jack Russel": the record can say that.
    text = wording(ask, "instruct")
    if not text:
        raise plan.ask_slot(ask, "text", "What shall I do from now on?")
    plan, wish = with_text(plan, ask, text), text[:1].upper() + text[1:]
    plan.call("manage_prompt", "keep to that", action="add", text=wish)
    return Answer(f"From now on I'll keep to this: {wish}")


@act("instructions")
def instructions(plan: Plan, ask: Ask) -> Answer:
    """List the user's standing instructions."""
    items = items_from(plan, "manage_prompt", "look them up", action="list")
    nothing = "You have given me no standing instructions. For example: “From now on keep your answers short”."
    return Answer(listed("Your standing instructions:", texts_of(items), nothing))


@act("drop_instruction")
def drop_instruction(plan: Plan, ask: Ask) -> Answer:
    """Drop the one standing instruction that the ask means."""
    one = only_match(
        plan, ask, items_from(plan, "manage_prompt", "look them up", action="list"), "standing instruction"
    )
    plan.call("manage_prompt", "drop that instruction", action="delete", instruction_id=one["id"])
    return Answer(f"I've dropped the instruction “{one['text']}”.")
