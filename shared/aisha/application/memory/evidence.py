"""What memory adds to rules' advice: what users did in like cases, and whether it worked (A-125, A-126)."""

from collections.abc import Sequence

from aisha.application.memory.chunks import SUBJECTS, query_of
from aisha.application.memory.retrieval import readable_by, recall
from aisha.application.next_steps import NextStep
from aisha.application.next_steps.evidence import Evidence, collect_evidence, with_evidence
from aisha.application.tooling.context import ToolContext
from aisha.domain.errors import AishaError
from aisha.domain.memory import MAX_HITS, MemoryQuery
from aisha.domain.ports import MemoryStore
from aisha.domain.records import Activity, Record

MOST_RECORDS = 3
"""Records that memory is asked about for one answer, so that advice takes the same time however many there are."""
AWAY = "Memory does not answer right now, so this follows from rules alone, without what worked in similar cases."


class Experience:
    """For one answer. `note` says so when memory is set up and does not answer; without memory nothing changes."""

    def __init__(self, context: ToolContext, known: Sequence[Record] = ()) -> None:
        self._context = context
        self._known = {record.id: record for record in known}
        self.note: str | None = None

    def judge(self, steps: Sequence[NextStep]) -> list[NextStep]:
        """The steps, in their order, with what is known about each and their scores moved by one at most."""
        try:
            store = self._context.ports.memory()
            return list(steps) if store is None else self._judged(steps, store)
        except AishaError as error:
            self._context.log(f"Memory was left out: {error.message}")
            self.note = AWAY
            return list(steps)

    def _judged(self, steps: Sequence[NextStep], store: MemoryStore) -> list[NextStep]:
        judged = list(steps)
        for subject in self._subjects(steps)[:MOST_RECORDS]:
            places = [place for place, step in enumerate(steps) if _subject_id(step) == subject.id]
            known = self._evidence(subject, store)
            for place, step in zip(places, with_evidence([steps[place] for place in places], known), strict=True):
                judged[place] = step
        return judged

    def _subjects(self, steps: Sequence[NextStep]) -> list[Record]:
        """The records that the steps are about, those of the first steps in front."""
        self._known |= {step.record.id: step.record for step in steps if isinstance(step.record, SUBJECTS)}
        about = [step.record.related for step in steps if isinstance(step.record, Activity)]
        missing = {(one.type, one.id) for one in about if one.id not in self._known}
        if missing:
            self._known |= self._context.records.get_many(sorted(missing)[:MOST_RECORDS])
        ids = dict.fromkeys(_subject_id(step) for step in steps)
        return [self._known[one] for one in ids if one in self._known]

    def _evidence(self, subject: Record, store: MemoryStore) -> list[Evidence]:
        principal, query = self._context.principal, query_of(subject, self._context.ports.sensitive)
        wanted = MemoryQuery(query, entity_type=subject.TYPE, limit=MAX_HITS)
        hits = recall(store, self._context.ports.embedder(), principal.tenant, wanted)
        return collect_evidence((hit for hit in hits if readable_by(principal, hit.chunk)), subject.id)


def _subject_id(step: NextStep) -> str:
    return step.record.related.id if isinstance(step.record, Activity) else step.record.id
