"""The parts of a message that order nothing: old values, reasons, quotations, what is for somebody else."""

from typing import Any

import pytest

from aisha.application.orders.matching.binding import is_same_text
from aisha.application.orders.matching.placement import is_switched_on
from aisha.application.orders.matching.polarity import is_polarity_kept, is_statement_kept
from aisha.application.orders.matching.texts import has_content_word
from aisha.application.orders.reading.addressing import addressees_in
from aisha.application.orders.reading.asides import asides_of
from aisha.application.orders.reading.clauses import has_request_tag, is_request, request_frame
from aisha.application.orders.reading.literals import is_whole_in
from aisha.application.orders.reading.quotations import unforwarded, unquoted
from aisha.application.orders.reading.reasons import reasons_of
from aisha.domain.language.tokens import tokenize
from tests.unit.application.orders.test_sentences import reason

NOT_FOUND = "I did not find the {} in your message"
MISPLACED = "I'm not sure that you mean this as the {}"


@pytest.mark.parametrize(
    ("text", "asides"),
    [
        ("set it from warm to lost", ["from warm"]),
        ("it was lost, set it to warm", ["was lost"]),
        ("the email is not a@x.example but b@x.example", ["is not a@x.example", "not a@x.example"]),
        ("a@x.example is dead, use b@x.example", ["a@x.example"]),
        ("a@x.example is all wrong", ["a@x.example"]),
        ("a@x.example bounces, set it to b@x.example", ["a@x.example"]),
        ("a@x.example works", []),
        ("raise it by 10 to 60", ["by 10"]),
        ("raise it by 10", []),
        ("do not call, please", []),
        ("replace a@x.example with b@x.example", ["a@x.example"]),
        ("mark the lost lead as warm", ["lost"]),
        ("it used to be lost", ["used to be lost"]),
        ("set it to warm, bob asked for it", ["bob asked for it"]),
    ],
)
def test_what_something_is_no_longer_is_no_new_value(text: str, asides: list[str]) -> None:
    assert [one.strip() for one in asides_of(text)] == asides


def test_a_new_record_has_no_old_values() -> None:
    assert asides_of("add Ann from Acme to my leads", is_new=True) == ()
    assert asides_of("move Ann from Acme to Globex") != ()


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("set him to lost because he declined", "because he declined"),
        ("because he declined, set him to lost", "because he declined"),
        ("set him to lost because he declined, the fool, twice", "because he declined , the fool , twice"),
        ("set him to lost, since he left, please", "since he left"),
        ("as he left, mark him lost", "as he left"),
        ("mark it as soon as he agrees", ""),
        ("we met because of him", ""),
        ("because he left. Mark him lost because she said so", "because he left because she said so"),
        ("mark it, as the boss wants it, so set it", "as the boss wants it"),
    ],
)
def test_a_reason_ends_before_the_order(text: str, reasons: str) -> None:
    assert " ".join(token.word for token in reasons_of(tokenize(text))) == reasons


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bob, set it to lost", ["Bob"]),
        ("Hi Bob, can you set it to lost", ["Bob"]),
        ("@bob set it to lost", ["bob"]),
        ("tell bob: set it to lost", ["bob"]),
        ("AiSHA, set it to lost", []),
        ("Set it to lost, Bob", ["Bob"]),
        ("Set it to lost. Thanks, Bob", []),
        ("zorblax, set it to lost", ["zorblax"]),
        ("Okayy, set it to lost", []),
        ("Note, set it to lost", []),
    ],
)
def test_an_order_for_somebody_else_names_them_first(text: str, names: list[str]) -> None:
    assert [one.name for one in addressees_in(text, "AiSHA")] == names


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('he wrote "please set Jack to lost now"', "he wrote"),
        ("“Set Jack to lost today” said Bob", "said Bob"),
        ('set title to "Head of Sales"', 'set title to "Head of Sales"'),
        ("Bob wrote: set it to lost", "Bob wrote:"),
        ("Set it to warm. Bob wrote: set it to lost", "Set it to warm. Bob wrote:"),
    ],
)
def test_the_words_of_others_are_blanked(text: str, kept: str) -> None:
    assert unquoted(text).strip() == kept


def test_what_is_below_the_head_of_a_forwarded_mail_is_not_the_users() -> None:
    assert unforwarded("Set it to warm\n----- Forwarded message -----\nSet it to lost").strip() == "Set it to warm"
    assert unforwarded("Set it to warm\nSet it to lost") == "Set it to warm\nSet it to lost"


@pytest.mark.parametrize(
    ("literal", "text", "is_whole"),
    [
        ("a@x.example", "mail a@x.example now", True),
        ("x.example", "mail a@x.example now", False),
        ("12", "x 12 y", True),
        ("12", "x 120 y", False),
        ("12", "x 312 y", False),
        ("1", "1.5", False),
        ("555 012", "call 555 0123", False),
        ("55 0123", "call 555 0123", False),
        ("555 0123", "call 212 555 0123", False),
        ("smith@acme.example", "to smith@acme.example.", True),
        ("Ann", "Annika", False),
        ("ann", "Ann, hi", True),
        ("+49 30 1", "call +49 30 1", True),
    ],
)
def test_a_literal_is_found_whole_alone(literal: str, text: str, is_whole: bool) -> None:
    assert is_whole_in(literal, text) is is_whole


def test_an_address_goes_on_with_its_own_marks() -> None:
    assert not is_whole_in("smith@acme.example", "to smith@acme.example.org", joiners=".")
    assert is_whole_in("smith@acme.example", "to smith@acme.example. Thanks", joiners=".")


@pytest.mark.parametrize(
    ("text", "frame", "has_tag"),
    [
        ("can you set it", "can you", False),
        ("could you please set it", "could you", False),
        ("i want you to set it", "i want you to", False),
        ("would you mind setting it", "would you mind", False),
        ("set it, would you?", "", True),
        ("set it to lost", "", False),
    ],
)
def test_a_polite_order_is_a_request(text: str, frame: str, has_tag: bool) -> None:
    tokens = tokenize(text)
    assert " ".join(token.word for token in request_frame(tokens)) == frame
    assert has_request_tag(tokens) is has_tag
    assert is_request(tokens) is (bool(frame) or has_tag)


@pytest.mark.parametrize(
    ("text", "message", "is_kept"),
    [
        ("likes tea", "he likes tea", True),
        ("does not like tea", "he likes tea", False),
        ("likes tea", "he does not like tea", False),
        ("never call", "call", False),
        ("no tea", "no tea please", True),
        ("can't come", "cannot come", True),
    ],
)
def test_a_text_keeps_what_was_denied(text: str, message: str, is_kept: bool) -> None:
    assert is_polarity_kept(tokenize(text), tokenize(message)) is is_kept


@pytest.mark.parametrize(
    ("message", "is_kept"), [("he comes", True), ("maybe he comes", False), ("he comes if it rains", False)]
)
def test_a_text_keeps_doubts_and_conditions(message: str, is_kept: bool) -> None:
    assert is_statement_kept(tokenize("he comes"), tokenize(message)) is is_kept
    assert is_statement_kept(tokenize(message), tokenize(message))


@pytest.mark.parametrize(
    ("text", "is_no_call", "is_no_email"),
    [
        ("do not call him", True, False),
        ("he may be called again", False, False),
        ("he must not be called", True, False),
        ("no more emails", False, True),
        ("emails are fine", False, False),
        ("set do not email", False, True),
    ],
)
def test_a_prohibition_is_switched_on_by_its_own_words(text: str, is_no_call: bool, is_no_email: bool) -> None:
    tokens = tokenize(text)
    assert (is_switched_on("do_not_call", tokens), is_switched_on("do_not_email", tokens)) == (is_no_call, is_no_email)


@pytest.mark.parametrize(("word", "counts"), [("tea", True), ("vip", True), ("it", False), ("with", False)])
def test_a_text_shares_a_word_that_says_something(word: str, counts: bool) -> None:
    assert has_content_word({"text": f"the {word}"}, {word}) is counts


@pytest.mark.parametrize(
    ("stated", "value", "is_same"),
    [
        ("Head of Sales", "head of sales", True),
        ("Globex Inc.", "Globex Inc", True),
        ("Head", "Head of Sales", False),
        ("Globex", "Globexx", False),
    ],
)
def test_a_text_is_the_stated_one_in_any_case(stated: str, value: str, is_same: bool) -> None:
    assert is_same_text(stated, value) is is_same


@pytest.mark.parametrize(
    ("message", "fields", "expected"),
    [
        ("Jack Russell's phone is now +1 212 555 0123", {"phone": "+1 212 555 0123"}, ""),
        ("Jack Russel's phone is now +1 212 555 0123, change it", {"phone": "+1 212 555 0124"}, "phone"),
        ("Who said so? Set the email of Jack Russel to a@x.example", {"email": "a@x.example"}, ""),
        ("Set Jack Russel's email to new@x.example, old@x.example is dead", {"email": "old@x.example"}, "email"),
        ("Set Jack Russel's email to new@x.example, old@x.example is dead", {"email": "new@x.example"}, ""),
        ("Tag Jack Russel as vip", {"tags": ["berlin", "partner", "vip"]}, ""),
        ("Tag Jack Russel as vip", {"tags": ["berlin", "partner", "tax"]}, "tags"),
    ],
)
def test_a_value_is_the_one_that_is_given_to_the_field(message: str, fields: dict[str, Any], expected: str) -> None:
    assert reason(message, fields) in ([one.format(expected) for one in (NOT_FOUND, MISPLACED)] if expected else [""])
