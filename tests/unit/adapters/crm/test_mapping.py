"""The mapping files of this repository, and what a wrong one is told at the start."""

import json
import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

import pytest

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.file import MappingFile, read_mapping
from aisha.adapters.crm.mapping_file.record_fields import LOCAL_TYPES, REQUIRED
from aisha.adapters.crm.mapping_file.requests import PLACEHOLDERS, Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.http_tools.templates import filled
from aisha.api.schemas.administration.profile import ProfileBody
from aisha.domain.crm.connector import Connection
from aisha.domain.crm.records import RECORD_TYPES
from tests.support.tenants.connected import FILES

NAMES = sorted(path.stem for path in FILES.glob("[a-z]*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_valid_and_says_what_it_can_not_do(name: str) -> None:
    file = read_mapping(FILES / f"{name}.json")
    missing = set(RECORD_TYPES) - LOCAL_TYPES - {resource.type for resource in file.resources}
    assert missing <= set(file.unsupported)
    assert all(len(reason) > 20 and reason.endswith(".") for reason in file.unsupported.values())


def test_the_crms_of_the_documentation_have_files() -> None:
    assert set(NAMES) >= {"hubspot", "salesforce", "pipedrive", "odoo", "twenty", "espocrm", "bottlecrm", "suitecrm"}
    tested = _page("connecting").partition("How far each file is tested")[2].partition("\n## ")[0]
    titles = {name: json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))["title"] for name in NAMES}
    assert [name for name, title in titles.items() if title.removesuffix(" Sales") not in tested] == []


def test_the_documentation_names_each_field_and_value_that_a_file_may_map() -> None:
    text = _page("mapping-files")
    rows = {row.split("`")[1]: row for row in text.splitlines() if row.startswith("| `") and row.count("**`")}
    assert set(rows) == set(RECORD_TYPES) - LOCAL_TYPES
    ours = {"id", "created_at", "updated_at", "version", "owner", "tags", "custom", "remote", "tenant_id", "converted"}
    for kind, row in rows.items():
        model = RECORD_TYPES[kind].model_fields
        assert {name.partition(".")[0] for name in re.findall(r"`([a-z_.*]+)`", row)} - {kind} == set(model) - ours
        enums = [one for field in model.values() for one in _enums(field.annotation)]
        assert [value.value for one in enums for value in one if not re.search(rf"\b{value.value}\b", row)] == []
    assert {name for row in rows.values() for name in re.findall(r"\*\*`(\w+)`\*\*", row)} == {
        name for names in REQUIRED.values() for name in names
    }


def _page(name: str) -> str:
    return (FILES.parents[1] / f"docs/{name}.md").read_text(encoding="utf-8")


def _examples(page: str) -> list[str]:
    return [block.partition("```")[0] for block in _page(page).split("```json")[1:]]


def _enums(annotation: Any) -> list[type[StrEnum]]:
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return [annotation]
    return [found for part in get_args(annotation) for found in _enums(part)]


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "unknown key": (
        lambda file: file["resources"][0].update(pagnator={}),
        "resources.companies: there is no member 'pagnator' here",
    ),
    "missing required field": (lambda file: file["resources"][3]["fields"].pop("stage"), "needs a mapping of stage"),
    "unknown field": (
        lambda file: file["resources"][3]["fields"].update(colour="colour"),
        "opportunity has no field 'colour'",
    ),
    "wrong path": (lambda file: file["resources"][0]["fields"].update(phone="a[?"), "is no JMESPath"),
    "unknown table": (
        lambda file: file["resources"][3]["fields"]["stage"].update(values="stages"),
        "there is no table of values 'stages'",
    ),
    "unknown object": (
        lambda file: file["resources"][1]["fields"]["account_id"].update(link="firms"),
        "no resource has the object 'firms'",
    ),
    "unknown placeholder": (
        lambda file: file["resources"][0]["get"].update(path="/companies/{token}"),
        "{token} is no placeholder. There are placeholders ",
    ),
    "cursor without path": (
        lambda file: file["resources"][0]["list"].update(paginator={"type": "cursor"}),
        "needs cursor_path",
    ),
    "type left out": (
        lambda file: file["resources"].pop(),
        "no note; say in unsupported why",
    ),
    "oauth without url": (
        lambda file: file["client"].update(auth={"type": "oauth2_client_credentials"}),
        "needs access_token_url",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, case: str) -> None:
    file = json.loads((FILES / "hubspot.json").read_text(encoding="utf-8"))
    change, message = WRONG[case]
    change(file)
    (tmp_path / "hubspot.json").write_text(json.dumps(file), encoding="utf-8")
    with pytest.raises(ValueError, match=r"hubspot\.json can't be used") as caught:
        read_mapping(tmp_path / "hubspot.json")
    assert message in str(caught.value)


def resource(file: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in file["resources"] if one["type"] == kind)
    return found


CONTACTS = {"zoho": "Contacts", "close": "contact", "dynamics": "contacts"}
MISTAKES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "misspelt member of a field": (
        lambda file: resource(file, "opportunity")["fields"]["amount"].update(typ="cents"),
        r"resources\.\w+\.fields\.amount: there is no member 'typ' here\. Did you mean 'type'\?",
    ),
    "misspelt field": (
        lambda file: resource(file, "contact")["fields"].update(emial="x"),
        r"resources\.contacts: fields: contact has no field 'emial'\. Did you mean 'email'\?",
    ),
    "a value that AiSHA does not have": (
        lambda file: resource(file, "activity")["fields"]["status"].update(values={"done": "Completed"}),
        r"resources\.tasks: fields\.status: activity has no status 'done'\. There are cancelled,",
    ),
    "a rest that AiSHA does not have": (
        lambda file: resource(file, "opportunity")["fields"]["stage"].update(other="propsal"),
        r"fields\.stage: opportunity has no stage 'propsal'\. Did you mean 'proposal'\?",
    ),
    "an id without its object": (
        lambda file: resource(file, "contact")["fields"].update(account_id="company"),
        r"resources\.contacts: fields\.account_id: say with link which object the id is of",
    ),
    "a link to another type": (
        lambda file: resource(file, "opportunity")["fields"].update(
            account_id={"at": "x", "link": CONTACTS[file["name"]]}
        ),
        r"\w+\.account_id: the object '\w+' is no account",
    ),
    "a record's request without its id": (
        lambda file: resource(file, "account")["get"].update(path="/record"),
        r"resources\.\w+: get: it has no \{id\}",
    ),
    "a write without fields": (
        lambda file: resource(file, "account")["create"].update(json={}),
        r"resources\.\w+: create: it has no \{fields\}",
    ),
    "a page that is never turned": (
        lambda file: resource(file, "account")["list"].update(
            params={}, json=None, paginator={"type": "page_number"}, method="GET"
        ),
        r"resources\.\w+: list: a paginator of type page_number needs \{page\}",
    ),
    "an unknown form of times": (
        lambda file: resource(file, "account").update(incremental={"format": "rfc3339"}),
        r"resources\.\w+\.incremental\.format: it is iso, odoo, epoch, epoch_ms, or a pattern of strftime",
    ),
    "a template without the value": (
        lambda file: resource(file, "contact")["fields"].update(email={"at": "mail", "json": {"type": "work"}}),
        r"resources\.contacts\.fields\.email: json needs \{value\}",
    ),
    "an update without the id": (
        lambda file: resource(file, "account").update(
            update={"method": "POST", "path": "/change", "json": "{record}"}, record="{name: name}"
        ),
        r"resources\.\w+: update: it has no \{id\}",
    ),
    "a text beside a value with a field that is not there": (
        lambda file: resource(file, "contact")["fields"].update(email={"at": "mail", "also": {"x": "{nickname}"}}),
        r"resources\.contacts: fields\.email\.also: \{nickname\} is none of this resource's fields",
    ),
    "a time of day without its day": (
        lambda file: resource(file, "contact")["fields"].update(email={"at": "mail", "time": "hour"}),
        r"resources\.contacts\.fields\.email: time is for a field of the type day",
    ),
    "a time zone that does not exist": (
        lambda file: resource(file, "account").update(incremental={"format": "%d.%m.%Y %H:%M[Berlin]"}),
        r"resources\.\w+\.incremental\.format: there is no time zone 'Berlin'; zones are named as in Europe/Berlin",
    ),
    "a key in the path without its place": (
        lambda file: file["client"].update(base_url="https://crm.example/{secret}"),
        r"client: a key in the path is the \{secret\} of base_url, and auth says",
    ),
    "a webhook's token without its place": (
        lambda file: file.update(events={"signature": {"type": "token"}, "changed": "ids"}),
        r"events\.signature: a signature of type token has its place in the body",
    ),
    "a request left out": (lambda file: resource(file, "account").pop("get"), r"resources\.\w+: 'get' is missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTACTS)
@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_in_one_sentence_with_its_place(tmp_path: Path, case: str, name: str) -> None:
    file = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    change, message = MISTAKES[case]
    change(file)
    (tmp_path / f"{name}.json").write_text(json.dumps(file), encoding="utf-8")
    with pytest.raises(ValueError, match="can't be used") as caught:
        read_mapping(tmp_path / f"{name}.json")
    [_, line] = str(caught.value).splitlines()
    assert re.match(rf"(resources\.\w+: )?{message}", line)


def test_an_unknown_crm_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="There are files for attio, bitrix24, bottlecrm"):
        read_mapping(FILES / "siebel.json")


def test_the_example_of_the_documentation_is_a_valid_file(tmp_path: Path) -> None:
    own, declared = _examples("connecting")
    example, several, below = _examples("mapping-files")
    file = json.loads(example)
    file["resources"].append(json.loads(below))
    other = json.loads(example)
    other["resources"][0]["fields"] |= json.loads(several)
    for content in (example, json.dumps(file), json.dumps(other)):
        (tmp_path / "kontor.json").write_text(content, encoding="utf-8")
        assert read_mapping(tmp_path / "kontor.json").resources[0].type == "opportunity"
    hubspot = read_mapping(FILES / "hubspot.json", Connection("conn_test", "hubspot", fields=json.loads(own)))
    assert {"custom.region", "custom.budget_band"} <= next(iter(hubspot.of_type("lead"))).fields.keys()
    assert ProfileBody.model_validate(json.loads(declared)).custom_fields


def test_fields_within_a_longer_text_are_json_as_for_json_within_json() -> None:
    endpoint = Endpoint.model_validate({"path": "/x", "json": {"row": "{fields}", "text": " {fields}"}})
    assert filled(endpoint.body, {"fields": {"name": "A"}}) == {"row": {"name": "A"}, "text": ' {"name": "A"}'}


def test_every_placeholder_and_member_of_a_file_is_in_the_documentation() -> None:
    text = _page("mapping-files")
    assert [name for name in PLACEHOLDERS if f"{{{name}}}" not in text] == []
    members = {name for model in (MappingFile, Resource, Endpoint, FieldMap) for name in model.model_fields}
    shown = {name.rstrip("_") for name in members} - {
        "schema",
        "body",
        "around",
        "name",
        "title",
        "at",
        "add",
        "when",
    }
    assert [name for name in sorted(shown) if f"`{name}" not in text and f'"{name}"' not in text] == []
