"""Arguments whose values a tenant's CRM may have under names of its own, such as the stages of deals."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec.structs import replace
from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, WrapValidator

from aisha.domain.crm.enumerations import AccountType, ContactStatus, LeadSource, LeadStatus, Stage
from aisha.domain.crm.team_values import PLACES, TeamValues, named_value
from aisha.domain.tools import ToolSpec

CHOICES: tuple[type[StrEnum], ...] = (Stage, LeadStatus, LeadSource, ContactStatus, AccountType)
"""The enumerations that arguments accept by the tenant's own names."""
TEAM_VALUES = "team_values"
"""The tenant's values in the context of a validation."""


def _validator(values: type[StrEnum]) -> WrapValidator:
    place = PLACES[values]

    def validate(value: Any, standard: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        options = (info.context or {}).get(TEAM_VALUES, {}).get(place, ())
        if not options:
            return standard(value)
        if isinstance(value, str) and (team_value := named_value(options, value)) is not None:
            return team_value
        try:
            # AiSHA's own word stands for all of the team's values that count as it.
            chosen = standard(value)
        except ValidationError:
            chosen = None
        if all(option.counts_as != chosen for option in options):
            names = ", ".join(option.label for option in options)
            raise ValueError(f"{str(value)[:60]!r} is none of the team's own: {names}")
        return chosen

    return WrapValidator(validate)


StageChoice = Annotated[Stage, _validator(Stage)]
LeadStatusChoice = Annotated[LeadStatus, _validator(LeadStatus)]
LeadSourceChoice = Annotated[LeadSource, _validator(LeadSource)]
ContactStatusChoice = Annotated[ContactStatus, _validator(ContactStatus)]
AccountTypeChoice = Annotated[AccountType, _validator(AccountType)]


def with_team_values(spec: ToolSpec, values: TeamValues) -> ToolSpec:
    """Return the spec with the tenant's own values in the enumerations of its parameters."""
    if not values:
        return spec
    properties = spec.properties
    replaced = {name: _with_names(schema, values) for name, schema in properties.items() if "enum" in schema}
    if all(replaced[name] is properties[name] for name in replaced):
        return spec
    return replace(spec, parameters={**spec.parameters, "properties": {**properties, **replaced}})


def _with_names(schema: Mapping[str, Any], values: TeamValues) -> Mapping[str, Any]:
    """Return the schema of a parameter with the team's names first, without AiSHA's values that no name counts as.

    `examples` are the team's names alone, for people.
    """
    enum, description = list(schema["enum"]), str(schema.get("description", ""))
    labels: list[str] = []
    for kind in CHOICES:
        options, standard = values.get(PLACES[kind], ()), {*map(str, kind)}
        if not options or not standard <= {*enum}:
            continue
        counted = {option.counts_as for option in options}
        # A list of several enumerations, as for counting, keeps the words that belong to another one too.
        names = [value for value in enum if value not in standard or value in counted or len(enum) > len(standard)]
        enum = [*dict.fromkeys([*(option.key for option in options), *names])]
        labels += [option.label for option in options]
        noun = PLACES[kind].replace(".", " ").replace("_", " ")
        description += (
            f". The team's own values of {noun}, in their order: {', '.join(option.label for option in options)}"
        )
    if not labels:
        return schema
    kept_members = {name: value for name, value in schema.items() if name != "default"}
    return {**kept_members, "enum": enum, "description": description, "examples": labels}
