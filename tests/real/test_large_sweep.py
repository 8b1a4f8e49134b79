"""A sweep of as many records as a large tenant has; `make test` has a smaller one of the same kind."""

from tests.support.swept_desk import check_swept_twice


def test_ten_thousand_records_swept_twice_give_no_suggestion_twice() -> None:
    check_swept_twice(10_000)
