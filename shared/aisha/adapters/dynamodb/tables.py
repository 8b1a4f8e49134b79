"""The tables: their key schemas, their creation for local use, models bound to them, and their errors."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.connection import Connection
from pynamodb.exceptions import PynamoDBException
from pynamodb.models import Model

from aisha.domain.errors import UnavailableError

CONNECT_SECONDS = 1.0
READ_SECONDS = 3.0
MAX_RETRIES = 2
"""Retries of one request by botocore, with its own backoff: together they stay far below a turn's deadline."""
MAX_CONNECTIONS = 50
TTL_ATTRIBUTE = "expires_at"
BY_USER = "by_user"
PRIMARY_KEY = (("pk", "HASH"), ("sk", "RANGE"))
BY_USER_KEY = (("user_key", "HASH"), ("updated_at", "RANGE"))


def table_model[Item: Model](item: type[Item], name: str, region: str, endpoint: str | None) -> type[Item]:
    """Return a subclass of the item model that is bound to one table.

    PynamoDB keeps a table's name, place and connection in the model class, so that each repository needs its own.
    """

    class BoundItem(item):  # type: ignore[valid-type, misc]
        Meta = type("Meta", (), {"table_name": name, "region": region, "host": endpoint})

    table, connection = BoundItem._get_connection(), _connection(region, endpoint)
    if name not in connection._tables:
        connection.add_meta_table(table.get_meta_table())
    # By itself, each model would create a client of its own, which takes 50 ms, and open its own connections.
    table.connection = connection
    return BoundItem


@lru_cache
def _connection(region: str, endpoint: str | None) -> Connection:
    return Connection(
        region=region,
        host=endpoint,
        connect_timeout_seconds=CONNECT_SECONDS,
        read_timeout_seconds=READ_SECONDS,
        max_retry_attempts=MAX_RETRIES,
        max_pool_connections=MAX_CONNECTIONS,
    )


def _keys(schema: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in schema]


def _attributes(*schemas: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for schema in schemas for name, _ in schema]


def keyed_schema(name: str) -> dict[str, Any]:
    """Return the `CreateTable` request of the tables of CRM records and of entries."""
    return {
        "TableName": name,
        "KeySchema": _keys(PRIMARY_KEY),
        "AttributeDefinitions": _attributes(PRIMARY_KEY),
        "BillingMode": "PAY_PER_REQUEST",
    }


def conversations_schema(name: str) -> dict[str, Any]:
    """Return the `CreateTable` request of the conversations table, which the index `by_user` lists by user."""
    index = {"IndexName": BY_USER, "KeySchema": _keys(BY_USER_KEY), "Projection": {"ProjectionType": "ALL"}}
    return {
        "TableName": name,
        "KeySchema": _keys(PRIMARY_KEY),
        "AttributeDefinitions": _attributes(PRIMARY_KEY, BY_USER_KEY),
        "BillingMode": "PAY_PER_REQUEST",
        "GlobalSecondaryIndexes": [index],
    }


def create_tables(
    records_table: str,
    conversations_table: str,
    entries_table: str,
    *,
    region: str = "us-east-1",
    endpoint: str | None = None,
) -> None:
    """Create the missing tables with their expiry: for moto, DynamoDB Local and tests.

    In AWS the template creates them. Raises `UnavailableError` when nothing answers at `endpoint`.
    """
    config = Config(connect_timeout=CONNECT_SECONDS, read_timeout=10, retries={"total_max_attempts": 1 + MAX_RETRIES})
    with storage_errors():
        client: Any = boto3.client("dynamodb", region_name=region, endpoint_url=endpoint, config=config)
        schemas = keyed_schema(records_table), conversations_schema(conversations_table), keyed_schema(entries_table)
        for schema in schemas:
            _create(client, schema)


def _create(client: Any, schema: dict[str, Any]) -> None:
    try:
        client.create_table(**schema)
    # Another process, or an earlier run, has created it.
    except client.exceptions.ResourceInUseException:
        return
    name = schema["TableName"]
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    expiry = {"Enabled": True, "AttributeName": TTL_ATTRIBUTE}
    client.update_time_to_live(TableName=name, TimeToLiveSpecification=expiry)


def failure_code(error: PynamoDBException) -> str | None:
    """Return DynamoDB's code for a refused request; None when no answer came, so that it may have been carried out.

    In place of PynamoDB's `cause_response_code`, which raises for botocore's errors of a lost connection.
    """
    response: Mapping[str, Any] = getattr(error.cause, "response", None) or {}
    code: str | None = response.get("Error", {}).get("Code")
    return code


@contextmanager
def storage_errors() -> Iterator[None]:
    """Raise `UnavailableError` from the errors of PynamoDB and botocore."""
    try:
        yield
    except (PynamoDBException, BotoCoreError, ClientError) as error:
        raise UnavailableError("The record store does not answer right now. Please try again in a moment.") from error
