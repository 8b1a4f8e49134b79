"""POST /api/ai/singleturn: one model call without history, tools or session."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from pydantic import AliasChoices, ConfigDict, Field

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.models.completion import SingleTurn, single_turn
from aisha.application.requests.validation import check_length
from aisha.domain.errors import InvalidInputError
from aisha.renderers.chat_response import CamelModel, UsageJson
from aisha.settings import settings

Label = Annotated[str, Field(min_length=1, max_length=200)]


class SingleTurnBody(CamelModel):
    """What the model is asked."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    prompt: str = Field(
        validation_alias=AliasChoices("prompt", "message"),
        json_schema_extra={"minLength": 1, "pattern": r"\S"},
        description="At most 8,000 characters. Also as `message`.",
    )
    system: str | None = Field(None, description="What the model is told to be; at most 8,000 characters.")
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=32_000)] | None = Field(
        None, description="How long the answer may be; without it as long as the model may answer."
    )
    provider: Label | None = None
    model: Label | None = None


class SingleTurnResponse(CamelModel):
    """The answer. `degraded` is true when another than the first model of the chain gave it; `warnings` say why."""

    success: bool
    response: str
    provider: str
    model: str
    degraded: bool
    usage: UsageJson
    warnings: list[str]


EXAMPLE = {
    "success": True,
    "response": "Thanks for your time today, Jack. Shall we talk on Friday?",
    "provider": "openai",
    "model": "gpt-4o-mini",
    "degraded": False,
    "usage": {"inputTokens": 31, "outputTokens": 14, "costUsd": 0.000013},
    "warnings": [],
}

app = RestApp()


@app.operation(
    Operation(
        "POST",
        "/api/ai/singleturn",
        "singleTurn",
        summary="Ask a model once",
        description="One model call: no history, no tools, nothing of the CRM, and nothing is kept.",
        body=SingleTurnBody,
        response=SingleTurnResponse,
        errors=(503, 504),
        limited=True,
        body_example={"prompt": "Thank Jack for his time and ask for a call on Friday, in one sentence."},
        example=EXAMPLE,
    )
)
def ask() -> Response[str]:
    principal, body, config = app.principal(), app.body(SingleTurnBody), settings()
    check_length(body.prompt, config.message_characters, "/prompt")
    check_length(body.system or "", config.message_characters, "/system")
    if not body.prompt.strip():
        raise InvalidInputError("There is nothing to answer. Send a prompt.", pointer="/prompt")
    asked = SingleTurn(body.prompt, body.system, body.temperature, body.provider, body.model, body.max_tokens)
    text, finished = single_turn(asked, principal, bootstrap.chat_model(), bootstrap.clock(), config.turn_seconds)
    usage = finished.usage
    return answer(
        SingleTurnResponse(
            success=True,
            response=text,
            provider=finished.provider,
            model=finished.model,
            degraded=finished.degraded,
            usage=UsageJson(
                input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, cost_usd=round(usage.cost_usd, 6)
            ),
            warnings=list(finished.warnings),
        )
    )


handler = rest_handler(app)
