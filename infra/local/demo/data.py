"""Create the demo data of the tenants `demo` and `rival`: always the same, with dates relative to the day."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import batched

from aisha.application.scans.goal_progress import progress
from aisha.application.tooling.gate.visibility import related_to
from aisha.domain.crm.queries import Create
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import Account, Activity, Contact, Event, Goal, KeyResult, Lead, Note, Opportunity, Record
from aisha.domain.ports import RecordRepository
from infra.local.demo.names import ACCOUNTS, CONTACTS, LEADS, RIVAL_ACCOUNTS, RIVAL_CONTACTS, RIVAL_LEADS
from infra.local.demo.world import World

SEED = 20260302
WARM = frozenset({2, 9, 16, 23, 30})
"""Indexes in `LEADS` of alice's warm leads, and below of bob's only one."""
BOBS_WARM = 5
STATUSES = ("new", "contacted", "qualified", "new", "unqualified", "contacted", "lost")
STAGES = ("prospecting", "qualification", "proposal", "negotiation", "closed_won", "proposal", "closed_lost")
DEALS = ("Annual License", "Platform Rollout", "Support Renewal", "Training Package", "Pilot Project", "Expansion")
TOUCHES = (
    ("call", "Discovery call"),
    ("email", "Send pricing overview"),
    ("meeting", "Requirements workshop"),
    ("demo", "Product demo"),
    ("task", "Prepare proposal"),
    ("call", "Check in on the rollout"),
    ("task", "Update account plan"),
    ("email", "Share case study"),
)
NOTES = (
    ("general", "Prefers short calls before noon."),
    ("meeting", "Team of eight will use the product; security review comes first."),
    ("call_log", "Spoke about pricing. Wants a quote for three years."),
    ("email", "Forwarded our case study to their board."),
    ("follow_up", "Decision expected after the next budget round."),
    ("important", "Current contract with another supplier ends this quarter."),
    ("general", "Met at the trade show; interested in the mobile app."),
    ("call_log", "Left a message with the assistant."),
)
GOALS = (
    ("mine", "Win six new customers", "in_progress", (("New customers", 6, 2), ("Proposals sent", 15, 9))),
    ("mine", "Answer every lead within a day", "open", (("Leads answered in time, percent", 95, 81),)),
    ("shared", "Grow recurring revenue", "in_progress", (("Revenue signed, thousands", 600, 340), ("Renewals", 8, 5))),
)
"""Scope, title, status and key results (title, target, current) of alice's goals; all users share the shared ones."""


def seed(records: RecordRepository, now: datetime) -> None:
    """Write all demo data into empty tables; its dates are relative to the aware instant `now`."""
    for tenant in ("demo", "rival"):
        for batch in batched(demo_records(tenant, now), MAX_CHANGES):
            records.write(tenant, [Create(record) for record in batch])


def demo_records(tenant: str, now: datetime) -> list[Record]:
    """Return a tenant's records with ids and links; a record comes after those that it links to."""
    return list((Demo(now) if tenant == "demo" else Rival(now)).records())


class Demo(World):
    """The data of tenant `demo`, owned by alice and bob."""

    def __init__(self, now: datetime) -> None:
        super().__init__(now, SEED)

    def records(self) -> Iterator[Record]:
        accounts = [self.account(row, _owner(place)) for place, row in enumerate(ACCOUNTS)]
        contacts = [*self._johns(accounts), *self._contacts(accounts)]
        leads = [self._jack(), *self._leads()]
        deals = list(self._deals(accounts, contacts))
        yield from (*accounts, *contacts, *leads, *deals)
        # The first deal, which closes within a week, and every third lead get none of these activities.
        subjects = [*deals[1:], *contacts, *(lead for place, lead in enumerate(leads) if place and place % 3)]
        yield from self._activities(subjects, leads)
        yield from self._notes(leads, [*contacts, *accounts, *deals])
        yield from self._goals()
        yield from self._events(leads, accounts, deals)

    def _jack(self) -> Lead:
        return self.lead(
            ("Jack", "Russel", "Operations Director", "ABC Corp"),
            "alice",
            status="warm",
            score=88,
            email="jack.russel@abccorp.example",
            phone="+1 212 555 0142",
            source="referral",
            estimated_value=Decimal(48_000),
            last_contacted_at=self.contacted(3),
            next_action="Return his call",
        )

    def _leads(self) -> Iterator[Lead]:
        for place, person in enumerate(LEADS):
            # At fixed places, so that "my warm leads" has a known answer.
            if place in WARM:
                score, days = 60 + place, self.random.randint(1, 12)
                status, owner = "warm", "alice"
            elif place == BOBS_WARM:
                score, days, status, owner = 76, 2, "warm", "bob"
            else:
                score, days = self.random.randint(12, 70), self.random.randint(1, 45)
                status, owner = STATUSES[place % len(STATUSES)], _owner(place)
            last = None if status == "new" else self.contacted(days)
            yield self.lead(person, owner, status=status, score=score, last_contacted_at=last)

    def _johns(self, accounts: Sequence[Account]) -> Iterator[Contact]:
        abc, xyz = accounts[:2]
        # Three of them, so that "John" alone has to be asked about.
        yield self.contact(("John", "Doe", "Purchasing Manager"), abc, "alice", last_contacted_at=self.contacted(6))
        yield self.contact(("John", "Smith", "Head of IT"), xyz, "alice", status="customer")
        yield self.contact(("John", "Brown", "Consultant"), None, "alice", status="prospect")

    def _contacts(self, accounts: Sequence[Account]) -> Iterator[Contact]:
        for place, person in enumerate(CONTACTS):
            account = accounts[place % len(accounts)]
            status = "customer" if account.type == "customer" else "active"
            days = self.random.randint(1, 60)
            yield self.contact(person, account, _owner(place), status=status, last_contacted_at=self.contacted(days))

    def _deals(self, accounts: Sequence[Account], contacts: Sequence[Contact]) -> Iterator[Opportunity]:
        yield self._deal("Blue Harbor Fleet Tracking", accounts[3], contacts, "negotiation", 4, amount=64_000)
        yield self._deal("Meridian Health Patient Portal", accounts[2], contacts, "proposal", 18, amount=120_000)
        yield self._deal("Helios Solar Field Service", accounts[10], contacts, "qualification", 35, amount=38_500)
        for place in range(20):
            stage = STAGES[place % len(STAGES)]
            # A closed deal has its day in the past.
            days = self.random.randint(12, 90) * (-1 if stage.startswith("closed") else 1)
            account = accounts[(place * 5) % len(accounts)]
            yield self._deal(f"{account.name} {DEALS[place % len(DEALS)]}", account, contacts, stage, days)

    def _deal(
        self, name: str, account: Account, contacts: Sequence[Contact], stage: str, days: int, amount: int | None = None
    ) -> Opportunity:
        contact = next(candidate for candidate in contacts if candidate.account_id == account.id)
        is_closed = stage.startswith("closed")
        deal: Opportunity = self.make(
            "opportunity",
            name=name,
            stage=stage,
            amount=Decimal(amount or self.random.randint(8, 150) * 1000),
            close_date=self.today + timedelta(days=days),
            account_id=account.id,
            contact_id=contact.id,
            owner=account.owner if amount is None else "alice",
            next_step=None if is_closed else self.random.choice((None, "Send contract", "Agree on scope")),
        )
        return deal

    def _activities(self, subjects: Sequence[Record], leads: Sequence[Lead]) -> Iterator[Activity]:
        yield from self._overdue(leads)
        jack = leads[0]
        yield self.activity("call", "First conversation", jack, "alice", self.workday(-5, 11), status="completed")
        for place in range(62):
            about = subjects[place % len(subjects)]
            kind, title = TOUCHES[place % len(TOUCHES)]
            hour, minute = self.random.randint(9, 16), self.random.choice((0, 30))
            distance = self.random.randint(1, 20)
            if place % 5 < 2:
                due, status = self.workday(distance, hour, minute), "scheduled"
            else:
                status = "cancelled" if place % 15 == 4 else "completed"
                due = self.workday(-distance, hour, minute)
            priority = self.random.choice(("low", "normal", "normal", "high"))
            yield self.activity(kind, title, about, about.owner, due, status=status, priority=priority)

    def _overdue(self, leads: Sequence[Lead]) -> Iterator[Activity]:
        """Yield the only two overdue activities, both of alice."""
        priya, rafael = (next(lead for lead in leads if lead.first_name == name) for name in ("Priya", "Rafael"))
        yield self.activity(
            "email", "Send the revised quote to Priya Nair", priya, "alice", self.workday(-2, 10), priority="high"
        )
        yield self.activity("call", "Call Rafael Monteiro about the pilot", rafael, "alice", self.workday(-4, 15))

    def _notes(self, leads: Sequence[Lead], others: Sequence[Record]) -> Iterator[Note]:
        jack, *other_leads = leads
        yield self.note("call_log", "Awaiting callback: asked for a quote and wants to hear from us.", jack, "alice")
        for place in range(45):
            about = other_leads[(place * 3) % len(other_leads)] if place % 2 else others[(place * 7) % len(others)]
            kind, content = NOTES[place % len(NOTES)]
            yield self.note(kind, content, about, about.owner)

    def _goals(self) -> Iterator[Goal]:
        for scope, title, status, rows in GOALS:
            results = [KeyResult(title=name, target=target, current=current) for name, target, current in rows]
            goal: Goal = self.make(
                "goal",
                title=title,
                scope=scope,
                status=status,
                period=f"Q{(self.today.month + 2) // 3} {self.today.year}",
                key_results=results,
                progress=progress(results) or 0,
                owner="alice",
            )
            yield goal

    def _events(
        self, leads: Sequence[Lead], accounts: Sequence[Account], deals: Sequence[Opportunity]
    ) -> Iterator[Event]:
        rows: tuple[tuple[str, str, Record | None], ...] = (
            ("sweep_completed", "The pipeline was looked through for what is overdue", None),
            ("import_completed", "Leads of the trade show were imported", None),
            ("record_changed", f"{leads[3].display_name} was assigned a new owner", leads[3]),
            ("record_changed", f"The health of {accounts[4].name} was updated", accounts[4]),
            ("stage_changed", f"{deals[0].name} moved to negotiation", deals[0]),
        )
        for kind, title, about in rows:
            related = related_to(about) if about else None
            event: Event = self.make("event", kind=kind, title=title, related=related)
            yield event


class Rival(World):
    """The data of tenant `rival`, owned by rita; only some names are the same."""

    def __init__(self, now: datetime) -> None:
        super().__init__(now, SEED + 1)

    def records(self) -> Iterator[Record]:
        accounts = [self.account(row, "rita") for row in RIVAL_ACCOUNTS]
        contacts = [self.contact(person, accounts[at % 4], "rita") for at, person in enumerate(RIVAL_CONTACTS)]
        statuses = ("lost", "warm", "new", "contacted")
        leads = [self.lead(person, "rita", status=statuses[at % 4]) for at, person in enumerate(RIVAL_LEADS)]
        yield from (*accounts, *contacts, *leads)
        for place in range(5):
            account = accounts[place % 4]
            yield self.make(
                "opportunity",
                name=f"{account.name} {DEALS[place]}",
                stage=STAGES[place],
                amount=Decimal(self.random.randint(2, 30) * 1000),
                close_date=self.today + timedelta(days=30 + place),
                account_id=account.id,
                contact_id=contacts[place % 4].id,
                owner="rita",
            )
        yield self.activity("call", "Negotiate the delivery", contacts[0], "rita", self.workday(3, 10))
        yield self.note("important", "Talks to a competitor. Confidential.", leads[0], "rita")


def _owner(place: int) -> str:
    return "bob" if place % 3 == 2 else "alice"
