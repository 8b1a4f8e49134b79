"""A decision about a waiting call as the API takes it."""

from typing import Literal

from pydantic import BaseModel, Field


class DecisionBody(BaseModel):
    """What the user wants to happen with the call."""

    decision: Literal["approve", "reject"] = Field(description="`approve` runs exactly the stored call, once.")
    choice: str | None = Field(default=None, description="With alternatives: the `value` of the one to approve.")
