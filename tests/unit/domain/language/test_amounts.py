"""Sums of money, percentages and plain numbers, each with its bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aisha.domain.language.amounts import Amount, find_amounts


def one_amount(text: str) -> Amount:
    (amount,) = find_amounts(text)
    return amount


def summary(text: str) -> list[tuple[float, str | None]]:
    return [(amount.value, amount.relation) for amount in find_amounts(text)]


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("$50", 50, "USD"),
        ("us$50", 50, "USD"),
        ("$1,200.50", 1200.5, "USD"),
        ("USD 50k", 50_000, "USD"),
        ("80k€", 80_000, "EUR"),
        ("€1.5m", 1_500_000, "EUR"),
        ("EUR 12.500,00", 12_500, "EUR"),
        ("18.500 €", 18_500, "EUR"),
        ("12 500 euros", 12_500, "EUR"),
        ("forty thousand pounds", 40_000, "GBP"),
        ("75,000 francs", 75_000, "CHF"),
        ("20 bucks", 20, "USD"),
        ("USD 1,42,500", 142_500, "USD"),
        ("Rs. 12,45,000", 1_245_000, "INR"),
    ],
)
def test_a_currency_makes_a_sum_of_money(text: str, value: float, currency: str) -> None:
    amount = one_amount(text)
    assert (amount.value, amount.is_money, amount.currency) == (value, True, currency)
    assert text[amount.start : amount.end] == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50k", 50_000),
        ("50 k", 50_000),
        ("1.2 mil", 1_200_000),
        ("1,5 million", 1_500_000),
        ("22 thousand", 22_000),
        ("5 lakh", 500_000),
        ("fifty thousand", 50_000),
        ("eighty five thousand", 85_000),
        ("forty k", 40_000),
        ("a hundred grand", 100_000),
        ("a million", 1_000_000),
        ("half a million", 500_000),
        ("a quarter of a million", 250_000),
        ("two and a half million", 2_500_000),
        ("one point five million", 1_500_000),
        ("a couple of thousand", 2_000),
        ("two hundred and ten thousand", 210_000),
    ],
)
def test_a_scale_makes_a_sum_of_money_without_a_currency(text: str, value: float) -> None:
    amount = one_amount(text)
    assert (amount.value, amount.is_money, amount.currency) == (value, True, None)
    assert text[amount.start : amount.end] == text


def test_points_between_thousands_make_a_sum_and_no_telephone_number() -> None:
    assert one_amount("to 1.250.000").value == 1_250_000


@pytest.mark.parametrize("text", ["worth 900", "a budget of 900", "the value is about 900", "amount: 900"])
def test_a_word_of_value_makes_a_number_a_sum(text: str) -> None:
    amount = one_amount(text)
    assert (amount.value, amount.is_money) == (900, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("score 80", 80),
        ("9,000", 9000),
        ("1'500", 1500),
        ("thirty three", 33),
        ("twelve hundred", 1200),
        ("5k users", 5000),
    ],
)
def test_any_other_number_is_no_money(text: str, value: float) -> None:
    amount = one_amount(text)
    assert (amount.value, amount.is_money, amount.is_percent) == (value, False, False)


@pytest.mark.parametrize("text", ["20%", "20 percent", "twenty per cent", "a chance of 20 pct"])
def test_a_percentage_is_marked_and_no_money(text: str) -> None:
    amount = one_amount(text)
    assert (amount.value, amount.is_percent, amount.is_money) == (20, True, False)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("over 50k", "more"),
        ("at least 5", "more"),
        ("more than five", "more"),
        ("no less than 5", "more"),
        (">= 50k", "more"),
        ("50k or more", "more"),
        ("100k+", "more"),
        ("from 50k", "more"),
        ("under $1,200.50", "less"),
        ("up to 3m", "less"),
        ("no more than about 20k", "less"),
        ("< 3000", "less"),
        ("10 or less", "less"),
        ("50k max", "less"),
        ("50k", None),
    ],
)
def test_words_before_or_after_a_number_make_it_a_bound(text: str, relation: str | None) -> None:
    assert one_amount(text).relation == relation


@pytest.mark.parametrize(
    "text",
    [
        "between 40 and 60k",
        "40 to 60k",
        "40-60k",
        "40k–60k",
        "from 40k to 60k",
        "forty to sixty thousand",
        "between 40k and 60k",
    ],
)
def test_both_ends_of_a_range_have_the_unit_of_the_last(text: str) -> None:
    assert summary(text) == [(40_000, "more"), (60_000, "less")]
    assert all(amount.is_money for amount in find_amounts(text))


def test_the_ends_of_a_range_share_currency_and_percent() -> None:
    assert [amount.currency for amount in find_amounts("$5-10k")] == ["USD", "USD"]
    assert [amount.is_percent for amount in find_amounts("80 to 90%")] == [True, True]


def test_what_is_changed_from_a_sum_to_another_is_no_range() -> None:
    assert summary("raise it from 40k to 60k") == [(40_000, None), (60_000, None)]


@pytest.mark.parametrize(
    "text",
    [
        "five figures",
        "a six-figure deal",
        "the 3rd lead",
        "twenty first",
        "2026",
        "in 2025",
        "12/05/2026",
        "june 5",
        "tomorrow at 3",
        "from 3 to 4 pm",
        "for 45 minutes",
        "three weeks",
        "+49 30 123456",
        "555-1234",
        "07700 900 316",
        "v2.1",
        "192.168.0.1",
        "24/7",
        "3:1",
        "#12",
        "10x",
        "one of them",
        "thanks a million",
        "1" * 40,
    ],
)
def test_what_only_looks_like_an_amount_is_none(text: str) -> None:
    assert find_amounts(text) == []


def test_amounts_come_in_the_order_of_the_text_with_their_places() -> None:
    text = "From $5k, not 20%, to worth 900!"
    assert [text[amount.start : amount.end] for amount in find_amounts(text)] == ["$5k", "20%", "900"]


@given(
    st.lists(
        st.sampled_from("$ € 5 12 500 1,5 k to and a half million one hundred between from - + % of over in".split()),
        max_size=9,
    )
)
def test_no_order_of_words_breaks_the_reader(words: list[str]) -> None:
    text = " ".join(words)
    for amount in find_amounts(text):
        assert 0 <= amount.start < amount.end <= len(text)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for amount in find_amounts(text):
        assert 0 <= amount.start < amount.end <= len(text)


@pytest.mark.parametrize(
    ("unit", "count"), [("5k to ", 1300), ("1", 8000), ("one hundred ", 650), ("1.2,", 2000), ("$", 8000)]
)
def test_a_long_message_of_one_phrase_is_read_to_its_end(unit: str, count: int) -> None:
    assert find_amounts(unit * count + " and 7 percent")[-1].is_percent
