"""The act that creates leads, contacts, accounts and deals."""

import re
from collections.abc import Sequence
from typing import Any

from aisha.adapters.llm.offline.arguments import field_changes, is_company, job_title_in
from aisha.adapters.llm.offline.entity_resolution import module_of
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import ref_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_CALLED = re.compile(
    r"\b(?:called|named|titled|(?:call|name)\s+it)\s+"
    r"(?P<name>[A-Z][\w&.'-]*(?:\s+(?:[A-Z0-9][\w&.'-]*|of|the|and))*(?<!\sand)(?<!\sof))"
)
# Sectors of the North American Industry Classification System (NAICS 2022) and industries of the Global Industry
# Classification Standard (GICS 2023) by their usual short names.
_SECTORS = (
    r"agriculture|forestry|fishing|mining|utilities|energy|oil(?: and gas)?|construction|manufacturing|machinery|"
    r"wholesale|retail|transport(?:ation)?|logistics|warehousing|airlines|media|publishing|telecom\w*|software|"
    r"hardware|semiconductors|it services|finance|financial services|banking|insurance|real estate|"
    r"legal(?: services)?|consulting|professional services|education|health\s?care|biotech\w*|pharma\w*|"
    r"life sciences|entertainment|hospitality|hotels|tourism|food and beverages?|food|beverages|tobacco|textiles|"
    r"apparel|luxury goods|household products|automotive|automobiles|aerospace(?: and defen[cs]e)?|chemicals|"
    r"metals|paper|packaging|electronics|public administration|government"
)
_INDUSTRY = pattern(
    rf",\s*(?:(?:industry|sector)\s*:?\s*)?(?P<i>{_SECTORS})(?: (?:industry|sector|business))?\s*(?=,|\band\b|[.!]?$)"
)
"""Recognises a bare industry among the facts of a new company."""
_CREATES_PRONOUN = pattern(r"\b(?:add|create|make|put|enter|register|save) (?:him|her|them)\b")
_BEFORE_COMPANIES = frozenset("at from of with in works @ company firm employer".split())
_NAME_WORDS = 2
"""Words of a person's name."""


def create(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = intent.kind or "lead"
    tool = f"create_{kind}"
    if tool not in plan.tools:
        return Answer(phrasing.no_access(module_of(kind)))
    names = [name for name in reading.names if name.strong]
    if (
        kind in ("lead", "contact")
        and (pronoun := _CREATES_PRONOUN.search(reading.text))
        and all(n.start > pronoun.end() for n in names)
    ):
        return Answer(f"Whom do you mean? Tell me the name of the new {phrasing.LABELS[kind][0]}.")
    arguments = _new_record(plan, kind, reading)
    if not arguments:
        return Answer(f"What is the name of the new {phrasing.LABELS[kind][0]}?", Question("who", reading.text))
    outcome = plan.call(tool, f"create the {phrasing.LABELS[kind][0]}", **arguments)
    record = outcome.value.get("record", outcome.value)
    ref = ref_of(record)
    detail = phrasing.format_profile(record, plan.now).split(".\n\n")
    facts = "\n\n" + detail[1] if len(detail) > 1 else ""
    return Answer(
        f"I've created the {phrasing.LABELS[kind][0]} **{ref.shown}**.{facts}",
        topic=Topic((ref,), written=f"You just created the {phrasing.LABELS[kind][0]} {ref.shown}."),
    )


def _new_record(plan: Plan, kind: str, reading: Reading) -> dict[str, Any]:
    spec = plan.tools[f"create_{kind}"]
    arguments = {
        name: value
        for name, value in field_changes(reading, spec, plan.now).items()
        if name not in ("owner", "company", "name", "first_name", "last_name")
    }
    names = [name for name in reading.names if name.strong] or reading.names
    people = [name for name in names if name.before not in _BEFORE_COMPANIES or name is names[0]]
    places = [name for name in names if name not in people]
    job = job_title_in(reading.text)
    people = [name for name in people if not (job and name.text.lower() in job.lower())]
    if not people and not places:
        return {}
    if kind in ("lead", "contact"):
        if people and (split_name := _person_and_company(people[0].text, reading.emails)):
            first, last, company_part = split_name
            return {**arguments, "first_name": first, "last_name": last, "company": company_part} | (
                {"job_title": job} if job else {}
            )
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
            and isinstance(account := plan.finder().by_name(company, None, "account"), Ref)
        ):
            arguments["account_id"] = account.id
        about = plan.topic.refs[0] if len(plan.topic.refs) == 1 else None
        if (
            kind == "contact"
            and about
            and about.type == "account"
            and not company
            and re.search(r"\bthere\b", reading.text)
        ):
            arguments["account_id"] = about.id
        if job and "job_title" in spec.properties:
            arguments["job_title"] = job
        return arguments
    title = _CALLED.search(reading.text)
    main = next(iter(reading.quoted), None) or (title["name"] if title else (people or places)[0].text)
    if kind == "account":
        name_field = "company_name" if "company_name" in spec.properties else "name"
        industry = pattern(
            r"\b(?:in|industry:?) (?:the )?(?P<i>[\w\s]+?)(?: (?:industry|sector|space|business))?\s*$"
        ).search(reading.text)
        return {**arguments, name_field: main} | (
            {"industry": industry["i"].strip()}
            if industry and industry["i"].strip().lower() != main.lower()
            else {"industry": industry_alone["i"].strip()}
            if (industry_alone := _INDUSTRY.search(reading.text)) and "industry" not in arguments
            else {}
        )
    return _new_opportunity(plan, arguments, main, [*people, *places], reading)


def _person_and_company(text: str, emails: Sequence[str]) -> tuple[str, str, str] | None:
    """Split "jane roe acme inc" when jane@acme.example shows that it begins with a person."""
    words = text.split()
    if len(words) <= _NAME_WORDS or not emails or not is_company(text):
        return None
    local = emails[0].partition("@")[0].lower()
    if words[0].lower() not in local:
        return None
    first, last, *company = (word[:1].upper() + word[1:] for word in words)
    return first, last, " ".join(company)


def _new_opportunity(
    plan: Plan, arguments: dict[str, Any], main: str, names: Sequence[Any], reading: Reading
) -> dict[str, Any]:
    customer = next((name.text for name in names if name.before in ("for", "with", "at", "from", "to")), None)
    title = next(
        (
            name.text
            for name in names
            if name.text != customer and name.capital and reading.text[: name.start].rstrip().endswith((",", ":"))
        ),
        None,
    )
    arguments.setdefault("name", title or f"{customer} deal" if customer == main else main)
    if (
        customer
        and isinstance(record := plan.finder().by_name(customer, None, None), Ref)
        and f"{record.type}_id" in plan.tools["create_opportunity"].properties
    ):
        arguments[f"{record.type}_id"] = record.id
    return arguments
