"""Segments: how a correction changes the slots of an order."""

from datetime import UTC, datetime

from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, read
from tests.support.planner import segment


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
    assert slots(changed) == [("name", "Ann"), ("when", "Tuesday, rather Wednesday")]


def test_a_corrected_time_keeps_the_day_that_it_does_not_say() -> None:
    order = segment("create_activity: call {name:Ann} {when:tomorrow at 2}")
    changed = Ask(order.amended(segment("correct: no, at {when:3}")), datetime(2026, 3, 4, 9, tzinfo=UTC))
    (time,) = changed.times
    assert (str(time.first), str(time.clock)) == ("2026-03-05", "15:00:00")


def test_clauses_that_begin_with_verbs_of_orders_are_read_apart() -> None:
    message = "Please set Hannah Weissberg to contacted, add a note that she wants an offer, and plan a call on Friday"
    assert [one.act for one in read(message).segments] == ["update_record", "create_note", "create_activity"]
