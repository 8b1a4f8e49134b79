"""A fake of a serverless vector collection on a loopback port, limited to what memory uses and as strict as Amazon's.

It refuses document ids, refresh, delete by query, other engines than faiss, and unsigned requests. Searches are exact.
Tests can make it fail: see `refuse` and `hangs`.
"""

import json
import math
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

type Json = dict[str, Any]


class ServerlessCollection(LoopbackServer):
    """The server in a thread.

    `refuse` gets a document to be stored and returns the error status of its item, or None. While `hangs`, requests
    wait until the server stops.
    """

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.template: Json = {}
        self.indexes: dict[str, Json] = {}
        self.aliases: dict[str, str] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.refuse: Callable[[Json], int | None] = lambda _: None
        self.hangs = False
        self.lock = threading.Lock()

    def answer(self, method: str, path: str, lines: list[Json]) -> tuple[int, Json]:
        match method, path.strip("/").split("/"):
            case "PUT", ["_index_template", _]:
                self.template = lines[0]["template"]
                engine = self.template["mappings"]["properties"]["vector"]["method"]["engine"]
                return (200, {}) if engine == "faiss" else (400, {"error": "only faiss"})
            case "PUT", [name]:
                self.indexes[name] = {"mapping": self.template["mappings"], "documents": {}}
                self.aliases |= dict.fromkeys((lines or [{}])[0].get("aliases", {}), name)
                return 200, {}
            case "GET", [name, "_mapping"] if self._at(name):
                return 200, {name: {"mappings": self._at(name)["mapping"]}}
            case "GET", [_, "_alias"]:
                return 200, {
                    name: {"aliases": {alias: {} for alias, target in self.aliases.items() if target == name}}
                    for name in self.indexes
                }
            case "POST", ["_aliases"]:
                for action in lines[0]["actions"]:
                    if "add" in action:
                        self.aliases[action["add"]["alias"]] = action["add"]["index"]
                return 200, {}
            case "DELETE", [name] if name in self.indexes:
                del self.indexes[name]
                return 200, {}
            case (("POST" | "PUT"), [name, "_bulk"]) if self._at(name):
                return 200, {"errors": False, "items": list(self._bulk(self._at(name)["documents"], lines))}
            case (("POST" | "GET"), [name, "_search"]) if self._at(name):
                return 200, self._search(self._at(name)["documents"], lines[0])
            case (("POST" | "GET"), [name, "_msearch"]) if self._at(name):
                documents = self._at(name)["documents"]
                return 200, {"responses": [self._search(documents, body) for body in lines[1::2]]}
        return 404, {"error": {"type": "not_supported", "reason": f"{method} {path}"}, "status": 404}

    def _at(self, name: str) -> Json:
        return self.indexes.get(self.aliases.get(name, name), {})

    def _bulk(self, documents: Json, lines: list[Json]) -> Iterator[Json]:
        rest = iter(lines)
        for line in rest:
            ((action, options),) = line.items()
            if action == "delete":
                deleted = documents.pop(options["_id"], None)
                yield {action: {"status": 404 if deleted is None else 200}}
                continue
            document = next(rest)
            status = 400 if "_id" in options else self.refuse(document) or 201
            if status == 201:
                documents[uuid4().hex] = document
            yield {action: {"status": status}}

    def _search(self, documents: Json, body: Json) -> Json:
        query = body["query"]
        knn = query.get("knn", {}).get("vector", {})
        query = knn.get("filter", query)
        text = query.get("bool", {}).get("must", [{}])[0].get("match", {}).get("text")
        hits = [
            {"_id": key, "_source": document, "_score": self._score(document, knn.get("vector"), text)}
            for key, document in documents.items()
            if _passes(document, query.get("bool", {}).get("filter", []))
        ]
        hits = [hit for hit in hits if hit["_score"] >= max(body.get("min_score", 0), 1e-9)]
        hits.sort(key=lambda hit: -hit["_score"])
        if "sort" in body:
            hits = [{**hit, "sort": [hit["_source"]["key"]]} for hit in hits]
            hits.sort(key=lambda hit: hit["sort"])
            hits = [hit for hit in hits if hit["sort"] > body.get("search_after", [""])]
        return {"hits": {"hits": hits[: body["size"]]}}

    def _score(self, document: Json, vector: list[float] | None, text: str | None) -> float:
        if text is not None:
            stems = [{word[:6] for word in value.lower().split()} for value in (text, document["text"])]
            return float(len(stems[0] & stems[1]))
        if vector is None:
            return 1.0
        product = math.sumprod(vector, document["vector"])
        return 1 + product if product >= 0 else 1 / (1 - product)


def _passes(document: Json, filters: list[Json]) -> bool:
    for term in filters:
        ((kind, condition),) = term.items()
        ((name, value),) = condition.items()
        if kind == "range":
            if datetime.fromisoformat(document[name]) >= datetime.fromisoformat(value["lt"]):
                return False
            continue
        if document.get(name) not in (value if kind == "terms" else [value]):
            return False
    return True


class _Handler(LoopbackHandler):
    fake: ServerlessCollection

    def _serve(self) -> None:
        content = self.content().decode()
        address = urlsplit(self.path)
        headers = self.lower_headers()
        self.fake.requests.append((self.command, address.path, headers))
        if self.fake.hangs:
            self.fake.stopping.wait()
            self.close_connection = True
            return
        status, answer = 403, {"error": "not signed for aoss"}
        if "/aoss/aws4_request" in headers.get("authorization", "") and "x-amz-content-sha256" in headers:
            status, answer = 400, {"error": "no refresh here"}
            if "refresh" not in parse_qs(address.query):
                lines = [json.loads(line) for line in content.split("\n") if line]
                with self.fake.lock:
                    status, answer = self.fake.answer(self.command, address.path, lines)
        self.send(status, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    do_GET = do_POST = do_PUT = do_DELETE = _serve
