"""The clauses around an order: conditions, questions, retractions, doubts, and how far apart their words may stand."""

from datetime import UTC, datetime, timedelta

import pytest

from aisha.application.orders.matching.binding import is_same_text, relation_of
from aisha.application.orders.matching.marking import marks_for
from aisha.application.orders.matching.moments import is_at, is_joined, moment_in, same_clock
from aisha.application.orders.matching.placement import flag_tokens, is_switched_on
from aisha.application.orders.matching.polarity import is_polarity_kept, is_statement_kept
from aisha.application.orders.matching.texts import has_content_word
from aisha.application.orders.reading.addressing import addressees_in
from aisha.application.orders.reading.asides import asides_of
from aisha.application.orders.reading.clauses import is_hurry, is_passive_request, is_request, tells_past
from aisha.application.orders.reading.literals import as_typed, flat, is_whole_in
from aisha.application.orders.reading.objections.conditions import (
    condition_in,
    first_step_in,
    inversion_in,
    is_courtesy,
)
from aisha.application.orders.reading.objections.framing import frames_in
from aisha.application.orders.reading.objections.options import is_tag_question, tag_question_in
from aisha.application.orders.reading.objections.retractions import takes_back
from aisha.application.orders.reading.quotations import unforwarded, unquoted
from aisha.application.orders.reading.reasons import reasons_of
from aisha.application.orders.reading.utterance import blank_out
from aisha.domain.dates.parsing import find_times
from aisha.domain.language.models.order_form import VALUE
from aisha.domain.language.tokens import tokenize

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("if they agree, set Ann to lost", "if"),
        ("if they agree", "if"),
        ("so if they agree, set Ann to lost", "if"),
        ("once they agree, set Ann to lost", "once"),
        ("once again set Ann to lost", ""),
        ("once more, set Ann to lost", ""),
        ("unless she objects, set Ann to lost", "unless"),
        ("as soon as they agree, set Ann to lost", "as soon as"),
        ("as soon as possible, set Ann to lost", ""),
        ("if you can, set Ann to lost", ""),
        ("when you have a minute, set Ann to lost", ""),
        ("when she called, I was out", ""),
        ("given that he has declined, set Ann to lost", ""),
        ("set Ann to lost", ""),
        ("should they agree, set Ann to lost", "should"),
        ("should the board agree, set Ann to lost", "should"),
        ("had the board agreed, set Ann to lost", "had"),
        ("were Ann to agree, set her to lost", "were"),
    ],
)
def test_a_condition_before_an_order_is_told_from_a_courtesy(text: str, condition: str) -> None:
    assert condition_in(tokenize(text)) == condition


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("at all possible set it", True),
        ("at all possible", True),
        ("at all", False),
        ("you'd be so kind", True),
        ("you'd like", False),
        ("you can", True),
        ("u can", True),
        ("you", True),
        ("you agree", False),
        ("possible", True),
        ("it is possible", True),
        ("that works for you", True),
        ("it rains", False),
        ("they can", False),
        ("", False),
    ],
)
def test_a_courtesy_makes_no_condition(words: str, expected: bool) -> None:
    assert is_courtesy(words.split()) is expected


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("let me check first", "first"),
        ("I'll ask Bob first", "first"),
        ("ask Bob first", ""),
        ("let me check", ""),
    ],
)
def test_a_first_step_of_the_users_comes_before_the_order(text: str, step: str) -> None:
    assert first_step_in(tokenize(text)) == step


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("set Ann to lost should they agree", "should they"),
        ("Ann should go to lost", ""),
        ("set Ann to lost", ""),
        ("set Ann to lost, they had it", ""),
    ],
)
def test_a_condition_needs_no_conjunction(text: str, word: str) -> None:
    assert inversion_in(tokenize(text)) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set it to lost, did you?", True),
        ("set it to lost. Did you?", True),
        ("set it to lost? Who said so?", True),
        ("set it to lost. Who said so?", False),
        ("set it to lost, would you mind?", False),
        ("set it to lost, did you", False),
        ("did you set it to lost?", False),
        ("set it to lost, did Bob ever tell you to do so?", False),
    ],
)
def test_a_question_at_the_end_asks_about_what_stands_before_it(text: str, expected: bool) -> None:
    assert tag_question_in(text, tokenize(text)) is expected


def test_a_question_tag_is_a_few_words() -> None:
    assert is_tag_question(tokenize("did you?"), is_after_question=False)
    assert is_tag_question(tokenize("who said so?"), is_after_question=True)
    assert not is_tag_question(tokenize("?"), is_after_question=True)
    assert not is_tag_question(tokenize("who of all the people here said so?"), is_after_question=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("scratch that", True),
        ("scratch that please", True),
        ("scratch that task", False),
        ("drop it", True),
        ("drop all", True),
        ("drop all of it again", True),
        ("take that back", True),
        ("take that", False),
        ("no wait, forget it", True),
        ("oh no, never mind", True),
        ("just kidding", True),
        ("no kidding, he said no", False),
        ("wait until he calls", True),
        ("wait here", False),
        ("let me check with Bob", True),
        ("let me know", False),
        ("I changed my mind", True),
        ("I changed my mind about the price", False),
        ("on second thought, no", True),
        ("forget him", False),
        ("set it to 80, scratch that", True),
    ],
)
def test_a_clause_takes_back_all_that_was_said(text: str, expected: bool) -> None:
    assert takes_back(tokenize(text)) is expected


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("set Ann to lost", 0),
        ("set Ann to lost, but only if they agree", 1),
        ("set Ann to lost, unless they object", 1),
        ("set Ann to lost. No wait, don't do that.", 1),
        ("set Ann to lost if you can", 0),
    ],
)
def test_a_condition_or_a_retraction_stands_around_an_order(text: str, frames: int) -> None:
    assert len(list(frames_in(text))) == frames


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("could her score be changed to 80?", True),
        ("can it be set to lost", True),
        ("could it be changed?", False),
        ("could it be changed by Bob to 80?", False),
        ("can I be moved to lost", False),
        ("can we be moved to lost", False),
        ("it could be changed to 80", False),
        ("could her score be something to see", False),
    ],
)
def test_a_passive_question_with_a_value_asks_for_a_change(text: str, expected: bool) -> None:
    assert is_passive_request(tokenize(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("could you set it to lost", True),
        ("could you kindly set it to lost", True),
        ("would it be possible to set it to lost", True),
        ("may I ask you to set it to lost", True),
        ("would you mind setting it to lost", True),
        ("would you have set it to lost", False),
        ("could Bob set it to lost", False),
        ("is it possible that he set it", False),
    ],
)
def test_a_request_is_addressed_to_the_assistant(text: str, expected: bool) -> None:
    assert is_request(tokenize(text)) is expected


def test_what_is_past_and_what_is_urgent_is_known_by_its_words() -> None:
    assert tells_past(tokenize("I called him yesterday"))
    assert not tells_past(tokenize("call him tomorrow"))
    assert is_hurry(tokenize("before I forget"))
    assert not is_hurry(tokenize("before Bob agrees"))


@pytest.mark.parametrize(
    ("text", "asides"),
    [
        ("put it at 80, not 99", ["not 99"]),
        ("put it at 80, not the 99", ["not the 99"]),
        ("put it at 80, not the 99 of Ann", []),
        ("put it at 80, not 99 or 98", []),
        ("a@x.example bounced", ["a@x.example"]),
        ("a@x.example is wrong", ["a@x.example"]),
        ("47 -> 52", ["47 ->"]),
        ("warm -> lost", ["warm ->"]),
        ("Ann -> lost", []),
        ("move him off warm", ["warm"]),
        ("take him out of qualified", ["qualified"]),
        ("replace 555 0188", []),
    ],
)
def test_a_value_that_is_replaced_or_denied_is_no_new_one(text: str, asides: list[str]) -> None:
    assert [one.strip() for one in asides_of(text)] == asides


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("he will sign", "he might sign today", False),
        ("he is here today", "he might sign today", True),
        ("he may sign", "he might sign today", True),
        ("he likes golf", "he likes golf if sunny", False),
        ("he likes golf", "if he likes golf", True),
        ("he will call", "he might call, he likes golf, if sunny", False),
        ("he likes golf", "he might call, he likes golf, if sunny", False),
        ("he likes tea", "he likes tea and Bob likes golf", True),
        ("Bob likes tea", "he likes tea, Bob likes golf", False),
        ("he meets us in May", "he meets us in May", True),
    ],
)
def test_a_statement_keeps_its_doubts_and_who_it_is_about(text: str, message: str, expected: bool) -> None:
    assert is_statement_kept(tokenize(text), tokenize(message)) is expected


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("he does not like golf", "he does not like golf", True),
        ("he likes golf", "he does not like golf", False),
        ("he does not like golf", "he likes golf", False),
        ("no discount", "no discount for him", True),
        ("discount", "no discount for him", False),
        ("he likes golf", "he likes golf and not tennis", True),
        ("he likes tennis", "he likes golf and not tennis", False),
    ],
)
def test_a_text_keeps_what_is_denied(text: str, message: str, expected: bool) -> None:
    assert is_polarity_kept(tokenize(text), tokenize(message)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("do not call", True),
        ("do-not-call", True),
        ("no calls", True),
        ("please don't call her", True),
        ("don't ever again call her", True),
        ("I did not call her", False),
        ("we do not call her", False),
        ("call her", False),
        ("do not mail her", False),
    ],
)
def test_a_flag_is_ordered_by_a_denial_before_its_verb(text: str, expected: bool) -> None:
    assert is_switched_on("do_not_call", flag_tokens(text)) is expected


@pytest.mark.parametrize(
    ("texts", "stems", "expected"),
    [
        (["golf trip"], {"golf"}, True),
        (["golf trip"], {"tennis"}, False),
        (["for her"], {"for", "her"}, False),
        (["go"], {"go"}, False),
        (["tea"], {"tea"}, True),
        ([12], {"12"}, False),
    ],
)
def test_a_text_has_a_word_of_the_users(texts: list[object], stems: set[str], expected: bool) -> None:
    assert has_content_word({str(place): text for place, text in enumerate(texts)}, stems) is expected


def test_an_instant_is_at_a_time_that_was_said() -> None:
    (friday,), (three,), (morning,) = (find_times(text, NOW) for text in ("on friday", "at 3pm", "friday morning"))
    at_three = datetime(2026, 3, 6, 15, 0, tzinfo=UTC)
    assert same_clock(at_three, three)
    assert not same_clock(at_three + timedelta(minutes=1), three)
    assert not same_clock(at_three, friday)
    assert is_joined(friday, three, at_three)
    assert not is_joined(friday, three, at_three + timedelta(days=1))
    assert not is_joined(friday, three, at_three + timedelta(hours=1))
    assert not is_joined(three, friday, at_three)
    assert is_at(friday, at_three, NOW)
    assert is_at(friday, datetime(2026, 3, 6, tzinfo=UTC), NOW)
    assert not is_at(friday, at_three + timedelta(days=1), NOW)
    assert is_at(morning, datetime(2026, 3, 6, 9, 0, tzinfo=UTC), NOW)
    assert not is_at(three, at_three + timedelta(hours=1), NOW)


def test_an_instant_without_a_zone_is_in_the_users() -> None:
    assert moment_in("2026-03-06T15:00:00", NOW) == datetime(2026, 3, 6, 15, 0, tzinfo=UTC)
    assert moment_in("2026-03-06T15:00:00+02:00", NOW) == datetime(2026, 3, 6, 13, 0, tzinfo=UTC)
    assert moment_in("golf", NOW) is None
    assert moment_in("9" * 1000, NOW) is None


@pytest.mark.parametrize(
    ("field", "relation"),
    [("", "open"), ("score", "same"), ("the score", "same"), ("amount", "other"), ("horoscope", "open")],
)
def test_words_for_a_field_mean_an_argument_another_or_none(field: str, relation: str) -> None:
    assert relation_of(field, "score", ["score", "amount"]) == relation


def test_the_words_of_a_reason_end_before_the_next_order() -> None:
    text = "set Ann to lost since she left, mark Bo warm because he called; done"
    assert " ".join(token.word for token in reasons_of(tokenize(text))) == "since she left because he called"
    text = "because he declined, the fool, set him to lost"
    assert " ".join(token.word for token in reasons_of(tokenize(text))) == "because he declined"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bob, my mail bounces, set it to lost", ["Bob"]),
        ("Can @bob set it to lost", ["bob"]),
        ("Thanks, Bob. Set it to lost", []),
        ("Ann Lee, Acme", []),
    ],
)
def test_somebody_is_spoken_to_by_name(text: str, names: list[str]) -> None:
    assert [one.name for one in addressees_in(text, "AiSHA")] == names


def test_texts_are_compared_as_they_are_typed() -> None:
    assert flat("  Head  of Sales. ") == flat("head of sales")
    assert is_same_text("head of sales", "Head of Sales")
    assert not is_same_text("", "")
    assert not is_same_text("head of sale", "Head of Sales")
    assert is_whole_in("80", "set it to 80.", joiners="")
    assert not is_whole_in("80", "set it to 180", joiners="")
    assert as_typed("head of sales", "Make her Head of  Sales now").split() == ["Head", "of", "Sales"]
    assert blank_out("Ann and ann", ["ANN"]) == "    and    "
    assert blank_out("Ann and Bo", [" ", "Bo"]) == "Ann and   "


def test_what_others_wrote_is_left_out() -> None:
    assert unquoted("set it to lost").strip() == "set it to lost"
    assert unquoted('Bob said "set it to lost", so I ask: who is he?').strip().startswith("Bob said")
    assert "lost" not in unquoted('Bob said "set it to lost", so I ask: who is he?')
    assert unforwarded("Begin forwarded message:\nset it to lost").strip() == ""


@pytest.mark.parametrize(
    ("message", "arguments", "marked"),
    [
        ("set Ann to won", {"stage": "closed_won"}, "won"),
        ("set Ann to closed lost", {"stage": "closed_won"}, ""),
        ("write a@x.example and b@x.example", {"email": "b@x.example"}, "b@x.example"),
        ("the head of global sales", {"job_title": "head of global sales"}, "head of global sales"),
        ("flag Ann as do not call", {"do_not_call": True}, "do not call"),
        ("no more calls to Ann", {"do_not_call": True}, "calls"),
        ("set Ann's amount to $50,000", {"amount": 50000}, "$50,000"),
        ("move it to Friday at 3pm", {"due_date": "2026-03-06T15:00:00+00:00"}, "friday at 3pm"),
    ],
)
def test_the_words_of_a_value_are_marked(message: str, arguments: dict[str, object], marked: str) -> None:
    tokens = tokenize(message)
    names = frozenset(("ann",))
    marks = marks_for(tokens, message, arguments, target_words=names, name_words=names, now=NOW)
    assert " ".join(token.word for token, mark in zip(tokens, marks, strict=True) if mark == VALUE) == marked
