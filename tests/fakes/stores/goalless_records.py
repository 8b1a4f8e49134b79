"""A record store whose goals can be unavailable."""

from aisha.domain.crm.queries import RecordPage, RecordQuery
from aisha.domain.errors import UnavailableError
from tests.fakes.stores.in_memory import InMemoryRecordRepository


class GoallessRepository(InMemoryRecordRepository):
    """Raises for searches of goals, unless `answers` is true."""

    answers = False

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        if query.entity_type == "goal" and not self.answers:
            raise UnavailableError("Goals do not answer")
        return super().search(tenant, query)
