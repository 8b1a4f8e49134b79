"""The audit log says of each write why it ran or waited, and a preview of a call leaves no trace there."""

from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.load import load_turn
from aisha.application.turn.rounds.tool_round import asks_first
from tests.fakes.models.scripted_model import ask
from tests.support.dialogue.order_play import JACK, update
from tests.support.dialogue.scripted_play import Play
from tests.unit.application.conftest import World
from tests.unit.application.turn.confirming.office import IDS


def reasons(play: Play) -> set[tuple[str, str, str]]:
    assert play.deps.ports.audit is not None
    return {(entry.tool, entry.status, entry.reason) for entry in play.deps.ports.audit.log.page("demo", 50)}


def test_what_let_a_write_run_and_what_made_it_wait_is_in_the_log(play: Play) -> None:
    play.turn(f"Set the status of {JACK} to lost", update(play, status="lost"), "Done.")
    assert ("update_lead", "executed", "you asked for it") in reasons(play)
    answer = play.turn("thanks", update(play, status="warm"))
    assert ("update_lead", "pending", answer["confirmation"]["reason"]) in reasons(play)
    play.turn("Hm", [ask("delete_lead", lead_id=play.id_of(f"lead:{JACK}"))])
    assert any(tool == "delete_lead" and reason for tool, _, reason in reasons(play))


def test_a_preview_says_whether_a_call_would_be_asked_about_and_does_nothing(office: World) -> None:
    order = ChatRequest(message="Set the status of Jack Russel to lost")
    turn = load_turn(order, office.principal, office.deps)
    lead = {"lead_id": IDS["lead"]}
    assert not asks_first(turn, "update_lead", {**lead, "status": "lost"})
    assert asks_first(turn, "update_lead", {**lead, "status": "warm"})
    assert asks_first(turn, "delete_lead", lead)
    assert not asks_first(turn, "get_lead", lead)
    assert not asks_first(turn, "sing", {})
    assert not asks_first(turn, "update_lead", {"lead_id": 3})
    assert office.deps.ports.audit is not None
    assert office.deps.ports.audit.log.page("demo", 10) == []
