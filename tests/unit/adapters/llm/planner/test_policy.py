"""An ask runs, is confirmed first, or is not understood, by how far it was read."""

import pytest
from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.domain.language.ask import Ask
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.planner import segment


def ask(line: str, probability: float = 1.0) -> Ask:
    return Ask(replace(segment(line), probability=probability), NOW)


def test_an_order_whose_words_are_all_explained_runs() -> None:
    assert not policy.doubt(ask("create_activity: please schedule a call with {name:Jack Russel} {when:tomorrow at 3}"))


def test_a_read_is_never_doubted() -> None:
    assert not policy.doubt(ask("search: show me the flabbergasted leads", 0.3))


@pytest.mark.parametrize("word", ["not", "never", "unless", "if", "don't"])
def test_a_word_that_denies_or_conditions_an_order_is_asked_about(word: str) -> None:
    assert word in policy.doubt(ask(f"delete: {word} delete the lead {{name:Jack Russel}}"))


def test_a_word_that_nothing_explains_is_named() -> None:
    reason = policy.doubt(ask("update_record: mark {name:Jack Russel} as {value:warm} zanzibar"))
    assert "zanzibar" in reason


def test_words_inside_a_text_need_no_explanation() -> None:
    assert not policy.doubt(
        ask("create_note: add a note for {name:Jack Russel}: {text:never call if he is in zanzibar}")
    )


def test_an_improbable_write_is_confirmed_and_a_very_improbable_one_not_understood() -> None:
    unsure = ask("delete: delete {name:Jack Russel}", policy.SURE_PROBABILITY - 0.1)
    assert policy.doubt(unsure)
    assert policy.is_understood(unsure)
    assert not policy.is_understood(ask("delete: delete {name:Jack Russel}", policy.MIN_PROBABILITY - 0.1))


def test_an_order_that_one_of_the_readers_takes_for_something_else_is_confirmed_first() -> None:
    disputed = replace(segment("delete: delete {name:Jack Russel}"), is_disputed=True)
    assert policy.doubt(Ask(disputed, NOW)) == policy.UNSURE
    amended = disputed.amended(segment("correct: {name:Ann Lee}"))
    assert policy.doubt(Ask(amended, NOW)) == policy.UNSURE


@pytest.mark.parametrize(
    "line",
    [
        "update_record: I already set {name:Ann} to {value:warm}",
        "update_record: we'd move {name:Ann} to {value:lost}",
        "update_record: {name:Ann} to {value:warm}?",
        "update_record: {owner:Bob} set {name:Ann Lee} to {value:warm} {when:yesterday}",
        "advance_stage: and {name:Tom} has already moved {name:Falcon} to {value:proposal}",
        "update_record: {ref:They} asked us to change {name:Ann}'s {field:email}",
    ],
)
def test_a_sentence_that_tells_or_asks_is_confirmed_before_it_writes(line: str) -> None:
    assert policy.doubt(ask(line)) == policy.UNSURE


@pytest.mark.parametrize(
    "line",
    [
        "update_record: could you set {name:Ann} to {value:warm}?",
        "update_record: I want {name:Ann} set to {value:warm}",
        "update_record: set {name:Ann} to {value:warm}, please?",
    ],
)
def test_a_polite_order_runs(line: str) -> None:
    assert policy.doubt(ask(line)) == ""


def test_two_readings_that_change_the_same_are_as_sure_as_both() -> None:
    line = segment("advance_stage: move {name:Acme Pilot} to {value:prospecting}")
    read = replace(line, probability=0.5, others=(("update_record", 0.3),))
    assert policy.doubt(Ask(read, NOW)) == ""


def test_an_answering_no_denies_nothing() -> None:
    assert policy.doubt(ask("undo: no, undo {ref:that}")) == ""


def test_a_statement_that_begins_with_a_name_is_no_question() -> None:
    assert not policy.is_question(ask("update_record: {name:Ann} is {value:warm} now"))
    assert policy.is_question(ask("undo: what did you undo"))


def test_a_statement_with_a_question_at_its_end_is_a_question() -> None:
    assert policy.is_asked_back(ask("update_record: {name:Ann} is {value:warm}, right"))
    assert not policy.is_asked_back(ask("update_record: {name:Ann} is {value:warm}, please correct"))


def test_a_draft_is_confirmed_first_only_where_the_order_is_not_sure() -> None:
    assert policy.doubt(ask("draft_email: I should write to {name:Ann}", 0.4))
    assert not policy.doubt(ask("draft_email: draft something zingy to {name:Ann}"))


@pytest.mark.parametrize(
    "line",
    [
        "change_activity: she can't make it today, move {ref:it} to {when:Friday}",
        "change_activity: won't get to it before lunch, move {ref:it} to {when:Friday}",
        "update_record: the board isn't sitting yet so the launch won't happen, set {name:Acme} to {value:at risk}",
        "create_activity: book a call with {name:Ann} {when:tomorrow}, we're walking the warehouse together",
        "update_record: as the board has ratified it, {name:Acme} may please be changed to {value:customer}",
        "advance_stage: {name:Acme} has ratified it, hence please move {ref:it} to {value:proposal}",
    ],
)
def test_a_clause_that_tells_why_needs_no_explanation_and_denies_nothing(line: str) -> None:
    assert policy.doubt(ask(line)) == ""


@pytest.mark.parametrize(
    "line",
    [
        "update_record: I'm not sure, set {name:Ann} to {value:lost}",
        "update_record: unless she ratifies it, set {name:Ann} to {value:lost}",
        "update_record: Bob says she left, set {name:Ann} to {value:lost} zanzibar",
        "update_record: set {name:Ann} to {value:lost}, they won't mind",
    ],
)
def test_a_clause_that_leaves_an_order_open_is_asked_about(line: str) -> None:
    assert policy.doubt(ask(line))


def test_a_clause_that_tells_why_gives_a_record_no_owner_and_no_date() -> None:
    told = ask("update_record: {owner:Nina} erred {when:yesterday}, set {name:Acme Pilot} to {amount:81k}")
    assert {span.tag for span in policy.without_told(told).segment.spans} == {"name", "amount"}
    own = ask("update_record: {ref:its} {field:close date} is {when:June 12}, and set {field:amount} to {amount:81k}")
    assert policy.without_told(own).texts("when") == ("June 12",)


def test_what_a_clause_before_an_order_tells_is_kept_where_the_order_has_no_value() -> None:
    told = ask("update_record: Alice gives {name:Ann} to {owner:Bob}, change the {field:owner}")
    assert policy.without_told(told).texts("owner") == ("Bob",)


def test_what_is_told_before_an_order_is_what_the_order_points_at() -> None:
    told = ask("create_note: {name:Ann}'s vegetarian, we'll be doing lunch, so stick that in a note on {ref:her}")
    assert policy.told_before(told) == "Ann's vegetarian, we'll be doing lunch"
    assert policy.told_before(ask("create_note: stick that in a note on {ref:her}")) == ""
