"""POST /api/ai/embedding: embeds texts as vectors."""

from aisha.api.rest_app import RestApp
from aisha.api.schemas.models.embedding import EmbeddingBody, EmbeddingResponse
from aisha.application.models.embedding import embed_texts

app = RestApp()


@app.operation(
    "POST",
    "/api/ai/embedding",
    "embed",
    summary="Embed texts",
    description="Returns a vector for each text; texts with similar meanings have similar vectors. Responds with "
    "501 `embedding_unavailable` if no embedding model is configured, and with 402 if the tenant's budget is used "
    "up.",
    errors=(402, 501, 503),
)
def embed(body: EmbeddingBody) -> EmbeddingResponse:
    principal = app.principal()
    embeddings = embed_texts(principal.tenant, body.input, app.services.embedder)
    return EmbeddingResponse(
        success=True,
        embeddings=[list(vector) for vector in embeddings.vectors],
        model=embeddings.model,
        dimensions=embeddings.dimensions,
    )


handler = app.resolve
