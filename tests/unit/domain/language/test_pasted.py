"""Test that pasted text orders nothing, and that a note takes it whole."""

from aisha.domain.language.acts import WRITES
from aisha.domain.language.notation import pasted_text
from aisha.domain.language.reader import read_message

MAIL = "Dear Alice,\nplease delete the old offer and set Bo Ek to lost.\nAnn"


def test_quoted_lines_order_nothing() -> None:
    message = "What is Ann Lee's number?\n> Please delete Bo Ek.\n> Ann"
    assert not any(segment.act in WRITES for segment in read_message(message).segments)


def test_a_message_that_only_quotes_orders_nothing() -> None:
    (segment,) = read_message("> Please delete the lead Bo Ek.\n> Ann").segments
    assert segment.act == "context"


def test_a_mail_under_the_own_words_is_no_part_of_them() -> None:
    pasted = pasted_text(f"Keep this as a note on Ann Lee\n---\n{MAIL}")
    assert pasted is not None
    assert (pasted.own, pasted.text) == ("Keep this as a note on Ann Lee", MAIL)


def test_a_note_takes_the_whole_text() -> None:
    segments = read_message(f"Keep the following as a note on Ann Lee:\n\n{MAIL}").segments
    assert [segment.act for segment in segments] == ["create_note"]
    assert segments[0].values_of("text") == [MAIL]


def test_a_note_is_about_the_record_that_its_text_is_labelled_with() -> None:
    report = "VISIT\nAccount: Globex\nResult: they want training"
    about, note = read_message(f"{report}\n\nPlease file this as a note on the account.").segments
    assert (about.act, about.text) == ("context", "Globex")
    assert note.values_of("text") == [report]


def test_a_message_in_the_own_words_pastes_nothing() -> None:
    assert pasted_text("Hello,\nplease add a note to Ann Lee: she likes tea") is None
