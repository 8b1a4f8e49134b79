"""Behaviour of questions that go on with the answer before: of a part of a list, in another order, of somebody."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

REGISTRY = product_tools()


def _last_reply(*messages: str) -> str:
    stage, conversation_id, reply = Stage(REGISTRY, NOW), None, ""
    for message in messages:
        answer = stage.say(message, conversation_id)
        conversation_id, reply = answer["conversationId"], str(answer["response"])
    return reply


@pytest.mark.parametrize(
    ("messages", "parts"),
    [
        (["top 3 open deals by value", "contacts for the first two?"], ["2. **ABC Corp Annual License**: John Doe"]),
        (["show me my warm leads", "phone number of the 4th"], ["**Viktor Petrescu** is **+1 603 555 0143**"]),
        (["show me my warm leads", "phones of the first three", "and the 4th?"], ["**Viktor Petrescu**"]),
        (["what did we lose", "who owned that"], ["License**: owner Bob", "Rollout**: owner you"]),
        (["accounts with 100 to 500 employees", "which have no open deal"], ["**Tidewater Foods**", "**XYZ Inc**"]),
        (
            ["whats in negotiation worth", "how much of thats mine", "whats the rest"],
            ["2 others", "**Meridian Health Pilot"],
        ),
        (["biggest lead that isnt lost or unqualified", "next biggest"], ["**Camille Dubois**"]),
    ],
)
def test_a_part_of_the_last_list_is_what_is_asked_about(messages: list[str], parts: list[str]) -> None:
    reply = _last_reply(*messages)
    assert [one for one in parts if one not in reply] == []


@pytest.mark.parametrize(
    ("messages", "start"),
    [
        (["what's overdue?", "which is older"], "The oldest overdue activity is **Call Rafael Monteiro"),
        (["deals closing this month", "Leaving Evergreen aside, which is the biggest?"], "The biggest deal closing in"),
        (
            ["list all accounts in the order of their number of employees"],
            "The accounts by number of employees (10 of 16)",
        ),
        (["who are our worst customers"], "The smallest customer accounts"),
        (["which is bigger, Helios Solar or Blue Harbor Logistics?", "and by number of people?"], "It's **Blue Harbor"),
        (["Is Viktor Petrescu a hotter lead than Rafael Monteiro?"], "It's **Viktor Petrescu**"),
    ],
)
def test_the_order_that_is_said_is_the_one_that_is_told(messages: list[str], start: str) -> None:
    assert _last_reply(*messages).startswith(start)


@pytest.mark.parametrize(
    ("messages", "start"),
    [
        (["who is Jack Russel", "is he warm?"], "Yes, **Jack Russel** is **warm**"),
        (
            ["next step of the Meridian Health Patient Portal?", "is it ours or Bob's?"],
            "**Meridian Health Patient Portal** is",
        ),
        (["who is Ivan Horvat", "what deal is he on"], "There is 1 deal with Ivan Horvat"),
        (["who is Oliver Hargreaves", "does he have anything coming up?"], "There are no scheduled activities"),
        (["who has more open deals, me or Bob", "how many deals does he have"], "Bob has 5 open deals"),
        (["which customers are in trouble?"], "There are 3 customer accounts that are at risk or churning"),
        (
            ["how many accounts are customers?", "how many people do they employ altogether"],
            "There are 8 customer accounts. Their total number of employees is **6,860**",
        ),
    ],
)
def test_an_answer_is_to_what_was_asked_of_the_record(messages: list[str], start: str) -> None:
    assert _last_reply(*messages).startswith(start)


@pytest.mark.parametrize(
    ("messages", "start"),
    [
        (["deals closing in april", "and after april?"], "There are 7 deals closing from Fri, May 1 on"),
        (["what does Bob have closing before the end of March?", "And after March?"], "Bob has 3 deals closing from"),
        (["open deals with customers", "and with partners?"], "There is 1 open deal with partner accounts"),
        (["which customer has the most contacts"], "**XYZ Inc** has the most. There are 17 contacts with customer"),
        (["how many contacts does each customer have"], "There are 17 contacts with customer accounts"),
        (["which lead source has brought us the most value?"], "**Website** has the most. There are 44 leads worth"),
        (["list the deals in proposal and the ones in negotiation"], "There are 11 deals in proposal or negotiation"),
        (["what did we sell helios", "and redwood?"], "There are no won deals with Redwood Media"),
        (["any lost deals with Falcon?", "when does the first one close"], "Nothing was listed last"),
        (["show my deals in negotiation with their contacts"], "You have 2 deals in negotiation worth **$89,000**"),
    ],
)
def test_a_condition_takes_the_place_of_the_one_that_it_stands_for(messages: list[str], start: str) -> None:
    assert _last_reply(*messages).startswith(start)


def test_a_condition_that_only_a_text_says_is_looked_for_there() -> None:
    assert "6 deals matching “contract”" in _last_reply("deals waiting for a contract")


def test_somebody_of_whom_nobody_spoke_is_named() -> None:
    assert "I don't know how to filter by “with them”" in _last_reply("any open deals with them?")
