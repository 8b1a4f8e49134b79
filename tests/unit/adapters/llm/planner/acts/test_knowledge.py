import pytest

from tests.support.dialogue.planner import demo_desk, ref, run

DEMO = demo_desk()
"""Nothing here changes it, so that all tests share it."""


def _said(line: str) -> str:
    return run(line, DEMO).text


def test_goals_are_listed_or_the_one_meant_is_told_with_its_key_results() -> None:
    assert _said("goals: show our goals").startswith("1. **Answer every lead within a day** (open, 85% done)")
    told = _said("goals: how is our goal on {topic:recurring revenue going}?")
    assert told.startswith("**Grow recurring revenue** is at **59%** (in progress):")
    assert "- Renewals: 5 of 8" in told
    assert "six new customers" in _said("goals: how far are we with the new customers")


def test_a_question_is_answered_by_the_documents_and_a_title_by_the_document() -> None:
    assert "too expensive" in _said("documents: how do I handle objections about {topic:price}?")
    assert "disguise" in _said("documents: open the document Handling objections")
    assert _said("documents: open the document {name:Teleportation}").startswith(
        "There is no document called “Teleportation”."
    )
    assert _said("documents: read me the whole article") == "Which document shall I open?"


@pytest.mark.parametrize(
    ("line", "scans"),
    [
        ("check my data for duplicates", ["data_quality"]),
        ("find risky deals with a scan", ["deals_at_risk"]),
        ("scan for stale leads and deals at risk", ["stale_leads", "deals_at_risk"]),
    ],
)
def test_the_words_of_a_scan_name_it_and_are_no_doubt(line: str, scans: list[str]) -> None:
    played = run(f"run_scan: {line}", DEMO, doubt="I'm not sure")
    assert [call.arguments["scan_type"] for call in played.calls] == scans
    assert not any(call.doubt for call in played.calls)


def test_other_words_leave_the_doubt_about_a_scan() -> None:
    assert run("run_scan: scan the roof for stale pigeons", DEMO, doubt="I'm not sure").calls[0].doubt


@pytest.mark.parametrize(("when", "hours"), [("in the last 48 hours", 48), ("this week", 168), ("today", 24)])
def test_scans_are_told_of_the_time_named(when: str, hours: int) -> None:
    played = run(f"scan_results: which scans ran {{when:{when}}}", DEMO)
    assert played.arguments("get_scan_briefing") == {"timeframe_hours": hours}


def test_the_last_touch_with_somebody_is_no_event() -> None:
    jack = ref(DEMO, "lead", "Jack Russel")
    played = run("events: last touch w {name:jack russel}?", DEMO)
    assert played.text.startswith("**Jack Russel** was last contacted **3 days ago**, on ")
    assert played.topic.refs[0].id == jack.id
