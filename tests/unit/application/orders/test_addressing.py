"""An order is the assistant's where the message speaks to it, by whatever name, or to nobody."""

import pytest
from msgspec.structs import replace

from aisha.application.orders.judge import judge
from infra.orders.judged import Example, judged


def reason(say: str, tool: str = "update_lead", *, assistant_name: str = "", **arguments: str) -> str:
    """Return why the call waits; empty if it runs."""
    arguments = arguments or {"lead_id": "@lead:Jack Russel", "status": "lost"}
    call, utterance, context = judged(Example("", True, say, tool, dict(arguments)))
    return judge(call, utterance, replace(context, assistant_name=assistant_name)).reason


def test_the_assistant_is_known_by_its_tenants_name() -> None:
    assert reason("Max, set Jack Russel to lost") == "your message seems to speak to Max"
    assert reason("Max, set Jack Russel to lost", assistant_name="Max") == ""


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("Set Jack Russel to lost. Bob, call him please.", ""),
        ("Bob, call Omar Benali. Set Jack Russel to lost.", "your message seems to speak to Bob"),
        ("Jack Russel is a no.\nCarol, mark Jack Russel as lost", "your message seems to speak to Carol"),
        ("Everyone, please mark Jack Russel as lost", "your message seems to speak to Everyone"),
    ],
)
def test_what_follows_a_name_is_for_who_has_it(say: str, expected: str) -> None:
    assert reason(say) == expected


def test_a_topic_is_no_addressee_but_a_new_owner_is() -> None:
    jack = {"lead_id": "@lead:Jack Russel"}
    assert reason("Jack, mark him as lost") == ""
    assert reason("Zoe Quist, add her as a lead of Hafen AG", "create_lead", last_name="Quist", first_name="Zoe") == ""
    assert reason("Bob, set Jack Russel to lost", **jack, owner="bob") == "your message seems to speak to Bob"
