"""Parts of flow-chat: references between steps, choices in words, examples of named flows."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.dialogue.choices import find_choice
from aisha.application.flow.planning.catalogue import named_flows
from aisha.application.flow.planning.example_matching import match_example
from aisha.application.flow.steps import (
    SeveralRecordsError,
    Step,
    check_references,
    decode_references,
    encode_references,
    references,
    resolve,
)
from aisha.domain.conversations.conversation import Alternative
from aisha.domain.errors import InvalidInputError, NotFoundError
from tests.support.product_tools import product_tools

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANN = {"entity_type": "lead", "id": "lead_1", "display_name": "Ann Lee", "score": 5, "tags": ["a"], "company": None}
BOB = {"entity_type": "lead", "id": "lead_2", "display_name": "Bob Ray"}


def ref(path: str, number: Any = 1) -> dict[str, Any]:
    return {"$step": number, "path": path}


# --- references


@pytest.mark.parametrize(
    ("result", "path", "value"),
    [
        ({"items": [ANN]}, "record.id", "lead_1"),
        ({"items": [{"record": ANN, "receipt": {}}]}, "record.id", "lead_1"),
        ({"items": [ANN, BOB]}, "items.1.id", "lead_2"),
        ({"record": ANN, "receipt": {"action": "created"}}, "record.display_name", "Ann Lee"),
        (ANN, "record.score", 5),
        ({"lead": BOB, "contact": {"id": "contact_1"}}, "contact.id", "contact_1"),
        ({"lead": BOB}, "record.id", "lead_2"),
    ],
)
def test_a_reference_becomes_the_value(result: Any, path: str, value: Any) -> None:
    assert resolve({"a": [{"b": ref(path)}]}, {1: result}) == {"a": [{"b": value}]}


@pytest.mark.parametrize("path", ["record.nothing", "items.2.id", "items.x", "record.id.more", "contact.id"])
def test_a_path_that_does_not_exist_is_an_error(path: str) -> None:
    with pytest.raises(NotFoundError):
        resolve(ref(path), {1: {"items": [ANN]}})


@pytest.mark.parametrize("path", ["record", "record.tags", "items", "record.company"])
def test_a_reference_to_an_object_or_list_is_refused(path: str) -> None:
    with pytest.raises(InvalidInputError):
        resolve(ref(path), {1: {"items": [ANN]}})


def test_a_reference_to_one_of_several_records_is_refused() -> None:
    with pytest.raises(SeveralRecordsError) as caught:
        resolve(ref("record.id"), {1: {"items": [ANN, BOB]}})
    assert caught.value.items == (ANN, BOB)
    with pytest.raises(NotFoundError):
        resolve(ref("record.id"), {1: {"items": []}})


def test_a_reference_to_a_step_without_a_result_stays() -> None:
    assert resolve({"a": ref("record.id", 2)}, {1: {}}) == {"a": ref("record.id", 2)}


@pytest.mark.parametrize(
    "value",
    [
        {"$step": 1},
        {"$step": "1", "path": "record.id"},
        {"$step": True, "path": "record.id"},
        {"$step": 1, "path": "record.id", "more": 1},
        ref("../../etc"),
        ref("record id"),
        ref("a.b.c.d.e.f.g"),
        ref("x" * 41),
        ref(""),
    ],
)
def test_a_malformed_reference_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        list(references({"lead_id": value}))


@pytest.mark.parametrize("number", [0, 2, 3, 99, -1])
def test_only_earlier_steps_are_referred_to(number: int) -> None:
    steps = [Step(1, "a", {}), Step(2, "b", {"x": ref("record.id", number)}), Step(3, "c", {})]
    with pytest.raises(InvalidInputError):
        check_references(steps)


def test_references_are_encoded_and_decoded() -> None:
    arguments = {"a": ref("record.id", 12), "b": [ref("items.0.id")], "c": "step1", "d": None}
    assert decode_references(encode_references(arguments)) == arguments


# --- choices

JOHNS = (
    Alternative("John Brown (contact, Freelance)", "1"),
    Alternative("John Doe (contact, ABC Corp)", "2"),
    Alternative("John Smith (lead, ABC Corp)", "3"),
)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("2", "2"),
        ("#2", "2"),
        ("2.", "2"),
        ("the third one please", "3"),
        ("the last one", "3"),
        ("Option 1", "1"),
        ("Doe", "2"),
        ("john doe", "2"),
        ("I mean the lead", "3"),
        ("the freelance one", "1"),
        ("John Doe from ABC Corp", "2"),
        ("2. John Doe (contact, ABC Corp)", "2"),
    ],
)
def test_words_choose_an_alternative(words: str, value: str) -> None:
    chosen = find_choice(words, JOHNS)
    assert chosen is not None
    assert chosen.value == value


@pytest.mark.parametrize(
    "words",
    ["", "yes", "no", "John", "4", "0", "ABC Corp", "1 and 2", "not the first", "2 leads", "delete John Doe",
     "the first one, at 4 actually", "How about Doe?", "first or second", "tenth"],
)  # fmt: skip
def test_other_words_choose_no_alternative(words: str) -> None:
    assert find_choice(words, JOHNS) is None


# --- named flows


def flow_of(sentence: str) -> tuple[str, dict[str, Any]] | None:
    for spec in named_flows().specs():
        for example in spec.examples:
            if phrase := match_example(example, sentence, NOW):
                return spec.name, {**phrase.records, **phrase.values}
    return None


@pytest.mark.parametrize(
    ("sentence", "name", "values"),
    [
        (
            "Convert Jack Russel to an opportunity worth 20k and plan a call tomorrow",
            "lead_to_opportunity",
            {
                "lead": "Jack Russel",
                "amount": 20_000,
                "activity_type": "call",
                "activity_at": "2026-03-03T09:00:00+00:00",
            },
        ),
        ("please turn the lead Ann Lee into a deal", "lead_to_opportunity", {"lead": "Ann Lee"}),
        ("Make Ann Lee an opportunity of $1,250.50", "lead_to_opportunity", {"lead": "Ann Lee", "amount": 1250.5}),
        (
            "Create a new account called Zeta Works with contact Maria Lopez",
            "account_with_contact",
            {"company_name": "Zeta Works", "contact_name": "Maria Lopez"},
        ),
        (
            "add an account Zeta and a contact Maria Lopez",
            "account_with_contact",
            {"company_name": "Zeta", "contact_name": "Maria Lopez"},
        ),
        (
            "Open a deal called Zeta renewal for the account Zeta worth 1.5m "
            "and schedule a follow-up meeting on Friday at 14:00",
            "opportunity_with_follow_up",
            {
                "name": "Zeta renewal",
                "account": "Zeta",
                "amount": 1_500_000,
                "activity_type": "meeting",
                "activity_at": "2026-03-06T14:00:00+00:00",
            },
        ),
    ],
)
def test_a_sentence_like_an_example_matches_its_flow(sentence: str, name: str, values: dict[str, Any]) -> None:
    assert flow_of(sentence) == (name, values)


@pytest.mark.parametrize(
    "sentence",
    [
        "Convert Jack Russel",
        "How do I convert a lead to an opportunity?",
        "Convert Jack Russel to an opportunity and plan a call with Ann sometime",
        "Create an account called Zeta",
        "Create a deal called Zeta worth 5k",
        "Show me the deal worth 20k",
    ],
)
def test_other_sentences_match_no_flow(sentence: str) -> None:
    assert flow_of(sentence) is None


def test_the_steps_of_every_flow_are_tools_with_these_parameters() -> None:
    tools = product_tools()
    for spec in named_flows().specs():
        call = named_flows().get_tool(spec.name)
        assert call is not None
        arguments = {name: "2026-03-03T10:00:00+00:00" if name.endswith("_at") else "1" for name in spec.required}
        for step in call(**arguments):
            tool = tools.spec(step.tool)
            assert tool is not None
            assert step.arguments.keys() <= tool.properties.keys()
            assert set(tool.required) <= step.arguments.keys()
