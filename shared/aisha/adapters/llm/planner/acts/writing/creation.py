"""Create leads, contacts, accounts and deals."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby, pairwise, takewhile
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import introduced_by, is_contact, word_before, writing_words
from aisha.adapters.llm.planner.acts.execution import doubting, write_all
from aisha.adapters.llm.planner.acts.writing.fitting import fit
from aisha.adapters.llm.planner.acts.writing.gleaning import gleaned
from aisha.adapters.llm.planner.acts.writing.names import is_company, is_no_name, is_person, names_of_new
from aisha.adapters.llm.planner.acts.writing.roles import with_roles, with_whole_companies
from aisha.adapters.llm.planner.acts.writing.values import Values, capitalised, name_values
from aisha.adapters.llm.planner.companies import company_spoken_of, points_at_company
from aisha.adapters.llm.planner.naming import Ambiguous, Unknown, all_near, by_name, search_for
from aisha.adapters.llm.planner.plan import Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import changes, formats
from aisha.adapters.llm.planner.resolve import pointed_at, settled
from aisha.adapters.llm.planner.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.lexicon import KINDS, PLURALS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

_ACCOUNTS = "search_accounts"
_MAX_TITLE_WORDS = 5
_SHARED = frozenset("company source status tags owner".split())
"""Values that the new records of one order have in common."""


@act("create_record")
def create_record(plan: Plan, ask: Ask) -> Answer:
    """Create the records that an ask names, with all that is said of them. A missing name or kind is asked for."""
    kind = _kind_to_create(plan, ask)
    unread, spec = ask, plan.tools[f"create_{kind}"]
    ask = policy.without_told(ask)
    ask = gleaned(with_whole_companies(with_roles(ask, kind, spec), spec), spec)
    plan = replace(plan, doubt=policy.doubt_after(plan.doubt, unread, ask))
    tool, label = f"create_{kind}", formats.LABELS[kind][0]
    values, left = fit(ask, plan.tools[tool], kind)
    deal, company, customer = _new_deal(plan, ask) if kind == "opportunity" else ({}, "", None)
    new = [deal] if deal else _new_people_or_companies(plan, ask, kind)
    companies = {one["company"] for one in new if kind == "contact" and "company" in one} if plan.has(_ACCOUNTS) else ()
    searches = [call for one in new if (call := _search_for(plan, ask, kind, one)) is not None]
    # All in one round, since a turn has three.
    plan.need_all([*searches, *(plan.planned(_ACCOUNTS, name_contains=one) for one in companies)])
    if existing := [ref for one in new if (ref := _existing_record(plan, ask, kind, one)) is not None]:
        text = f"There is already a {label} called {formats.bold(existing)}. Shall I create another one?"
        return plan.offer(text, f"{ask.text.rstrip(' .!?')}, a second one", topic=plan.topic_of(*existing))
    # "His name is Ana Ruiz": the name was said.
    left = [(field, value) for field, value in left if value or "name" not in lexicon.fields_in(field)]
    if len(new) > 1:
        left += [("", _plain_value(value)) for name, value in values.items() if name not in _SHARED]
        values = {name: value for name, value in values.items() if name in _SHARED}
    plan = doubting(plan, left)
    if kind == "contact":
        new = [_linked(plan, ask, one) for one in new]
    written = write_all(plan, [plan.planned(tool, **{**values, **one}) for one in new], f"create the {label}")
    made = [one["record"] for one in written]
    refs = [ref_of(record) for record in made]
    head = f"the {label} {formats.bold(refs)}" + (f" for **{customer.name}**" if customer else "")
    text = changes.created(head, made, plan.now, plan.user) + changes.left_out(kind, left)
    topic = plan.topic_of(*refs, written=f"You just created {head}.")
    if customer is not None or not company:
        return Answer(text, topic=topic)
    return plan.offer(text + changes.not_linked(company), f"add {company} as an account", topic=topic)


def _linked(plan: Plan, ask: Ask, values: Values) -> Values:
    """Return the values of a new contact with the account whose name begins, or is, as the company's was said."""
    company = values.get("company", "")
    found = items_of(plan.need(_ACCOUNTS, name_contains=company)) if company and plan.has(_ACCOUNTS) else []
    named = [ref for ref in map(ref_of, found) if all_near(company, ref.name)]
    whole = [ref for ref in named if ref.name.lower() == company.lower()]
    named = whole or named
    if not named:
        return values
    account = named[0] if len(named) == 1 else settled(plan, ask, Ambiguous(company, tuple(named)))
    return {**{name: value for name, value in values.items() if name != "company"}, "account_id": account.id}


def _plain_value(value: Any) -> str:
    """Return a value as the user may have said it: an address as its parts."""
    if isinstance(value, dict):
        return ", ".join(map(str, value.values()))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _kind_to_create(plan: Plan, ask: Ask) -> str:
    """Return the kind of record to create: the one named, else a lead for a person. Raises `EarlyAnswer` to ask."""
    corrected = max((one.start for one in ask.loose if one.word in CORRECTIONS), default=len(ask.text))
    instead = [kind for one in ask.loose if one.start > corrected and (kind := lexicon.kind_named(one)) in KINDS]
    if instead:
        return instead[-1]  # "A lead there… no wait, a contact."
    kinds_said: list[str] = []
    counted = {two.start for one, two in pairwise(ask.tokens) if one.kind == "number"}
    for tokens in (ask.loose, ask.outside):
        # In "the woman I deal with" the word is a verb, in "300 people" it counts employees.
        others = {two.start for two in tokens if lexicon.kind_of(two.word) == "account" and _is_of_person(ask, two)}
        told = [one for one in tokens if one.word not in ("a", "an", "as")]
        denied = {two.start for one, two in pairwise(told) if one.word == "not"}  # "a contact, not a lead"
        verbs = (
            others
            | counted
            | denied
            | {two.start for one, two in pairwise(tokens) if one.word in writing_words("subjects")}
        )
        kinds = [
            (one, lexicon.kind_of(one.word) or lexicon.kind_of(one.stem)) for one in tokens if one.start not in verbs
        ]
        # "An account as a prospect": its type.
        types = plan.tools["create_account"].properties["type"]["enum"] if plan.has("create_account") else ()
        is_account = any(kind == "account" for _, kind in kinds)
        kinds_said = kinds_said or [kind for one, kind in kinds if kind and not (is_account and one.stem in types)]
    # "Add this person as a lead": the word of the kind itself says more.
    literal = [kind for kind in ("lead", "contact") if kind in ask.stems]
    people = [*literal, *(kind for kind in kinds_said if kind in ("lead", "contact"))]
    names = names_of_new(plan, ask)
    named = [kind for kind in ("opportunity", *people, "account") if kind in kinds_said]
    is_odd = bool(names) and {"account": is_person, "contact": is_company}.get((*named, "")[0], _never)(names[0])
    is_answered = any({one.word for one in tokenize(text)} & {*KINDS, "deal"} for text in ask.texts("value"))
    if named and (not is_odd or is_answered):
        return named[0]
    if names and not (ask.texts("amount") or is_odd):
        if is_company(names[0]):
            return "account"
        if " " in names[0] or ask.words & lexicon.PERSON_PRONOUNS or ask.texts("email"):
            return "lead"
    what = f"**{names[0]}**" if names else "it"
    raise plan.ask_slot(ask, "kind", f"Is {what} a lead, a contact, an account or a deal?")


def _is_of_person(ask: Ask, token: Token) -> bool:
    """Return whether a word for a company tells where a person works: "Ana Ruiz from the company Zenith"."""
    before = [one.word for one in ask.tokens if one.end <= token.start and one.word not in writing_words("no_names")]
    named = any(span.tag in ("new", "name") and span.end <= token.start for span in ask.segment.spans)
    return named and before[-1:] in (["from"], ["of"], ["at"])


def _never(_: str) -> bool:
    return False


def _new_people_or_companies(plan: Plan, ask: Ask, kind: str) -> list[Values]:
    """Return the names of new leads, contacts or accounts, and their company. Raises `EarlyAnswer` to ask for one."""
    names = names_of_new(plan, ask)
    orgs = [one for one in ask.segment.spans if one.tag == "org" and capitalised(one.text) not in names]
    first_new = next((one.start for one in ask.segment.spans if one.tag == "new"), 0)
    # Where somebody was met is not yet where they work: "met Ana at Globex, she is with Zenith".
    span = next((one for one in orgs if one.start > first_new), next(iter(orgs), None))
    company = capitalised(span.text) if span is not None else ""
    is_at = span is not None and word_before(ask, span) in writing_words("from_company")
    if not names and company and (kind == "account" or (kind == "lead" and not is_at)):
        return [{"company" if kind == "lead" else "company_name": company}]
    if (
        span is not None
        and not names
        and " " in company
        and word_before(ask, span) == "for"
        and not is_company(company)
    ):
        names, company = [company], ""  # "Create a lead for Ann Lee"
    if not names:
        at = f" at {company}" if company else ""
        raise plan.ask_slot(ask, "new", f"What is the name of the new {formats.LABELS[kind][0]}{at}?")
    if kind == "lead" and not company and is_company(names[0]):
        return [{"company": name} for name in names]
    of: Values = {"company": company} if company and kind != "account" else {}
    if kind != "account" and names[0] in plan.spoken and not of:
        # "I met Ana Ruiz of Zenith Labs ... add her".
        companies_said = [name for name in plan.spoken[plan.spoken.index(names[0]) + 1 :] if is_company(name)]
        of = {"company": companies_said[0]} if companies_said else {}
    if kind == "contact" and not of and points_at_company(ask):
        of = _company_pointed_at(plan, ask, name_values(kind, names[0]))
    orgs = [one for one in ask.segment.spans if one.tag == "org"]
    if kind != "account" and len(names) > 1 and len(orgs) > 1:
        # "Ana from Porto Foods, Ben from Cole & Sons": each has the company after the name.
        places = [ask.text.lower().find(name.lower()) for name in names]
        ends = [*places[1:], len(ask.text)]
        own = [[one for one in orgs if at < one.start < end] for at, end in zip(places, ends, strict=True)]
        companies: list[Values] = [{"company": capitalised(one[0].text)} if one else {} for one in own]
        return [name_values(kind, name) | company for name, company in zip(names, companies, strict=True)]
    return [name_values(kind, name) | of for name in names]


def _company_pointed_at(plan: Plan, ask: Ask, values: Values) -> Values:
    """Return the account of a new contact: of the company said earlier in the message, else of the last answer."""
    name_searches = [search_for(plan, name, "account") for name in plan.spoken[-1:] if plan.has(_ACCOUNTS)]
    # All in one round, since a turn has three.
    duplicates = _search_for(plan, ask, "contact", values)
    searches = [*name_searches, *([duplicates] if duplicates is not None else [])]
    if not name_searches:
        accounts = at_once((partial(company_spoken_of, plan, ask), partial(_searched, plan, searches)))
        account = accounts[0]
    else:
        named = [ref_of(one) for one in items_of(plan.need_all(searches)[0])]
        named = [ref for ref in named if all_near(plan.spoken[-1], ref.name)]
        account = named[0] if len(named) == 1 else company_spoken_of(plan, ask)
    return {"account_id": account.id} if account is not None else {}


def _searched(plan: Plan, searches: Sequence[PlannedCall]) -> None:
    """Make searches. Raises `Pending` while one has not run."""
    plan.need_all(searches)


def _existing_record(plan: Plan, ask: Ask, kind: str, values: Values) -> Ref | None:
    """Return the record with the name of a new one, unless another one is wanted or it is at another company."""
    call, company = _search_for(plan, ask, kind, values), values.get("company", "")
    if call is None:
        return None
    name = str(call.arguments["name_contains"])
    refs = [ref_of(item) for item in items_of(plan.need(call.tool, **call.arguments))]
    same = [ref for ref in refs if ref.name.lower() == name.lower()]
    return next((ref for ref in same if not (company and ref.about) or all_near(company, ref.about)), None)


def _search_for(plan: Plan, ask: Ask, kind: str, values: Values) -> PlannedCall | None:
    """Return the search for records with the name of a new one; None where another one is wanted anyway."""
    tool, names = f"search_{PLURALS[kind]}", ("first_name", "last_name", "company_name")
    name = " ".join(values[key] for key in names if key in values) or values.get("company", "")
    is_wanted = ask.words & writing_words("another") or not plan.has(tool)
    return plan.planned(tool, name_contains=name) if name and not is_wanted else None


def _customer_pointed_at(plan: Plan, ask: Ask) -> Ref | None:
    """Return the customer of a new deal that was said before: "a deal for her", "for them", "there"."""
    kinds = ("account", "contact", "lead")
    spoken = by_name(plan, plan.spoken[-1], kinds) if plan.spoken else None
    if spoken is not None:
        return settled(plan, ask, spoken)  # Whom the message named is not the customer of the answer before.
    is_company = bool(ask.words & {"there", *lexicon.THEY_PRONOUNS})
    return (company_spoken_of(plan, ask) if is_company else None) or pointed_at(plan, ask, kinds)


def _new_deal(plan: Plan, ask: Ask) -> tuple[Values, str, Ref | None]:
    """Return the name and the link of a new deal, and its customer: as it was said, and the record if there is one."""
    spans = [span for span in ask.segment.spans if span.tag in ("new", "name", "org") and not is_no_name(span.text)]
    contacts = [span for span in spans if is_contact(ask.text, span)]
    spans = [span for span in spans if span not in contacts]
    customers = [span for span in spans if introduced_by(ask, span) in writing_words("from_company")]
    is_for = bool(customers)
    is_titled = {span.start for span in spans if word_before(ask, span) in writing_words("called")}
    customers = customers or [span for span in spans if span.tag != "new" and span.start not in is_titled][:1]
    customer_name, ref = capitalised(customers[0].text) if customers else "", None
    if customer_name:
        match = by_name(plan, customer_name, ("account", "lead", "contact"))
        if not isinstance(match, Unknown):
            ref = match if isinstance(match, Ref) else settled(plan, ask, match)
        if ref is None and not is_for:
            customer_name, customers = "", []  # No customer that anyone knows: the name of the deal itself.
    titles = sorted((span for span in spans if span not in customers), key=lambda span: span.tag != "new")
    if customer_name:
        # A deal isn't linked by a likeness: "Arbour" is not "Harbour Brewery".
        is_said = ref is not None and set(customer_name.lower().split()) <= set(
            f"{ref.name} {ref.about}".lower().split()
        )
        ref = ref if is_said and ref is not None and ref.type != "opportunity" else None
    elif ask.texts("ref") or points_at_company(ask) or ask.words & lexicon.PERSON_PRONOUNS:
        ref = _customer_pointed_at(plan, ask)
    elif not titles and len(plan.topic.refs) == 1:
        ref = pointed_at(plan, ask, ("account", "contact", "lead"))  # "Tell me about Acme." - "Create a deal."
    if not (titles or customer_name or ref):
        raise plan.ask_slot(ask, "org", "Whom is the deal with?")
    company = customer_name
    if ref is not None:
        company = ref.name if ref.type == "account" else ref.about or ref.name
    title = titles[0].text if titles else _title_apart(ask)
    name = capitalised(title) if title else f"{company} deal"
    link = {f"{ref.type}_id": ref.id} if ref else {}
    return {"name": name, **link, **_contact_of_deal(plan, ask, contacts)}, customer_name, ref


def _title_apart(ask: Ask) -> str:
    """Return what stands between marks of an order of a deal and nothing explains: "…, lab monitoring, 85k"."""
    tokens = ask.tokens
    called = next((at for at, one in enumerate(tokens, 1) if one.word in writing_words("called")), len(tokens))
    named = [*takewhile(lambda one: one in ask.loose and one.kind == "word", tokens[called:])]
    if 0 < len(named) <= _MAX_TITLE_WORDS:
        return ask.text[named[0].start : named[-1].end]
    parts = [[*group] for is_mark, group in groupby(ask.tokens, lambda one: one.kind == "mark") if not is_mark]
    for part in parts[1:]:
        is_free = all(one in ask.loose and one.word not in lexicon.ORDER_VERBS for one in part)
        is_open = not all(policy.is_explained(ask, one) for one in part)
        if is_free and is_open and len(part) <= _MAX_TITLE_WORDS:
            return ask.text[part[0].start : part[-1].end]
    return ""


def _contact_of_deal(plan: Plan, ask: Ask, spans: Sequence[Span]) -> Values:
    """Return the link of a new deal to the contact that an ask names as such. Raises `EarlyAnswer` for none."""
    if not spans:
        return {}
    match = by_name(plan, spans[0].text, ("contact",))
    if isinstance(match, Unknown):
        left = "so I haven't created the deal. Tell me the name again, or leave the contact out."
        raise plan.refuse(f"I couldn't find a contact called {spans[0].text}, {left}")
    ref = match if isinstance(match, Ref) else settled(plan, ask, match)
    return {"contact_id": ref.id}
