"""The record types of the CRM, one class each. A connector to another CRM maps its records to these."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, computed_field, model_validator
from pydantic.json_schema import SkipJsonSchema

from aisha.domain.crm.enumerations import (
    STAGE_PROBABILITY,
    AccountHealth,
    AccountType,
    ActivityPriority,
    ActivityStatus,
    ActivityType,
    ContactStatus,
    GoalStatus,
    LeadSource,
    LeadStatus,
    NoteType,
    Stage,
)
from aisha.domain.deferred_model import DeferredModel

EntityType = Literal["lead", "contact", "account", "opportunity", "activity", "note", "goal", "event"]
SubjectType = Literal["lead", "contact", "account", "opportunity"]
"""The record types that a note or an activity may be about."""
SUBJECT_TYPES: tuple[SubjectType, ...] = get_args(SubjectType)

Money = Annotated[Decimal, Field(ge=0, max_digits=15, decimal_places=2)]
Percent = Annotated[int, Field(ge=0, le=100)]
ShortText = Annotated[str, Field(min_length=1, max_length=200)]
LongText = Annotated[str, Field(max_length=8000)]


def _aware(value: Any) -> Any:
    # Stored and compared in UTC; a naive time could not be compared at all.
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


Instant = Annotated[datetime, BeforeValidator(_aware)]


class Address(DeferredModel):
    model_config = ConfigDict(extra="forbid")

    street: str | None = None
    city: str | None = None
    state: str | None = None
    postal_code: str | None = None
    country: str | None = None


class Related(DeferredModel):
    """The record that a note, an activity or an event is about. `name` is as it was when written."""

    type: SubjectType
    id: str
    name: str | None = None


class Conversion(DeferredModel):
    """The records that a converted lead became."""

    account_id: str
    contact_id: str
    opportunity_id: str | None = None


class Remote(DeferredModel):
    """A record's place in another CRM, for connectors alone: no tool and no model sees it.

    `ref` is `<object>/<native id>`, `fingerprint` a hash of the mapped values as they were read at `read_at`.
    """

    ref: str
    fingerprint: str
    read_at: datetime


class Record(DeferredModel):
    """The fields of every record. `version` counts its writes from 1; the store checks it at each write."""

    # `ignore`: records of a later version are still read, and their computed fields are no input.
    model_config = ConfigDict(extra="ignore", validate_assignment=False, str_strip_whitespace=True)
    TYPE: ClassVar[EntityType]
    MODULE: ClassVar[str]

    id: str = ""
    tenant_id: str = Field(default="", exclude=True)
    created_at: Instant | None = None
    updated_at: Instant | None = None
    version: int = Field(default=0, exclude=True)
    owner: str | None = None
    tags: list[str] = Field(default_factory=list)
    custom: dict[str, Any] = Field(default_factory=dict)
    remote: SkipJsonSchema[Remote | None] = Field(default=None, exclude=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def entity_type(self) -> str:
        return self.TYPE

    @computed_field  # type: ignore[prop-decorator]
    @property
    def display_name(self) -> str:
        """The record's name as people say it."""
        return self._name()

    def _name(self) -> str:
        raise NotImplementedError

    def search_words(self) -> str:
        """The text whose words `name_contains` finds."""
        return self.display_name


def _person(first: str | None, last: str | None) -> str:
    return " ".join(part for part in (first, last) if part)


class Lead(Record):
    # TYPE is in ids and queries, MODULE is the right that a token gives.
    TYPE, MODULE = "lead", "leads"
    first_name: ShortText | None = None
    last_name: ShortText | None = None
    company: ShortText | None = None
    email: str | None = None
    phone: str | None = None
    job_title: str | None = None
    source: LeadSource | None = None
    status: LeadStatus = LeadStatus.NEW
    score: Percent | None = None
    estimated_value: Money | None = None
    last_contacted_at: Instant | None = None
    next_action: str | None = None
    do_not_call: bool = False
    do_not_email: bool = False
    address: Address | None = None
    converted: Conversion | None = None

    @model_validator(mode="after")
    def _has_a_name(self) -> "Lead":
        if not (self.first_name or self.last_name or self.company):
            raise ValueError("a lead needs a first name, a last name or a company")
        return self

    def _name(self) -> str:
        return _person(self.first_name, self.last_name) or self.company or ""

    def search_words(self) -> str:
        return " ".join(part for part in (self.first_name, self.last_name, self.company) if part)


class Contact(Record):
    TYPE, MODULE = "contact", "contacts"
    first_name: ShortText | None = None
    last_name: ShortText | None = None
    company: str | None = None
    """The account's name as it was when linked, or free text for someone without an account."""
    email: str | None = None
    phone: str | None = None
    job_title: str | None = None
    department: str | None = None
    account_id: str | None = None
    status: ContactStatus = ContactStatus.ACTIVE
    last_contacted_at: Instant | None = None

    @model_validator(mode="after")
    def _has_a_name(self) -> "Contact":
        if not (self.first_name or self.last_name):
            raise ValueError("a contact needs a first name or a last name")
        return self

    def _name(self) -> str:
        return _person(self.first_name, self.last_name)


class Account(Record):
    TYPE, MODULE = "account", "accounts"
    name: ShortText
    industry: str | None = None
    type: AccountType = AccountType.PROSPECT
    website: str | None = None
    phone: str | None = None
    email: str | None = None
    annual_revenue: Money | None = None
    employee_count: int | None = Field(default=None, ge=0)
    health: AccountHealth = AccountHealth.UNKNOWN
    address: Address | None = None

    def _name(self) -> str:
        return self.name


class Opportunity(Record):
    TYPE, MODULE = "opportunity", "opportunities"
    name: ShortText
    amount: Money | None = None
    currency: str = Field(default="USD", pattern="^[A-Z]{3}$")
    stage: Stage = Stage.PROSPECTING
    probability: Percent | None = None
    close_date: date | None = None
    account_id: str | None = None
    contact_id: str | None = None
    lead_id: str | None = None
    next_step: str | None = None
    description: LongText | None = None

    @model_validator(mode="before")
    @classmethod
    def _default_probability(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and values.get("probability") is None:
            # Not validated yet: an unknown stage is refused by its own field.
            with suppress(ValueError):
                stage = Stage(values.get("stage") or Stage.PROSPECTING)
                return {**values, "probability": STAGE_PROBABILITY[stage]}
        return values

    def _name(self) -> str:
        return self.name


class Activity(Record):
    TYPE, MODULE = "activity", "activities"
    title: ShortText
    activity_type: ActivityType
    related: Related
    due_at: Instant | None = None
    duration_minutes: int | None = Field(default=None, ge=1, le=24 * 60)
    status: ActivityStatus = ActivityStatus.SCHEDULED
    priority: ActivityPriority = ActivityPriority.NORMAL
    body: LongText | None = None
    location: str | None = None
    outcome: LongText | None = None
    completed_at: Instant | None = None

    def _name(self) -> str:
        return self.title


class Note(Record):
    TYPE, MODULE = "note", "notes"
    content: Annotated[str, Field(min_length=1, max_length=8000)]
    related: Related
    title: ShortText | None = None
    note_type: NoteType = NoteType.GENERAL
    is_private: bool = False

    def _name(self) -> str:
        # A note without a title goes by its first line.
        return self.title or self.content.splitlines()[0][:60]

    def search_words(self) -> str:
        return f"{self.title or ''} {self.content}"


class KeyResult(DeferredModel):
    title: ShortText
    target: float
    current: float = 0


class Goal(Record):
    TYPE, MODULE = "goal", "goals"
    title: ShortText
    scope: Literal["mine", "shared"] = "mine"
    period: str | None = None
    key_results: list[KeyResult] = Field(default_factory=list)
    progress: Percent = 0
    status: GoalStatus = GoalStatus.OPEN

    def _name(self) -> str:
        return self.title


class Event(Record):
    """Something that happened in the tenant. Append-only."""

    TYPE, MODULE = "event", "events"
    kind: ShortText
    title: ShortText
    related: Related | None = None
    detail: dict[str, Any] = Field(default_factory=dict)
    level: Literal["info", "warning", "error"] = "info"

    def _name(self) -> str:
        return self.title


RECORD_TYPES: dict[str, type[Record]] = {
    cls.TYPE: cls for cls in (Lead, Contact, Account, Opportunity, Activity, Note, Goal, Event)
}
