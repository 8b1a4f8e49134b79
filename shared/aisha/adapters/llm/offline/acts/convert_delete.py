"""Acts that convert and delete records, and find the activity or note meant."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.entity_resolution import Subject, choose_candidate
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import items_of, ref_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic


def convert(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    subject = plan.finder().subject(reading, "lead")
    more: dict[str, Any] = {}
    places = [
        name for name in reading.names if name.capital and not (isinstance(subject, Ref) and name.text in subject.name)
    ]
    if isinstance(subject, Ref) and places:
        account = plan.finder().by_name(places[0].text, None, "account")
        more |= {"account_id": account.id} if isinstance(account, Ref) and account.type == "account" else {}
    if reading.has("opportunity"):
        more["create_opportunity"] = True
    if sums := reading.amounts or [one for one in reading.numbers if reading.has("opportunity")]:
        more["amount"] = sums[-1].value
    return _finish_record(plan, subject, reading, "convert_lead", "convert", "converted", more)


def delete(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if intent.kind is None and (reading.has("activity", "note") or reading.activities):
        return _delete_attached(plan, "note" if reading.has("note") else "activity", reading)
    subject = plan.finder().subject(reading, intent.kind)
    tool = f"delete_{subject.type}" if isinstance(subject, Ref) else ""
    return _finish_record(plan, subject, reading, tool, "delete", "deleted")


def _finish_record(
    plan: Plan,
    subject: Subject,
    reading: Reading,
    tool: str,
    verb: str,
    participle: str,
    more_arguments: Mapping[str, Any] | None = None,
) -> Answer:
    subject = plan.require(subject, reading.text, f"Which record should I {verb}?")
    arguments = {f"{subject.type}_id": subject.id, **(more_arguments or {})}
    outcome = plan.call(tool, f"{verb} {subject.name}", **arguments)
    return Answer(f"{subject.name} has been {participle}.", topic=_topic_after(outcome.value))


def _topic_after(value: Any) -> Topic | None:
    """Return the topic of the contact that a lead became."""
    contact = value.get("contact") if isinstance(value, Mapping) else None
    if not isinstance(contact, Mapping):
        return None
    return Topic((Ref("contact", str(contact.get("id")), str(contact.get("name"))),))


def _delete_attached(plan: Plan, kind: str, reading: Reading) -> Answer:
    target = find_attached(plan, kind, reading, {})
    return _finish_record(plan, target, reading, f"delete_{kind}", "delete", "deleted")


def find_attached(plan: Plan, kind: str, reading: Reading, filters: dict[str, Any]) -> Ref:
    """Return the one activity or note meant: of the record named, or the most recent."""
    recent = next((entity for entity in plan.scene.entities if entity.type == kind), None)
    points_at_it = "thing" in reading.pronouns or "person" not in reading.pronouns
    if recent is not None and points_at_it and not any(name.strong for name in reading.names):
        return Ref(kind, recent.id, recent.name)
    if (bound := plan.bindings.get("")) is not None and bound.type == kind:
        return bound
    subject = plan.require(plan.finder().subject(reading), reading.text, f"Which {kind} do you mean?")
    tool = "list_activities" if kind == "activity" else "list_notes"
    items = items_of(plan.need(tool, entity_type=subject.type, entity_id=subject.id, **filters))
    refs = tuple(ref_of(item) for item in items)
    if len(refs) == 1:
        return refs[0]
    if (chosen := choose_candidate(reading.text, refs)) is not None:
        return chosen
    if not refs:
        raise EarlyAnswer(Answer(f"There is no open {kind} for {subject.name}."))
    question = Question("which", reading.text, "", refs)
    raise EarlyAnswer(Answer(phrasing.ask_which(subject.name, refs), question))
