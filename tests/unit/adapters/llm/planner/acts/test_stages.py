"""Orders that move a deal to a stage, or convert a lead."""

from typing import Any

import pytest

from tests.support.dialogue.planner import DEAL, changed_values, demo_desk, question_of, ref, run, topic_of


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (f"move {{name:{DEAL}}} to {{value:negotiation}}", {"stage": "negotiation"}),
        (f"{{name:{DEAL}}} is {{value:lost}}", {"stage": "closed_lost"}),
        (f"we won {{name:{DEAL}}}", {"stage": "closed_won"}),
        (f"push {{name:{DEAL}}} one stage further", {}),
        (f"from {{value:proposal}} to {{value:negotiation}} with {{name:{DEAL}}}", {"stage": "negotiation"}),
        (f"{{name:{DEAL}}} is {{value:won}}, they signed {{when:two weeks ago}}", {"stage": "closed_won"}),
    ],
)
def test_a_deal_moves_to_the_stage_said_or_the_next(line: str, values: dict[str, Any]) -> None:
    desk = demo_desk()
    played = run(f"advance_stage: {line}", desk)
    assert played.arguments("advance_opportunity_stage") == {
        "opportunity_id": ref(desk, "opportunity", DEAL).id,
        **values,
    }


def test_a_stage_with_another_field_is_one_change() -> None:
    values = changed_values(
        f"advance_stage: we've signed {{name:{DEAL}}} for {{amount:70k}}, {{value:closed won}}", "update_opportunity"
    )
    assert values == {"stage": "closed_won", "amount": 70000}


def test_an_unknown_stage_is_named_with_those_there_are() -> None:
    played = run(f"advance_stage: move {{name:{DEAL}}} to {{value:contract}}")
    assert question_of(played).tag == "value"
    assert "There is no stage “contract”. It can be prospecting" in played.text


def test_a_stage_that_is_not_said_is_asked_for() -> None:
    assert "Which stage" in run(f"advance_stage: move {{name:{DEAL}}}").text


def test_a_customer_means_the_only_open_deal_with_it() -> None:
    desk = demo_desk()
    account = desk.put("account", name="Ridgeback")
    deal = desk.put("opportunity", name="Fleet", account_id=account, stage="proposal")
    played = run("advance_stage: {name:Ridgeback} is {value:won}", desk)
    assert played.arguments("advance_opportunity_stage") == {"opportunity_id": deal, "stage": "closed_won"}
    desk.put("opportunity", name="Drones", account_id=account, stage="proposal")
    desk.put("opportunity", name="Boats", account_id=account, stage="proposal")
    asked = run("advance_stage: {name:Ridgeback} is {value:lost}", desk)
    assert {one.name for one in question_of(asked).candidates} == {"Drones", "Boats"}


def test_a_lead_is_lost_as_a_lead_and_won_by_its_conversion() -> None:
    assert changed_values("advance_stage: {name:Jack Russel} is {value:lost}", "update_lead") == {"status": "lost"}
    assert "convert_lead" in run("advance_stage: {name:Jack Russel} is {value:won}").tools
    assert "convert_lead" in run("update_record: mark {name:Jack Russel} as {value:converted}").tools


def test_a_new_owner_is_no_stage() -> None:
    desk = demo_desk()
    topic = topic_of(desk, "lead", "Jack Russel")
    line = "advance_stage: give {ref:him} back to {value:Bob}"
    assert changed_values(line, "update_lead", desk=desk, topic=topic) == {"owner": "bob"}


def test_a_lead_has_no_stages() -> None:
    assert "Only deals have stages" in run("advance_stage: move {name:Jack Russel} to {value:negotiation}").text


def test_a_conversion_uses_the_account_of_the_company_and_opens_the_deal_said() -> None:
    desk = demo_desk()
    account = ref(desk, "account", "ABC Corp")
    played = run("convert: make {name:Jack Russel} a customer with a deal over {amount:40k}", desk)
    arguments = played.arguments("convert_lead")
    assert (arguments["account_id"], arguments["create_opportunity"], arguments["amount"]) == (account.id, True, 40000)
    assert played.text.startswith(
        "I've converted **Jack Russel** to a contact at the account **ABC Corp**, with the deal"
    )


def test_only_leads_are_converted() -> None:
    assert (
        run("convert: convert {name:Wei Zhang}").text == "**Wei Zhang** is not a lead, so there is nothing to convert."
    )
