"""Turns what was understood into tool calls, and their results into an answer.

Each act is one method. A method asks for a call with `_need`; while its result is not there, `Pending` stops the plan,
the calls go out, and the next round starts again from the top: planning is a pure function of the turn so far.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import (
    changes,
    filters,
    is_company,
    job_title_in,
    owner_in,
    split_topic,
)
from aisha.adapters.llm.offline.intents import KINDS, STAGES, Intent, activity_type_of, field_of
from aisha.adapters.llm.offline.reading import Reading
from aisha.adapters.llm.offline.results import Outcome, Results, Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic
from aisha.adapters.llm.offline.subjects import PLURALS, Ambiguous, Finder, Pending, Subject, Unknown, module_of
from aisha.domain.models import Scene
from aisha.domain.tools import ToolSpec

_BOTH = 2


@dataclass(slots=True)
class Answer:
    """What a clause brought: its text, what was asked back, and what the talk is now about."""

    text: str
    question: Question | None = None
    topic: Topic | None = None


@dataclass(slots=True)
class Plan:
    """The acts, with what they need: the tools by name, the turn's results, the session."""

    tools: Mapping[str, ToolSpec]
    scene: Scene
    results: Results
    topic: Topic
    read: Callable[[str], Reading]
    bindings: Mapping[str, Ref] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return self.scene.now

    def run(self, intent: Intent, reading: Reading) -> Answer:
        """The answer of one clause. Raises `Pending` while tools must run first."""
        if (refused := self._refused(intent, reading)) is not None:
            return Answer(refused)
        method: Callable[[Intent, Reading], Answer] = getattr(self, f"_{intent.act.value}")
        return method(intent, reading)

    # -- helpers of all acts -------------------------------------------------------------------------------------------

    def _refused(self, intent: Intent, reading: Reading) -> str | None:
        """Kinds of record that the user's modules don't cover are answered without asking any tool."""
        if intent.kind is not None and reading.has(intent.kind) | (intent.kind == "opportunity"):
            module = module_of(intent.kind)
            if not self.scene.principal.may_use(module):
                return phrasing.no_access(module)
        return None

    def _need(self, tool: str, **arguments: Any) -> Outcome:
        call = Wanted(tool, {name: value for name, value in arguments.items() if value is not None})
        outcome = self.results.of(call)
        if outcome is None:
            raise Pending([call])
        return outcome

    def _need_all(self, calls: Sequence[Wanted]) -> list[Outcome]:
        outcomes = [self.results.of(call) for call in calls]
        missing = [call for call, outcome in zip(calls, outcomes, strict=True) if outcome is None]
        if missing:
            raise Pending(missing)
        return [outcome for outcome in outcomes if outcome is not None]

    def _finder(self) -> Finder:
        searchable = [
            kind for kind in ("lead", "contact", "account", "opportunity") if f"search_{PLURALS[kind]}" in self.tools
        ]
        return Finder(self.scene.entities, self.topic, self.results, self.bindings, searchable)

    def _unresolved(self, subject: Subject, text: str, ask: str) -> Answer | None:
        """The question or the apology when a clause's record is not one record."""
        if isinstance(subject, Ambiguous):
            candidates = subject.candidates[:10]
            return Answer(phrasing.which(subject.name, candidates), Question("which", text, subject.name, candidates))
        if isinstance(subject, Unknown):
            return Answer(phrasing.unknown(subject.name, subject.kind))
        if subject is None:
            return Answer(ask, Question("who", text))
        return None

    def _failure(self, outcome: Outcome, wanted: Wanted, what: str) -> Answer:
        """A failed call in plain words, with the way on."""
        if (missing := outcome.missing_field) is not None:
            asked = (
                "When should it take place? I need a date and time."
                if missing.startswith("due")
                else f"I need the {phrasing.words(missing)}. What is it?"
            )
            return Answer(
                f"I can {what}. {asked}",
                Question("missing", tool=wanted.tool, arguments=wanted.arguments, field=missing),
            )
        error = outcome.error or {}
        if error.get("error") == "Permission denied":
            return Answer(phrasing.no_access(outcome.reason.rsplit(":", 1)[-1].strip()))
        if error.get("error") == "Entity not found":
            return Answer("I couldn't find that record any more. It may have been deleted; shall I search for it?")
        hint = error.get("suggestion")
        return Answer(f"I couldn't {what}: {outcome.reason.rstrip('.')}." + (f" {hint}" if hint else ""))

    # -- asking --------------------------------------------------------------------------------------------------------

    def _inquire(self, intent: Intent, reading: Reading) -> Answer:
        subject = self._finder().subject(reading, intent.kind, always_search=True, must_name=True)
        if (answer := self._unresolved(subject, reading.text, "Who or what would you like to know about?")) is not None:
            if isinstance(subject, Unknown) and not any(name.strong for name in reading.names):
                return Answer(phrasing.NOT_UNDERSTOOD)
            return answer
        assert isinstance(subject, Ref)  # noqa: S101 - the other cases were answered above
        record = self._record(subject)
        text = phrasing.profile(record, self.now) if record else f"I couldn't read {subject.name}."
        return Answer(text, topic=Topic(refs=(subject,)))

    def _record(self, ref: Ref) -> dict[str, Any] | None:
        """The record: from this turn's searches, else read by id."""
        if (found := self.results.record(ref.id)) is not None:
            return found
        outcome = self._need(f"get_{ref.type}", **{f"{ref.type}_id": ref.id})
        value = outcome.value if isinstance(outcome.value, dict) else {}
        nested = value.get(ref.type)
        return (nested if isinstance(nested, dict) else value) or None

    def _field(self, intent: Intent, reading: Reading) -> Answer:
        kind = None if field_of(reading) == "company" else intent.kind
        subject = self._finder().subject(reading, kind)
        if (answer := self._unresolved(subject, reading.text, "Whose do you mean?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        record = self._record(subject) or {}
        name = field_of(reading) or ""
        name = {"amount": "estimated_value"}.get(name, name) if subject.type == "lead" else name
        if name == "status" and "status" not in record:
            name = "stage" if "stage" in record else "type"
        label = phrasing.words(name).removesuffix(" at")
        if record.get(name) in (None, ""):
            return Answer(f"There is no {label} on record for {subject.name}.", topic=Topic(refs=(subject,)))
        shown = (
            phrasing.ago(str(record[name]), self.now)
            if name == "last_contacted_at"
            else phrasing.value_of(name, record[name], self.now)
        )
        verb = "was" if name == "last_contacted_at" else "is"
        return Answer(f"{subject.name}'s {label} {verb} **{shown}**.", topic=Topic(refs=(subject,)))

    def _list(self, intent: Intent, reading: Reading) -> Answer:
        kind = intent.kind or "lead"
        tool = f"search_{PLURALS[kind]}"
        arguments = filters(reading, self.tools[tool], self.now)
        return self._listing(kind, tool, arguments)

    def _listing(self, kind: str, tool: str, arguments: dict[str, Any]) -> Answer:
        outcome = self._need(tool, **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted(tool, arguments), "list those")
        items = items_of(outcome)
        total = outcome.value.get("total")
        label = " ".join(
            phrasing.words(str(arguments[name]))
            for name in ("status", "stage")
            if name in arguments and not isinstance(arguments[name], list)
        )
        refs = tuple(ref_of(item) for item in items)
        topic = Topic(refs, tool, arguments, total if total is not None else len(items), label)
        if not items:
            return Answer(
                f"There are no {label + ' ' if label else ''}{phrasing.LABELS[kind][1]} matching that.", topic=topic
            )
        more = total is not None and total > len(items)
        head = (
            f"Here are {len(items)} of {phrasing.count_of(total, kind, label)}"
            if more
            else f"I found {phrasing.count_of(len(items), kind, label)}"
        )
        return Answer(f"{head}:\n\n{phrasing.numbered(items, self.now)}", topic=topic)

    def _people(self, intent: Intent, reading: Reading) -> Answer:
        subject = (
            self._finder().subject(reading, "account")
            if reading.names
            else self._finder().mentioned(reading, "account")
        )
        if subject is None:
            subject = self._finder().mentioned(reading)
        if (answer := self._unresolved(subject, reading.text, "At which company?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        if subject.type == "account":
            return self._listing("contact", "search_contacts", {"account_id": subject.id})
        company = (self._record(subject) or {}).get("company")
        return self._listing("contact", "search_contacts", {"company": company} if company else {})

    def _activities(self, intent: Intent, reading: Reading) -> Answer:
        return self._activity_list(reading, {})

    def _overdue(self, intent: Intent, reading: Reading) -> Answer:
        return self._activity_list(reading, {"status": "overdue"})

    def _activity_list(self, reading: Reading, fixed: dict[str, Any]) -> Answer:
        spec = self.tools["list_activities"]
        arguments = {**filters(reading, spec, self.now), **fixed}
        for name in ("name_contains", "company", "entity_type"):
            arguments.pop(name, None)
        kind_words = activity_type_of(reading)
        plural = re.search(r"\b(?:activit|follow|remind|appointment|history|task)", reading.text, re.IGNORECASE)
        if kind_words and not (plural and kind_words in ("call", "task")) and "activity_type" in spec.properties:
            arguments["activity_type"] = kind_words
        about: Ref | None = None
        if reading.names or reading.pronouns.keys() & {"person"}:
            subject = self._finder().subject(reading)
            if isinstance(subject, Unknown) and owner_in(reading):
                subject = None
            if (answer := self._unresolved(subject, reading.text, "")) is not None and subject is not None:
                return answer
            about = subject if isinstance(subject, Ref) else None
        if about is not None:
            arguments |= {"entity_type": about.type, "entity_id": about.id}
            arguments.pop("owner", None)
        return self._activity_answer(arguments, about)

    def _activity_answer(self, arguments: dict[str, Any], about: Ref | None) -> Answer:
        outcome = self._need("list_activities", **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted("list_activities", arguments), "list the activities")
        items = items_of(outcome)
        late = arguments.get("status") == "overdue"
        noun = "overdue activities" if late else "activities"
        with_whom = f" with {about.name}" if about else ""
        topic = Topic(tuple(ref_of(item) for item in items), "list_activities", arguments, len(items))
        if not items:
            text = (
                "Nothing is overdue. Well done!" if late and not about else f"There are no {noun}{with_whom} for that."
            )
            return Answer(text, topic=topic)
        return Answer(
            f"{len(items)} {noun if len(items) != 1 else noun.replace('ies', 'y')}{with_whom}:\n\n{phrasing.numbered(items, self.now)}",
            topic=topic,
        )

    def _notes(self, intent: Intent, reading: Reading) -> Answer:
        if reading.content or (reading.quoted and not reading.names):
            return self._found_notes(reading.content or reading.quoted[0])
        subject = self._finder().subject(reading)
        searched = re.search(
            r"\b(?:mention\w*|about|containing|contain|say\w*|with|search\w*)\b", reading.text, re.IGNORECASE
        )
        if isinstance(subject, Unknown) and searched:
            return self._found_notes(subject.name)
        if (answer := self._unresolved(subject, reading.text, "Whose notes would you like to see?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        return self._noted(
            self._need("list_notes", entity_type=subject.type, entity_id=subject.id), f"about {subject.name}", subject
        )

    def _found_notes(self, query: str) -> Answer:
        return self._noted(self._need("search_notes", query=query), f"mentioning {query}", None)

    def _noted(self, outcome: Outcome, whom: str, subject: Ref | None) -> Answer:
        if outcome.error:
            return self._failure(outcome, Wanted("search_notes", {}), "read the notes")
        items = items_of(outcome)
        if not items:
            return Answer(f"There are no notes {whom}.")
        label = "1 note" if len(items) == 1 else f"{len(items)} notes"
        topic = Topic(refs=(subject,)) if subject is not None else None
        return Answer(f"{label} {whom}:\n\n{phrasing.numbered(items, self.now)}", topic=topic)

    def _count(self, intent: Intent, reading: Reading) -> Answer:
        if reading.has("note"):
            return self._notes(intent, reading)
        if intent.kind is None and (reading.has("activity") or reading.activities):
            if reading.has("overdue") or reading.times or reading.names or reading.pronouns.keys() & {"person"}:
                return self._activity_list(reading, {"status": "overdue"} if reading.has("overdue") else {})
            return self._counted("activity", reading)
        kind = intent.kind or "lead"
        if (reading.times and reading.has("closing")) or reading.amounts:
            return self._list(replace(intent, kind=kind), reading)
        return self._counted(kind, reading)

    def _counted(self, kind: str, reading: Reading) -> Answer:
        spec = self.tools["get_pipeline_summary"]
        asked = filters(reading, self.tools.get(f"search_{PLURALS.get(kind, 'leads')}", spec), self.now)
        asked = {name: value for name, value in asked.items() if name in ("status", "stage", "owner", "type", "health")}
        status = next((asked[name] for name in ("status", "stage", "health", "type") if name in asked), None)
        arguments: dict[str, Any] = {"entity_type": kind, "owner": asked.get("owner")}
        if status is not None and "status" in spec.properties:
            arguments["status"] = status
        arguments |= _period(reading, spec, self.now)
        outcome = self._need("get_pipeline_summary", **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted("get_pipeline_summary", arguments), "count those")
        number = phrasing_count(outcome.value, kind, status)
        whose = asked.get("owner")
        who = (
            "You have"
            if whose == "me"
            else f"{str(whose).capitalize()} has"
            if whose
            else "You have"
            if number == 1
            else "There are"
        )
        text = f"{who} **{phrasing.count_of(number, kind, phrasing.words(status) if status else '')}**"
        text += "." if whose or number == 1 else " in the CRM."
        search = {
            name: value for name, value in asked.items() if name in ("status", "stage", "owner", "health", "type")
        }
        tool = f"search_{PLURALS[kind]}" if kind in PLURALS else "list_activities"
        return Answer(text, topic=Topic((), tool, search, number, phrasing.words(status) if status else ""))

    def _summary(self, intent: Intent, reading: Reading) -> Answer:
        spec = self.tools["get_pipeline_summary"]
        arguments: dict[str, Any] = {"owner": owner_in(reading), "entity_type": intent.kind} | _period(
            reading, spec, self.now
        )
        outcome = self._need("get_pipeline_summary", **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted("get_pipeline_summary", arguments), "sum up the pipeline")
        return Answer(summary_text(outcome.value))

    def _agenda(self, intent: Intent, reading: Reading) -> Answer:
        outcome = self._need("get_my_day")
        if outcome.error:
            return self._failure(outcome, Wanted("get_my_day", {}), "put your day together")
        return Answer(day_text(outcome.value, self.now))

    def _advise(self, intent: Intent, reading: Reading) -> Answer:
        subject = self._finder().subject(reading, intent.kind) if reading.names else self._finder().mentioned(reading)
        if isinstance(subject, Ambiguous):
            return self._unresolved(subject, reading.text, "") or Answer("")
        if isinstance(subject, Unknown) and any(name.strong for name in reading.names):
            return Answer(phrasing.unknown(subject.name, subject.kind))
        mine = re.search(r"\bmy (?:pipeline|leads|deals|day|week)\b|\btoday\b", reading.text, re.IGNORECASE)
        target = subject if isinstance(subject, Ref) and not mine else None
        arguments = {"entity_type": target.type, "entity_id": target.id} if target else {}
        outcome = self._need("suggest_next_actions", **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted("suggest_next_actions", arguments), "work out the next steps")
        return Answer(
            advice_text(outcome.value, target.name if target else None), topic=Topic(refs=(target,)) if target else None
        )

    def _recall(self, intent: Intent, reading: Reading) -> Answer:
        if self.topic.written:
            return Answer(self.topic.written, topic=self.topic)
        for message in reversed(self.scene.history):
            lines = [
                call.line
                for call in message.tool_calls
                if not call.name.startswith(("search_", "list_", "get_", "suggest_"))
            ]
            if lines:
                return Answer("Last I did this: " + " ".join(lines))
        return Answer("I haven't changed anything in this conversation yet.")

    # -- changing ------------------------------------------------------------------------------------------------------

    def _create_activity(self, intent: Intent, reading: Reading) -> Answer:
        clause, about = reading, None
        shorter, subject_text = split_topic(reading.text)
        if subject_text and len(shorter.split()) > 1:
            again = self.read(shorter)
            if again.names or again.pronouns or not reading.names:
                clause, about = again, _without_times(self.read(subject_text))
        targets = self._targets(intent, clause)
        if isinstance(targets, Answer):
            return targets
        kind = activity_type_of(clause) or activity_type_of(reading) or "task"
        times = clause.times or reading.times
        due = times[-1].moment(self.now).isoformat() if times else None
        priority = next((value for value in ("urgent", "high", "low") if value in reading.values), None)
        follow = re.search(r"\bfollow[\s-]?up", reading.text, re.IGNORECASE)
        calls = [
            Wanted("create_activity", _activity(ref, kind, due, priority, reading.content or about, bool(follow)))
            for ref in targets
        ]
        return self._scheduled(calls, targets)

    def _targets(self, intent: Intent, reading: Reading) -> Sequence[Ref] | Answer:
        """For whom: one record, the first of a list that is asked for in the same breath, or those listed before."""
        many = (
            reading.top
            or "plural" in reading.pronouns.keys() - {"person"}
            or re.search(r"\b(?:each|every|all|both)\b", reading.text, re.IGNORECASE)
        )
        if (several := self._several(reading)) is not None:
            return several
        if many and intent.kind is None and not reading.names and (listed := self._spoken_of(reading)):
            return listed
        if (
            intent.kind is not None
            and not reading.names
            and (many or reading.values.keys() - {"scheduled", "high", "low", "urgent"})
        ):
            tool = f"search_{PLURALS[intent.kind]}"
            arguments = {
                name: value
                for name, value in filters(reading, self.tools[tool], self.now).items()
                if not name.endswith(("_after", "_before"))
            }
            items = items_of(self._need(tool, **arguments))
            refs = [ref_of(item) for item in items[: reading.top or 10]]
            return refs or Answer(
                f"There are no {phrasing.LABELS[intent.kind][1]} matching that, so I scheduled nothing."
            )
        subject = self._finder().subject(reading, intent.kind)
        answer = self._unresolved(subject, reading.text, "Who is it for?")
        if answer is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        return [subject]

    def _several(self, reading: Reading) -> Sequence[Ref] | Answer | None:
        """ "a call for John Doe and one for John Smith": each of the people named, when there are two or more."""
        named = [
            name
            for name in reading.names
            if name.strong and name.before in ("for", "with", "and", "to", "call", "email")
        ]
        between = [reading.text[one.end : two.start].lower() for one, two in pairwise(named)]
        if len(named) < 2 or not all(re.search(r"\band\b|,|&|\bboth\b", text) for text in between):
            return None
        found: list[Ref] = []
        waiting: list[Wanted] = []
        for name in named:
            try:
                subject = self._finder().subject(replace(reading, names=[name], pronouns={}))
            except Pending as pending:
                waiting += pending.calls
                continue
            if (answer := self._unresolved(subject, reading.text, "Who is it for?")) is not None:
                return answer
            assert isinstance(subject, Ref)  # noqa: S101
            found.append(subject)
        if waiting:
            raise Pending(waiting)
        return found

    def _spoken_of(self, reading: Reading) -> Sequence[Ref]:
        """Those of the last list, or for "both" the two records mentioned last."""
        listed = [ref for ref in self.topic.refs if ref.type in KINDS]
        both = re.search(r"\bboth\b", reading.text, re.IGNORECASE)
        if both and len(listed) != _BOTH:
            recent = [entity for entity in self.scene.entities if entity.type in KINDS][:_BOTH]
            return [Ref(entity.type, entity.id, entity.name) for entity in recent]
        return listed[: reading.top or 10]

    def _scheduled(self, calls: Sequence[Wanted], targets: Sequence[Ref]) -> Answer:
        outcomes = self._need_all(calls)
        lines, refs = [], []
        for call, outcome, ref in zip(calls, outcomes, targets, strict=True):
            if outcome.error:
                return self._failure(outcome, call, f"schedule the {call.arguments['activity_type']} with {ref.name}")
            record = outcome.value.get("record", outcome.value)
            when = phrasing.instant(str(record.get("due_at")), self.now) if record.get("due_at") else "no date"
            lines.append(f"**{record.get('title')}** ({record.get('activity_type')}), {when}")
            refs.append(ref_of(record))
        if len(lines) == 1:
            name = targets[0].name
            text = f"Done: I've scheduled {lines[0]}" + (f" with {name}." if name not in lines[0] else ".")
        else:
            text = f"Done: I've created {len(lines)} activities:\n\n" + "\n".join(
                f"{place}. {line}" for place, line in enumerate(lines, 1)
            )
        written = "You just scheduled " + phrasing.listed(lines) + "."
        return Answer(text, topic=Topic(tuple(targets), written=written))

    def _reschedule(self, intent: Intent, reading: Reading) -> Answer:
        wanted: dict[str, Any] = {"status": "scheduled"}
        if kind := activity_type_of(reading):
            wanted["activity_type"] = kind
        found = self._attached("activity", reading, wanted)
        if isinstance(found, Answer):
            return found
        span = reading.times[-1]
        due = span.moment(self.now)
        if span.first is None and span.clock is not None and span.exact is None:
            planned = (self._record(found) or {}).get("due_at")
            day = datetime.fromisoformat(planned).astimezone(self.now.tzinfo) if planned else due
            due = max(day.replace(hour=span.clock.hour, minute=span.clock.minute), due)
        arguments = {"activity_id": found.id, "due_date": due.isoformat()}
        outcome = self._need("update_activity", **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted("update_activity", arguments), f"move {found.name}")
        text = f"I've moved **{found.name}** to {phrasing.instant(due.isoformat(), self.now)}."
        return Answer(text, topic=Topic((found,), written=text))

    def _create_note(self, intent: Intent, reading: Reading) -> Answer:
        outside = self.read(reading.outside) if reading.content else reading
        if intent.kind is not None and outside.top and reading.content:
            return self._note_each(intent, outside, reading.content)
        subject = self._finder().subject(outside, intent.kind)
        if not outside.names and reading.content:
            inside = self.read(reading.content)
            named = [name for name in inside.names if name.strong and name.text[:1].isupper() and name.start == 0]
            if named:
                inner = self._finder().subject(replace(inside, names=named))
                subject = inner if isinstance(inner, Ref | Ambiguous) else subject
            elif "person" in inside.pronouns and "person" not in outside.pronouns:
                subject = self._finder().mentioned(inside) or subject
        if (answer := self._unresolved(subject, reading.text, "Whom or what is the note about?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        content = reading.content or (reading.quoted[0] if reading.quoted else None) or _after_name(reading, subject)
        arguments = {"entity_type": subject.type, "entity_id": subject.id}
        if not content:
            question = Question("missing", tool="create_note", arguments=arguments, field="content")
            return Answer(f"What should the note about {subject.name} say?", question)
        arguments["content"] = content
        outcome = self._need("create_note", **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted("create_note", arguments), f"add a note to {subject.name}")
        written = f'You just added a note to {subject.name}: "{content}".'
        return Answer(
            f'I\'ve added the note to **{subject.name}**: "{content}".', topic=Topic((subject,), written=written)
        )

    def _note_each(self, intent: Intent, reading: Reading, content: str) -> Answer:
        targets = self._targets(intent, reading)
        if isinstance(targets, Answer):
            return targets
        calls = [
            Wanted("create_note", {"entity_type": ref.type, "entity_id": ref.id, "content": content}) for ref in targets
        ]
        for call, outcome in zip(calls, self._need_all(calls), strict=True):
            if outcome.error:
                return self._failure(outcome, call, "add the notes")
        names = phrasing.listed([f"**{ref.name}**" for ref in targets])
        return Answer(f'I\'ve added the note "{content}" to {names}.', topic=Topic(tuple(targets)))

    def _create(self, intent: Intent, reading: Reading) -> Answer:
        kind = intent.kind or "lead"
        tool = f"create_{kind}"
        if tool not in self.tools:
            return Answer(phrasing.no_access(module_of(kind)))
        arguments = self._new_record(kind, reading)
        if not arguments:
            return Answer(f"What is the name of the new {phrasing.LABELS[kind][0]}?", Question("who", reading.text))
        outcome = self._need(tool, **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted(tool, arguments), f"create the {phrasing.LABELS[kind][0]}")
        record = outcome.value.get("record", outcome.value)
        ref = ref_of(record)
        detail = phrasing.profile(record, self.now).split(".\n\n")
        facts = "\n\n" + detail[1] if len(detail) > 1 else ""
        return Answer(
            f"I've created the {phrasing.LABELS[kind][0]} **{ref.shown}**.{facts}",
            topic=Topic((ref,), written=f"You just created the {phrasing.LABELS[kind][0]} {ref.shown}."),
        )

    def _new_record(self, kind: str, reading: Reading) -> dict[str, Any]:
        spec = self.tools[f"create_{kind}"]
        arguments = {
            name: value
            for name, value in changes(reading, spec, self.now).items()
            if name not in ("owner", "company", "name", "first_name", "last_name")
        }
        people = [
            name
            for name in reading.names
            if name.before not in ("at", "from", "of", "with", "in", "works", "@") or name is reading.names[0]
        ]
        places = [name for name in reading.names if name not in people]
        job = job_title_in(reading.text)
        people = [name for name in people if not (job and name.text.lower() in job.lower())]
        if not people and not places:
            return {}
        if kind in ("lead", "contact"):
            if people and (is_company(people[0].text) and kind == "lead"):
                places, people = [people[0], *places], people[1:]
            if people:
                first, _, last = people[0].text.partition(" ")
                arguments |= {"first_name": first} | ({"last_name": last} if last else {})
            company = places[0].text if places else people[1].text if len(people) > 1 else None
            if company and "company" in spec.properties:
                arguments["company"] = company
            elif (
                company
                and "account_id" in spec.properties
                and isinstance(account := self._finder().by_name(company, None, "account"), Ref)
            ):
                arguments["account_id"] = account.id
            if job and "job_title" in spec.properties:
                arguments["job_title"] = job
            return arguments
        main = next(iter(reading.quoted), None) or (people or places)[0].text
        if kind == "account":
            name_field = "company_name" if "company_name" in spec.properties else "name"
            industry = re.search(
                r"\b(?:in|industry:?)\s+(?:the\s+)?(?P<i>[\w\s]+?)(?:\s+(?:industry|sector|space|business))?\s*$",
                reading.text,
                re.IGNORECASE,
            )
            return {**arguments, name_field: main} | (
                {"industry": industry["i"].strip()}
                if industry and industry["i"].strip().lower() != main.lower()
                else {}
            )
        return self._new_opportunity(arguments, main, [*people, *places], reading)

    def _new_opportunity(
        self, arguments: dict[str, Any], main: str, names: Sequence[Any], reading: Reading
    ) -> dict[str, Any]:
        whom = next((name.text for name in names if name.before in ("for", "with", "at", "from", "to")), None)
        arguments.setdefault("name", f"{whom} deal" if whom == main else main)
        if (
            whom
            and isinstance(found := self._finder().by_name(whom, None, None), Ref)
            and f"{found.type}_id" in self.tools["create_opportunity"].properties
        ):
            arguments[f"{found.type}_id"] = found.id
        return arguments

    def _update(self, intent: Intent, reading: Reading) -> Answer:
        subject = self._finder().subject(reading, intent.kind if reading.has(intent.kind or "") else None)
        if isinstance(subject, Unknown) and len(reading.names) > 1:
            subject = self._finder().subject(replace(reading, names=reading.names[:1]), None)
        if (answer := self._unresolved(subject, reading.text, "Which record should I change?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        tool = f"update_{subject.type}"
        spec = self.tools.get(tool)
        if spec is None:
            return Answer(phrasing.no_access(module_of(subject.type)))
        arguments = changes(_without_subject(reading, subject), spec, self.now)
        arguments.pop(f"{subject.type}_id", None)
        if not arguments:
            return Answer(
                f"What should I change on {subject.name}? For example its status, email or phone.",
                Question("who", reading.text),
            )
        outcome = self._need(tool, **{f"{subject.type}_id": subject.id}, **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted(tool, arguments), f"update {subject.name}")
        said = phrasing.listed(
            [
                f"{phrasing.words(name)} is now **{phrasing.value_of(name, value, self.now)}**"
                for name, value in arguments.items()
            ]
        )
        return Answer(
            f"I've updated {subject.name}: {said}.",
            topic=Topic((subject,), written=f"You just updated {subject.name}: {said}."),
        )

    def _advance(self, intent: Intent, reading: Reading) -> Answer:
        subject = self._finder().subject(reading, "opportunity")
        if (answer := self._unresolved(subject, reading.text, "Which deal should I move?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        stage = next((value for value in reading.values if value in STAGES), None)
        outcome = self._need("advance_opportunity_stage", opportunity_id=subject.id, stage=stage)
        if outcome.error:
            return self._failure(outcome, Wanted("advance_opportunity_stage", {}), f"move {subject.name}")
        record = outcome.value.get("record", outcome.value)
        text = f"{subject.name} is now in the **{phrasing.words(str(record.get('stage')))}** stage."
        return Answer(text, topic=Topic((subject,), written=text))

    def _convert(self, intent: Intent, reading: Reading) -> Answer:
        subject = self._finder().subject(reading, "lead")
        return self._ended(subject, reading, "convert_lead", "convert", "converted")

    def _delete(self, intent: Intent, reading: Reading) -> Answer:
        if intent.kind is None and (reading.has("activity", "note") or reading.activities):
            return self._delete_attached("note" if reading.has("note") else "activity", reading)
        subject = self._finder().subject(reading, intent.kind)
        tool = f"delete_{subject.type}" if isinstance(subject, Ref) else ""
        return self._ended(subject, reading, tool, "delete", "deleted")

    def _ended(self, subject: Subject, reading: Reading, tool: str, verb: str, past: str) -> Answer:
        if (answer := self._unresolved(subject, reading.text, f"Which record should I {verb}?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        arguments = {f"{subject.type}_id": subject.id}
        outcome = self._need(tool, **arguments)
        if outcome.error:
            return self._failure(outcome, Wanted(tool, arguments), f"{verb} {subject.name}")
        return Answer(f"{subject.name} has been {past}.")

    def _delete_attached(self, kind: str, reading: Reading) -> Answer:
        found = self._attached(kind, reading, {})
        if isinstance(found, Answer):
            return found
        return self._ended(found, reading, f"delete_{kind}", "delete", "deleted")

    def _attached(self, kind: str, reading: Reading, wanted: dict[str, Any]) -> Ref | Answer:
        """The one activity or note that is meant: of the record named, or the one spoken of last."""
        recent = next((entity for entity in self.scene.entities if entity.type == kind), None)
        points_at_it = "thing" in reading.pronouns or "person" not in reading.pronouns
        if recent is not None and points_at_it and not any(name.strong for name in reading.names):
            return Ref(kind, recent.id, recent.name)
        if (picked := self.bindings.get("")) is not None and picked.type == kind:
            return picked
        subject = self._finder().subject(reading)
        if (answer := self._unresolved(subject, reading.text, f"Which {kind} do you mean?")) is not None:
            return answer
        assert isinstance(subject, Ref)  # noqa: S101
        tool = "list_activities" if kind == "activity" else "list_notes"
        items = items_of(self._need(tool, entity_type=subject.type, entity_id=subject.id, **wanted))
        refs = tuple(ref_of(item) for item in items)
        if len(refs) == 1:
            return refs[0]
        if not refs:
            return Answer(f"There is no open {kind} for {subject.name}.")
        return Answer(phrasing.which(subject.name, refs), Question("which", reading.text, "", refs))

    def _complete(self, intent: Intent, reading: Reading) -> Answer:
        wanted: dict[str, Any] = {"status": "scheduled"}
        if (kind := activity_type_of(reading)) and kind != "task":
            wanted["activity_type"] = kind
        found = self._attached("activity", reading, wanted)
        if isinstance(found, Answer):
            return found
        if reading.has("cancel") and not reading.has("complete"):
            outcome, past = self._need("update_activity", activity_id=found.id, status="cancelled"), "cancelled"
        else:
            told = reading.content or reading.text.partition(",")[2].strip() or None
            outcome, past = self._need("complete_activity", activity_id=found.id, outcome=told), "completed"
        if outcome.error:
            return self._failure(outcome, Wanted("complete_activity", {}), f"mark {found.name} as {past}")
        return Answer(
            f"**{found.name}** is marked as {past}.",
            topic=Topic((found,), written=f"You just marked {found.name} as {past}."),
        )


def _period(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """The period parameter that a counting question names, as the tool's schema spells it."""
    options = (spec.properties.get("period") or {}).get("enum", ())
    lowered = reading.text.lower()
    for option in options:
        if str(option).replace("_", " ") in lowered:
            return {"period": option}
    if reading.times and reading.times[0].first and "first" in spec.properties:
        return {"first": reading.times[0].first.isoformat(), "last": (reading.times[0].last or now.date()).isoformat()}
    return {}


def _activity(
    ref: Ref, kind: str, due: str | None, priority: str | None, about: str | None, follow_up: bool
) -> dict[str, Any]:
    label = {"call": "Call", "email": "Email", "meeting": "Meeting", "demo": "Demo", "task": "Task"}[kind]
    if follow_up:
        label = f"Follow-up {kind}" if kind in ("call", "email", "meeting", "demo") else "Follow up"
    joint = "to" if kind == "email" else "with"
    title = f"{label} {joint} {ref.name}" + (f": {about}" if about else "")
    arguments = {"entity_type": ref.type, "entity_id": ref.id, "title": title[:200], "activity_type": kind}
    return arguments | ({"due_date": due} if due else {}) | ({"priority": priority} if priority else {})


def _without_times(reading: Reading) -> str:
    text = reading.text
    for span in sorted(reading.times, key=lambda span: -span.start):
        text = text[: span.start] + text[span.end :]
    return re.sub(r"[\s,]+(?:due|by|on|at|for)$", "", " ".join(text.split()).strip(" ,.")).strip(" ,.")


def _without_subject(reading: Reading, subject: Ref) -> Reading:
    return replace(reading, names=[name for name in reading.names if name.text.lower() not in subject.name.lower()])


def _after_name(reading: Reading, subject: Ref) -> str | None:
    """ "note on Jack: met him" without the colon: what follows the name."""
    for name in reading.names:
        rest = reading.text[name.end :].strip(" ,-–:.")
        if name.text.lower() in subject.name.lower() and len(rest.split()) >= 2:
            return rest
    return None


def phrasing_count(value: Any, kind: str, status: str | None) -> int:
    """The number in a pipeline summary, whichever way it is cut."""
    if not isinstance(value, dict):
        return 0
    section = _section(value, kind)
    if status is not None:
        for key in ("by_status", "by_stage", "by_health"):
            rows = section.get(key) or {}
            if isinstance(rows, dict) and status in rows:
                row = rows[status]
                return int(row.get("count", 0) if isinstance(row, dict) else row)
            if isinstance(rows, list):
                return sum(
                    int(row.get("count", 0))
                    for row in rows
                    if status in (row.get("status"), row.get("stage"), row.get("value"))
                )
    return int(section.get("count", section.get("total", 0)) or 0)


def _section(value: dict[str, Any], kind: str) -> dict[str, Any]:
    for container in (value.get("by_type"), value.get("types"), value):
        if isinstance(container, dict) and isinstance(container.get(kind), dict):
            return dict(container[kind])
    sections = value.get("sections") or value.get("summaries")
    if isinstance(sections, list):
        return next((dict(item) for item in sections if item.get("entity_type") == kind), {})
    return value


def summary_text(value: Any) -> str:
    sections = value.get("sections") or [value]
    lines = []
    for section in sections:
        rows = section.get("by_status") or []
        parts = [
            f"{phrasing.words(str(row.get('status')))} {row.get('count')}"
            + (f" ({phrasing.money(row['amount'])})" if float(row.get("amount") or 0) else "")
            for row in rows
        ]
        lines.append(
            f"- **{phrasing.count_of(int(section.get('count', 0)), str(section.get('entity_type')))}**: "
            + ", ".join(parts)
        )
    return "Here is where things stand:\n\n" + "\n".join(lines)


def day_text(value: dict[str, Any], now: datetime) -> str:
    blocks = []
    titles = {"overdue": "Overdue", "due_today": "Due today", "hot_leads": "Hot leads", "closing_soon": "Closing soon"}
    for key, items in value.items():
        records = items.get("items") if isinstance(items, dict) else items
        if isinstance(records, list) and records and isinstance(records[0], dict):
            blocks.append(
                f"**{titles.get(key, phrasing.words(key).capitalize())}**\n\n{phrasing.numbered(records[:5], now)}"
            )
    return (
        "Your priorities for today:\n\n" + "\n\n".join(blocks)
        if blocks
        else "Your day is clear: nothing is due, overdue or about to close."
    )


def advice_text(value: Any, name: str | None) -> str:
    suggestions = value.get("suggestions") or value.get("items") or [] if isinstance(value, dict) else value
    if not suggestions:
        return f"Nothing presses for {name or 'your pipeline'} right now. A friendly check-in call is never wrong."
    lines = [
        f"{place}. **{item.get('action')}** (**{item.get('priority')}**): {item.get('reasoning')}"
        for place, item in enumerate(suggestions, 1)
    ]
    return f"Here is what I'd do next{f' for {name}' if name else ''}:\n\n" + "\n".join(lines)
