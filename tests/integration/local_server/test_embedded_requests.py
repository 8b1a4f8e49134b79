"""Transactions and queries of the embedded database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.local.aws_fakes.embedded import EmbeddedAWS
from tests.support.dynamodb_rows import TABLE, Rows, add, delete, key, put

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def tables() -> Iterator[EmbeddedAWS]:
    with EmbeddedAWS(None) as aws:
        yield aws


@pytest.fixture
def table(tables: EmbeddedAWS) -> Rows:
    """Empty the tables that the module's tests share; creating them takes a quarter of a second."""
    tables.clear()
    return Rows()


def failing_check(pk: str, sk: str) -> dict[str, Any]:
    condition = {"ConditionExpression": "attribute_exists(pk)"}
    return {"ConditionCheck": {"TableName": TABLE, "Key": key(pk, sk), **condition}}


# --- transactions


def test_a_cancelled_transaction_leaves_everything_as_it_was(table: Rows) -> None:
    for sk in ("put", "added", "deleted"):
        table.put("p", sk, 1)
    steps = (put("p", "put", 9), add("p", "added", 9), delete("p", "deleted"), put("p", "new", 9), add("q", "new", 9))
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        table.transact(*steps, failing_check("p", "nobody"))
    assert {sk: table.get("p", sk) for sk in ("put", "added", "deleted", "new")} == {
        "put": 1,
        "added": 1,
        "deleted": 1,
        "new": None,
    }
    assert table.query("p")[0] == ["added", "deleted", "put"]
    assert table.query("q")[0] == []


def test_a_transaction_does_all_its_steps(table: Rows) -> None:
    table.put("p", "added", 1)
    table.put("p", "deleted", 1)
    table.transact(put("p", "new", 5), add("p", "added", 2), delete("p", "deleted"))
    assert table.query("p")[0] == ["added", "new"]
    assert (table.get("p", "added"), table.get("p", "new")) == (3, 5)


def test_a_transaction_that_names_an_item_twice_is_refused_whole(table: Rows) -> None:
    table.put("p", "one", 1)
    with pytest.raises(ClientError, match="multiple operations on one item"):
        table.transact(put("p", "one", 2), put("p", "two", 2), put("p", "one", 3))
    assert (table.get("p", "one"), table.get("p", "two")) == (1, None)


def test_many_threads_lose_no_update(table: Rows) -> None:
    def work(number: int) -> None:
        table.transact(add("p", "counter", 1), put("p", f"row{number:03d}", number))

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(160)))
    assert table.get("p", "counter") == 160
    assert len(table.query("p")[0]) == 161


# --- queries

LETTERS = [f"{letter}{number}" for letter in "abcde" for number in range(4)]
CONDITIONS: list[tuple[str, dict[str, str], Callable[[str], bool]]] = [
    ("", {}, lambda sk: True),
    ("sk = :a", {"a": "b2"}, lambda sk: sk == "b2"),
    ("sk < :a", {"a": "c0"}, lambda sk: sk < "c0"),
    ("sk <= :a", {"a": "c0"}, lambda sk: sk <= "c0"),
    ("sk > :a", {"a": "c0"}, lambda sk: sk > "c0"),
    ("sk >= :a", {"a": "c0"}, lambda sk: sk >= "c0"),
    ("sk BETWEEN :a AND :b", {"a": "b1", "b": "d2"}, lambda sk: "b1" <= sk <= "d2"),
    ("begins_with(sk, :a)", {"a": "d"}, lambda sk: sk.startswith("d")),
    ("begins_with(sk, :a)", {"a": "x"}, lambda sk: False),
]


@pytest.mark.parametrize(("condition", "values", "passes"), CONDITIONS, ids=[one[0] or "all" for one in CONDITIONS])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("limit", [None, 3])
def test_a_query_gives_its_part_of_the_partition_page_by_page(
    table: Rows, condition: str, values: dict[str, str], passes: Callable[[str], bool], forward: bool, limit: int | None
) -> None:
    for sk in reversed(LETTERS):
        table.put("p", sk)
        table.put("other", f"{sk}x")
    options: dict[str, Any] = {"ScanIndexForward": forward} | ({"Limit": limit} if limit else {})
    keys: list[str] = []
    for _ in range(10):
        page, start = table.query("p", condition, **values, **options)
        assert limit is None or len(page) <= limit
        keys += page
        if start is None:
            break
        options["ExclusiveStartKey"] = start
    assert keys == [sk for sk in (LETTERS if forward else LETTERS[::-1]) if passes(sk)]


def test_a_query_follows_puts_and_deletes(table: Rows) -> None:
    for sk in ("b", "d"):
        table.put("p", sk)
    assert table.query("p")[0] == ["b", "d"]
    for sk in ("c", "a", "c", "e"):
        table.put("p", sk)
    table.client.delete_item(TableName=TABLE, Key=key("p", "b"))
    table.client.delete_item(TableName=TABLE, Key=key("p", "nothing"))
    assert table.query("p")[0] == ["a", "c", "d", "e"]
    for sk in ("a", "c", "d", "e"):
        table.client.delete_item(TableName=TABLE, Key=key("p", sk))
    assert table.query("p")[0] == []


def test_nested_values_come_back_as_they_were_put(table: Rows) -> None:
    nested = {"L": [{"M": {"x": {"N": "1"}, "y": {"BOOL": True}}}, {"NULL": True}, {"SS": ["a"]}, {"B": b"\x00\x01"}]}
    table.client.put_item(TableName=TABLE, Item={**key("p", "s"), "deep": nested})
    assert table.client.get_item(TableName=TABLE, Key=key("p", "s"))["Item"]["deep"] == nested
