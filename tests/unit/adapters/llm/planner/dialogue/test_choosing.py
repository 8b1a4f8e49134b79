"""Test that an ask about one of several records is about that one alone, and that what can't be told is asked."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY

ROLLOUT, TRAINING = "Stonebridge Legal Platform Rollout", "Stonebridge Legal Training Package"
QUOTE = "Send the revised quote to Priya Nair"


def _last(*messages: str) -> tuple[str, list[str]]:
    """Return the last reply, and the writes that the last message runs or asks about."""
    answer = Stage(REGISTRY, NOW).converse(*messages)[-1]
    reads = ("get_", "search_", "list_", "score_")
    return answer["response"], [one["name"] for one in answer["toolCalls"] if not one["name"].startswith(reads)]


@pytest.mark.parametrize(
    ("messages", "meant", "others"),
    [
        (["deals with Stonebridge", "The smaller one of those, move the close date to May 29"], TRAINING, ROLLOUT),
        (["deals with Stonebridge", "the little one. Push it to May 29."], TRAINING, ROLLOUT),
        (["deals with Stonebridge", "what do they add up to?", "set the second one to 30k"], TRAINING, ROLLOUT),
        (["deals with Stonebridge", "whichever closes first, set its next step to call legal"], TRAINING, ROLLOUT),
        (["deals with Stonebridge", "move the rollout one to negotiation"], ROLLOUT, TRAINING),
        (["what's overdue on my list?", "mark the rafael one done", "the other one, push it to tomorrow at 11"], QUOTE,
         "Call Rafael"),
        (["contacts at Redwood Media", "put a note on the actuary that he is on leave"], "Zachary Holloway", "Jasmine"),
        (["what's the stage of the ABC Corp Pilot Project?", "set the annual license one to 140k"],
         "ABC Corp Annual License", "Pilot"),
    ],
)  # fmt: skip
def test_an_order_on_one_of_several_records_changes_that_one(messages: list[str], meant: str, others: str) -> None:
    reply, writes = _last(*messages)
    assert len(writes) == 1
    assert meant in reply
    assert others not in reply


@pytest.mark.parametrize(
    "messages",
    [
        ["my open deals in proposal", "move the other one to negotiation"],
        ["my warm leads", "set the mining one to contacted"],
        ["deals with Stonebridge", "set the next step of the first one to the same as the second one"],
    ],
)
def test_an_order_on_one_of_several_that_nothing_tells_apart_is_asked_about(messages: list[str]) -> None:
    reply, writes = _last(*messages)
    assert "Which one do you mean?" in reply
    assert not writes


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["my leads with a score above 70", "the CTO in that bunch, what's his phone number"], "603 555 0143"),
        (["what's our biggest open deal?", "Number two?"], "ABC Corp Annual License"),
        (
            ["what's the stage of the Helios support renewal?", "same question on the field service one"],
            "qualification",
        ),
        (["what's the amount of the ABC Corp Pilot Project?", "And the Annual License of the same client?"], "135,000"),
        (["when does the Stonebridge training package close?", "and their other deal?"], "Apr 27"),
        (["deals with Stonebridge", "the smaller one?", "and who's our person on it"], "Paloma Ortega"),
        (
            [
                "amount of ABC Corp Pilot Project?",
                "amount of ABC Corp Annual License?",
                "So both put together would be how much?",
            ],
            "187,000",
        ),
    ],
)
def test_a_question_about_one_of_several_records_is_answered(messages: list[str], said: str) -> None:
    assert said in _last(*messages)[0]


def test_the_kind_of_record_that_a_note_is_on_outranks_a_name_in_it() -> None:
    lines = ("who's the contact on the Falcon training package?", "put a note on the deal: Dewi wants a call in May")
    assert "to **Falcon Aerospace Training Package**: “Dewi wants a call in May”" in _last(*lines)[0]
    messages = (
        "hows the silverline renewal lookin",
        "who do we deal w/ on that one",
        "note on the opp: Giorgio wants a call",
    )
    assert "to **Silverline Bank Support Renewal**: “Giorgio wants a call”" in _last(*messages)[0]


def test_numbered_points_are_asks_of_their_own() -> None:
    line = (
        "(1) share the phone number of Ms. Nina Kowalski, (2) confirm the closing date of the Falcon Aerospace "
        "Training Package, and (3) create a task for the said deal for Monday at 11 to test the demo"
    )
    reply, writes = _last(line)
    assert "962 555 0150" in reply
    assert "Mar 16" in reply
    assert writes == ["create_activity"]


def test_to_revert_with_something_is_to_answer() -> None:
    reply, writes = _last(
        "Silverline Bank - please revert with account health, number of employees and annual revenue."
    )
    assert ("churning" in reply, "2,900" in reply, "$410,000,000" in reply, writes) == (True, True, True, [])
    assert not _last("move ABC Corp Annual License to qualification", "Please revert once done.")[1]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Stage and dollars of the Helios Support Renewal?", "$23,000"),
        ("May I know the stage and amount of the Redwood Media Expansion?", "$117,000"),
        ("What's the phone number and designation of Mr. Kofi Mensah?", "Creative Director"),
    ],
)
def test_all_fields_asked_for_together_are_answered(message: str, said: str) -> None:
    assert said in _last(message)[0]


def test_an_ask_that_follows_from_another_uses_what_it_found() -> None:
    line = "Which of my new leads has the highest estimated value? Please schedule a call with that person for Tuesday."
    assert "Call with Camille Dubois" in _last(line)[0]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("When do the Stonebridge deals close?", ["Apr 27", "Apr 25"]),
        ("what's the stage of both Evergreen deals", ["negotiation", "qualification"]),
        ("who owns the Meridian deals", ["you", "Bob"]),
        ("Can you compare the two Stonebridge deals?", ["$136,000", "$25,000"]),
    ],
)
def test_a_question_about_deals_of_one_name_is_answered_for_each(message: str, said: list[str]) -> None:
    reply = _last(message)[0]
    assert all(one in reply for one in said)


def test_an_order_on_one_of_the_deals_of_one_name_asks_which() -> None:
    assert "Which one do you mean?" in _last("move the Stonebridge deal to negotiation")[0]


def test_people_of_a_company_are_met_at_the_company() -> None:
    reply, writes = _last("Set up a meeting with the Redwood people next Tuesday at 2pm")
    assert "Redwood Media" in reply
    assert writes == ["create_activity"]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["top 3 open deals by amount", "who's the contact on the second one"], "John Doe"),
        (["whats open at stonebridge", "which ones bigger", "what's the stage of that one"], "proposal"),
        (["What is the total value of my open pipeline as on today?"], "$1,036,500"),
        (["what's my open pipeline worth as of today"], "$1,036,500"),
    ],
)
def test_a_place_in_a_list_and_the_day_of_a_figure_are_heard(messages: list[str], said: str) -> None:
    assert said in _last(*messages)[0]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["How's Blue Harbor doing?", "when does their fleet tracking deal close?"], "Mar 8"),
        (["Tell me about Helios Solar", "how much is their support renewal?"], "$23,000"),
        (["Tell me about Helios Solar", "how much is their support renewal?", "and the field service?"], "$38,500"),
        (["I'm off to Meridian Health. what stage is their patient portal in?"], "proposal"),
        (["Who's Divya Krishnan?", "what's her fleet tracking deal worth?"], "$64,000"),
        (["brief me on Blue Harbor Logistics", "who's the contact on their platform rollout?"], "Divya Krishnan"),
        (["Tell me about Redwood Media", "how's the expansion going?"], "Redwood Media Expansion"),
        (["Tell me about Stonebridge Legal", "what's the annual revenue?"], "$15,000,000"),
    ],
)
def test_the_words_of_a_deal_mean_that_of_the_company_spoken_of(messages: list[str], said: str) -> None:
    assert said in _last(*messages)[0]


def test_the_first_of_a_part_of_a_list_is_looked_for_in_that_part() -> None:
    assert "Helios Solar Field Service" in _last("Show me Kofi's deals", "which of them is the biggest open one?")[0]
    reply, _ = _last("Bob's deals", "the largest open one of those?", "who owns it?")
    assert "Pinnacle Insurance Group Support Renewal" in reply


@pytest.mark.parametrize(
    "question",
    [
        "who's the bloke I deal with on that one?",
        "who's my point person on it?",
        "who should I ring about that?",
        "whom do we speak with about that deal?",
        "who's on it from their side?",
    ],
)
def test_a_question_for_the_person_behind_a_deal_is_for_its_contact(question: str) -> None:
    reply, writes = _last("what stage is the Falcon training package in?", question)
    assert "Nina Kowalski" in reply
    assert not writes


def test_a_question_on_one_of_a_list_is_repeated_for_the_other_one() -> None:
    lines = ("show me the ABC Corp deals", "what stage is the pilot in?", "and the other one?")
    assert "The stage of **ABC Corp Annual License** is **prospecting**" in _last(*lines)[0]


def test_who_changed_a_deal_is_no_question_for_its_contact() -> None:
    assert "Nina" not in _last("what stage is the Falcon training package in?", "who changed it last?")[0]


@pytest.mark.parametrize(
    ("messages", "tool", "meant"),
    [
        (["Who's John Doe?", "add a note to his company: new CFO in May"], "create_note", "ABC Corp"),
        (["Tell me about Paloma Ortega", "give her account a note: wants a visit"], "create_note", "Stonebridge Legal"),
        (["Who's Divya Krishnan?", "change her company's phone to +1 555 0100"], "update_account", "Blue Harbor"),
        (["Who's Paloma Ortega?", "set her account to churning"], "update_account", "Stonebridge Legal"),
        (["Spoke to Divya Krishnan. Put a note on her company: new CEO"], "create_note", "Blue Harbor Logistics"),
        (["Who's Divya Krishnan?", "change her company to Globex"], "update_contact", "Divya Krishnan"),
        (["Who's John Doe?", "put a task on his account to send a quote on Friday"], "create_activity", "ABC Corp"),
    ],
)
def test_an_order_on_the_company_of_a_person_is_not_on_the_person(messages: list[str], tool: str, meant: str) -> None:
    reply, writes = _last(*messages)
    assert writes == [tool]
    assert meant in reply


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["find Omar", "when's he due a call?", "book one for Thursday at 4"], "a call with Omar Benali"),
        (["do I have a demo with Nina?", "set one up for Monday at 2"], "a demo with Nina Kowalski"),
        (
            ["Who's Nina Kowalski?", "she's the head of procurement these days"],
            "job title of the contact Nina Kowalski",
        ),
        (["Add a lead: Tom Berg of Bergwerk", "he's their plant manager"], "job title of the lead Tom Berg"),
    ],
)
def test_what_is_not_said_in_full_is_asked_about(messages: list[str], said: str) -> None:
    assert said in _last(*messages)[0]


@pytest.mark.parametrize(
    ("answer", "stage"), [("the cheapest", "proposal"), ("the bigger one", "closed won"), ("the smallest", "proposal")]
)
def test_an_order_chooses_among_the_records_that_a_question_names(answer: str, stage: str) -> None:
    reply = replies("what's the stage of the helios deal", answer)[-1]
    assert f"is **{stage}**" in reply


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        (("who owns the meridian deal", "the pilot"), "**Meridian Health Pilot Project** is owned by **Bob**."),
        (("what's the amount of the blue harbor deal", "2"), "**Blue Harbor Fleet Tracking** is **$64,000**."),
    ],
)
def test_the_field_asked_for_is_told_once_the_record_is_chosen(messages: tuple[str, str], told: str) -> None:
    assert replies(*messages)[-1].endswith(told)


@pytest.mark.parametrize(
    ("order", "name"),
    [
        ("set the amount of the smallest to 25k", "Helios Solar Support Renewal"),
        ("move the biggest to negotiation", "Stonebridge Legal Platform Rollout"),
    ],
)
def test_the_form_of_an_order_alone_chooses_a_record_of_the_last_list(order: str, name: str) -> None:
    reply = replies("show my deals in proposal", order)[-1]
    assert name in reply


def test_a_raised_digit_is_no_place_in_a_list() -> None:
    assert "Which one" in replies("Schedule a call with John on Monday", "²")[-1]
