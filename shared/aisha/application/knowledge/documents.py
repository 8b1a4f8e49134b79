"""The documents of a tenant: the product's articles and what its admins uploaded, which takes the place of an article of the same id."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct
from pydantic import TypeAdapter

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge.library import Article, Library
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError, PermissionDeniedError
from aisha.domain.pages import items
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal

KIND = "document"
MOST = 50
"""Documents of a tenant: each search reads them all."""
LONGEST_ID = 100
CHARACTERS = 40_000
"""Of one document, about 25 pages."""
_EDITOR = "admin"
_PAGE = 50
_MOMENT = TypeAdapter(datetime)


class Upload(Struct, frozen=True):
    """A document that was uploaded, by whom and when. `version` is 1 for a new one."""

    article: Article
    uploaded_by: str
    uploaded_at: datetime
    version: int


def library(entries: EntryRepository, tenant: str) -> Library:
    """Everything that can be searched and read. Raises as `knowledge.library` does, and `UnavailableError`."""
    own = {one.article.id: one.article for one in uploads(entries, tenant)}
    if not own:
        return knowledge.library()
    articles = {one.id: one for one in knowledge.articles()} | own
    return _library(tuple(articles[name] for name in sorted(articles)))


def uploads(entries: EntryRepository, tenant: str) -> list[Upload]:
    """The tenant's own documents by id."""
    return [_upload(entry) for entry in _entries(entries, tenant)]


def upload(entries: EntryRepository, tenant: str, document_id: str) -> Upload:
    """One of the tenant's own. Raises `NotFoundError`."""
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
    """Puts a document in, or another text in its place.

    `text` is Markdown without the title, of at most 40,000 characters; sections begin with `## `. Raises
    `PermissionDeniedError` for who is no admin, `InvalidInputError`, and `ConflictError` when there are 50 already.
    """
    check_editor(principal)
    if len(document_id) > LONGEST_ID:
        raise InvalidInputError(f"An id has at most {LONGEST_ID} characters.", pointer="/id")
    article = knowledge.article(document_id, title, description or title, text)
    if len(article.text) > CHARACTERS:
        raise InvalidInputError(
            f"The text has {len(article.text):,} characters, at most {CHARACTERS:,} are kept",
            pointer="/text",
            suggestion="Split it into several documents.",
        )
    others = [entry for entry in _entries(entries, principal.tenant) if entry.id != document_id]
    if len(others) >= MOST:
        raise ConflictError(f"There are {MOST} documents already", suggestion="Delete one that no longer counts.")
    body = {
        "title": article.title,
        "description": article.description,
        "text": article.text,
        "uploaded_by": principal.user,
        "uploaded_at": clock.now().isoformat(),
    }
    return _upload(entries.put(principal.tenant, None, KIND, document_id, body))


def delete(entries: EntryRepository, principal: Principal, document_id: str) -> None:
    """Takes one of the tenant's own away. Raises `PermissionDeniedError`, `NotFoundError`."""
    check_editor(principal)
    if not entries.delete(principal.tenant, None, KIND, document_id):
        raise _not_found(document_id)


def check_editor(principal: Principal) -> None:
    """Raises `PermissionDeniedError` for who may not change documents."""
    if _EDITOR not in principal.roles:
        raise PermissionDeniedError(
            "Only admins may change documents.", suggestion="Ask an admin of your organisation."
        )


@lru_cache(maxsize=8)
def _library(articles: tuple[Article, ...]) -> Library:
    """What a search needs of the same articles is worked out once: stems of a hundred pages take about a second."""
    return Library(articles)


def _entries(entries: EntryRepository, tenant: str) -> Iterator[Entry]:
    return items(lambda cursor: entries.page(tenant, None, KIND, limit=_PAGE, cursor=cursor, oldest_first=True))


def _upload(entry: Entry) -> Upload:
    body: Mapping[str, Any] = entry.body
    article = Article(entry.id, body["title"], body["description"], body["text"])
    return Upload(article, body["uploaded_by"], _MOMENT.validate_python(body["uploaded_at"]), entry.version)


def _not_found(document_id: str) -> NotFoundError:
    return NotFoundError(
        "There is no such document among your organisation's.", entity_type=KIND, entity_id=document_id[:200]
    )
