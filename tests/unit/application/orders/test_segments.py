"""Each segment of a message is read as an order, a question, a plan or a statement, with its values and names."""

from datetime import UTC, datetime

import pytest

from aisha.application.orders.matching.binding import ValueBindings
from aisha.application.orders.matching.values import ValueCheck
from aisha.application.orders.reading.clauses import has_own_order
from aisha.application.orders.reading.objections.options import lets_other_act
from aisha.application.orders.reading.segment_words import SegmentWords
from aisha.application.orders.reading.segmenting import read_segments
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
NAMES = ("Jack Russel", "Omar Benali")
POSSIBLE, PLAN, FOR_OTHER = "it is only possible", "it is a plan", "somebody else is to do it"
ONLY_SPOKEN, SAID_BY_OTHER, QUESTION = "you only spoke of it", "somebody else said it", "it as a question"
PROPERTIES = (
    "saves_antecedent", "corrects", "says_only_tone", "acts_on_antecedent", "is_imperative", "is_commanded", "is_order",
    "is_question",
)  # fmt: skip


def segments(message: str) -> list[UtteranceSegment]:
    return read_segments(message, NOW, NAMES)


@pytest.mark.parametrize(
    ("message", "denials"),
    [
        ("it would be wrong to set Jack Russel to lost", [POSSIBLE]),
        ("it would be great to set Jack Russel to lost", [""]),
        ("would you be so good to set Jack Russel to lost", [""]),
        ("the plan is to move Jack Russel to lost", [PLAN]),
        ("we planned to set Jack Russel to lost", [ONLY_SPOKEN]),
        ("it could be set to lost", [POSSIBLE]),
        ("we could set Jack Russel to lost", [POSSIBLE]),
        ("have Bob set Jack Russel to lost", [FOR_OTHER]),
        ("ask Bob to set Jack Russel to lost", [FOR_OTHER]),
        ("Set Jack Russel to lost. Ask Bob before we touch anything", ["you said “before”", ""]),
        ("Set Jack Russel to lost. No wait, that's the score of Omar Benali", ["you took it back", ""]),
        ("Set Jack Russel to lost. No, not him", ["you took it back", ""]),
        ("How about setting Jack Russel to lost?", [QUESTION]),
        ("Bob: set Jack Russel to lost", [SAID_BY_OTHER]),
        ("He said set it to lost", [SAID_BY_OTHER]),
        ("He wants a demo on Friday, book it", [""]),
        ("He asked for a task, Send the contract", [SAID_BY_OTHER]),
        ("Jack Russel is lost. Save that", [ONLY_SPOKEN, ""]),
        ("Flag Jack Russel as do not call", [""]),
    ],
)
def test_a_segment_says_why_it_orders_nothing(message: str, denials: list[str]) -> None:
    assert [one.denial.removeprefix("I understood ").removeprefix("that ") for one in segments(message)] == denials


@pytest.mark.parametrize(
    ("message", "properties"),
    [
        ("Qualify Jack Russel", "is_imperative is_commanded is_order"),
        ("Jack Russel's score should be 80", "is_order"),
        ("I said Jack Russel's score should be 80", "corrects"),
        ("sorry, 78", "corrects"),
        ("make it 86", "corrects acts_on_antecedent is_imperative is_commanded is_order"),
        ("make it shorter", "corrects says_only_tone acts_on_antecedent is_commanded is_order"),
        ("Save that", "saves_antecedent acts_on_antecedent is_imperative is_commanded is_order"),
        ("Bob wants Jack Russel lost, so set it", "saves_antecedent corrects acts_on_antecedent is_commanded is_order"),
        ("He said set it to lost", "corrects"),
        ("Ask Bob before we touch anything", "is_question"),
    ],
)
def test_a_segment_is_an_order_a_correction_or_a_question(message: str, properties: str) -> None:
    (segment,) = segments(message)
    assert [name for name in PROPERTIES if getattr(segment, name)] == properties.split()


@pytest.mark.parametrize(
    ("message", "acts"),
    [
        ("drop the score of Jack Russel to 5", "update_record"),
        ("save 555 0123 as Jack Russel's phone", "create_note create_record update_record"),
        ("Jack Russel, who sits at Acme, is lost now, update him", "update_record"),
        ("He wants a demo on Friday, book it", "create_activity"),
        ("He said set it to lost", ""),
    ],
)
def test_the_verbs_of_a_segment_order_acts(message: str, acts: str) -> None:
    assert " ".join(sorted(segments(message)[0].verb_acts)) == acts


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Flag Jack Russel as do not call", "flag as"),
        ("He wants a demo on Friday, book it", "wants a demo on book"),
        ("Set Jack Russel to lost because he left, please", "set to please"),
        ("Could you set Jack Russel to lost?", "set to"),
    ],
)
def test_the_words_outside_of_slots_have_no_marks_reasons_and_requests(message: str, words: str) -> None:
    assert " ".join(SegmentWords(segments(message)[0].ask).loose) == words


def test_a_clause_that_describes_somebody_is_apart() -> None:
    (segment,) = segments("Jack Russel, who sits at Acme, is lost now, update him")
    assert min(segment.subordinate_starts) == len("Jack Russel, ")
    (segment,) = segments("Jack Russel is lost now, update him")
    assert segment.subordinate_starts == frozenset()


@pytest.mark.parametrize(
    ("message", "expected"),
    [("let Bob call Jack Russel", True), ("let Bob know", False), ("have Jack Russel moved to lost", False)],
)
def test_something_may_be_left_to_somebody_else(message: str, expected: bool) -> None:
    assert lets_other_act(segments(message)[0].ask) is expected


@pytest.mark.parametrize(
    ("text", "verb", "expected"),
    [
        ("he wants a demo on friday, book it", "wants", True),
        ("he said, book it", "said", False),
        ("he said book it", "said", False),
        ("said, book it", "said", False),
        ("he asked Bob to please book it", "asked", False),
        ("he asked for a task, Send the contract", "asked", False),
        ("book it, he said", "said", False),
        ("he said no so please book it", "said", True),
        ("he said yes, use it", "said", True),
        ("he said yes, use the car", "said", False),
    ],
)
def test_an_order_of_the_users_follows_the_news(text: str, verb: str, expected: bool) -> None:
    tokens = tokenize(text)
    assert has_own_order(tokens, next(token for token in tokens if token.word == verb)) is expected


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("Add a task, title ask Ann on Friday", [("Friday", "", "")]),
        (
            "Set the score of Jack Russel to 80 and of Omar Benali to 60",
            [("80", "jack russel", "score"), ("60", "benali omar", "")],
        ),
        ("80 as the score of Jack Russel", [("80", "jack russel", "score")]),
        ("Jack Russel: score 80, amount 50k", [("80", "jack russel", "score"), ("50k", "jack russel", "amount")]),
        ("move it from 40k to 50k", [("50k", "", "")]),
    ],
)
def test_a_value_has_the_record_and_the_field_beside_it(message: str, values: list[tuple[str, str, str]]) -> None:
    bindings = ValueBindings(Utterance(message, NOW, known_names=NAMES), frozenset(("jack", "russel")))
    read = [(one.text, " ".join(" ".join(sorted(name)) for name in one.names), one.field) for one in bindings.values]
    assert read == values


def test_what_was_before_and_what_gives_a_reason_is_no_new_value() -> None:
    for message in ("we met on Monday, remind me on Friday", "score 80, because he had 60"):
        values = ValueBindings(Utterance(message, NOW), frozenset()).values
        assert [one.text for one in values if not one.is_reason] in (["Friday"], ["80"])
        assert len(values) == 2


@pytest.mark.parametrize(
    ("message", "excluded"),
    [
        ("Just put the number 71 as Omar Benali's score", False),
        ("Put the same number 71 as Omar Benali's", True),
        ("All but Omar Benali", True),
        ("Can't believe it, but Omar Benali is back", False),
        ("I'd like Omar Benali set to lost", False),
        ("Someone like Omar Benali", True),
        ("Everyone except Omar Benali", True),
        ("Everyone other than Omar Benali", True),
    ],
)
def test_a_name_may_be_excepted_or_compared_with(message: str, excluded: bool) -> None:
    assert Utterance(message, NOW, known_names=NAMES).excluded_names == (("Omar Benali",) if excluded else ())


def test_a_text_has_a_foreign_word_if_the_user_did_not_write_each_of_it() -> None:
    schema = {"properties": {"job_title": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}
    check = ValueCheck(Utterance("make her head of sales", NOW), (), ToolSpec("x", "", schema, {}, "leads", "write"))
    assert not check.has_foreign_text({"job_title": "Head of Sales"})
    assert check.has_foreign_text({"job_title": "Head of Wire Transfers"})
    assert check.has_foreign_text({"tags": ["sales", "evil"]})
