"""The index of memory: its fields, its versions behind an alias, and how a new version is made.

The index `<alias>-v000001` is made from a template of the same pattern; all reads and writes go to the alias. A new
mapping or another embedder needs a new version, which `reindex` fills.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from opensearchpy import OpenSearch
from opensearchpy.exceptions import NotFoundError as MissingError
from opensearchpy.exceptions import RequestError

from aisha.adapters.memory.opensearch_client import Service, answering
from aisha.adapters.memory.vectors import unit_vectors
from aisha.domain.errors import UnavailableError
from aisha.domain.ports import Embedder

ALIAS = "aisha-memory"
BATCH = 200
"""Documents in one request: with 1,536 numbers each some 4 MB, where the smallest domains take 10."""
DIGITS = 8
"""Decimals of a vector's numbers; rounding changes no cosine by more than 1e-6."""
PAGE = 1000
READY_SECONDS = 10


class MemoryIndex:
    """The index behind an alias, for the vectors of one embedder, which `space` names."""

    def __init__(
        self, client: OpenSearch, space: str, dimensions: int, *, alias: str = ALIAS, service: Service = "none"
    ) -> None:
        self.client = client
        self.alias = alias
        self.dimensions = dimensions
        self.is_serverless = service == "aoss"
        self._space = space
        self._is_checked = False
        self._is_ready = False

    def exists(self) -> bool:
        """Return whether the alias exists. Raises `UnavailableError` when its vectors are another embedder's."""
        if not self._is_checked:
            try:
                mapping = self.client.indices.get_mapping(index=self.alias)
            except MissingError:
                return False
            self._check(*mapping.values())
            self._is_checked = True
        return True

    def ensure(self) -> None:
        """Make the first version when there is none. Raises as `exists` does."""
        if not self.exists():
            try:
                self.create(1, {"aliases": {self.alias: {}}})
            except RequestError as error:
                # Another process was faster.
                if error.error != "resource_already_exists_exception":
                    raise
            self.exists()
        if not (self._is_ready or self.is_serverless):
            # An index that was made a moment ago, or whose server has just started, can't be searched yet.
            options = {"wait_for_active_shards": 1, "request_timeout": READY_SECONDS}
            self.client.cluster.health(index=self.alias, params=options)
            self._is_ready = True

    def create(self, version: int, body: dict[str, Any]) -> str:
        """Make a new, empty version, after updating the template; return its name."""
        template = {"index_patterns": [f"{self.alias}-v*"], "template": self._fields()}
        self.client.indices.put_index_template(name=self.alias, body=template)
        name = f"{self.alias}-v{version:06d}"
        self.client.indices.create(index=name, body=body)
        return name

    def versions(self) -> dict[str, bool]:
        """Return the names of all versions, and whether the alias points there."""
        indices = self.client.indices.get_alias(index=f"{self.alias}-v*")
        return {name: self.alias in entry["aliases"] for name, entry in indices.items()}

    def bulk(self, index: str, actions: Sequence[dict[str, Any]], *, wait: bool) -> list[dict[str, Any]]:
        """Send one request; return an outcome for each action. `wait`: until searches find it."""
        # A collection knows no refresh: what was written is found some seconds later.
        options = {"refresh": "wait_for" if wait else "false"} if not self.is_serverless else {}
        answer = self.client.bulk(body=list(actions), index=index, params=options)
        return [outcome for item in answer["items"] for outcome in item.values()]

    def pages(self, index: str, query: dict[str, Any], size: int, fields: bool | list[str]) -> Iterator[list[Any]]:
        """Yield all documents that a query finds, page by page, in the order of their keys."""
        body: dict[str, Any] = {"query": query, "size": size, "sort": ["key"], "_source": fields}
        while hits := self.client.search(index=index, body=body)["hits"]["hits"]:
            yield hits
            body["search_after"] = hits[-1]["sort"]

    def score(self, cosine: float) -> float:
        """Return the index's score of a cosine: it has no negative scores."""
        # Lucene's formula for cosines, then faiss's for inner products.
        if not self.is_serverless:
            return (1 + cosine) / 2
        return 1 + cosine if cosine >= 0 else 1 / (1 - cosine)

    def cosine(self, score: float) -> float:
        """Return the cosine of a score."""
        if not self.is_serverless:
            return min(1.0, 2 * score - 1)
        return min(1.0, score - 1) if score >= 1 else 1 - 1 / score

    def _check(self, mapping: dict[str, Any]) -> None:
        meta = mapping["mappings"].get("_meta", {})
        if (meta.get("space"), meta.get("dimensions")) != (self._space, self.dimensions):
            raise UnavailableError(
                f"Memory was kept with {meta.get('space')} and can't be read with {self._space}",
                suggestion="Make its vectors anew (make memory-reindex), or set AISHA_EMBEDDER back",
            )

    def _fields(self) -> dict[str, Any]:
        keyword = {"type": "keyword"}
        names = ("key", "tenant", "hash", "id", "user", "entity_type", "entity_id")
        fields: dict[str, Any] = dict.fromkeys(names, keyword)
        fields["text"] = {"type": "text", "analyzer": "english"}
        # Stored, but not indexed: its keys are the callers' and would each become a field.
        fields["metadata"] = {"type": "object", "enabled": False}
        fields["created_at"] = {"type": "date"}
        fields["vector"] = {"type": "knn_vector", "dimension": self.dimensions, "method": self._method()}
        settings: dict[str, Any] = {"index.knn": True}
        if not self.is_serverless:
            settings |= {"index.number_of_shards": 1, "index.auto_expand_replicas": "0-1"}
        meta = {"space": self._space, "dimensions": self.dimensions}
        return {"settings": settings, "mappings": {"dynamic": "strict", "_meta": meta, "properties": fields}}

    def _method(self) -> dict[str, Any]:
        # A serverless collection has faiss alone; of vectors of length 1 the inner product is the cosine.
        engine, space = ("faiss", "innerproduct") if self.is_serverless else ("lucene", "cosinesimil")
        parameters = {"m": 16, "ef_construction": 128}
        return {"name": "hnsw", "engine": engine, "space_type": space, "parameters": parameters}


def reindex(client: OpenSearch, embedder: Embedder, *, alias: str = ALIAS, service: Service = "none") -> int:
    """Make a new version with today's mapping and this embedder's vectors, move the alias, remove the old version.

    Returns the number of documents. Meanwhile searches go on and writes are refused (`UnavailableError`, so that a
    queue keeps them); a serverless collection can't refuse them: stop ingestion there first. Raises `UnavailableError`;
    the old version then goes on. Run it again when OpenSearch itself went away: until then writes stay refused. What an
    earlier run has left is removed.
    """
    index = MemoryIndex(client, embedder.name, embedder.dimensions, alias=alias, service=service)
    with answering():
        versions = index.versions()
        old = next((name for name, is_current in versions.items() if is_current), None)
        for name in versions:
            if name != old:
                client.indices.delete(index=name)
        if old is None:
            index.ensure()
            return 0
        return _replace(index, old, embedder)


def _replace(index: MemoryIndex, old: str, embedder: Embedder) -> int:
    client = index.client
    new = index.create(int(old.rpartition("-v")[2]) + 1, {})
    _block_writes(index, old, is_blocked=True)
    try:
        copied = _copy(index, old, new, embedder)
        moves = [{"remove": {"index": old, "alias": index.alias}}, {"add": {"index": new, "alias": index.alias}}]
        client.indices.update_aliases(body={"actions": moves})
    except BaseException:
        # The new version stays for the next run to remove: when only the answer got lost, the alias is there already.
        _block_writes(index, old, is_blocked=False)
        raise
    client.indices.delete(index=old)
    return copied


def _block_writes(index: MemoryIndex, name: str, *, is_blocked: bool) -> None:
    if not index.is_serverless:
        index.client.indices.put_settings(index=name, body={"index.blocks.write": is_blocked})


def _copy(index: MemoryIndex, old: str, new: str, embedder: Embedder) -> int:
    (mapping,) = index.client.indices.get_mapping(index=old).values()
    is_same = mapping["mappings"].get("_meta", {}).get("space") == embedder.name
    copied = 0
    if not index.is_serverless:
        index.client.indices.refresh(index=old)
    for hits in index.pages(old, {"match_all": {}}, BATCH, True):
        documents = [hit["_source"] for hit in hits]
        if not is_same:
            _embed(documents, embedder)
        actions: list[dict[str, Any]] = []
        for document in documents:
            actions += [{"create": {} if index.is_serverless else {"_id": document["key"]}}, document]
        if failed := [
            outcome["status"] for outcome in index.bulk(new, actions, wait=False) if outcome["status"] >= 300
        ]:
            raise UnavailableError("OpenSearch did not take every memory", detail={"failed": len(failed)})
        copied += len(documents)
    if not index.is_serverless:
        index.client.indices.refresh(index=new)
    return copied


def _embed(documents: list[dict[str, Any]], embedder: Embedder) -> None:
    vectors = embedder.embed([document["text"] for document in documents])
    for document, unit in zip(documents, unit_vectors(vectors, len(documents), embedder.dimensions), strict=True):
        document["vector"] = rounded(unit)


def rounded(unit: Sequence[float]) -> list[float]:
    """Return a vector as it is sent and stored."""
    return [round(number, DIGITS) for number in unit]
