"""Acts on notes: list, search, create."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.scheduling import named_records, targets_of
from aisha.adapters.llm.offline.entity_resolution import Ambiguous, Unknown
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Name, Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import Outcome, PlannedCall, items_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_SEARCHED = pattern(
    r"\bnotes?\b.*\b(?:for|mentioning|containing|contain|mention|with) (?:the |any )?"
    r"(?:(?:word|term|phrase|keyword)s? )?[\"']?(?P<query>[^\"']+)[\"']?\s*$"
)
_MEETING_WORDS = frozenset(
    ("with", "to", "from", "by", "met", "called", "saw", "rang", "emailed", "phoned", "visited", "spoke")
)


def notes(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    topic_match = _SEARCHED.search(reading.text) if reading.has("show") else None
    if topic_match and not any(name.strong for name in reading.names):
        return _search_notes(plan, topic_match["query"].strip(" ?.!"))
    if reading.content or (reading.quoted and not reading.names):
        return _search_notes(plan, reading.content or reading.quoted[0])
    subject = plan.finder().subject(reading)
    searched = pattern(r"\b(?:mention\w*|about|containing|contain|say\w*|with|search\w*)\b").search(reading.text)
    if isinstance(subject, Unknown) and searched:
        return _search_notes(plan, subject.name)
    subject = plan.require(subject, reading.text, "Whose notes would you like to see?")
    return _format_notes(
        plan, plan.need("list_notes", entity_type=subject.type, entity_id=subject.id), f"about {subject.name}", subject
    )


def _search_notes(plan: Plan, query: str) -> Answer:
    return _format_notes(plan, plan.need("search_notes", query=query), f"mentioning {query}", None)


def _format_notes(plan: Plan, outcome: Outcome, about: str, subject: Ref | None) -> Answer:
    if outcome.error:
        return plan.failure(outcome, PlannedCall("search_notes", {}), "read the notes")
    items = items_of(outcome)
    if not items:
        return Answer(f"There are no notes {about}.")
    label = "1 note" if len(items) == 1 else f"{len(items)} notes"
    topic = Topic(refs=(subject,)) if subject is not None else None
    return Answer(f"{label} {about}:\n\n{phrasing.format_numbered(items, plan.now)}", topic=topic)


def create_note(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    outside = plan.read(reading.outside) if reading.content else reading
    if intent.kind is not None and outside.top and reading.content:
        return _note_each(plan, intent, outside, reading.content)
    if reading.content and (refs := named_records(plan, outside)) is not None:
        return _create_notes(plan, refs, reading.content)
    subject = plan.finder().subject(outside, intent.kind)
    if not outside.names and reading.content:
        inside = plan.read(reading.content)
        people = _people_in_content(inside)
        if people:
            named_inside = plan.finder().subject(replace(inside, names=people))
            subject = named_inside if isinstance(named_inside, Ref | Ambiguous) else subject
        elif "person" in inside.pronouns and not outside.pronouns.keys() & {"person", "thing"}:
            subject = plan.finder().mentioned(inside) or subject
    subject = plan.require(subject, reading.text, "Whom or what is the note about?")
    content = reading.content or (reading.quoted[0] if reading.quoted else None) or _after_name(reading, subject)
    arguments = {"entity_type": subject.type, "entity_id": subject.id}
    if not content:
        question = Question("missing", tool="create_note", arguments=arguments, field="content")
        return Answer(f"What should the note about {subject.name} say?", question)
    arguments["content"] = content
    plan.call("create_note", f"add a note to {subject.name}", **arguments)
    written = f'You just added a note to {subject.name}: "{content}".'
    return Answer(f'I\'ve added the note to **{subject.name}**: "{content}".', topic=Topic((subject,), written=written))


def _people_in_content(content: Reading) -> list[Name]:
    """Return the person a note's content is about: "I had a good call with Ann Lee"."""
    first = min((start for start, _ in content.pronouns.get("person", ())), default=len(content.text))
    people = [name for name in content.names if name.strong and name.start < first]
    opening = [name for name in people if name.start == 0 and name.text[:1].isupper()]
    return opening or [name for name in people if name.before in _MEETING_WORDS][:1]


def report(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """Offer to store as a note what the user reports without asking for a note."""
    subject = plan.finder().subject(reading, intent.kind)
    if (answer := plan.unresolved(subject, f"note: {reading.text}", "Whom or what is that about?")) is not None:
        return answer if isinstance(subject, Unknown) else replace(answer, question=None) if subject is None else answer
    assert isinstance(subject, Ref)  # noqa: S101
    content = reading.text.strip().rstrip(".! ")
    return Answer(
        f'Shall I note that about **{subject.name}**: "{content}"? I can also schedule what comes next.',
        Question("offer", f"add a note for {subject.name}: {content}"),
        Topic((subject,)),
    )


def _note_each(plan: Plan, intent: Intent, reading: Reading, content: str) -> Answer:
    targets = targets_of(plan, intent, reading)
    return _create_notes(plan, targets, content)


def _create_notes(plan: Plan, targets: Sequence[Ref], content: str) -> Answer:
    """Create the same note on each of the records."""
    calls = [
        PlannedCall("create_note", {"entity_type": ref.type, "entity_id": ref.id, "content": content})
        for ref in targets
    ]
    for call, outcome in zip(calls, plan.need_all(calls), strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "add the notes")
    names = phrasing.join_names([f"**{ref.name}**" for ref in targets])
    return Answer(f'I\'ve added the note "{content}" to {names}.', topic=Topic(tuple(targets)))


def _after_name(reading: Reading, subject: Ref) -> str | None:
    """Return the note's content after the name: "note on Jack: met him"."""
    for name in reading.names:
        remaining = reading.text[name.end :].strip(" ,-–:.")
        if name.text.lower() in subject.name.lower() and len(remaining.split()) >= 2:
            return remaining
    return None
