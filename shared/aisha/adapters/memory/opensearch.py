"""Memory in OpenSearch: neighbours by HNSW over Lucene and words by BM25, ranked together."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import batched
from typing import Any
from uuid import uuid4

from msgspec import convert, to_builtins

from aisha.adapters.memory.opensearch_client import answering
from aisha.adapters.memory.opensearch_index import BATCH, PAGE, MemoryIndex, rounded
from aisha.adapters.memory.vectors import unit_vectors
from aisha.application.memory.retrieval import CANDIDATES, fuse
from aisha.domain.errors import NotFoundError, UnavailableError
from aisha.domain.json_values import without_none
from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery

SEARCH_SECONDS = 2.0
"""Timeout of a search. It is short, because a turn can go on without memory."""
DELETE_SECONDS = 60.0
FILTERS = ("entity_type", "entity_id", "user")
CREATED, EXISTS = 201, 409

type Documents = dict[str, dict[str, Any]]
"""Documents by their keys."""


class OpenSearchMemoryStore:
    """A `MemoryStore` behind an alias. The next search finds what `add` has stored.

    A serverless collection, which can't be told to wait, finds it some seconds later; what is added twice within these
    seconds is stored twice and found once.
    """

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self._client = index.client

    def add(self, chunks: Sequence[MemoryChunk], vectors: Sequence[Sequence[float]]) -> int:
        units = unit_vectors(vectors, len(chunks), self._index.dimensions)
        documents = _newest_of_each(_document(chunk, unit) for chunk, unit in zip(chunks, units, strict=True))
        if not documents:
            return 0
        with answering():
            self._index.ensure()
            # Only the last batch waits for the refresh: it makes the earlier ones searchable, too.
            batches = [dict(batch) for batch in batched(documents.items(), BATCH)]
            return sum(self._add(batch, wait=batch is batches[-1]) for batch in batches)

    def search(self, tenant: str, vector: Sequence[float], query: MemoryQuery) -> list[MemoryHit]:
        (unit,) = unit_vectors([vector], 1, self._index.dimensions)
        filters = _filters(tenant, **{name: getattr(query, name) for name in FILTERS})
        searches = [self._nearest(unit, filters, query.threshold), _sharing(query.text, filters)]
        with answering():
            if not self._index.exists():
                return []
            lines = [line for search in searches for line in ({}, search)]
            options = {"request_timeout": SEARCH_SECONDS}
            answers = self._client.msearch(body=lines, index=self._index.alias, params=options)["responses"]
        if failed := [answer for answer in answers if "error" in answer]:
            raise UnavailableError("OpenSearch refused the request", detail={"status": failed[0].get("status")})
        near, sharing = (_by_hash(answer["hits"]["hits"]) for answer in answers)
        # A match by words alone has no cosine, so it only ranks among the neighbours.
        order = [key for key in fuse(list(near), list(sharing)) if key in near]
        return [
            MemoryHit(convert(near[key]["_source"], MemoryChunk), self._index.cosine(near[key]["_score"]))
            for key in order[: query.limit]
        ]

    def get(self, tenant: str, chunk_id: str) -> MemoryChunk:
        body = {"query": _filters(tenant, id=chunk_id), "size": 1, "_source": {"excludes": ["vector"]}}
        with answering():
            hits = (
                self._client.search(index=self._index.alias, body=body)["hits"]["hits"] if self._index.exists() else []
            )
        if not hits:
            raise NotFoundError(f"There is no memory {chunk_id}")
        return convert(hits[0]["_source"], MemoryChunk)

    def delete(self, tenant: str, chunk_id: str) -> None:
        if not self._delete(_filters(tenant, id=chunk_id)):
            raise NotFoundError(f"There is no memory {chunk_id}")

    def delete_record(self, tenant: str, entity_type: str, entity_id: str) -> int:
        return self._delete(_filters(tenant, entity_type=entity_type, entity_id=entity_id))

    def delete_user(self, tenant: str, user: str) -> int:
        return self._delete(_filters(tenant, user=user))

    def delete_tenant(self, tenant: str) -> int:
        return self._delete(_filters(tenant))

    def delete_before(self, instant: datetime) -> int:
        return self._delete({"bool": {"filter": [{"range": {"created_at": {"lt": instant.isoformat()}}}]}})

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._client.close()

    def _add(self, documents: Documents, *, wait: bool) -> int:
        documents, replaced = self._without_older(documents)
        if self._index.is_serverless:
            documents = self._unknown(documents)
        actions: list[dict[str, Any]] = []
        for key, document in documents.items():
            actions += [{"create": {} if self._index.is_serverless else {"_id": key}}, document]
        # Written before what they replace is deleted: after a failure in between, the next try finds that again.
        wait_here = wait and not replaced
        statuses = (
            [outcome["status"] for outcome in self._index.bulk(self._index.alias, actions, wait=wait_here)]
            if actions
            else []
        )
        if failed := [status for status in statuses if status not in (CREATED, EXISTS)]:
            detail = {"failed": len(failed), "statuses": sorted(set(failed))}
            raise UnavailableError("OpenSearch did not take every memory", detail=detail)
        if replaced:
            self._delete_keys(replaced, wait=wait)
        return statuses.count(CREATED)

    def _without_older(self, documents: Documents) -> tuple[Documents, list[str]]:
        """Return those that are newer than other content of their ids, and the keys of what they replace."""
        by_id = {(document["tenant"], document["id"]): key for key, document in documents.items()}
        tenants, ids = (sorted({document[name] for document in documents.values()}) for name in ("tenant", "id"))
        query = {"bool": {"filter": [{"terms": {"tenant": tenants}}, {"terms": {"id": ids}}]}}
        newer, replaced = dict(documents), []
        for hits in self._index.pages(self._index.alias, query, PAGE, ["tenant", "id", "hash", "created_at"]):
            for hit in hits:
                stored = hit["_source"]
                key = by_id.get((stored["tenant"], stored["id"]))
                if key is None or documents[key]["hash"] == stored["hash"]:
                    continue
                if _at(stored) < _at(documents[key]):
                    replaced.append(hit["_id"])
                else:
                    newer.pop(key, None)
        return newer, replaced

    def _unknown(self, documents: Documents) -> Documents:
        """Return the documents that a collection does not have, with new keys, since it takes no ids of ours."""
        hashes = [document["hash"] for document in documents.values()]
        tenants = sorted({document["tenant"] for document in documents.values()})
        query = {"bool": {"filter": [{"terms": {"tenant": tenants}}, {"terms": {"hash": hashes}}]}}
        pages = self._index.pages(self._index.alias, query, PAGE, ["tenant", "hash"])
        stored = {(hit["_source"]["tenant"], hit["_source"]["hash"]) for hits in pages for hit in hits}
        new = [document for document in documents.values() if (document["tenant"], document["hash"]) not in stored]
        keys = [uuid4().hex for _ in new]
        return {key: {**document, "key": key} for key, document in zip(keys, new, strict=True)}

    def _nearest(self, unit: list[float], filters: dict[str, Any], threshold: float | None) -> dict[str, Any]:
        knn = {"vector": rounded(unit), "k": CANDIDATES, "filter": filters}
        body = {"size": CANDIDATES, "_source": {"excludes": ["vector"]}, "query": {"knn": {"vector": knn}}}
        return body if threshold is None else {**body, "min_score": self._index.score(threshold)}

    def _delete(self, query: dict[str, Any]) -> int:
        with answering():
            if not self._index.exists():
                return 0
            return self._delete_one_by_one(query) if self._index.is_serverless else self._delete_by_query(query)

    def _delete_by_query(self, query: dict[str, Any]) -> int:
        # Deletion by a query only finds what searches find: the last writes have to become searchable first.
        self._client.indices.refresh(index=self._index.alias)
        # Without request_timeout the client gives up while the server goes on.
        options = {"refresh": "true", "request_timeout": DELETE_SECONDS}
        answer = self._client.delete_by_query(index=self._index.alias, body={"query": query}, params=options)
        if answer["failures"] or answer["timed_out"]:
            raise UnavailableError("OpenSearch did not forget everything; ask again")
        return int(answer["deleted"])

    def _delete_one_by_one(self, query: dict[str, Any]) -> int:
        deleted = 0
        for hits in self._index.pages(self._index.alias, query, PAGE, False):
            deleted += self._delete_keys([hit["_id"] for hit in hits], wait=False)
        return deleted

    def _delete_keys(self, keys: Sequence[str], *, wait: bool) -> int:
        actions = [{"delete": {"_id": key}} for key in keys]
        statuses = [outcome["status"] for outcome in self._index.bulk(self._index.alias, actions, wait=wait)]
        if any(status not in (200, 404) for status in statuses):
            raise UnavailableError("OpenSearch did not forget everything; ask again")
        return statuses.count(200)


def _key(chunk: MemoryChunk) -> str:
    """Return the document's id: the same content of a tenant is the same document, however often it is sent."""
    return hashlib.sha256(f"{chunk.tenant}\0{chunk.content_hash}".encode()).hexdigest()


def _newest_of_each(documents: Iterable[dict[str, Any]]) -> Documents:
    """Return documents by their keys, one for each id."""
    by_id: dict[tuple[str, str], dict[str, Any]] = {}
    for document in documents:
        place = document["tenant"], document["id"]
        if place not in by_id or _at(by_id[place]) < _at(document):
            by_id[place] = document
    newest: Documents = {}
    for document in by_id.values():
        newest.setdefault(document["key"], document)
    return newest


def _at(source: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(source["created_at"])


def _document(chunk: MemoryChunk, unit: Sequence[float]) -> dict[str, Any]:
    computed = {"key": _key(chunk), "hash": chunk.content_hash, "vector": rounded(unit)}
    return without_none(**to_builtins(chunk), **computed)


def _filters(tenant: str, **values: str | None) -> dict[str, Any]:
    terms = {"tenant": tenant, **without_none(**values)}
    return {"bool": {"filter": [{"term": {name: value}} for name, value in terms.items()]}}


def _sharing(text: str, filters: dict[str, Any]) -> dict[str, Any]:
    query = {"bool": {"must": [{"match": {"text": text}}], **filters["bool"]}}
    return {"size": CANDIDATES, "_source": ["hash"], "query": query}


def _by_hash(hits: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the hits in their order, each content once."""
    hits_by_hash: dict[str, dict[str, Any]] = {}
    for hit in hits:
        hits_by_hash.setdefault(hit["_source"]["hash"], hit)
    return hits_by_hash
