"""Named flows, one module each: sequences of calls that users often need together.

A flow is defined like a tool; its result is the list of its steps. Its examples are phrases by which it is found
without a model: `[...]` is optional, `(a|b)` is one of several, `{lead}`, `{contact}`, `{account}` and `{opportunity}`
are names of records that are searched for the parameter `<kind>_id`, and any other `{slot}` is the parameter of that
name. When a step fails, the writes of the flow's other steps are undone.
"""

from typing import Annotated, Any

from pydantic import BaseModel, Field


class FlowStep(BaseModel):
    """A call of a flow. `{"$step": 1, "path": "record.id"}` refers to the flow's own first step."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


RecordId = Annotated[str, Field(min_length=1, max_length=60)]
