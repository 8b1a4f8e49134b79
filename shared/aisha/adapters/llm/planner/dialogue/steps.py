"""Turn the segments of a message into steps: asks to answer, in order, with what they take from the dialogue.

An answer completes the ask that the question was about. A correction changes the ask before it. "The same for Ann"
repeats an ask with other slots. An offer that is taken up is read like a message.
"""

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.writing.pairing import each_order
from aisha.adapters.llm.planner.choices import with_places
from aisha.adapters.llm.planner.dialogue.answers import steps_of_answer
from aisha.adapters.llm.planner.dialogue.merging import merged_steps
from aisha.adapters.llm.planner.dialogue.revising import inviting_more, revising_draft
from aisha.adapters.llm.planner.dialogue.segments.briefings import with_briefings
from aisha.adapters.llm.planner.dialogue.segments.checks import with_checks
from aisha.adapters.llm.planner.dialogue.segments.embedded import with_embedded_questions, with_whys
from aisha.adapters.llm.planner.dialogue.segments.joining import (
    with_conditions,
    with_shared_nouns,
    with_subjects,
    without_headings,
)
from aisha.adapters.llm.planner.dialogue.segments.mails import with_messages
from aisha.adapters.llm.planner.dialogue.segments.outcomes import with_logs, with_news, with_outcome
from aisha.adapters.llm.planner.dialogue.segments.parting import (
    each_question,
    each_record,
    parted_at_correction,
    parted_segment,
    with_questions,
)
from aisha.adapters.llm.planner.dialogue.segments.slots import names_in, plain_segment
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import DialogueState
from aisha.domain.language.acts import WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment


def steps_of(plan: Plan, state: DialogueState, message: str) -> list[Step]:
    """Return the steps of a message."""
    is_answer = state.question is not None and state.question.kind != "offer"
    if not is_answer and len(state.topic.group) > 1:
        has_days = any(one.tag == "when" for one in state.topic.asked.spans) if state.topic.asked else False
        message = with_places(message, len(state.topic.group), plan.now, has_days=has_days)
    is_text = is_answer and state.question is not None and state.question.tag == "text"
    read = (plan.read_text(message) if is_text else plan.read(message)).segments
    segments_read = tuple(with_news(with_outcome(one)) for one in with_messages(read))
    segments_read = tuple(with_embedded_questions(plan, without_headings(tuple(with_checks(plan, segments_read)))))
    parted = (
        part
        for segment in (
            segments_read
            if is_answer
            else with_subjects(with_shared_nouns(with_briefings(with_whys(segments_read))), plan.now)
        )
        for question in each_question(plan, segment)
        for record in each_record(question)
        for one in each_order(record)
        for clause in parted_at_correction(plain_segment(one))
        for part in parted_segment(clause)
    )
    parts = with_logs(tuple(with_conditions(with_questions(plan, parted))), plan.now)
    segments = tuple(
        inviting_more(state.topic, revising_draft(plan, state.topic, segment), plan.now) for segment in parts
    )
    if (
        state.question is not None
        and (answered := steps_of_answer(plan, state.question, message, segments)) is not None
    ):
        return [_on_old_question(one) for one in answered] if state.question.is_old else answered
    steps = [_without_undo(state, one) for one in merged_steps(plan, state, segments)]
    open_ask = state.question.ask if is_answer and state.question is not None else None
    if open_ask is None or open_ask.act not in WRITES:
        return steps
    # What was asked about is not done: the last change is another one.
    return [replace(one, doubt=policy.NOT_DONE) if one.ask.act == "undo" else one for one in steps]


def _on_old_question(step: Step) -> Step:
    return replace(step, doubt=step.doubt or policy.ASKED_BEFORE) if step.ask.act in WRITES else step


def _without_undo(state: DialogueState, step: Step) -> Step:
    """Return a no in place of "take it back" after an order that waits for a yes: nothing of it is done."""
    is_bare = step.ask.act == "undo" and not (step.doubt or state.question or names_in(step.ask.segment))
    return (
        replace(step, ask=Ask(Segment(step.text, "no"), step.ask.now)) if state.topic.asked_about and is_bare else step
    )
