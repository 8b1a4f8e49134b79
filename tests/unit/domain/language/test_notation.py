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
        (
            "lead;status\nAnn Lee;contacted\nBo Ek;-\nPlease take these over.",
            ["Set the status of lead Ann Lee to contacted."],
        ),
        (
            "Please enter:\n| deal | amount |\n|---|---|\n| Globex Pilot | 55,000 |",
            ["Set the amount of deal Globex Pilot to 55,000."],
        ),
        ("status: contacted\nscore: 45", ["Set the status to contacted.", "Set the score to 45."]),
        ("Account: Globex\nHealth: at risk", ["Set the health of account Globex to at risk."]),
        ("Lead Ann Lee: do not call = true", ["Mark lead Ann Lee as do not call."]),
        ("Required: owner, industry of account Globex.", ["What are the owner and industry of account Globex?"]),
        (
            "Need per company: owner, headcount.\nCompanies: Globex, Acme.",
            ["What are the owner and headcount of Globex and Acme?"],
        ),
        ("Accounts at risk. Name and revenue.", ["Accounts at risk, with their revenue"]),
        ("a. Lead Ann Lee: phone. b. Report his score.", ["What is the phone of lead Ann Lee?", "What is his score?"]),
        ("Overdue items: list.", ["list Overdue items."]),
        (
            "E-mail to be sent. To: ann@acme.example. Subject: Hi. Text: We ship on Monday.",
            ['Send an email to ann@acme.example with the subject "Hi" saying: We ship on Monday'],
        ),
        ("Draft only, not to be sent: e-mail to Bo Ek", ["Draft an e-mail to Bo Ek"]),
        ("deals closing within 2026-02", ["deals closing in February 2026"]),
        ("push it 2 may 15", ["push it to may 15"]),
        ("which 1 is the biggest", ["which one is the biggest"]),
        ("phone four one two five five five oh one three three", ["phone 412 555 0133"]),
        ("mail ann dot lee at acme dot example", ["mail ann.lee@acme.example"]),
        ("NUMBER OF ANN LEE STOP", ["NUMBER OF ANN LEE."]),
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
        "Draft only, not to be sent: the offer",
        "leads with more than 2 calls",
        "call 2 leads on 2 may",
        "meet Bo after 1 pm",
        "name;status\nAnn Lee;contacted\nWhat does this mean?",
    ],
)
def test_other_messages_stay_as_they_are(message: str) -> None:
    assert spelled_out(message) == [message]
