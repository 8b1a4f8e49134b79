"""Behaviour of the questions that people ask of lists, rankings and histories of records, as whole messages."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

REGISTRY = product_tools()


def _reply(message: str) -> str:
    return str(Stage(REGISTRY, NOW).say(message)["response"])


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("give me phone numbers of all my warm leads", "warm, score 90, phone number +1 833 555 0151"),
        ("tell me the email addresses of the contacts at Stonebridge Legal", "paloma.ortega@stonebridgelegal.example"),
        ("list our customers with their websites and phone numbers", "phone number +1 804 555 0152"),
        ("show the owners of all deals in negotiation", "closes Sun, Mar 8, owner you"),
        ("can I get the mobile numbers for our contacts at Silverline Bank", "phone number +1 526 555 0153"),
        ("list my leads with their scores and sources", "warm, score 90, source other"),
    ],
)
def test_fields_asked_for_of_several_records_are_columns_of_their_list(message: str, line: str) -> None:
    reply = _reply(message)
    assert line in reply
    assert "1. **" in reply


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("show me everyone called Gabriela", "**Gabriela Fonseca** is"),
        ("people with the surname Nair", "There is 1 lead named “Nair”"),
        ("is there anybody called John in our contacts?", "There are 3 contacts named “John”"),
        ("contacts whose last name is Smith", "There is 1 contact named “Smith”"),
        ("find people with the first name Wei", "**Wei Zhang**"),
        ("someone with the family name Zhang", "**Wei Zhang** is"),
    ],
)
def test_people_are_found_by_what_they_are_called(message: str, part: str) -> None:
    assert part in _reply(message)


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("what's the smallest customer we have by headcount", "number of employees is **XYZ Inc**"),
        ("the deal with the lowest probability", "lowest probability is **ABC Corp Annual License**"),
        ("the account with the fewest employees", "number of employees is **Redwood Media**"),
        ("show the 3 accounts with the fewest people", "1. **Redwood Media**"),
        ("which of my leads has the lowest estimated value", "**Santiago Quiroga**"),
        ("which customer has the highest revenue", "**Silverline Bank**"),
        ("biggest customers by headcount", "The customer accounts with the highest number of employees (5 of 8)"),
        ("contact with the oldest last contact", "earliest last contact is **Paloma Ortega**"),
    ],
)
def test_records_are_ranked_by_the_field_that_is_named(message: str, part: str) -> None:
    assert part in _reply(message)


@pytest.mark.parametrize(
    "message", ["the most senior contact", "our most profitable account", "who is the nicest customer"]
)
def test_an_order_that_nothing_on_record_gives_is_named(message: str) -> None:
    assert _reply(message).startswith("Nothing on record tells me which ")


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("which account manager has the most open deals", "- You: 13, $1,036,500\n- Bob: 5"),
        ("which rep has the most leads", "- You: 32\n- Bob: 12"),
        ("who has the fewest open deals", "- Bob: 5, $237,000\n- You: 13"),
        ("which company has the most open deals", "- Stonebridge Legal: 2"),
    ],
)
def test_groups_are_of_the_records_counted_not_of_those_that_name_the_group(message: str, lines: str) -> None:
    assert lines in _reply(message)


@pytest.mark.parametrize(
    ("message", "head"),
    [
        ("which customers are unhappy", "There are 3 customer accounts that are at risk or churning"),
        ("which customers are happy", "There are 5 healthy customer accounts"),
        ("which of my customers should I worry about", "You have 3 customer accounts that are at risk or churning"),
        ("do I have any frustrated customers", "You have 3 customer accounts that are at risk or churning"),
        ("how many happy customers do we have", "There are 5 healthy customer accounts"),
        ("which accounts are at risk", "There are 2 accounts at risk"),
        ("show our customers please", "There are 8 customer accounts:"),
        ("happy leads", "I don't know how to filter by “happy”"),
    ],
)
def test_the_mood_of_customers_is_their_health(message: str, head: str) -> None:
    assert _reply(message).startswith(head)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("how old is the Helios support renewal", "Helios Solar Support Renewal"),
        ("when did Jack Russel become a lead", "Jack Russel"),
        ("when was the Stonebridge platform rollout created", "Stonebridge Legal Platform Rollout"),
        ("when did we add Priya Nair?", "Priya Nair"),
        ("how long have we known Quentin Marchand", "Quentin Marchand"),
        ("what's the age of the Falcon training package", "Falcon Aerospace Training Package"),
    ],
)
def test_the_age_of_a_record_is_since_when_it_is_on_record(message: str, name: str) -> None:
    assert _reply(message) == f"**{name}** has been on record since **today**."


@pytest.mark.parametrize(
    ("message", "state"),
    [
        ("how long has the Helios support renewal been in proposal", "proposal"),
        ("since when is Jack Russel warm", "warm"),
        ("since when is Helios Solar a customer", "a **customer**"),
        ("how long has XYZ Inc been a customer", "a **customer**"),
    ],
)
def test_since_when_a_record_is_in_a_state_is_not_guessed(message: str, state: str) -> None:
    reply = _reply(message)
    assert state in reply
    assert reply.endswith("nothing on record says since when. It has been on record since **today**.")


def test_since_when_a_record_is_in_a_state_is_read_from_the_audit_trail() -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say("move the Helios support renewal to negotiation")["conversationId"]
    reply = stage.say("how long has it been in negotiation", conversation)["response"]
    assert reply == "**Helios Solar Support Renewal** was set to **negotiation** today at 10:00 AM."


@pytest.mark.parametrize(
    ("message", "head"),
    [
        ("are there any deals with no contact", "There are no deals without a contact"),
        ("do we have contacts without a company", "There is 1 contact without a company:\n\n1. **John Brown**"),
        ("contacts that aren't linked to an account", "There is 1 contact without a company:\n\n1. **John Brown**"),
        ("which accounts don't have any contacts", "There are no accounts without contacts"),
        ("how many deals are missing a contact person", "There are no deals without a contact"),
        ("open deals with a contact", "There are 18 open deals with a contact"),
        ("who are our contacts at partners", "There are 2 contacts with partner accounts"),
        ("companies with only one contact", "There are 2 accounts with only 1 contact"),
        (
            "deals where the contact hasn't been called since february 20",
            "There are 14 deals with contacts last",
        ),
        ("contacts not contacted in 3 months, sorted by company", "The contacts never contacted so far by company (2)"),
        (
            "who do we know at Helios Solar and Silverline Bank",
            "There are 4 contacts at Helios Solar or Silverline Bank",
        ),
        ("customers without contact for a month", "There are 2 customer accounts without contact since Wed, Feb 4"),
    ],
)
def test_records_are_chosen_by_the_records_that_they_are_linked_to(message: str, head: str) -> None:
    assert _reply(message).startswith(head)


@pytest.mark.parametrize(
    ("message", "head"),
    [
        ("which deals moved this week", "There are 23 deals last changed from Mon, Mar 2 to Sun, Mar 8"),
        ("what deals progressed last week", "There are no deals last changed from Mon, Feb 23 to Sun, Mar 1"),
        ("which leads were updated today", "There are 44 leads last changed on Wed, Mar 4"),
        ("which deals moved", "I don't know how to filter by “moved”; without it, "),
        ("which customers renewed this quarter", "I don't know how to filter by “renewed this quarter”; without it, "),
        (
            "which accounts bought something last month",
            "I don't know how to filter by “bought last month”; without it, ",
        ),
        ("which deals closed last month", "There are 2 won deals closed in February 2026"),
    ],
)
def test_what_happened_at_a_time_is_no_other_date(message: str, head: str) -> None:
    assert _reply(message).startswith(head)


@pytest.mark.parametrize(
    ("message", "head"),
    [
        ("how many emails did I send last week", "You have 2 completed emails from Mon, Feb 23 to Sun, Mar 1."),
        ("how many calls did I make", "You have 7 completed calls."),
        ("how many demos did Bob do in February", "Bob has 2 completed demos in February 2026."),
        ("which calls did I make last week", "You have 2 completed calls from Mon, Feb 23 to Sun, Mar 1:"),
        ("how many calls have I made today?", "You have no completed calls on Wed, Mar 4."),
        ("how many emails do I need to send this week", "You have 2 emails due from Mon, Mar 2 to Sun, Mar 8."),
        ("how many calls should I make this week", "There are 3 calls due from Mon, Mar 2 to Sun, Mar 8."),
    ],
)
def test_activities_that_were_done_are_those_completed(message: str, head: str) -> None:
    assert _reply(message).startswith(head)


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("which of my tasks are overdue and which ones are due today", ["2 overdue", "You have no activities today"]),
        ("which of my deals close this month and which are overdue", ["4 deals closing", "\n\nYou have no open deals"]),
        ("which of my leads are warm and which ones are new", ["You have 6 warm leads", "You have 9 new leads"]),
        (
            "which calls are overdue and which are planned for tomorrow?",
            ["1 overdue call", "1 scheduled call tomorrow"],
        ),
        ("how many of my tasks are overdue and how many are due today", ["2 overdue", "no activities due on Wed"]),
        ("which of our deals are in negotiation and which ones close this week?", ["4 deals", "1 deal closing from"]),
        ("which of my deals are in negotiation and which of those close this week?", ["negotiation closing from"]),
    ],
)
def test_questions_side_by_side_are_of_the_same_records(message: str, parts: list[str]) -> None:
    reply = _reply(message)
    assert [part for part in parts if part not in reply] == []


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        (
            "what's our win rate this quarter",
            "The win rate is **75%**: 3 won deals closed from Thu, Jan 1 to Tue, Mar 31, ",
        ),
        ("what is my win rate", "Your win rate is **75%**: 3 won deals, against 1 lost."),
        ("what was Bob's win rate last quarter", "Bob's win rate is **0%**: 0 won deals closed from Wed, Oct 1"),
        ("closing ratio in february", "The win rate is **67%**: 2 won deals closed in February 2026, against 1 lost."),
        (
            "win rate in January 2025?",
            "There are no won deals closed in January 2025 and no lost ones, so there is no rate",
        ),
        (
            "what's the conversion rate of our leads",
            "The conversion rate is **0%**: 0 converted leads, against 44 others.",
        ),
    ],
)
def test_a_rate_is_of_what_was_closed(message: str, reply: str) -> None:
    assert _reply(message).startswith(reply)


@pytest.mark.parametrize(
    ("first", "then", "line"),
    [
        (
            "show my warm leads",
            "give me their phone numbers",
            "+1 212 555 0142",
        ),
        (
            "which deals close this month?",
            "and who's the contact for each?",
            "Fleet Tracking**: Divya Krishnan, +1",
        ),
        ("which deals close this month?", "what's their next step?", "Evergreen Builders Expansion**: next step Send"),
        (
            "which customers are at risk?",
            "who are their contacts?",
            "4 contacts at Blue Harbor Logistics and Helios",
        ),
        ("how many leads were lost?", "where did those come from?", "Dmitri Volkov**: source referral"),
        ("how many accounts are healthy?", "and which ones aren't?", "The 9 others"),
        ("how many customers are healthy?", "and how many are not?", "The 3 others"),
        ("show me my pipeline", "which stage has the most value?", "**Proposal** has the most. You have 13 open deals"),
        ("which leads were created last week?", "and updated?", "no leads last changed from Mon, Feb 23"),
        ("average size of our open deals?", "and of the ones we won?", "3 won deals worth **$274,000**, $91,333.33"),
        ("show our customers", "what are their websites and owners?", "website https://heliossolar.example, owner you"),
        ("which deals are in negotiation", "who owns them?", "**Evergreen Builders Expansion**: owner Bob"),
        (
            "show my deals in proposal",
            "what's the probability of each of them",
            "**Meridian Health Patient Portal**: probability 50%",
        ),
        ("top 5 accounts by revenue", "and the bottom 5?", "The smallest accounts (5 of 16)"),
        (
            "list the contacts at Silverline Bank",
            "their phones please",
            "+1 526 555 0153",
        ),
    ],
)
def test_a_question_goes_on_with_all_records_of_the_last_list(first: str, then: str, line: str) -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say(first)["conversationId"]
    assert line in stage.say(then, conversation)["response"]


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("Compare won and lost deals this quarter", "There are 3 won deals closed from Thu, Jan 1 to Tue, Mar 31"),
        ("How many leads, contacts and accounts do we have?", "There are 44 leads.\n\nThere are 33 contacts.\n\nThere"),
        ("which deals close June 2026", "There are no deals closing in June 2026."),
        ("what's the average time to close?", "I can't work out how long something takes on average."),
        ("what's Bob working on?", "Here are Bob's figures"),
        ("which activities are overdue by more than a week", "There were no overdue activities until Wed, Feb 25."),
        (
            "which accounts have more contacts than deals",
            "I don't know how to filter by “have more contacts",
        ),
    ],
)
def test_a_question_is_read_as_a_whole(message: str, reply: str) -> None:
    assert _reply(message).startswith(reply)


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("which accounts have more than one open deal", "There are 6 accounts with at least 2 open deals"),
        ("leads with more than 2 calls", "There are no leads with at least 3 calls"),
    ],
)
def test_a_number_of_others_is_no_limit_of_a_field(message: str, reply: str) -> None:
    assert _reply(message).startswith(reply)


def test_records_of_an_unknown_name_are_looked_for_once() -> None:
    assert _reply("List the accounts in t and vktor ptres").startswith("There are no accounts")
