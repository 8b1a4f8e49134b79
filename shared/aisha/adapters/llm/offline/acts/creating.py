"""The act that creates leads, contacts, accounts and deals."""

import re
from collections.abc import Sequence
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import changes, is_company, job_title_in
from aisha.adapters.llm.offline.entity_resolution import module_of
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted, ref_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_CALLED = re.compile(
    r"\b(?:called|named|titled|(?:call|name)\s+it)\s+(?P<name>[A-Z][\w&.'-]*(?:\s+(?:[A-Z0-9][\w&.'-]*|of|the|and))*(?<!\sand)(?<!\sof))"
)


_TRADE = re.compile(
    r",\s*(?:(?:industry|sector)\s*:?\s*)?(?P<i>(?:food\s+and\s+beverage|real\s+estate|manufacturing|software|health\s?care|transport(?:ation)?|logistics|biotech\w*|construction|"
    r"finance|banking|retail|insurance|media|energy|mining|education|aerospace|legal|hospitality|tourism|telecom\w*|automotive|agriculture|pharma\w*|chemicals|consulting|wholesale))(?:\s+(?:industry|sector|business))?\s*(?=,|\band\b|[.!]?$)",
    re.IGNORECASE,
)
"""A trade said by itself among the facts of a new company."""


_HIM = re.compile(r"\b(?:add|create|make|put|enter|register|save)\s+(?:him|her|them)\b", re.IGNORECASE)


def create(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = intent.kind or "lead"
    tool = f"create_{kind}"
    if tool not in plan.tools:
        return Answer(phrasing.no_access(module_of(kind)))
    named = [name for name in reading.names if name.strong]
    if kind in ("lead", "contact") and (him := _HIM.search(reading.text)) and all(n.start > him.end() for n in named):
        return Answer(f"Whom do you mean? Tell me the name of the new {phrasing.LABELS[kind][0]}.")
    arguments = _new_record(plan, kind, reading)
    if not arguments:
        return Answer(f"What is the name of the new {phrasing.LABELS[kind][0]}?", Question("who", reading.text))
    outcome = plan.need(tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, arguments), f"create the {phrasing.LABELS[kind][0]}")
    record = outcome.value.get("record", outcome.value)
    ref = ref_of(record)
    detail = phrasing.profile(record, plan.now).split(".\n\n")
    facts = "\n\n" + detail[1] if len(detail) > 1 else ""
    return Answer(
        f"I've created the {phrasing.LABELS[kind][0]} **{ref.shown}**.{facts}",
        topic=Topic((ref,), written=f"You just created the {phrasing.LABELS[kind][0]} {ref.shown}."),
    )


_BEFORE_COMPANIES = frozenset("at from of with in works @ company firm employer".split())


def _new_record(plan: Plan, kind: str, reading: Reading) -> dict[str, Any]:
    spec = plan.tools[f"create_{kind}"]
    arguments = {
        name: value
        for name, value in changes(reading, spec, plan.now).items()
        if name not in ("owner", "company", "name", "first_name", "last_name")
    }
    said = [name for name in reading.names if name.strong] or reading.names
    people = [name for name in said if name.before not in _BEFORE_COMPANIES or name is said[0]]
    places = [name for name in said if name not in people]
    job = job_title_in(reading.text)
    people = [name for name in people if not (job and name.text.lower() in job.lower())]
    if not people and not places:
        return {}
    if kind in ("lead", "contact"):
        if people and (split_name := _person_and_company(people[0].text, reading.emails)):
            first, last, company_said = split_name
            return {**arguments, "first_name": first, "last_name": last, "company": company_said} | (
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
    called = _CALLED.search(reading.text)
    main = next(iter(reading.quoted), None) or (called["name"] if called else (people or places)[0].text)
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
            else {"industry": bare["i"].strip()}
            if (bare := _TRADE.search(reading.text)) and "industry" not in arguments
            else {}
        )
    return _new_opportunity(plan, arguments, main, [*people, *places], reading)


def _person_and_company(text: str, emails: Sequence[str]) -> tuple[str, str, str] | None:
    """ "jane roe acme inc" with jane@acme.example: a hasty line, whose email says that it begins with a person."""
    words = text.split()
    if len(words) <= _PERSON or not emails or not is_company(text):
        return None
    local = emails[0].partition("@")[0].lower()
    if words[0].lower() not in local:
        return None
    first, last, *company = (word[:1].upper() + word[1:] for word in words)
    return first, last, " ".join(company)


_PERSON = 2
"""Words of a person's name."""


def _new_opportunity(
    plan: Plan, arguments: dict[str, Any], main: str, names: Sequence[Any], reading: Reading
) -> dict[str, Any]:
    whom = next((name.text for name in names if name.before in ("for", "with", "at", "from", "to")), None)
    own = next(
        (
            name.text
            for name in names
            if name.text != whom and name.capital and reading.text[: name.start].rstrip().endswith((",", ":"))
        ),
        None,
    )
    arguments.setdefault("name", own or f"{whom} deal" if whom == main else main)
    if (
        whom
        and isinstance(found := plan.finder().by_name(whom, None, None), Ref)
        and f"{found.type}_id" in plan.tools["create_opportunity"].properties
    ):
        arguments[f"{found.type}_id"] = found.id
    return arguments
