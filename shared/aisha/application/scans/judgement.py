"""Evaluation of the rules about next steps for many records with few reads."""

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
from aisha.application.tooling.gate.visibility import is_private_to_other
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import RECORD_TYPES, Activity, Note, Record

SHARE = 4
"""Planned activities and notes may each take a quarter of a run's records, so that half is left for its subjects."""


class RuleMatch(Struct, frozen=True):
    """A step and `kind`, the name of the rule that proposed it."""

    kind: str
    step: NextStep


class Judgement:
    """Planned activities and notes of the tenant, read once, and the steps that rules propose for a record.

    Reading all planned activities replaces a search for every record. A record for which a rule proposes a step is
    searched once more where not all were read, or where an activity may have met a note's request.
    """

    def __init__(self, reader: ScanReader, *, with_notes: bool = False) -> None:
        self._reader = reader
        self.sees_activities = reader.may_see(Activity.TYPE)
        is_planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
        self.planned = list(reader.iterate(Activity, is_planned, share=SHARE))
        # Taken before the notes are read, which may exceed their share as well.
        self._has_all_planned = not reader.truncated
        self._planned_about = by_subject(self.planned)
        self._notes_about = by_subject(_asking_notes(reader) if with_notes else ())

    @property
    def noted(self) -> list[tuple[str, str]]:
        """Type and id of the records about which a note asks for something."""
        all_notes = (note for notes in self._notes_about.values() for note in notes)
        return list(dict.fromkeys((note.related.type, note.related.id) for note in all_notes))

    def situation(self, record: Record) -> Situation:
        """Return the record with the notes and planned activities that were read about it."""
        planned = [*self._planned_about.get(record.id, ()), *self._reader.planned_elsewhere(record)]
        activities = planned if self.sees_activities else None
        return Situation(record, self._reader.now, self._notes_about.get(record.id, []), activities)

    def steps(self, record: Record, rules: Sequence[Rule]) -> list[RuleMatch]:
        """Return the steps that the rules propose, the highest score first."""
        situation = self.situation(record)
        matches = _apply(rules, situation)
        has_plans = record.id in self._planned_about or self._has_all_planned
        # For these rules, more activities only take steps away, so a record without any step needs no search.
        if matches and self.sees_activities and (situation.notes or not has_plans):
            activities = activities_about(self._reader.context, record)
            matches = _apply(rules, Situation(record, situation.now, situation.notes, activities))
        return sorted(matches, key=lambda match: -match.step.score)


def finding(reader: ScanReader, match: RuleMatch, text: str | None = None, about: Record | None = None) -> Finding:
    """Return the step as a finding, with its call if the user may use the module.

    `about` is the finding's record if it is not the step's, as for a deal whose account is at risk.
    """
    step = match.step
    record = about or step.record
    may_run = step.tool is not None and may_call(reader, step.tool)
    return Finding(
        kind=match.kind,
        entity=EntityRef.of(record),
        text=text or f"{step.action}: {step.reasoning}",
        priority=step.score,
        tool=step.tool if may_run else None,
        arguments=dict(step.arguments) if may_run else None,
        owner=record.owner,
    )


def may_call(reader: ScanReader, tool: str) -> bool:
    """Return whether the user may use the module of the records that a tool such as `update_lead` changes."""
    kind = tool.partition("_")[2]
    return kind not in RECORD_TYPES or reader.may_see(kind)


def _apply(rules: Iterable[Rule], situation: Situation) -> list[RuleMatch]:
    return [RuleMatch(getattr(rule, "__name__", "step"), step) for rule in rules for step in rule(situation)]


def _asking_notes(reader: ScanReader) -> Iterator[Note]:
    since = Condition("created_at", "gte", reader.now - timedelta(days=NOTE_DAYS))
    for note in reader.iterate(Note, since, share=SHARE):
        if asks_for_something(note) and not is_private_to_other(reader.context.principal, note):
            yield note


def by_subject[R: (Activity, Note)](records: Iterable[R]) -> dict[str, list[R]]:
    """Return the records by the id of the record that they are about."""
    grouped: dict[str, list[R]] = defaultdict(list)
    for record in records:
        grouped[record.related.id].append(record)
    return dict(grouped)
