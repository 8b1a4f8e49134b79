from tests.support.tenants.desk import BOB, Desk


def test_an_account_is_created_by_its_company_name(desk: Desk) -> None:
    record = desk.do("create_account", company_name="ABC Corp", industry="Retail", type="Customer")["record"]
    assert (record["name"], record["industry"], record["type"]) == ("ABC Corp", "Retail", "customer")
    assert (record["owner"], record["health"]) == ("ann", "unknown")


def test_accounts_are_filtered(desk: Desk) -> None:
    desk.put("account", name="ABC Corp", industry="Retail", health="at_risk", employee_count=20)
    desk.put("account", name="XYZ Inc", industry="Energy", employee_count=900)
    assert desk.names("search_accounts", industry="retail") == ["ABC Corp"]
    assert desk.names("search_accounts", health="at risk") == ["ABC Corp"]
    assert desk.names("search_accounts", min_employees=100) == ["XYZ Inc"]
    assert desk.names("search_accounts") == ["ABC Corp", "XYZ Inc"]


def test_an_account_is_read_with_contacts_and_open_deals(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp")
    desk.put("contact", first_name="Mary", account_id=account)
    desk.put("contact", first_name="Ned")
    desk.put("opportunity", name="License", account_id=account)
    desk.put("opportunity", name="Lost one", account_id=account, stage="closed_lost")

    details = desk.do("get_account", account_id=account)
    assert details["account"]["display_name"] == "ABC Corp"
    assert [item["display_name"] for item in details["contacts"]] == ["Mary"]
    assert [item["display_name"] for item in details["opportunities"]] == ["License"]
    assert "opportunities" not in desk.at(BOB).do("get_account", account_id=account)


def test_an_account_is_renamed_and_deleted(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp")
    assert desk.do("update_account", account_id=account, company_name="ABC Group")["record"]["name"] == "ABC Group"
    desk.do("delete_account", account_id=account)
    assert desk.total("account") == 0
