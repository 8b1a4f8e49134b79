"""Sums of money and plain numbers with their bounds."""

import pytest

from aisha.adapters.llm.offline.reading.amounts import find_amounts


@pytest.mark.parametrize(
    ("text", "value", "relation"),
    [
        ("$50", 50, None),
        ("over 50k", 50_000, "more"),
        ("under $1,200.50", 1200.5, "less"),
        ("1.5 million", 1_500_000, None),
        ("20 dollars", 20, None),
        ("worth 900", 900, None),
        ("budget of 5,000", 5000, None),
        ("50k or more", 50_000, "more"),
        ("up to 3m", 3_000_000, "less"),
    ],
)
def test_a_currency_a_unit_or_a_word_of_value_makes_a_sum(text: str, value: float, relation: str | None) -> None:
    (amount,), numbers, _ = find_amounts(text)
    assert (amount.value, amount.relation, amount.money, numbers) == (value, relation, True, [])


@pytest.mark.parametrize(
    ("text", "value", "relation"), [("score 80", 80, None), ("at least 10", 10, "more"), ("10 or less", 10, "less")]
)
def test_any_other_number_is_no_money(text: str, value: float, relation: str | None) -> None:
    amounts, (number,), _ = find_amounts(text)
    assert (number.value, number.relation, number.money, amounts) == (value, relation, False, [])


@pytest.mark.parametrize("text", ["between 50 and 100k", "between 50k and 100k"])
def test_both_ends_of_a_range_have_the_unit_of_the_last(text: str) -> None:
    amounts, _, _ = find_amounts(text)
    assert [(one.value, one.relation) for one in amounts] == [(50_000, "more"), (100_000, "less")]


def test_a_version_is_no_number() -> None:
    assert find_amounts("v2.1")[:2] == ([], [])


def test_the_rest_of_the_text_keeps_its_offsets() -> None:
    text = "deals over 50k in Texas"
    rest = find_amounts(text)[2]
    assert (len(rest), rest.index("Texas")) == (len(text), text.index("Texas"))
