"""List the records that an ask describes, and show more of them."""

from collections.abc import Iterable
from functools import partial, reduce
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search import fetching
from aisha.adapters.llm.planner.acts.search.belonging import contact_of_deal
from aisha.adapters.llm.planner.acts.search.filters import STATUSES, Filters
from aisha.adapters.llm.planner.acts.search.kinds import BEING, is_plural_kind, is_there, kind_meant, tool_of
from aisha.adapters.llm.planner.acts.search.orders import is_sorted
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.words import DENIED, WHO, left_out
from aisha.adapters.llm.planner.naming import chosen
from aisha.adapters.llm.planner.plan import ACTS, Act, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import figures, listings, profiles
from aisha.adapters.llm.planner.resolve import ordinals_of, pointed_at
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Ref, Search, Topic, restore
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, placed_in, word_set
from aisha.domain.language.tokens import Token, stem

OFFER_SCAN = "A scan finds duplicates and incomplete records. Shall I run the data quality scan?"
_IDENTIFYING = frozenset("name first_name last_name email phone website".split())
"""Fields that two records share by mistake."""
_OTHERS = frozenset(("others", "rest"))
_AROUND_DENIED = frozenset(
    "and so but then which who what how many are ones of them those the one is that name list show".split()
)
_DUPLICATES = frozenset(map(stem, ("duplicate", "duplicated", "dupe", "dupes", "dups")))


@act("search")
def search(plan: Plan, ask: Ask) -> Answer:
    """List the records that fit what the ask says; one that is only named is shown."""
    if (offered := scan_offered(plan, ask)) is not None:
        return offered
    if other := next((kind for kind in ask.kinds[:1] if kind in ("note", "goal") and f"{kind}s" in ACTS), None):
        return ACTS[f"{other}s"](plan, ask)
    if (others := others_of_list(plan, ask)) is not None:
        return others
    is_grouped = any(key == "grouping" for key, _, _ in placed_in(ask.outside, "summing"))
    if is_grouped:
        return ACTS["count"](plan, ask)
    if (ask.orders or is_sorted(ask)) and "than" not in ask.words:
        return ACTS["rank"](plan, ask)
    if (placed := at_place(plan, ask)) is not None:
        return ACTS["about"](replace(plan, bindings={**plan.bindings, "": placed}), ask)
    if "whose" in ask.words and len(plan.topic.refs) == 1 and not ask.segment.spans:
        return ACTS["ask_field"](plan, ask)  # "Whose account is it?"
    if (of_each := answer_of_each_kind(plan, ask, search)) is not None:
        return of_each
    if _is_of_one(ask):
        return ACTS["about"](plan, _without(ask, filter(lexicon.kind_named, ask.outside)))  # "Is she still a lead?"
    return _search_kind(plan, repaired(ask))


def scan_offered(plan: Plan, ask: Ask) -> Answer | None:
    """Return the offer to scan for duplicates, which no search finds: "contacts with the same email"; else None."""
    is_named = any(ask.texts(tag) for tag in ("name", "org", "ref", "value"))
    fields = {*ask.fields, *(key for key, *_ in lexicon.placed_in(ask.outside, "fields"))}
    is_same = "same" in ask.words and bool(fields & _IDENTIFYING) and not (is_named or plan.topic.refs)
    if not plan.has("run_scan") or not (is_same or ask.stems & _DUPLICATES):
        return None
    return plan.offer(OFFER_SCAN, "run the data quality scan", topic=plan.topic)


def at_place(plan: Plan, ask: Ask) -> Ref | None:
    """Return the record of the last list or ranking at the place asked for: "and who's in second place?"."""
    is_other = bool(ask.kinds or ask.count or any(ask.texts(tag) for tag in ("name", "org", "owner", "when")))
    is_asked, group = bool(ask.words & (WHO | {"which", "what", "what's"})), plan.topic.group
    place = next(iter(ordinals_of(ask)), 0) if is_asked and not (is_other or ask.orders) else 0
    if "next" in ask.words and ask.orders and not is_other and plan.topic.refs[:1] and plan.topic.refs[0] in group:
        place = group.index(plan.topic.refs[0]) + 2  # "And the next biggest?"
    return chosen(group, place) if place else None


def others_of_list(plan: Plan, ask: Ask) -> Answer | None:
    """Return the records of the list before that the last list or total left out: "the rest?", "which ones aren't?"."""
    last, words = plan.topic.search, {one.word for one in ask.tokens if one.kind != "mark"}
    is_denied = bool(words & DENIED) and words <= DENIED | _AROUND_DENIED
    named = {*ask.texts("name"), *ask.texts("org"), *ask.texts("value")} - {"ones", "the ones"}
    is_more = bool(ask.kinds or ask.fields or named)
    if not (ask.words & _OTHERS or is_denied) or is_more or last is None:
        return None
    page = plan.call(last.tool, "look those up", **last.arguments, limit=fetching.MAX_CHECKED)
    taken = {str(one["id"]) for one in page["items"]}
    taken = taken & {*last.within[1]} if last.within is not None else taken
    records = _listed_before(plan, last)
    left = [one for one in records if str(one["id"]) not in taken]
    if not left or len(left) == len(records):
        return None
    head = f"The {len(left)} others" if len(left) > 1 else "The other one"
    text = listings.format_list(head, left[: fetching.MAX_LISTED], len(left), plan.now, has_more=False)
    return Answer(text, topic=Topic(tuple(map(ref_of, left[: fetching.MAX_LISTED]))))


def _listed_before(plan: Plan, last: Search) -> list[dict[str, Any]]:
    """Return the records of the list or total before the last one, of the same kind."""
    earlier = plan.topic.earlier
    if len(earlier) > 1 and tool_of(earlier[0].type) == last.tool:
        return plan.records(earlier)
    answers = (restore((one,)).topic.search for one in reversed(plan.scene.history) if one.role == "assistant")
    before = next((one for one in answers if one is not None and one != last and one.tool == last.tool), None)
    if before is None:
        # "How many customers are healthy?" - "And how many are not?": those of the noun that lack what was said last.
        states = [name for name in ("source", *STATUSES) if name in last.arguments]
        before = Search(last.tool, {name: one for name, one in last.arguments.items() if name not in states[:1]})
    items = plan.call(last.tool, "look those up", **before.arguments, limit=fetching.MAX_CHECKED)["items"]
    return [one for one in items if before.within is None or one["id"] in before.within[1]]


def _asks_for_work(ask: Ask) -> bool:
    """Return whether an ask is for who does some work at a company: "who's the project manager at Acme?"."""
    starts = [span.start for span in ask.segment.spans if span.tag == "value" and not lexicon.values_in(span.text)]
    articles = {after.start for before, after in pairwise(ask.tokens) if before.word in ("the", "their", "a")}
    return bool(ask.words & WHO) and bool(ask.texts("org")) and any(start in articles for start in starts)


def _without(ask: Ask, tokens: Iterable[Token]) -> Ask:
    return reduce(lambda part, one: part.without(one.start, one.end), tokens, ask)


def _search_kind(plan: Plan, ask: Ask) -> Answer:
    """List the records of the kind that an ask means, or tell about the one that it names."""
    kind = kind_meant(plan, ask)
    is_one = bool(ask.texts("org")) and not any(map(is_plural_kind, ask.outside))
    if {*ask.texts("name")} - {*left_out(ask)} and (is_one or (not ask.kinds and kind is None)):
        return ACTS["about"](plan, ask)
    asks_who_is_there = kind == "contact" and not (ask.kinds or left_out(ask)) and is_there(ask) and ask.words & WHO
    company = pointed_at(plan, ask, ("account",)) if asks_who_is_there and "else" not in ask.words else None
    if (company is not None and company in (plan.topic.refs or [company])) or _asks_for_work(ask):
        return ACTS["about"](plan, ask)  # "who runs purchasing there": by their work
    if kind == "contact" and not any(map(is_plural_kind, ask.outside)) and (told := contact_of_deal(plan, ask)):
        return told
    is_several = any(map(is_plural_kind, ask.outside))
    limit, filters = _limit(ask), filters_of(plan, ask, kind or "lead")
    if kind is None and not filters.arguments and all(one.guess for one in filters.conditions):
        # "List all the support renewals": what has these words.
        tried = at_once([partial(_tried, plan, ask, one, limit) for one in KINDS]) if filters.conditions else []
        if (found := next((one for one in tried if one[1].conditions and one[0].items), None)) is not None:
            return _listed(plan, found[1], found[0], limit)
        if ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS:
            return ACTS["about"](plan, ask)  # "is he still there"
        raise plan.refuse("What shall I look for: leads, contacts, companies or deals?")
    page, others = fetching.fetch(plan, filters, limit), fetching.other_readings(plan, ask, filters)
    if not page.items and (others or kind is None):
        attempts = [partial(_tried, plan, one, kind or "contact", limit) for one in others or [ask]]
        tried = fetching.read_otherwise(plan, filters, attempts)
        page, filters = next((one for one in tried if one[0].items), (page, filters))
    elif not page.items and {*filters.arguments} == {"name_contains"} and not (filters.conditions or is_several):
        return ACTS["about"](plan, ask)
    if not page.items and kind == "contact" and (ask.texts("org") or ask.texts("name")) and not _says_contacts(ask):
        leads, of_leads = _tried(plan, ask, "lead", limit)  # "Who is our guy at Acme?", "people called Ann"
        page, filters = (leads, of_leads) if leads.items else (page, filters)
    if not page.items and kind == "account" and filters.is_silent:
        people, of_people = _tried(plan, ask, "contact", limit)  # "Customers" may be people.
        page, filters = (people, of_people) if people.items else (page, filters)
    if not page.items and (stranger := fetching.unknown_owner(plan, filters)):
        return Answer(listings.no_colleague(stranger), topic=plan.topic)
    return _listed(plan, filters, page, limit)


def _listed(plan: Plan, filters: Filters, page: fetching.Page, limit: int) -> Answer:
    """Return a page as the answer, with its number of records and the conditions that it leaves out."""
    shown, total = page.items[:limit], page.total
    number = f"{len(shown)} " if len(shown) > 1 else ""
    head = f"Here {'are' if number else 'is'} the first {number}{filters.described(len(shown))}"
    if total is not None:
        head = listings.format_total(filters.arguments.get("owner"), total, filters.described(total))
        head += figures.worth(head, _sums(filters, page))
    if filters.unknown and not (filters.arguments or filters.conditions) and len(shown) > 1:
        # Nothing that was asked for chose them: a page of them would be no answer.
        text = listings.with_limits(f"{head}. Say “list all {filters.described(2)}” to see them.", filters.unknown)
        return Answer(text, topic=Topic(search=fetching.search_of(filters, page, total)))
    has_more = page.cursor is not None
    columns, user = filters.columns, plan.user
    text = listings.format_list(head, shown, total, plan.now, has_more=has_more, columns=columns, user=user)
    topic = Topic(tuple(map(ref_of, shown)), fetching.search_of(filters, page, total))
    return Answer(listings.with_limits(text, filters.unknown, page.checked), topic=topic)


def _limit(ask: Ask) -> int:
    """Return how many records to show; in "those three" the number is that of others."""
    is_of_others = any(lexicon.number_in(text) for text in ask.texts("ref"))
    is_of_others = is_of_others or any(one.relation for one in ask.amounts)  # "With more than two calls."
    return fetching.MAX_LISTED if is_of_others else min(ask.count or fetching.MAX_LISTED, fetching.MAX_CHECKED)


def _sums(filters: Filters, page: fetching.Page) -> dict[str, float]:
    """Return the sums of a list of deals, if it has all of them."""
    is_whole = filters.kind == "opportunity" and page.cursor is None and not page.checked and len(page.items) > 1
    return fetching.sums_of(filters.kind, page.items) if is_whole else {}


def _is_of_one(ask: Ask) -> bool:
    """Return whether a question is whether one record is something: "is he still there", "is Ann a customer"."""
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS][:2]
    if not tokens[1:] or tokens[0].word not in BEING:
        return False
    is_role = len(tokens) > 1 and tokens[1].word == "they" and any(one.word in ("a", "an") for one in ask.tokens)
    is_named = any(span.tag == "name" and span.start == tokens[1].start for span in ask.segment.spans)
    is_one = is_named or is_role or tokens[1].word in lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS
    return is_one and not any(map(is_plural_kind, ask.outside))


def _says_contacts(ask: Ask) -> bool:
    return any(token.stem == "contact" for token in ask.outside)


def answer_of_each_kind(plan: Plan, ask: Ask, act_of_one: Act) -> Answer | None:
    """Return the answers for each kind of an ask for several: "how many leads and contacts"; None for one of one."""
    if len(nouns := _joined_kinds(ask)) < 2:
        return None
    parts = [_without(ask, [other for other in nouns if other != noun]) for noun in nouns]
    answers = at_once(partial(act_of_one, plan, part) for part in parts)
    return Answer("\n\n".join(answer.text for answer in answers), topic=answers[0].topic)


def _joined_kinds(ask: Ask) -> list[Token]:
    """Return the nouns of "leads and contacts"."""
    places = [place for place, token in enumerate(ask.outside) if lexicon.kind_named(token) in KINDS]
    joints = {token.word for token in ask.outside[min(places, default=0) : max(places, default=0)]}
    nouns = [ask.outside[place] for place in places]
    if len({lexicon.kind_named(noun) for noun in nouns}) < len(nouns):
        return []  # "customer accounts"
    joined = word_set("condition_words", "joined")
    # "Prospect accounts" are of one kind.
    return nouns if joints & joined and joints <= {*(noun.word for noun in nouns)} | joined else []


def _tried(plan: Plan, ask: Ask, kind: str, limit: int) -> tuple[fetching.Page, Filters]:
    filters = filters_of(plan, ask, kind)
    return fetching.fetch(plan, filters, limit), filters


@act("more")
def more(plan: Plan, ask: Ask) -> Answer:
    """Show the next page of the last list, or all fields of the one record that was spoken of."""
    last, refs = plan.topic.search, plan.topic.refs
    if (others := others_of_list(plan, ask)) is not None:
        return others
    if ask.texts("name") or (ask.texts("ref") and len(refs) > 1 and pointed_at(plan, ask) is not None):
        return ACTS["about"](plan, ask)
    if last is not None and (last.cursor is not None or not refs):
        limit, which = min(ask.count or fetching.MAX_LISTED, fetching.MAX_CHECKED), "next" if last.cursor else "first"
        page = plan.call(last.tool, "show more", **last.arguments, limit=limit, cursor=last.cursor)
        items, cursor = page["items"], page.get("next_cursor")
        text = listings.format_list(f"Here are the {which} {len(items)}", items, None, plan.now, has_more=bool(cursor))
        return Answer(text, topic=Topic(tuple(map(ref_of, items)), replace(last, total=None, cursor=cursor)))
    ref = refs[0] if len(refs) == 1 else pointed_at(plan, ask) if not refs else None
    if ref is not None and ref.type in RECORD_TYPES and (record := plan.record(ref)):
        return Answer(profiles.format_details(record, plan.now, plan.user), topic=Topic((ref,)))
    if last is not None and (last.total or 0) > len(refs):
        return Answer("Tell me how many you want to see.", topic=plan.topic)
    return Answer("That's all of them." if refs else "There is nothing more to show. What would you like to see?")
