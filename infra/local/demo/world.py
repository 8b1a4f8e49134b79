"""A maker of demo records: one random source, and times relative to one day."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from ulid import ULID

from aisha.application.tooling.gate.visibility import related_to
from aisha.domain.crm.records import RECORD_TYPES, Account, Activity, Contact, Lead, Note, Record

SOURCES = ("website", "referral", "cold_call", "email", "social_media", "trade_show", "advertising", "other")
CITIES = (("Boston", "MA"), ("Austin", "TX"), ("Denver", "CO"), ("Seattle", "WA"), ("Chicago", "IL"), ("Albany", "NY"))


class World:
    """Creates a tenant's data from its own random source and the day, from which the ids follow too."""

    zone = ZoneInfo("America/New_York")

    def __init__(self, now: datetime, seed: int) -> None:
        self.now = now.astimezone(UTC).replace(microsecond=0)
        # Each draw changes all data after it, so the order of the calls is part of the demo data.
        self.random = Random(seed)

    def make(self, entity_type: str, **fields: Any) -> Any:
        moment = int(self.now.timestamp() * 1000)
        ulid = ULID.from_bytes(moment.to_bytes(6) + self.random.randbytes(10))
        return RECORD_TYPES[entity_type].model_validate({"id": f"{entity_type}_{ulid}", **fields})

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    def workday(self, distance: int, hour: int, minute: int = 0) -> datetime:
        """Return an hour of the day that is `distance` working days from today, never of today itself."""
        day, step = self.today, 1 if distance > 0 else -1
        for _ in range(abs(distance)):
            day += timedelta(days=step)
            while day.weekday() > 4:
                day += timedelta(days=step)
        return datetime.combine(day, time(hour, minute), self.zone)

    def contacted(self, days: int) -> datetime:
        return self.now - timedelta(days=days)

    def phone(self) -> str:
        # Numbers from 555 0100 to 0199 are set aside for fiction: nobody can be called by them.
        return f"+1 {self.random.randint(201, 989)} 555 01{self.random.randint(0, 99):02d}"

    def lead(self, person: Sequence[str], owner: str | None, **fields: Any) -> Lead:
        first, last, title, company = person
        city, state = self.random.choice(CITIES)
        values: dict[str, Any] = {
            "first_name": first,
            "last_name": last,
            "job_title": title,
            "company": company,
            "email": _email(first, last, company),
            "phone": self.phone(),
            "owner": owner,
            "score": self.random.randint(15, 70),
            "source": self.random.choice(SOURCES),
            "estimated_value": Decimal(self.random.randint(4, 90) * 1000),
            "address": {"city": city, "state": state, "country": "US"},
        }
        lead: Lead = self.make("lead", **{**values, **fields})
        return lead

    def account(self, row: tuple[Any, ...], owner: str) -> Account:
        name, industry, kind, health, revenue, people = row
        account: Account = self.make(
            "account",
            name=name,
            industry=industry,
            type=kind,
            health=health,
            annual_revenue=Decimal(revenue),
            employee_count=people,
            website=f"https://{_domain(name)}",
            phone=self.phone(),
            email=f"info@{_domain(name)}",
            owner=owner,
        )
        return account

    def contact(self, person: Sequence[str], account: Account | None, owner: str, **fields: Any) -> Contact:
        first, last, title = person
        company = account.name if account else "Freelance"
        contact: Contact = self.make(
            "contact",
            first_name=first,
            last_name=last,
            job_title=title,
            company=company,
            account_id=account.id if account else None,
            email=_email(first, last, company),
            phone=self.phone(),
            owner=owner,
            **fields,
        )
        return contact

    def activity(self, kind: str, title: str, about: Record, owner: str | None, due: datetime, **more: Any) -> Activity:
        if more.get("status") == "completed":
            more["completed_at"] = due
        activity: Activity = self.make(
            "activity", activity_type=kind, title=title, related=related_to(about), due_at=due, owner=owner, **more
        )
        return activity

    def note(self, kind: str, content: str, about: Record, owner: str | None) -> Note:
        note: Note = self.make("note", note_type=kind, content=content, related=related_to(about), owner=owner)
        return note


def _domain(company: str) -> str:
    return "".join(letter for letter in company.lower() if letter.isascii() and letter.isalnum()) + ".example"


def _email(first: str, last: str, company: str) -> str:
    name = ".".join("".join(letter for letter in part.lower() if letter.isalnum()) for part in (first, last))
    return f"{name.encode('ascii', 'ignore').decode()}@{_domain(company)}"
