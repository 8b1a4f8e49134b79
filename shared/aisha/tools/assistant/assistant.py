"""Tools for the assistant's personality and the user's standing instructions."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.prompt.sections.manner import mode_text
from aisha.application.prompt.sections.style import TEXT as STYLE
from aisha.application.tenants import preferences
from aisha.application.tenants.profile import profile_of
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import RecordId, check_action, require_argument
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.conversations.modes import MODE_DESCRIPTIONS, Mode
from aisha.domain.deferred_model import DeferredModel

_ARGUMENTS: dict[str, tuple[str, ...]] = {"add": ("text",), "delete": ("instruction_id",), "list": ()}


class Personality(DeferredModel):
    """The assistant's character and mode of answering for this user. `name` is missing where the tenant set none.

    `style` holds in every mode, `mode_guidelines` in this one.
    """

    name: str | None = None
    persona: list[str]
    style: str
    mode: Mode
    mode_guidelines: str
    instructions: list[str]
    labels: dict[str, str]


class StandingInstruction(DeferredModel):
    """An instruction of the user that applies in every conversation."""

    id: str
    text: str
    created_at: datetime


class StandingInstructions(DeferredModel):
    """All standing instructions after the call, the oldest first. `receipt` is missing when nothing was written."""

    items: list[StandingInstruction]
    total: int
    receipt: Receipt | None = None


@toolkit(name="assistant", description="What the assistant keeps for the user, and how it answers them.")
class Assistant:
    @tool(
        always=True,
        persistent=False,
        examples=(
            "what is your personality",
            "describe your personality and style",
            "how do you answer me at the moment",
            "which mode are you in",
        ),
        typical_followups=(followups.INSTRUCTIONS, followups.MY_DAY, followups.NEXT_STEPS),
    )
    def get_personality(self, context: ToolContext) -> Personality:
        """Get the personality: the assistant's name, character and mode, and the user's standing instructions."""
        principal, entries = context.principal, context.ports.entries
        profile = profile_of(context.ports.profile, principal.tenant)
        # The profile is the tenant's, the preferences are the user's own.
        user_preferences = preferences.preferences_of(entries, principal.tenant, principal.user)
        return Personality(
            name=profile.assistant_name,
            persona=list(profile.persona),
            mode=user_preferences.mode,
            # Without the heading of the prompt's section.
            style=STYLE.partition("\n")[2],
            mode_guidelines=mode_text(user_preferences.mode, spoken=principal.door == "voice")
            or MODE_DESCRIPTIONS[user_preferences.mode],
            instructions=[instruction.text for instruction in user_preferences.instructions],
            labels=dict(profile.labels),
        )

    @tool(
        access="write",
        ordered_by=("add:instruct", "delete:drop_instruction"),
        confirmation="always",
        always=True,
        read_actions=("list",),
        guidance='A wish that is to hold from now on ("always answer in short sentences", "never use emojis") goes to '
        "manage_prompt; a fact to keep goes to memory.",
        examples=(
            "show my standing instructions",
            "which standing instructions did I give you",
            "delete the standing instruction about {text}",
            "from now on {text}",
            "add a standing instruction: {text}",
        ),
        typical_followups=(followups.INSTRUCTIONS, followups.MEMORIES, followups.NEXT_STEPS),
    )
    def manage_prompt(
        self,
        context: ToolContext,
        action: Annotated[Literal["add", "delete", "list"], "What to do"],
        text: Annotated[
            str | None,
            Field(min_length=1, max_length=preferences.MAX_INSTRUCTION_LENGTH),
            "add: how to answer from now on, in the user's words",
        ] = None,
        instruction_id: Annotated[RecordId | None, "delete: id of the instruction, as list gives it"] = None,
    ) -> StandingInstructions:
        """Add, delete or list the user's standing instructions: how they want to be answered in every conversation.

        At most 20. None of them overrides a permission, a confirmation or a safety rule.
        """
        check_action(action, _ARGUMENTS, text=text, instruction_id=instruction_id)
        tenant, user, entries = context.principal.tenant, context.principal.user, context.ports.entries
        receipt = None
        if action == "add":
            text = require_argument("text", text, "Ask the user how they want to be answered.")
            receipt = _receipt("created", preferences.add_instruction(entries, tenant, user, text, context.now))
        elif action == "delete":
            instruction_id = require_argument("instruction_id", instruction_id, "List them, then give the id of one.")
            receipt = _receipt("deleted", preferences.delete_instruction(entries, tenant, user, instruction_id))
        # Read again, so that the answer shows what is stored now.
        instructions = preferences.preferences_of(entries, tenant, user).instructions
        items = [StandingInstruction.from_attributes(item) for item in instructions]
        return StandingInstructions(items=items, total=len(items), receipt=receipt)


def _receipt(action: Literal["created", "deleted"], instruction: preferences.Instruction) -> Receipt:
    return Receipt(
        action=action, entity=EntityRef(type="standing_instruction", id=instruction.id, name=instruction.text[:60])
    )
