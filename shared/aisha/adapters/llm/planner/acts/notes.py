"""Store notes in the user's words, read them, and offer to note what the user reports."""

import itertools
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, policy, resolve
from aisha.adapters.llm.planner.acts.activities.selection import MAX_PAGE
from aisha.adapters.llm.planner.acts.activities.targets import described_records
from aisha.adapters.llm.planner.acts.asks import as_names, plan_words, says, with_described, with_text, word_before
from aisha.adapters.llm.planner.acts.execution import write_all
from aisha.adapters.llm.planner.acts.writing.fitting import fit
from aisha.adapters.llm.planner.acts.writing.gleaning import with_free_text
from aisha.adapters.llm.planner.acts.writing.update import opt_outs
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import formats, profiles
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.slots import strange
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, NAME_TAGS, READS
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.reader import Reading, Segment, Span, read
from aisha.domain.language.tokens import tokenize
from aisha.domain.language.words import is_first_name
from aisha.domain.wording import join_names

MAX_QUERY = 200
# Acts of the sentences before an order that tell what to note.
_AROUND = frozenset("report context smalltalk thanks".split())
# Slots of news that are a value of the record rather than a note.
_TELLING = ADDRESS_TAGS | {"field"}
_NOUNS = {"call_log": "call log", "meeting": "meeting note"}
_POINTING = lexicon.POINTING | {"said"}
_BEFORE_TEXTS = frozenset(": - – , that saying".split())
_NO_NEWS = frozenset("want wants like likes asked asks need needs".split())
_AFTER_KINDS = _BEFORE_TEXTS | {"as", "well", "too", "also"}
_NOTING = lexicon.ORDER_VERBS | {"notes", "memo", "comment", "remark"}
_STATED = "That sounds like a change of the record"
_QUOTED = re.compile(r"(?<!\w)[“\"'‘](?P<text>[^”\"“]{2,500}?)[”\"'’](?!\w)")


@act("create_note")
def create_note(plan: Plan, ask: Ask) -> Answer:
    """Store a note on each record that the ask names, in the user's words."""
    if (change := _as_field(plan, ask)) is not None:
        return ACTS["update_record"](plan, change)
    ask, reader = _without_reader(_on_kind(ask))
    ask = as_names(with_described(plan, ask), "new", "org", "owner")
    content = _content(plan, ask)
    records = _subjects(plan, ask, content)
    names = join_names([f"**{ref.name}**" for ref in records])
    if not content:
        raise plan.ask_slot(ask, "text", f"What should the note for {names} say?")
    given: dict[str, Any] = {"content": content, "is_private": True if "private" in ask.words else None}
    given["note_type"] = next((one for one in ("call_log", "meeting") if says(ask, "logging") and says(ask, one)), None)
    plan = with_text(plan, ask, content)
    abouts = [ref.entity for ref in records]
    write_all(plan, [plan.planned("create_note", **about, **given) for about in abouts], "store the note")
    noun = _NOUNS.get(given["note_type"] or "", "note")
    topic = Topic(tuple(records), plan.topic.search, written=f"You just added a {noun} for {names}: “{content}”")
    text = f"I've added the {noun} to {names}: “{content}”"
    return Answer(f"{text} I can't tell {reader} about it myself." if reader else text, topic=topic)


def _as_field(plan: Plan, ask: Ask) -> Ask | None:
    """Return an order to write a text into a field as the change of it: "write in the next step: legal review"."""
    change = Ask(replace(ask.segment, act="update_record"), ask.now)
    colon = ask.text.find(":")
    for kind in (one for one in ("opportunity", "lead") if colon > 0 and plan.has(f"update_{one}")):
        given = with_free_text(change, plan.tools[f"update_{kind}"])
        if "note" not in ask.kinds and any(span.tag == "field" and span.end <= colon for span in given.segment.spans):
            return given
    return None


def _without_reader(ask: Ask) -> tuple[Ask, str]:
    """Return an ask without the name of whom the note is for, and that name: "leave Bob a note on her"."""
    names = [span for span in ask.segment.spans if span.tag in ("name", "owner")]
    is_about = any(span.tag == "ref" and word_before(ask, span) in lexicon.BEFORE_TARGETS for span in ask.segment.spans)
    after = [one.word for one in ask.tokens if names and one.start >= names[0].end][:2]
    if not is_about or len(names) != 1 or after != ["a", "note"]:
        return ask, ""
    return ask.with_spans(one for one in ask.segment.spans if one != names[0]), names[0].text


def _on_kind(ask: Ask) -> Ask:
    """Return the ask, with all that follows "on the deal:" as its text: a name in that is not whom it is about."""
    tokens = ask.tokens
    for place, (one, two, noun) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False), 3):
        is_kind = (
            one.word in lexicon.BEFORE_TARGETS and two.word in _POINTING and lexicon.kind_named(noun) in lexicon.KINDS
        )
        if not is_kind or any(span.tag in NAME_TAGS and span.start < noun.start for span in ask.segment.spans):
            continue
        marker = list(itertools.takewhile(lambda token: token.word in _AFTER_KINDS, tokens[place:]))
        rest = tokens[place + len(marker) :]
        if rest and {token.word for token in marker} & _BEFORE_TEXTS:
            spans = [span for span in ask.segment.spans if span.end <= noun.start]
            text = Span("text", ask.text[rest[0].start :].rstrip(), rest[0].start)
            return ask.with_spans((*spans, Span("ref", ask.text[two.start : noun.end], two.start), text))
    return ask


def _content(plan: Plan, ask: Ask) -> str:
    """Return what the note says: the text, else what follows a colon or "that", else what was said around the order."""
    before, after = _reported(plan, ask)
    after_marker = following(ask, "before_text", after=_NOTING).removeprefix("says ").removeprefix("saying ")
    texts = [span for span in ask.segment.spans if span.tag in ("text", "topic")]
    text = ask.text[texts[0].start : texts[-1].end] if texts else ""
    quotation = quoted(ask.text)
    # "He said “call me” and left": the quotation is a part of the note.
    around = text.removeprefix("saying ").replace(quotation, "", 1) if quotation in text else ""
    if quotation and not any(map(str.isalnum, around)):
        text = quotation
    else:
        # The tagger takes too few words: all that follows "that" is what to note.
        text = after_marker if not text or text in after_marker else text
        opening = ask.text[: ask.text.find(text)][-1:] if quotation else ""
        text = f"{opening}{text}" if opening in ('"', "“") else text
    text = text or _after_name(ask)
    if (told := policy.told_before(ask)) and text and ask.text.find(text) < len(told) < ask.text.find(text) + len(text):
        text = told  # "…, please make a note of the same" is no part of the note.
    if not text and ask.words & lexicon.THING_PRONOUNS:
        text, after = before or policy.told_before(ask) or _told_first(plan, ask) or _told_last(plan), ""
    marks = " ,;:" if "\n" in text else " ,;:–-"  # The dash of a list's first line stays.
    return f"{text.strip(marks)} {after}".strip() if text else ""


def _told_first(plan: Plan, ask: Ask) -> str:
    """Return what a message reports before its orders: "Ann is keen. Make her warm and write this as a note"."""
    message = plan.scene.user_text
    reading = plan.read(message)
    told = list(itertools.takewhile(lambda one: one.act in _AROUND, reading.segments))
    return as_typed(message, reading.text, [one for one in told if one.act == "report"]).strip(" .")


def _told_last(plan: Plan) -> str:
    """Return what the user's message before this one tells; empty where it asks or orders something."""
    last = next((one.content for one in reversed(plan.scene.history) if one.role == "user"), "")
    segments = plan.read(last).segments if last else ()
    is_told = bool(segments) and not any(begins_as_order(one) or one.act in READS for one in segments)
    return last.strip() if is_told else ""


def quoted(text: str) -> str:
    """Return the words of a text in quotation marks of any kind; empty without any."""
    match = _QUOTED.search(text)
    return match["text"].strip() if match else ""


def _after_name(ask: Ask) -> str:
    """Return the words after the record's name, if the order does not explain them: "note on Lars needs a scanner"."""
    start = max((span.end for span in ask.segment.spans if span.tag == "name"), default=len(ask.text))
    unread = {*policy.unexplained(ask)}
    is_text = any(token.start >= start and token.text in unread for token in ask.loose)
    # A note has no time of its own.
    is_text = is_text or any(span.start >= start and span.tag in ("when", "amount") for span in ask.segment.spans)
    return ask.text[start:].strip(' ,;:–-.?!"“”') if is_text else ""


def following(ask: Ask, key: str, after: frozenset[str] = frozenset()) -> str:
    """Return the words after the first of some words that stands outside of names, and after one of `after`."""
    pairs = list(zip(ask.outside, [*(token.word for token in ask.outside[1:]), ""], strict=False))
    # In "put that on her record", "that" is a pronoun.
    # In "on that account", it stands before its noun.
    no_text = plan_words("after_pronoun")
    pairs = [
        (one, two) for one, two in pairs if two not in no_text and not (one.word == "that" and lexicon.kind_of(two))
    ]
    begun = min((one.start for one in ask.outside if one.word in after), default=0)
    ends = [one.end for one, two in pairs if one.word in plan_words(key) and one.start >= begun]
    start = min(ends, default=len(ask.text))
    rest = ask.text[start:].strip(' ,;:–-.?!"“”')
    return rest if any(token.kind == "word" for token in tokenize(rest)) else ""


def _reported(plan: Plan, ask: Ask) -> tuple[str, str]:
    """Return what the message reports directly before the ask, and directly after it without another name."""
    message = plan.scene.user_text
    reading = plan.read(message) if len(message) > len(ask.text) + 1 else Reading(())
    segments = reading.segments
    place = next((at for at, one in enumerate(segments) if one.text == ask.text), None)
    if place is None:
        return "", ""
    first = next((at for at in range(place, 0, -1) if segments[at - 1].act not in _AROUND), 0)
    before = list(itertools.dropwhile(lambda one: one.act != "report", segments[first:place]))
    following = [one for one in segments[place + 1 : place + 2] if one.act == "report"]
    after = [one for one in following if not {span.tag for span in one.spans} & {"name", "new", "org"}]
    return as_typed(message, reading.text, before), as_typed(message, reading.text, after)


def as_typed(message: str, corrected: str, segments: Sequence[Segment]) -> str:
    """Return segments in the words of the message: a note has no correction of somebody's spelling."""
    text = " ".join(one.text for one in segments)
    tokens, typed = tokenize(corrected), tokenize(message)
    start = corrected.find(segments[0].text) if segments else -1
    end = corrected.find(segments[-1].text, start) + len(segments[-1].text) if start >= 0 else 0
    inside = [place for place, one in enumerate(tokens) if start <= one.start < end]
    if start < 0 or not inside or len(tokens) != len(typed):
        return text
    return message[typed[inside[0]].start : typed[inside[-1]].end]


def _subjects(plan: Plan, ask: Ask, content: str) -> Sequence[Ref]:
    """Return the records of a note: those that the order names, else the one that the note begins with."""
    if content and not (ask.first("name") or ask.texts("ref") or ask.words & lexicon.PERSON_PRONOUNS or plan.bindings):
        names = [
            span.text for span in read(content).segments[0].spans if span.tag in ("name", "new") and not span.start
        ]
        # "Jot down that tamara is on leave": a small word may be read as no name.
        names += [one.text for one in tokenize(content)[:1] if is_first_name(one.word)]
        record = naming.by_name(plan, names[0]) if names else None
        if isinstance(record, Ref):
            return (record,)
    kinds = resolve.kinds_named(ask)
    if kinds and ask.texts("value") and (ask.is_plural or ask.count) and not ask.first("name"):
        match = _QUOTED.search(ask.text)
        texts = [span for span in ask.segment.spans if span.tag in ("text", "topic")]
        places = [(span.start, span.end) for span in texts] + ([match.span()] if match else [])
        for start, end in places:
            ask = ask.without(start, end)
        return described_records(plan, ask, kinds[0])
    first = next((token.word for token in tokenize(content)), "")
    is_of_person = first in lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS
    question = f"Whom do you mean by “{first}”?" if is_of_person else "Whom or what is the note about?"
    records = resolve.require_all(plan, ask, question)
    is_pointing = ask.first("name") or ask.texts("org") or ask.texts("ref") or plan.bindings
    if not is_pointing and is_of_person and records[0].type in ("account", "opportunity"):
        raise plan.ask_who(ask, question)
    return records


@act("report")
def report(plan: Plan, ask: Ask) -> Answer:
    """Offer to note what the user reports. Nothing is stored before the yes."""
    match = resolve.subject(plan, as_names(ask, "new", "org"))
    if match is None or isinstance(match, naming.Unknown):
        unknown = f" I have no record called {match.name}." if match else ""
        return Answer(f"Thanks for telling me.{unknown} If I should note that, say on whose record.", topic=plan.topic)
    record, sentence = resolve.settled(plan, ask, match), " ".join(ask.text.split()).rstrip(" .!,;")
    tool = f"update_{record.type}"
    if record.type == "lead" and plan.has(tool) and opt_outs(ask):
        reading = Ask(replace(ask.segment, act="update_record"), plan.now)  # "Ann asked not to be emailed any more."
        return ACTS["update_record"](replace(plan, doubt=_STATED, bindings={"": record}), reading)
    if _TELLING & {span.tag for span in ask.segment.spans} and plan.has(tool) and not ask.words & _NO_NEWS:
        values, left = fit(ask, plan.tools[tool], record.type)
        if values and not left:  # "He has phone 415 555 0188".
            reading = Ask(replace(ask.segment, act="update_record"), plan.now)
            return ACTS["update_record"](replace(plan, doubt=_STATED, bindings={"": record}), reading)
    text = f"Shall I add that as a note to **{record.name}**: “{sentence}”?"
    return plan.offer(text, f"add a note for {record.name}: {sentence}", topic=Topic((record,), plan.topic.search))


@act("notes")
def notes(plan: Plan, ask: Ask) -> Answer:
    """List the notes of a record, or those that contain words."""
    ask = as_names(ask, "new", "org")
    query = (ask.first("topic") or ask.first("text") or ask.first("value") or _query_after(ask)).split()
    text = " ".join(query[1:] if query and query[0].lower() in plan_words("articles") else query).strip("\"“”'?.!")[
        :MAX_QUERY
    ]
    text = "" if text.lower() in lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS else text  # "noted about him"
    match = resolve.subject(plan, ask) if ask.first("name") or ask.texts("ref") or not text else None
    if isinstance(match, naming.Unknown) and not text:
        text, match = match.name, None  # "Notes mentioning the Leeds office".
    if match is None and not text:
        raise plan.ask_who(ask, "Whose notes would you like to see? I can also search all notes for a word.")
    record = resolve.settled(plan, ask, match) if match is not None else None
    calls = [plan.planned("search_notes", query=text, limit=MAX_PAGE)] if text else []
    if record is not None:
        calls.append(plan.planned("list_notes", **record.entity, limit=MAX_PAGE))
    outcomes = plan.need_all(calls)
    if failed := [one for one in outcomes if one.error]:
        return plan.failure(failed[0], "read the notes")
    about = f" about **{record.name}**" if record else ""
    matches = [one for one in items_of(outcomes[0]) if record is None or one["related"]["id"] == record.id]
    if matches or record is None:
        return _listed(plan, ask, matches, about + (f" mentioning “{text}”" if text else ""), record)
    others = items_of(outcomes[-1])
    missing = f"None of the notes about **{record.name}** mentions “{text}”. " if text and others else ""
    return _listed(plan, ask, others, about, record, missing)


def _query_after(ask: Ask) -> str:
    """Return the words to look for after a verb; none where they only say whose notes: "say about Ann last time"."""
    query = following(ask, "before_query")
    start = len(ask.text) - len(query)
    is_bare = bool(ask.texts("name")) and not any(one.start >= start for one in strange(ask))
    return "" if is_bare else query


def _listed(
    plan: Plan, ask: Ask, items: Sequence[Mapping[str, Any]], about: str, record: Ref | None, head: str = ""
) -> Answer:
    """Return notes as the answer: those of the time and the colleague that the ask names."""
    owner, span = (ask.first("owner") or "").lower(), next(iter(ask.times), None)
    if span is not None:
        first, last = bounds(span, plan.now)
        made = [(one, datetime.fromisoformat(one["created_at"])) for one in items]
        items = [one for one, at in made if (not first or first <= at) and (not last or at <= last)]
        about = f" from that time{about}"
    if owner:
        about, items = (
            f" by {owner.capitalize()}{about}",
            [one for one in items if str(one.get("owner")).lower() == owner],
        )
    lines = [profiles.format_note(one, plan.now, is_about=record is None) for one in items[: ask.count]]
    listed = tuple(ref_of(dict(one)) for one in items[: ask.count])
    topic = Topic((record,) if record else (), plan.topic.search, listed=listed)
    if not lines:
        return Answer(f"{head}There are no notes{about}.", topic=topic)
    there = "There is 1 note" if len(items) == 1 else f"There are {len(items)} notes"
    number = f"The last {len(lines)} of {len(items)} notes" if len(lines) < len(items) else there
    return Answer(f"{head}{number}{about}:\n\n{formats.numbered(lines)}", topic=topic)
