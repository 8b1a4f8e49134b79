"""The judge of a call against the user's words: which are an order of it, and for which record."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.orders.case import CallContext, Judgement
from aisha.application.orders.judge import judge
from aisha.application.orders.matching.targets import Focus, RecordMention, record_mention
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.tools import ToolCall, ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
JACK, OMAR = "lead_01KJWNSTC09TMXGZ2GFDXDYS43", "lead_01KJWNSTC09TMXGZ2GFDXDYS44"
NAMES = {JACK: "Jack Russel", OMAR: "Omar Benali"}
SCHEMA: dict[str, Any] = {
    "properties": {
        "lead_id": {"type": "string"},
        "status": {"type": "string", "enum": ["qualified", "lost", "warm"]},
        "score": {"type": "number"},
        "email": {"type": "string"},
    }
}
UPDATE = ToolSpec(
    "update_lead", "Change a lead.", SCHEMA, {}, "leads", "write", ordered_by=("update_record", "advance_stage")
)


def lead(record_id: str) -> RecordMention:
    return record_mention(record_id, [NAMES[record_id]])


def judged(
    message: str, lead_id: str = JACK, focus: Focus | None = None, user: str = "alice", **fields: Any
) -> Judgement:
    utterance = Utterance(message, NOW, known_names=list(NAMES.values()))
    call = ToolCall("c1", "update_lead", {"lead_id": lead_id, **fields}, UPDATE)
    stored = {"score": 50}
    sources = ("records",)
    context = CallContext(focus or Focus(), lead, lambda _: stored, untrusted_sources=sources, user=user)
    return judge(call, utterance, context)


@pytest.mark.parametrize(
    "message",
    [
        "Set Jack Russel to lost",
        "I want Jack Russel marked as lost",
        "Jack Russel -> lost",
        "could you set Jack Russel to lost?",
        "Set Jack Russel to lost, ok?",
        "Jack Russel chose a competitor, mark him as lost",
        "We talked on Monday. Set Jack Russel to lost please",
    ],
)
def test_an_order_of_the_main_clause_is_one(message: str) -> None:
    assert judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Tell bob to set Jack Russel to lost", "I understood that somebody else is to do it"),
        ("Set Jack Russel to lost when he declines", "you said “when”"),
        ("Once he declines, set Jack Russel to lost", "you said “once”"),
        ("Mark Jack Russel as lost tomorrow", "you said “tomorrow”"),
        ("I will mark Jack Russel as lost", "I understood that you only spoke of it"),
        ("As agreed, Jack Russel is lost", "I understood that you only spoke of it"),
        ("You set Jack Russel to lost?", "I understood it as a question"),
        ("show Jack Russel as lost", "I understood it as a question"),
        ("Ne mets plus Jack Russel en lost", "you may have said not to"),
    ],
)
def test_what_only_has_the_words_of_an_order_waits_with_its_reason(message: str, reason: str) -> None:
    assert judged(message, status="lost").reason == reason


def test_a_name_after_not_is_excepted() -> None:
    message = "Raise Jack Russel's score to 90, not the one of Omar Benali"
    assert judged(message, JACK, score=90).is_ordered
    assert judged(message, OMAR, score=90).reason.startswith("you mentioned “Omar Benali”, but")


def test_a_number_by_which_a_value_changes_is_no_value() -> None:
    assert judged("Raise Jack Russel's score by 5", score=55).is_ordered
    assert judged("Raise Jack Russel's score by 5", score=5).reason == "I'm not sure that you mean this as the score"


def test_a_number_without_its_field_is_no_value() -> None:
    assert judged("Set Jack Russel to 9", score=9).reason == "I'm not sure that you mean this as the score"


def test_an_address_to_write_to_is_no_new_address() -> None:
    assert not judged(
        "Write to jack@new.example that Jack Russel's status is warm", email="jack@new.example"
    ).is_ordered
    assert judged("Jack Russel's email is jack@new.example now", email="jack@new.example").is_ordered


@pytest.mark.parametrize(
    ("before", "is_ordered"), [("Show me Jack Russel", True), ("Who is there?", True), ("Show me Omar Benali", False)]
)
def test_a_pronoun_is_nobody_whom_the_user_has_not_spoken_of(before: str, is_ordered: bool) -> None:
    focus = Focus(recently_mentioned=(JACK,), previous_message=before)
    assert judged("Set his status to warm", focus=focus, status="warm").is_ordered is is_ordered


def test_whom_the_last_reply_showed_may_be_meant() -> None:
    focus = Focus(recently_mentioned=(JACK,), named_in_replies=((JACK,),), previous_message="Show me Omar Benali")
    assert judged("Set his status to warm", focus=focus, status="warm").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Would you mind setting Jack Russel to lost?",
        "I was wondering if you could set Jack Russel to lost",
        "Could I ask you to mark Jack Russel as lost?",
        "Would it be possible to move Jack Russel to lost?",
        "Set Jack Russel to lost, would you?",
        "Do you think you could mark Jack Russel as lost?",
    ],
)
def test_a_request_in_the_form_of_a_question_is_an_order(message: str) -> None:
    assert judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "I was wondering if you could tell me who set Jack Russel to lost",
        "Would you mind if Bob moved Jack Russel to lost?",
        "Would you have set Jack Russel to lost in my place?",
        "Could I ask you who set Jack Russel to lost?",
        "When could you mark Jack Russel as lost?",
        "I was wondering if you could set Jack Russel to lost but Bob talked me out of it",
        "Set Jack Russel to lost, would you believe it, is what he said",
    ],
)
def test_a_question_that_has_the_words_of_a_request_orders_nothing(message: str) -> None:
    assert not judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Jack Russel has decided to buy elsewhere: mark him lost", True),
        ("Once again: put Jack Russel on lost", True),
        ("Bob had an idea: set Jack Russel to lost", False),
        ("Bob: set Jack Russel to lost", False),
        ("There is only one option: move Jack Russel to lost", False),
        ("Carol is adamant: mark Jack Russel as lost", False),
    ],
)
def test_what_follows_a_colon_is_an_order_if_the_clause_before_it_is_its_reason(message: str, is_ordered: bool) -> None:
    assert judged(message, status="lost").is_ordered is is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Bob believes Jack Russel's email is jack@new.example",
        "My neighbour is convinced that Jack Russel's email is jack@new.example",
        "Check that Jack Russel's email is jack@new.example",
        "Jack Russel's email will be jack@new.example after the move",
        "Jack Russel wrote to me from jack@new.example. Save the attachment somewhere.",
        "Jack Russel texted: change my email to jack@new.example",
    ],
)
def test_a_value_that_somebody_thinks_or_that_is_to_come_changes_nothing(message: str) -> None:
    assert not judged(message, email="jack@new.example").is_ordered


def test_what_was_told_is_ordered_once_the_user_says_to_save_it() -> None:
    told = "Jack Russel wrote to me from a new address, jack@new.example."
    assert not judged(told, email="jack@new.example").is_ordered
    assert judged(f"{told} Save it as his email.", email="jack@new.example").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Jack Russel had to be set to lost last year",
        "Jack Russel is to be set to lost by Bob",
        "I want Bob to set Jack Russel to lost",
        "I asked Bob to please set Jack Russel to lost",
        "They want to have Jack Russel moved to lost",
        "Jack Russel is to be moved to lost only once the papers are in",
        "Set Jack Russel to lost in case he declines",
        "Set Jack Russel to lost as soon as he declines",
        "Set Jack Russel to lost, which is the last thing I'd do",
        "Jack Russel lost?! Who says so?",
        "Jack Russel lost!? I don't believe it",
    ],
)
def test_what_was_or_somebody_else_does_or_depends_on_something_waits(message: str) -> None:
    assert not judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Jack Russel needs to be moved to lost",
        "I want Jack Russel set to lost",
        "Please have Jack Russel moved to lost",
        "Bob said he is out, so mark Jack Russel as lost",
        "Because Omar Benali never answered, set Jack Russel to lost",
    ],
)
def test_a_passive_and_an_order_with_its_reason_are_orders(message: str) -> None:
    assert judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Set Jack Russel to lost. Scratch that, Omar told me something else.",
        "Set Jack Russel to lost. Oh no, stop, forget it, wrong one.",
        "Set Jack Russel to lost. Never mind, Bob did it already.",
        "Set Jack Russel to lost... cancel that, Bob wants to look first",
        "Set Jack Russel to lost, no wait, that's Omar Benali",
    ],
)
def test_an_order_that_is_taken_back_is_none_whoever_is_named_then(message: str) -> None:
    assert not judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Set Jack Russel to warm, which is what Omar Benali hopes to be",
        "Set Jack Russel to warm, who was introduced by Omar Benali",
        "Set Jack Russel to warm because Omar Benali got the budget",
        "Since Omar Benali has left, set Jack Russel to warm",
    ],
)
def test_who_is_named_in_passing_is_not_changed(message: str) -> None:
    assert judged(message, JACK, status="warm").is_ordered
    assert not judged(message, OMAR, status="warm").is_ordered


def test_a_state_to_be_left_is_no_value() -> None:
    message = "Take Jack Russel off qualified and put him on lost"
    assert judged(message, status="lost").is_ordered
    assert not judged(message, status="qualified").is_ordered
    assert not judged("Get Jack Russel out of lost", status="lost").is_ordered


@pytest.mark.parametrize(
    ("message", "meant", "old"),
    [
        ("Set Jack Russel's score to 80, no sorry, 78", 78, 80),
        ("Set Jack Russel's score to 60, sorry, I meant 65", 65, 60),
        ("For Jack Russel you've got a score of 41. Make it 52.", 52, 41),
        ("Jack Russel's score isn't 61 but 71, please change it", 71, 61),
    ],
)
def test_a_corrected_value_counts_in_place_of_the_first(message: str, meant: int, old: int) -> None:
    assert judged(message, score=meant).is_ordered
    assert not judged(message, score=old).is_ordered


def test_a_value_that_is_stated_in_a_correction_corrects_nothing() -> None:
    assert not judged("Set Jack Russel's score to 80? No, 78 is what Bob has.", score=78).is_ordered


def test_the_reason_says_that_a_record_was_named_elsewhere() -> None:
    judgement = judged("Set Jack Russel to warm, which is what Omar Benali hopes to be", OMAR, status="warm")
    assert judgement.reason == "you mentioned “Omar Benali”, but I'm not sure that you want this there"
    assert judged("Set Jack Russel to warm", OMAR, status="warm").reason == "I'm not sure that you mean “Omar Benali”"


@pytest.mark.parametrize(
    "message",
    [
        "Just checking: Jack Russel's score is 90, correct?",
        "Bob, if you read this, set Jack Russel's score to 90",
        "To set Jack Russel's score to 90 I need which rights?",
        "Give Bob a hint that Jack Russel's score is 90",
        "Raise the topic of Jack Russel's score to 90 in the meeting",
    ],
)
def test_a_value_that_is_asked_about_or_passed_on_is_no_order(message: str) -> None:
    assert not judged(message, score=90).is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Set Jack Russel's score to 90 and leave the rest",
        "Set Jack Russel's score to 90. The annual license stays as it is.",
        "Set Jack Russel's score to 90 but keep the phone number as it is",
        "Increase Jack Russel's score by 40 to 90",
        "I'd be grateful if you set Jack Russel's score to 90",
        "If you can, set Jack Russel's score to 90",
    ],
)
def test_what_leaves_the_rest_alone_or_is_polite_stays_an_order(message: str) -> None:
    assert judged(message, score=90).is_ordered


def test_a_call_that_is_not_returned_forbids_no_calls() -> None:
    message = "Mark Jack Russel as qualified, and the next action is send proposal, not return his call"
    assert not judged(message, do_not_call=True).is_ordered
    assert judged("Jack Russel wants no more calls, set that", do_not_call=True).is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Bob says Jack Russel is lost. Don't set Jack Russel to lost",
        "Carol told me that Jack Russel is lost, please never mark Jack Russel as lost",
        "They say Jack Russel is lost. If he doesn't call, set Jack Russel to lost",
    ],
)
def test_a_clear_denial_is_never_outweighed(message: str) -> None:
    assert not judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Before I forget, Jack Russel is to be set to lost", True),
        ("Nobody answers there any more, so set Jack Russel to lost", True),
        ("Set Jack Russel to lost, he hung up after two minutes", True),
        ("Before I set Jack Russel to lost, who called him?", False),
        ("Once he has declined: set Jack Russel to lost", False),
        ("Set Jack Russel to lost, we do that once he has declined", False),
        ("Somebody should set Jack Russel to lost", False),
    ],
)
def test_a_delaying_word_counts_in_the_clause_of_the_order(message: str, is_ordered: bool) -> None:
    assert judged(message, status="lost").is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("replace jack russel's email with jack@new.example", True),
        ("replace the email on Jack Russel's lead with jack@new.example", True),
        ("replace Jack Russel's email jack@old.example with jack@new.example", True),
        ("replace Jack Russel's email jack@new.example with jack@old.example", False),
    ],
)
def test_of_what_is_replaced_only_the_value_is_old(message: str, is_ordered: bool) -> None:
    assert judged(message, email="jack@new.example").is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Jack Russel should move to lost", True),
        ("Jack Russel should be set to lost", True),
        ("Bob should set Jack Russel to lost", False),
        ("Carol needs to move Jack Russel to lost, that's her lead", False),
        ("Jack Russel lost by Friday, mark my words", False),
        ("Jack Russel to lost. Checking with Bob before we change anything", False),
        ("did we ever set Jack Russel to lost", False),
        ("have we moved Jack Russel to lost", False),
    ],
)
def test_the_task_of_another_and_a_question_without_its_mark_are_no_orders(message: str, is_ordered: bool) -> None:
    assert judged(message, status="lost").is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("New lead: Pete Stone, Stone Ltd, pete@stone.example", True),
        ("Add Pete Stone, Stone Ltd, pete@stone.example, as a lead. Is he in the newsletter?", True),
        ("Met Pete Stone, Stone Ltd, pete@stone.example. Do we have him already?", False),
        ("Ran into Pete Stone, Stone Ltd, pete@stone.example. Do you know him?", False),
    ],
)
def test_data_of_somebody_whom_the_user_asks_about_next_creates_no_lead(message: str, is_ordered: bool) -> None:
    fields = {"first_name": "Pete", "last_name": "Stone", "company": "Stone Ltd", "email": "pete@stone.example"}
    schema = {"properties": {name: {"type": "string"} for name in fields}}
    create = ToolSpec("create_lead", "Add a lead.", schema, {}, "leads", "write", ordered_by=("create_record",))
    call = ToolCall("c1", "create_lead", fields, create)
    utterance = Utterance(message, NOW, known_names=list(NAMES.values()))
    assert judge(call, utterance, CallContext(Focus(), lead, lambda _: {})).is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Jack Russel is lost. Change the status.", True),
        ("Jack Russel is lost as of today. Please correct his status", True),
        ("Jack Russel is lost!! close it, and clear his email", True),
        ("Jack Russel is lost. Change his email.", False),
        ("Jack Russel is lost. Save it as his email.", False),
        ("Jack Russel isn't lost. Change the status.", False),
        ("Jack Russel was lost. Change the status.", False),
        ("Omar Benali is lost. Change the status of Jack Russel.", False),
    ],
)
def test_an_order_that_only_names_a_field_takes_the_value_stated_before_it(message: str, is_ordered: bool) -> None:
    assert judged(message, status="lost").is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "value", "is_ordered"),
    [
        ("bump Jack Russel to 41,000", 41000, True),
        ("Could you put Jack Russel down to 88000 for now?", 88000, True),
        ("bump Jack Russel to 41", 41, False),
        ("Move Jack Russel to warm, they are at 12000 now", 12000, False),
        ("Move Jack Russel to 12000 seats", 12000, False),
    ],
)
def test_a_number_that_only_one_field_can_take_needs_no_name_of_it(message: str, value: int, is_ordered: bool) -> None:
    fields = {"score": {"type": "integer", "maximum": 100}, "estimated_value": {"type": "number"}}
    schema = {"properties": {**SCHEMA["properties"], **fields}}
    spec = ToolSpec("update_lead", "Change a lead.", schema, {}, "leads", "write", ordered_by=UPDATE.ordered_by)
    call = ToolCall("c1", "update_lead", {"lead_id": JACK, "estimated_value": value}, spec)
    utterance = Utterance(message, NOW, known_names=list(NAMES.values()))
    assert judge(call, utterance, CallContext(Focus(), lead, lambda _: {})).is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Jack Russel's score: make it 55, he asks good questions", True),
        ("Could you drop the score of Jack Russel to 55?", True),
        ("Drop the score of Jack Russel to 55, would you?", True),
        ("Set Jack Russel's score to 55. Leave his email as it is.", True),
        ("Set Jack Russel's score to 55. Leave the score alone after all.", False),
        ("Jack Russel's score: 55 would be nice", False),
        ("Did they drop the score of Jack Russel to 55?", False),
    ],
)
def test_a_field_and_its_value_in_two_clauses_or_a_request_are_an_order(message: str, is_ordered: bool) -> None:
    assert judged(message, score=55).is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Save jack@new.example as Jack Russel's email", True),
        ("Store jack@new.example as the email of Jack Russel", True),
        ("Save a note on Jack Russel: jack@new.example bounced", False),
        ("Did you save jack@new.example as Jack Russel's email?", False),
    ],
)
def test_a_value_that_is_to_be_saved_as_a_field_is_ordered(message: str, is_ordered: bool) -> None:
    assert judged(message, email="jack@new.example").is_ordered is is_ordered


@pytest.mark.parametrize(
    ("message", "is_ordered"),
    [
        ("Delete Jack Russel", True),
        ("Please get rid of the lead Jack Russel, he is a duplicate", True),
        ("Jack Russel is a duplicate, remove him please", True),
        ("I'm itching to delete Jack Russel", False),
        ("Some days I feel like deleting Jack Russel", False),
        ("Bob should delete Jack Russel", False),
        ("Delete Jack Russel once he has answered", False),
    ],
)
def test_a_deletion_must_be_ordered_by_the_main_clause(message: str, is_ordered: bool) -> None:
    schema = {"properties": {"lead_id": {"type": "string"}}}
    delete = ToolSpec("delete_lead", "Delete a lead.", schema, {}, "leads", "write", ordered_by=("delete",))
    utterance = Utterance(message, NOW, known_names=list(NAMES.values()))
    context = CallContext(Focus(), lead, lambda _: {}, untrusted_sources=("records",))
    assert judge(ToolCall("c1", "delete_lead", {"lead_id": JACK}, delete), utterance, context).is_ordered is is_ordered
