"""Whatever a user writes, in any alphabet and with any marks, the judge reads it and gives a verdict."""

import random
import unicodedata
from itertools import batched

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.application.orders.judge import judge
from infra.orders.judged import Example, examples, judged

PIECES = (
    *("set ", "Jack Russel", " to ", "lost", "qualifié", "não ", "статус", " 潜在客户 ", "حالة ", "ő", "ß", "İ", "ﬁ"),
    *("\n", "\t", "- ", "> ", "“", "”", '"', "'", "’", "…", "?", "!", ".", ",", ";", ":", "(", ")", "@", "#", "->"),
    *("\u0301", "\u200d", "\u202e", "\u00a0", "\u3000", "🙂", "①", "½", "٣", "1,5", "$", "€", "%", "0x1F", "1e9"),
)
CALL = {"lead_id": "@lead:Jack Russel", "status": "lost"}
LETTERS = {"a": "áàâä", "e": "éèêë", "i": "íìîï", "o": "óòôö", "u": "úùûü", "c": "ç", "n": "ñ", "s": "š", "z": "ž"}
STEP = 40


def verdict(say: str) -> bool:
    return judge(*judged(Example("", False, say, "update_lead", CALL))).is_ordered


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=25).map("".join))
def test_any_pieces_have_a_verdict(say: str) -> None:
    assert verdict(say) in (True, False)


@pytest.mark.parametrize("group", [*batched(examples()[::STEP], 15)], ids=lambda group: group[0].say[:30])
def test_a_sentence_in_other_letters_has_a_verdict(group: tuple[Example, ...]) -> None:
    chance = random.Random(7)
    for example in group:
        accented = "".join(chance.choice(LETTERS.get(letter, letter)) for letter in example.say)
        for say in (accented, unicodedata.normalize("NFD", accented), example.say.upper(), example.say[::-1]):
            assert verdict(say) in (True, False), say
