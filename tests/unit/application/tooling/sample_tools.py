"""Tools for the framework's tests."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.domain.dates.parsing import When
from aisha.domain.tools import FollowUp


class Branch(BaseModel):
    """A tree of labels, a recursive type."""

    label: str
    children: "list[Branch]" = Field(default_factory=list)


class Forest[T](BaseModel):
    trees: dict[str, list[T]]


@tool(always=True, examples=("grow a forest of {label}",), typical_followups=("Cut it down",))
def grow_forest(
    context: ToolContext,
    label: Annotated[str, Field(min_length=1), "Name of every tree"],
    count: Annotated[int, Field(ge=1, le=3), "Number of trees"] = 1,
    planted: Annotated[When | None, "Planting date"] = None,
) -> Forest[Branch]:
    """Grow trees.

    Two paragraphs are one description.
    """
    context.log(f"for {context.principal.user}")
    name = f"{label} {planted:%Y-%m-%d}" if planted else label
    return Forest[Branch](trees={context.principal.tenant: [Branch(label=name) for _ in range(count)]})


@toolkit(name="gates", description="Gates of a garden.", module="gardens")
class Gates:
    opened = 0

    @tool(access="write", guidance="Knock first.", clients=("api",), confirmation="always")
    def open_gate(self, side: Annotated[Literal["left", "right"], "Half of the gate"]) -> dict[str, str]:
        """Open one half of the gate."""
        self.opened += 1
        return {"side": side, "times": str(self.opened)}

    @tool(access="delete", typical_followups=(FollowUp("Build it again", "🧱", "open_gate"),))
    def tear_down(self, why: Annotated[str, "the reason for the record"] = "rust") -> str:
        """Remove the gate."""
        raise RuntimeError(f"secret detail: {why}")
