"""Read what an ask says of records into filters."""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import reduce
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.search.belonging import read_names
from aisha.adapters.llm.planner.acts.search.clauses import said_values, without_clauses
from aisha.adapters.llm.planner.acts.search.filters import (
    FIRST_FIELDS,
    Condition,
    Filters,
    among,
    any_of,
    in_place,
    listed_within,
    mentioning,
    one_of,
)
from aisha.adapters.llm.planner.acts.search.kinds import (
    THOSE,
    identifier,
    is_of_other,
    is_there,
    points_back,
    spoken_of,
    tool_of,
    without_denied,
)
from aisha.adapters.llm.planner.acts.search.limits import read_limits
from aisha.adapters.llm.planner.acts.search.relations import contact_of_others
from aisha.adapters.llm.planner.acts.search.times import is_done, read_times
from aisha.adapters.llm.planner.acts.search.words import LATE, colleagues_in, contacted_stems, is_late, stems_of
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import pointed_at
from aisha.adapters.llm.planner.slots import joins_self
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.lexicon import KINDS, placed_in, word_set
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.words import is_common

_BUT_THEM = re.compile(r",? (?:other than|apart from|aside from|besides|except(?: for)?) (?:him|her|them|it)\b", re.I)
"""Words that leave out who was spoken of: "who do we know there apart from him"."""
_OWN = word_set("condition_words", "own")
_JOINED, _PLACED = (word_set("condition_words", key) for key in ("joined_values", "placed"))
_POSSIBLE = frozenset("could can might".split())
_SUBJECTS = frozenset("i i'm i've ive im".split())
_JOINING = frozenset("and n & plus".split())
# Words of an ask that is not only about the records of one.
_OF_ALL = frozenset("we our ours us all total overall everyone everybody there team company".split())
_MAX_ARTICLE = 2
_MAX_CHOICE = 6
"""Words between two values of a choice: "at risk or, uh, maybe already churning"."""
_BELONGING = frozenset(("account_id", "contact_id", "lead_id", "entity_id"))
_ASKING = lexicon.QUESTION_STARTS | {"what's", "whats", "show", "list", "everything", "all", "any"}
_WISHES, _REQUESTS = (word_set("condition_words", key) for key in ("wishes", "requests"))
_UNDONE = word_set("condition_words", "undone")
_SINGLE = (lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS) - THOSE - {"there"}


CLOSED = replace(among("stage", ("closed_won", "closed_lost")), text="that are won or lost")
"""The condition that a deal is closed, whatever its outcome."""


def filters_of(plan: Plan, ask: Ask, kind: str, **given: str) -> Filters:
    """Return what an ask says of records, beside the arguments `given`.

    Raises `Pending` while a company or person that it names is looked up.
    """
    spec, last = plan.tools[tool_of(kind)], plan.topic.search
    is_one = len(plan.topic.refs) == 1 and (not plan.topic.listed or bool(ask.words & _SINGLE))
    is_same = last is not None and last.tool == spec.name and points_back(ask) and not (is_one or is_of_other(ask))
    is_elsewhere = bool(plan.topic.refs or plan.spoken or ask.texts("name") or ask.texts("org"))
    # "What's in negotiation there?", of the figures told last, "which of my leads are there?", of those in a town
    is_placed = last is not None and ("city" in last.arguments or "state" in last.arguments) and not ask.texts("name")
    is_there_too = last is not None and last.tool == spec.name and is_there(ask) and (is_placed or not is_elsewhere)
    is_same = is_same or (is_there_too and not plan.spoken)
    arguments = {**(last.arguments if last and is_same else {}), **given}
    filters = Filters(kind, spec.name, spec.properties, arguments)
    if last is not None and is_same:
        filters.names = dict(last.names)
    # "How many of the referral ones?" after the first five of a ranking is about all of them.
    is_of_ranking = last is not None and last.within is not None and not last.within[0]
    if last is not None and is_same and last.within is not None and (not is_of_ranking or ask.words & THOSE):
        filters.within = last.within
        filters.conditions.append(listed_within(last.within))
    filters.custom = {one.name: one.label for one in spec.custom}
    if (but_them := _BUT_THEM.search(ask.text)) is not None:
        ask = ask.without(*but_them.span())
    ask = _read_custom(plan, _with_colleagues(plan, ask), filters, spec.custom)
    filters.unknown += ask.texts("unknown")
    ask = without_denied(ask, lambda one: lexicon.kind_named(one) not in (None, kind))
    of_all = [(ask.outside[first], ask.outside[last - 1]) for _, first, last in placed_in(ask.outside, "everybody")]
    ask = reduce(lambda part, words: part.without(words[0].start, words[1].end), of_all, ask)
    ask = _without_later_stages(ask, filters)
    ask = read_limits(without_clauses(plan, filters_of, _without_quiet(ask, filters), filters), filters)
    _read_values(ask, filters)
    for topic in ask.texts("topic") if kind != "activity" else ():
        words = " ".join(one.text for one in tokenize(topic) if len(one.word) > _MAX_ARTICLE)
        filters.conditions.append(mentioning(words, topic))  # "Deals with a next step of sending a contract."
    colleague = ""
    if of_all:
        filters.arguments.pop("owner", None)
    elif not (ask.texts("owner") or ask.words & _OWN) and (colleague := colleague_meant(plan, ask, filters.kind)):
        filters.arguments["owner"] = colleague
    else:
        _read_owner(plan, ask, filters)
    read_times(ask, filters, last.arguments if last else {})
    closing = str(filters.arguments.get("closing_before", ""))
    if closing >= plan.now.date().isoformat() and any(one.text == CLOSED.text for one in filters.conditions):
        # A search for days ahead leaves out what is closed.
        filters.arguments["closing_before"] = (plan.now.date() - timedelta(days=1)).isoformat()
    if filters.contact is not None:
        contact = contact_of_others(plan, kind, filters.contact, is_silent=filters.is_silent)
        filters.conditions += [contact] if contact else []
        filters.unknown += [] if contact else ask.texts("when")
        if kind == "opportunity" and filters.is_silent and "stage" not in filters.arguments:
            filters.arguments["open_only"] = True  # A closed deal is not worked on any more.
    if is_same:
        filters.conditions += _named_of_those(ask, filters)
    elif not colleague:
        read_names(plan, ask, filters)
    if ("else" in ask.words or but_them) and kind != "activity":
        shown = [ref for ref in plan.topic.refs if ref.type == kind]
        if but_them and not shown:
            shown = list(filter(None, [pointed_at(plan, ask, (kind,))]))
            filters.unknown += [] if shown else [but_them.group().strip(" ,")]
        filters.conditions += [one_of(shown).denied] if shown else []
    columns = (lexicon.field_name(one, kind) for one in ask.fields)
    filters.columns = [name for name in columns if name in RECORD_TYPES[kind].model_fields]
    if is_same and filters.within is not None and last is not None and filters.arguments != last.arguments:
        filters.conditions[0] = replace(filters.conditions[0], text="among these")  # What it said may be said anew.
    return filters


def _without_quiet(ask: Ask, filters: Filters) -> Ask:
    """Return the ask without words for people who went quiet: they are open, and were not contacted for a while."""
    placed = list(placed_in(ask.outside, "quiet")) if filters.kind in KINDS else []
    for _, first, last in reversed(placed):
        ask = ask.without(ask.outside[first].start, ask.outside[last - 1].end)
        filters.is_silent = True
    if placed and filters.kind == "lead":
        values = lexicon.entries("open_values")["lead"]
        filters.conditions.append(replace(among("status", values), text="and still open"))
    return ask


def _without_later_stages(ask: Ask, filters: Filters) -> Ask:
    """Return the ask without the stage that deals are past, "past qualification", as a condition on the stage."""
    stages = lexicon.entries("open_values").get("opportunity", ())
    for before, token in pairwise(ask.outside if filters.kind == "opportunity" else ()):
        value = next((one for one in lexicon.values_in(token.word) if one in stages), None)
        if before.word in ("past", "beyond") and value is not None:
            filters.conditions.append(among("stage", stages[stages.index(value) + 1 :]))
            return ask.without(before.start, token.end)
    return ask


def _named_of_those(ask: Ask, filters: Filters) -> list[Condition]:
    """Return the conditions that names set for the records of the last list: "which of those are with Ann?"."""
    if _BELONGING & filters.arguments.keys():
        return []  # They are all of somebody else.
    names = ask.texts("name") or ask.texts("org")
    return [mentioning(one, one * one.islower()) for one in names if not is_common(one.lower())]


def _with_colleagues(plan: Plan, ask: Ask) -> Ask:
    """Return the ask with colleagues that no slot holds, without values for a record spoken of: "the bank"."""
    spoken = spoken_of(plan, ask)
    stems = stems_of(spoken.name) if spoken else set[str]()
    kept = [one for one in ask.segment.spans if one.tag != "value" or not stems_of(one.text) <= stems]
    return ask.with_spans([*kept, *(Span("owner", name, one.start) for name, one in colleagues_in(ask.loose))])


def _read_custom(plan: Plan, ask: Ask, filters: Filters, own: Sequence[CustomField]) -> Ask:
    """Add the values of the tenant's own fields, and return the ask without them."""
    for one in list(custom_fields.conditions(ask, plan.custom_fields)):
        field = next((field for field in own if field.name == one.field.name), None)
        if field is None or (field.values and not {*one.values} <= {*field.values}):
            filters.unknown.append(one.span.text)
        elif len(one.values) == 1 and not one.is_denied:
            filters.arguments[field.name] = one.values[0]
        else:
            filters.conditions.append(Condition(one.text, one.holds))
        ask = ask.without(one.span.start, one.span.end)
    return ask


def _read_values(ask: Ask, filters: Filters) -> None:
    """Add enumerated values and states; other values are looked for in the records' fields."""
    enums, chosen, read, ends = filters.enums, dict[str, list[str]](), list[Token](), dict[str, Token]()
    hidden = [one for one in ask.segment.spans if one.tag in ("owner", "when", "count", "amount")]
    fields = [one for one in ask.segment.spans if one.tag == "field" and lexicon.phrase_key(one.text, "fields")]
    described = {one.start for one in ask.outside if _stands_before_noun(ask.outside, one)}  # "How many closed deals"
    hidden += [one for one in fields if one.text.lower() != "closed" or one.start not in described]
    hidden += [one for one in ask.segment.spans if one.text.lower() in lexicon.US_STATES]  # "New York" is not new.
    tokens = [one for one in ask.outside if not any(span.start <= one.start < span.end for span in hidden)]
    is_any, added = {"open", "closed"} <= ask.words, list[str]()  # "open and closed": all of them
    for value, said in said_values(tokens, filters):
        read += said
        if is_any and said[0].word in ("open", "closed"):
            continue
        if _is_added(ask, said[-1]):
            added.append(value)
            continue
        if value == "closed_won" and ask.words & _POSSIBLE:
            value = "open"  # "How much could we still win there?"
        is_status = value == "contacted" and _stands_before_noun(tokens, said[-1])
        is_told = (ask.times or (value == "contacted" and filters.is_silent)) and not is_status
        if value in ("new", "contacted") and is_told and "status" not in ask.words:
            continue  # The time says it.
        if value == "closed" and filters.kind == "opportunity":
            # "Closed deals" are won or lost, where it isn't said which.
            is_outcome_said = {"closed_won", "closed_lost"} & {one for one, _ in said_values(tokens, filters)}
            filters.conditions += [] if is_outcome_said else [CLOSED]
        elif value == "open" and "open_only" in filters.properties:
            filters.arguments["open_only"] = True
        elif value in enums or value == "open":
            values = lexicon.entries("open_values")[filters.kind] if value == "open" else [value]
            name = enums.get(value, "status")
            if name in chosen and not _is_joined(ask, ends[name], said[0]):
                chosen[name] = []  # The later one corrects the first.
            chosen.setdefault(name, []).extend(values)
            ends[name] = said[-1]
        elif not lexicon.kind_of(said[0].stem) and not _asks_how(tokens, said[0]):
            filters.unknown.append(ask.text[said[0].start : said[-1].end])
    free = list[Span]()
    for value in added:
        if value in enums and enums[value] in chosen:
            chosen[enums[value]].append(value)  # "Warm leads, new ones too."
    for token in tokens:
        if token.stem in enums and lexicon.kind_named(token) not in (None, filters.kind):
            chosen.setdefault(enums[token.stem], []).append(token.stem)
            read.append(token)
    for span in ask.segment.spans:
        is_read = any(span.start <= one.start < span.end for one in read)
        is_read = is_read or (filters.kind in ("opportunity", "activity") and span.text.lower() in LATE)
        if span.tag == "value" and not is_read and lexicon.phrase_key(span.text, "kinds") is None:
            free.append(span)
    if len(free) > 1 and all(_stands_joined(ask, one, other) for one, other in pairwise(free)):
        # "in healthcare or insurance"
        filters.conditions.append(any_of([in_place(span.text) or mentioning(span.text) for span in free]))
    else:
        for span in free:
            _read_value(ask, span, filters, chosen)
    _add_chosen(ask, filters, chosen)


def _stands_before_noun(tokens: Sequence[Token], value: Token) -> bool:
    """Return whether a value describes the noun after it: "my contacted leads"."""
    return any(one == value and lexicon.kind_named(two) for one, two in pairwise(tokens))


def _asks_how(tokens: Sequence[Token], value: Token) -> bool:
    """Return whether a value is what is asked for, and no condition: "how healthy is the pipeline"."""
    return any(one.word == "how" and two == value for one, two in pairwise(tokens))


def _stands_joined(ask: Ask, one: Span, other: Span) -> bool:
    """Return whether only "and" or "or" stands between two values of no list."""
    between = {token.word for token in ask.tokens if one.end <= token.start < other.start}
    return bool(between) and between <= _JOINED


def _add_chosen(ask: Ask, filters: Filters, chosen: dict[str, list[str]]) -> None:
    """Add the values chosen, by their parameter; of activities also the types, and the usual status."""
    if filters.kind == "activity":
        # "Tasks" may mean all that there is to do.
        chosen |= {"activity_type": [] if "task" in ask.activity_types else [*ask.activity_types]}
        chosen |= {"status": ["overdue"]} if is_late(ask) else {}
        chosen |= {"status": ["completed"]} if is_done(ask) else {}
        is_undone = not ask.times or bool(ask.words & _UNDONE)
        if not chosen.get("status") and is_undone and "status" not in filters.arguments:
            chosen["status"] = ["scheduled"]
    if any(value.startswith("closed") for value in chosen.get("stage", ())):
        filters.arguments.pop("open_only", None)  # The open ones were listed before.
    elif "open_only" in filters.arguments and str(filters.arguments.get("stage", "")).startswith("closed"):
        del filters.arguments["stage"]
    for name, values in chosen.items():
        values = list(dict.fromkeys(values))
        if len(values) > 1:
            filters.arguments.pop(name, None)  # The list before may have had one of them.
            filters.conditions.append(among(name, values))
        elif values:
            filters.arguments[name] = values[0]


def _is_added(ask: Ask, token: Token) -> bool:
    """Return whether a value only widens what is listed: "closed ones too"."""
    after = [one.word for one in ask.outside if one.start > token.start and one.word not in ("ones", "one", "deals")]
    return (bool(after) and after[0] in ("too", "included")) or after[:2] == ["as", "well"]


def _read_value(ask: Ask, span: Span, filters: Filters, chosen: dict[str, list[str]]) -> None:
    """Add the value of a slot: to those chosen of enumerated ones, else as a state, a city, an industry or any word.

    A small word that no place introduces may be no condition.
    """
    literal, state = identifier(span.text), lexicon.US_STATES.get(span.text.lower())
    before = next((one.word for one in reversed(ask.tokens) if one.end <= span.start), "")
    is_placed, has_place = before in _PLACED, "address" in RECORD_TYPES[filters.kind].model_fields
    is_guess = not is_placed if span.text.islower() else is_placed and not (has_place or span.text.isupper())
    guess = span.text if is_guess else ""
    if literal in filters.enums:
        chosen.setdefault(filters.enums[literal], []).append(literal)
    elif state and "state" in filters.properties:
        filters.arguments["state"] = state
    elif (place := in_place(span.text)) is not None:
        filters.conditions += [place] * has_place
        filters.unknown += [span.text] * (not has_place)
    elif FIRST_FIELDS.get(filters.kind, "state") not in {"state", *filters.arguments}:
        filters.arguments[FIRST_FIELDS[filters.kind]] = span.text
        filters.guesses |= {span.text: guess}
    else:
        filters.conditions.append(mentioning(span.text, guess))


def _is_joined(ask: Ask, one: Token, other: Token) -> bool:
    """Return whether two values are both meant: only "and" and the like stands between them, or a near "or"."""
    between = [token.word for token in ask.outside if one.end <= token.start < other.start]
    is_choice = "or" in between[:_MAX_CHOICE] and len(between) <= _MAX_CHOICE and not CORRECTIONS & {*between}
    return is_choice or (_JOINED.issuperset(between) and (bool(between) or one.start >= other.start))


def _read_owner(plan: Plan, ask: Ask, filters: Filters) -> None:
    tokens, others, user = ask.outside, word_set("own_others", "own_people"), plan.user
    following = [*(token.word for token in tokens[1:]), ""]
    is_own = any(one.word in _OWN and after not in others for one, after in zip(tokens, following, strict=False))
    is_own = is_own or {"owner", "me"} <= ask.words  # "leads, city Boston, owner: me"
    owners = [(span.text.split()[0].lower(), span.start) for span in ask.segment.spans if span.tag == "owner"]
    names = list(dict.fromkeys(name for name, _ in owners))
    before = [token.word for token in tokens if owners and token.end <= owners[0][1]][-3:]
    after = [token.word for token in tokens if owners and token.start > owners[0][1] and token.word != "'s"][:2]
    is_more = after[:1] in (["too"], ["also"], ["included"])  # "Bob's too"
    is_joined = after[:1] in (["and"], ["or"]) and after[1:] in (["mine"], ["me"])
    if len(names) == 1 and (joins_self(before) or is_joined or (is_more and is_own)):
        names.append(user)
    if is_more and len(names) == 1:
        filters.arguments.pop("owner", None)
    elif len(names) > 1:
        owned = " or ".join("you" if name == user else name.capitalize() for name in names)
        filters.conditions.append(Condition(f"owned by {owned}", lambda record: record.get("owner") in names))
    elif names or is_own or _is_subject(tokens) or _is_owned(tokens):
        filters.arguments["owner"] = names[0] if names else "me"
    elif (last := plan.topic.search) and last.tool == filters.tool and _goes_on(ask) and "owner" in last.arguments:
        filters.arguments["owner"] = last.arguments["owner"]


def _is_owned(tokens: Sequence[Token]) -> bool:
    """Return whether records are the user's own: "which leads do I have", but not "who do I know at Acme"."""
    following = (tokens[last].word if last < len(tokens) else "" for _, _, last in placed_in(tokens, "ownership"))
    return any(word != "know" for word in following)


def _goes_on(ask: Ask) -> bool:
    """Return whether an ask goes on with the records of whom the last was about: "and what's left this week?"."""
    is_joined = any(one.word in _JOINING for one in ask.tokens[:1])
    is_named = any(ask.texts(tag) for tag in ("name", "org", "new"))
    return is_joined and not (is_named or ask.words & _OF_ALL)


def _is_subject(tokens: Sequence[Token]) -> bool:
    """Return whether the user is the subject of a question about records: "which deals am I closing".

    "I" before the question tells something else, as do verbs of wishing and of speaking to others.
    """
    asked, words = False, ["", *(token.word for token in tokens), ""]
    for place, token in enumerate(tokens, 1):
        asked = (asked or token.word in _ASKING or lexicon.kind_named(token) in KINDS) and token.kind != "mark"
        is_wish = words[place + 1] in _WISHES or words[place - 1] in _REQUESTS
        if token.word in _SUBJECTS and asked and not is_wish:
            return not {one.stem for one in tokens} & contacted_stems()
    return False


def colleague_meant(plan: Plan, ask: Ask, kind: str) -> str:
    """Return the colleague whose records were listed last, if "he" can only be that one: "how many leads has he".

    After the answer whose a record is, "he" is its owner.
    """
    owner = str(plan.topic.search.arguments.get("owner") or "") if plan.topic.search else ""
    is_person = bool(ask.words & (lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS)) and not ask.texts("name")
    is_record = kind in ("opportunity", "activity") and len(plan.topic.refs) == 1
    asked = Ask(plan.topic.asked, plan.now) if is_person and plan.topic.asked else None
    named = asked.texts("owner") if asked and not owner else ()
    owner = (
        named[0].split()[0].lower() if len(named) == 1 and not plan.topic.refs else owner
    )  # "Who has more, Bob or me?"
    if asked and asked.act == "ask_field" and "owner" in asked.fields and len(plan.topic.refs) == 1:
        owner, is_record = str(plan.record(plan.topic.refs[0]).get("owner") or ""), False
    return owner if owner != "me" and is_person and not is_record else ""
