"""Named flows, one file each: what people do in one go. A flow is a tool-like function whose result is its steps.

Its examples are phrases by which it is found without a model: `[...]` may be left out, `(a|b)` is one of them, `{lead}`,
`{contact}`, `{account}` and `{opportunity}` name a record that is looked up for the parameter `<kind>_id`, any other
`{slot}` is the parameter of that name. When one of its steps fails, what the others did is taken back.
"""

from typing import Annotated, Any

from pydantic import BaseModel, Field


class FlowStep(BaseModel):
    """A call. `{"$step": 1, "path": "record.id"}` refers to the flow's own first step."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


RecordId = Annotated[str, Field(min_length=1, max_length=60)]


def result_of(step: int, path: str) -> dict[str, Any]:
    """A reference to what the flow's step (counted from 1) brings at `path`."""
    return {"$step": step, "path": path}


def without_nothing(**arguments: Any) -> dict[str, Any]:
    """Those that are given."""
    return {name: value for name, value in arguments.items() if value is not None}
