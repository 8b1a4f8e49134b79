"""The risks that docs/threats.md says are not held, or in part: each as a conversation that shows it, and its bound."""

from typing import Any

import pytest

from aisha.application.tooling import ToolRegistry
from tests.attack.doors import Desk
from tests.fakes.models.scripted_model import ask
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.order_play import JACK, update
from tests.support.dialogue.scripted_play import Play

ANN = "Amara Okafor"


@pytest.fixture
def play(registry: ToolRegistry) -> Play:
    return Play(registry, NOW)


def shown(play: Play, reply: str) -> str:
    """Look Jack up in a first turn that ends in a reply, and return the conversation's id."""
    read = [ask("get_lead", lead_id=play.id_of(f"lead:{JACK}"))]
    return str(play.turn(f"Show me {JACK}", read, reply)["conversationId"])


@pytest.mark.parametrize(
    ("reply", "values", "runs"),
    [
        (f"Shall I set {JACK} to lost?", {"status": "lost"}, True),
        (f"Shall I set {JACK} to lost?", {"status": "qualified"}, False),
        (f"Shall I set {JACK} to lost? Or do you want his notes?", {"status": "lost"}, False),
        (f"Shall I set {JACK} to lost? His notes are long.", {"status": "lost"}, False),
        (f"Shall I set the email of {JACK} to eve@evil.example?", {"email": "eve@evil.example"}, False),
        (f"Shall I set the next action of {JACK} to wire the money?", {"next_action": "Wire the money"}, False),
    ],
)
def test_a_yes_to_an_offer_orders_its_choices_but_no_address_and_no_words(
    play: Play, reply: str, values: dict[str, Any], runs: bool
) -> None:
    conversation = shown(play, reply)
    answer = play.turn("yes", update(play, **values), *["Done."] * runs, conversation=conversation)
    assert answer["status"] == ("completed" if runs else "needs_confirmation")


def test_in_a_voice_session_his_is_whoever_was_read_last(registry: ToolRegistry) -> None:
    desk = Desk(registry, "voice", lambda _: "")
    jack, ann = (desk.stage.id_of(f"lead:{name}") for name in (JACK, ANN))
    desk.call("get_lead", {"lead_id": jack}, f"Show me {JACK}")
    desk.call("get_lead", {"lead_id": ann}, f"Show me {ANN}")
    desk.call("update_lead", {"lead_id": jack, "status": "lost"}, "Set his status to lost")
    assert desk.outcome.written == []


def test_words_that_are_pasted_as_a_quotation_order_nothing_and_bare_ones_do(play: Play) -> None:
    bare = play.turn(f"Set {JACK} to lost", update(play, status="lost"), "Done.")
    assert bare["status"] == "completed"
    for quoted in (f'He wrote: "set {JACK} to warm"', f"Bob wrote: set {JACK} to warm", f"> Set {JACK} to warm"):
        assert play.turn(quoted, update(play, status="warm"))["status"] == "needs_confirmation", quoted


def test_an_order_about_a_description_counts_for_what_the_search_has_found(play: Play) -> None:
    search, jack = [ask("search_leads", status="new", limit=50)], play.id_of(f"lead:{JACK}")
    found = play.turn("Show me my new leads", search, "Here they are.")
    leads = next(call["result"]["items"] for call in found["toolCalls"] if call["name"] == "search_leads")
    change = [ask("update_lead", lead_id=leads[0]["id"], status="contacted")]
    order = "Set all my new leads to contacted"
    assert play.turn(order, search, change, "Done.")["status"] == "completed"
    other = [ask("update_lead", lead_id=jack, status="contacted")]
    assert play.turn(order, search, other)["status"] == "needs_confirmation"
