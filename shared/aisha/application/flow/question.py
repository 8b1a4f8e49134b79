"""The pending question about a whole plan and the text in which it is asked."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from aisha.application.flow.steps import Intent, Step, references
from aisha.application.redaction.output import shown_whole
from aisha.application.tooling.gate.policy import decide
from aisha.application.turn.confirming.question_text import format_question
from aisha.application.turn.confirming.settle import RUN_PLAN, digest_of, new_confirmation_id
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.application.turn.wording.call_words import Referents
from aisha.application.turn.wording.phrases import describe
from aisha.domain.conversations.conversation import Alternative, PendingConfirmation
from aisha.domain.wording import humanise, join_names


def ask_about_plan(
    turn_input: TurnInput,
    record: TurnRecord,
    plans: Sequence[Sequence[Step]],
    labels: Sequence[str],
    *,
    is_destructive: bool,
    intent: Intent,
) -> PendingConfirmation:
    """Return the question about one plan or, with `labels`, about one plan per label, of which the user chooses one."""
    for step in (step for plan in plans for step in plan if step.status == "planned"):
        _name_recipient(turn_input, record, step)
    arguments = {
        "plans": [[step.stored() for step in plan] for plan in plans],
        "userIntent": intent.text,
        "confidence": intent.confidence,
    }
    alternatives = tuple(Alternative(label, str(number)) for number, label in enumerate(labels, 1))
    return PendingConfirmation(
        id=new_confirmation_id(turn_input.session.conversation.id),
        tool=RUN_PLAN,
        arguments=arguments,
        digest=digest_of(RUN_PLAN, arguments),
        question=shown_whole(
            _question(turn_input, record, plans, alternatives, is_destructive=is_destructive), record.names
        ),
        is_destructive=is_destructive,
        asked_in=turn_input.message_id,
        expires_at=turn_input.now + timedelta(seconds=turn_input.deps.limits.confirmation_seconds),
        alternatives=alternatives,
    )


def _question(
    turn_input: TurnInput,
    record: TurnRecord,
    plans: Sequence[Sequence[Step]],
    alternatives: Sequence[Alternative],
    *,
    is_destructive: bool,
) -> str:
    planned = [step for step in plans[0] if step.status == "planned"]
    failed = [f"- {step.description}: {step.reason}" for step in plans[0] if step.status not in ("planned", "executed")]
    if alternatives:
        options = "\n".join(
            f"{alternative.value}. {alternative.label}{_recipients(plan)}{_own_values(plan, plans)}"
            for alternative, plan in zip(alternatives, plans, strict=True)
        )
        steps = ", then ".join(_describe_choice(turn_input, record, step, plans) for step in planned)
        return f"There are several: which one do you mean?\n{options}\n\nFor the one you choose, I'll {steps}."
    if len(planned) == 1 and not failed:
        return _single_question(turn_input, record, planned[0])
    doubt = next((f"{step.doubt}. " for step in planned if step.doubt), "")
    lines = [
        "\n".join((f"{number}. {step.description}", *(f"   {note}" for note in _notes(turn_input, record, step))))
        for number, step in enumerate(planned, 1)
    ]
    question = f"{doubt}Shall I do this?\n" + "\n".join(lines)
    warning = "Part of it can be undone for one day at most." if is_destructive else ""
    left_out = "This can't be done:\n" + "\n".join(failed) if failed else ""
    return "\n\n".join(part for part in (question, warning, left_out) if part)


def _single_question(turn_input: TurnInput, record: TurnRecord, step: Step) -> str:
    """Return the question about a plan of one step, worded as outside of a plan."""
    spec = turn_input.deps.registry.spec_for(step.tool, step.arguments)
    if spec is None:
        return f"Shall I {step.tool.replace('_', ' ')}?"
    reason = decide(turn_input.principal, spec, rules=turn_input.rules).reason
    question = format_question(describe(spec, step.arguments, Referents(turn_input, record)), spec, reason, step.doubt)
    return "\n\n".join((question, *_notes(turn_input, record, step)))


def _name_recipient(turn_input: TurnInput, record: TurnRecord, step: Step) -> None:
    """Store the address that a step writes to with its arguments: what runs later is what was shown."""
    # Imported at the first question: the reader of messages and its stemmers are too slow for a cold start.
    from aisha.application.turn.confirming.caveats import recipient_of  # noqa: PLC0415

    spec = turn_input.deps.registry.spec_for(step.tool, step.arguments)
    address = recipient_of(spec, step.arguments, Referents(turn_input, record)) if spec else None
    if address:
        step.arguments = {**step.arguments, "to": address}
        step.description = describe_call(turn_input, record, step.tool, step.arguments)


def _recipients(plan: Sequence[Step]) -> str:
    addresses = [str(step.arguments["to"]) for step in plan if step.status == "planned" and step.arguments.get("to")]
    return f", to {join_names(addresses)}" if addresses else ""


def _own_values(plan: Sequence[Step], plans: Sequence[Sequence[Step]]) -> str:
    """Return the values that a plan does not share with the others, as the end of an option: `, note: "Likes tea"`."""
    other_values = {step.id: step.arguments for other in plans for step in other if other is not plan}
    values = [
        f', {humanise(name)}: "{value}"'
        for step in plan
        for name, value in step.arguments.items()
        if step.status == "planned" and name != "to" and not name.endswith("_id")
        if value != other_values.get(step.id, {}).get(name) and not any(references(value))
    ]
    return "".join(values)


def _notes(turn_input: TurnInput, record: TurnRecord, step: Step) -> Sequence[str]:
    """Return what the question about the step alone would say of its values."""
    from aisha.application.turn.confirming.caveats import caveats  # noqa: PLC0415 - see _name_recipient

    return list(caveats(turn_input, record, step.arguments))


def _describe_choice(turn_input: TurnInput, record: TurnRecord, step: Step, plans: Sequence[Sequence[Step]]) -> str:
    """Describe a step by the arguments that it has in all plans: those of the first are not yet chosen."""
    same_steps = [other for plan in plans for other in plan if other.id == step.id]
    arguments = {
        name: value
        for name, value in step.arguments.items()
        if all(other.arguments.get(name) == value for other in same_steps)
    }
    text = describe_call(turn_input, record, step.tool, arguments)
    return f"{text[:1].lower()}{text[1:]}"


def describe_call(turn_input: TurnInput, record: TurnRecord, tool: str, arguments: Mapping[str, Any]) -> str:
    """Describe a call before it is done, e.g. `Schedule a call with Jack Russel for tomorrow at 9:00 AM`."""
    spec = turn_input.deps.registry.spec_for(tool, arguments)
    if spec is None:
        return tool.replace("_", " ").capitalize()
    text = describe(spec, arguments, Referents(turn_input, record)).in_full
    return f"{text[:1].upper()}{text[1:]}"
