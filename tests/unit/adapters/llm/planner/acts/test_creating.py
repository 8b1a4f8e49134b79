from typing import Any

import pytest

from aisha.adapters.llm.planner.state import Topic
from tests.support.dialogue.planner import Played, demo_desk, ref, run


def _create(line: str, **more: Any) -> Played:
    return run(f"create_record: {line}", **more)


def _created(line: str, tool: str, **more: Any) -> dict[str, Any]:
    """Return the arguments of the creation that a line orders."""
    played = _create(line, **more)
    assert tool in played.tools, played.text
    return played.arguments(tool)


@pytest.mark.parametrize(
    ("line", "tool", "arguments"),
    [
        ("new lead {new:Ana Ruiz}", "create_lead", {"first_name": "Ana", "last_name": "Ruiz"}),
        ("add {new:ana ruiz-gil} as a contact", "create_contact", {"first_name": "Ana", "last_name": "Ruiz-Gil"}),
        ("new lead {new:Ana Ruiz from} Zenith", "create_lead", {"first_name": "Ana", "last_name": "Ruiz"}),
        ("add {new:Mr Okoro} as a lead", "create_lead", {"last_name": "Okoro"}),
        ("add {new:Ana Ruiz}", "create_lead", {"first_name": "Ana", "last_name": "Ruiz"}),
        ("add {new:Zenith Labs}", "create_account", {"company_name": "Zenith Labs"}),
        ("new lead {new:Zenith Labs}", "create_lead", {"company": "Zenith Labs"}),
        ("register {org:Zenith} as a lead", "create_lead", {"company": "Zenith"}),
        ("open an account for {org:Zenith}", "create_account", {"company_name": "Zenith"}),
        (
            "a contact, {new:kwabena}, last name {new:asante}",
            "create_contact",
            {"first_name": "Kwabena", "last_name": "Asante"},
        ),
        (
            "the woman I deal with is {new:Ana Ruiz}, make her a contact",
            "create_contact",
            {"first_name": "Ana", "last_name": "Ruiz"},
        ),
        (
            "get {new:Zenith} in as a {value:prospect} account, 300 people",
            "create_account",
            {"company_name": "Zenith", "type": "prospect", "employee_count": 300},
        ),
    ],
)
def test_the_name_and_the_kind_of_a_new_record_are_those_said(line: str, tool: str, arguments: dict[str, Any]) -> None:
    assert _created(line, tool) == arguments


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("lead {new:Ana Ruiz}, ana@zenith.example", "email", "ana@zenith.example"),
        ("lead {new:Ana Ruiz}, +1 212 555 0142", "phone", "+1 212 555 0142"),
        ("lead {new:Ana Ruiz} of {org:zenith labs}", "company", "Zenith Labs"),
        ("lead {new:Ana Ruiz}, {value:head of purchasing}", "job_title", "head of purchasing"),
        ("lead {new:Ana Ruiz}, {value:plant manager}", "job_title", "plant manager"),
        ("lead {new:Ana Ruiz}, {value:VP} of {org:Supply Chain}", "job_title", "VP of Supply Chain"),
        ("lead {new:Ana Ruiz}, source {value:LinkedIn}", "source", "social_media"),
        ("lead {new:Ana Ruiz}, came through a {value:referral}", "source", "referral"),
        ("{value:warm} lead {new:Ana Ruiz}", "status", "warm"),
        ("lead {new:Ana Ruiz} worth {amount:$40k}", "estimated_value", 40000),
        ("lead {new:Ana Ruiz} in {value:Texas}", "address", {"state": "TX"}),
        ("lead {new:Ana Ruiz}, based in {value:austin, texas}", "address", {"city": "Austin", "state": "TX"}),
        ("lead {new:Ana Ruiz}, give it to {owner:Bob}", "owner", "bob"),
    ],
)
def test_each_thing_said_of_a_new_lead_goes_to_the_field_that_takes_it(line: str, name: str, value: Any) -> None:
    assert _created(line, "create_lead")[name] == value


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("account {new:Zenith}, {value:medical devices}", "industry", "medical devices"),
        ("account {new:Zenith}, industry {value:tea}", "industry", "tea"),
        ("account {new:Zenith}, {value:120 employees}", "employee_count", 120),
        ("account {new:Zenith}, a {value:customer}", "type", "customer"),
        ("account {new:Zenith}, www.zenith.example, in software", "website", "www.zenith.example"),
    ],
)
def test_each_thing_said_of_a_new_account_goes_to_the_field_that_takes_it(line: str, name: str, value: Any) -> None:
    assert _created(line, "create_account")[name] == value


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("deal {new:Lifts}, {amount:45,000 euros}", {"name": "Lifts", "amount": 45000, "currency": "EUR"}),
        ("deal {new:Lifts} closing {when:in November}", {"name": "Lifts", "close_date": "2026-11-30"}),
        ("deal {new:Lifts}, {value:proposal}", {"name": "Lifts", "stage": "proposal"}),
    ],
)
def test_a_new_deal_has_the_amount_the_closing_day_and_the_stage_said(line: str, arguments: dict[str, Any]) -> None:
    assert _created(line, "create_opportunity") == arguments


def test_a_deal_is_linked_to_the_customer_it_is_for_and_called_after_it() -> None:
    desk = demo_desk()
    account = ref(desk, "account", "ABC Corp")
    played = _create("new deal for {org:ABC Corp}, {amount:15k}", desk=desk)
    expected = {"name": "ABC Corp deal", "amount": 15000, "account_id": account.id}
    assert played.arguments("create_opportunity") == expected
    assert "for **ABC Corp**" in played.text


def test_a_deal_for_a_person_is_called_after_the_company() -> None:
    desk = demo_desk()
    lead = ref(desk, "lead", "Jack Russel")
    arguments = _created("open a deal with {name:Jack Russel}", "create_opportunity", desk=desk)
    assert arguments == {"name": "ABC Corp deal", "lead_id": lead.id}


def test_a_deal_for_an_unknown_customer_is_not_linked_and_the_account_is_offered() -> None:
    played = _create("deal {new:Lifts} for {org:Ridgeback}")
    assert played.arguments("create_opportunity") == {"name": "Lifts"}
    assert played.answer.question is not None
    assert played.answer.question.offers == ("add Ridgeback as an account",)


def test_a_deal_is_not_linked_to_a_customer_with_a_similar_name() -> None:
    assert "lead_id" not in _created("deal {new:Claims} on the {org:Arbour} account", "create_opportunity")


def test_a_deal_for_her_is_linked_to_the_person_spoken_of() -> None:
    desk = demo_desk()
    lead = ref(desk, "lead", "Priya Nair")
    arguments = _created("create a deal for {ref:her}", "create_opportunity", desk=desk, topic=Topic((lead,)))
    assert arguments["lead_id"] == lead.id


def test_a_contact_there_belongs_to_the_account_spoken_of() -> None:
    desk = demo_desk()
    account = ref(desk, "account", "XYZ Inc")
    arguments = _created("and a contact there, {new:Mo Farouk}", "create_contact", desk=desk, topic=Topic((account,)))
    assert arguments["account_id"] == account.id


@pytest.mark.parametrize(
    ("line", "tag", "asked"),
    [
        ("Add a contact at {org:Nordlys}", "new", "new contact at Nordlys"),
        ("add a lead", "new", "new lead"),
        ("add {new:him} as a lead", "new", "new lead"),
        ("create a lead, {new:email}", "new", "new lead"),
        ("create a deal for {ref:her}", "org", "Whom"),
        ("add {new:Zenith}", "kind", "a lead, a contact, an account or a deal"),
    ],
)
def test_a_missing_name_or_kind_is_asked_for_and_nothing_is_written(line: str, tag: str, asked: str) -> None:
    played = _create(line)
    assert played.tools == []
    assert played.answer.question is not None
    assert played.answer.question.tag == tag
    assert asked in played.text


def test_the_answer_to_the_question_for_the_kind_decides() -> None:
    assert _created("add {new:Zenith} {value:a lead}", "create_lead") == {"first_name": "Zenith"}


def test_a_name_that_exists_is_offered_instead_of_created_twice() -> None:
    played = _create("new lead {new:Jack Russel}, {value:buyer}")
    assert "create_lead" not in played.tools
    assert "already a lead called **Jack Russel** (ABC Corp)" in played.text
    assert played.answer.question is not None
    assert played.answer.question.offers == ("new lead Jack Russel, buyer, a second one",)


@pytest.mark.parametrize(
    "line", ["new lead {new:Jack Russel}, a second one", "new lead {new:Jack Russel} of {org:Zenith}"]
)
def test_a_namesake_is_created_when_ordered_or_at_another_company(line: str) -> None:
    assert _created(line, "create_lead")["last_name"] == "Russel"


def test_several_people_are_created_in_one_round_with_what_they_share() -> None:
    played = _create("add {new:Ana Ruiz} and {new:Bo Lind} as contacts at {org:Zenith}, {value:buyer}")
    assert [call.arguments for call in played.calls if call.tool == "create_contact"] == [
        {"first_name": "Ana", "last_name": "Ruiz", "company": "Zenith"},
        {"first_name": "Bo", "last_name": "Lind", "company": "Zenith"},
    ]
    assert "“buyer”" in played.text


def test_a_value_that_fits_nowhere_is_named() -> None:
    played = _create("lead {new:Ana Ruiz}, {value:hot}, priority {value:high}")
    assert played.arguments("create_lead") == {"first_name": "Ana", "last_name": "Ruiz"}
    assert "“hot”" in played.text
    assert "“high”" in played.text


def test_the_answer_tells_what_is_now_there_and_the_topic_remembers_it() -> None:
    played = _create("lead {new:Ana Ruiz} of {org:Zenith}")
    assert played.text.startswith("I've created the lead **Ana Ruiz** (Zenith).")
    assert played.topic.written == "You just created the lead **Ana Ruiz** (Zenith)."
    assert [(one.type, one.name) for one in played.topic.refs] == [("lead", "Ana Ruiz")]


def test_a_failed_creation_is_explained() -> None:
    played = _create("lead {new:Ana Ruiz}, email {value:ana@home}")
    assert played.text.startswith("I couldn't create the lead")
    assert played.topic.written == ""


def test_a_pronoun_means_the_name_said_before_in_the_message() -> None:
    arguments = _created("add {ref:her} as a lead", "create_lead", spoken=("Ana Ruiz",))
    assert arguments == {"first_name": "Ana", "last_name": "Ruiz"}


@pytest.mark.parametrize(
    ("line", "tool", "arguments"),
    [
        ("lead {new:Ana Ruiz}, {new:Ruiz Tiles}", "create_lead", {"company": "Ruiz Tiles", "last_name": "Ruiz"}),
        ("lead {new:Ana Ruiz}, {topic:Zenith GmbH}", "create_lead", {"company": "Zenith GmbH"}),
        ("contact {new:Ana Ruiz}, {new:support manager}", "create_contact", {"job_title": "support manager"}),
        ("account {new:Zenith}, {new:industry tea}", "create_account", {"industry": "tea"}),
        ("account {new:Zenith}, {field:industry} {org:Aerospace}", "create_account", {"industry": "Aerospace"}),
        ("account {new:Zenith}, {new:website zenith}.example", "create_account", {"website": "zenith.example"}),
        ("lead {new:Ana Ruiz} with {name:referral} as the source", "create_lead", {"source": "referral"}),
        ("{new:Ana Ruiz} from the company {value:Zenith}, a lead", "create_lead", {"last_name": "Ruiz"}),
    ],
)
def test_a_name_that_is_something_else_of_the_one_record_makes_no_second_one(
    line: str, tool: str, arguments: dict[str, Any]
) -> None:
    played = _create(line)
    assert played.tools.count(tool) == 1
    assert arguments.items() <= played.arguments(tool).items()


@pytest.mark.parametrize(
    ("line", "tool", "arguments"),
    [
        ("account {new:Zenith}, {value:220} employees", "create_account", {"employee_count": 220}),
        ("account {new:Zenith}, retail, customer", "create_account", {"industry": "retail", "type": "customer"}),
        ("lead {new:Ana Ruiz}, met her at the trade show", "create_lead", {"source": "trade_show"}),
        ("lead {new:Ana Ruiz} worth $40k", "create_lead", {"estimated_value": 40000}),
        ("lead {new:Ana Ruiz}, {value:555-0199}", "create_lead", {"phone": "555-0199"}),
        (
            "deal {new:Lifts}: {text:$48,000, stage qualification, expected to close on 15 June}",
            "create_opportunity",
            {"amount": 48000, "stage": "qualification", "close_date": "2026-06-15"},
        ),
    ],
)
def test_what_the_tagger_missed_is_still_used(line: str, tool: str, arguments: dict[str, Any]) -> None:
    assert arguments.items() <= _created(line, tool).items()


@pytest.mark.parametrize("line", ["account for {new:John Brown}", "contact {new:Zenith Labs}"])
def test_a_name_that_does_not_fit_its_kind_is_asked_about(line: str) -> None:
    played = _create(line)
    assert "a lead, a contact, an account or a deal?" in played.text
    assert not any(tool.startswith("create_") for tool in played.tools)


def test_the_kind_in_the_answer_is_taken_even_if_the_name_does_not_fit() -> None:
    assert _created("account for {new:John Brown} {value:an account}", "create_account")["company_name"] == "John Brown"


def test_a_name_of_no_known_customer_is_that_of_the_deal() -> None:
    assert _created("open an opp {name:Sensors Upgrade}, {amount:28k}", "create_opportunity") == {
        "name": "Sensors Upgrade",
        "amount": 28000,
    }


def test_the_question_before_a_doubted_creation_names_what_has_no_place() -> None:
    played = _create("lead {new:Ana Ruiz}, {value:hot}", doubt="I'm not sure I understood you")
    assert played.calls[-1].doubt == "I'm not sure I understood you, and I don't know where to put “hot”"


def test_a_pronoun_means_the_person_of_the_names_said_before_and_brings_the_company() -> None:
    arguments = _created("register {ref:her} as a lead", "create_lead", spoken=("Ana Ruiz", "Chief", "Zenith Labs"))
    assert arguments == {"first_name": "Ana", "last_name": "Ruiz", "company": "Zenith Labs"}


def test_each_of_several_people_has_the_company_after_the_name() -> None:
    line = "create_record: add as leads: {new:Ana Silva} from {org:Porto Foods}, {new:Ben Cole} from {org:Cole & Sons}"
    companies = [call.arguments["company"] for call in run(line).calls if call.tool == "create_lead"]
    assert companies == ["Porto Foods", "Cole & Sons"]


@pytest.mark.parametrize(
    ("line", "company"),
    [
        ("new lead {new:gary stockton} from {org:stockton} {value:conveyors}", "Stockton Conveyors"),
        ("new lead {new:nina petrov}, {new:petrov print} works", "Petrov Print Works"),
        ("new lead {new:joe tanner} at {org:tanner roofing} works as {value:buyer}", "Tanner Roofing"),
        ("new lead {new:mike ortiz} from {org:ortiz plumbing} {value:warm}", "Ortiz Plumbing"),
    ],
)
def test_a_company_is_called_by_all_words_that_nothing_else_explains(line: str, company: str) -> None:
    assert run(f"create_record: {line}").arguments("create_lead")["company"] == company


@pytest.mark.parametrize("company", ["Evergreen", "evergreen builders", "Evergreen Builders"])
def test_a_new_contact_is_linked_to_the_one_account_of_a_part_of_its_name(company: str) -> None:
    desk = demo_desk()
    created = _created(f"a contact at {{org:{company}}}, {{new:Ana Ruiz}}", "create_contact", desk=desk)
    assert created["account_id"] == ref(desk, "account", "Evergreen Builders").id


def test_a_contact_under_the_same_account_is_linked_to_the_one_spoken_of() -> None:
    desk = demo_desk()
    account = ref(desk, "account", "Evergreen Builders")
    line = "a contact under the same account, {new:Ana Ruiz}"
    assert _created(line, "create_contact", desk=desk, topic=Topic((account,)))["account_id"] == account.id


def test_a_deal_for_the_account_has_the_name_that_is_said_for_it() -> None:
    desk = demo_desk()
    line = "open a deal for the account {name:Willow Creek Schools} by the name “{new:Digital Library}”, {amount:48k}"
    deal = _created(line, "create_opportunity", desk=desk)
    assert (deal["name"], deal["account_id"]) == ("Digital Library", ref(desk, "account", "Willow Creek Schools").id)


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("account {new:Zenith Labs}, {value:60} {field:employees}", "employee_count", 60),
        ("account {new:Zenith Labs}, {value:60} {name:ppl}", "employee_count", 60),
        (
            "account {new:Zenith Labs}, {value:60} {field:employees}, {value:zenith.example}",
            "website",
            "zenith.example",
        ),
    ],
)
def test_a_number_goes_with_what_it_counts_and_a_web_address_with_the_website(line: str, name: str, value: Any) -> None:
    assert _created(line, "create_account")[name] == value


@pytest.mark.parametrize(("job", "joint"), [("tour planner", "at"), ("works councillor", "of")])
def test_what_a_new_person_is_at_a_company_is_the_job(job: str, joint: str) -> None:
    line = f"lead {{new:Ana Ruiz}}, {{value:{job}}} {joint} {{org:Zenith Travel}}"
    assert _created(line, "create_lead")["job_title"] == job


def test_a_value_before_as_is_of_the_field_after_it() -> None:
    line = "a lead {new:Ana Ruiz} with {value:80} as the {field:score}, {value:buyer} of {org:Zenith Labs}"
    created = _created(line, "create_lead")
    assert (created["score"], created["job_title"], created["company"]) == (80, "buyer", "Zenith Labs")
