"""Plan meetings with several people, or with somebody who is invited."""

from datetime import datetime

from aisha.adapters.llm.planner.acts.activities.times import minutes_said, require_read
from aisha.adapters.llm.planner.acts.asks import capitalised, parted_title
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, act
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.resolve import pointed_at, require_all
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language.ask import Ask
from aisha.domain.wording import join_names


@act("invite")
def invite(plan: Plan, ask: Ask) -> Answer:
    """Plan a meeting and prepare its invitation."""
    title, ask = parted_title(ask)
    return plan_meeting(plan, ask, title)


def plan_meeting(plan: Plan, ask: Ask, title: str) -> Answer:
    """Plan a meeting with several people, or with somebody who is invited. Without a `title` its topic is that."""
    named = bool(ask.texts("name") or ask.texts("org") or plan.spoken or pointed_at(plan, ask))
    records = require_all(plan, ask, "Whom shall I invite?") if named or not ask.texts("email") else ()
    if not ask.times or all(time.clock is None and time.exact is None for time in ask.times):
        activities = (ref for ref in plan.topic.changed if ref.type == "activity")
        planned = next((ref for ref in activities if plan.record(ref).get("due_at")), None)
        address = ask.first("email") if not ask.texts("name") else None
        guest = address or (records[0].name if records else None)
        if planned is not None and guest and not ask.texts("when"):
            return _offer_time_by_mail(plan, planned, guest)
        raise plan.ask_slot(ask, "when", "When should it take place? I need a date and a time.")
    require_read(plan, ask, ask.times[0])
    guests = [*(record.name for record in records), *ask.texts("email")]
    title = title or ask.first("topic") or ""
    about = {"entity_type": records[0].type, "entity_id": records[0].id} if records else {}
    outcome = plan.need(
        "schedule_meeting",
        attendees=guests,
        date=ask.times[0].moment(plan.now).isoformat(),
        duration=(minutes := minutes_said(ask)),
        title=capitalised(title) if title else None,
        **about,
    )
    if outcome.error and records and records[0].type == "account":
        raise plan.ask_who(ask, f"Whom at **{records[0].name}** shall I invite?")
    if outcome.error and not records and "entity_id" in outcome.reason:
        raise plan.ask_who(ask, "Which lead, contact, account or deal is the meeting about? Nobody invited is one.")
    if outcome.error:
        raise EarlyAnswer(plan.failure(outcome, "schedule that meeting"))
    value = outcome.value
    record, invited, without = value["record"], value.get("invited") or (), value.get("not_invited") or ()
    length = f", {record['duration_minutes']} minutes" if minutes else ""
    when = formats.format_instant(str(record["due_at"]), plan.now)
    text = f"**{record['display_name']}** is planned for {when}{length}."
    if invited:
        text += f" The invitation for {join_names(list(map(str, invited)))} is ready for you to send."
    if without:
        text += f" I have no email address for {join_names(list(map(str, without)))}."
    topics = (*records, ref_of(record))
    return Answer(text, topic=Topic(topics, written=f"You just planned {record['display_name']}."))


def _offer_time_by_mail(plan: Plan, planned: Ref, guest: str) -> Answer:
    """Offer an email with the time of what was just planned: an invitation would plan it once more."""
    due = datetime.fromisoformat(str(plan.record(planned)["due_at"])).astimezone(plan.now.tzinfo)
    when = f"{due:%A}, {due:%B} {due.day} at {due.hour % 12 or 12}:{due:%M} {'AM' if due.hour < 12 else 'PM'}"
    email, sentence = f"email {guest}", f"Our meeting is on {when}"
    text = f"I can invite people only when I plan a meeting. Shall I {email} instead: “{sentence}”?"
    return plan.offer(text, f"{email} that {sentence[:1].lower()}{sentence[1:]}", topic=plan.topic)
