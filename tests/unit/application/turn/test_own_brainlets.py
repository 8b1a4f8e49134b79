"""The brainlets of the product in turns."""

import json

import pytest
from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import discover_brainlets
from aisha.application.turn.rounds.prompt_request import estimate_tokens, schema_tokens
from aisha.domain.errors import ModelNotSetUpError, ModelUnavailableError
from tests.fakes.models.scripted_model import ask, system_text
from tests.unit.application.conftest import World

BRAINLETS = discover_brainlets("aisha.brainlets")
DOWN = ModelNotSetUpError("none has a key")
FAILED = ModelUnavailableError("openai did not answer: it limits our rate")


def with_product_brainlets(full: World) -> World:
    full.deps = replace(full.deps, brainlets=BRAINLETS)
    return full


def sent_tools(full: World, request: int) -> set[str]:
    return {spec.name for spec in full.model.requests[request].tools}


def prompt_tokens(full: World, request: int) -> int:
    sent = full.model.requests[request]
    return sum(map(schema_tokens, sent.tools)) + sum(estimate_tokens(message.content) for message in sent.messages)


def test_the_router_asks_a_cheap_model_and_sends_what_it_names(full: World) -> None:
    with_product_brainlets(full).say(
        "What will we earn?", json.dumps({"tools": ["forecast_pipeline", "no_such_tool"]}), "Much."
    )
    assert (full.model.requests[0].capability, full.model.requests[0].max_tokens) == ("router", 200)
    assert "forecast_pipeline" in sent_tools(full, 1)
    assert "send_email" not in sent_tools(full, 1)


def test_without_a_router_model_the_words_decide(full: World) -> None:
    with_product_brainlets(full).say("Give me the forecast of the pipeline", DOWN, "Much.")
    assert "forecast_pipeline" in sent_tools(full, 1)
    assert "github_issue" not in sent_tools(full, 1)


def test_all_tools_are_sent_when_the_routers_answer_is_unreadable(full: World) -> None:
    with_product_brainlets(full).say("What will we earn?", "I think you should ask Bob.", "Much.")
    assert {"forecast_pipeline", "send_email", "github_issue"} <= sent_tools(full, 1)


def test_all_tools_are_sent_when_the_router_fails(full: World) -> None:
    with_product_brainlets(full).say("xyzzy frobnicate please", FAILED, "What do you mean?")
    assert {"forecast_pipeline", "send_email", "github_issue", "search_leads"} <= sent_tools(full, 1)


def test_a_greeting_costs_no_tools_and_little_prompt(full: World) -> None:
    with_product_brainlets(full).say("Hello", json.dumps({"tools": []}), "Hello!")
    assert sent_tools(full, 1) == {"req_more_info"}
    assert prompt_tokens(full, 1) <= 1950


@pytest.mark.parametrize(
    ("message", "tools", "max_tokens"),
    [
        ("What should I do next?", ["suggest_next_actions"], 2150),
        ("What discount may I give without approval?", ["search_documents"], 2200),
        ("Show me my warm leads", ["search_leads"], 2300),
        ("Delete the lead Jack Russel", ["search_leads", "delete_lead"], 2350),
        ("Call Jack Russel on Friday at 3pm", ["search_leads", "search_contacts", "create_activity"], 2850),
    ],
)
def test_a_first_turn_costs_only_the_tools_that_its_message_needs(
    full: World, message: str, tools: list[str], max_tokens: int
) -> None:
    with_product_brainlets(full).say(message, json.dumps({"tools": tools}), "Very well.")
    assert sent_tools(full, 1) == {"req_more_info", *tools}
    assert prompt_tokens(full, 1) <= max_tokens


def test_the_tools_of_a_first_turn_bring_the_searches_for_the_ids_that_they_need(full: World) -> None:
    with_product_brainlets(full).say("Delete Jack", json.dumps({"tools": ["delete_lead"]}), "Which Jack?")
    assert sent_tools(full, 1) == {"req_more_info", "delete_lead", "search_leads"}
    full.say("Call Jack", json.dumps({"tools": ["create_activity"]}), "Which Jack?")
    assert {"search_leads", "search_contacts", "search_accounts", "search_opportunities"} <= sent_tools(full, 1)
    full.say("Tick off the call", json.dumps({"tools": ["complete_activity"]}), "Which call?")
    assert sent_tools(full, 1) == {"req_more_info", "complete_activity", "list_activities"}


def test_all_tools_are_sent_when_the_router_names_none_that_exist(full: World) -> None:
    with_product_brainlets(full).say("What will we earn?", json.dumps({"tools": ["guess_earnings"]}), "Much.")
    assert {"forecast_pipeline", "send_email", "search_leads"} <= sent_tools(full, 1)


def test_a_model_that_wants_tools_after_all_gets_them(full: World) -> None:
    wish = ask("req_more_info", tools={"ids": ["search_leads"]})
    with_product_brainlets(full).say("Hello", json.dumps({"tools": []}), [wish], [ask("search_leads")], "None.")
    assert {"search_leads", "create_note"} <= sent_tools(full, 2)


def test_in_a_conversation_the_usual_tools_are_sent_whatever_the_router_says(full: World) -> None:
    first = with_product_brainlets(full).say("Hello", json.dumps({"tools": []}), "Hello!")
    full.say("and his email?", json.dumps({"tools": []}), "Whose?", conversation=first["conversationId"])
    assert "search_leads" in sent_tools(full, 1)


def test_no_description_in_the_prompt_is_cut_within_a_clause(full: World) -> None:
    with_product_brainlets(full).say("Hello", json.dumps({"tools": []}), "Hello!")
    prompt = system_text(full.model.requests[1])
    assert "…" not in prompt
    assert "\nforecasting: How to make a forecast that holds\n" in prompt


def test_a_tool_of_the_last_turn_is_never_dropped(full: World) -> None:
    first = with_product_brainlets(full).say("Forecast?", DOWN, [ask("forecast_pipeline")], "Much.")
    full.say("And so?", DOWN, "As I said.", conversation=first["conversationId"])
    assert "forecast_pipeline" in sent_tools(full, 1)


def test_an_empty_list_is_an_insight_with_a_next_step(full: World) -> None:
    answer = with_product_brainlets(full).say("Show the leads", DOWN, [ask("search_leads")], "There are none.")
    assert answer["insights"] == ["No leads found"]
    assert answer["nextSteps"] == ["Create a lead, or import the ones you have"]


def test_an_empty_search_is_no_insight_when_another_search_has_hits(full: World) -> None:
    full.add_lead(first_name="Jack", last_name="Russel")
    looks = [ask("search_leads", "c1", name_contains="Jack"), ask("search_contacts", "c2", name_contains="Jack")]
    answer = with_product_brainlets(full).say("Who is Jack?", DOWN, looks, "A lead.")
    assert answer["insights"] == []


def test_a_name_that_was_looked_up_among_several_kinds_is_one_insight(full: World) -> None:
    looks = [ask(f"search_{kind}", kind, name_contains="Zorblax") for kind in ("leads", "contacts", "accounts")]
    answer = with_product_brainlets(full).say("Who is Zorblax?", DOWN, looks, "I found nobody.")
    assert answer["insights"] == ["No leads, contacts or accounts are called “Zorblax”"]
    assert answer["nextSteps"] == ["Check the spelling of “Zorblax”"]


def test_that_nobody_had_the_name_is_no_insight_when_the_record_was_created(full: World) -> None:
    look = [ask("search_leads", "c1", name_contains="Anna Meyer")]
    write = [ask("create_lead", "c2", first_name="Anna", last_name="Meyer", company="Siemens")]
    answer = with_product_brainlets(full).say("Create a lead Anna Meyer at Siemens", DOWN, look, write, "Done.")
    assert [call["status"] for call in answer["toolCalls"]] == ["executed", "executed"]
    assert (answer["insights"], answer["nextSteps"]) == ([], [])


def test_words_recommend_scans(full: World) -> None:
    answer = with_product_brainlets(full).say("Which deals are at risk, and what is overdue?", DOWN, "Let me see.")
    assert answer["recommendedScans"] == ["deals_at_risk", "overdue_activities"]


def test_records_read_are_sources(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel")
    answer = with_product_brainlets(full).say("Who?", DOWN, [ask("search_leads")], "Jack.")
    assert answer["sources"] == [
        {"type": "lead", "id": lead.id, "name": "Jack Russel", "description": "Lead, from search_leads"}
    ]


def test_a_long_conversation_is_summed_up(full: World) -> None:
    with_product_brainlets(full)
    conversation = None
    for number in range(5):
        answer = full.say(f"Fact {number}", DOWN, f"Noted {number}", conversation=conversation)
        conversation = answer["conversationId"]
    full.say("Fact 5", DOWN, "Noted 5", "User told fact 0.", conversation=conversation)
    full.say("Fact 6", DOWN, "Noted 6", DOWN, conversation=conversation)
    assert "Earlier: User told fact 0." in system_text(full.model.requests[1])
    full.say("Fact 7", DOWN, "Noted 7", DOWN, conversation=conversation)
    text = system_text(full.model.requests[1])
    assert "Earlier: User told fact 0. User: Fact 1 AiSHA: Noted 1" in text


def test_the_mood_follows_the_users_words(full: World) -> None:
    assert (
        with_product_brainlets(full).say("This is a terrible disaster", DOWN, "Sorry.")["mood"]["sentiment"]
        == "negative"
    )
    assert full.say("Great, wonderful!", DOWN, "Thanks.")["mood"]["emoji"] == "😊"


@pytest.mark.parametrize(
    "message",
    [
        "Show me warm leads",
        "Create a new account called Happy Works",
        "Complete all overdue activities and create a call for each warm lead",
        "create a call with John tomorrow at 10",
    ],
)
def test_names_and_words_of_the_work_show_no_feeling(full: World, message: str) -> None:
    assert with_product_brainlets(full).say(message, DOWN, "Done.")["mood"]["sentiment"] == "neutral"


def test_an_order_shows_no_feeling_by_its_verb_or_by_what_it_dictates(full: World) -> None:
    lead = full.add_lead(first_name="Ann", last_name="Lee")
    write = [ask("create_note", entity_type="lead", entity_id=lead.id, content="he likes chess and hates delays")]
    answer = with_product_brainlets(full).say("Note that he likes chess and hates delays", DOWN, write, "Done.")
    assert answer["mood"]["sentiment"] == "neutral"
    angry = full.say("Note that he likes chess, this awful list is wrong", DOWN, write, "Done.")
    assert angry["mood"]["sentiment"] == "negative"
    assert full.say("yes", DOWN, "Yes?")["mood"]["sentiment"] == "neutral"


def test_the_scan_that_has_just_run_is_not_recommended(full: World) -> None:
    full.add_lead(first_name="Ann", status="warm")
    run = [ask("run_scan", scan_type="data_quality")]
    answer = with_product_brainlets(full).say("Run a data quality scan, then look at my goals", DOWN, run, "Done.")
    assert answer["recommendedScans"] == ["goal_progress"]
