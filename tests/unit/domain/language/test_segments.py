"""Segments: how a correction changes the slots of an order."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import pytest

from aisha.domain.language.ask import Ask
from aisha.domain.language.encoded import EncodedMessage
from aisha.domain.language.reader import Segment, read
from aisha.domain.language.tokens import Token
from tests.support.dialogue.planner import segment


def slots(one: Segment) -> list[tuple[str, str]]:
    return [(span.tag, span.text) for span in one.spans]


def test_a_corrected_slot_takes_the_place_of_the_one_before() -> None:
    order = segment("create_activity: call {name:Ann} {when:tomorrow at 4} about {topic:prices}")
    changed = order.amended(segment("correct: no, {name:Anna Lee}, and make it {when:Friday}"))
    assert changed.text == "call Anna Lee tomorrow at 4, rather Friday about prices"
    assert slots(changed) == [("name", "Anna Lee"), ("when", "tomorrow at 4, rather Friday"), ("topic", "prices")]
    assert [changed.text[span.start : span.end] for span in changed.spans] == [span.text for span in changed.spans]


def test_a_slot_that_the_order_lacked_is_added() -> None:
    changed = segment("create_activity: call {name:Ann}").amended(segment("correct: {when:on Friday}"))
    assert slots(changed) == [("name", "Ann"), ("when", "on Friday")]


def test_of_a_wrong_and_a_right_value_the_last_counts() -> None:
    order = segment("create_activity: call {name:Ann} {when:Tuesday}")
    changed = order.amended(segment("correct: not {when:Tuesday}, {when:Wednesday}"))
    assert slots(changed) == [("name", "Ann"), ("when", "Wednesday")]


@pytest.mark.parametrize("said", ["I said {amount:80k}, not {amount:18k}", "not {amount:18k} but {amount:80k}"])
def test_what_a_correction_denies_does_not_count(said: str) -> None:
    order = segment("update_record: set {name:Falcon} to {amount:18k}")
    assert slots(order.amended(segment(f"correct: {said}"))) == [("name", "Falcon"), ("amount", "80k")]


def test_a_corrected_time_keeps_the_day_that_it_does_not_say() -> None:
    order = segment("create_activity: call {name:Ann} {when:tomorrow at 2}")
    changed = Ask(order.amended(segment("correct: no, at {when:3}")), datetime(2026, 3, 4, 9, tzinfo=UTC))
    (time,) = changed.times
    assert (str(time.first), str(time.clock)) == ("2026-03-05", "15:00:00")


def test_clauses_that_begin_with_verbs_of_orders_are_read_apart() -> None:
    message = "Please set Hannah Weissberg to contacted, add a note that she wants an offer, and plan a call on Friday"
    assert [one.act for one in read(message).segments] == ["update_record", "create_note", "create_activity"]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("shwo my leadds in leeds", "show my leads in leeds"),
        ("dleete colin macallister plese", "delete colin macallister please"),
        ("Dellete colin macallister", "Delete colin macallister"),
        ("set the amount of the acme pilot valeu to 5k", "set the amount of the acme pilot value to 5k"),
        ("gimme weis line", "gimme wei's line"),
        ("whats jack russels number", "whats jack russel's number"),
        ("Undo that plese, that was the wrogn one.", "Undo that please, that was the wrong one."),
    ],
)
def test_slips_of_the_keyboard_are_put_right(message: str, text: str) -> None:
    assert " ".join(one.text for one in read(message).segments) == text


@pytest.mark.parametrize(
    "message",
    [
        "call marsh tomorrow at 9",
        "Show me my leads in Leeds",
        "add a note to Jana Holm: wants teh sampels in blu",
        "schedule a call with weis on friday",
        "reassign the unqualified ones to Bob",
        "whats james number",
        "show me chris deals",
    ],
)
def test_names_texts_and_words_of_salespeople_are_no_slips(message: str) -> None:
    assert " ".join(one.text for one in read(message).segments) == message


class FirstReadingMissesTheText:
    """An encoder that finds the text of a reminder only where nothing in front of it is misspelt."""

    def read(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> EncodedMessage:
        self.words = [token.word for token in tokens]
        return self

    def tags(self) -> list[str]:
        labels = ["O", "O", "O", "B-text", "I-text"]
        return labels if self.words[0] == "remind" else ["O"] * len(labels)

    def starts(self, tags: Sequence[str]) -> list[int]:
        return [0]

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        return [{"remind": 1.0}]


def test_what_turns_out_to_be_a_text_stays_as_it_was_typed() -> None:
    reading = read("reminnd me to sign contarct", encoder=FirstReadingMissesTheText())
    assert reading.text == "remind me to sign contarct"
    assert slots(reading.segments[0]) == [("text", "sign contarct")]


def test_a_name_that_was_spoken_of_is_no_slip() -> None:
    (segment,) = read("what about thiss", ["Thiss Ltd"]).segments
    assert segment.text == "what about thiss"


def test_a_slip_is_no_name() -> None:
    assert not [
        one
        for part in read("which deaals of mine close this month").segments
        for one in part.spans
        if one.tag == "name"
    ]


def test_a_date_in_figures_is_a_time_and_no_telephone_number() -> None:
    (segment,) = read("all deals closing before 30.06.2026").segments
    assert [(span.tag, span.text) for span in segment.spans] == [("when", "before 30.06.2026")]
