"""Rows of one table, and the steps of a transaction on them."""

from typing import Any

import boto3

TABLE = "aisha-records"


def client() -> Any:
    return boto3.client("dynamodb", region_name="us-east-1")


class Rows:
    """The rows of one table. A row has a key and a number."""

    def __init__(self) -> None:
        self.client = client()

    def put(self, pk: str, sk: str, n: int = 0) -> None:
        self.client.put_item(TableName=TABLE, Item=row(pk, sk, n))

    def get(self, pk: str, sk: str) -> int | None:
        item = self.client.get_item(TableName=TABLE, Key=key(pk, sk)).get("Item")
        return int(item["n"]["N"]) if item else None

    def query(self, pk: str, condition: str = "", **options: Any) -> tuple[list[str], dict[str, Any] | None]:
        values = {":pk": {"S": pk}} | {f":{name}": {"S": options.pop(name)} for name in ("a", "b") if name in options}
        expression = f"pk = :pk AND {condition}" if condition else "pk = :pk"
        answer = self.client.query(
            TableName=TABLE, KeyConditionExpression=expression, ExpressionAttributeValues=values, **options
        )
        return [item["sk"]["S"] for item in answer["Items"]], answer.get("LastEvaluatedKey")

    def transact(self, *steps: dict[str, Any]) -> None:
        self.client.transact_write_items(TransactItems=list(steps))


def key(pk: str, sk: str) -> dict[str, Any]:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def row(pk: str, sk: str, n: int) -> dict[str, Any]:
    return {**key(pk, sk), "n": {"N": str(n)}}


def put(pk: str, sk: str, n: int) -> dict[str, Any]:
    return {"Put": {"TableName": TABLE, "Item": row(pk, sk, n)}}


def add(pk: str, sk: str, n: int) -> dict[str, Any]:
    values = {":n": {"N": str(n)}}
    update = {"UpdateExpression": "ADD n :n", "ExpressionAttributeValues": values}
    return {"Update": {"TableName": TABLE, "Key": key(pk, sk), **update}}


def delete(pk: str, sk: str) -> dict[str, Any]:
    return {"Delete": {"TableName": TABLE, "Key": key(pk, sk)}}
