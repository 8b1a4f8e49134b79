"""CORS: the pages that may read an answer."""

import pytest

from aisha.renderers.cors import cors_headers

PAGE = "https://app.abc.example"


def test_a_listed_page_may_read_and_the_answer_is_kept_for_it_alone() -> None:
    headers = cors_headers(PAGE, [PAGE, "https://other.example"])
    assert headers["access-control-allow-origin"] == PAGE
    assert headers["vary"] == "Origin"
    assert "retry-after" in headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in headers


@pytest.mark.parametrize("origin", ["https://evil.example", "https://app.abc.example.evil.example", "null", None])
def test_no_other_page_may(origin: str | None) -> None:
    assert cors_headers(origin, [PAGE]) == {"vary": "Origin"}


def test_every_page_may_with_a_wildcard() -> None:
    headers = cors_headers(PAGE, ["*"])
    assert headers["access-control-allow-origin"] == "*"
    assert "vary" not in headers


def test_without_origins_there_are_no_headers() -> None:
    assert cors_headers(PAGE, ()) == {}
