"""Records of which the goals can be out of reach."""

from aisha.domain.crm.queries import RecordPage, RecordQuery
from aisha.domain.errors import UnavailableError
from tests.fakes.in_memory import InMemoryRecordRepository


class GoallessRepository(InMemoryRecordRepository):
    """Does not answer about goals, unless told to."""

    answers = False

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        if query.entity_type == "goal" and not self.answers:
            raise UnavailableError("Goals do not answer")
        return super().search(tenant, query)
