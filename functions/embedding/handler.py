"""POST /api/ai/embedding: texts as vectors."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.models.embed_texts import MOST_CHARACTERS, MOST_TEXTS, embed_texts
from aisha.renderers.chat_response import CamelModel

Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS, pattern=r"\S")]
Texts = Annotated[
    list[Text],
    Field(min_length=1, max_length=MOST_TEXTS),
    BeforeValidator(
        lambda value: [value] if isinstance(value, str) else value, json_schema_input_type=Text | list[Text]
    ),
]


class EmbeddingBody(CamelModel):
    """What is embedded."""

    model_config = ConfigDict(strict=True)

    input: Texts = Field(
        validation_alias=AliasChoices("input", "texts", "text"),
        description="A text, or 1 to 64 of them, each of at most 8,000 characters. Also as `text` or `texts`.",
    )


class EmbeddingResponse(CamelModel):
    """A vector of `dimensions` numbers for each text, in order. Vectors of two models can't be compared."""

    success: bool
    embeddings: list[list[float]]
    model: str
    dimensions: int


app = RestApp()


@app.operation(
    Operation(
        "POST",
        "/api/ai/embedding",
        "embed",
        summary="Texts as vectors",
        description="Vectors that are near each other where the meanings are. Answered with 501 `embedding_unavailable` "
        "where no model for it is set up, with 402 where the tenant's budget for models does not pay for it.",
        body=EmbeddingBody,
        response=EmbeddingResponse,
        errors=(402, 501, 503),
        limited=True,
        body_example={"input": ["A call with Jack Russel", "Lunch"]},
        example={
            "success": True,
            "embeddings": [[0.6, 0.8, 0.0], [0.0, 0.6, -0.8]],
            "model": "text-embedding-3-small",
            "dimensions": 3,
        },
    )
)
def embed() -> Response[str]:
    principal = app.principal()
    made = embed_texts(principal.tenant, app.body(EmbeddingBody).input, bootstrap.embedder())
    shown = EmbeddingResponse(
        success=True,
        embeddings=[list(vector) for vector in made.vectors],
        model=made.model,
        dimensions=made.dimensions,
    )
    return answer(shown)


handler = rest_handler(app)
