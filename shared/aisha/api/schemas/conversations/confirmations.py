"""Schema of a decision about a waiting call."""

from typing import Literal

from pydantic import BaseModel, Field


class DecisionBody(BaseModel):
    """The user's decision about the call."""

    decision: Literal["approve", "reject"] = Field(
        description="`approve` runs the stored call once, with its stored arguments."
    )
    choice: str | None = Field(default=None, description="The `value` of the chosen one, if there are `alternatives`.")
