"""Follow-ups after a reply (A-050 to A-064), and small requirements without a file of their own."""

from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets, discover_brainlets
from aisha.domain.memory import MemoryChunk
from tests.fakes.models.scripted_model import ScriptedModel, tool_results
from tests.fakes.models.words_embedder import ThreeWordsEmbedder
from tests.support.dialogue.conversations import ANY_ID, NOW, Stage
from tests.support.dialogue.scripted_play import Play, system
from tests.support.product_tools import product_tools
from tests.support.tenants.office import SharedWordsMemory

REGISTRY = product_tools()


def reply_to(*messages: str) -> dict[str, Any]:
    """Send these messages in one conversation and return the answer to the last."""
    return Stage(REGISTRY, NOW).converse(*messages)[-1]


@pytest.mark.parametrize(
    ("messages", "offered"),
    [
        (["Who is Jack Russel?"], {"create_activity", "draft_email", "suggest_next_actions"}),
        (
            ["Create an account called Nordlys"],
            {"create_contact", "create_opportunity", "create_activity", "update_lead"},
        ),
        (["Is Jack Russel warm?"], {"suggest_next_actions", "create_note"}),
        (["Schedule a call with Jack Russel tomorrow at 10am", "mark that call as done"], {"create_activity"}),
        (["What should I do next with Jack Russel?"], {"create_activity", "draft_email", "summarize_record"}),
        (["Draft an email to Jack Russel about the quote"], {"send_email"}),
    ],
    ids=[
        "A-051 viewed",
        "A-052 created",
        "A-053 asked about",
        "A-054 action completed",
        "A-055, A-061 suggestions given",
        "drafted",
    ],
)
def test_what_fits_the_situation_is_offered(messages: list[str], offered: set[str]) -> None:
    answer = reply_to(*messages)
    assert offered <= {step["tool"] for step in answer["followUps"]}


@pytest.mark.parametrize("message", ["Who is Jack Russel?", "What should I do next with Jack Russel?"])
def test_it_is_offered_by_the_persons_name(message: str) -> None:
    """A-060, A-061."""
    assert sum("Jack Russel" in step["text"] for step in reply_to(message)["followUps"]) >= 2


def test_after_many_were_written_the_list_and_the_day_are_offered() -> None:
    """A-062."""
    texts = [
        step["text"] for step in reply_to("Show me warm leads and create calls for the top 3 tomorrow")["followUps"]
    ]
    assert texts[0] == "Show all pending activities"
    assert {"What should I prioritize today?", "Create activities for remaining leads"} <= {*texts}


def test_each_of_several_is_a_button_and_none_of_them_too() -> None:
    """A-063."""
    texts = [step["text"] for step in reply_to("schedule a call with john")["followUps"]]
    assert [text.partition(" (")[0] for text in texts] == ["John Brown", "John Doe", "John Smith", "Never mind"]


@pytest.mark.parametrize(
    "message",
    ["hello", "How many leads do we have?", "Who is Zebulon Quark?", "Delete Jack Russel", "asdf", "undo", "help"],
)
def test_every_reply_comes_with_two_to_four_that_can_be_sent(message: str) -> None:
    """A-050, A-057, A-059: each a text to send as it stands, with an icon, without an id."""
    steps = reply_to(message)["followUps"]
    assert 2 <= len(steps) <= 4
    assert len({step["text"] for step in steps}) == len(steps)
    assert all(step["text"].strip() and step["icon"] and not ANY_ID.search(step["text"]) for step in steps)


def test_every_tool_says_what_typically_follows() -> None:
    """A-064, A-177; a tool that only asks the user for more context needs no follow-up."""
    without = {spec.name for spec in REGISTRY.specs() if not spec.typical_followups}
    assert without <= {"req_more_info"}


def test_the_request_chooses_model_and_temperature() -> None:
    """A-024, A-023."""
    play = Play(REGISTRY, NOW)
    answer = play.turn("Hello", "Hi", temperature=0.2, model="small-1", sessionEntities=None)
    assert (play.model.requests[0].temperature, play.model.requests[0].model) == (0.2, "small-1")
    assert answer["entities"] == []


def test_the_style_is_a_professionals() -> None:
    """A-079, A-072."""
    play = Play(REGISTRY, NOW)
    play.turn("Hello", "Hi")
    prompt = system(play.model.requests[0])
    style = prompt[prompt.index("CONVERSATION STYLE") : prompt.index("SAFETY RULES")].lower()
    assert "professional" in style
    assert "concise" in style
    assert "id" in prompt[prompt.index("SAFETY RULES") :].lower()


def test_memories_of_similar_cases_stand_before_the_question() -> None:
    """K-035: they come as a tool's result, found by the keywords of a cheap model; another tenant's are left out."""
    memories, play = SharedWordsMemory(), Play(REGISTRY, NOW)
    memories.chunks += [
        MemoryChunk("mem_1", "demo", "price objection settled by a pilot", NOW, metadata={"outcome": "won"}),
        MemoryChunk("mem_2", "rival", "price objection of a rival", NOW),
    ]
    model = ScriptedModel("price, objection, pilot", "Offer a pilot.")
    ports = replace(play.deps.ports, memory=lambda: memories, embedder=ThreeWordsEmbedder)
    search = [
        brainlet for brainlet in discover_brainlets("aisha.brainlets").ordered if brainlet.name == "memory_search"
    ]
    play.deps = replace(play.deps, model=model, brainlets=Brainlets(search), ports=ports)
    assert play.say("How do I settle their objection to the price?")["response"] == "Offer a pilot."
    (result,) = tool_results(model.requests[1])
    assert [(one["memory"], one["outcome"]) for one in result] == [("price objection settled by a pilot", "won")]
    assert model.requests[1].messages[-1].content == "How do I settle their objection to the price?"


def test_what_has_just_failed_is_not_offered() -> None:
    answer = reply_to("Move the Helios Solar Annual License deal to the next stage")
    assert "no next stage" in answer["response"]
    assert not any("next stage" in step["text"] for step in answer["followUps"])
