"""Acts that look something up: a record, one of its fields, a list, or recent changes."""

from typing import Any

from aisha.adapters.llm.offline.acts.ranking import rank_records
from aisha.adapters.llm.offline.acts.scheduling import named_records
from aisha.adapters.llm.offline.arguments import search_filters
from aisha.adapters.llm.offline.entity_resolution import PLURALS, Unknown, ordinal_in
from aisha.adapters.llm.offline.intent import Intent, field_of, fields_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.lexicon import state_code
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic

# "any open deals there?", "his deals": points at the record under discussion.
_POINTS_BACK = pattern(
    r"\bthere\b(?! (?:are|is|any|were))"
    r"|\b(?:with|for|at|from|of|to) (?:him|her|them|it|this (?:one|account|company|lead|contact))\b"
    r"|\b(?:his|her|their|its)\b|\b(?:does|do|has|have) (?:he|she|they|it)\b"
)
_TROUBLE = pattern(r"\b(?:trouble|struggling|danger|wobbly|shaky|unhappy|worr\w+|leave|leaving|way out|lose|losing)\b")
_EVERYTHING = pattern(r"\bso far\b|\beverything\b|\ball\b|\b(?:un)?till? now\b|\bup to now\b")
_READ_PREFIXES = ("search_", "list_", "get_", "suggest_", "find_", "forecast_", "req_")


def inquire(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if (refs := named_records(plan, reading)) is not None:
        profiles = [phrasing.format_profile(record, plan.now) for ref in refs if (record := plan.record(ref))]
        return Answer("\n\n".join(profiles), topic=Topic(tuple(refs)))
    by_value = intent.kind is not None and not reading.has(intent.kind)
    kind = None if by_value and "person" in reading.pronouns else intent.kind
    subject = plan.finder().subject(reading, kind, always_search=True, must_name=True)
    if (answer := plan.unresolved(subject, reading.text, "Who or what would you like to know about?")) is not None:
        if isinstance(subject, Unknown) and not any(name.strong for name in reading.names):
            return Answer(phrasing.NOT_UNDERSTOOD)
        return answer
    assert isinstance(subject, Ref)  # noqa: S101 - the other cases were answered above
    record = plan.record(subject)
    text = phrasing.format_profile(record, plan.now) if record else f"I couldn't read {subject.name}."
    return Answer(text, topic=Topic(refs=(subject,)))


def field_of_record(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = None if field_of(reading) == "company" else intent.kind
    subject = plan.finder().subject(reading, kind)
    about = plan.finder().mentioned(reading) if subject is None and kind == "opportunity" else None
    if about is not None and about.type == "account":
        return listing(plan, "opportunity", "search_opportunities", {"account_id": about.id})
    subject = plan.require(subject, reading.text, "Whose do you mean?")
    if (at := reading.text.lower().find(subject.name.lower())) >= 0:
        remaining = plan.read(f"{reading.text[:at]}{reading.text[at + len(subject.name) :]}")
        if field_of(remaining) is None:
            return inquire(plan, intent, reading)
    record = plan.record(subject) or {}
    sentences = [_field_text(plan, subject, record, name) for name in fields_of(reading) or [""]]
    return Answer(" ".join(sentences), topic=Topic(refs=(subject,)))


def _field_text(plan: Plan, subject: Ref, record: dict[str, Any], name: str) -> str:
    """Format one field of a record as a sentence."""
    if name in ("amount", "estimated_value"):
        name = {"lead": "estimated_value", "account": "annual_revenue"}.get(subject.type, "amount")
    if name == "status" and "status" not in record:
        name = "stage" if "stage" in record else "type"
    label = phrasing.humanise(name).removesuffix(" at")
    if record.get(name) in (None, ""):
        return f"There is no {label} on record for {subject.name}."
    if name == "address":
        place = ", ".join(str(part) for part in record["address"].values() if part)
        return f"{subject.name} is in **{place}**."
    value_text = (
        phrasing.format_age(str(record[name]), plan.now)
        if name == "last_contacted_at"
        else phrasing.format_field(name, record[name], plan.now)
    )
    verb = "was" if name == "last_contacted_at" else "is"
    return f"{subject.name}'s {label} {verb} **{value_text}**."


def list_records(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = intent.kind or "lead"
    tool = f"search_{PLURALS[kind]}"
    arguments = search_filters(reading, plan.tools[tool], plan.now)
    if kind in ("opportunity", "contact") and not any(name.strong for name in reading.names):
        arguments |= _filter_by_topic(plan, kind, reading)
    if kind == "account" and arguments.get("health") in ("at_risk", "churning") and _TROUBLE.search(reading.text):
        return _list_accounts_in_trouble(plan, arguments)
    if (ranking_answer := rank_records(plan, kind, reading, arguments)) is not None:
        return ranking_answer
    answer = listing(plan, kind, tool, arguments)
    if answer.topic is not None and not answer.topic.refs and (by_company := _filter_by_company(plan, kind, arguments)):
        return listing(plan, kind, tool, by_company)
    return answer


def _filter_by_company(plan: Plan, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return filters by company for "XYZ contacts" when no record has that name."""
    name = arguments.get("name_contains")
    if name is None or kind not in ("contact", "opportunity"):
        return {}
    other_filters = {key: value for key, value in arguments.items() if key != "name_contains"}
    account = plan.finder().by_name(str(name), None, "account")
    return {**other_filters, "account_id": account.id} if isinstance(account, Ref) and account.type == "account" else {}


def _filter_by_topic(plan: Plan, kind: str, reading: Reading) -> dict[str, Any]:
    """Return filters for the one record under discussion: "any open deals there?"."""
    match = _POINTS_BACK.search(reading.text)
    if match is None or pattern(r"\s*(?:is|are) there\b").match(reading.text):
        return {}
    about = plan.topic.refs[0] if len(plan.topic.refs) == 1 else plan.finder().mentioned(reading)
    if about is None or about.type == kind:
        return {}
    record = plan.record(about) or {}
    if about.type == "contact" and kind == "opportunity" and match[0].lower() != "there":
        return {"contact_id": about.id}
    account = about.id if about.type == "account" else record.get("account_id")
    if account is None and record.get("company"):
        account_ref = plan.finder().by_name(str(record["company"]), None, "account")
        account = account_ref.id if isinstance(account_ref, Ref) else None
    return {"account_id": account} if account else {}


def _list_accounts_in_trouble(plan: Plan, arguments: dict[str, Any]) -> Answer:
    """List the accounts that are at risk or churning."""
    calls = [PlannedCall("search_accounts", {**arguments, "health": health}) for health in ("at_risk", "churning")]
    records = [record for outcome in plan.need_all(calls) for record in items_of(outcome)]
    if not records:
        return Answer("None of the accounts is at risk or churning.", topic=Topic((), "search_accounts", arguments, 0))
    lines = [
        f"{place}. {phrasing.format_line(record, plan.now)}, {phrasing.humanise(str(record.get('health')))}"
        for place, record in enumerate(records, 1)
    ]
    head = f"{phrasing.format_count(len(records), 'account')} in trouble"
    topic = Topic(tuple(ref_of(record) for record in records), "search_accounts", arguments, len(records))
    return Answer(f"{head}:\n\n" + "\n".join(lines), topic=topic)


def listing(plan: Plan, kind: str, tool: str, arguments: dict[str, Any]) -> Answer:
    outcome = plan.call(tool, "list those", **arguments)
    items = items_of(outcome)
    total = outcome.value.get("total")
    label = " ".join(
        phrasing.humanise(str(arguments[name]))
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
        f"Here are {len(items)} of {phrasing.format_count(total, kind, label)}"
        if more
        else f"I found {phrasing.format_count(len(items), kind, label)}"
    )
    return Answer(f"{head}:\n\n{phrasing.format_numbered(items, plan.now)}", topic=topic)


def people(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    pointed_at = ordinal_in(reading.text, plan.topic.refs)
    subject = (
        plan.finder().subject(reading, "account")
        if reading.names
        else pointed_at or plan.finder().mentioned(reading, "account")
    )
    if subject is None:
        subject = plan.finder().mentioned(reading)
    place = next((name.text for name in reading.names if name.before in ("in", "near", "around")), None)
    if isinstance(subject, Unknown) and place:
        code = state_code(place)
        return listing(plan, "lead", "search_leads", {"state": code} if code != place else {"city": place.title()})
    subject = plan.require(subject, reading.text, "At which company?")
    if subject.type == "account":
        return listing(plan, "contact", "search_contacts", {"account_id": subject.id})
    record = plan.record(subject) or {}
    if subject.type == "opportunity" and record.get("contact_id"):
        contact = plan.record(Ref("contact", str(record["contact_id"]), "")) or {}
        return Answer(phrasing.format_profile(contact, plan.now), topic=Topic(refs=(ref_of(contact),)))
    company = record.get("company")
    return listing(plan, "contact", "search_contacts", {"company": company} if company else {})


def recall(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    done = [
        [call.line for call in message.tool_calls if not call.name.startswith(_READ_PREFIXES)]
        for message in plan.scene.history
    ]
    turns = [lines for lines in done if lines]
    if len(turns) > 1 and _EVERYTHING.search(reading.text):
        lines = [line for turn in turns for line in turn]
        numbered_lines = "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
        return Answer(f"In this conversation I did this:\n\n{numbered_lines}", topic=plan.topic)
    if plan.topic.written:
        return Answer(plan.topic.written, topic=plan.topic)
    if turns:
        return Answer("Last I did this: " + " ".join(turns[-1]), topic=plan.topic)
    return Answer("I haven't changed anything in this conversation yet.")
