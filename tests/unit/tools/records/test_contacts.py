import pytest
from msgspec.structs import replace

from tests.support.tenants.desk import ANN, EVE, Desk


def test_a_full_name_is_enough(desk: Desk) -> None:
    record = desk.do("create_contact", name="Mary Ann Smith", email="mary@abc.example")["record"]
    assert (record["first_name"], record["last_name"]) == ("Mary", "Ann Smith")
    assert record["status"] == "active"
    assert record["owner"] == "ann"


def test_a_contact_without_a_name_is_asked_about(desk: Desk) -> None:
    error = desk.refuse("create_contact", email="mary@abc.example")
    assert error["code"] == "missing_field"
    assert error["detail"] == {"field": "name"}


def test_an_account_with_exactly_the_companys_name_is_linked(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp")
    linked = desk.do("create_contact", name="Mary", company="abc corp")["record"]
    assert (linked["account_id"], linked["company"]) == (account, "ABC Corp")
    free = desk.do("create_contact", name="Ned", company="Nobody Ltd")["record"]
    assert "account_id" not in free
    assert free["company"] == "Nobody Ltd"


def test_an_unknown_account_is_refused(desk: Desk) -> None:
    theirs = desk.at(EVE).put("account", name="ABC Corp")
    error = desk.refuse("create_contact", name="Mary", account_id=theirs)
    assert (error["code"], error["entity_type"]) == ("not_found", "account")
    assert desk.total("contact") == 0


@pytest.mark.parametrize("company", ["ABC Corp", "abc", "abc corp"])
def test_people_are_found_by_their_company(desk: Desk, company: str) -> None:
    account = desk.put("account", name="ABC Corp")
    desk.put("contact", first_name="Mary", account_id=account, company="ABC Corp")
    desk.put("contact", first_name="Ned", company="XYZ Inc")
    assert desk.names("search_contacts", company=company) == ["Mary"]


def test_a_company_without_account_is_found_by_its_name(desk: Desk) -> None:
    desk.put("contact", first_name="Ned", company="XYZ Inc")
    assert desk.names("search_contacts", company="xyz inc") == ["Ned"]


def test_moving_to_another_account_takes_its_name(desk: Desk) -> None:
    first, second = (desk.put("account", name=name) for name in ("ABC Corp", "XYZ Inc"))
    mary = desk.put("contact", first_name="Mary", account_id=first, company="ABC Corp")
    moved = desk.do("update_contact", contact_id=mary, account_id=second)
    assert moved["record"]["company"] == "XYZ Inc"
    assert moved["receipt"]["before"] == {"account_id": first, "company": "ABC Corp"}


def test_accounts_can_not_be_read_through_a_contact(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp")
    outsider = desk.at(replace(ANN, modules=frozenset({"contacts"})))
    assert outsider.refuse("create_contact", name="Mary", account_id=account)["message"] == (
        "User lacks module access: accounts"
    )
    assert "account_id" not in outsider.do("create_contact", name="Mary", company="ABC Corp")["record"]


def test_a_deleted_contact_is_gone(desk: Desk) -> None:
    mary = desk.put("contact", first_name="Mary")
    assert desk.do("delete_contact", contact_id=mary)["receipt"]["action"] == "deleted"
    assert desk.refuse("get_contact", contact_id=mary)["code"] == "not_found"
