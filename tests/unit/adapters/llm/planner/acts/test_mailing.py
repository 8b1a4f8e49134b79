from msgspec.structs import replace

from aisha.adapters.llm.planner.state import Ref, Topic
from tests.support.dialogue.planner import run, segment


def test_an_order_with_its_message_is_sent_rather_than_drafted() -> None:
    played = run("draft_email: shoot {name:Jack Russel} an email saying {text:the offer is on its way}")
    assert played.arguments("send_email")["body"] == "The offer is on its way"
    assert "draft_email" not in played.tools


def test_a_draft_is_drafted_even_if_it_has_its_message() -> None:
    played = run("draft_email: draft an email to {name:Jack Russel} saying {text:the offer is on its way}")
    assert played.arguments("draft_email")["purpose"] == "the offer is on its way"
    assert "send_email" not in played.tools


def test_a_message_that_was_not_tagged_is_what_follows_the_colon() -> None:
    played = run("send_email: email {name:Jack Russel}: see you soon")
    assert played.arguments("send_email")["body"] == "See you soon"


def test_nothing_is_sent_without_words_that_the_user_has_seen() -> None:
    assert "send_email" not in run("send_email: email {name:Jack Russel}").tools


def test_a_time_in_the_message_stays_in_it() -> None:
    played = run(
        "draft_email: draft an email to {name:Jack Russel} saying {text:the demo is moved} to {when:next Thursday}"
    )
    assert played.arguments("draft_email")["purpose"] == "the demo is moved to next Thursday"


def test_whom_to_tell_is_no_part_of_the_message() -> None:
    played = run("send_email: send {name:Jack Russel} an email and tell him we ship on Monday")
    assert played.arguments("send_email")["body"] == "We ship on Monday"


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
    assert played.arguments("send_email")["body"] == "Thank you. I'll come by"


def test_an_email_says_all_that_follows_its_first_words() -> None:
    line = "send_email: email {name:Kofi Mensah} that {text:the valve ships Friday} and I'll be there to fit it"
    assert run(line).arguments("send_email")["body"] == "The valve ships Friday and I'll be there to fit it"
