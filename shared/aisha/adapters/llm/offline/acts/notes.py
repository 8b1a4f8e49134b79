"""Acts on notes: read, search, write."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.scheduling import several, targets_of
from aisha.adapters.llm.offline.entity_resolution import Ambiguous, Unknown
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.parser import Name, Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Outcome, Wanted, items_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_SEARCHED = re.compile(
    r"\bnotes?\b.*\b(?:for|mentioning|containing|contain|mention|with)\s+(?:the\s+|any\s+)?(?:(?:word|term|phrase|keyword)s?\s+)?[\"']?(?P<query>[^\"']+)[\"']?\s*$",
    re.IGNORECASE,
)


def notes(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    searched_for = _SEARCHED.search(reading.text) if reading.has("show") else None
    if searched_for and not any(name.strong for name in reading.names):
        return _found_notes(plan, searched_for["query"].strip(" ?.!"))
    if reading.content or (reading.quoted and not reading.names):
        return _found_notes(plan, reading.content or reading.quoted[0])
    subject = plan.finder().subject(reading)
    searched = re.search(
        r"\b(?:mention\w*|about|containing|contain|say\w*|with|search\w*)\b", reading.text, re.IGNORECASE
    )
    if isinstance(subject, Unknown) and searched:
        return _found_notes(plan, subject.name)
    if (answer := plan.unresolved(subject, reading.text, "Whose notes would you like to see?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    return _noted(
        plan, plan.need("list_notes", entity_type=subject.type, entity_id=subject.id), f"about {subject.name}", subject
    )


def _found_notes(plan: Plan, query: str) -> Answer:
    return _noted(plan, plan.need("search_notes", query=query), f"mentioning {query}", None)


def _noted(plan: Plan, outcome: Outcome, whom: str, subject: Ref | None) -> Answer:
    if outcome.error:
        return plan.failure(outcome, Wanted("search_notes", {}), "read the notes")
    items = items_of(outcome)
    if not items:
        return Answer(f"There are no notes {whom}.")
    label = "1 note" if len(items) == 1 else f"{len(items)} notes"
    topic = Topic(refs=(subject,)) if subject is not None else None
    return Answer(f"{label} {whom}:\n\n{phrasing.numbered(items, plan.now)}", topic=topic)


def create_note(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    outside = plan.read(reading.outside) if reading.content else reading
    if intent.kind is not None and outside.top and reading.content:
        return _note_each(plan, intent, outside, reading.content)
    if reading.content and (refs := several(plan, outside)) is not None:
        return refs if isinstance(refs, Answer) else _note_of(plan, refs, reading.content)
    subject = plan.finder().subject(outside, intent.kind)
    if not outside.names and reading.content:
        inside = plan.read(reading.content)
        named = _whom_it_tells_of(inside)
        if named:
            inner = plan.finder().subject(replace(inside, names=named))
            subject = inner if isinstance(inner, Ref | Ambiguous) else subject
        elif "person" in inside.pronouns and not outside.pronouns.keys() & {"person", "thing"}:
            subject = plan.finder().mentioned(inside) or subject
    if (answer := plan.unresolved(subject, reading.text, "Whom or what is the note about?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    content = reading.content or (reading.quoted[0] if reading.quoted else None) or _after_name(reading, subject)
    arguments = {"entity_type": subject.type, "entity_id": subject.id}
    if not content:
        question = Question("missing", tool="create_note", arguments=arguments, field="content")
        return Answer(f"What should the note about {subject.name} say?", question)
    arguments["content"] = content
    outcome = plan.need("create_note", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("create_note", arguments), f"add a note to {subject.name}")
    written = f'You just added a note to {subject.name}: "{content}".'
    return Answer(f'I\'ve added the note to **{subject.name}**: "{content}".', topic=Topic((subject,), written=written))


_TOLD_OF = frozenset(
    ("with", "to", "from", "by", "met", "called", "saw", "rang", "emailed", "phoned", "visited", "spoke")
)


def _whom_it_tells_of(inside: Reading) -> list[Name]:
    """ "I had a good call with Ann Lee": who is named in what is to be noted, unless it speaks of somebody else first."""
    first = min((start for start, _ in inside.pronouns.get("person", ())), default=len(inside.text))
    named = [name for name in inside.names if name.strong and name.start < first]
    at_first = [name for name in named if name.start == 0 and name.text[:1].isupper()]
    return at_first or [name for name in named if name.before in _TOLD_OF][:1]


def report(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """Offers to keep as a note what the user tells, because nobody asked for it to be written down."""
    subject = plan.finder().subject(reading, intent.kind)
    if (answer := plan.unresolved(subject, f"note: {reading.text}", "Whom or what is that about?")) is not None:
        return answer if isinstance(subject, Unknown) else replace(answer, question=None) if subject is None else answer
    assert isinstance(subject, Ref)  # noqa: S101
    told = reading.text.strip().rstrip(".! ")
    return Answer(
        f'Shall I note that about **{subject.name}**: "{told}"? I can also schedule what comes next.',
        Question("offer", f"add a note for {subject.name}: {told}"),
        Topic((subject,)),
    )


def _note_each(plan: Plan, intent: Intent, reading: Reading, content: str) -> Answer:
    targets = targets_of(plan, intent, reading)
    return targets if isinstance(targets, Answer) else _note_of(plan, targets, content)


def _note_of(plan: Plan, targets: Sequence[Ref], content: str) -> Answer:
    """The same note on each of them."""
    calls = [
        Wanted("create_note", {"entity_type": ref.type, "entity_id": ref.id, "content": content}) for ref in targets
    ]
    for call, outcome in zip(calls, plan.need_all(calls), strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "add the notes")
    names = phrasing.listed([f"**{ref.name}**" for ref in targets])
    return Answer(f'I\'ve added the note "{content}" to {names}.', topic=Topic(tuple(targets)))


def _after_name(reading: Reading, subject: Ref) -> str | None:
    """ "note on Jack: met him" without the colon: what follows the name."""
    for name in reading.names:
        rest = reading.text[name.end :].strip(" ,-–:.")
        if name.text.lower() in subject.name.lower() and len(rest.split()) >= 2:
            return rest
    return None
