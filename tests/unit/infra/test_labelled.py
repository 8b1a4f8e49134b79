"""Labelled sentences: their form, and that the shipped models know the acts and tags of the data."""

import random

import pytest

from aisha.domain.language.acts import ACTS, TAGS
from aisha.domain.language.models import linear
from aisha.domain.language.reader import read
from infra.planner.augment import variants
from infra.planner.labelled import messages, parse
from infra.planner.measure import HELD_OUT


def test_a_line_gives_the_message_its_segments_and_its_slots() -> None:
    message = parse("about: pull up {name:Nordlys} || create_note: and note: {text:likes tea}")
    assert message.text == "pull up Nordlys and note: likes tea"
    assert [(one.act, one.first, one.last) for one in message.segments] == [("about", 0, 3), ("create_note", 3, 8)]
    assert message.tags == ("O", "O", "B-name", "O", "O", "O", "B-text", "I-text")


@pytest.mark.parametrize("line", ["dance: with me", "about: {nickname:Jack}", "about: {name:Jack", "no act at all"])
def test_a_line_that_can_t_be_read_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"act|tag|brace"):
        parse(line)


@pytest.mark.slow
def test_every_voice_that_is_held_out_of_the_training_can_be_measured() -> None:
    for path in HELD_OUT.glob("*.txt"):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
        held_out = [parse(line) for line in lines]
        assert len(held_out) > 500
        learned = {message.text for message in messages() if len(message.tokens) > 3}
        assert not {message.text for message in held_out} & learned


@pytest.mark.slow
def test_every_act_and_every_tag_has_sentences() -> None:
    assert {segment.act for message in messages() for segment in message.segments} == ACTS
    assert {tag[2:] for message in messages() for tag in message.tags if tag != "O"} == TAGS


def test_the_shipped_models_know_the_acts_and_tags() -> None:
    assert set(linear.load("acts").labels) == ACTS
    assert {label[2:] for label in linear.load("tags").labels if label != "O"} == TAGS


def test_variants_keep_the_acts() -> None:
    line = "create_activity: call {name:Ann Lee} {when:tomorrow at 4}"
    for seed in range(20):
        for variant in variants(line, random.Random(seed), ["thanks: Thanks!"]):
            assert "create_activity" in {segment.act for segment in parse(variant).segments}


def test_two_orders_in_one_message_are_two_segments() -> None:
    reading = read("Show me my warm leads and add a note for Jack Russel: he prefers email")
    assert [segment.act for segment in reading.segments] == ["search", "create_note"]
    assert {(span.tag, span.text) for span in reading.segments[1].spans} >= {
        ("name", "Jack Russel"),
        ("text", "he prefers email"),
    }


def test_the_end_of_a_very_long_message_is_given_back_unread() -> None:
    reading = read("call Ann tomorrow. " * 400)
    assert reading.rest.startswith(("call", "Ann", "tomorrow", "."))
