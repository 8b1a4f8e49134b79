"""Count the requests that turns and sweeps make to DynamoDB. usage: python -m bench.dynamodb_requests [--records N]

The tables are in this process, so the counts are exact and the times say nothing. Prints one JSON object.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from botocore.endpoint import Endpoint

from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.application.sweep import SweepDependencies
from aisha.application.tooling.context import ToolPorts
from aisha.bootstrap import Services
from aisha.settings import Settings
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.aws_fakes.manual_queue import ManualQueue
from infra.local.server.sweep import sweep_with
from tests.fakes.aws.api_gateway import caller, chat, serving
from tests.fakes.local import place_demo_data
from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import NOW
from tests.support.tenants.swept_tenant import fill_tenant

TENANT = "demo"
MESSAGES = {
    "greeting": "Hello",
    "question": "Which leads are warm?",
    "advice": "What should I do next with Jack Russel?",
    "write": "Create a note for Jack Russel saying he likes the offer",
}


def measure_sweep(records: int) -> dict[str, Any]:
    """Sweep a tenant twice, a day apart, in a DynamoDB inside this process; return the requests a record.

    The tenant has `records` leads, deals, accounts and contacts, and activities and notes about them.
    """
    clock = FixedClock(NOW)
    figures: dict[str, Any] = {"records": records}
    with EmbeddedAWS(None):
        store = DynamoDBRecordRepository("aisha-records", clock)
        entries = DynamoDBEntryRepository("aisha-entries", clock)
        fill_tenant(store, TENANT, records)
        deps = SweepDependencies(ToolPorts(store, entries, clock), queue := CountingQueue())
        for name in ("first", "again"):
            queue.sent = 0
            with counted_requests() as requests:
                state = sweep_with(deps, queue, TENANT, workers=1)
            figures[name] = {
                "examined": state.examined,
                "findings": sum(total.findings for total in state.totals.values()),
                "new": sum(total.new_findings for total in state.totals.values()),
                "requests_a_record": round(requests.total() / state.examined, 3),
                "messages_a_record": round(queue.sent / state.examined, 3),
                "requests": dict(requests),
            }
            clock.advance(timedelta(days=1))
    return figures


def measure_turns() -> dict[str, Any]:
    """Send each message to the function of the chat, with the offline planner; return the requests of each turn."""
    with TemporaryDirectory() as folder:
        place_demo_data(Path(folder))
        with EmbeddedAWS(Path(folder, "data")), serving(Services(settings=Settings())):
            return {name: _turn_requests(message) for name, message in MESSAGES.items()}


def _turn_requests(message: str) -> dict[str, int]:
    with counted_requests() as requests:
        answer = chat(json.dumps({"message": message}), caller(TENANT, "alice"))
    if answer.status != 200:
        raise SystemExit(f"{message}: {answer.text}")
    return dict(requests) | {"total": requests.total()}


class CountingQueue(ManualQueue):
    """A queue that counts the messages sent to it."""

    sent = 0

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        self.sent += 1
        super().send(queue, message)


@contextmanager
def counted_requests() -> Iterator[Counter[str]]:
    """Count the requests of all clients of this process by operation."""
    requests: Counter[str] = Counter()
    make_request = Endpoint.make_request

    def count(self: Any, operation_model: Any, request: Any) -> Any:
        requests[operation_model.name] += 1
        return make_request(self, operation_model, request)

    with patch.object(Endpoint, "make_request", count):
        yield requests


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.dynamodb_requests", description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=1000, help="of the sweep; 0 for the turns alone")
    options = parser.parse_args(arguments)
    figures: dict[str, Any] = {"turns": measure_turns()}
    if options.records:
        figures["sweep"] = measure_sweep(options.records)
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
