"""Dates, amounts and lists are formatted for people."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from aisha.domain import wording

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-03-05T09:00:00+01:00", "tomorrow at 9:00 AM"),
        ("2026-03-04T16:30:00+00:00", "today at 5:30 PM"),
        ("2026-11-27T14:30:00+01:00", "Fri, Nov 27 at 2:30 PM"),
        ("2027-01-05T00:15:00+01:00", "Tue, Jan 5, 2027 at 12:15 AM"),
        ("2026-03-05T12:00:00", "tomorrow at 12:00 PM"),
    ],
)
def test_an_instant_is_in_the_users_zone_and_without_a_year_that_is_this_one(moment: str, expected: str) -> None:
    assert wording.format_moment(datetime.fromisoformat(moment), NOW) == expected


def test_a_day_near_by_has_its_word() -> None:
    days = [wording.format_day(date(2026, 3, day), NOW.date()) for day in (3, 4, 5, 6)]
    assert days == ["yesterday", "today", "tomorrow", "Fri, Mar 6"]


@pytest.mark.parametrize(
    ("value", "currency", "expected"),
    [(12500, "USD", "$12,500"), ("12500.5", "EUR", "12,500.50 EUR"), (0, "USD", "$0"), ("20k", "USD", "20k")],
)
def test_an_amount_has_its_currency_and_no_needless_cents(value: object, currency: str, expected: str) -> None:
    assert wording.format_money(value, currency) == expected


def test_a_long_list_names_five_and_counts_the_others() -> None:
    names = [f"N{number}" for number in range(44)]
    assert wording.join_first(names) == "N0, N1, N2, N3, N4 and 39 more"
    assert [wording.join_first(names[:count]) for count in (0, 1, 2, 5)] == [
        "",
        "N0",
        "N0 and N1",
        "N0, N1, N2, N3 and N4",
    ]


@pytest.mark.parametrize(
    ("noun", "many", "one"),
    [("call", "calls", "a call"), ("activity", "activities", "an activity"), ("email", "emails", "an email"),
     ("day", "days", "a day"), ("address", "addresses", "an address")],
)  # fmt: skip
def test_nouns_have_their_plural_and_article(noun: str, many: str, one: str) -> None:
    assert (wording.plural(noun), wording.with_article(noun)) == (many, one)


def test_an_object_is_its_values_in_one_line() -> None:
    assert wording.format_members({"street": "Main St 1", "city": "Berlin", "state": None}) == "Main St 1, Berlin"
    assert wording.humanise("at_risk") == "at risk"
    assert [wording.format_number(value) for value in (1200, 3.5)] == ["1,200", "3.5"]
