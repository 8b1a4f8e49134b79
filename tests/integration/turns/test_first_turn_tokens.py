"""The tokens of first turns, counted by OpenAI's tokenizer. Needs Node 20 or newer and npm."""

import pytest

from bench.first_turns import FIRST_TURNS, MIN_WITHIN, count_within, measure
from tests.support.npm_packages import npm_packages


@pytest.mark.npm
def test_first_turns_cost_few_tokens() -> None:
    try:
        tokens = measure(npm_packages())
    except FileNotFoundError as error:
        pytest.skip(str(error))
    assert tokens.keys() == FIRST_TURNS.keys()
    assert count_within(tokens) >= MIN_WITHIN, tokens
