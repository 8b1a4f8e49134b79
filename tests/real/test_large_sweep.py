"""A sweep of a large tenant's records; tests/integration/functions/background/test_sweep.py has a smaller one."""

from tests.support.tenants.swept_desk import check_swept_twice


def test_ten_thousand_records_swept_twice_give_no_suggestion_twice() -> None:
    check_swept_twice(10_000)
