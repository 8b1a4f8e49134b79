"""Schemas of uploaded documents."""

from datetime import datetime
from typing import Any

from pydantic import Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.application.knowledge import documents


class DocumentBody(StrictBody):
    """A document. `text` is Markdown without the title.

    Sections have `## ` headings; an answer quotes the section that fits best.
    """

    title: str = Field(min_length=1, max_length=200, pattern=r"\S")
    text: str = Field(min_length=1, max_length=documents.MAX_TEXT_LENGTH, pattern=r"\S")
    description: str = Field("", max_length=500, description="Subject of the document, which searches match.")


class DocumentHeadJson(CamelModel):
    """A document without its text."""

    id: str
    title: str
    description: str
    characters: int
    uploaded_by: str
    uploaded_at: datetime


class DocumentJson(DocumentHeadJson):
    """A document with its text."""

    text: str


class DocumentsJson(CamelModel):
    """Documents, sorted by id."""

    items: list[DocumentHeadJson]


def document_head_json(upload: documents.Upload) -> DocumentHeadJson:
    """Return an upload without its text."""
    return DocumentHeadJson.from_attributes(upload.article, **_about(upload))


def document_json(upload: documents.Upload) -> DocumentJson:
    """Return an upload."""
    return DocumentJson.from_attributes(upload.article, **_about(upload))


def _about(upload: documents.Upload) -> dict[str, Any]:
    characters = len(upload.article.text)
    return {"characters": characters, "uploaded_by": upload.uploaded_by, "uploaded_at": upload.uploaded_at}
