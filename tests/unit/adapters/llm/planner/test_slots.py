"""A slot is used as what it can be; one that can't be what its tag says is no condition."""

import pytest

from aisha.adapters.llm.planner import slots
from tests.support.dialogue.planner import ask


def _slots(line: str) -> list[tuple[str, str]]:
    return [(span.tag, span.text) for span in slots.plausible(ask(line)).segment.spans]


def _read(line: str) -> list[tuple[str, str]]:
    return [(span.tag, span.text) for span in slots.repaired(ask(line)).segment.spans]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("about: where does {name:Noor Haddad belong}", [("name", "Noor Haddad")]),
        ("about: that {name:Russel guy} from {org:ABC}", [("name", "Russel"), ("org", "ABC")]),
        ("ask_field: whats {name:jack russels cell}", [("name", "jack russels")]),
        ("about: about {name:mr russel}", [("name", "russel")]),
        ("ask_field: {name:JACK RUSSEL STATUS}", [("name", "JACK RUSSEL")]),
        ("about: what about {ref:that viktor guy}", [("name", "viktor")]),
        ("about: what about {name:viktor guy}", [("name", "viktor")]),
        ("about: open {ref:the second one}", [("ref", "the second one")]),
        ("about: tell me about {name:orchard fresh markets}", [("name", "orchard fresh markets")]),
        ("about: the {name:Meridian Health Patient Portal}", [("name", "Meridian Health Patient Portal")]),
    ],
)
def test_a_name_is_trimmed_to_its_own_words(line: str, kept: list[tuple[str, str]]) -> None:
    assert _slots(line) == kept


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("ask_field: what is his {name:email}", []),
        ("about: {name:Mrs} again", []),
        ("search: leads above {name:seventy thousand}", []),
        ("search: deals to {owner:learn} from", []),
        ("search: deals, {value:which would it be}", []),
        ("search: leads from a {name:referral}", [("value", "referral")]),
        ("search: deals over {value:100,000 dollars}", [("amount", "100,000 dollars")]),
        ("search: leads {owner:owned by bob}", [("owner", "bob")]),
        ("search: {value:IT} companies", [("value", "IT")]),
    ],
)
def test_a_slot_that_is_no_such_thing_is_left_out_or_retagged(line: str, kept: list[tuple[str, str]]) -> None:
    assert _slots(line) == kept


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("search: leads in {name:denver}", [("value", "denver")]),
        ("search: leads in texas", [("value", "texas")]),
        ("search: leads owned by {field:bob}", [("owner", "bob")]),
        ("count: deals assigned to bob", [("owner", "bob")]),
        ("search: i want to learn, show the deals", []),
        ("count: me and {name:bob}, how many leads", [("owner", "bob")]),
    ],
)
def test_a_search_reads_places_and_owners_where_they_stand(line: str, kept: list[tuple[str, str]]) -> None:
    assert _read(line) == kept


def test_words_of_times_amounts_and_values_are_not_strange() -> None:
    assert not slots.strange(ask("search: leads from cold calls above a thousand since last week"))
