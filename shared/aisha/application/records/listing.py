"""Lists of records for the CRM's pages and for tests, under the permissions of the tools."""

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec.structs import replace
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from aisha.application.records.crud import equal
from aisha.application.requests.validation import field_errors
from aisha.application.tooling.gate.visibility import readable, readable_page, require_module
from aisha.application.tooling.tenant_stores import TenantRecords
from aisha.domain.crm.paging import read_items
from aisha.domain.crm.queries import MAX_PAGE, Condition, RecordPage, RecordQuery
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.crm.team_values import TeamValues, named_value
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.ports import RecordRepository
from aisha.domain.principal import Principal

STATUS_FIELDS = {"account": "health", "opportunity": "stage", "note": "note_type", "event": "kind"}
"""The field that the filter `status` means for types without a field of that name."""
RELATIONS = {
    "contact": ("account_id",),
    "opportunity": ("account_id", "contact_id", "lead_id"),
    "activity": ("related.id",),
    "note": ("related.id",),
    "event": ("related.id",),
}
"""The fields that the filter `related_id` can mean."""
PARTLY_VISIBLE = frozenset(("activity", "note", "goal", "event"))
"""Types with records that some users may not see: the store's own counts would reveal their number."""
MAX_COUNTED_PAGES = 10
"""Pages that are read to count the visible records of these types."""

Text = Annotated[str | None, BeforeValidator(lambda value: value or None)]


class RecordFilters(DeferredModel):
    """The query string of a list. An empty value counts as missing."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    name_contains: Text = Field(None, max_length=200, description="Any words of the name; case, accents and one typo.")
    status: Text = Field(
        None, max_length=50, description="The record's status: `stage` of opportunities, `health` of accounts."
    )
    related_id: Text = Field(None, max_length=100, description="The record that it is about or belongs to.")
    owner: Text = Field(None, max_length=128, description="The owner's user id.")
    limit: int = Field(10, ge=1, le=MAX_PAGE, description="Records on a page.")
    cursor: Text = Field(None, max_length=2000, description="`next_cursor` of the page before.")


def list_records(
    principal: Principal,
    entity_type: str,
    filters: RecordFilters,
    records: RecordRepository,
    team_values: TeamValues | None = None,
) -> RecordPage:
    """Return one page of the records that the user may see; `total` is None if counting would read too many pages.

    A status may be one of the tenant's own, by its name.

    Raises `NotFoundError` for an unknown type, `PermissionDeniedError` for a module that the user lacks, and
    `InvalidInputError` for an invalid filter.
    """
    record_type = _require_type(entity_type)
    require_module(principal, entity_type)
    where = tuple(_conditions(record_type, filters, team_values or {}))
    query = RecordQuery(entity_type, filters.name_contains, where, None, filters.limit, filters.cursor)
    tenant_records = TenantRecords(records, principal.tenant, None)
    page = readable_page(principal, tenant_records, query)
    if page.total is None and entity_type in PARTLY_VISIBLE:
        return replace(page, total=_count_visible(principal, tenant_records, query))
    return page


def get_record(principal: Principal, entity_type: str, record_id: str, records: RecordRepository) -> Record:
    """Return the record. Raises `NotFoundError` and `PermissionDeniedError`."""
    _require_type(entity_type)
    return readable(principal, TenantRecords(records, principal.tenant, None), entity_type, record_id)


def record_json(record: Record) -> dict[str, Any]:
    """Return the record as JSON, as tools show it: without fields that are None."""
    return record.model_dump(mode="json", exclude_none=True)


def _require_type(entity_type: str) -> type[Record]:
    record_type = RECORD_TYPES.get(entity_type)
    if record_type is None:
        types = sorted(RECORD_TYPES)
        raise NotFoundError(
            f"There are no records called {entity_type!r}.",
            detail={"types": types},
            suggestion=f"Use one of: {', '.join(types)}.",
        )
    return record_type


def _count_visible(principal: Principal, records: TenantRecords, query: RecordQuery) -> int | None:
    # About one record there are few, so they are counted by reading them, even where the tenant has many.
    is_of_one_record = any(condition.field in RELATIONS.get(query.entity_type, ()) for condition in query.where)
    if (
        not is_of_one_record
        and sum(row.count for row in records.counts(query.entity_type)) > MAX_COUNTED_PAGES * MAX_PAGE
    ):
        return None
    read, has_more = read_items(
        lambda cursor: readable_page(principal, records, replace(query, limit=MAX_PAGE, cursor=cursor)),
        max_pages=MAX_COUNTED_PAGES,
    )
    return None if has_more else len(read)


def _conditions(record_type: type[Record], filters: RecordFilters, team_values: TeamValues) -> Iterable[Condition]:
    if filters.status:
        name = STATUS_FIELDS.get(record_type.TYPE, "status")
        team_value = named_value(team_values.get(f"{record_type.TYPE}.{name}", ()), filters.status)
        yield from equal(**{name: team_value or _parse_value(record_type, name, filters.status)})
    if filters.owner:
        yield Condition("owner", "eq", filters.owner)
    if filters.related_id:
        yield _relation_filter(record_type.TYPE, filters.related_id)


def _parse_value(record_type: type[Record], name: str, value: str) -> str:
    info = record_type.model_fields[name]
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[info.annotation, info])  # type: ignore[arg-type]
    try:
        return str(adapter.validate_python(value))
    except ValidationError as error:
        raise InvalidInputError(field_errors(error)[0].sentence_about(f"`{name}`"), pointer="/status") from None


def _relation_filter(entity_type: str, related_id: str) -> Condition:
    fields = RELATIONS.get(entity_type, ())
    # An id begins with its type: `account_01...` is searched in `account_id`.
    kind = related_id.partition("_")[0]
    field = next((name for name in fields if name in ("related.id", f"{kind}_id")), None)
    if field is None:
        raise InvalidInputError(
            f"{entity_type} records can't be listed by that record.",
            pointer="/related_id",
            detail={"listed_by": list(fields)},
            suggestion=f"Give the id of a record that they have: {', '.join(fields)}." if fields else "Leave it out.",
        )
    return Condition(field, "eq", related_id)
