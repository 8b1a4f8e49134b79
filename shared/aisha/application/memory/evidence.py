"""Advice from memory: users' actions in similar cases and their outcomes (A-125, A-126)."""

from collections.abc import Sequence

from aisha.application.memory.chunks import SUBJECTS, similar_cases_query
from aisha.application.memory.retrieval import is_readable, recall
from aisha.application.next_steps import NextStep
from aisha.application.next_steps.evidence import SimilarCases, collect_evidence, with_evidence
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.records import Activity, Record
from aisha.domain.errors import AishaError
from aisha.domain.memory import MAX_HITS, MemoryQuery
from aisha.domain.ports import MemoryStore

MAX_RECORDS = 3
"""Records that one answer searches memory for, so that its time does not grow with their number."""
UNAVAILABLE = (
    "Memory does not answer right now, so this follows from rules alone, without what worked in similar cases."
)


class Experience:
    """Evidence from memory for one answer. `note` is a text for the user when memory is set up and does not answer.

    `similar_cases` are those of the first record that has any. `records` are the subjects that are read already.
    """

    def __init__(self, context: ToolContext, records: Sequence[Record] = ()) -> None:
        self._context = context
        self._records = {record.id: record for record in records}
        self.note: str | None = None
        self.similar_cases = SimilarCases()

    def judge(self, steps: Sequence[NextStep]) -> list[NextStep]:
        """Return the steps in their order, each with its evidence and its score moved by one at most.

        Without memory the steps stay as they are.
        """
        try:
            # Opening the store reads its address or its folder, which can fail as well.
            store = self._context.ports.memory()
            return list(steps) if store is None else self._judge_by(store, steps)
        except AishaError as error:
            self._context.log(f"Memory was left out: {error.message}")
            self.note = UNAVAILABLE
            return list(steps)

    def _judge_by(self, store: MemoryStore, steps: Sequence[NextStep]) -> list[NextStep]:
        judged = list(steps)
        # One search serves all steps about a record; their places keep the order in which they came.
        for subject in self._subjects(steps)[:MAX_RECORDS]:
            places = [place for place, step in enumerate(steps) if _subject_id(step) == subject.id]
            cases = self._similar_cases(subject, store)
            self.similar_cases = self.similar_cases if self.similar_cases.matches else cases
            rescored = with_evidence([steps[place] for place in places], cases.evidence)
            for place, step in zip(places, rescored, strict=True):
                judged[place] = step
        return judged

    def _subjects(self, steps: Sequence[NextStep]) -> list[Record]:
        """Return the records that the steps are about, in the order of the steps."""
        self._records |= {step.record.id: step.record for step in steps if isinstance(step.record, SUBJECTS)}
        related = [step.record.related for step in steps if isinstance(step.record, Activity)]
        missing = {(subject.type, subject.id) for subject in related if subject.id not in self._records}
        if missing:
            self._records |= self._context.records.get_many(sorted(missing)[:MAX_RECORDS])
        ids = dict.fromkeys(_subject_id(step) for step in steps)
        return [self._records[record_id] for record_id in ids if record_id in self._records]

    def _similar_cases(self, subject: Record, store: MemoryStore) -> SimilarCases:
        principal, text = self._context.principal, similar_cases_query(subject, self._context.ports.sensitive)
        query = MemoryQuery(text, entity_type=subject.TYPE, limit=MAX_HITS)
        hits = recall(store, self._context.ports.embedder(), principal.tenant, query)
        return collect_evidence((hit for hit in hits if is_readable(principal, hit.chunk)), subject.id)


def _subject_id(step: NextStep) -> str:
    return step.record.related.id if isinstance(step.record, Activity) else step.record.id
