"""POST /api/ai/embedding: texts as vectors."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.embedding import EmbeddingBody, EmbeddingResponse
from aisha.application.models.embedding import embed_texts

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
    made = embed_texts(principal.tenant, app.body(EmbeddingBody).input, app.services.embedder)
    return answer(
        EmbeddingResponse(
            success=True,
            embeddings=[list(vector) for vector in made.vectors],
            model=made.model,
            dimensions=made.dimensions,
        )
    )


handler = app.resolve
