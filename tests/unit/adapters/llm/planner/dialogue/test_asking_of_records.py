"""Test what people ask of their records over several turns: nothing that they say is dropped unsaid."""

import pytest

from aisha.adapters.llm.planner.acts.search.unread import with_unread
from aisha.adapters.llm.planner.plan import Answer
from aisha.adapters.llm.planner.state import Search, Topic
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


def _answered(text: str, reply: str, *spans: Span, **arguments: str) -> str:
    topic = Topic(search=Search("search_opportunities", dict(arguments)))
    return with_unread(Ask(Segment(text, "search", spans=spans), NOW), Answer(reply, topic=topic)).text


def test_a_value_that_the_answer_does_not_tell_is_named() -> None:
    answer = _answered("deals in proposal", "There are 23 deals.", Span("value", "proposal", 9))
    assert answer == "I don't know how to filter by “proposal”; without it, there are 23 deals."


def test_what_the_answer_tells_is_not_named() -> None:
    answer = "There are 7 deals in proposal."
    assert _answered("deals in proposal", answer, Span("value", "proposal", 9), stage="proposal") == answer


@pytest.mark.parametrize("text", ["deals without the prospecting ones", "deals not in prospecting"])
def test_a_denial_that_the_answer_does_not_tell_is_named(text: str) -> None:
    assert _answered(text, "There are 3 deals in prospecting.").startswith("I don't know how to filter by “")


def test_a_mean_that_the_answer_does_not_tell_is_named() -> None:
    assert _answered("the average of those deals", "There are 3 deals.").startswith(
        "I can't work out the “average” here"
    )


def test_other_records_that_the_answer_does_not_tell_are_named() -> None:
    assert "“with customers”" in replies("what meetings are coming up with customers in the next two weeks")[-1]


def test_a_reason_that_no_record_has_is_not_passed_over() -> None:
    assert replies("what did we lose and why")[-1].endswith("The records don't say why.")


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("our five largest open deals", "which of these are still in prospecting?"), "2 open deals in prospecting"),
        (
            ("weighted forecast this quarter", "and without the prospecting deals?"),
            "not in prospecting: their $357,000",
        ),
        (("what does Bob have open?", "how does his total compare with Alice's?"), "- Bob: 5, $237,000"),
        (("which customers are at risk or churning?", "do any of them have deals closing before April?"), "are 2 cust"),
        (("contacts at Blue Harbor", "do any of those have a deal closing in March?"), "is 1 contact at Blue Harbor"),
        (("list all the support renewals",), "3 deals matching “support” worth **$178,000**"),
        (("list all the support renewals", "which of those belong to unhealthy accounts?"), "There are 2 deals"),
        (("average deal size with existing customers?", "and with prospects?"), "8 deals with prospect accounts"),
        (("which customers have over 500 employees?", "what's open with the biggest?"), "with Silverline Bank"),
        (("accounts per owner", "which of Bob's are healthy?", "what is their combined revenue?"), "$396,000,000"),
        (("deals closing in Q2, split by month", "and the number of deals in each month?"), "12 deals closing from"),
        (("average lead score by source", "and the overall average?"), "Their average score is **42.5**"),
        (("how many leads per status?", "what percentage is warm?"), "7 warm leads, 16% of all 44 leads"),
        (("largest customers by revenue", "which of them has the most open deals?"), "**Meridian Health**"),
        (("who is Jack Russel", "any deals?"), "no deals with Jack Russel"),
        (("average deal size this quarter", "how does that compare to last quarter?"), "$100,000 on average"),
        (("deals we won last month", "and how much did we lose in the same period?"), "1 lost deal closed in February"),
    ],
)
def test_a_follow_up_keeps_what_was_asked_before(messages: tuple[str, ...], expected: str) -> None:
    assert expected in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("who has the highest win rate", "- You: 75%, 3 won of 4"),
        ("which lead have we not contacted for the longest time?", "longest silent lead is **Omar Benali**"),
        ("open deals that have no next step and are worth more than 90k", "over $90,000 without a next step"),
        ("which leads are outside Chicago, Boston and Seattle", "There are 18 leads other than Chicago"),
        ("how many contacts do we have at prospects", "12 contacts with prospect accounts"),
        ("how many closed deals does Bob have", "Bob has 1 deal that is won or lost worth **$100,000**"),
        ("closed deals this quarter", "There are 4 deals closing from Thu, Jan 1 to Tue, Mar 3 that are won or lost"),
        ("what share of the closed deals did we lose", "40% of all 5 deals that are closed won or closed lost"),
        ("how many of my deals are past qualification", "You have 9 deals in proposal or negotiation"),
        ("average value of a lost deal vs a won one", "$90,000 on average"),
        ("what was our biggest loss", "The biggest lost deal is **Tidewater Foods Annual License**"),
        ("what's bigger the Falcon deal or the Redwood one", "It's **Redwood Media Expansion**"),
        ("do we have two people with the same name somewhere", "Shall I run the data quality scan?"),
        ("what does my week look like", "You have 7 activities from Mon, Mar 2 to Sun, Mar 8"),
    ],
)
def test_a_question_is_answered_with_all_that_it_says(message: str, expected: str) -> None:
    assert expected in replies(message)[-1]


def test_a_rate_asked_for_after_a_lost_deal_changes_nothing() -> None:
    stage = Stage(REGISTRY, NOW)
    before, answer = stage.records.snapshot("demo"), stage.say("lost deals this year")
    answer = stage.say("so win rate", answer["conversationId"])
    assert answer["response"].startswith("The win rate is **75%**")
    assert stage.records.snapshot("demo") == before
