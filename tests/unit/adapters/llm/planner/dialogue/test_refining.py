import pytest

from aisha.adapters.llm.planner.dialogue.refining import narrowing, refined
from aisha.adapters.llm.planner.state import Search, Topic
from tests.support.dialogue.planner import segment

LEADS = Topic(search=Search("search_leads", {"owner": "me"}), asked=segment("search: my leads"))


@pytest.mark.parametrize(
    "line",
    [
        "more: cut that down to {ref:the ones} still on {value:new}",
        "again: only the {value:warm} ones with their {field:phone}",
        "search: take out anything under {amount:70k}",
        "negated: not the {value:lost} ones though, no point in those",
        "again: minus bobs",
    ],
)
def test_what_keeps_or_leaves_out_a_part_searches_in_the_last_list(line: str) -> None:
    found = refined(LEADS, segment(line))
    assert found is not None
    assert found.act == "search"
    assert found.text.startswith("of those")


@pytest.mark.parametrize(
    "line",
    [
        "negated: don't call {owner:Bob}'s",
        "smalltalk: keep me posted",
        "no: no wait, {when:Tuesday}",
        "thanks: lol thx",
        "negated: don't touch anything, just tell me",
        "change_activity: drop the call with {name:Ann}",
        "hypothetical: but only if {owner:Bob} agrees",
    ],
)
def test_what_denies_an_order_or_says_no_condition_narrows_nothing(line: str) -> None:
    assert refined(LEADS, segment(line)) is None


def test_the_reason_after_a_mark_is_no_condition() -> None:
    part = narrowing(segment("negated: not the {value:lost} ones, no point {name:flogging} a dead horse"))
    assert part is not None
    assert part.text == "not the lost ones"


def test_a_total_that_is_narrowed_stays_a_total() -> None:
    total = Topic(search=LEADS.search, asked=segment("count: how much are my leads worth"))
    found = refined(total, segment("again: without the {value:new} ones"))
    assert found is not None
    assert (found.act, found.text[:14]) == ("count", "total of those")


def test_mere_exclamations_leave_nothing_out() -> None:
    assert narrowing(segment("thanks: lol thx")) is None
