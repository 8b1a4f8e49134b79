"""The one question about a whole plan, as it is asked and stored."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from aisha.application.flow.steps import Intent, Step
from aisha.application.redaction.id_filter import clean
from aisha.application.turn.call_words import format_argument, record_names
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.settle import RUN_PLAN, digest_of, new_confirmation_id
from aisha.application.turn.state import TurnInput
from aisha.domain.conversation import Alternative, PendingConfirmation


def ask_about_plan(
    turn_input: TurnInput,
    record: TurnRecord,
    plans: Sequence[Sequence[Step]],
    labels: Sequence[str],
    *,
    is_destructive: bool,
    intent: Intent,
) -> PendingConfirmation:
    """The question. With `labels` there is one plan for each of them, of which the user chooses; else there is one plan."""
    arguments = {
        "plans": [[step.stored() for step in plan] for plan in plans],
        "userIntent": intent.text,
        "confidence": intent.confidence,
    }
    alternatives = tuple(Alternative(label, str(place)) for place, label in enumerate(labels, 1))
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
    todo = [[step for step in plan if step.status == "planned"] for plan in plans]
    lines = [f"{place}. {step.description}" for place, step in enumerate(todo[0], 1)]
    failed = [f"- {step.description}: {step.reason}" for step in plans[0] if step.status not in ("planned", "executed")]
    warning = " Part of it can be undone for one day at most." if is_destructive else ""
    if alternatives:
        named = "\n".join(f"{one.value}. {one.label}" for one in alternatives)
        # The steps are worded for the first alternative, so only their kinds are told.
        kinds = ", then ".join(_kind_of(step) for step in todo[0])
        return f"There are several: which one do you mean?\n{named}\n\nFor the one you choose I'll do this: {kinds}.{warning}"
    left_out = "\n\nThis can't be done:\n" + "\n".join(failed) if failed else ""
    return "This will change your data:\n" + "\n".join(lines) + f"{left_out}\n\nShall I go ahead?{warning}"


def _kind_of(step: Step) -> str:
    return step.tool.replace("_", " ")


def described(turn_input: TurnInput, record: TurnRecord, tool: str, arguments: Mapping[str, Any]) -> str:
    """A step before it is done, e.g. `Convert lead Jack Russel (amount: 20000)`."""
    names = record_names(turn_input, record, arguments)
    what = " ".join(
        [tool.replace("_", " ").capitalize(), *(["for", *names] if tool.startswith("create") and names else names)]
    )
    details = [text for name, value in arguments.items() if (text := _argument_text(name, value))]
    return f"{what} ({', '.join(details)})" if details else what


def _argument_text(name: str, value: Any) -> str:
    if isinstance(value, bool) or name == "entity_type":
        return name.replace("_", " ") if value is True else ""
    return format_argument(name, _moment(value) if isinstance(value, str) else value)


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment:%a %d %b %Y, %H:%M}" if "T" in text else f"{moment:%a %d %b %Y}"
