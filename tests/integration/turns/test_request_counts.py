"""The number of requests that turns make to DynamoDB, which docs/costs.md states."""

import pytest

from bench.dynamodb_requests import measure_turns


@pytest.mark.slow
def test_a_turn_makes_no_more_requests_than_the_page_on_costs_says() -> None:
    totals = {name: requests["total"] for name, requests in measure_turns().items()}
    assert totals["greeting"] <= 8
    assert totals["question"] <= 9
    assert totals["advice"] <= 34
    assert totals["write"] <= 30
