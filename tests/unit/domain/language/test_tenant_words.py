"""A tenant's own words for record types, read and said."""

import pytest

from aisha.domain.language.tenant_words import TenantWords

WORDS = TenantWords({"lead": "applicant", "opportunity": "mandate", "account": "client"})


@pytest.mark.parametrize(
    ("message", "standard"),
    [
        ("Show me my warm applicants", "Show me my warm leads"),
        ("Mandates of our clients?", "opportunities of our accounts?"),
        ("Tell me about Mandate Partners", "Tell me about Mandate Partners"),
        ("Show me the deals", "Show me the deals"),
    ],
)
def test_the_tenants_words_are_read_as_the_standard_ones(message: str, standard: str) -> None:
    assert WORDS.standard(message).text == standard


def test_a_value_of_a_call_is_as_the_user_wrote_it() -> None:
    read = WORDS.standard("Add a note to the applicant Ann: the mandate is signed")
    assert read.original("the opportunity is signed") == "the mandate is signed"
    assert read.standard("the mandate is signed") == "the opportunity is signed"
    assert read.original("something else") == "something else"


@pytest.mark.parametrize(
    ("reply", "own"),
    [
        ("You have 3 warm leads and a deal.", "You have 3 warm applicants and a mandate."),
        ("Jack is a lead.", "Jack is an applicant."),
        ("Deals: 4", "Mandates: 4"),
        ("I've created **Lead Systems**.", "I've created **Lead Systems**."),
        ("It's a good account", "It's a good client"),
    ],
)
def test_replies_have_the_tenants_words(reply: str, own: str) -> None:
    assert WORDS.own(reply) == own


def test_what_a_record_says_is_not_changed() -> None:
    reply = "1. He leads the team and closed the deal himself.\n\nYou have 2 leads."
    own = "1. He leads the team and closed the deal himself.\n\nYou have 2 applicants."
    assert WORDS.own(reply, ["He leads the team and closed the deal himself."]) == own


def test_words_that_are_no_record_stay() -> None:
    people = TenantWords({"contact": "person"})
    assert people.own("Contact your administrator.") == "Contact your administrator."
    assert people.own("The last contact was in May.") == "The last contact was in May."
    assert people.own("33 contacts, and the contact Rosa") == "33 persons, and the person Rosa"
