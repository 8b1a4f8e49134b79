from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.mail_words import with_correction, with_message
from aisha.adapters.llm.planner.state import Ref, Topic
from tests.support.dialogue.planner import run, segment


def test_an_order_with_its_message_is_sent_rather_than_drafted() -> None:
    played = run("draft_email: shoot {name:Jack Russel} an email saying {text:the offer is on its way}")
    assert (
        played.arguments("send_email")["body"] == "Hi Jack,\n\nThe offer is on its way.\n\nBest regards,\nAlice Carter"
    )
    assert "draft_email" not in played.tools


def test_a_draft_is_drafted_even_if_it_has_its_message() -> None:
    played = run("draft_email: draft an email to {name:Jack Russel} saying {text:the offer is on its way}")
    assert played.arguments("draft_email")["purpose"] == "saying the offer is on its way"
    assert "send_email" not in played.tools


def test_a_message_that_was_not_tagged_is_what_follows_the_colon() -> None:
    played = run("send_email: email {name:Jack Russel}: see you soon")
    assert played.arguments("send_email")["body"].split("\n\n")[1] == "See you soon."


def test_nothing_is_sent_without_words_that_the_user_has_seen() -> None:
    assert "send_email" not in run("send_email: email {name:Jack Russel}").tools


def test_a_time_in_the_message_stays_in_it() -> None:
    played = run(
        "draft_email: draft an email to {name:Jack Russel} saying {text:the demo is moved} to {when:next Thursday}"
    )
    assert played.arguments("draft_email")["purpose"] == "saying the demo is moved to next Thursday"


def test_whom_to_tell_is_no_part_of_the_message() -> None:
    played = run("send_email: send {name:Jack Russel} an email and tell him we ship on Monday")
    assert played.arguments("send_email")["body"].split("\n\n")[1] == "We ship on Monday."


def test_what_to_ask_keeps_that_it_is_asked() -> None:
    played = run("draft_email: draft an email to {name:Jack Russel} asking him to {text:send the contract}")
    assert played.arguments("draft_email")["purpose"] == "asking him to send the contract"


NINA = Ref("contact", "contact_1", "Nina Kowalski")
SHOWN = Topic((NINA,), draft=("Hello", "Hi Nina,\n\nWe can split it.\n\nBest regards,\nAlice"), offers=("send it",))


def test_the_subject_of_the_draft_shown_last_is_changed_without_a_call() -> None:
    played = run("draft_email: change the subject to Training in two groups", topic=SHOWN)
    assert (played.topic.draft or ("",))[0] == "Training in two groups"
    assert not played.calls


def test_a_sentence_is_added_to_the_draft_before_its_end_and_speaks_to_the_reader() -> None:
    played = run("draft_email: add that {text:I'll call her on Tuesday}", topic=SHOWN)
    assert "We can split it.\n\nI'll call you on Tuesday.\n\nBest regards" in played.text


def test_the_draft_in_another_tone_says_the_same() -> None:
    first = segment("draft_email: draft an email to {name:Jack Russel} saying {text:we can split it}")
    played = run("draft_email: more formal please", topic=replace(SHOWN, ordered=first))
    assert played.arguments("draft_email") == played.arguments("draft_email") | {
        "purpose": "we can split it",
        "tone": "formal",
    }


def test_two_things_to_say_are_both_in_the_message() -> None:
    played = run("send_email: send {name:Jack Russel} an email to say {text:thank you}, and that {text:I'll come by}")
    assert played.arguments("send_email")["body"].split("\n\n")[1] == "Thank you. I'll come by."


def test_an_email_says_all_that_follows_its_first_words() -> None:
    line = "send_email: email {name:Kofi Mensah} that {text:the valve ships Friday} and I'll be there to fit it"
    body = run(line).arguments("send_email")["body"]
    assert "\n\nThe valve ships Friday and I'll be there to fit it.\n\n" in body


def test_what_was_dictated_in_quotation_marks_goes_out_as_it_is() -> None:
    played = run('send_email: email {name:Jack Russel} "See you on Monday"')
    assert played.arguments("send_email")["body"] == "See you on Monday"


def test_whom_to_thank_is_whom_the_email_is_for() -> None:
    played = run("send_email: thank {name:Jack Russel} by mail for the tour")
    assert "\n\nThank you for the tour.\n\n" in played.arguments("send_email")["body"]


def test_the_kind_of_email_says_what_it_is_to_do() -> None:
    played = run("draft_email: draft a follow-up email to {name:Jack Russel} on the demo")
    assert played.arguments("draft_email")["purpose"] == "follow up on the demo"


def test_a_draft_that_must_be_asked_about_is_shown_without_being_saved() -> None:
    line = "draft_email: draft an email to {name:Jack Russel} saying {text:we can split it}"
    played = run(line, asks_first=lambda tool, _: tool == "draft_email")
    assert "We can split it." in played.text
    assert "draft_email" not in played.tools


def test_another_tone_changes_the_email_that_was_shown_and_calls_nothing() -> None:
    order = with_message(segment("draft_email: draft an email to {name:Nina Kowalski} saying {text:we can split it}"))
    topic = replace(SHOWN, asked=order)
    played = run(f"draft_email: {order.text}. make it formal", topic=topic)
    assert "Dear Nina Kowalski,\n\nWe can split it." in played.text
    assert not played.calls


def test_another_day_is_put_into_the_email_that_was_shown() -> None:
    order = with_message(segment("send_email: email {name:Jack Russel} that {text:we come on Monday at 10:00}"))
    mended = with_correction(order, segment("correct: no, {when:Thursday}"))
    assert mended is not None
    assert mended.text.endswith("that we come on Thursday at 10:00")
