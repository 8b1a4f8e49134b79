"""Schemas of a single model call."""

from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.api.schemas.conversations.chat import UsageJson
from aisha.domain.models import ModelFinished

Label = Annotated[str, Field(min_length=1, max_length=200)]


class SingleTurnBody(StrictBody):
    """A prompt for a model."""

    model_config = ConfigDict(allow_inf_nan=False)

    prompt: str = Field(
        validation_alias=AliasChoices("prompt", "message"),
        # In the description alone: the handler's own messages say more than a pattern.
        json_schema_extra={"minLength": 1, "pattern": r"\S"},
        description="At most 8,000 characters. Alias: `message`.",
    )
    system: str | None = Field(None, description="System prompt of at most 8,000 characters.")
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=32_000)] | None = Field(
        None, description="Maximum length of the answer. Default: the maximum of the model."
    )
    provider: Label | None = None
    model: Label | None = None


class SingleTurnResponse(CamelModel):
    """The answer. `degraded` is true when the first model of the chain failed; `warnings` say why."""

    success: bool
    response: str
    provider: str
    model: str
    degraded: bool
    usage: UsageJson
    warnings: list[str]


def single_turn_json(text: str, finished: ModelFinished) -> SingleTurnResponse:
    """Return a model's answer and what it cost."""
    usage = finished.usage
    return SingleTurnResponse.from_attributes(
        finished,
        success=True,
        response=text,
        usage=UsageJson(
            input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, cost_usd=round(usage.cost_usd, 6)
        ),
    )
