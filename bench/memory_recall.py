"""Measure the recall of the OpenSearch index against exact search: the share of the five nearest memories found.

    infra/services/opensearch.sh start 9200
    python -m bench.memory_recall http://127.0.0.1:9200 --chunks 100000

Vectors are drawn around the centres of topics, as sentences of a CRM are. A tenth of the chunks belongs to the tenant
that is searched, the rest to others. The text of a query shares no word with any chunk.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from aisha.adapters.memory.opensearch import OpenSearchMemoryStore
from aisha.adapters.memory.opensearch_client import connect
from aisha.adapters.memory.opensearch_index import MemoryIndex
from aisha.domain.memory import MemoryChunk, MemoryQuery

type Array = NDArray[np.float32]

NOW = datetime(2026, 3, 2, tzinfo=UTC)
TENANTS, TOPICS, SPREAD = 10, 200, 1.0
"""Spread is the length of what is added to a topic's centre, which has length 1."""
BATCH = 2000
NEAREST = 5
MIN_RECALL = 0.99


def main() -> int:
    """Print the recall and the times. Returns 1 when the recall is below the minimum."""
    options = _options()
    random = np.random.default_rng(options.seed)
    centres = _normalize(random.standard_normal((TOPICS, options.dimensions)))
    vectors, questions = (_draw_vectors(random, centres, count) for count in (options.chunks, options.questions))
    client, alias = connect(options.endpoint, "none", "us-east-1"), f"memory-bench-{uuid4().hex[:8]}"
    store = OpenSearchMemoryStore(MemoryIndex(client, "bench", options.dimensions, alias=alias))
    try:
        started = time.perf_counter()
        for first in range(0, options.chunks, BATCH):
            store.add(list(_chunks(first, min(first + BATCH, options.chunks))), vectors[first : first + BATCH].tolist())
        print(
            f"{options.chunks} chunks of {options.dimensions} numbers stored in {time.perf_counter() - started:.0f} s"
        )
        return _measure(store, vectors, questions)
    finally:
        client.indices.delete(index=f"{alias}-v*")
        client.indices.delete_index_template(name=alias)
        store.close()


def _options() -> Any:
    parser = argparse.ArgumentParser(prog="bench.memory_recall")
    parser.add_argument("endpoint", help="http://127.0.0.1:9200")
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _chunks(first: int, end: int) -> Iterator[MemoryChunk]:
    for number in range(first, end):
        yield MemoryChunk(f"mem_{number}", f"tenant_{number % TENANTS}", f"case {number}", NOW, entity_type="lead")


def _draw_vectors(random: np.random.Generator, centres: Array, count: int) -> Array:
    offsets = random.standard_normal((count, centres.shape[1])) * (SPREAD / centres.shape[1] ** 0.5)
    return _normalize(centres[random.integers(len(centres), size=count)] + offsets)


def _normalize(vectors: Any) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def _measure(store: OpenSearchMemoryStore, vectors: Array, questions: Array) -> int:
    numbers = np.arange(0, len(vectors), TENANTS)
    exact = np.argsort(-(questions @ vectors[numbers].T), axis=1)[:, :NEAREST]
    hit_count, milliseconds = 0, []
    query = MemoryQuery("unrelated", entity_type="lead", limit=NEAREST)
    for question, nearest in zip(questions, exact, strict=True):
        started = time.perf_counter()
        hits = store.search("tenant_0", question.tolist(), query)
        milliseconds.append((time.perf_counter() - started) * 1000)
        hit_count += len({hit.chunk.id for hit in hits} & {f"mem_{numbers[number]}" for number in nearest})
    recall = hit_count / (len(questions) * NEAREST)
    median, slow = statistics.median(milliseconds), statistics.quantiles(milliseconds, n=20)[-1]
    print(f"recall@{NEAREST} against exact search, 1 tenant of {TENANTS}: {recall:.4f} over {len(questions)} questions")
    print(f"a search takes {median:.0f} ms (median), {slow:.0f} ms (95th percentile)")
    if recall < MIN_RECALL:
        print(f"recall is below {MIN_RECALL}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
