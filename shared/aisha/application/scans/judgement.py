"""The rules about next steps, asked of many records with few reads."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from msgspec import Struct

from aisha.application.next_steps import NextStep, Situation, asks_for_something
from aisha.application.next_steps.note_rules import NOTE_DAYS
from aisha.application.next_steps.situation import Rule
from aisha.application.records.related_records import activities_about
from aisha.application.scans.contract import Finding
from aisha.application.scans.reader import ScanReader
from aisha.application.tooling.results import EntityRef
from aisha.application.tooling.visibility import is_another_ones
from aisha.domain.queries import Condition
from aisha.domain.records import RECORD_TYPES, Activity, ActivityStatus, Note, Record

SHARE = 4
"""A quarter of the bound for what is planned and one for notes leave half to the records themselves."""


class Judged(Struct, frozen=True):
    """A step and the name of the rule that asks for it."""

    kind: str
    step: NextStep


class Judgement:
    """What is planned and noted about the tenant's records, read once, and the rules' verdict on each record.

    A walk over what is planned replaces a search for every record. Only where it could not be read to its end, or where a
    note's wish may have been met since, a record that a rule speaks of is looked at once more by itself.
    """

    def __init__(self, reader: ScanReader, *, with_notes: bool = False) -> None:
        self._reader = reader
        self.sees_activities = reader.may_see(Activity.TYPE)
        self.planned = list(reader.walk(Activity, _is("status", ActivityStatus.SCHEDULED), share=SHARE))
        self._has_all_planned = not reader.truncated
        self._planned_about = _by_subject(self.planned)
        self._notes_about = _by_subject(_asking_notes(reader) if with_notes else ())

    @property
    def noted(self) -> list[tuple[str, str]]:
        """Type and id of the records that a note asks something for."""
        return list(
            dict.fromkeys((one.related.type, one.related.id) for notes in self._notes_about.values() for one in notes)
        )

    def situation(self, record: Record) -> Situation:
        """The record with what this run has read about it."""
        activities = self._planned_about.get(record.id, []) if self.sees_activities else None
        return Situation(record, self._reader.now, self._notes_about.get(record.id, []), activities)

    def steps(self, record: Record, rules: Sequence[Rule]) -> list[Judged]:
        """What the rules ask for, the most pressing first."""
        situation = self.situation(record)
        found = _asked(rules, situation)
        is_known = record.id in self._planned_about or self._has_all_planned
        if found and self.sees_activities and (situation.notes or not is_known):
            activities = activities_about(self._reader.context, record)
            found = _asked(rules, Situation(record, situation.now, situation.notes, activities))
        return sorted(found, key=lambda one: -one.step.score)


def finding(reader: ScanReader, judged: Judged, text: str | None = None, about: Record | None = None) -> Finding:
    """The step as a finding; the call that does it stands only where the user's modules allow it.

    `about` is the record that the finding is about, where that is another than the step's.
    """
    step = judged.step
    record = about or step.record
    may_run = step.tool is not None and may_call(reader, step.tool)
    return Finding(
        kind=judged.kind, entity=reference(record), text=text or f"{step.action}: {step.reasoning}",
        priority=step.score, tool=step.tool if may_run else None, arguments=dict(step.arguments) if may_run else None,
        owner=record.owner,
    )  # fmt: skip


def reference(record: Record) -> EntityRef:
    """The record by type, id and name."""
    return EntityRef(type=record.TYPE, id=record.id, name=record.display_name)


def may_call(reader: ScanReader, tool: str) -> bool:
    """Whether the user may use the module of the records that a tool such as `update_lead` is about."""
    kind = tool.partition("_")[2]
    return kind not in RECORD_TYPES or reader.may_see(kind)


def _asked(rules: Iterable[Rule], situation: Situation) -> list[Judged]:
    return [Judged(getattr(rule, "__name__", "step"), step) for rule in rules for step in rule(situation)]


def _is(field: str, value: str) -> Condition:
    return Condition(field, "eq", value)


def _asking_notes(reader: ScanReader) -> Iterator[Note]:
    since = Condition("created_at", "gte", reader.now - timedelta(days=NOTE_DAYS))
    for note in reader.walk(Note, since, share=SHARE):
        if asks_for_something(note) and not is_another_ones(reader.context.principal, note):
            yield note


def _by_subject[R: (Activity, Note)](records: Iterable[R]) -> dict[str, list[R]]:
    grouped: dict[str, list[R]] = defaultdict(list)
    for record in records:
        grouped[record.related.id].append(record)
    return dict(grouped)
