"""The mapping files of this repository, and what a wrong one is told at the start."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.crm.mapping import (
    LOCAL_TYPES,
    PLACEHOLDERS,
    Endpoint,
    FieldMap,
    MappingFile,
    Resource,
    read_mapping,
)
from aisha.domain.crm.records import RECORD_TYPES
from tests.support.connected import FILES

NAMES = sorted(path.stem for path in FILES.glob("[a-z]*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_valid_and_says_what_it_can_not_do(name: str) -> None:
    file = read_mapping(FILES / f"{name}.json")
    missing = set(RECORD_TYPES) - LOCAL_TYPES - {resource.type for resource in file.resources}
    assert missing <= set(file.unsupported)
    assert all(len(reason) > 20 and reason.endswith(".") for reason in file.unsupported.values())


def test_the_crms_of_the_documentation_have_files() -> None:
    assert set(NAMES) >= {"hubspot", "salesforce", "pipedrive", "odoo", "twenty", "espocrm", "bottlecrm"}


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "unknown key": (lambda file: file["resources"][0].update(pagnator={}), "resources.0.pagnator: Extra inputs"),
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
        "{token} is none of",
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
    change, told = WRONG[case]
    change(file)
    (tmp_path / "hubspot.json").write_text(json.dumps(file), encoding="utf-8")
    with pytest.raises(ValueError, match=r"hubspot\.json can't be used") as caught:
        read_mapping(tmp_path / "hubspot.json")
    assert told in str(caught.value)


def test_an_unknown_crm_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="There are files for bottlecrm"):
        read_mapping(FILES / "siebel.json")


def test_the_example_of_the_documentation_is_a_valid_file(tmp_path: Path) -> None:
    text = (FILES.parents[1] / "docs/connecting.md").read_text(encoding="utf-8")
    (tmp_path / "kontor.json").write_text(text.partition("```json")[2].partition("```")[0], encoding="utf-8")
    assert [resource.type for resource in read_mapping(tmp_path / "kontor.json").resources] == ["opportunity"]


def test_every_placeholder_and_member_of_a_file_is_in_the_documentation() -> None:
    text = (FILES.parents[1] / "docs/connecting.md").read_text(encoding="utf-8")
    assert [name for name in PLACEHOLDERS if f"{{{name}}}" not in text] == []
    members = {name for model in (MappingFile, Resource, Endpoint, FieldMap) for name in model.model_fields}
    shown = {name.rstrip("_") for name in members} - {
        "schema",
        "body",
        "name",
        "title",
        "at",
        "add",
        "columns",
        "when",
        "numeric",
    }
    assert [name for name in sorted(shown) if f"`{name}" not in text and f'"{name}"' not in text] == []
