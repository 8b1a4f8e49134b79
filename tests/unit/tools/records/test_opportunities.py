from datetime import timedelta

import pytest
from msgspec.structs import replace

from tests.support.tenants.desk import EVE, NOW, Desk

TODAY = NOW.date()


def _day(days: int) -> str:
    return (TODAY + timedelta(days=days)).isoformat()


def test_a_deal_begins_with_its_stages_probability(desk: Desk) -> None:
    record = desk.do("create_opportunity", name="License", amount=1200, stage="Proposal")["record"]
    assert (record["stage"], record["probability"], record["currency"]) == ("proposal", 50, "USD")


def test_a_deal_is_not_linked_to_an_unknown_account(desk: Desk) -> None:
    theirs = desk.at(EVE).put("account", name="ABC Corp")
    assert desk.refuse("create_opportunity", name="License", account_id=theirs)["entity_type"] == "account"
    assert desk.total("opportunity") == 0


def test_deals_are_filtered_by_amount_and_stage_the_largest_first(desk: Desk) -> None:
    for name, amount, stage in (("Small", 100, "proposal"), ("Large", 900, "proposal"), ("Won", 500, "closed_won")):
        desk.put("opportunity", name=name, amount=amount, stage=stage)
    assert desk.names("search_opportunities") == ["Large", "Won", "Small"]
    assert desk.names("search_opportunities", min_value=200, max_value=600) == ["Won"]
    assert desk.names("search_opportunities", open_only=True) == ["Large", "Small"]
    assert desk.names("search_opportunities", stage="won") == ["Won"]


def test_what_closes_soon_is_open_and_comes_in_order(desk: Desk) -> None:
    for name, days, stage in (("Later", 6, "proposal"), ("Soon", 1, "negotiation"), ("Done", 2, "closed_won")):
        desk.put("opportunity", name=name, close_date=_day(days), stage=stage)
    assert desk.names("search_opportunities", closing_before=_day(7)) == ["Soon", "Later"]
    assert desk.names("search_opportunities", closing_after=_day(2), closing_before=_day(7), stage="won") == ["Done"]


def test_what_closed_in_the_past_is_shown_too(desk: Desk) -> None:
    desk.put("opportunity", name="Done", close_date=_day(-3), stage="closed_won")
    assert desk.names("search_opportunities", closing_after=_day(-9), closing_before=_day(-1)) == ["Done"]


@pytest.mark.parametrize(
    ("stage", "then", "probability"),
    [("prospecting", "qualification", 25), ("proposal", "negotiation", 75), ("negotiation", "closed_won", 100)],
)
def test_a_deal_moves_to_the_next_stage_in_order(desk: Desk, stage: str, then: str, probability: int) -> None:
    deal = desk.put("opportunity", name="License", stage=stage, probability=33)
    record = desk.do("advance_opportunity_stage", opportunity_id=deal)["record"]
    assert (record["stage"], record["probability"]) == (then, probability)


def test_a_deal_moves_to_the_stage_named(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License")
    record = desk.do("advance_opportunity_stage", opportunity_id=deal, stage="lost")["record"]
    assert (record["stage"], record["probability"]) == ("closed_lost", 0)


@pytest.mark.parametrize("stage", ["closed_won", "closed_lost"])
def test_a_closed_deal_moves_no_further(desk: Desk, stage: str) -> None:
    deal = desk.put("opportunity", name="License", stage=stage)
    assert desk.refuse("advance_opportunity_stage", opportunity_id=deal)["code"] == "conflict"
    assert desk.refuse("advance_opportunity_stage", opportunity_id=deal, stage="proposal")["code"] == "conflict"
    assert desk.do("get_opportunity", opportunity_id=deal)["stage"] == stage


def test_moving_to_the_stage_it_is_in_is_refused(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License", stage="proposal")
    assert desk.refuse("advance_opportunity_stage", opportunity_id=deal, stage="proposal")["code"] == "conflict"


def test_a_new_stage_brings_its_probability_unless_one_is_given(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License")
    assert desk.do("update_opportunity", opportunity_id=deal, stage="negotiation")["record"]["probability"] == 75
    changed = desk.do("update_opportunity", opportunity_id=deal, stage="proposal", probability=60)["record"]
    assert changed["probability"] == 60
    assert desk.do("update_opportunity", opportunity_id=deal, next_step="Send it")["record"]["probability"] == 60


def test_the_forecast_weighs_open_deals_by_stage(desk: Desk) -> None:
    desk.put("opportunity", name="A", amount=1000, stage="proposal")
    desk.put("opportunity", name="B", amount=200, stage="proposal", probability=25)
    desk.put("opportunity", name="C", amount=400, stage="negotiation", owner="bob")
    desk.put("opportunity", name="D", amount=9999, stage="closed_won")

    forecast = desk.do("forecast_pipeline")
    assert (forecast["count"], float(forecast["amount"]), float(forecast["weighted"])) == (3, 1600, 850)
    assert forecast["currency"] == "USD"
    assert [(row["stage"], row["count"], float(row["weighted"])) for row in forecast["stages"]] == [
        ("proposal", 2, 550),
        ("negotiation", 1, 300),
    ]
    assert desk.do("forecast_pipeline", owner="bob")["count"] == 1


def test_the_forecast_of_a_period_is_of_what_closes_in_it(desk: Desk) -> None:
    for name, close_date, amount in (
        ("First day", "2026-01-01", 100),
        ("Last day", "2026-03-31", 20),
        ("Next quarter", "2026-04-01", 3000),
        ("Without a day", None, 9000),
    ):
        desk.put("opportunity", name=name, amount=amount, stage="proposal", close_date=close_date)
    desk.put("opportunity", name="Won", amount=500, stage="closed_won", close_date="2026-03-01")
    desk.put("opportunity", name="No amount", stage="negotiation", close_date="2026-03-01", owner="bob")
    this = desk.do("forecast_pipeline", period="this_quarter")
    assert (this["count"], float(this["amount"]), float(this["weighted"])) == (3, 120, 60)
    assert (this["first"], this["last"], "truncated" in this) == ("2026-01-01", "2026-03-31", False)
    assert [(row["stage"], row["count"]) for row in this["stages"]] == [("proposal", 2), ("negotiation", 1)]
    assert float(desk.do("forecast_pipeline", period="next_quarter")["amount"]) == 3000
    assert desk.do("forecast_pipeline", period="this_quarter", owner="bob")["count"] == 1


def test_a_forecast_over_very_many_deals_says_what_it_leaves_out(desk: Desk) -> None:
    for number in range(60):
        desk.put("opportunity", name=f"Deal {number}", amount=10, stage="proposal", close_date="2026-03-09")
    desk.ports = replace(desk.ports, scan_records=50)
    forecast = desk.do("forecast_pipeline", period="this_month")
    assert (forecast["count"], forecast["truncated"]) == (50, True)


def test_the_forecast_never_adds_two_currencies(desk: Desk) -> None:
    desk.put("opportunity", name="A", amount=1000, stage="proposal")
    desk.put("opportunity", name="B", amount=400, stage="proposal", currency="EUR")
    forecast = desk.do("forecast_pipeline")
    assert "amount" not in forecast
    assert [(row["currency"], float(row["weighted"])) for row in forecast["by_currency"]] == [
        ("EUR", 200),
        ("USD", 500),
    ]
