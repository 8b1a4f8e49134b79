import pytest

from aisha.domain.language.models.order_form import TARGET, VALUE, score
from aisha.domain.language.tokens import tokenize


def _score(sentence: str, name: str, value: str) -> float:
    tokens = tokenize(sentence)
    words = {**dict.fromkeys(name.lower().split(), TARGET), **dict.fromkeys(value.lower().split(), VALUE)}
    return score(tokens, [words.get(token.word, "") for token in tokens])


@pytest.mark.parametrize(
    ("value", "order", "statement"),
    [
        ("80", "Set Ann Lee's score to 80.", "Ann Lee's score used to be 80."),
        ("warm", "I'd like Ann Lee moved to warm.", "I've already moved Ann Lee to warm myself."),
        ("warm", "Ann Lee to warm, please.", "Ann Lee was warm last year."),
        ("555 0123", "Ann Lee's number has to be corrected to 555 0123.", "Who says Ann Lee's number is 555 0123?"),
        ("lost", "Long day. Ann Lee is out of it, mark her lost.", "Long day. Ann Lee fears the deal is lost."),
    ],
)
def test_an_order_has_another_form_than_a_statement_of_the_same_words(value: str, order: str, statement: str) -> None:
    assert _score(order, "Ann Lee", value) > _score(statement, "Ann Lee", value) + 1


def test_the_form_does_not_depend_on_who_or_what_is_spoken_of() -> None:
    one = _score("Set Ann Lee to lost.", "Ann Lee", "lost")
    assert _score("Set Zoltan Kertesz to qualified.", "Zoltan Kertesz", "qualified") == one


def test_only_the_sentence_with_the_value_of_the_call_counts() -> None:
    message = "Set Bo Ek to warm. Ann Lee's score used to be 80."
    assert _score(message, "Bo Ek", "warm") > _score(message, "Ann Lee", "80")
