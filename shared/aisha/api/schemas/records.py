"""Records of the CRM as the API shows them."""

from pydantic import BaseModel, ConfigDict

LEAD_EXAMPLE = {
    "id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N",
    "entity_type": "lead",
    "display_name": "Jack Russel",
    "first_name": "Jack",
    "last_name": "Russel",
    "company": "ABC Corp",
    "status": "warm",
    "owner": "alice",
}


class RecordJson(BaseModel):
    """A record: these members, and those of its type as in the tools' results, without what is not set."""

    model_config = ConfigDict(extra="allow")

    id: str
    entity_type: str
    display_name: str


class RecordPageJson(BaseModel):
    """One page. `total` counts every match the user may see; it is missing when only a walk over all records could tell."""

    items: list[RecordJson]
    total: int | None
    next_cursor: str | None
