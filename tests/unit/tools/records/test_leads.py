from msgspec.structs import replace

from tests.support.tenants.desk import ANN, BOB, EVE, Desk


def test_a_lead_is_created_for_the_caller_and_found_despite_a_typo(desk: Desk) -> None:
    created = desk.do("create_lead", first_name="Jack", last_name="Russel", company="ABC Corp", tags=["VIP"])
    assert created["record"]["owner"] == "ann"
    assert created["record"]["status"] == "new"
    assert created["record"]["tags"] == ["vip"]
    assert created["receipt"]["action"] == "created"
    assert desk.names("search_leads", name_contains="jack russell") == ["Jack Russel"]


def test_leads_are_filtered_and_the_highest_score_comes_first(desk: Desk) -> None:
    for name, status, score in (("Ann", "warm", 40), ("Ben", "warm", 90), ("Cid", "new", 70)):
        desk.put("lead", first_name=name, status=status, score=score)
    assert desk.names("search_leads", status="Warm") == ["Ben", "Ann"]
    assert desk.names("search_leads", min_score=50, owner="me") == ["Ben", "Cid"]
    assert desk.names("search_leads", owner="bob") == []


def test_a_conversion_makes_contact_account_and_deal_and_happens_once(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", company="ABC Corp", status="qualified")
    result = desk.do("convert_lead", lead_id=lead, amount=5000)
    assert result["lead"]["status"] == "converted"
    assert result["lead"]["converted"]["account_id"] == result["account"]["id"]
    assert [desk.total(kind) for kind in ("contact", "account", "opportunity")] == [1, 1, 1]

    again = desk.refuse("convert_lead", lead_id=lead)
    assert again["code"] == "conflict"
    assert "already been converted" in again["message"]
    assert desk.total("contact") == 1


def test_a_status_alone_converts_no_lead(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", company="ABC Corp", status="qualified")
    refused = desk.refuse("update_lead", lead_id=lead, status="converted")
    assert "convert_lead" in refused["suggestion"]
    assert desk.do("get_lead", lead_id=lead)["status"] == "qualified"
    desk.do("convert_lead", lead_id=lead)
    assert desk.do("update_lead", lead_id=lead, status="converted", score=90)["record"]["score"] == 90


def test_a_lead_needs_a_name_or_a_company(desk: Desk) -> None:
    error = desk.refuse("create_lead", email="jack@abc.example")
    assert error["code"] == "missing_field"
    assert "name or the company" in error["suggestion"]
    assert desk.do("create_lead", company="ABC Corp")["record"]["display_name"] == "ABC Corp"


def test_a_conversion_needs_the_modules_of_what_it_makes(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", company="ABC Corp", status="qualified")
    for closed in ("contacts", "accounts"):
        narrow = desk.at(replace(ANN, modules=ANN.modules - {closed}))
        assert narrow.refuse("convert_lead", lead_id=lead)["detail"] == {"module": closed}
    bob = desk.at(BOB)
    assert bob.refuse("convert_lead", lead_id=lead, amount=5000)["detail"] == {"module": "opportunities"}
    assert desk.total("contact") == 0
    assert bob.do("convert_lead", lead_id=lead)["lead"]["status"] == "converted"


def test_a_contact_is_put_into_an_account_that_is_there(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", company="ABC", status="qualified")
    theirs = desk.at(EVE).put("account", name="ABC Corp")
    assert desk.refuse("convert_lead", lead_id=lead, account_id=theirs)["code"] == "not_found"
    ours = desk.put("account", name="ABC Corp")
    assert desk.do("convert_lead", lead_id=lead, account_id=ours)["account"]["name"] == "ABC Corp"
    assert desk.total("account") == 1


def test_only_what_is_given_changes(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", email="jack@abc.example", status="new")
    changed = desk.do("update_lead", lead_id=lead, status="qualified")
    assert changed["record"]["email"] == "jack@abc.example"
    assert changed["receipt"]["before"] == {"status": "new"}
    assert changed["receipt"]["after"] == {"status": "qualified"}
    assert desk.refuse("update_lead", lead_id=lead)["code"] == "invalid_input"


def test_another_tenants_lead_does_not_exist(desk: Desk) -> None:
    theirs = desk.at(EVE).put("lead", first_name="Jack")
    for tool in ("get_lead", "delete_lead", "convert_lead"):
        assert desk.refuse(tool, lead_id=theirs)["code"] == "not_found"
    assert desk.names("search_leads", name_contains="jack") == []


def test_a_contact_joins_the_account_of_its_company_by_itself(desk: Desk) -> None:
    ours = desk.put("account", name="ABC Corp")
    lead = desk.put("lead", first_name="Jack", company="abc corp", status="qualified")
    result = desk.do("convert_lead", lead_id=lead)
    assert result["account"]["id"] == ours
    assert result["possible_duplicates"] == []
    assert desk.total("account") == 1


def test_accounts_of_a_similar_name_are_named(desk: Desk) -> None:
    desk.put("account", name="ABC Corporation Chicago")
    lead = desk.put("lead", first_name="Jack", company="ABC Corporation", status="qualified")
    result = desk.do("convert_lead", lead_id=lead)
    assert result["account"]["name"] == "ABC Corporation"
    assert [account["name"] for account in result["possible_duplicates"]] == ["ABC Corporation Chicago"]


def test_of_two_accounts_of_one_name_none_is_guessed(desk: Desk) -> None:
    for _ in range(2):
        desk.put("account", name="ABC Corp")
    lead = desk.put("lead", first_name="Jack", company="ABC Corp", status="qualified")
    assert desk.refuse("convert_lead", lead_id=lead)["message"] == "There are 2 accounts called ABC Corp"
    assert desk.total("contact") == 0
