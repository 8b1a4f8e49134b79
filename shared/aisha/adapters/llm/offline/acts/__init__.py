"""The functions that perform each act."""

from collections.abc import Callable

from aisha.adapters.llm.offline.acts.activities import activities, complete, overdue, reschedule
from aisha.adapters.llm.offline.acts.advice import advise
from aisha.adapters.llm.offline.acts.asking import field_of_record, inquire, list_records, people, recall
from aisha.adapters.llm.offline.acts.changing import advance, update
from aisha.adapters.llm.offline.acts.convert_delete import convert, delete
from aisha.adapters.llm.offline.acts.counting import agenda, count, summary
from aisha.adapters.llm.offline.acts.creating import create
from aisha.adapters.llm.offline.acts.drafting import draft
from aisha.adapters.llm.offline.acts.not_contacted import list_not_contacted
from aisha.adapters.llm.offline.acts.notes import create_note, notes, report
from aisha.adapters.llm.offline.acts.scanning import scan
from aisha.adapters.llm.offline.acts.scheduling import create_activity, errand
from aisha.adapters.llm.offline.intent import Act, Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading

ACTS: dict[Act, Callable[[Plan, Intent, Reading], Answer]] = {
    Act.SCAN: scan,
    Act.SILENT: list_not_contacted,
    Act.REPORT: report,
    Act.ERRAND: errand,
    Act.INQUIRE: inquire,
    Act.FIELD: field_of_record,
    Act.LIST: list_records,
    Act.PEOPLE: people,
    Act.RECALL: recall,
    Act.COUNT: count,
    Act.SUMMARY: summary,
    Act.AGENDA: agenda,
    Act.ADVISE: advise,
    Act.ACTIVITIES: activities,
    Act.OVERDUE: overdue,
    Act.RESCHEDULE: reschedule,
    Act.COMPLETE: complete,
    Act.CREATE_ACTIVITY: create_activity,
    Act.DRAFT: draft,
    Act.NOTES: notes,
    Act.CREATE_NOTE: create_note,
    Act.CREATE: create,
    Act.UPDATE: update,
    Act.ADVANCE: advance,
    Act.CONVERT: convert,
    Act.DELETE: delete,
}
