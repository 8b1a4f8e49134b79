"""Messages that are written like a form are spelt out as questions and orders."""

import pytest

from aisha.domain.language.notation import spelled_out


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("Contact Bo Ek: e-mail.", ["What is the e-mail of contact Bo Ek?"]),
        (
            'Opportunity "Globex Pilot": stage, amount and contact.',
            ["What are the stage, amount and contact of opportunity Globex Pilot?"],
        ),
        ("Lead Ann Lee: source = trade_show.", ["Set the source of lead Ann Lee to trade show."]),
        (
            "Account Globex: type vendor -> partner; headcount 330 -> 345.",
            ["Set the type of account Globex to partner.", "Set the headcount of account Globex to 345."],
        ),
    ],
)
def test_a_form_is_spelt_out(message: str, sentences: list[str]) -> None:
    assert spelled_out(message) == sentences


@pytest.mark.parametrize(
    "message",
    [
        "Note on Ann Lee: email, phone and a visit are fine.",
        "Ann Lee: likes tea",
        "Today: call Ann, then Bo",
        "Write to a_b@acme.example: the price list",
    ],
)
def test_other_messages_stay_as_they_are(message: str) -> None:
    assert spelled_out(message) == [message]
