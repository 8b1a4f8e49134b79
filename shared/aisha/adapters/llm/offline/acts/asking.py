"""Acts that look something up: a record, one of its fields, a list, what was done."""

import re
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.ranking import ranking
from aisha.adapters.llm.offline.acts.scheduling import several
from aisha.adapters.llm.offline.arguments import filters
from aisha.adapters.llm.offline.entity_resolution import PLURALS, Unknown, ordinal_in
from aisha.adapters.llm.offline.fields import field_of, fields_of
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.adapters.llm.offline.us_states import state_code


def inquire(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if (refs := several(plan, reading)) is not None:
        if isinstance(refs, Answer):
            return refs
        profiles = [phrasing.profile(record, plan.now) for ref in refs if (record := plan.record(ref))]
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
    text = phrasing.profile(record, plan.now) if record else f"I couldn't read {subject.name}."
    return Answer(text, topic=Topic(refs=(subject,)))


def field_of_record(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = None if field_of(reading) == "company" else intent.kind
    subject = plan.finder().subject(reading, kind)
    about = plan.finder().mentioned(reading) if subject is None and kind == "opportunity" else None
    if about is not None and about.type == "account":
        return listing(plan, "opportunity", "search_opportunities", {"account_id": about.id})
    if (answer := plan.unresolved(subject, reading.text, "Whose do you mean?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    if (at := reading.text.lower().find(subject.name.lower())) >= 0:
        rest = plan.read(f"{reading.text[:at]}{reading.text[at + len(subject.name) :]}")
        if field_of(rest) is None:
            return inquire(plan, intent, reading)
    record = plan.record(subject) or {}
    said = [_field_text(plan, subject, record, name) for name in fields_of(reading) or [""]]
    return Answer(" ".join(said), topic=Topic(refs=(subject,)))


def _field_text(plan: Plan, subject: Ref, record: dict[str, Any], name: str) -> str:
    """One field of a record in a sentence."""
    if name in ("amount", "estimated_value"):
        name = {"lead": "estimated_value", "account": "annual_revenue"}.get(subject.type, "amount")
    if name == "status" and "status" not in record:
        name = "stage" if "stage" in record else "type"
    label = phrasing.words(name).removesuffix(" at")
    if record.get(name) in (None, ""):
        return f"There is no {label} on record for {subject.name}."
    if name == "address":
        place = ", ".join(str(part) for part in record["address"].values() if part)
        return f"{subject.name} is in **{place}**."
    shown = (
        phrasing.ago(str(record[name]), plan.now)
        if name == "last_contacted_at"
        else phrasing.value_of(name, record[name], plan.now)
    )
    verb = "was" if name == "last_contacted_at" else "is"
    return f"{subject.name}'s {label} {verb} **{shown}**."


def list_records(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = intent.kind or "lead"
    tool = f"search_{PLURALS[kind]}"
    arguments = filters(reading, plan.tools[tool], plan.now)
    if kind in ("opportunity", "contact") and not any(name.strong for name in reading.names):
        arguments |= _whose(plan, kind, reading)
    if kind == "account" and arguments.get("health") in ("at_risk", "churning") and _TROUBLE.search(reading.text):
        return _in_trouble(plan, arguments)
    if (ranked := ranking(plan, kind, reading, arguments)) is not None:
        return ranked
    found = listing(plan, kind, tool, arguments)
    if found.topic is not None and not found.topic.refs and (meant := _of_company(plan, kind, arguments)):
        return listing(plan, kind, tool, meant)
    return found


def _of_company(plan: Plan, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """ "XYZ contacts": when nobody is called so, those of the company that is."""
    name = arguments.get("name_contains")
    if name is None or kind not in ("contact", "opportunity"):
        return {}
    rest = {key: value for key, value in arguments.items() if key != "name_contains"}
    found = plan.finder().by_name(str(name), None, "account")
    return {**rest, "account_id": found.id} if isinstance(found, Ref) and found.type == "account" else {}


_WHOSE = re.compile(
    r"\bthere\b(?!\s+(?:are|is|any|were))|\b(?:with|for|at|from|of|to)\s+(?:him|her|them|it|this\s+(?:one|account|company|lead|contact))\b|\b(?:his|her|their|its)\b|\b(?:does|do|has|have)\s+(?:he|she|they|it)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:trouble|struggling|danger|wobbly|shaky|unhappy|worr\w+|leave|leaving|way\s+out|lose|losing)\b", re.IGNORECASE
)


def _whose(plan: Plan, kind: str, reading: Reading) -> dict[str, Any]:
    """ "Any open deals there?": those of the one record that the talk is about."""
    match = _WHOSE.search(reading.text)
    if match is None or re.match(r"\s*(?:is|are)\s+there\b", reading.text, re.IGNORECASE):
        return {}
    about = plan.topic.refs[0] if len(plan.topic.refs) == 1 else plan.finder().mentioned(reading)
    if about is None or about.type == kind:
        return {}
    record = plan.record(about) or {}
    if about.type == "contact" and kind == "opportunity" and match[0].lower() != "there":
        return {"contact_id": about.id}
    account = about.id if about.type == "account" else record.get("account_id")
    if account is None and record.get("company"):
        found = plan.finder().by_name(str(record["company"]), None, "account")
        account = found.id if isinstance(found, Ref) else None
    return {"account_id": account} if account else {}


def _in_trouble(plan: Plan, arguments: dict[str, Any]) -> Answer:
    """The accounts of either health that gives cause for concern."""
    calls = [Wanted("search_accounts", {**arguments, "health": health}) for health in ("at_risk", "churning")]
    found = [record for outcome in plan.need_all(calls) for record in items_of(outcome)]
    if not found:
        return Answer("None of the accounts is at risk or churning.", topic=Topic((), "search_accounts", arguments, 0))
    lines = [
        f"{place}. {phrasing.one_line(record, plan.now)}, {phrasing.words(str(record.get('health')))}"
        for place, record in enumerate(found, 1)
    ]
    head = f"{phrasing.count_of(len(found), 'account')} in trouble"
    topic = Topic(tuple(ref_of(record) for record in found), "search_accounts", arguments, len(found))
    return Answer(f"{head}:\n\n" + "\n".join(lines), topic=topic)


def listing(plan: Plan, kind: str, tool: str, arguments: dict[str, Any]) -> Answer:
    outcome = plan.need(tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, arguments), "list those")
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
    return Answer(f"{head}:\n\n{phrasing.numbered(items, plan.now)}", topic=topic)


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
    if (answer := plan.unresolved(subject, reading.text, "At which company?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    if subject.type == "account":
        return listing(plan, "contact", "search_contacts", {"account_id": subject.id})
    record = plan.record(subject) or {}
    if subject.type == "opportunity" and record.get("contact_id"):
        contact = plan.record(Ref("contact", str(record["contact_id"]), "")) or {}
        return Answer(phrasing.profile(contact, plan.now), topic=Topic(refs=(ref_of(contact),)))
    company = record.get("company")
    return listing(plan, "contact", "search_contacts", {"company": company} if company else {})


_EVERYTHING = re.compile(r"\bso\s+far\b|\beverything\b|\ball\b|\b(?:un)?till?\s+now\b|\bup\s+to\s+now\b", re.IGNORECASE)
_READS = ("search_", "list_", "get_", "suggest_", "find_", "forecast_", "req_")


def recall(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    done = [
        [call.line for call in message.tool_calls if not call.name.startswith(_READS)] for message in plan.scene.history
    ]
    turns = [lines for lines in done if lines]
    if len(turns) > 1 and _EVERYTHING.search(reading.text):
        lines = [line for turn in turns for line in turn]
        told = "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
        return Answer(f"In this conversation I did this:\n\n{told}", topic=plan.topic)
    if plan.topic.written:
        return Answer(plan.topic.written, topic=plan.topic)
    if turns:
        return Answer("Last I did this: " + " ".join(turns[-1]), topic=plan.topic)
    return Answer("I haven't changed anything in this conversation yet.")
