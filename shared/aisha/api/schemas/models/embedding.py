"""Schemas of texts and their embeddings."""

from typing import Annotated

from pydantic import AliasChoices, BeforeValidator, Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.application.models.embedding import MAX_TEXT_LENGTH, MAX_TEXTS

Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_LENGTH, pattern=r"\S")]
Texts = Annotated[
    list[Text],
    Field(min_length=1, max_length=MAX_TEXTS),
    BeforeValidator(
        # OpenAI's API takes one text or several, and so does this one.
        lambda value: [value] if isinstance(value, str) else value,
        json_schema_input_type=Text | Annotated[list[Text], Field(min_length=1, max_length=MAX_TEXTS)],
    ),
]


class EmbeddingBody(StrictBody):
    """The texts to embed."""

    input: Texts = Field(
        validation_alias=AliasChoices("input", "texts", "text"),
        description="A text, or 1 to 64 texts, of at most 8,000 characters each. Aliases: `text`, `texts`.",
    )


class EmbeddingResponse(CamelModel):
    """One vector of `dimensions` numbers per text, in the order of the texts.

    Vectors of different models can't be compared.
    """

    success: bool
    embeddings: list[list[float]]
    model: str
    dimensions: int
