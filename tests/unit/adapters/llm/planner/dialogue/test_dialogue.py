"""Steps of a message: answers complete an ask, corrections change it, background and denied orders write nothing."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.steps import steps_of
from aisha.adapters.llm.planner.plan import Plan, Toolbox
from aisha.adapters.llm.planner.results import Results
from aisha.adapters.llm.planner.scene import Scene
from aisha.adapters.llm.planner.state import DialogueState, Question, Ref, Topic
from aisha.domain.language.reader import Reading, Segment
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.planner import demo_desk, segment

ANN, BO = Ref("lead", "lead_1", "Ann Lee", "Acme"), Ref("contact", "contact_1", "Bo Ek", "Globex")
CALL = segment("create_activity: schedule a call with {name:Ann} {when:tomorrow at 9}")


class Read(Plan):
    """A plan that reads every message as the given segments."""

    segments: tuple[Segment, ...] = ()

    def read(self, message: str) -> Reading:
        return Reading(self.segments)


def steps(state: DialogueState, *lines: str) -> Sequence[Step]:
    segments = tuple(segment(line) for line in lines)
    message = " ".join(one.text for one in segments)
    scene = Scene(demo_desk().principal, NOW, message, (), (), final=False)
    plan = Read(Toolbox(), scene, Results(()), state.topic, segments=segments)
    return steps_of(plan, state, message)


def summary(found: Sequence[Step]) -> list[tuple[str, dict[str, str]]]:
    return [(step.ask.act, {span.tag: span.text for span in step.ask.segment.spans}) for step in found]


def test_background_beside_an_order_is_left_out_and_its_names_are_kept() -> None:
    (step,) = steps(
        DialogueState(), "context: just met {name:Dana Okafor}.", "create_activity: call {ref:her} {when:Friday}"
    )
    assert (step.ask.act, step.spoken) == ("create_activity", ("Dana Okafor",))


def test_a_correction_in_the_same_message_changes_the_order() -> None:
    found = steps(DialogueState(), "create_activity: call {name:Ann} {when:at 4},", "correct: no, {when:at 5}")
    assert summary(found) == [("create_activity", {"name": "Ann", "when": "at 4, rather at 5"})]


def test_an_order_that_is_taken_back_is_not_given() -> None:
    found = steps(DialogueState(), "create_activity: call {name:Ann} {when:at 4} -", "negated: actually no, leave it")
    assert [step.ask.act for step in found] == ["negated"]


def test_the_same_for_another_repeats_the_ask() -> None:
    found = steps(DialogueState(topic=Topic(asked=CALL)), "again: same for {name:Priya}")
    assert summary(found) == [("create_activity", {"name": "Priya", "when": "tomorrow at 9"})]


def test_a_correction_of_what_was_done_changes_it_and_makes_no_second_one() -> None:
    done = DialogueState(topic=Topic(asked=CALL, ordered=CALL, written="You just scheduled a call."))
    assert summary(steps(done, "correct: make it {when:4 pm}")) == [("change_activity", {"when": "4 pm"})]


def test_a_correction_of_who_was_meant_takes_the_first_back() -> None:
    done = DialogueState(topic=Topic(asked=CALL, ordered=CALL, written="You just scheduled a call."))
    found = steps(done, "correct: no, {name:Anna}")
    assert [step.ask.act for step in found] == ["undo", "create_activity"]
    assert found[1].ask.first("name") == "Anna"


def test_a_correction_of_what_was_only_asked_about_asks_anew() -> None:
    found = steps(DialogueState(topic=Topic(asked=CALL)), "correct: make it {when:4 pm}")
    assert summary(found) == [("create_activity", {"name": "Ann", "when": "tomorrow at 9, rather 4 pm"})]


WHICH = DialogueState(Question("which", CALL, "Ann", (ANN, BO)))


@pytest.mark.parametrize(
    "answer", ["choose: the second one", "choose: {name:Bo Ek}", "choose: the one from {org:Globex}"]
)
def test_an_answer_to_which_binds_the_record(answer: str) -> None:
    (step,) = steps(WHICH, answer)
    assert (step.ask.act, step.bindings) == ("create_activity", {"ann": BO})


@pytest.mark.parametrize(
    ("ordered", "slots"),
    [
        ("update_record: set {field:Ann's stage} to {value:won}", {"field": "Ann's stage", "value": "won"}),
        ("create_note: add a note to {name:Ann} that {text:he likes tea}", {"name": "Ann", "text": "he likes tea"}),
    ],
)
def test_what_describes_the_one_meant_is_no_part_of_the_order(ordered: str, slots: dict[str, str]) -> None:
    state = DialogueState(Question("which", segment(ordered), "Ann", (ANN, BO)))
    found = steps(state, "choose: the {amount:70k} one I met on {when:friday}, {name:Bo Ek}")
    assert summary(found) == [(segment(ordered).act, slots)]


def test_an_answer_to_which_may_tell_the_time_of_what_is_planned() -> None:
    state = DialogueState(Question("which", segment("create_activity: call {name:Ann}"), "Ann", (ANN, BO)))
    (step,) = steps(state, "choose: the second one, {when:on friday}")
    assert step.ask.first("when") == "on friday"


def test_a_no_drops_the_question() -> None:
    assert [step.ask.act for step in steps(WHICH, "no: never mind")] == ["no"]


def test_a_new_order_is_no_answer() -> None:
    (step,) = steps(WHICH, "list_activities: what is {value:overdue} today?")
    assert step.ask.act == "list_activities"


def test_a_missing_slot_is_filled() -> None:
    state = DialogueState(Question("slot", segment("create_note: add a note for {name:Ann}"), tag="text"))
    (step,) = steps(state, "report: he prefers email")
    assert (step.ask.act, step.ask.first("text")) == ("create_note", "he prefers email")


def test_what_is_taken_back_by_name_is_found_among_several_orders() -> None:
    found = steps(
        DialogueState(),
        "update_record: mark {name:Viktor} as {value:qualified}",
        "create_activity: and call {name:Ann} {when:tomorrow at 9}.",
        "negated: actually leave {name:Viktor} as he is",
    )
    assert [step.ask.act for step in found] == ["negated", "create_activity"]


def test_somebody_else_who_was_meant_takes_the_order_that_was_taken_back() -> None:
    found = steps(
        DialogueState(),
        "update_record: Mark {name:Viktor} as {value:qualified}.",
        "negated: No, leave {name:Viktor} as he is,",
        "correct: I meant {name:Aaliyah}",
    )
    assert summary(found) == [("update_record", {"name": "Aaliyah", "value": "qualified"})]


def test_a_sentence_that_states_the_name_completes_the_order_before_it() -> None:
    found = steps(
        DialogueState(), "create_record: make a new company please.", "about: The name is {name:Marigold Bakery}"
    )
    assert summary(found) == [("create_record", {"new": "Marigold Bakery"})]


def test_a_sentence_about_another_record_is_no_detail_of_the_order() -> None:
    found = steps(
        DialogueState(), "create_record: add a lead {new:Bo Ek}", "update_record: {name:Ann Lee} has {value:555 0100}"
    )
    assert [step.ask.act for step in found] == ["create_record", "update_record"]


def test_an_order_followed_by_what_may_take_it_back_is_confirmed_first() -> None:
    (step,) = steps(DialogueState(), "create_activity: call {name:Ann} {when:tomorrow at 9}", "wait: hold on")
    assert step.doubt


def test_a_draft_stays_when_only_its_sending_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    sending = segment("send_email: send it")
    monkeypatch.setattr(Read, "read", lambda self, text: Reading(self.segments if "Ann" in text else (sending,)))
    found = steps(DialogueState(), "draft_email: draft an email to {name:Ann}.", "negated: Do not send it yet.")
    assert [step.ask.act for step in found] == ["draft_email"]


def test_an_order_followed_by_a_clear_no_is_not_given() -> None:
    found = steps(DialogueState(), "delete: delete {name:Jack Russel}.", "no: actually no, leave {ref:him}")
    assert [step.ask.act for step in found] == ["negated"]


def test_an_order_on_a_condition_is_only_imagined() -> None:
    found = steps(
        DialogueState(), "hypothetical: if {name:Ann} says no,", "update_record: set {ref:her} to {value:lost}"
    )
    assert [step.ask.act for step in found] == ["hypothetical"]


@pytest.mark.parametrize(
    "condition",
    ["context: unless she calls today", "negated: but only if {owner:Bob} agrees", "negated: only after she signs"],
)
def test_an_order_that_comes_before_its_condition_is_only_imagined(condition: str) -> None:
    found = steps(DialogueState(), "update_record: set {name:Ann} to {value:lost}", condition)
    assert [step.ask.act for step in found] == ["hypothetical"]
    assert found[0].ask.text.startswith("set Ann to lost")


def test_a_condition_holds_for_every_order_of_its_sentence_and_each_keeps_its_own_names() -> None:
    found = steps(
        DialogueState(),
        "delete: if {name:Ann} says no, delete the lead {name:Ann}",
        "update_record: and set {name:Bo}'s {field:score} to {value:20}.",
        "update_record: set {name:Cy} to {value:lost}",
    )
    assert [(step.ask.act, step.ask.texts("name")) for step in found] == [
        ("hypothetical", ("Ann",)),
        ("hypothetical", ("Bo",)),
        ("update_record", ("Cy",)),
    ]


def test_a_condition_in_the_sentence_before_leaves_the_order_as_it_is() -> None:
    found = steps(DialogueState(), "context: if only it was Friday.", "update_record: set {name:Ann} to {value:lost}")
    assert [step.ask.act for step in found] == ["update_record"]


def test_what_is_denied_before_the_order_is_no_part_of_it() -> None:
    found = steps(DialogueState(), "create_activity: don't email {name:Ann}, call {name:Bo} {when:tomorrow at 9}")
    assert summary(found)[-1] == ("create_activity", {"name": "Bo", "when": "tomorrow at 9"})


def test_the_number_of_an_order_in_a_list_is_no_part_of_it() -> None:
    (step,) = steps(DialogueState(), "create_activity: third: call {ref:him} {when:tomorrow at 9}")
    assert step.ask.text == "call him tomorrow at 9"


def test_forget_that_drops_what_was_said_and_looks_for_no_memory() -> None:
    assert [step.ask.act for step in steps(DialogueState(), "forget: forget {ref:that}")] == ["no"]


def test_two_records_before_one_value_are_changed_together() -> None:
    found = steps(DialogueState(), "update_record: give {name:Ann}", "update_record: and {name:Bo} to {owner:carl}")
    assert [step.ask.texts("name") for step in found] == [("Ann", "Bo")]


@pytest.mark.parametrize("second_thought", ["or hmm, when is it again?", "wait, which one is it?"])
def test_an_order_with_a_second_thought_is_confirmed_first(second_thought: str) -> None:
    first, _ = steps(DialogueState(), "change_activity: cancel the call with {name:Ann}", f"search: {second_thought}")
    assert first.doubt


def test_a_name_that_was_only_spoken_of_is_meant_by_the_next_messages_pronoun() -> None:
    (step,) = steps(DialogueState(topic=Topic(spoken=("Ann Lee",))), "ask_field: what's {ref:her} {field:status}?")
    assert step.spoken == ("Ann Lee",)


@pytest.mark.parametrize(
    ("asked", "again", "text"),
    [
        ("rank: the biggest deal in April", "again: and the smallest", "the smallest deal in April"),
        ("count: how many deals did {owner:bob} win", "again: and me?", "how many deals did     win of my own"),
    ],
)
def test_a_question_is_repeated_for_another_order_or_owner(asked: str, again: str, text: str) -> None:
    (step,) = steps(DialogueState(topic=Topic(asked=segment(asked))), again)
    assert step.ask.text == text


def test_an_answer_to_a_second_question_keeps_the_record_chosen_before() -> None:
    state = DialogueState(Question("slot", CALL, "ann", (ANN,), tag="when"))
    (step,) = steps(state, "correct: {when:Friday at 3}")
    assert step.bindings == {"ann": ANN}


def test_the_list_shown_stays_while_its_records_are_spoken_of() -> None:
    shown = Topic((ANN, Ref("lead", "lead_2", "Cy Poe"))).after(Topic())
    one = Topic((ANN,)).after(shown)
    assert one.group == shown.refs
    assert Topic((BO,)).after(one).group == ()


def test_an_order_with_a_new_value_changes_the_field_that_was_asked_about() -> None:
    state = DialogueState(topic=Topic(asked=segment("ask_field: when does {name:Acme} {field:close}")))
    assert summary(steps(state, "correct: make {ref:it} {when:May 15}")) == [
        ("update_record", {"ref": "it", "when": "May 15", "field": "close"})
    ]


def test_a_corrected_number_takes_the_place_of_the_first_however_it_is_tagged() -> None:
    found = steps(
        DialogueState(), "update_record: set {name:Acme} to {amount:125k}", "correct: it should be {value:128,000}"
    )
    assert summary(found) == [("update_record", {"name": "Acme", "amount": "128,000"})]


def test_an_order_for_another_with_its_own_time_is_of_the_same_kind() -> None:
    found = steps(
        DialogueState(),
        "create_activity: schedule calls with {name:Ann} {when:Monday at 9}",
        "create_activity: and {name:Bo} {when:Monday at 10}",
    )
    assert [step.ask.activity_types for step in found] == [("call",), ("call",)]
    assert found[1].ask.texts("name") == ("Bo",)


def test_an_order_with_a_condition_in_its_sentence_is_only_imagined() -> None:
    assert [
        step.ask.act for step in steps(DialogueState(), "update_record: set {name:Ann} to {value:lost} if she agrees")
    ] == ["hypothetical"]
    text = "create_note: note on {name:Ann} that {text:she signs if we give a discount}"
    assert [step.ask.act for step in steps(DialogueState(), text)] == ["create_note"]


DONE = Topic((ANN, Ref("activity", "activity_1", "Call with Ann Lee")), asked=CALL, written="You just planned it.")
DONE = replace(DONE, ordered=CALL, changed=DONE.refs)


def test_a_correction_moves_the_activity_planned_before_another_question() -> None:
    topic = replace(DONE, refs=(ANN,), written="", asked=segment("ask_field: where is {ref:she} {field:based}"))
    (step,) = steps(DialogueState(topic=topic), "correct: make that {when:10 o'clock}")
    assert (step.ask.act, step.bindings[""].type) == ("change_activity", "activity")


def test_a_correction_with_another_name_takes_the_change_back_and_orders_it_anew() -> None:
    order = segment("update_record: mark {name:Ann} as {value:lost}")
    topic = Topic((ANN,), asked=order, written="You just updated Ann Lee.", ordered=order, changed=(ANN,))
    found = steps(DialogueState(topic=topic), "correct: no, {name:Bo}")
    assert summary(found) == [("undo", {}), ("update_record", {"name": "Bo", "value": "lost"})]


def test_a_value_told_after_the_answer_is_a_change_to_confirm() -> None:
    topic = Topic((ANN,), asked=segment("ask_field: {name:Ann} {field:number}"))
    (step,) = steps(DialogueState(topic=topic), "correct: wrong, it's 666 555 0200 now")
    assert (step.ask.act, bool(step.doubt)) == ("update_record", True)


def test_a_corrected_number_keeps_its_unit() -> None:
    order = segment("update_record: put {name:Ann} at {amount:95k}")
    topic = Topic((ANN,), asked=order, written="You just updated Ann Lee.", ordered=order, changed=(ANN,))
    (step,) = steps(DialogueState(topic=topic), "correct: I meant {value:97}")
    assert step.ask.texts("amount") == ("97k",)


def test_of_several_times_of_a_correction_the_one_that_is_ordered_counts() -> None:
    lines = "create_activity: call {name:Ann} {when:Thursday}", "correct: no {when:Friday 11am} she's flying {when:Thu}"
    (step,) = steps(DialogueState(), *lines)
    assert step.ask.first("when") == "Thursday, rather Friday 11am"


def test_another_field_told_after_a_change_does_not_repeat_the_change() -> None:
    order = segment("update_record: raise {name:Ann} to {amount:71k}")
    topic = Topic((ANN,), asked=order, written="You just updated Ann Lee.", ordered=order, changed=(ANN,))
    (step,) = steps(DialogueState(topic=topic), "correct: and they sign on {when:the 20th}")
    assert (step.ask.texts("amount"), bool(step.doubt)) == ((), True)


def test_a_no_to_an_offer_leaves_the_rest_of_the_message_to_answer() -> None:
    state = DialogueState(Question("offer", offers=("delete Ann",)), Topic((ANN,)))
    found = steps(state, "no: let's leave it.", "ask_field: when was {ref:she} {field:last contacted}?")
    assert [step.ask.act for step in found] == ["ask_field"]


def test_a_sentence_that_tells_why_is_no_order_beside_the_order() -> None:
    lines = (
        "change_activity: the demo for {name:Ann} clashes.",
        "change_activity: please move {ref:it} to {when:Monday}",
    )
    (step,) = steps(DialogueState(), *lines)
    assert (step.ask.first("when"), step.spoken) == ("Monday", ("Ann",))


def test_there_is_the_town_that_was_told_before() -> None:
    (step,) = steps(DialogueState(), "context: I'm in {value:Albany}.", "search: which leads are there?")
    assert step.spoken == ("Albany",)


def test_he_is_the_colleague_that_was_told_before() -> None:
    (step,) = steps(DialogueState(), "context: {owner:Bob} is first.", "count: how many leads does {ref:he} own?")
    assert step.ask.texts("owner") == ("Bob",)


def test_a_wish_about_the_draft_shown_last_is_for_the_draft() -> None:
    state = DialogueState(topic=Topic((ANN,), draft=("Hello", "Hi Ann,\n\nHello.\n\nBest,\nAl")))
    for line in ("correct: make {ref:it} shorter", "create_note: add that {text:I'll call on Tuesday}"):
        (step,) = steps(state, line)
        assert step.ask.act == "draft_email"


def test_a_note_goes_on_with_the_next_clause() -> None:
    lines = "create_note: note on {name:Ann} that {text:the board meets}", "create_note: and that {text:she needs it}"
    (step,) = steps(DialogueState(), *lines)
    assert step.ask.texts("text") == ("the board meets", "she needs it")


def test_a_small_word_after_their_is_no_name() -> None:
    (step,) = steps(DialogueState(), "update_record: {ref:their} {name:switchboard} is 303 555 0147, add it")
    assert not step.ask.texts("name")


def test_the_same_field_for_another_repeats_no_other_field() -> None:
    order = segment("update_record: set {field:industry} of {name:Ann} to {value:retail}; {field:employees} {value:52}")
    topic = Topic((ANN,), asked=order, written="You just updated Ann Lee.", ordered=order, changed=(ANN,))
    (step,) = steps(DialogueState(topic=topic), "again: same industry for {name:Bo}")
    assert (step.ask.texts("value"), step.ask.texts("name")) == (("retail",), ("Bo",))


@pytest.mark.parametrize("line", ["ask_field: and {ref:her} {field:email}?", "correct: no, not {name:Ann}, {name:Bo}"])
def test_a_question_or_a_correction_is_no_value_for_the_field_asked_about(line: str) -> None:
    ask = segment("update_record: change {name:Ann}")
    state = DialogueState(Question("slot", ask, "ann", (ANN,), tag="value"), Topic((ANN,), asked=ask))
    assert all(step.ask.first("value") is None for step in steps(state, line))


def test_a_value_told_after_a_question_for_a_field_changes_the_field() -> None:
    topic = Topic(refs=(ANN,), asked=segment("ask_field: what is {name:Ann Lee}'s {field:title}"))
    (step,) = steps(DialogueState(topic=topic), "again: make it {value:VP Operations} instead")
    assert step.ask.act == "update_record"
    assert (step.ask.texts("value"), step.ask.texts("field")) == (("VP Operations",), ("title",))


def test_the_one_after_that_is_the_next_of_the_list() -> None:
    topic = Topic(refs=(ANN,), asked=segment("ask_field: when does {ref:it} {field:close}"), listed=(ANN, BO))
    (step,) = steps(DialogueState(topic=topic), "again: and {ref:the one} after that")
    assert step.bindings == {"": BO}
    (last,) = steps(DialogueState(topic=replace(topic, refs=(BO,))), "again: and {ref:the one} after that")
    assert last.bindings == {}


def test_take_up_is_no_name_for_the_question_whom_an_email_is_for() -> None:
    question = Question("who", segment("draft_email: draft a mail"), tag="name")
    (step,) = steps(DialogueState(question), "take_up: send {ref:it}")
    assert step.ask.act == "take_up"


def test_the_kind_asked_for_may_be_told_in_a_sentence() -> None:
    asked = segment("create_record: add {new:Lena Fischer}, lena@brightline.example")
    question = Question("slot", asked, tag="kind")
    (step,) = steps(DialogueState(question), "convert: make {ref:her} a contact")
    assert (step.ask.act, step.ask.texts("value")) == ("create_record", ("contact",))
    (other,) = steps(DialogueState(question), "search: show my contacts at {org:Acme} please, the ones in Oslo")
    assert other.ask.act == "search"
