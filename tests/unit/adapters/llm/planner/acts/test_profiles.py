import json

import pytest

from aisha.adapters.llm.planner.replies.profiles import format_profile
from aisha.adapters.llm.planner.results import Results
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.models import ModelMessage, ToolCallRequest
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.planner import demo_desk, ref, replies, run, topic_of

DEMO = demo_desk()
"""Nothing here changes it, so that all tests share it."""
JACK = ref(DEMO, "lead", "Jack Russel")
BLUE = ref(DEMO, "account", "Blue Harbor")
DEAL = ref(DEMO, "opportunity", "Blue Harbor Fleet Tracking")


def _said(line: str, *spoken_of: Ref) -> str:
    return run(line, DEMO, Topic(spoken_of)).text


def test_a_profile_tells_what_belongs_to_a_record_and_what_is_next() -> None:
    account = _said("about: tell me about {name:Blue Harbor}")
    assert account.startswith("**Blue Harbor Logistics** is a customer account.")
    assert "- Contacts: Divya Krishnan and Tamara Novak" in account
    assert "- Open deals: Blue Harbor Logistics Platform Rollout and Blue Harbor Fleet Tracking" in account
    assert "- Next: **Product demo**" in _said("about: who is {name:Kofi Mensah}")


def test_deals_and_activities_have_profiles_too() -> None:
    assert _said("about: the {name:Blue Harbor Fleet Tracking} deal").startswith(
        "**Blue Harbor Fleet Tracking** is a deal"
    )
    assert "is a scheduled activity" in _said("about: what's the {name:Prepare proposal} task about")


def test_several_records_are_told_one_after_the_other() -> None:
    played = run("about: {name:Jack Russel} and {name:Lars Eriksen}", DEMO)
    assert [one.name for one in played.topic.refs] == ["Jack Russel", "Lars Eriksen"]
    assert played.text.count(" is a warm lead at ") == 2


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("ask_field: where did {name:Jack Russel} {field:come from}", "The source of **Jack Russel** is **referral**."),
        ("ask_field: in whose {field:name} is {name:Henrik Jørgensen}", "**Henrik Jørgensen** is owned by **Bob**."),
        ("ask_field: what number should I dial for {name:Wei Zhang}", "The phone number of **Wei Zhang** is"),
        (
            "ask_field: when did we first speak with {name:Jack Russel}",
            "The first contact with **Jack Russel** on record",
        ),
        (
            "ask_field: who's the client side contact on the {name:Blue Harbor Fleet Tracking} deal",
            "**Divya Krishnan**",
        ),
    ],
)
def test_a_field_is_asked_for_without_its_name(line: str, answer: str) -> None:
    assert _said(line).startswith(answer)


def test_an_unknown_name_is_asked_about() -> None:
    played = run("about: who is {name:Zora Zanzibar}", DEMO)
    assert played.answer.question is not None
    assert (played.answer.question.kind, played.answer.question.name) == ("who", "Zora Zanzibar")


def test_words_that_nothing_explains_are_the_name_that_the_tagger_missed() -> None:
    assert _said("about: pull up jack russel's file").startswith("**Jack Russel** is a warm lead")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("{name:Jack Russel}'s {field:phone number}", "The phone number of **Jack Russel** is **+1 212 555 0142**."),
        ("how much is {name:Jack Russel} {field:worth}", "The estimated value of **Jack Russel** is **$48,000**."),
        ("{field:status} of {name:Jack Russel}", "The status of **Jack Russel** is **warm**."),
        ("who {field:owns} {name:Silverline Bank}", "**Silverline Bank** is owned by **you**."),
        ("where is {name:Jack Russel} {field:based}", "**Jack Russel** is in **Chicago, IL, US**."),
        (
            "{field:next step} of {name:Blue Harbor Fleet Tracking}",
            "There is no next step on record for **Blue Harbor Fleet Tracking**.",
        ),
        (
            "{field:stage} and {field:amount} of {name:Blue Harbor Fleet Tracking}",
            "**Blue Harbor Fleet Tracking**: stage **negotiation**, amount **$64,000**.",
        ),
        ("is {name:Jack Russel} {value:lost}?", "No, **Jack Russel** is **warm**."),
        ("is {name:Jack Russel} still {value:warm}?", "Yes, **Jack Russel** is **warm**."),
    ],
)
def test_a_field_is_told_in_one_sentence(line: str, answer: str) -> None:
    assert _said(f"ask_field: {line}") == answer


def test_a_field_that_does_not_exist_is_named_and_the_rest_shown() -> None:
    text = _said("ask_field: {name:Jack Russel}'s {field:VAT number}")
    assert text.startswith(
        "I have no field for “VAT number”; here is what I have on Jack Russel:\n\n**Jack Russel** is"
    )


def test_a_strange_word_before_a_fields_name_makes_it_another_field() -> None:
    assert _said("ask_field: and his VAT number?", JACK).startswith("I have no field for “VAT number”")


def test_a_company_has_the_fields_of_its_deals_and_people() -> None:
    assert _said("ask_field: when does {name:Silverline Bank} {field:close}") == (
        "The close date of **Silverline Bank Support Renewal** is **Sun, Mar 22**."
    )
    assert "**Kofi Mensah** was last contacted" in _said("ask_field: {field:last contact} with {name:Helios Solar}")
    assert "Tamara Novak" in _said("ask_field: who's our {field:contact} at {name:Blue Harbor}?")


def test_the_record_of_the_topic_is_meant_by_pronouns_and_by_nothing() -> None:
    assert "+1 804 555 0152" in _said("ask_field: what's {ref:their} {field:phone}", BLUE)
    assert "negotiation" in _said("ask_field: and the {field:stage}?", DEAL)


def test_when_an_activity_is_comes_from_the_activities() -> None:
    assert _said("ask_field: when is my call with {name:Jack Russel}") == "No call with **Jack Russel** is planned."
    assert _said("ask_field: when was my last call with {name:John Brown}").startswith(
        "Your last call with **John Brown** was **Thu, Feb 5 at 4:30 PM**"
    )


def test_a_history_is_limited_to_the_time_named() -> None:
    everything = _said("history: catch me up on {name:Jack Russel}")
    assert "Call: First conversation" in everything
    assert "Awaiting callback" in everything
    last_week = _said("history: what happened with {name:Jack Russel} {when:last week}")
    assert "Call: First conversation" in last_week
    assert "Lead Jack Russel was created" not in last_week


def test_similar_records_have_reasons_and_become_the_topic() -> None:
    played = run("similar: {count:3} more like {name:Jack Russel}", DEMO)
    assert "same source (referral)" in played.text
    assert len(played.topic.refs) == 3


def test_only_leads_are_scored() -> None:
    assert _said("score: how good is {name:Jack Russel}").startswith("**Jack Russel** scores **81** of 100.")
    assert _said("score: how likely is {name:Blue Harbor Fleet Tracking} to close") == (
        "The probability of **Blue Harbor Fleet Tracking** is **75%**."
    )
    assert _said("score: {name:Kofi Mensah}").startswith("Only leads have a score.")


def test_records_are_compared_fact_by_fact() -> None:
    text = _said("compare: {name:Blue Harbor Fleet Tracking} or {name:Helios Solar Field Service}")
    assert "- **Amount**: Blue Harbor Fleet Tracking: $64,000; Helios Solar Field Service: $38,500" in text


def test_places_of_the_last_list_can_be_compared() -> None:
    listed = (JACK, BLUE, DEAL)
    text = _said("compare: the first and the third", *listed)
    assert text.startswith("Jack Russel and Blue Harbor Fleet Tracking side by side:")


def test_one_record_alone_is_asked_about() -> None:
    assert _said("compare: {name:Jack Russel}") == "With what shall I compare Jack Russel?"


def test_colleagues_are_compared_by_their_figures() -> None:
    text = _said("compare: me against {owner:Bob}")
    assert "- **Bob**: 12 leads" in text
    assert "- **You**: 32 leads" in text


def test_the_user_is_you_in_a_profile() -> None:
    assert "- Owner: you" in _said("about: who is {name:Jack Russel}")


@pytest.mark.parametrize("act", ["about", "ask_field"])
def test_people_of_a_company_are_found_by_their_work(act: str) -> None:
    assert _said(f"{act}: who heads finance at {{org:XYZ Inc}}").startswith("**Bronwyn Llewellyn**")
    assert "2 contacts at Silverline Bank" in _said(f"{act}: who do we know at {{org:Silverline Bank}}")
    assert _said("about: who is {name:XYZ Inc}").startswith("**XYZ Inc** is a customer account")


def test_a_company_or_person_that_a_record_belongs_to_is_asked_of_it() -> None:
    john = ref(DEMO, "contact", "John Doe")
    assert _said("ask_field: what company is {ref:he} with", john).startswith("**ABC Corp** is a prospect")
    assert _said("ask_field: is {ref:his} company a customer?", john) == "No, **ABC Corp** is a **prospect**."


def test_the_one_of_a_list_that_comes_first_is_picked() -> None:
    small, big = DEAL, ref(DEMO, "opportunity", "Meridian Health Patient Portal")
    assert _said("about: who is our contact on the largest of {ref:them}", small, big).startswith("**Caleb Winters**")
    told = _said("rank: the smaller one {field:closes} when?", small, big)
    assert told.startswith("The close date of **Blue Harbor Fleet Tracking**")
    assert _said("compare: which of the two is bigger", small, big).startswith(
        "It's **Meridian Health Patient Portal**"
    )


def test_a_field_among_other_words_is_read_and_an_unknown_one_named() -> None:
    assert "was last contacted" in _said("ask_field: {field:hey when} was {name:Jack Russel} last contacted")
    assert "no field for “vat number”" in _said("ask_field: {field:vat number} of {name:XYZ Inc}")
    assert _said("ask_field: what does {name:Camille Dubois} do for a living").startswith("The job title of")


def test_of_a_list_those_of_a_colleague_are_told() -> None:
    two = (ref(DEMO, "contact", "Anneliese Vogel"), ref(DEMO, "contact", "Kofi Mensah"))
    assert _said("compare: which of the two does {owner:Bob} look after?", *two) == (
        "Of these, Bob has **Anneliese Vogel**."
    )


def test_the_contact_of_a_deal_is_its_own_one() -> None:
    assert "Divya Krishnan" in run("ask_field: who is the {field:contact} on {ref:it}", topic=Topic((DEAL,))).text
    told = _said("ask_field: the {field:phone number} of the contact on the {name:Blue Harbor Fleet Tracking} deal")
    assert told.startswith("The phone number of **Divya Krishnan**")


def test_the_other_one_is_the_other_of_two_listed() -> None:
    other = ref(DEMO, "opportunity", "Helios Solar Field Service")
    topic = Topic((DEAL,), listed=(DEAL, other))
    assert "Helios Solar Field Service" in run("ask_field: {field:stage} of {ref:the other one}", topic=topic).text


def test_of_equal_records_the_first_is_named() -> None:
    twins = (
        ref(DEMO, "opportunity", "Helios Solar Annual License"),
        ref(DEMO, "opportunity", "Quantum Leap Labs Pilot"),
    )
    assert "Helios Solar Annual License" in run("rank: the biggest of {ref:them}", topic=Topic(twins)).text


def test_a_record_that_the_message_changed_is_told_as_it_is_now() -> None:
    receipt = {"action": "updated", "entity": {"type": "lead", "id": "lead_1", "name": "Ann Lee"}}
    call = ToolCallRequest("1", "update_lead", "{}")
    content = json.dumps({"receipt": receipt, "record": {"id": "lead_1", "status": "warm"}})
    results = Results(
        [
            ModelMessage("user", "x"),
            ModelMessage("assistant", "", tool_calls=(call,)),
            ModelMessage("tool", content, tool_call_id="1"),
        ]
    )
    assert results.changed("lead_1") == {"id": "lead_1", "status": "warm"}


def test_the_contact_of_a_deal_is_told_when_it_is_asked_for() -> None:
    text = run("about: who's the contact on the {name:Cobalt Mining Training Package} deal?", DEMO).text
    assert text.startswith("**Lucia Ferrari**")


def test_when_it_is_asks_for_the_activity_planned_last() -> None:
    call = ref(DEMO, "activity", "Call Rafael Monteiro about the pilot")
    text = run("ask_field: when is {ref:it} now?", DEMO, Topic((JACK, call))).text
    assert text.startswith("**Call Rafael Monteiro about the pilot** is planned for")


def test_the_second_of_a_list_of_activities_and_records_is_the_activity() -> None:
    desk = demo_desk()
    refs = [ref(desk, "activity", "Call Rafael"), ref(desk, "activity", "Send the revised quote")]
    played = run("about: tell me about {ref:the second one}", desk, Topic((*refs, ref(desk, "lead", "Jack Russel"))))
    assert "Send the revised quote" in played.text


def test_the_sum_of_a_list_is_no_field_of_one_record() -> None:
    listed = run("search: my {value:contacted} leads", DEMO)
    text = run("ask_field: what's the {field:estimated value} of {ref:that lot} put together", DEMO, listed.topic).text
    assert text == "You have 8 contacted leads worth **$474,000**."


def test_an_amount_in_dollars_is_a_field_of_the_record_described() -> None:
    listed = run("search: my leads in {value:Denver}", DEMO)
    text = run("ask_field: the {value:qualified} one what do we have {ref:him} at in dollars", DEMO, listed.topic).text
    assert text == "The estimated value of **Tariq Mahmoud** is **$86,000**."


def test_who_does_a_work_at_a_company_is_told_with_the_address() -> None:
    text = run("ask_field: the {field:email address} for the {value:Head of IT} at {org:XYZ}", DEMO).text
    assert "john.smith@xyzinc.example" in text


def test_why_alone_is_about_the_last_change_and_else_asked_back() -> None:
    desk = demo_desk()
    changed = topic_of(desk, "account", "ABC Corp", "You just updated **ABC Corp**: industry is now **Chemicals**.")
    assert "industry is now **Chemicals**" in run("score: why?", desk, changed).text
    assert run("score: but why?", desk).text.startswith("Why what?")
    lead = topic_of(desk, "lead", "Jack Russel")
    assert "scores" in run("score: why?", desk, lead).text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ask_field: did we win {name:redwood}?", "No, **Redwood Media Expansion** is in **proposal**."),
        ("ask_field: did we lose {name:xyz}?", "Yes, **XYZ Inc Platform Rollout** is **closed lost**."),
        ("ask_field: is {name:orchard fresh} in {value:negotiation}", "No, **Orchard Fresh Markets Expansion** is"),
        ("ask_field: is {name:silverline churning}?", "Yes, **Silverline Bank** is a **customer** and **churning**."),
        ("ask_field: is {name:xyz} a {value:customer}?", "Yes, **XYZ Inc** is a **customer**"),
    ],
)
def test_a_stage_that_is_asked_of_a_company_is_that_of_its_deals(line: str, said: str) -> None:
    assert said in _said(line)


@pytest.mark.parametrize(
    ("messages", "part"),
    [
        (("when were we last in touch with Kofi Mensah",), "was last contacted **56 days ago**"),
        (("tell me about the Helios annual license deal", "and did we win that one"), "Yes, **Helios Solar"),
        (("tell me about Falcon Aerospace Training Package", "was it won?"), "No, **Falcon Aerospace"),
    ],
)
def test_what_is_asked_of_a_record_in_other_words_is_told(messages: tuple[str, ...], part: str) -> None:
    assert part in replies(*messages)[-1]


def test_a_lead_without_a_recorded_contact_is_not_said_to_be_uncontacted() -> None:
    lead = {"entity_type": "lead", "display_name": "Per Holm", "status": "contacted", "company": "Firma 5"}
    text = format_profile(lead, NOW, "alice")
    assert text == "**Per Holm** is a contacted lead at Firma 5, with no contact recorded yet."
