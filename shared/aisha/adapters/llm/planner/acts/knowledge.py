"""The tenant's knowledge and work beside its records: documents, events, scans, sentiment; and pages to open."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import formats, values
from aisha.adapters.llm.planner.replies.formats import number_lines
from aisha.adapters.llm.planner.resolve import pointed_at, require
from aisha.adapters.llm.planner.results import items_in
from aisha.adapters.llm.planner.slots import strange
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.tokens import stem
from aisha.domain.wording import humanise

MAX_FINDINGS = 5
MAX_EVENTS = 50
NOTHING_AUDITED = "The audit trail has nothing for that. It holds what was done through me, not in the CRM itself."
MAX_HOURS = 720
_SCANS: Mapping[str, str] = {
    "stale_leads": "stale silent neglected forgotten cold untouched lead prospect",
    "deals_at_risk": "risk slip deal opportunity danger",
    "overdue_activities": "overdue late missed task activity",
    "data_quality": "quality duplicate duplicates incomplete missing clean data hygiene",
    "goal_progress": "goal okr objective target",
    "next_steps": "next step action priority",
}
_URGENT, _HIGH = (lexicon.word_set("severities", key) for key in ("urgent", "high"))
_READING = lexicon.word_set("condition_words", "reading")
_DOCUMENTS = lexicon.word_set("condition_words", "documents")
_DENIED = lexicon.word_set("condition_words", "denied")
_STRONG = 3
"""Words of a scan that count double."""
_ADMINS_ONLY = "The audit trail is open to administrators only. Please ask your admin if you need it."


@act("documents")
def documents(plan: Plan, ask: Ask) -> Answer:
    """Answer a question with the best section of the documents, or with the whole document that is named."""
    named = ask.first("topic") or ask.first("name") or ask.first("new")
    if ask.words & _READING and ask.words & _DOCUMENTS and plan.has("read_document"):
        title = named or _after_noun(ask)
        if not title:
            raise plan.ask_slot(ask, "topic", "Which document shall I open?")
        outcome = plan.need("read_document", document_id=title)
        if outcome.error:
            return Answer(f"There is no document called “{title}”. {outcome.error.get('suggestion') or ''}".strip())
        return Answer(values.format_documents(outcome.value) or "That document is empty.")
    value = plan.call("search_documents", "search the documents", query=ask.text)
    return Answer(values.format_documents(value) or "I found nothing about that in your documents.")


def _after_noun(ask: Ask) -> str:
    """Return the words after "the document"."""
    starts = [token.end for token in ask.tokens if token.word in _DOCUMENTS]
    return ask.text[starts[0] :].strip(' :.?!"“”') if starts else ""


@act("events")
def events(plan: Plan, ask: Ask) -> Answer:
    """Tell what happened lately, or who changed a record."""
    if ask.texts("name") or ask.texts("ref"):
        if "last_contacted_at" in lexicon.fields_in(" ".join(token.word for token in ask.outside)):
            return ACTS["ask_field"](plan, ask)  # "last touch with Ann?"
        if not plan.has("get_audit_trail"):
            return Answer(_ADMINS_ONLY)
        record = require(plan, ask, "Which record do you mean?")
        items = items_in(plan.call("get_audit_trail", "read the audit trail", entity=record.id))
        lines = [
            f"{formats.format_instant(str(one['at']), plan.now)}: {one['user']}, {humanise(str(one['tool']))}"
            for one in items
        ]
        return Answer(
            number_lines(lines) if lines else f"I see no changes to {record.name} in the audit trail.",
            topic=Topic((record,)),
        )
    owner = (ask.first("owner") or "").lower()
    if "audit" in ask.words or owner:
        return _audited(plan, ask, owner)
    items = items_in(plan.call("get_recent_events", "look up what happened", limit=MAX_EVENTS if ask.times else None))
    items = [one for one in items if _is_within(ask, str(one.get("created_at") or ""), plan.now)]
    lines = [f"**{one['title']}** ({formats.format_age(str(one.get('created_at')), plan.now)})" for one in items]
    if ask.times:
        when = f" {ask.first('when')}" if ask.first("when") else " then"
        return Answer(f"What happened{when}:\n\n{number_lines(lines)}" if lines else f"Nothing was recorded{when}.")
    return Answer("What happened lately:\n\n" + number_lines(lines) if lines else "Nothing happened lately.")


def _audited(plan: Plan, ask: Ask, owner: str) -> Answer:
    """Tell what was done through the assistant, in the time and by the colleague that the ask names."""
    if not plan.has("get_audit_trail"):
        return Answer(_ADMINS_ONLY)
    starts = (span.exact or bounds(span, plan.now)[0] for span in ask.times)
    since = next((start.isoformat() for start in starts if start), None)
    limit = MAX_EVENTS if owner or ask.times else None
    items = items_in(plan.call("get_audit_trail", "read the audit trail", since=since, limit=limit))
    lines = [
        f"{formats.format_instant(str(one['at']), plan.now)}: "
        f"{one['user']}, {humanise(str(one['tool']))}, {one['status']}"
        for one in items
        if _is_within(ask, str(one["at"]), plan.now) and (not owner or _is_change_by(one, owner))
    ]
    return Answer(number_lines(lines) if lines else NOTHING_AUDITED)


def _is_change_by(call: Mapping[str, Any], owner: str) -> bool:
    return bool(call.get("changes")) and str(call["user"]).lower().startswith(owner)


def _is_within(ask: Ask, at: str, now: datetime) -> bool:
    """Return whether an instant lies in the times that an ask names, if any."""
    moment = datetime.fromisoformat(at).astimezone(now.tzinfo) if at else now
    ends = (bounds(span, now) for span in ask.times)
    return all((not first or first <= moment) and (not last or moment <= last) for first, last in ends)


@act("run_scan")
def run_scan(plan: Plan, ask: Ask) -> Answer:
    """Run the scans named."""
    scans = scans_named(ask)
    if not scans:
        question = (
            "Which scan shall I run: next steps, stale leads, deals at risk, overdue activities, data quality "
            "or goal progress?"
        )
        raise plan.ask_slot(ask, "value", question)
    if _is_plain(ask):
        plan = replace(plan, doubt="")  # A scan's own words are no doubt.
    severity = "urgent" if ask.words & _URGENT else "high" if ask.words & _HIGH else None
    run = partial(plan.call, "run_scan", severity=severity)
    runs = [partial(run, f"run the {humanise(scan)} scan", scan_type=scan) for scan in scans]
    reports = at_once(runs)
    entities = [one["entity"] for report in reports for one in report.get("findings", ())[:MAX_FINDINGS]]
    refs = tuple(
        Ref(one["type"], one["id"], one["name"]) for one in entities if one["type"] in (*lexicon.KINDS, "activity")
    )
    texts = [values.format_scan(report) or "The scan found nothing." for report in reports]
    return Answer("\n\n".join(texts), topic=Topic(refs))


def _is_plain(ask: Ask) -> bool:
    """Return whether an ask was read for sure, and nothing in it but the words of scans is unexplained."""
    known_stems = [stem(word) for word in (*" ".join(_SCANS.values()).split(), *_URGENT, *_HIGH)]
    left = [one for one in strange(ask) if not any(one.stem.startswith(word) for word in known_stems)]
    is_denied = any(one.word in _DENIED for one in ask.loose)
    return ask.segment.probability >= policy.SURE_PROBABILITY and not left and not is_denied


def scans_named(ask: Ask) -> list[str]:
    """Return the scans whose words the ask has, the telling words counting double; several only if joined by "and"."""

    def score(words: str) -> int:
        return sum(
            (2 if place < _STRONG else 1) * (stem(word) in ask.stems) for place, word in enumerate(words.split())
        )

    scores = {scan: score(words) for scan, words in _SCANS.items()}
    best = max(scores, key=scores.__getitem__)
    several = [scan for scan, number in scores.items() if number > 2]
    if len(several) > 1 and "and" in ask.words:
        return several
    return [best] if scores[best] else []


@act("scan_results")
def scan_results(plan: Plan, ask: Ask) -> Answer:
    """Tell what the last scans found, in the time named."""
    span = next((time for time in ask.times if time.first is not None), None)
    hours = _hours_back(span, plan.now) if span else None
    variant = "quick" if ask.words & {"quick", "quickly", "short", "brief", "briefly"} else None
    value = plan.call("get_scan_briefing", "look up the scans", variant=variant, timeframe_hours=hours)
    return Answer(values.format_scan(value) or "No scan has run lately.")


def _hours_back(span: TimeSpan, now: datetime) -> int:
    """Return the hours of a time up to now; of a week or another period all of it."""
    if span.exact is not None:
        hours = (now - span.exact).total_seconds() / 3600
    else:
        last = max(span.last or now.date(), now.date())
        hours = ((last - span.first).days + 1) * 24 if span.first else 24
    return max(1, min(MAX_HOURS, round(hours)))


@act("sentiment")
def sentiment(plan: Plan, ask: Ask) -> Answer:
    """Judge the mood of a text, or of a record's notes."""
    text = ask.first("text")
    if text is not None:
        return Answer(_mood(plan.call("analyze_sentiment", "read that text", text=text)))
    if not (ask.texts("name") or ask.texts("org") or pointed_at(plan, ask)):
        raise plan.ask_slot(ask, "text", "Which text or whose notes shall I read?")
    record = require(plan, ask, "Whose mood do you mean?")
    value = plan.call("analyze_sentiment", f"read the notes about {record.name}", **record.entity)
    text, health = _mood(value), plan.record(record).get("health") if record.type == "account" else None
    if health not in (None, "unknown"):  # "Is that customer happy with us?"
        text = f"The health of **{record.name}** is **{humanise(str(health))}**. {text}"
    return Answer(text, topic=Topic((record,)))


def _mood(value: Mapping[str, Any]) -> str:
    entity, texts = value.get("entity"), int(value.get("texts") or 0)
    if entity and not texts:
        return f"There are no notes about {entity['name']} to judge by."
    source = (
        f"{'The newest note' if texts == 1 else f'The {texts} newest notes'} about **{entity['name']}**"
        if entity
        else "That"
    )
    evidence = ", ".join(f"“{phrase}”" for phrase in value.get("evidence", ()))
    verb = "sound" if entity and texts > 1 else "sounds"
    return f"{source} {verb} **{value['sentiment']}**." + (f" It shows in {evidence}." if evidence else "")


@act("navigate")
def navigate(plan: Plan, ask: Ask) -> Answer:
    """Open a page of the CRM, or that of a record."""
    if not plan.has("navigate_to_page"):
        return Answer("I can't open pages here.")
    pages = plan.tools["navigate_to_page"].properties["page"]["enum"]
    words = {token.stem for token in ask.tokens} | {f"{kind}s" for kind in ask.kinds}
    page = next((one for one in pages if stem(one) in words or one in words), None)
    if page is None and (ask.texts("name") or ask.texts("ref")):
        record = require(plan, ask, "Which record shall I open?")
        page = lexicon.PLURALS[record.type]
        plan.call("navigate_to_page", "open that page", page=page, **record.entity)
        return Answer(f"Opening {record.name}.", topic=Topic((record,)))
    if page is None:
        raise plan.ask_slot(ask, "value", f"Which page shall I open: {', '.join(pages)}?")
    plan.call("navigate_to_page", "open that page", page=page)
    return Answer(f"Opening the {page} page.")
