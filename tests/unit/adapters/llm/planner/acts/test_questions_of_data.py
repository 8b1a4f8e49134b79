"""Behaviour of the questions that people ask of lists, rankings and histories of records, as whole messages."""

import pytest

from aisha.application.tooling import discover
from tests.support.dialogue.conversations import NOW, Stage

REGISTRY = discover("aisha.tools")


def _reply(message: str) -> str:
    return str(Stage(REGISTRY, NOW).say(message)["response"])


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("give me phone numbers of all my warm leads", "warm, score 90, phone number +1 833 555 0151"),
        ("tell me the email addresses of the contacts at Stonebridge Legal", "paloma.ortega@stonebridgelegal.example"),
        ("list our customers with their websites and phone numbers", "phone number +1 804 555 0152"),
        ("show the owners of all deals in negotiation", "closes Sun, Mar 8, owner you"),
        ("can I get the mobile numbers for our contacts at Silverline Bank", "phone number +1 526 555 0153"),
        ("list my leads with their scores and sources", "warm, score 90, source other"),
    ],
)
def test_fields_asked_for_of_several_records_are_columns_of_their_list(message: str, line: str) -> None:
    reply = _reply(message)
    assert line in reply
    assert "1. **" in reply


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("show me everyone called Gabriela", "**Gabriela Fonseca** is"),
        ("people with the surname Nair", "There is 1 lead named “Nair”"),
        ("is there anybody called John in our contacts?", "There are 3 contacts named “John”"),
        ("contacts whose last name is Smith", "There is 1 contact named “Smith”"),
        ("find people with the first name Wei", "**Wei Zhang**"),
        ("someone with the family name Zhang", "**Wei Zhang** is"),
    ],
)
def test_people_are_found_by_what_they_are_called(message: str, part: str) -> None:
    assert part in _reply(message)
