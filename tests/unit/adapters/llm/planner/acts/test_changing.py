"""Orders that change fields of records."""

from typing import Any

import pytest

from aisha.adapters.llm.planner.plan import Answer
from aisha.adapters.llm.planner.state import Question, Topic
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import DEAL, changed_values, demo_desk, question_of, ref, run, topic_of
from tests.support.tenants.desk import REGISTRY

# Fields.


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("{name:Jack Russel}'s {field:email} is now jack@abc.example", {"email": "jack@abc.example"}),
        ("jack@abc.example, that's {name:Jack Russel}'s new {field:mail}", {"email": "jack@abc.example"}),
        ("{field:phone} of {name:Jack Russel}: +1 212 555 0199", {"phone": "+1 212 555 0199"}),
        ("mark {name:Jack Russel} as {value:qualified}", {"status": "qualified"}),
        ("mark {name:Jack Russel} as qualified", {"status": "qualified"}),
        ("{name:Jack Russel} was {value:new}, make it {value:contacted}", {"status": "contacted"}),
        ("set the {field:score} of {name:Jack Russel} to {value:80}", {"score": 80}),
        ("{name:Jack Russel} is {value:COO} these days", {"job_title": "COO"}),
        (
            "{name:Jack Russel}'s {field:designation} should read {value:COO} and not {value:Operations Director}",
            {"job_title": "COO"},
        ),
        (
            "the {field:status} of {name:Jack Russel} may be changed from {value:warm} to qualified",
            {"status": "qualified"},
        ),
        ("{name:Jack Russel} works as {value:buyer}", {"job_title": "buyer"}),
        ("{name:Jack Russel} is worth {amount:70 grand}", {"estimated_value": 70000}),
        ("{name:Jack Russel} is {amount:70k} not {amount:7k}", {"estimated_value": 70000}),
        ("assign {name:Jack Russel} to {owner:Bob}", {"owner": "bob"}),
        ("assign {name:Jack Russel} to bob", {"owner": "bob"}),
        ("give {name:Jack Russel} to {name:Bob}", {"owner": "bob"}),
        ("assign the lead {name:Jack Russel} to {value:Bob}", {"owner": "bob"}),
        ("give {name:Jack Russel} to me", {"owner": "me"}),
        ("make {owner:Bob} the {field:owner} of {name:Jack Russel}", {"owner": "bob"}),
        ("{name:Jack Russel} joined {org:Zenith}", {"company": "Zenith"}),
        ("the {field:company} of {name:Jack Russel} is {name:Zenith}", {"company": "Zenith"}),
        ("rename {name:Jack Russel} to {new:John Russell}", {"first_name": "John", "last_name": "Russell"}),
        ("{name:Jack Russel}'s {field:last name} is {value:Russell}", {"last_name": "Russell"}),
        ("set the {field:next step} of {name:Jack Russel} to {value:send brochure}", {"next_action": "send brochure"}),
    ],
)
def test_a_change_goes_to_the_field_that_is_named_or_takes_such_values(line: str, values: dict[str, Any]) -> None:
    assert changed_values(f"update_record: {line}", "update_lead") == values


@pytest.mark.parametrize(
    ("line", "tool", "values"),
    [
        ("{name:Silverline Bank} is {value:at risk}", "update_account", {"health": "at_risk"}),
        ("{name:Silverline} isn't {value:churning}, it's {value:healthy}", "update_account", {"health": "healthy"}),
        ("put {value:banking} as {field:industry} for {name:Silverline}", "update_account", {"industry": "banking"}),
        ("rename {name:XYZ Inc} to {new:XYZ Limited}", "update_account", {"company_name": "XYZ Limited"}),
        (
            f"the {{field:close date}} of {{name:{DEAL}}} is {{when:end of June}}",
            "update_opportunity",
            {"close_date": "2026-06-30"},
        ),
        (f"bump {{name:{DEAL}}} to {{amount:€92k}}", "update_opportunity", {"amount": 92000, "currency": "EUR"}),
        (f"the chance of {{name:{DEAL}}} is {{value:40%}}", "update_opportunity", {"probability": 40}),
    ],
)
def test_the_fields_said_tell_the_kind_of_record(line: str, tool: str, values: dict[str, Any]) -> None:
    assert changed_values(f"update_record: {line}", tool) == values


def test_all_fields_of_a_record_are_changed_in_one_call() -> None:
    fields = "{field:status} {value:qualified}, {field:score} {value:70}, {field:title} {value:COO}"
    played = run(f"update_record: {{name:Jack Russel}}, {fields}")
    assert played.tools.count("update_lead") == 1
    expected = "status is now **qualified**, score is now **70** and job title is now **COO**"
    assert played.text == f"I've updated **Jack Russel**: {expected}."
    assert played.topic.written == f"You just updated **Jack Russel**: {expected}."


def test_several_records_are_changed_in_one_round() -> None:
    played = run("update_record: set {name:Kenji Watanabe} and {name:Marcus Thornbury} to {value:contacted}")
    assert played.tools[-2:] == ["update_lead", "update_lead"]
    assert played.text == "I've updated **Kenji Watanabe** and **Marcus Thornbury**: status is now **contacted**."


def test_a_record_named_twice_is_changed_once() -> None:
    assert run("update_record: rename {name:XYZ} {name:Inc} to {new:XYZ Limited}").tools.count("update_account") == 1


def test_a_new_tag_keeps_the_old_ones_and_a_tag_can_be_removed() -> None:
    desk = demo_desk()
    run("update_record: tag {name:Jack Russel} as {value:VIP}", desk)
    assert changed_values("update_record: add the tag {value:golf} to {name:Jack Russel}", "update_lead", desk=desk)[
        "tags"
    ] == ["vip", "golf"]
    line = "update_record: remove the tag {value:VIP} from {name:Jack Russel}"
    assert changed_values(line, "update_lead", desk=desk)["tags"] == ["golf"]


def test_a_new_city_keeps_the_rest_of_the_address() -> None:
    values = changed_values("update_record: {name:Jack Russel}'s {field:city} is {value:Denver}", "update_lead")
    assert values["address"]["city"] == "Denver"
    assert values["address"].keys() > {"city"}


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("{name:Nadia Rahman} doesn't want any more calls", {"do_not_call"}),
        ("stop emailing {name:Nadia Rahman}", {"do_not_email"}),
        ("set {name:Nadia Rahman} to {value:do not contact}", {"do_not_call", "do_not_email"}),
    ],
)
def test_a_wish_not_to_be_called_or_emailed_is_stored(line: str, flags: set[str]) -> None:
    assert changed_values(f"update_record: {line}", "update_lead") == dict.fromkeys(flags, True)


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("change {ref:his} company to {org:Cobalt Mining}", {"company": "Cobalt Mining"}),
        ("change {ref:his company} to {name:Cobalt Mining}", {"company": "Cobalt Mining"}),
        ("{ref:his} {field:title} is {name:Plant Director}", {"job_title": "Plant Director"}),
        ("{ref:his new number} is +1 212 555 0199", {"phone": "+1 212 555 0199"}),
    ],
)
def test_a_pronoun_means_the_record_spoken_of_last(line: str, values: dict[str, Any]) -> None:
    desk = demo_desk()
    topic = topic_of(desk, "contact", "Wei Zhang")
    assert changed_values(f"update_record: {line}", "update_contact", desk=desk, topic=topic) == values


@pytest.mark.parametrize(
    ("line", "tag", "text"),
    [
        ("change the {field:phone} of {name:Jack Russel}", "value", "What is the new phone of **Jack Russel**?"),
        ("set {name:Jack Russel}'s {field:status} to {value:nurturing}", "value", "There is no status “nurturing”"),
        (
            "set {name:Jack Russel} to {value:nurturing}",
            "field",
            "Which field of **Jack Russel** shall I set to “nurturing”?",
        ),
        ("update {name:Jack Russel}", "value", "What shall I change on **Jack Russel**?"),
    ],
)
def test_a_missing_field_or_value_is_asked_for(line: str, tag: str, text: str) -> None:
    played = run(f"update_record: {line}")
    assert "update_lead" not in played.tools
    assert question_of(played).tag == tag
    assert text in played.text


def test_an_unknown_field_is_named_and_the_others_are_changed() -> None:
    fields = "{field:discount} {value:5%}, {field:status} {value:warm}, {field:score} {value:9}"
    played = run(f"update_record: {{name:Jack Russel}}: {fields}")
    assert played.arguments("update_lead")["score"] == 9
    assert "I can't set the discount to “5%” on a lead." in played.text
    alone = run("update_record: set the {field:discount} of {name:Jack Russel} to {value:5%}")
    assert alone.text == "Leads have no field for “discount”, so I haven't changed anything."


def test_a_percentage_is_no_sum() -> None:
    assert "update_lead" not in run("update_record: set {name:Jack Russel} to {amount:5%}").tools


def test_what_is_so_already_is_not_written() -> None:
    played = run("update_record: mark {name:Jack Russel} as {value:warm}")
    assert "update_lead" not in played.tools
    assert played.text == "The status of **Jack Russel** is already **warm**, so there was nothing to change."


@pytest.mark.parametrize(
    "line", ["set all leads in {value:Ohio} to {value:contacted}", "give the leads from {value:Ohio} to {owner:Bob}"]
)
def test_a_whole_kind_of_records_is_not_changed_unlisted(line: str) -> None:
    desk = demo_desk()
    played = run(f"update_record: {line}", desk, topic_of(desk, "lead", "Jack Russel"))
    assert not any(tool.startswith("update") for tool in played.tools)
    assert "Jack Russel" not in played.text


# Goals.


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("set the goal {name:Win six new customers} to {value:60%}", {"progress": 60}),
        ("the goal {name:Answer every lead} is reached", {"status": "done"}),
        (
            "put {name:Answer every lead} at {value:83}",
            {"key_results": [{"title": "Leads answered in time, percent", "current": 83}]},
        ),
        ("put {name:Renewals} at {value:6} now", {"key_results": [{"title": "Renewals", "current": 6}]}),
    ],
)
def test_a_goal_gets_its_progress_status_or_key_result(line: str, values: dict[str, Any]) -> None:
    arguments = run(f"update_goal: {line}").arguments("update_goal")
    assert {name: value for name, value in arguments.items() if name != "goal_id"} == values


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("raise the target of {name:Win six new customers} to {value:9}", "not its target"),
        ("set {name:Win six new customers} to {value:4}", "Which part of **Win six new customers**"),
        ("add {value:two} more to {name:Renewals}", "What is **Renewals** at now?"),
        ("put {name:Revenue} at {amount:400k}", "What is **Revenue signed, thousands** at now? The target is 600."),
        ("set the goal {name:Golf} to {value:60%}", "There is no goal called “Golf”"),
        ("set my goal to {value:60%}", "Which goal do you mean"),
    ],
)
def test_a_goal_that_is_not_clear_is_asked_about(line: str, text: str) -> None:
    played = run(f"update_goal: {line}")
    assert "update_goal" not in played.tools
    assert text in played.text


# Orders denied or imagined.


def test_what_is_denied_is_not_done() -> None:
    played = run("negated: don't call {name:Jack Russel}")
    assert (played.tools, played.text) == ([], "All right, I won't do that.")


@pytest.mark.parametrize(
    ("line", "is_offered"), [("never mind", True), ("don't mark it {value:lost}", True), ("no reminder please", False)]
)
def test_undo_is_offered_when_the_last_change_is_withdrawn(line: str, is_offered: bool) -> None:
    topic = Topic(written="You just updated **Jack Russel**: status is now **lost**.")
    answer = run(f"negated: {line}", topic=topic).answer
    assert answer.question == (Question("offer", offers=("undo that",)) if is_offered else None)


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("what if I deleted {name:Jack Russel}?", ("delete the lead Jack Russel",)),
        ("could one convert {name:Jack Russel}?", ("convert the lead Jack Russel",)),
        ("if I gave {name:Jack Russel} to {owner:Bob}, would he mind?", ("assign the lead Jack Russel to Bob",)),
        (f"what if I moved {{name:{DEAL}}} to {{value:lost}}?", (f"move the deal {DEAL} to lost",)),
    ],
)
def test_an_imagined_order_is_explained_and_offered(line: str, offers: tuple[str, ...]) -> None:
    played = run(f"hypothetical: {line}")
    assert not [tool for tool in played.tools if not tool.startswith("search_")]
    assert "I haven't changed anything." in played.text
    assert question_of(played).offers == offers


def test_an_imagined_order_about_no_record_is_only_answered() -> None:
    assert run("hypothetical: can you delete leads at all?").answer == Answer(
        "I haven't changed anything. Tell me what to do with which record when you want me to.", topic=Topic()
    )


def test_whether_to_do_something_gets_advice() -> None:
    played = run("hypothetical: should I mark {name:Jack Russel} as {value:lost}?")
    assert "suggest_next_actions" in played.tools
    assert "I haven't changed anything." in played.text
    assert played.answer.question is not None
    assert played.answer.question.offers == ("mark the lead Jack Russel as lost",)


def test_a_new_name_of_somebodys_company_is_no_name_of_the_person() -> None:
    line = "update_record: {name:Hannah}'s company changed {ref:its} name to {new:Weissberg Group}"
    assert changed_values(line, "update_lead") == {"company": "Weissberg Group"}


def test_a_company_after_the_new_job_is_the_new_employer() -> None:
    line = "update_record: {name:Quentin Marchand} is now {value:Managing Partner} at {org:Redwood Media}"
    assert changed_values(line, "update_contact") == {"job_title": "Managing Partner", "company": "Redwood Media"}


def test_a_verb_that_is_a_value_is_one_beside_another_value() -> None:
    line = "update_record: qualify {name:Siobhan Fitzgerald}, {field:budget} of {amount:60k}"
    assert changed_values(line, "update_lead") == {"estimated_value": 60000, "status": "qualified"}


def test_its_field_is_that_of_the_deal_and_not_of_the_person_spoken_of() -> None:
    desk = demo_desk()
    topic = Topic((ref(desk, "contact", "Nina Kowalski"), ref(desk, "opportunity", "Falcon Aerospace Training")))
    line = "update_record: push {ref:its} {field:close date} to {when:April 3}"
    assert changed_values(line, "update_opportunity", desk=desk, topic=topic) == {"close_date": "2026-04-03"}


def test_the_latest_one_after_notes_is_a_note() -> None:
    desk = demo_desk()
    listed = run("notes: notes on {name:Jack Russel}", desk).topic
    assert run("delete: delete {ref:the latest one}", desk, listed).tools[-1] == "delete_note"


def test_an_order_for_one_of_a_list_by_a_pronoun_asks_which_one() -> None:
    desk = demo_desk()
    topic = run("search: my {value:lost} leads", desk).topic
    answer = run("update_record: set {ref:her} back to {value:contacted}", desk, topic).answer
    assert answer.question is not None and answer.question.kind == "which"


def test_a_name_that_only_resembles_a_record_is_asked_about() -> None:
    answer = run("update_record: {name:Lucie}'s phone is {value:617 555 0129}").answer
    assert answer.question is not None and answer.question.candidates[0].name == "Lucia Ferrari"


def test_the_amount_of_a_company_is_that_of_its_deals() -> None:
    assert run("update_record: set {name:Helios Solar} {field:amount} to {amount:40k}").answer.question is not None


def test_that_email_is_an_activity() -> None:
    desk = demo_desk()
    topic = Topic((ref(desk, "lead", "Priya Nair"),))
    line = "update_record: reassign that email to {owner:bob}"
    assert changed_values(line, "update_activity", desk=desk, topic=topic) == {"owner": "bob"}


def test_whom_a_value_is_set_for_is_the_record_however_tagged() -> None:
    assert changed_values("update_record: set {owner:Amara} to {value:warm}", "update_lead") == {"status": "warm"}


def test_several_records_with_values_of_their_own_are_not_changed_by_one_of_them() -> None:
    played = run("update_record: {name:Amara Okafor} to {value:contacted}, {name:Nadia Rahman} {value:lost}")
    assert "one at a time" in played.text and not played.calls


@pytest.mark.parametrize(
    "line",
    [
        "update_record: set the {name:Lars Eriksen} deal to {value:won}",
        "update_record: assign the deal {name:Lars Eriksen} to {owner:Bob}",
        "update_record: {field:phone} of the contact {name:Lars Eriksen}: +1 212 555 0199",
    ],
)
def test_a_record_of_another_kind_than_was_said_is_asked_about(line: str) -> None:
    played = run(line, demo_desk())
    assert "the lead Lars Eriksen" in played.text
    assert not any(tool.startswith("update") for tool in played.tools)


def test_a_lead_that_is_to_be_closed_is_offered_to_be_lost() -> None:
    desk = demo_desk()
    played = run("advance_stage: so close {ref:her} out", desk, Topic((ref(desk, "lead", "Priya Nair"),)))
    assert played.answer.question is not None
    assert played.answer.question.offers == ("set the status of Priya Nair to lost",)


@pytest.mark.parametrize(
    ("line", "names", "new"),
    [
        ("update_record: put all my {value:unqualified} leads on {value:lost}", ["Arjun Mehta", "Priya Nair"], "lost"),
        (
            "update_record: my leads in {value:Albany} with {field:status} {value:contacted}: set them to {value:warm}",
            ["Mateo Villanueva", "Patrick O'Shaughnessy"],
            "warm",
        ),
        ("update_record: set the {field:score} of every {value:qualified} lead to {value:50}", ["Tariq Mahmoud"], "50"),
        (
            "advance_stage: move all my deals {when:closing in march} to {value:negotiation}",
            ["Falcon Aerospace Training Package"],
            "negotiation",
        ),
    ],
)
def test_all_records_of_a_description_are_shown_before_they_are_changed(line: str, names: list[str], new: str) -> None:
    played = run(line)
    assert question_of(played).tag == "confirmed" and f"**{new}**" in played.text
    assert {*names} <= {one.name for one in played.topic.refs}
    assert all(name in played.text for name in names)
    assert not any(tool.startswith(("update", "advance")) for tool in played.tools)


def test_what_already_has_the_value_is_not_changed_again() -> None:
    played = run("advance_stage: move all my deals {when:closing in march} to {value:negotiation}")
    assert "Blue Harbor Fleet Tracking" not in played.text


@pytest.mark.parametrize(
    "line",
    [
        "update_record: set all my leads to {value:lost}",
        "update_record: set all {value:purple} leads to {value:lost}",
        "update_record: set all leads of my aunt to {value:lost}",
    ],
)
def test_too_many_records_and_those_that_nothing_finds_stay_as_they_are(line: str) -> None:
    played = run(line)
    assert "hanged" in played.text and played.answer.question is None
    assert not any(tool.startswith("update") for tool in played.tools)


def test_a_new_amount_is_told_in_the_deals_currency() -> None:
    conversation = Stage(REGISTRY, NOW, "alice", "demo")
    created = conversation.say("Create a deal called Zeta Pilot for ABC Corp worth 12000 EUR")
    assert "12,000 EUR" in created["response"]
    changed = conversation.say("Set the amount of Zeta Pilot to 7000", created["conversationId"])
    assert "amount is now **7,000 EUR**" in changed["response"]


def test_the_yes_to_all_records_changes_those_that_were_shown() -> None:
    conversation = Stage(REGISTRY, NOW, "alice", "demo")
    asked = conversation.say("put all my unqualified leads on lost", None)
    done = conversation.say("yes", asked["conversationId"])
    assert [call["name"] for call in done["toolCalls"]] == ["update_lead"] * 4
    assert "lost" in done["response"] and "Priya Nair" in done["response"]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("i'd say about {amount:30k} in it, and it was a cold call", {"estimated_value": 30000, "source": "cold_call"}),
        ("{value:COO}, score {value:60}", {"job_title": "COO", "score": 60}),
    ],
)
def test_what_is_told_of_a_record_just_made_is_set_in_full(line: str, values: dict[str, Any]) -> None:
    desk = demo_desk()
    made = ref(desk, "lead", "Jack Russel")
    topic = Topic((made,), written="You just created him.", changed=(made,))
    assert changed_values(f"update_record: {line}", "update_lead", desk=desk, topic=topic) == values


def test_the_people_of_a_company_are_its_employees() -> None:
    desk = demo_desk()
    values = changed_values(
        "update_record: they have around {value:220} people",
        "update_account",
        desk=desk,
        topic=topic_of(desk, "account", "Helios Solar"),
    )
    assert values == {"employee_count": 220}


@pytest.mark.parametrize(
    ("message", "question"),
    [
        (
            "change the amount on ABC Corp Pilot to 60",
            "the deal ABC Corp Pilot Project to $60,000?",
        ),
        (
            "set the estimated value of Jack Russel to 55",
            "the lead Jack Russel to $55,000?",
        ),
    ],
)
def test_a_bare_number_far_below_the_stored_amount_is_asked_about_in_thousands(message: str, question: str) -> None:
    answer = Stage(REGISTRY, NOW).say(message)
    assert answer["response"].endswith(question)


@pytest.mark.parametrize("number", ["$60", "60k", "51,500"])
def test_an_amount_that_is_said_in_full_is_written(number: str) -> None:
    assert "amount is now" in Stage(REGISTRY, NOW).say(f"set the amount of ABC Corp Pilot to {number}")["response"]
