from typing import Any

import pytest

from aisha.adapters.llm.planner.state import Topic
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import demo_desk, replies, run
from tests.support.tenants.desk import ANN, REGISTRY, Desk

DEMO = demo_desk()
"""Nothing here changes it, so that all tests share it."""


def _said(line: str, topic: Topic | None = None) -> str:
    return run(line, DEMO, topic).text


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("how many leads do we have", "There are 44 leads."),
        ("how many {value:warm} leads do I have", "You have 6 warm leads."),
        ("how many {value:open} deals do I have", "You have 13 open deals worth **$1,036,500**."),
        ("how many deals does {owner:bob} have", "Bob has 6 deals worth **$337,000**."),
        ("how much is stuck in {value:negotiation}", "There are 4 deals in negotiation worth **$188,000**."),
        ("how many customers do we have", "There are 8 customer accounts."),
        ("how many overdue calls do I have", "You have 1 overdue call."),
        ("what are our {value:warm} leads worth", "There are 7 warm leads worth **$318,000**."),
    ],
)
def test_counts_and_sums_are_exact(line: str, answer: str) -> None:
    played = run(f"count: {line}", DEMO)
    assert played.text == answer
    assert len(played.calls) == 1


def test_what_the_summary_cannot_filter_is_counted_by_the_search() -> None:
    played = run("count: how many leads in {value:Texas}", DEMO)
    assert played.text == "There are 7 leads in TX."
    won = run("count: how much did we {value:win} {when:last month}", DEMO)
    assert won.text == "There are 2 won deals closed in February 2026 worth **$224,000**."


def test_more_records_than_a_page_are_counted_exactly() -> None:
    clock = FixedClock(NOW)
    desk = Desk(ANN, clock, InMemoryRecordRepository(clock))
    for number in range(60):
        desk.put("opportunity", name=f"Deal {number}", amount=10, stage="proposal", close_date="2026-03-10")
    assert run("count: how many deals", desk).text == "There are 60 deals worth **$600**."
    closing = run("count: how many deals close {when:this month}", desk).text
    assert closing == "There are 60 deals closing in March 2026."


def test_means_and_shares_are_computed() -> None:
    assert _said("count: what's the average size of our deals").endswith("$75,108.70 on average.")
    assert _said("count: what share of our deals were {value:lost}").endswith(
        ", 9% of all 23 deals and 10% of their value."
    )
    said = _said("count: what share of my leads is {value:warm}")
    assert said == "You have 6 warm leads, 19% of your 32 leads."


def test_the_pipeline_is_told_by_stage_with_the_open_deals_in_front() -> None:
    text = _said("count: how does my pipeline look")
    assert "**13 open deals** worth $1,036,500, 17 in all" in text
    assert "- proposal: 7, $589,000" in text


def test_numbers_are_split_by_the_field_said() -> None:
    owners = "There are 44 leads:\n\n- You: 32\n- Bob: 12"
    assert replies("number of leads by owner")[-1] == owners
    assert replies("who has the most leads?")[-1] == f"**You** have the most. {owners}"
    assert "**Other** has the least. " in replies("which source brings in the fewest leads")[-1]
    closing = replies("how many deals close each month")[-1]
    assert closing.index("December 2025: 1, $100,000") < closing.index("May 2026: 7, $509,000")


@pytest.mark.parametrize(
    "messages", [("which stage holds the most money?",), ("what's in the pipeline?", "which stage has the most value?")]
)
def test_the_group_asked_for_comes_first(messages: tuple[str, ...]) -> None:
    reply = replies(*messages)[-1]
    assert reply.startswith("**Proposal** has the most. There are 18 open deals worth **$1,273,500**:\n\n- Proposal: 7")


def test_numbers_that_are_no_amounts_are_summed_and_averaged() -> None:
    said = "count: the average {field:score} of my {value:warm} leads"
    assert _said(said) == "You have 6 warm leads. Their average score is **78**."
    headcount = _said("count: combined {field:headcount} of our customer accounts")
    assert headcount == "There are 8 customer accounts. Their total number of employees is **6,860**."


def test_a_count_of_those_continues_the_last_list() -> None:
    listed = run("search: my {value:warm} leads", DEMO)
    assert _said("count: how many of {ref:those} are in {value:Texas}", listed.topic) == "You have 1 warm lead in TX."


def test_a_condition_that_nothing_checks_is_named_in_a_count() -> None:
    assert _said("count: how many deals have purple whiskers").startswith(
        "I don't know how to filter by “purple whiskers”; "
    )


def test_the_top_is_as_long_as_was_said() -> None:
    played = run("rank: top {count:3} deals", DEMO)
    assert played.text.startswith("The biggest open deals (3 of 18):\n\n1. **Stonebridge Legal Platform Rollout**")
    assert len(played.topic.refs) == 3


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("what's my biggest deal", "Your biggest open deal is **Stonebridge Legal Platform Rollout**"),
        ("who is our hottest lead", "The most promising lead is **Aaliyah Freeman**"),
        ("hottest lead in {value:Texas}", "The most promising lead in TX is **Rafael Monteiro**"),
        ("which account has the most employees", "The largest account is **Silverline Bank**"),
        ("which deal closes first", "The soonest-closing open deal is **Blue Harbor Fleet Tracking**"),
        (
            "worst {count:five} leads by {field:score}",
            "The leads with the lowest score (5 of 44):\n\n1. **Priya Nair**",
        ),
        ("who are our best customers", "The biggest customer accounts (5 of 8):\n\n1. **Silverline Bank**"),
        ("the most urgent tasks", "The most urgent scheduled activities"),
    ],
)
def test_a_superlative_names_its_order_and_its_first(line: str, first: str) -> None:
    assert _said(f"rank: {line}").startswith(first)


def test_the_value_that_gives_the_place_is_shown() -> None:
    assert "annual revenue $410,000,000" in _said("rank: our biggest account")
    assert "expected value $90,000" not in _said("rank: our biggest deal")


def test_people_have_no_rank_but_by_age() -> None:
    assert _said("rank: the {count:two} best contacts").startswith(
        "I can't rank contacts by that; this is by age. The newest"
    )


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("forecast", {}),
        ("what will we close {when:this month}", {"period": "this_month"}),
        ("what may I expect {when:next quarter}", {"period": "next_quarter"}),
        ("how much money comes in {when:this week} for {owner:Bob}", {"period": "this_week", "owner": "bob"}),
    ],
)
def test_a_forecast_of_a_period_is_the_tools(line: str, arguments: dict[str, Any]) -> None:
    assert run(f"forecast: {line}", DEMO).arguments("forecast_pipeline") == arguments


def test_a_forecast_tells_the_weighted_and_the_full_sum() -> None:
    assert _said("forecast: {when:this month}").startswith(
        "I expect **$209,200** from 6 open deals closing in March 2026: their $449,000 weighted by"
    )


def test_a_forecast_of_other_conditions_is_computed_from_the_deals() -> None:
    text = _said("forecast: expected revenue on {value:solar} deals")
    assert text == "I expect **$21,125** from 2 open deals matching “solar”: their $61,500 weighted by probability."


def test_a_name_that_nobody_has_is_counted_as_an_owner() -> None:
    assert run("count: how many {value:warm} leads do i have {name:bob}", DEMO).text == "Bob has 1 warm lead."


def test_how_much_business_is_about_deals() -> None:
    played = run("count: how much business have we signed {when:since the first of January}", DEMO)
    assert played.text.startswith("There are 3 won deals closed since Thu, Jan 1 worth **$274,000**")


def test_open_and_closed_are_all() -> None:
    assert run("count: how many deals, {value:open} and {value:closed}?", DEMO).text.startswith("There are 23 deals")


def test_the_next_of_a_ranking_is_the_next_in_its_order() -> None:
    first = run("rank: which lead of {owner:Bob} has the highest {field:score}?", DEMO)
    assert run("about: and who's {ref:second}?", DEMO, first.topic.after(Topic())).text.startswith(
        "**Beatriz Carvalho**"
    )


def test_a_total_of_a_list_is_of_what_was_listed_whatever_it_was_found_by() -> None:
    listed = run("search: deals with {value:abc}", DEMO)
    assert "**$187,000**" in run("count: total?", DEMO, listed.topic.after(Topic())).text


def test_weighted_by_probability_is_a_forecast_and_no_order() -> None:
    assert "forecast_pipeline" in run("count: weighted by {field:probability}, what is my pipeline worth?", DEMO).tools


def test_the_goal_furthest_behind_is_one_of_the_goals_listed() -> None:
    goals = run("goals: how are our goals?", DEMO)
    assert "Win six new customers" in run("rank: which one is furthest behind?", DEMO, goals.topic).text


def test_the_pipeline_is_one_of_deals_however_healthy() -> None:
    assert "open deals" in run("count: how healthy is our pipeline?", DEMO).text


def test_a_list_is_sorted_by_any_field_named() -> None:
    deals = run("rank: sorted of those {value:open} deals by {field:stage}", DEMO).text
    stages = [line.split(", ")[1] for line in deals.splitlines() if line[:1].isdigit()]
    assert deals.startswith("The open deals by stage (10 of 18):")
    order = ["prospecting", "qualification", "proposal", "negotiation"]
    assert stages == sorted(stages, key=order.index)
    assert len(set(stages)) > 1
    cities = run("rank: sorted leads by {field:city}", DEMO).text
    assert [one for one in ("Albany", "Austin", "Zurich") if one in cities] == ["Albany", "Austin"]


def test_nothing_of_a_colleague_is_said_of_the_colleague() -> None:
    assert _said("count: how much did {owner:bob} win {when:last month}").startswith("Bob has no won deals closed in")


def test_what_was_lost_is_no_won_deal() -> None:
    line = "count: how much did we {value:lose} {when:this year} in {value:closed lost} deals"
    assert run(line, DEMO).text == "There is 1 lost deal closed in 2026 worth **$80,000**."


def test_periods_set_against_each_other_are_counted_apart() -> None:
    text = _said("count: my deals closing in {when:April} vs {when:May}")
    assert "You have 5 deals closing in April 2026 worth **$315,500**." in text
    assert "You have 4 deals closing in May 2026 worth **$368,000**." in text


def test_most_recently_spoken_to_is_about_contacts_not_their_creation() -> None:
    listed = run("search: contacts at {org:ABC Corp}", DEMO)
    text = _said("rank: which of {ref:them} did we speak to most recently", listed.topic)
    assert text.startswith("**Quentin Marchand** was last contacted **2 days ago**, on Mon, Mar 2.")


def test_the_pipeline_by_stage_is_no_part_of_the_last_list() -> None:
    listed = run("search: my {value:won} deals", DEMO)
    assert "open deals** worth" in _said("count: pipeline by stage", listed.topic)


def test_a_count_keeps_what_it_leaves_out_for_the_next_one() -> None:
    counted = run("count: how many deals with {org:Helios Solar}, not counting the {value:won} one", DEMO)
    assert "2 deals" in counted.text
    assert "worth **$61,500**" in _said("count: total value", counted.topic)


def test_values_set_against_each_other_are_counted_apart() -> None:
    text = _said("count: how many leads came from {value:website} vs {value:referrals}")
    assert text == "There are 8 leads from the website.\n\nThere are 9 leads from referrals."


def test_who_comes_second_is_the_next_one_of_the_ranking() -> None:
    ranked = run("rank: which of {owner:bob}'s leads is the most promising", DEMO)
    assert _said("rank: and who's second?", ranked.topic).startswith("**Beatriz Carvalho**")


def test_a_possessive_without_its_apostrophe_is_a_colleague() -> None:
    assert _said("search: list bobs {value:open} deals").startswith("Bob has 5 open deals")
    assert _said("count: how many of bobs customers are {value:at risk}") == "Bob has no customer accounts at risk."


def test_an_amount_that_is_only_imagined_is_worked_out() -> None:
    for said, told in (
        ("If Redwood Media Expansion comes in at 150k, what would my open deals add up to?", "worth **$1,069,500**"),
        ("if the Redwood deal came down to 100 thousand what would my open deals come to", "worth **$1,019,500**"),
        ("Say we won both Stonebridge deals, what would my closed-won total be?", "5 won deals worth **$435,000**"),
        ("suppose we win both Stonebridge deals, how much is that together?", "Together it would be **$161,000**"),
        ("If I lost the Silverline renewal, what would my total for March be?", "3 open deals closing in March 2026"),
        ("How much would be left in my negotiation stage if the Blue Harbor deal fell through?", "**$25,000**"),
        ("If the ABC Corp Pilot Project doubled, what would my pipeline be worth?", "worth **$1,088,500**"),
        ("If I cut the Redwood Media Expansion by 20%, what would it be worth?", "**$93,600** instead of $117,000"),
        ("if we raised the Falcon Aerospace Training Package by 3,000, what would it be worth", "**$80,000** instead"),
    ):
        stage = Stage(REGISTRY, NOW)
        answer = stage.say(said)["response"]
        assert told in answer
        assert answer.endswith("I haven't changed anything.")
    answer = Stage(REGISTRY, NOW).say("did we win the XYZ Inc Platform Rollout or not")["response"]
    assert answer == "No, **XYZ Inc Platform Rollout** is **closed lost**."


def test_owners_are_set_against_each_other() -> None:
    assert replies("how many new leads do I have vs Bob")[-1].endswith("\n\n- You: 9\n- Bob: 4")
    assert replies("compare my warm leads with Bob's")[-1].endswith("\n\n- You: 6\n- Bob: 1")
    assert replies("how many won deals do I have compared to Bob")[-1].endswith("\n- Bob: 0")
    between = _said("count: how many deals between {amount:20k} and {amount:50k} do I have")
    assert "$20,000 to $50,000" in between


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("who owns our biggest deal", "owned by **you**"),
        ("when was our warmest lead last contacted", "**Aaliyah Freeman** was last contacted **8 days ago**"),
        ("what's the phone number of the lead with the highest score", "+1 833 555 0151"),
        ("give me the email of my best lead", "aaliyah.freeman@freemanfitness.example"),
        ("which account is our biggest deal with", "**Stonebridge Legal** is a prospect account"),
        ("which of my deals closes first and what is its amount", "**Blue Harbor Fleet Tracking** is **$64,000**"),
    ],
)
def test_what_is_asked_of_the_first_of_an_order_is_told(message: str, part: str) -> None:
    assert part in Stage(REGISTRY, NOW).say(message)["response"]


def test_the_first_of_a_list_in_an_order_is_found_by_the_order() -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say("show my deals in proposal")["conversationId"]
    reply = stage.say("which one closes first and who's its owner", conversation)["response"]
    assert "Falcon Aerospace Training Package** is owned by" in reply
