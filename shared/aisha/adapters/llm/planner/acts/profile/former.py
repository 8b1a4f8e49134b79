"""Tell the values that the last order replaced: "what was it before?", "what was his title until now?"."""

from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies.changes import former_values
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

ONLY_NOW = "I only see what the CRM holds now, not what it held before."
TAKE_BACK = "I can't see what it held before, but “Undo that” brings it back."
_FORMER = frozenset("before previously originally formerly initially earlier until".split())
# "Before I changed it", "until now", "before that".
_AFTER_FORMER = frozenset("i we you that this it now then the change changed did moved set updated".split())
# Acts as which such a question is read.
_ACTS = frozenset("ask_field about history score events list_activities my_day".split())
_PAST = frozenset("was were had did stood used".split())
_ASKING = lexicon.ASKING_WHAT | {"who", "when", "how", "where"}
_MAX_BARE, _MAX_WORDS = 3, 12


def former(plan: Plan, ask: Ask) -> Answer | None:
    """Return the values that the last change replaced, where the ask is for those; else None."""
    words = [one.word for one in ask.tokens if one.kind != "mark" and one.word not in lexicon.INTERJECTIONS]
    is_past = bool(_PAST & {*words}) or len(words) <= _MAX_BARE  # "Whats it b4"
    # "Was it Bob's before?" is told what it was.
    is_question = bool(_ASKING & {*words[:2]} or _PAST & {*words[:1]}) and is_past and len(words) <= _MAX_WORDS
    if ask.act not in _ACTS or not is_question or not _says_former(ask.tokens):
        return None
    topic = plan.topic
    if topic.asked_about is not None:
        return None  # Nothing has been replaced yet.
    ref = topic.changed_alone or (topic.refs[0] if len(topic.refs) == 1 else None)
    names = {one.lower() for tag in ("name", "org") for one in ask.texts(tag)}
    if ref is None or any(one not in ref.name.lower() for one in names):
        return None
    replaced = topic.replaced.get(ref.id, {})
    kept = {lexicon.field_name(one, ref.type) for one in ask.fields} or replaced.keys()
    values = {name: value for name, value in replaced.items() if name in kept}
    if not values:
        return Answer(TAKE_BACK if topic.changed and topic.written else ONLY_NOW, topic=topic)
    return Answer(former_values(ref, values, plan.now), topic=plan.topic_of(ref))


def _says_former(tokens: tuple[Token, ...]) -> bool:
    """Return whether the last word says a time before the change: "before Friday" and "the call before" do not."""
    place = max((at for at, one in enumerate(tokens) if one.word in _FORMER), default=0)
    return bool(place) and all(one.kind == "mark" or one.word in _AFTER_FORMER for one in tokens[place + 1 :])
