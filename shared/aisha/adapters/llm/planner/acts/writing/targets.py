"""Choose the records that a change is about."""

from collections.abc import Sequence

from aisha.adapters.llm.planner.acts.asks import writing_words
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.planner.replies import changes, questions
from aisha.adapters.llm.planner.resolve import require_all, several_of
from aisha.adapters.llm.planner.state import Question, Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS


def records_meant(plan: Plan, ask: Ask, question: str, kinds: Sequence[str] = ()) -> tuple[Ref, ...]:
    """Return the records that an ask is about. Raises `EarlyAnswer`, also for a whole kind of records."""
    many = any(token.word.endswith("s") and lexicon.kind_of(token.word[:-1]) in KINDS for token in ask.loose)
    if (many or ask.words & writing_words("every")) and not ask.texts("name") and not several_of(plan, ask, kinds):
        raise plan.refuse(changes.LIST_FIRST)
    return tuple({ref.id: ref for ref in require_all(plan, ask, question, kinds)}.values())


def only_one(plan: Plan, ask: Ask, refs: Sequence[Ref], asked_name: str, name: str) -> Ref:
    """Return the only one of records. Raises `EarlyAnswer` with the question for one of several."""
    if len(refs) > 1:
        question = Question("which", ask.segment, asked_name, tuple(refs))
        raise EarlyAnswer(Answer(questions.ask_which(name, refs), question, plan.topic))
    return refs[0]


def single(plan: Plan, refs: Sequence[Ref], verb: str) -> Ref:
    """Return the only record: the gate asks about each of what can't be undone for long."""
    if len(refs) > 1:
        raise plan.refuse(f"I {verb} one record at a time and ask before each. Which one shall be the first?")
    return refs[0]
