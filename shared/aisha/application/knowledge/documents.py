"""A tenant's documents: the product's articles, replaced and completed by the uploads of the tenant's admins."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct
from pydantic import TypeAdapter

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge.library import Article, Library
from aisha.domain.crm.paging import items
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal, require_admin

KIND = "document"
MAX_DOCUMENTS = 50
"""Uploads of a tenant: each search reads them all."""
MAX_ID_LENGTH = 100
MAX_TEXT_LENGTH = 40_000
"""Characters of a document, about 25 pages."""
_PAGE_SIZE = 50
_DATETIME = TypeAdapter(datetime)


class Upload(Struct, frozen=True):
    """An uploaded document with its uploader and time. `version` is 1 for a new one."""

    article: Article
    uploaded_by: str
    uploaded_at: datetime
    version: int


def library(entries: EntryRepository, tenant: str) -> Library:
    """Return all documents of the tenant. Raises as `knowledge.library` does, and `UnavailableError`."""
    # An upload with the id of one of the product's articles replaces it.
    own = {upload.article.id: upload.article for upload in list_uploads(entries, tenant)}
    if not own:
        return knowledge.library()
    articles = {article.id: article for article in knowledge.articles()} | own
    return _library(tuple(articles[article_id] for article_id in sorted(articles)))


def list_uploads(entries: EntryRepository, tenant: str) -> list[Upload]:
    """Return the tenant's own documents, sorted by id."""
    return [_upload(entry) for entry in _entries(entries, tenant)]


def get_upload(entries: EntryRepository, tenant: str, document_id: str) -> Upload:
    """Return one of the tenant's own documents. Raises `NotFoundError`."""
    entry = entries.find(tenant, None, KIND, document_id)
    if entry is None:
        raise _not_found(document_id)
    return _upload(entry)


def save(
    entries: EntryRepository,
    clock: Clock,
    principal: Principal,
    document_id: str,
    title: str,
    text: str,
    description: str,
) -> Upload:
    """Store a document, new or changed.

    `text` is Markdown without the title, of at most 40,000 characters; sections begin with `## `. Raises
    `PermissionDeniedError` unless the user is an admin, `InvalidInputError`, and `ConflictError` when there are 50
    already.
    """
    require_admin(principal, "change documents")
    if len(document_id) > MAX_ID_LENGTH:
        raise InvalidInputError(
            f"An id can have at most {MAX_ID_LENGTH} characters. Choose a shorter one.", pointer="/id"
        )
    article = knowledge.make_article(document_id, title, description or title, text)
    if len(article.text) > MAX_TEXT_LENGTH:
        raise InvalidInputError(
            f"The text has {len(article.text):,} characters, at most {MAX_TEXT_LENGTH:,} are kept",
            pointer="/text",
            suggestion="Split it into several documents.",
        )
    # Another version of the document itself does not count. The check is not atomic: two uploads at the same moment may
    # exceed the limit by one, which does no harm.
    others = [entry for entry in _entries(entries, principal.tenant) if entry.id != document_id]
    if len(others) >= MAX_DOCUMENTS:
        raise ConflictError(
            f"There are {MAX_DOCUMENTS} documents already", suggestion="Delete one that is no longer needed."
        )
    body = {
        "title": article.title,
        "description": article.description,
        "text": article.text,
        "uploaded_by": principal.user,
        "uploaded_at": clock.now().isoformat(),
    }
    return _upload(entries.put(principal.tenant, None, KIND, document_id, body))


def delete(entries: EntryRepository, principal: Principal, document_id: str) -> None:
    """Delete one of the tenant's own documents. Raises `PermissionDeniedError`, `NotFoundError`."""
    require_admin(principal, "change documents")
    if not entries.delete(principal.tenant, None, KIND, document_id):
        raise _not_found(document_id)


# The stems of a hundred pages take about a second, and a library keeps them. The key is the content, so a changed
# upload gets a new library at once.
@lru_cache(maxsize=8)
def _library(articles: tuple[Article, ...]) -> Library:
    return Library(articles)


def _entries(entries: EntryRepository, tenant: str) -> Iterator[Entry]:
    return items(lambda cursor: entries.page(tenant, None, KIND, limit=_PAGE_SIZE, cursor=cursor, oldest_first=True))


def _upload(entry: Entry) -> Upload:
    body: Mapping[str, Any] = entry.body
    article = Article(entry.id, body["title"], body["description"], body["text"])
    return Upload(article, body["uploaded_by"], _DATETIME.validate_python(body["uploaded_at"]), entry.version)


def _not_found(document_id: str) -> NotFoundError:
    return NotFoundError(
        "There is no such document among your organisation's.",
        entity_type=KIND,
        entity_id=document_id[:200],
        suggestion="List them with GET /api/ai/documents.",
    )
