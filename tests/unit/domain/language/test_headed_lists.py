"""Lists under a heading: their items are asks of their own, and the lines of a note stay its text."""

from aisha.domain.language.reader import read


def asks(message: str) -> list[tuple[str, str]]:
    """Return the act and the text of each segment of a message."""
    return [(segment.act, segment.text) for segment in read(message).segments]


def test_heading_says_what_to_do_with_each_item() -> None:
    message = "Apply these close dates:\n- Falcon Training: 2026-03-20\n- Helios Field Service: 2026-04-15"
    assert asks(message) == [
        ("update_record", "Apply close dates: Falcon Training: 2026-03-20."),
        ("update_record", "Apply close dates: Helios Field Service: 2026-04-15."),
    ]


def test_heading_that_counts_items_is_an_order_for_each() -> None:
    message = "Two leads to enter, source website for each:\n1) Hollis Grant, Birchline\n2) Renata Sokol, Interiors"
    assert asks(message) == [
        ("create_record", "enter leads, source website: Hollis Grant, Birchline."),
        ("create_record", "enter leads, source website: Renata Sokol, Interiors."),
    ]


def test_lines_without_marks_end_at_an_empty_line() -> None:
    message = (
        "Calls to schedule on Friday:\n09:00 Mateo Villanueva\n09:30 Siobhan Fitzgerald\n\nHow many leads do I have?"
    )
    assert [act for act, _ in asks(message)] == ["create_activity", "create_activity", "count"]


def test_heading_that_orders_nothing_is_left_out() -> None:
    message = "Two changes:\n- Ingrid Halvorsen: phone +1 615 555 0120\n- Jack Russel: qualified"
    assert [text for _, text in asks(message)] == [
        "Ingrid Halvorsen: phone +1 615 555 0120.",
        "Jack Russel: qualified.",
    ]


def test_list_in_a_note_is_its_text() -> None:
    message = "Note for Omar Benali:\n1. budget approved\n2. call Priya next week\n3. delete the old quote"
    (segment,) = read(message).segments
    assert segment.act == "create_note"
    assert segment.values_of("text") == ["1. budget approved\n2. call Priya next week\n3. delete the old quote"]


def test_fields_of_one_record_are_read_as_before() -> None:
    message = "Update Jack Russel:\n- status: qualified\n- phone: +1 212 555 0999"
    assert [act for act, _ in asks(message)] == ["update_record", "update_record"]
    assert "Jack Russel" in asks(message)[0][1]


def test_question_over_a_list_asks_no_item_by_itself() -> None:
    message = "Who wants what:\n- Jack Russel: qualified\n- Omar Benali: lost"
    assert asks(message)[0][1].startswith("Who wants what")


def test_lines_that_somebody_else_wrote_are_no_items() -> None:
    for heading in (
        "Please summarise this thread for me",
        "Sarah wrote",
        "Bob wants these",
        "These are the new states",
    ):
        message = f"{heading}:\n- Jack Russel: qualified\n- Omar Benali: move it to lost"
        assert asks(message)[0][1].startswith(heading)


def test_lines_of_a_conversation_are_no_items() -> None:
    assert asks("Today's changes:\nSarah: move it to lost\nBob: yes, move it!")[0][1].startswith("Today's changes")
