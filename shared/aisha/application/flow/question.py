"""The pending question about a whole plan and the text in which it is asked."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from aisha.application.flow.steps import Intent, Step
from aisha.application.redaction.id_filter import clean
from aisha.application.turn.call_words import format_argument, record_names
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.settle import RUN_PLAN, digest_of, new_confirmation_id
from aisha.application.turn.state import TurnInput
from aisha.domain.conversations.conversation import Alternative, PendingConfirmation


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
        question=clean(_question(plans, alternatives, is_destructive), record.names),
        is_destructive=is_destructive,
        asked_in=turn_input.message_id,
        expires_at=turn_input.now + timedelta(seconds=turn_input.deps.limits.confirmation_seconds),
        alternatives=alternatives,
    )


def _question(plans: Sequence[Sequence[Step]], alternatives: Sequence[Alternative], is_destructive: bool) -> str:
    planned = [step for step in plans[0] if step.status == "planned"]
    warning = " Part of it can be undone for one day at most." if is_destructive else ""
    if alternatives:
        options = "\n".join(f"{alternative.value}. {alternative.label}" for alternative in alternatives)
        # The steps are described for the first alternative, so only the names of their tools are shown.
        tools = ", then ".join(step.tool.replace("_", " ") for step in planned)
        return (
            f"There are several: which one do you mean?\n{options}\n\n"
            f"For the one you choose I'll do this: {tools}.{warning}"
        )
    lines = [f"{number}. {step.description}" for number, step in enumerate(planned, 1)]
    failed = [f"- {step.description}: {step.reason}" for step in plans[0] if step.status not in ("planned", "executed")]
    left_out = "\n\nThis can't be done:\n" + "\n".join(failed) if failed else ""
    return "This will change your data:\n" + "\n".join(lines) + f"{left_out}\n\nShall I go ahead?{warning}"


def describe_call(turn_input: TurnInput, record: TurnRecord, tool: str, arguments: Mapping[str, Any]) -> str:
    """Describe a call before it is done, e.g. `Convert lead Jack Russel (amount: 20000)`."""
    names = record_names(turn_input, record, arguments)
    words = [tool.replace("_", " ").capitalize(), *(["for"] if tool.startswith("create") and names else []), *names]
    details = [text for name, value in arguments.items() if (text := _format_detail(name, value))]
    return " ".join(words) + (f" ({', '.join(details)})" if details else "")


def _format_detail(name: str, value: Any) -> str:
    if isinstance(value, bool) or name == "entity_type":
        return name.replace("_", " ") if value is True else ""
    return format_argument(name, _format_moment(value) if isinstance(value, str) else value)


def _format_moment(text: str) -> str:
    """Format an ISO 8601 date or time for people; return any other text unchanged."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment:%a %d %b %Y, %H:%M}" if "T" in text else f"{moment:%a %d %b %Y}"
