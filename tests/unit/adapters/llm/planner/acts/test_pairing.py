import pytest

from aisha.adapters.llm.planner.acts.writing.pairing import each_order
from tests.support.dialogue.planner import run, segment


def _orders(line: str) -> list[tuple[str, dict[str, str]]]:
    return [(one.act, {span.tag: span.text for span in one.spans}) for one in each_order(segment(line))]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("{name:Ann} is {value:warm} now, {name:Bo} {field:score} up to {value:75}", ["warm", "75"]),
        ("set {name:Ann} to {value:warm} and {name:Bo} to {value:lost}", ["warm", "lost"]),
        ("score {value:80} for {name:Ann} and status {value:warm} for {name:Bo} please", ["80", "warm"]),
        ("{name:Ann} 20k, {amount:20k} it is, {name:Bo} {amount:30k}", ["20k", "30k"]),
    ],
)
def test_each_record_of_a_change_gets_its_own_value(line: str, values: list[str]) -> None:
    found = _orders(f"update_record: {line}")
    assert [one["name"] for _, one in found] == ["Ann", "Bo"]
    assert [one.get("value", one.get("amount")) for _, one in found] == values


def test_the_verb_of_the_first_order_goes_for_the_next_one() -> None:
    first, second = each_order(segment("update_record: assign {name:Ann Lee} to {owner:Bob} and {name:Bo Ek} to me"))
    assert (first.text.strip(" "), second.text) == ("assign Ann Lee to Bob and", "assign Bo Ek to me")
    assert second.spans[0].text == second.text[second.spans[0].start : second.spans[0].end]


@pytest.mark.parametrize(
    "line",
    [
        "update_record: {name:Ann} and {name:Bo} to {value:warm} with a score of {value:70}",
        "update_record: mark {name:Ann} as {value:lost}, {name:Bo} too",
        "update_record: {name:Ann} of {name:Globex}, {field:title} {value:buyer} and {field:score} {value:70}",
    ],
)
def test_one_set_of_values_goes_to_all_records_named(line: str) -> None:
    assert len(_orders(line)) == 1


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("delete: delete {name:Ann Lee} – no, sorry, {name:Ann} stays – it's {name:Bo Ek}", "Bo Ek"),
        ("update_record: set {name:Ann Lee} to {value:lost}, actually {name:Bo Ek}", "Bo Ek"),
    ],
)
def test_a_correction_within_a_sentence_is_one(line: str, name: str) -> None:
    (act, _), (correction, slots) = _orders(line)
    assert (act, correction, slots["name"]) == (line.partition(":")[0], "correct", name)


@pytest.mark.parametrize("aside", ["no hurry", "sorry for the delay"])
def test_an_aside_corrects_nothing(aside: str) -> None:
    line = f"create_activity: call {{name:Ann Lee}} {{when:Friday}}, {aside}, and {{name:Bo Ek}} {{when:Monday}}"
    assert [act for act, _ in _orders(line)] == ["create_activity"]


@pytest.mark.parametrize(
    "line",
    [
        "update_record: {name:Amara Okafor}, {name:Nadia Rahman} to {value:contacted} and {value:lost}",
        "update_record: {name:Amara Okafor} and {name:Nadia Rahman}: {amount:20k} and {amount:30k}",
    ],
)
def test_values_that_go_with_no_record_are_asked_about(line: str) -> None:
    played = run(line)
    assert "one at a time" in played.text and not played.calls
