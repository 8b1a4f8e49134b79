from typing import Any

import pytest

from aisha.adapters.llm.planner.state import Search, Topic
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.planner import Played, demo_desk, ref, run
from tests.support.tenants.desk import ANN, Desk

DEMO = demo_desk()
"""Searches change nothing, so that all tests share it."""


def _search(line: str, topic: Topic | None = None) -> Played:
    return run(f"search: {line}", DEMO, topic)


def _own_desk(leads: int = 0, **fields: Any) -> Desk:
    clock = FixedClock(NOW)
    desk = Desk(ANN, clock, InMemoryRecordRepository(clock))
    for number in range(leads):
        desk.put("lead", first_name="Lead", last_name=f"Number{number}", **fields)
    return desk


@pytest.mark.parametrize(
    ("line", "tool", "arguments"),
    [
        ("my {value:warm} leads", "search_leads", {"status": "warm", "owner": "me"}),
        ("our {value:warm} leads", "search_leads", {"status": "warm"}),
        ("leads of {owner:Bob}", "search_leads", {"owner": "bob"}),
        ("my boss wants the {value:new} leads", "search_leads", {"status": "new"}),
        ("leads in {value:Texas}", "search_leads", {"state": "TX"}),
        ("leads in {value:Austin}", "search_leads", {"city": "Austin"}),
        ("leads from {value:LinkedIn}", "search_leads", {"source": "social_media"}),
        ("{value:won} deals", "search_opportunities", {"stage": "closed_won"}),
        ("{value:open} deals over {amount:100k}", "search_opportunities", {"open_only": True, "min_value": 100_000.01}),
        ("deals under {amount:30k}", "search_opportunities", {"max_value": 29_999.99}),
        ("leads with a score over 80", "search_leads", {"min_score": 81}),
        ("accounts with more than 500 employees", "search_accounts", {"min_employees": 501}),
        ("accounts {value:at risk}", "search_accounts", {"health": "at_risk"}),
        ("{value:manufacturing} accounts", "search_accounts", {"industry": "manufacturing"}),
        ("list the first {count:20} leads", "search_leads", {"limit": 20}),
        ("tasks past their due date", "list_activities", {"status": "overdue"}),
        ("my overdue calls", "list_activities", {"activity_type": "call", "status": "overdue", "owner": "me"}),
    ],
)
def test_each_word_becomes_the_filter_that_has_it(line: str, tool: str, arguments: dict[str, Any]) -> None:
    assert _search(line).arguments(tool) == arguments


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("anything {value:warm}", "search_leads"),
        ("what is {value:churning}", "search_accounts"),
        ("everything in {value:negotiation}", "search_opportunities"),
        ("anything above {amount:50k}", "search_opportunities"),
        ("who do we know at {org:ABC Corp}", "search_contacts"),
        ("customers not contacted {when:in the last 30 days}", "search_accounts"),
    ],
)
def test_without_a_kind_the_values_decide_it(line: str, tool: str) -> None:
    assert _search(line).tools[-1] == tool


def test_times_belong_to_what_the_words_beside_them_say() -> None:
    closing = _search("deals closing {when:this month}").arguments("search_opportunities")
    assert closing == {"closing_after": "2026-03-01", "closing_before": "2026-03-31"}
    created = _search("leads that came in {when:last week}").arguments("search_leads")
    assert (created["created_after"][:10], created["created_before"][:10]) == ("2026-02-23", "2026-03-01")
    contacted = _search("leads we talked to {when:last week}").arguments("search_leads")
    assert contacted["contacted_after"][:10] == "2026-02-23"


def test_no_contact_in_a_time_means_a_last_contact_before_it() -> None:
    played = _search("leads nobody has contacted {when:in the last 30 days}")
    assert list(played.arguments("search_leads")) == ["contacted_before"]
    assert "last contacted on or before" in played.text


def test_a_month_ahead_of_us_is_last_years_when_it_must_be_past() -> None:
    assert _search("leads created {when:in October}").arguments("search_leads")["created_after"][:10] == "2025-10-01"


def test_a_named_company_becomes_the_account_of_deals_and_contacts() -> None:
    account = ref(DEMO, "account", "Blue Harbor")
    for line, tool, link in (
        ("deals of {name:Blue Harbor}", "search_opportunities", "with"),
        ("contacts at {org:Blue Harbor}", "search_contacts", "at"),
    ):
        played = _search(line)
        assert played.arguments(tool) == {"account_id": account.id}
        assert f"{link} Blue Harbor Logistics" in played.text


def test_a_record_that_was_spoken_of_becomes_the_account_too() -> None:
    account = ref(DEMO, "account", "Blue Harbor")
    played = _search("any {value:open} deals with {ref:them}?", Topic((account,)))
    assert played.arguments("search_opportunities") == {"open_only": True, "account_id": account.id}
    assert "account_id" in _search("contacts there?", Topic((account,))).arguments("search_contacts")


def test_those_narrows_the_last_list() -> None:
    last = _search("my {value:warm} leads")
    played = _search("which of {ref:those} are in {value:Texas}", last.topic)
    assert played.arguments("search_leads") == {"status": "warm", "owner": "me", "state": "TX"}


def test_a_pronoun_that_the_tagger_missed_points_back_too() -> None:
    account = ref(DEMO, "account", "Blue Harbor")
    assert "account_id" in _search("deals with them", Topic((account,))).arguments("search_opportunities")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("companies with {value:open} deals", "There are 12 accounts with open deals"),
        ("{value:customer} accounts with no {value:open} deal", "There is 1 customer account without open deals"),
        ("deals that have nothing scheduled", "There are 13 deals without scheduled activities"),
        ("which deals have a demo coming up", "There is 1 deal with scheduled demos"),
        ("my {value:warm} leads with no upcoming calls", "You have 5 warm leads without scheduled calls"),
        (
            "accounts i haven't spoken to {when:in the last 30 days}",
            "There are 5 accounts without contact since Mon, Feb 2",
        ),
        (
            "deals not touched {when:in two weeks}",
            "There are 14 open deals without a finished activity since Wed, Feb 18",
        ),
        ("leads with no activity", "There are 36 leads without activities"),
        ("leads with {count:more than one} call", "There is 1 lead with at least 2 calls"),
        ("accounts with nothing scheduled", "There are 4 accounts without scheduled activities"),
        (
            "accounts that have an {value:open} deal over {amount:100k}",
            "There are 4 accounts with open deals worth over",
        ),
        ("deals with no activity {when:in two weeks}", "There are 17 deals without activities due from Wed, Feb 18"),
        ("which deals had a meeting {when:last month}", "There are 2 deals with meetings due in February 2026"),
        ("contacts at {value:healthy} accounts", "There are 14 contacts with healthy accounts"),
        ("deals with customers that are {value:at risk}", "There are 5 deals with customer accounts at risk"),
        (
            "deals with customers that have no {value:open} deal",
            "There is 1 deal with customer accounts without open deals",
        ),
    ],
)
def test_what_belongs_to_records_is_a_condition(line: str, said: str) -> None:
    assert _search(line).text.startswith(said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("leads without notes", "“without notes”"),
        ("leads that frobnicate loudly", "“that frobnicate loudly”"),
        ("deals {when:since the great flood}", "“since the great flood”"),
        ("contacts under {amount:10k}", "“under 10k”"),
        ("deals have purple whiskers", "“purple whiskers”"),
    ],
)
def test_a_condition_that_nothing_checks_is_named(line: str, said: str) -> None:
    assert _search(line).text.startswith(f"I don't know how to filter by {said}; without it, there are ")


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("deals we {value:won} {when:in December}", "2025-12-01", "2025-12-31"),
        ("which deals did we close {when:in December}", "2025-12-01", "2025-12-31"),
        ("which deals were supposed to close {when:in February}", "2026-02-01", "2026-02-28"),
        ("which deals were supposed to close {when:in April}", "2026-04-01", "2026-04-30"),
        ("deals closing {when:in December}", "2026-12-01", "2026-12-31"),
        ("deals closing {when:in April} and {when:in May}", "2026-04-01", "2026-05-31"),
        ("deals closing {when:in May}, {when:2027} I mean", "2027-05-01", "2027-05-31"),
        ("{value:won} deals for {when:2025}", "2025-01-01", "2025-12-31"),
    ],
)
def test_a_period_is_the_one_that_the_words_beside_it_say(line: str, first: str, last: str) -> None:
    arguments = _search(line).arguments("search_opportunities")
    assert (arguments["closing_after"], arguments["closing_before"]) == (first, last)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("all the {value:warm} leads, everybody's, {owner:Bob}'s too", "There are 7 warm leads"),
        ("{value:warm} leads, no matter whose", "There are 7 warm leads"),
        ("my {value:warm} leads and {owner:Bob}'s too", "There are 7 warm leads owned by Bob or you"),
        ("{value:warm} leads, {owner:Bob}'s or mine", "There are 7 warm leads owned by Bob or you"),
        ("{value:warm} leads, whether mine or {owner:Bob}'s", "There are 7 warm leads owned by Bob or you"),
    ],
)
def test_records_of_several_or_of_all_are_listed_where_it_is_said(line: str, text: str) -> None:
    assert _search(line).text.startswith(text)


def test_a_choice_of_values_means_each_of_them() -> None:
    played = _search("customers that are {value:at risk} or, uh, maybe halfway out the door")
    assert "Silverline Bank" in played.text
    assert "Helios Solar" in played.text


@pytest.mark.parametrize("line", ["who do we know over there", "which leads are in that city", "deals we have there"])
def test_a_place_that_nobody_named_is_asked_for(line: str) -> None:
    played = _search(line)
    assert played.text == "Which company or place do you mean?"
    assert played.answer.question is not None


def test_days_between_two_periods_are_in_neither() -> None:
    desk = _own_desk()
    for name, day in (("Acme", "2026-04-10"), ("Globex", "2026-05-10"), ("Initech", "2026-06-10")):
        desk.put("opportunity", name=name, close_date=day)
    played = run("search: deals closing {when:in April} or {when:in June}", desk)
    assert "Acme" in played.text
    assert "Initech" in played.text
    assert "Globex" not in played.text


def test_the_same_period_is_that_of_the_answer_before() -> None:
    won = _search("deals {value:won} {when:in January}")
    lost = run("count: how much have we {value:lost} in the same period?", DEMO, won.topic)
    assert lost.arguments("search_opportunities")["closing_before"] == "2026-01-31"
    assert "“same period”" in _search("deals {value:lost} in the same period").text


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("deals {amount:100k} and up", {"min_value": 100_000}),
        ("deals {amount:50k} or so and up", {"min_value": 50_000}),
        ("leads with a {field:score} of {value:80}+", {"min_score": 80}),
        ("leads {value:north} of {value:80} in {field:score}", {"min_score": 81}),
        ("accounts with {value:500} employees or more", {"min_employees": 500}),
        ("accounts with {value:500} people and up", {"min_employees": 500}),
    ],
)
def test_a_limit_is_of_the_field_beside_it_however_it_is_put(line: str, arguments: dict[str, int]) -> None:
    assert _search(line).arguments(f"search_{line.split()[0].replace('deals', 'opportunities')}").items() >= (
        arguments.items()
    )


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("leads with a {field:score} below {value:40}", 1),
        ("leads with a {field:score} of {value:40}", 1),
        ("leads at most {value:40} points", 2),
        ("leads above {value:40} points", 1),
    ],
)
def test_limits_that_no_tool_knows_are_checked_on_the_records(line: str, number: int) -> None:
    desk = _own_desk()
    for name, score in (("Ann", 30), ("Bo", 40), ("Cy", 50)):
        desk.put("lead", last_name=name, company="Globex", score=score)
    assert f" {number} lead" in run(f"search: {line}", desk).text


def test_fields_that_are_lacking_are_checked_on_the_records_themselves() -> None:
    desk = _own_desk()
    desk.put("contact", first_name="Ann", last_name="Lee", email="ann@lee.example")
    desk.put("contact", first_name="Bo", last_name="Kim")
    played = run("search: contacts without {field:email}", desk)
    assert played.text.startswith("There is 1 contact without an email address:")
    assert "Bo Kim" in played.text
    assert "Ann Lee" not in played.text


def test_several_or_denied_values_are_checked_on_the_records_themselves() -> None:
    assert _search("{value:warm} and {value:qualified} leads").text.startswith(
        "There are 8 leads that are warm or qualified:"
    )
    assert "38 leads that are not lost" in _search("leads that are not {value:lost}").text


def test_a_value_of_no_parameter_is_looked_for_in_all_fields() -> None:
    assert "Viktor Petrescu" in _search("leads, all {value:CTOs}").text
    assert _search("accounts in {value:Paris}").text == "There are no accounts matching “Paris”."


def test_nothing_is_denied_of_a_word_that_may_be_no_condition() -> None:
    text = _search("{value:strategic} accounts").text
    without = "I don't know how to filter by “strategic”; without it, there are 16 accounts."
    assert text == f"{without} Say “list all accounts” to see them."
    assert _search("list all accounts").text.startswith("There are 16 accounts:")


def test_conditions_checked_on_a_part_of_the_records_say_so() -> None:
    played = run("search: leads without {field:email}", _own_desk(leads=60))
    assert "There are 50 leads without an email address" in played.text
    assert played.text.endswith("(I looked at the first 50 only.)")


def test_finding_nothing_says_which_conditions_were_applied() -> None:
    played = _search("my {value:qualified} leads in {value:Texas} with a score over 90")
    assert played.text == "You have no qualified leads in TX with a score of over 90."


def test_an_owner_that_owns_nothing_may_be_a_company_and_a_name_an_owner() -> None:
    assert "deals with ABC Corp" in _search("{owner:ABC}'s deals").text
    assert _search("{name:bob}'s deals").text.startswith("Bob has 6 deals worth **$")


def test_words_that_the_tagger_missed_are_still_read() -> None:
    assert _search("show bob's leads").arguments("search_leads") == {"owner": "bob"}
    assert _search("which leads does bob have").arguments("search_leads") == {"owner": "bob"}
    assert _search("healthcare companies").arguments("search_accounts") == {"industry": "healthcare"}


def test_two_kinds_that_are_joined_are_both_listed() -> None:
    played = _search("leads and contacts of {owner:bob}")
    assert played.tools == ["search_leads", "search_contacts"]
    assert "Bob has 12 leads" in played.text
    assert "Bob has 10 contacts" in played.text


def test_a_search_for_nothing_asks_what_to_look_for() -> None:
    played = _search("could you look for it")
    assert played.text == "What shall I look for: leads, contacts, companies or deals?"
    assert not played.calls


def test_a_record_that_is_only_named_is_shown() -> None:
    assert _search("find {name:Jack Russel}").text.startswith("**Jack Russel** is a warm lead at ABC Corp")
    assert _search("is there a contact called {name:Jack Russel}?").text.startswith("**Jack Russel** is a warm lead")


def test_long_lists_say_how_many_are_left_and_more_shows_them() -> None:
    first = _search("all leads")
    assert first.text.endswith("… and 34 more. Say “show more” for the next ones.")
    second = run("more: show more", DEMO, first.topic)
    assert second.text.startswith("Here are the next 10:")
    assert not {one.id for one in first.topic.refs} & {one.id for one in second.topic.refs}
    rest = run("more: the next {count:50}", DEMO, second.topic)
    assert rest.text.startswith("Here are the next 24:")
    assert run("more: more", DEMO, rest.topic).text == "That's all of them."


def test_more_of_one_record_shows_all_its_fields() -> None:
    played = run("more: more details", DEMO, Topic((ref(DEMO, "lead", "Jack Russel"),)))
    assert "- Address: Chicago, IL, US" in played.text
    assert "- Owner: you" in played.text
    assert "lead_" not in played.text


def test_more_after_a_count_lists_what_was_counted() -> None:
    played = run("more: show them", DEMO, Topic(search=Search("search_opportunities", {"owner": "bob"})))
    assert played.text.startswith("Here are the first 6:")


def test_more_of_a_list_that_was_checked_here_is_shown_by_number() -> None:
    listed = _search("leads that are not {value:lost}")
    assert listed.text.endswith("… and 28 more. Tell me how many you want to see.")
    assert run("more: more", DEMO, listed.topic).text == "Tell me how many you want to see."
    assert "38. " in _search("the first {count:40} leads that are not {value:lost}").text


def test_more_of_nothing_asks_what_to_show() -> None:
    assert run("more: more", DEMO).text.startswith("There is nothing more to show.")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("customers that are not in good health", "There are 3 customer accounts that are not healthy"),
        ("customers that employ more than a thousand people", "There are 2 customer accounts with over 1000"),
        ("leads that are {value:warm} and {name:foreseen}", "I don't know how to filter by “foreseen”; without it"),
        ("people at {org:Falcon Aerospace} {name:Orchard Fresh Markets}", "There are 2 contacts at Orchard Fresh"),
        ("leads of me and {name:bob} from cold calls", "There are 5 leads from cold calls owned by Bob or you"),
        ("{value:new} leads {value:warm}", "There are 7 warm leads"),
        ("leads in {value:New York}", "There are 4 leads in NY"),
    ],
)
def test_what_is_said_of_records_is_found_whatever_the_tags(line: str, answer: str) -> None:
    assert _search(line).text.startswith(answer)


@pytest.mark.parametrize(
    "line", ["leads not contacted for {when:three weeks}", "leads i haven't spoken to in over a month"]
)
def test_no_contact_for_a_length_of_time_is_no_lack_of_any_contact(line: str) -> None:
    assert list(_search(line).arguments("search_leads")) == ["contacted_before"]


def test_there_is_the_place_or_company_spoken_of() -> None:
    assert run("search: which leads are there", DEMO, spoken=("Albany",)).arguments("search_leads") == {
        "city": "Albany"
    }
    assert "at Silverline Bank" in run("search: which contacts are there", DEMO, spoken=("Silverline Bank",)).text


def test_a_question_after_a_comma_is_no_condition() -> None:
    assert _search("my {value:open} deals, which would it be and why").text.startswith("You have 13 open deals")


def test_who_is_there_asks_for_contacts() -> None:
    account = ref(DEMO, "account", "Blue Harbor")
    assert _search("who do we know there", Topic((account,))).arguments("search_contacts") == {"account_id": account.id}
    abc = Topic((ref(DEMO, "account", "ABC Corp"),))
    assert _search("who runs purchasing there", abc).text.startswith("**John Doe**")


@pytest.mark.parametrize("line", ["how many {value:warm} leads are there", "are there any {value:warm} leads"])
def test_there_is_no_place_where_it_only_says_that_something_is(line: str) -> None:
    assert run(f"search: {line}", DEMO, spoken=("Albany",)).arguments("search_leads") == {"status": "warm"}


def test_those_are_the_records_of_the_last_list_also_after_one_of_them_was_spoken_of() -> None:
    listed = _search("my {value:warm} leads").topic.after(Topic())
    one = Topic(listed.refs[:1]).after(listed)
    assert (
        run("count: how many of {ref:those} are in {value:Seattle}", topic=one).text
        == "You have 2 warm leads in Seattle."
    )


@pytest.mark.parametrize("line", ["rank: which is the smallest?", "rank: which one is the smallest?"])
def test_a_question_with_nothing_of_its_own_goes_on_about_the_last_list(line: str) -> None:
    listed = _search("deals closing {when:in March}").topic.after(Topic())
    assert "Evergreen Builders Platform Rollout" in run(line, topic=listed).text.replace("**", "")


def test_last_of_a_time_is_no_order() -> None:
    assert "2 won deals" in _search("what deals closed {when:last month}").text


def test_the_deals_of_her_company_are_those_of_its_account() -> None:
    topic = Topic((ref(DEMO, "contact", "Divya Krishnan"),))
    text = run("search: which deals are {value:open} with {ref:her} company?", DEMO, topic).text
    assert "Blue Harbor Fleet Tracking" in text
    assert "Redwood" not in text


def test_he_is_the_colleague_whose_records_were_listed() -> None:
    topic = Topic(search=Search("list_activities", {"owner": "bob"}))
    assert run("count: how many leads does {ref:he} have?", DEMO, topic).text == "Bob has 12 leads."


def test_a_question_whether_one_record_is_something_tells_about_that_record() -> None:
    topic = Topic((ref(DEMO, "lead", "Isabel Navarro"),))
    assert run("search: is {ref:she} still a lead?", DEMO, topic).text.startswith("**Isabel Navarro**")


def test_a_question_whether_there_is_a_record_looks_for_records() -> None:
    topic = Topic((ref(DEMO, "contact", "Lucia Ferrari"),))
    assert "search_opportunities" in run("search: is there a deal {ref:she} is attached to?", DEMO, topic).tools


@pytest.mark.parametrize(
    ("line", "present", "absent"),
    [
        ("my leads in {value:Boston}, leave out the {value:lost} ones", "Thornbury", "Ivanenko"),
        ("my leads in {value:Boston}, apart from the {value:lost} ones", "Thornbury", "Ivanenko"),
        ("leave the {value:lost} leads out of those in {value:Boston}", "Thornbury", "Ivanenko"),
        ("accounts except {value:manufacturing}", "Cobalt Mining", "ABC Corp"),
        ("contacts at {org:Meridian Health} besides {name:Caleb}", "Sanjay Gupta", "Caleb Winters"),
        ("{value:open} deals other than mine", "Cobalt Mining Training Package", "Blue Harbor Fleet"),
        ("{value:open} deals except {owner:bob}'s", "Blue Harbor Fleet", "Cobalt Mining Training Package"),
    ],
)
def test_what_is_left_out_is_not_listed(line: str, present: str, absent: str) -> None:
    text = _search(line).text
    assert present in text
    assert absent not in text


@pytest.mark.parametrize("line", ["skip the leads that have no phone", "leads other than the ones without a phone"])
def test_a_denial_of_a_denial_asks_for_what_has_the_field(line: str) -> None:
    assert "There are 44 leads with a phone number:" in _search(line).text


def test_what_is_left_out_and_was_not_understood_is_named() -> None:
    text = _search("deals other than those that whistle").text
    assert text.startswith("I don't know how to filter by “other than those that whistle”; without it, there are 23")


def test_a_denial_with_words_that_nothing_explains_is_named() -> None:
    text = _search("leads that haven't whistled back to me").text
    assert text.startswith(
        "I don't know how to filter by “haven't whistled back to me”; without it, there are 44 leads"
    )


@pytest.mark.parametrize("line", ["which deals am i closing", "what deals have i got", "all the deals i'm working on"])
def test_the_user_who_does_something_with_records_owns_them(line: str) -> None:
    assert _search(line).arguments("search_opportunities")["owner"] == "me"


@pytest.mark.parametrize("line", ["which deals can i see", "i need the deals", "deals i want to look at"])
def test_a_wish_of_the_user_says_not_whose_records_are_meant(line: str) -> None:
    assert "owner" not in _search(line).arguments("search_opportunities")


def test_fields_asked_for_are_added_to_the_lines_of_a_list() -> None:
    listed = _search("accounts {value:at risk} with their {field:phone}")
    assert "**Helios Solar**, Energy, customer, phone number +1 651 555 0154" in listed.text


def test_a_list_of_deals_tells_what_they_are_worth_together() -> None:
    assert (
        "2 open deals with Helios Solar worth **$61,500**:" in _search("{value:open} deals at {org:Helios Solar}").text
    )


def test_those_may_be_several_companies() -> None:
    accounts = tuple(ref(DEMO, "account", name) for name in ("Helios Solar", "Silverline Bank"))
    played = _search("{value:open} deals on {ref:those two}", Topic(accounts))
    assert "There are 3 open deals with Helios Solar and Silverline Bank" in played.text


def test_who_else_leaves_out_who_was_told() -> None:
    contact, account = ref(DEMO, "contact", "Giorgio Conti"), ref(DEMO, "account", "Silverline Bank")
    text = _search("who else do we have at the bank", Topic((contact, account))).text
    assert "There is 1 contact at Silverline Bank other than Giorgio Conti:" in text
    assert "Wei Zhang" in text


def test_the_contact_of_a_deal_is_told_by_its_words() -> None:
    text = _search("who is our contact on the {name:Silverline} renewal").text
    assert text.startswith("**Giorgio Conti** is a customer contact at Silverline Bank")


def test_a_value_that_is_added_widens_the_list() -> None:
    assert "that are warm or new" in _search("{value:warm} leads, {value:new} ones too").text
    assert "stage" not in _search("{org:Helios Solar} deals, {value:closed} ones too").arguments("search_opportunities")


def test_a_place_asks_for_one_of_the_last_list() -> None:
    ranked = run("rank: which of my leads has the highest value", DEMO)
    assert _search("and who is in second place", ranked.topic).text.startswith("**Camille Dubois**")


def test_a_day_of_a_visit_is_no_day_on_which_contacts_were_created() -> None:
    text = _search("i'm at {org:ABC Corp} {when:tomorrow}, who do we know there").text
    assert text.startswith("There are 3 contacts at ABC Corp:")


def test_a_denied_length_of_time_ahead_is_over() -> None:
    arguments = _search("anyone in {value:Chicago} i haven't called {when:in two weeks}").arguments("search_leads")
    assert arguments["contacted_before"].startswith("2026-02-18")


def test_a_colleague_who_owns_nothing_is_not_known() -> None:
    text = _search("deals of {owner:Wendy}").text
    assert text == "I know no colleague called Wendy: nobody of that name owns a record."


def test_the_small_word_of_a_name_tells_the_deal() -> None:
    assert "Falcon Aerospace Training Package" in run("about: the {name:Falcon training}", DEMO).text


def test_joined_values_of_no_list_are_alternatives() -> None:
    text = _search("accounts in {value:healthcare} or {value:insurance}").text
    assert text.startswith("There are 2 accounts matching “healthcare” or “insurance”:")


def test_since_a_month_is_since_it_was_over() -> None:
    played = _search("leads not contacted {when:since January}")
    assert played.arguments("search_leads")["contacted_before"].startswith("2026-01-31")


@pytest.mark.parametrize("line", ["new leads that are bobs", "which of the new leads are bobs"])
def test_a_possessive_without_its_apostrophe_is_an_owner(line: str) -> None:
    assert _search(line).arguments("search_leads")["owner"] == "bob"


def test_what_won_deals_came_in_is_when_they_closed() -> None:
    won = _search("{value:won} deals")
    played = _search("which of {ref:them} came in {when:last month}", won.topic)
    assert played.arguments("search_opportunities")["closing_after"] == "2026-02-01"


@pytest.mark.parametrize(
    "line",
    [
        "search: find contacts with the same {field:email}",
        "search: show me duplicate accounts",
        "search: which leads are {value:duplicates}",
        "count: how many duplicate leads are there",
    ],
)
def test_duplicates_are_not_searched_for_but_a_scan_is_offered(line: str) -> None:
    played = run(line)
    assert played.tools == []
    assert "Shall I run the data quality scan?" in played.text


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("leads from {value:Germany}", "There are no leads in Germany"),
        ("leads in the {value:USA}", "There are 44 leads in USA"),
        ("accounts from {value:France}", "I don't know how to filter by “France”"),
        ("deals in {value:Spain}", "I don't know how to filter by “Spain”"),
        ("contacts in {value:Paris}", "I don't know how to filter by “Paris”"),
        ("contacts in {value:France} or {value:Spain}", "I don't know how to filter by “France or Spain”"),
        ("show me my {value:cold} leads", "I don't know how to filter by “cold”"),
        ("leads from {value:cold calls}", "There are 5 leads from cold calls"),
    ],
)
def test_what_no_record_can_tell_is_named_and_not_denied(line: str, start: str) -> None:
    assert run(f"search: {line}").text.startswith(start)
