from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.adapters.llm.planner import acts
from aisha.adapters.llm.planner.state import Search, Topic
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.crm.records import Opportunity
from tests.support.dialogue.planner import Played, demo_desk, ref, replies, run, segment
from tests.support.tenants.desk import Desk

acts.load()
JACK = "{name:Jack Russel}"


def _planned(line: str, desk: Desk | None = None, topic: Topic | None = None, **more: Any) -> dict[str, Any]:
    """Return the arguments with which the one activity of an ask is planned."""
    played = run(f"create_activity: {line}", desk or demo_desk(), topic or Topic(), **more)
    assert played.tools[-1] == "create_activity", played.text
    return played.arguments("create_activity")


def _items(line: str, desk: Desk | None = None, topic: Topic | None = None) -> list[dict[str, Any]]:
    """Return the activities that an ask plans in one bulk call."""
    played = run(f"create_activity: {line}", desk or demo_desk(), topic or Topic())
    assert played.tools[-1] == "bulk_create_activities", played.text
    return list(played.arguments("bulk_create_activities")["items"])


def _with_call(desk: Desk, when: str = "{when:tomorrow at 2pm}") -> Topic:
    """Plan a call with Jack, and return the topic after it."""
    return run(f"create_activity: call {JACK} {when}", desk).topic


def _changed(line: str, desk: Desk, topic: Topic) -> Played:
    return run(f"change_activity: {line}", desk, topic)


@pytest.mark.parametrize(
    "when", ["{when:friday at 25}", "{when:friday 11x}", "{when:friday} 11x", "{when:tuesday half past}"]
)
def test_a_time_read_by_half_is_asked_for(when: str) -> None:
    played = run(f"create_activity: call {JACK} {when}", demo_desk(), Topic())
    assert "create_activity" not in played.tools
    assert "When should it be?" in played.text


@pytest.mark.parametrize("what", ["to show the 3 offers", "for 45 minutes", "about {topic:the 2027 budget}"])
def test_a_number_beside_a_day_that_is_no_time_is_none(what: str) -> None:
    assert _planned(f"call {JACK} {{when:on Friday}} {what}")["due_date"].startswith("2026-03-06T09:00")


@pytest.mark.parametrize(
    "clause",
    [
        ', title it "Scope check"',
        ". Title: Scope check",
        ", name it 'Scope check'",
        " with the title Scope check",
        " and call it Scope check",
        ". title Scope check, {value:high} priority",
    ],
)
def test_the_title_that_an_order_gives_is_that_of_the_activity(clause: str) -> None:
    planned = _planned(f"a demo for {JACK} {{when:friday 10am}}{clause}")
    assert (planned["title"], planned["activity_type"]) == ("Scope check", "demo")
    logged = _planned(f"log a call with {JACK}{clause}")
    assert (logged["title"], logged["status"]) == ("Scope check", "completed")


def test_a_time_that_is_some_hours_away_is_no_length() -> None:
    planned = _planned(f"a meeting with {JACK} {{when:in 2 hours}}")
    assert planned["due_date"].startswith("2026-03-04T12:00")
    assert "duration_minutes" not in planned
    assert _planned(f"a 45 minute call with {JACK} {{when:in 2 hours}}")["duration_minutes"] == 45


def test_the_same_day_is_that_of_the_activity_spoken_of() -> None:
    desk = demo_desk()
    topic = _with_call(desk, "{when:on Tuesday at 10}")
    played = run("create_activity: same day {when:3p} a demo for {name:Priya Nair}", desk, topic)
    assert played.arguments("create_activity")["due_date"].startswith("2026-03-10T15:00")


def test_the_same_day_of_nothing_is_asked_for() -> None:
    played = run(f"create_activity: call {JACK} same day {{when:at 4}}", demo_desk(), Topic())
    assert "Which day" in played.text


def test_preponing_moves_an_activity_forward() -> None:
    desk = demo_desk()
    topic = _with_call(desk, "{when:tomorrow at 2pm}")
    moved = _changed("prepone it by {when:one hour}", desk, topic)
    assert moved.arguments("update_activity")["due_date"].startswith("2026-03-05T13:00")


@pytest.mark.parametrize(
    ("line", "kind", "title"),
    [
        (f"call {JACK}", "call", "Call with Jack Russel"),
        (f"call {JACK} about {{topic:the renewal}}", "call", "Call with Jack Russel: the renewal"),
        (f"a follow-up with {JACK}", "call", "Follow-up call with Jack Russel"),
        (f"a follow-up task for {JACK}", "task", "Follow up with Jack Russel"),
        (f"task for {JACK}: {{topic:send pricing}}", "task", "Send pricing"),
        (f"put an email to {JACK} on my to-do list", "email", "Email to Jack Russel"),
        (f"a task titled “Verify the address” for {JACK}", "task", "Verify the address"),
        (f"show {JACK} a demo {{when:tomorrow}}", "demo", "Demo with Jack Russel"),
    ],
)
def test_type_and_title_come_from_the_words(line: str, kind: str, title: str) -> None:
    planned = _planned(line)
    assert (planned["activity_type"], planned["title"]) == (kind, title)


@pytest.mark.parametrize(
    ("when", "due"),
    [
        ("{when:tomorrow at 9}", "2026-03-05T09:00"),
        ("{when:Friday}... let's say {when:11:15}", "2026-03-06T11:15"),
        ("{when:this week}", "2026-03-05T09:00"),
        ("{when:next week}", "2026-03-09T09:00"),
        ("{when:after Friday}", "2026-03-09T09:00"),
        ("now", "2026-03-04T11:00"),
        ("now, {when:on Monday at 3}", "2026-03-09T15:00"),
    ],
)
def test_due_date_is_computed_from_the_time(when: str, due: str) -> None:
    assert _planned(f"call {JACK} {when}")["due_date"].startswith(due)


def test_call_without_a_time_is_left_to_the_tool() -> None:
    assert "due_date" not in _planned(f"call {JACK}")


def test_length_priority_and_place_are_kept() -> None:
    planned = _planned(
        f"a 45 minute meeting with {JACK} {{when:friday 10am}} at {{value:the Harbour Hotel}}, {{value:high priority}}"
    )
    assert planned["duration_minutes"] == 45
    assert (planned["priority"], planned["location"]) == ("high", "the Harbour Hotel")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"meeting with {JACK}", "day and a time"),
        (f"meeting with {JACK} {{when:next month}}", "day and a time"),
        (f"meeting with {JACK} {{when:on Friday}}", "I need a time"),
        (f"a task for {JACK} on {{ref:that date}}", "Which day"),
        (f"call {JACK} {{when:yesterday}}", "already passed"),
        (f"another one with {JACK} {{when:the week thereafter}}", "the week thereafter"),
    ],
)
def test_time_that_is_missing_past_or_unknown_is_asked_for(line: str, words: str) -> None:
    played = run(f"create_activity: {line}", demo_desk())
    assert words in played.text
    assert played.answer.question is not None
    assert played.answer.question.tag == "when"
    assert "create_activity" not in played.tools


def test_each_name_has_the_time_beside_it_and_the_day_of_the_others() -> None:
    items = _items("call {name:Lars Eriksen} {when:tomorrow at ten} and {name:Aaliyah Freeman} at {when:11}")
    assert [item["due_date"][:16] for item in items] == ["2026-03-05T10:00", "2026-03-05T11:00"]


def test_names_share_the_only_time_and_topic() -> None:
    items = _items("call {name:Lars Eriksen} and {name:Aaliyah Freeman} {when:on Friday} about {topic:prices}")
    assert {item["due_date"][:10] for item in items} == {"2026-03-06"}
    assert all(item["title"].endswith(": prices") for item in items)


def test_each_name_has_its_own_type() -> None:
    items = _items(
        "a call with {name:Lars Eriksen} {when:tomorrow} and a demo with {name:Aaliyah Freeman} {when:on Friday}"
    )
    assert [item["activity_type"] for item in items] == ["call", "demo"]


@pytest.mark.parametrize(
    "line",
    [
        f"two calls with {JACK} {{when:next week}}",
        "call {name:Lars Eriksen} {when:at 3}, {name:Jack Russel} {when:at 4}, {name:Wei Zhang} about {topic:it}",
    ],
)
def test_several_activities_of_which_one_has_no_time_are_not_planned(line: str) -> None:
    played = run(f"create_activity: {line}", demo_desk())
    assert "Nothing is planned yet" in played.text
    assert not {"create_activity", "bulk_create_activities"} & {*played.tools}


def test_company_of_a_person_is_no_second_name() -> None:
    assert _planned("call {name:Jack Russel} of {name:ABC Corp} {when:tomorrow}")["entity_type"] == "lead"


def test_described_records_are_searched_and_planned_at_once() -> None:
    played = run("create_activity: schedule calls with all my {value:warm} leads {when:next monday}", demo_desk())
    assert played.arguments("search_leads") == {"status": "warm", "owner": "me", "limit": 50}
    assert len(played.arguments("bulk_create_activities")["items"]) == 6


def test_unknown_description_plans_nothing() -> None:
    played = run("create_activity: call all leads whose {text:dog barks} {when:tomorrow}", demo_desk())
    assert "planned nothing" in played.text
    assert "bulk_create_activities" not in played.tools


def test_one_record_of_a_kind_is_no_description() -> None:
    played = run("create_activity: call the {value:new} lead {when:tomorrow}", demo_desk())
    assert played.answer.question is not None
    assert played.answer.question.kind == "who"


def test_first_of_the_last_list_are_meant() -> None:
    desk = demo_desk()
    topic = Topic(tuple(ref(desk, "lead", name) for name in ("Jack Russel", "Lars Eriksen", "Aaliyah Freeman")))
    items = _items("a call with the first two {when:tomorrow}", desk, topic)
    assert [item["title"] for item in items] == ["Call with Jack Russel", "Call with Lars Eriksen"]


def test_remaining_records_are_those_without_an_open_activity() -> None:
    desk = demo_desk()
    names = ("Jack Russel", "Lars Eriksen", "Aaliyah Freeman")
    listed = tuple(ref(desk, "lead", name) for name in names)
    _with_call(desk)
    played = run("create_activity: create a call for the remaining leads", desk, Topic(listed))
    assert "I skipped **Jack Russel**" in played.text
    assert len(played.arguments("bulk_create_activities")["items"]) == 2


def test_list_before_the_last_plan_is_still_known() -> None:
    desk = demo_desk()
    topic = Topic((ref(desk, "lead", "Jack Russel"),), Search("search_leads", {"status": "warm", "owner": "me"}))
    played = run("create_activity: a call with the others", desk, topic)
    assert "bulk_create_activities" in played.tools


def test_task_of_ones_own_is_not_about_whoever_was_mentioned_long_ago() -> None:
    desk = demo_desk()
    jack = ref(desk, "lead", "Jack Russel")
    entity = SessionEntity(jack.id, jack.type, jack.name)
    played = run("create_activity: a task to {topic:order new brochures}", desk, entities=(entity,))
    assert played.answer.question is not None
    assert played.answer.question.kind == "who"
    assert _planned("set up a call {when:tomorrow}", desk, entities=(entity,))["entity_id"] == jack.id


def test_value_without_a_place_is_named() -> None:
    played = run(f"create_activity: call {JACK} {{when:tomorrow}}, {{value:purple}}", demo_desk())
    assert "“purple”" in played.text


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("move {ref:it} to {when:4pm}", "due_date", "2026-03-05T16:00"),
        ("move {ref:it} to {when:Monday}", "due_date", "2026-03-09T14:00"),
        ("move {ref:it} to {when:Monday at 9}", "due_date", "2026-03-09T09:00"),
        ("make {ref:it} {when:two hours later}", "due_date", "2026-03-05T16:00"),
        ("bring {ref:it} forward {when:by half an hour}", "due_date", "2026-03-05T13:30"),
        ("push {ref:it} {when:by a week}", "due_date", "2026-03-12T14:00"),
        ("make {ref:it} {when:45 minutes}", "duration_minutes", "45"),
        ("extend {ref:it} to {when:two hours}", "duration_minutes", "120"),
        ("make {ref:it} {value:urgent}", "priority", "urgent"),
        ("rename {ref:it} to {new:Pricing round two}", "title", "Pricing round two"),
        ("assign {ref:it} to {owner:Bob}", "owner", "bob"),
        ("make {ref:it} a demo, not a call", "activity_type", "demo"),
        ("call {ref:it} off", "status", "cancelled"),
        ("{when:Friday} rather than {when:Thursday}, please", "due_date", "2026-03-06T14:00"),
    ],
)
def test_change_of_the_activity_last_written(line: str, field: str, value: str) -> None:
    desk = demo_desk()
    played = _changed(line, desk, _with_call(desk))
    assert str(played.arguments("update_activity")[field]).startswith(value)
    assert set(played.arguments("update_activity")) == {"activity_id", field}
    assert played.topic.written.startswith("You just ")


@pytest.mark.parametrize("line", ["move {ref:it}", "reschedule {when:Thursday}'s call with " + JACK])
def test_move_without_a_new_time_asks_for_it(line: str) -> None:
    desk = demo_desk()
    played = _changed(line, desk, _with_call(desk))
    assert "When should **Call with Jack Russel** be instead?" in played.text


def test_activity_is_found_by_the_record_that_is_named() -> None:
    desk = demo_desk()
    _with_call(desk)
    played = _changed(f"cancel the call with {JACK}", desk, Topic())
    assert played.arguments("update_activity")["status"] == "cancelled"


def test_time_tells_which_activity_is_meant() -> None:
    desk = demo_desk()
    _with_call(desk)
    _with_call(desk, "{when:on Friday at 9}")
    played = _changed(f"move {{when:tomorrow}}'s call with {JACK} to {{when:Monday}}", desk, Topic())
    assert played.arguments("update_activity")["due_date"].startswith("2026-03-09T14:00")


def test_several_open_activities_are_asked_about_and_the_answer_is_taken() -> None:
    desk = demo_desk()
    played = _changed("cancel the call with {name:Rafael Monteiro}", desk, Topic())
    question = played.answer.question
    assert question is not None
    assert {one.type for one in question.candidates} == {"activity"}
    answered = run(
        "change_activity: cancel the call with {name:Rafael Monteiro}", desk, bindings={"": question.candidates[1]}
    )
    assert answered.arguments("update_activity")["activity_id"] == question.candidates[1].id


def test_type_that_is_not_planned_is_never_taken_for_another() -> None:
    desk = demo_desk()
    _with_call(desk)
    played = _changed(f"cancel the demo with {JACK}", desk, Topic())
    assert "isn't planned" in played.text
    assert "update_activity" not in played.tools


def test_several_activities_change_only_after_a_yes() -> None:
    desk = demo_desk()
    line = "move all my calls of {when:tomorrow} to {when:Friday}"
    asked = _changed(line, desk, Topic())
    assert asked.text.startswith("Shall I move")
    assert "update_activity" not in asked.tools
    assert asked.answer.question is not None
    tag = asked.answer.question.tag
    assert "update_activity" in run(f"change_activity: {line}", desk, Topic(), slots={tag: "yes please"}).tools
    assert "update_activity" not in run(f"change_activity: {line}", desk, Topic(), slots={tag: "which ones"}).tools


def test_of_several_the_one_that_was_due_is_done() -> None:
    played = run(
        "complete_activity: mark the call with {name:Rafael Monteiro} as {value:done}, {text:he said yes}", demo_desk()
    )
    assert "**Call Rafael Monteiro about the pilot**" in played.text
    assert played.arguments("complete_activity")["outcome"] == "he said yes"


def test_activity_is_found_by_its_quoted_title() -> None:
    played = run("complete_activity: mark “{text:Send the revised quote to Priya Nair}” as {value:done}", demo_desk())
    assert "**Send the revised quote to Priya Nair**" in played.text
    assert "outcome" not in played.arguments("complete_activity")


def test_topic_that_no_title_has_completes_nothing() -> None:
    desk = demo_desk()
    played = run("complete_activity: the {topic:tax return} task is done", desk, _with_call(desk))
    assert "nothing open like that" in played.text
    assert "complete_activity" not in played.tools


def test_other_one_of_a_list_is_the_one_not_changed_since() -> None:
    desk = demo_desk()
    overdue = run("list_activities: what's {value:overdue}", desk).topic
    moved = _changed("push {ref:the first one} to {when:next monday}", desk, overdue)
    played = run("complete_activity: {ref:the other one} is done", desk, moved.topic)
    assert "**Send the revised quote to Priya Nair**" in played.text


def test_record_without_an_open_activity_is_told() -> None:
    played = run(f"complete_activity: the call with {JACK} is done", demo_desk())
    assert "Nothing is planned with **Jack Russel**" in played.text


def test_same_order_again_without_anything_new_is_not_planned_twice() -> None:
    desk = demo_desk()
    line = f"call {JACK} {{when:on Friday at 3pm}}"
    topic = replace(run(f"create_activity: {line}", desk).topic, asked=segment(f"create_activity: {line}"))
    played = run(f"create_activity: {line}", desk, topic)
    assert "planned already" in played.text
    assert "create_activity" not in played.tools


def test_question_for_the_time_of_a_meeting_names_whom_it_is_with() -> None:
    assert "with **Jack Russel**" in run("create_activity: book a meeting with {name:Jack Russel}", demo_desk()).text


def test_unknown_clause_plans_nothing_for_all_records() -> None:
    played = run("create_activity: call all leads that {text:own a dog} {when:tomorrow}", demo_desk())
    assert "bulk_create_activities" not in played.tools


def test_the_time_that_is_given_up_tells_which_activity_is_meant() -> None:
    line = "change_activity: move {name:Rafael Monteiro}'s follow up {when:tomorrow at 4} instead of {when:Monday}"
    assert run(line).arguments("update_activity")["due_date"].startswith("2026-03-05T16:00")


def test_a_weekday_that_corrects_what_was_just_planned_is_of_its_week() -> None:
    desk = demo_desk()
    topic = run("create_activity: demo with {name:Amara Okafor} {when:next Thursday 3pm}", desk).topic
    moved = run("change_activity: {when:Friday} works better", desk, topic).arguments("update_activity")
    assert moved["due_date"].startswith("2026-03-13T15:00")


def test_that_is_the_meeting_just_planned() -> None:
    desk = demo_desk()
    topic = run("invite: invite {name:Paloma Ortega} to a meeting {when:on the 19th at 2}", desk).topic
    assert "Meeting with Paloma Ortega" in run("change_activity: cancel {ref:that}", desk, topic).text


def test_the_place_of_the_people_described_is_not_that_of_the_activities() -> None:
    line = "create_activity: a call with all my {value:warm} leads in {value:Seattle} {when:Tuesday 9am}"
    assert not any("location" in item for item in _items(line))


def test_of_two_times_one_is_asked_for() -> None:
    line = "create_activity: call {name:Siobhan Fitzgerald} {when:on Tuesday or Wednesday at 11}"
    assert "Which one shall it be?" in run(line).text


def test_the_day_in_the_text_of_a_task_is_that_of_the_task() -> None:
    line = "create_activity: a task for {name:Jack Russel} to {text:send him the terms on Friday}"
    assert _planned(line)["due_date"].startswith("2026-03-06")


def test_it_after_a_deal_is_the_deal_and_moves_its_close_date() -> None:
    desk = demo_desk()
    deal = ref(desk, "opportunity", "Blue Harbor Fleet Tracking")
    stored = desk.records.get("demo", "opportunity", deal.id)
    assert isinstance(stored, Opportunity)
    assert stored.close_date is not None
    played = run("change_activity: push {ref:it} out {when:two weeks}", desk, Topic((deal,)))
    assert played.arguments("update_opportunity") == {
        "opportunity_id": deal.id,
        "close_date": (stored.close_date + timedelta(weeks=2)).isoformat(),
    }


def test_an_activity_that_only_a_pronoun_means_is_confirmed_first() -> None:
    desk = demo_desk()
    played = run("change_activity: move {ref:it} to {when:Friday}", desk, Topic((ref(desk, "lead", "Jack Russel"),)))
    assert played.answer.question is not None or all(call.doubt for call in played.calls if "update" in call.tool)


@pytest.mark.parametrize(
    ("line", "attendees"),
    [
        (f"a meeting with {JACK} and anna@far.example {{when:on Friday at 10}}", ["Jack Russel", "anna@far.example"]),
        (
            f"a meeting with {JACK} and {{name:Rafael Monteiro}} {{when:on Friday at 10}}",
            ["Jack Russel", "Rafael Monteiro"],
        ),
    ],
)
def test_one_meeting_with_several_people_is_planned_once_and_has_an_invitation(line: str, attendees: list[str]) -> None:
    played = run(f"create_activity: {line} for 45 minutes")
    assert played.tools[-1] == "schedule_meeting"
    assert "create_activity" not in played.tools
    given = played.arguments("schedule_meeting")
    assert (given["attendees"], given["duration"], given["date"][:16]) == (attendees, 45, "2026-03-06T10:00")
    assert "45 minutes" in played.text


def test_meetings_with_each_of_several_people_are_planned_apart() -> None:
    line = f"separate meetings with {JACK} and {{name:Rafael Monteiro}} {{when:on Friday at 10}}"
    assert [one["activity_type"] for one in _items(line)] == ["meeting", "meeting"]


def test_a_meeting_with_strangers_alone_is_asked_what_it_is_about() -> None:
    played = run("create_activity: a meeting with anna@far.example {when:on Friday at 10}")
    assert played.text.startswith("Which lead, contact, account or deal is the meeting about?")


def test_a_colleague_listed_among_the_guests_of_a_meeting_does_not_become_its_owner() -> None:
    played = run(f"create_activity: a meeting with {JACK} and {{owner:bob}} {{when:on Friday at 10}}")
    assert "I can't add Bob" in played.text
    assert "owner" not in played.arguments("create_activity")


def test_what_is_due_today_is_not_urgent_for_that() -> None:
    played = run("create_activity: call {name:Priya Nair} {when:today at 3 pm} {value:high} priority")
    assert played.arguments("create_activity")["priority"] == "high"


@pytest.mark.parametrize(
    ("line", "kind", "due", "body"),
    [
        (
            "log a meeting with {name:Priya Nair} {when:this morning}, we saw the yard",
            "meeting",
            "2026-03-04T09:00:00-05:00",
            "we saw the yard",
        ),
        ("log a completed call with {name:Priya Nair}", "call", None, None),
        ("log a demo with {name:Priya Nair} {when:yesterday at 3}", "demo", "2026-03-03T15:00:00-05:00", None),
        (
            "log that I emailed {name:Priya Nair}, she will call back on Friday",
            "email",
            None,
            "she will call back on Friday",
        ),
    ],
)
def test_what_is_over_is_logged_and_not_planned(line: str, kind: str, due: str | None, body: str | None) -> None:
    logged = run(f"create_activity: {line}").arguments("create_activity")
    given = [logged.get(name) for name in ("status", "activity_type", "due_date", "body")]
    assert given == ["completed", kind, due, body]


def test_a_meeting_to_come_is_planned_and_not_logged() -> None:
    planned = _planned("log a meeting with {name:Priya Nair} {when:tomorrow at 3}")
    assert "status" not in planned


def test_what_is_told_is_asked_for_its_time_when_that_is_to_come() -> None:
    played = run("create_activity: log a call with {name:Priya Nair} {when:on Monday}, {text:she needs more time}")
    assert not {"create_activity"} & {*played.tools}
    assert "When did it take place?" in played.text


def test_a_task_of_ones_own_may_be_a_reminder() -> None:
    played = run("create_activity: task for me {when:tomorrow 7 am} {topic:load the demo unit on the truck}")
    assert played.answer.question is not None and not played.calls
    assert played.answer.question.offers == ("remind me tomorrow 7 am to load the demo unit on the truck",)


def test_a_deal_that_is_moved_by_its_name_gets_another_close_date() -> None:
    played = run("change_activity: the {name:Redwood Media Expansion} slips to {when:June 10}")
    assert played.arguments("update_opportunity")["close_date"] == "2026-06-10"


def test_the_last_noun_tells_the_type() -> None:
    (reply,) = replies("set up a contract walkthrough meeting with Caleb Winters, March 12, 4pm")
    assert "**Contract walkthrough meeting with Caleb Winters**" in reply


def test_one_at_an_hour_is_on_the_day_that_was_asked_about() -> None:
    *_, reply = replies("What meetings do I have tomorrow?", "ok create one with Wei Zhang at 15:00 about the renewal")
    assert "tomorrow at 3:00 PM" in reply


def test_a_change_of_what_is_cancelled_is_asked_about() -> None:
    lines = ("cancel the discovery call with Paloma", "set the priority of it to high")
    assert replies(*lines)[-1].startswith("That has been cancelled: shall I")
