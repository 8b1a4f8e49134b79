"""A turn is judged by what it changed, sent and said."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from aisha.domain.crm.records import Activity, Lead, Note, Opportunity, Record, Related
from tests.answers.judge import Change, Played, asked_needlessly, differences, judge

ZONE = ZoneInfo("America/New_York")
JACK = Lead(id="lead_1", first_name="Jack", last_name="Russel", company="ABC Corp", status="new")
OLGA = Lead(id="lead_2", first_name="Olga", last_name="Ivanenko", status="lost")
DEAL = Opportunity(id="opportunity_1", name="ABC Corp Pilot", amount=1000, stage="proposal")
CALL = Activity(
    id="activity_1",
    title="Call with Jack Russel",
    activity_type="call",
    related=Related(type="lead", id="lead_1"),
    due_at=datetime(2026, 3, 5, 9, tzinfo=ZONE),
)
CALL_EXPECTED = {
    "new": "activity",
    "with": {"activity_type": "call", "related": "@lead:Jack Russel", "due_at": "re:^2026-03-05T09"},
}


def played(*after: Record, reply: str = "Done.", **more: Any) -> Played:
    """Return a turn that began with Jack, Olga and a deal, and ended with these records."""
    before = {one.id: one for one in (JACK, OLGA, DEAL)}
    now = {one.id: one for one in after}
    changes = differences(before, now, ZONE)
    return Played(reply=reply, changes=changes, records=list((before | now).values()), **more)


def kinds(expected: dict[str, Any], turn: Played, category: str = "") -> list[str]:
    return [problem.kind for problem in judge(expected, turn, category)]


def changed[R: Record](record: R, **fields: Any) -> R:
    return type(record).model_validate({**record.model_dump(), "version": 2, **fields})


def test_a_turn_that_changes_what_is_expected_has_no_problem() -> None:
    assert kinds({"changes": [CALL_EXPECTED]}, played(JACK, OLGA, DEAL, CALL)) == []
    to = {"changed": "@lead:jack russel", "to": {"status": "QUALIFIED"}}
    assert (
        kinds(
            {"changes": [to]},
            played(changed(JACK, status="qualified", last_contacted_at=datetime.now(ZONE)), OLGA, DEAL),
        )
        == []
    )
    assert kinds({"changes": [{"deleted": "@lead:Olga Ivanenko"}]}, played(JACK, DEAL)) == []


def test_a_second_record_is_a_wrong_write() -> None:
    second = changed(CALL, id="activity_2")
    assert kinds({"changes": [CALL_EXPECTED]}, played(JACK, OLGA, DEAL, CALL, second)) == ["wrong write"]


def test_a_new_record_with_another_value_is_a_wrong_write_and_without_it_a_missing_one() -> None:
    later = changed(CALL, due_at=datetime(2026, 3, 6, 9, tzinfo=ZONE))
    assert kinds({"changes": [CALL_EXPECTED]}, played(JACK, OLGA, DEAL, later)) == ["wrong write"]
    undated = changed(CALL, due_at=None)
    assert kinds({"changes": [CALL_EXPECTED]}, played(JACK, OLGA, DEAL, undated)) == ["missing write"]


def test_a_change_of_another_record_is_missing_and_wrong() -> None:
    expected = {"changes": [{"changed": "@lead:Jack Russel", "to": {"status": "qualified"}}]}
    assert kinds(expected, played(JACK, changed(OLGA, status="qualified"), DEAL)) == ["missing write", "wrong write"]


def test_a_further_field_is_a_wrong_write_unless_the_product_sets_it_with_the_first() -> None:
    expected = {"changes": [{"changed": "@opportunity:ABC Corp Pilot", "to": {"stage": "negotiation"}}]}
    moved = changed(DEAL, stage="negotiation", probability=75)
    assert kinds(expected, played(JACK, OLGA, moved)) == []
    assert kinds(expected, played(JACK, OLGA, changed(moved, amount=5))) == ["wrong write"]


def test_two_expected_records_of_a_type_are_matched_by_their_values() -> None:
    notes = [
        Note(id=f"note_{lead.id}", content=lead.display_name, related=Related(type="lead", id=lead.id))
        for lead in (OLGA, JACK)
    ]
    expected = [{"new": "note", "with": {"content": f"re:{name}"}} for name in ("jack", "olga")]
    assert kinds({"changes": expected}, played(JACK, OLGA, DEAL, *notes)) == []


def test_a_draft_is_no_write_where_a_text_is_asked_for_but_a_mail_is() -> None:
    draft = Note(id="note_1", title="Draft: Hello", content="Hello", related=Related(type="lead", id="lead_1"))
    assert kinds({"changes": []}, played(JACK, OLGA, DEAL, draft, said="Draft an email to Jack")) == []
    assert kinds({"changes": []}, played(JACK, OLGA, DEAL, draft, said="Who is Jack?")) == ["wrong write"]
    turn = played(JACK, OLGA, DEAL)
    turn.changes.append(Change("sent", "mail", "1", "jack@abc.example", {"to": "jack@abc.example"}))
    assert kinds({"changes": []}, turn) == ["wrong write"]
    assert kinds({"changes": [{"sent": "mail", "with": {"to": "re:jack@"}}]}, turn) == []


def test_a_missing_statement_is_false_where_the_reply_denies_that_something_exists() -> None:
    same, expected = played(JACK, OLGA, DEAL), {"changes": [], "says": ["Jack"], "not_says": ["Olga"]}
    for reply in ("There are no leads matching that.", "I couldn't find a lead called warm.", "Jack and Olga."):
        assert kinds(expected, replace_reply(same, reply)) == ["false statement"]
    for reply in ("I didn't find a CRM request in that.", "Nothing was changed.", "I don't have a tool for that."):
        assert kinds(expected, replace_reply(same, reply)) == ["other"]
    assert kinds(expected, replace_reply(same, "It is Jack.")) == []


def replace_reply(turn: Played, reply: str) -> Played:
    return replace(turn, reply=reply)


def test_what_is_missing_of_several_asks_is_a_dropped_ask() -> None:
    expected = {"changes": [CALL_EXPECTED], "says": ["1,000"]}
    category = "several-asks-in-one-message"
    assert kinds(expected, played(JACK, OLGA, DEAL, CALL), category) == ["dropped ask"]
    assert kinds(expected, played(JACK, OLGA, DEAL, reply="$1,000"), category) == ["dropped ask"]


def test_status_and_calls_are_compared_where_they_are_expected() -> None:
    same = played(JACK, OLGA, DEAL, status="completed", called=["memory"])
    assert kinds({"changes": [], "calls": ["manage_prompt", "memory"]}, same) == []
    assert kinds({"changes": [], "calls": ["manage_prompt"], "status": "needs_confirmation"}, same) == ["other"] * 2


def test_a_question_is_needless_unless_a_rule_or_the_expectation_requires_it() -> None:
    asked = played(JACK, OLGA, DEAL, CALL, asked=True, reply="Which one, Jack?")
    assert asked_needlessly({"changes": [CALL_EXPECTED]}, asked)
    assert asked_needlessly({"changes": [], "says": ["Olga"]}, asked)
    assert not asked_needlessly({"changes": [{"deleted": "@lead:Jack Russel"}]}, asked)
    assert not asked_needlessly({"changes": [], "status": "needs_confirmation"}, asked)
    assert not asked_needlessly({"changes": [], "says": ["which"]}, asked)
