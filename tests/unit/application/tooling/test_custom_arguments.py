"""The values of a team's own fields are converted and checked before a tool runs."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.tenants.custom_fields import declared_fields, merged
from aisha.application.tooling.arguments.custom_arguments import split_arguments, with_custom_fields
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.errors import InvalidInputError
from aisha.domain.tools import ToolSpec

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SPEC = with_custom_fields(
    ToolSpec("update_lead", "", {"properties": {"status": {"type": "string"}}}, {}, "leads", "write"),
    {
        "lead": (
            CustomField("region", values=("North", "South-East"), writable=True),
            CustomField("fleet_size", type="number", writable=True),
            CustomField("renewal", type="date", writable=True),
            CustomField("vip", type="boolean", writable=True),
            CustomField("hobby", writable=True),
            CustomField("segment"),
            CustomField("status", values=("Own",), writable=True),
        )
    },
)


@pytest.mark.parametrize(
    ("name", "given", "stored"),
    [
        ("region", "south east", "South-East"),
        ("fleet_size", "1,200", 1200),
        ("fleet_size", 12.5, 12.5),
        ("renewal", "2026-06-01", "2026-06-01"),
        ("renewal", "Friday", "2026-03-06"),
        ("vip", "yes", True),
        ("hobby", " golf ", "golf"),
    ],
)
def test_a_value_is_stored_in_the_form_of_its_field(name: str, given: Any, stored: Any) -> None:
    arguments, custom = split_arguments(SPEC, {"status": "warm", name: given}, NOW)
    assert (arguments, custom) == ({"status": "warm"}, {name: stored})


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("region", "Mars", "none of its values: North, South-East"),
        ("fleet_size", "many", "no number"),
        ("fleet_size", "nan", "no number"),
        ("fleet_size", True, "no number"),
        ("renewal", "soon", "no date"),
        ("vip", "perhaps", "neither true nor false"),
        ("hobby", {"name": "golf"}, "needs a text"),
        ("hobby", "x" * 300, "at most 200"),
        ("segment", "gold", "can be read here, and not changed"),
    ],
)
def test_a_value_that_a_field_can_not_have_is_refused_by_its_name(name: str, given: Any, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason) as caught:
        split_arguments(SPEC, {name: given}, NOW)
    assert caught.value.pointer == f"/{name}"


def test_a_parameter_that_all_teams_have_stays_as_it_is() -> None:
    assert SPEC.properties["status"] == {"type": "string"}
    assert "status" not in [field.name for field in SPEC.custom]


def test_a_profile_says_more_of_a_field_of_the_crm_and_makes_nothing_writable_that_the_crm_does_not() -> None:
    declared = declared_fields(
        {
            "custom_fields": {
                "lead": [
                    {"name": "region", "values": ["North"], "writable": True},
                    {"name": "note_of_ours", "writable": True},
                ]
            }
        }
    )
    of_crm = {"lead": (CustomField("region"), CustomField("tier", writable=True))}
    assert {one.name: (one.values, one.writable) for one in merged(declared, of_crm)["lead"]} == {
        "region": (("North",), False),
        "tier": ((), True),
        "note_of_ours": ((), True),
    }
