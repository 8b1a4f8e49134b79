import pytest

from aisha.domain.language.models.order_form import order_probabilities
from aisha.domain.language.reader import read


def _form(sentence: str) -> float:
    return max(order_probabilities(read(sentence).segments))


@pytest.mark.parametrize(
    ("order", "statement"),
    [
        ("Set Ann Lee's score to 80.", "Ann Lee's score used to be 80."),
        ("I'd like Ann Lee moved to warm.", "I've already moved Ann Lee to warm myself."),
        ("Ann Lee to warm, please.", "Ann Lee was warm last year."),
        ("Rename the deal to Acme Rollout.", "Marketing calls the deal Acme Rollout."),
        ("Ann Lee's number has to be corrected to 555 0123.", "Who told you that Ann Lee's number is 555 0123?"),
    ],
)
def test_an_order_has_another_form_than_a_statement_of_the_same_words(order: str, statement: str) -> None:
    assert _form(order) > _form(statement) + 0.3


def test_the_form_does_not_depend_on_who_or_what_is_spoken_of() -> None:
    assert abs(_form("Set Ann Lee to lost.") - _form("Set Zoltan Kertesz to qualified.")) < 0.1
