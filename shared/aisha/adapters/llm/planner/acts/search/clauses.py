"""Read the clauses of a search that no parameter says: denials, relative clauses and related records."""

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.filters import (
    Condition,
    Filters,
    among,
    equal,
    having,
    mentioning,
    one_of,
)
from aisha.adapters.llm.planner.acts.search.kinds import BEING, PROSPECTS, SELLING, is_plural_kind, spoken_of
from aisha.adapters.llm.planner.acts.search.limits import limited
from aisha.adapters.llm.planner.acts.search.relations import (
    BELONGING,
    OF_OWNERS,
    PLANNED,
    Reading,
    contact_of_others,
    own_tokens,
    related_in,
    relation_said,
)
from aisha.adapters.llm.planner.acts.search.times import lasting
from aisha.adapters.llm.planner.acts.search.words import (
    DENIED,
    EMPTY,
    LENGTHS,
    RELATIVE,
    STAFF,
    WHO,
    contacted_stems,
    denials,
    exclusions,
    stems_of,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.policy import is_sure
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.slots import KNOWN, strange
from aisha.domain.crm.enumerations import AccountType
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.lexicon import placed_in, word_set
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

_MAX_FILLER = 3
"""Letters of a word that nothing explains up to which it is passed over."""
_BEGUN = word_set("condition_words", "begun")
_DESCRIBED = word_set("condition_words", "described")
_WON = word_set("condition_words", "won")
_DWELLING = word_set("condition_words", "dwelling")
_NOBODY = frozenset("nobody none noone".split())
_SAYING_NOTHING = frozenset("have been were does will would could should must might currently already".split())
# Words before what has not happened yet.
_TO_COME = frozenset("to will would may might could should shall gonna".split())
# Words after "at the" that say no place.
_NO_PLACES = frozenset("moment minute end top bottom start beginning time same latest most least present".split())
_OWN = frozenset("mine my me myself".split())
_SORTED = frozenset("sorted ordered ranked grouped sort order".split())
"""Words after which no clause goes on: "not called in two months, sorted by company"."""
_HAVING = frozenset(("have", "has", "having", "had", "got"))
_OUTCOMES = frozenset(("closed_won", "closed_lost", "lost", "converted"))


def without_clauses(plan: Plan, read: Reading, ask: Ask, filters: Filters) -> Ask:
    """Return the ask without the conditions that no parameter says; add those to the filters.

    `read` reads the conditions of what belongs to the records.
    """
    for tokens, until in list(_clauses(ask, filters)):
        start, is_denied = tokens[0].start, denials(tokens) > 0
        last = until if is_denied else tokens[-1].end
        spans = [span for span in ask.segment.spans if start <= span.start < last]
        relation, end = (
            relation_said(plan, read, ask, tokens, spans, filters),
            max([tokens[-1].end, *(one.end for one in spans)]),
        )
        said: tuple[list[Condition], int] | None
        if relation is not None:
            said = [relation], end
        else:
            said = (_denied if is_denied else _related)(plan, ask, tokens, spans, filters)
        if said is not None:
            conditions, end = said
            filters.conditions += conditions
            filters.unknown += [] if conditions else [ask.text[start:end].strip()]
            ask = ask.without(start, end)
    people = WHO | lexicon.EVERYBODY | {"anyone", "anybody"}
    nouns = [one.start for one in ask.outside if lexicon.kind_named(one) or one.word in people]
    # Before the noun stand the words of the question, unless they were not understood.
    first = nouns[0] if nouns and is_sure(ask) else 0
    left = [one for one in strange(ask) if nouns and one.start > first and len(one.word) > _MAX_FILLER]
    left = sorted({*left, *_awaited(ask)}, key=lambda one: one.start)
    # "The support renewals", "deals waiting for legal": a word that the records have is a condition.
    filters.conditions += [mentioning(one, one) for one in _phrases(ask, left)]
    filters.unknown += [] if left or spoken_of(plan, ask) else _places_unread(ask, filters)
    return ask


def _awaited(ask: Ask) -> Iterator[Token]:
    """Yield what records of a kind are waiting for: "deals waiting for a contract", "leads waiting on a reply"."""
    for noun, verb, before, *rest in zip(*(ask.outside[place:] for place in range(5)), strict=False):
        is_verb = verb.word.endswith("ing") and before.word in ("for", "on")
        if is_verb and lexicon.kind_named(noun) and is_plural_kind(noun):
            head = rest[1] if rest[0].word in lexicon.DETERMINERS else rest[0]
            yield from (one for one in (head,) if one.kind == "word" and one in ask.loose)


def _phrases(ask: Ask, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the words of tokens, those that stand side by side together."""
    start = end = -1
    for token in tokens:
        if start >= 0 and token.start - end > 1:
            yield ask.text[start:end]
            start = -1
        start, end = token.start if start < 0 else start, token.end
    if start >= 0:
        yield ask.text[start:end]


def _places_unread(ask: Ask, filters: Filters) -> list[str]:
    """Return the words after "at the" that are no slot: "our contacts at the bank", where no bank was spoken of."""
    three = zip(ask.loose, ask.loose[1:], ask.loose[2:], strict=False)
    places = [(one, place) for one, two, place in three if one.word == "at" and two.word == "the"]
    return [
        ask.text[one.start : place.end]
        for one, place in places
        if place.word not in _NO_PLACES and not (lexicon.values_in(place.word) or lexicon.fields_in(place.word))
    ]


def _clauses(ask: Ask, filters: Filters) -> Iterator[tuple[list[Token], int]]:
    """Yield the parts that begin with a denial, a relative word or related records, and where each ends.

    A denial that says nothing goes with what follows: "skip the ones without a phone number".
    """
    part: list[Token] = []
    excluded = {place: first for first, last in exclusions(ask.outside) for place in range(first, last)}
    for place, token in enumerate(ask.outside):
        following = next((one.word for one in ask.outside[place + 1 :]), "")
        is_denial = token.word in DENIED and place not in excluded and following not in CORRECTIONS  # "No wait, …"
        begins = excluded.get(place) == place or is_denial
        begins = begins or (place > 0 and token.word in _BEGUN and _describes(ask, place))
        begins = begins or (not part and place > 0 and _is_related(ask, token, filters))
        is_verb = token.word in _HAVING or token.word in BELONGING
        begins = begins or (not part and place > 0 and is_verb and _has_related(ask, place, filters))
        begins = begins or (not part and place > 0 and token.word in OF_OWNERS and _has_owners(ask, place, filters))
        begins = begins and not (denials(part) and all(map(_is_empty, part[1:])))
        # What describes the related records is no clause of its own: "deals with customers that have no contact".
        begins = begins and not (part and own_tokens([*part, token], filters) != [*part, token])
        is_listing = token.text == "," and _is_between_values(ask, token)
        is_next = token.word in ("and", "but") and following in BEING | _HAVING  # "No next step and are worth 90k"
        if part and (begins or is_next or (token.text in ",;:.?!" and not is_listing) or token.word in _SORTED):
            yield part, token.start
            part = []
        part += [token] if begins or part else []
    if part:
        yield part, len(ask.text)


def _is_between_values(ask: Ask, mark: Token) -> bool:
    """Return whether a comma stands between two values: "outside Chicago, Boston and Seattle"."""
    spans = [one for one in ask.segment.spans if one.tag == "value"]
    return any(one.end <= mark.start and mark.start - one.end < 2 for one in spans) and any(
        0 < one.start - mark.start <= 2 for one in spans
    )


def _has_related(ask: Ask, place: int, filters: Filters) -> bool:
    """Return whether a verb is followed by what belongs to the records: "accounts [have] an open deal"."""
    following = list(takewhile(lambda one: one.kind != "mark" and one.word not in DENIED, ask.outside[place + 1 :]))
    noun = related_in(following, filters)[1]
    return noun is not None and (lexicon.kind_named(noun) is None or _names_other(ask, noun, filters))


def _has_owners(ask: Ask, place: int, filters: Filters) -> bool:
    """Return whether a preposition is followed by companies that a word describes: "contacts [at] healthy accounts"."""
    is_after_noun = lexicon.kind_named(ask.outside[place - 1]) == filters.kind
    is_at = ask.outside[place].word == "at"  # "How many contacts do we have at prospects?"
    if filters.kind not in ("contact", "opportunity") or not (is_after_noun or is_at):
        return False
    for before, token in pairwise(ask.outside[place : place + 4]):
        is_type = token.word in PROSPECTS or bool({*lexicon.values_in(token.word)} & {*AccountType})
        if token.word.endswith("s") and is_type and (filters.kind == "contact" or lexicon.kind_named(token) is None):
            return True  # "Contacts at partners", "deals with vendors"
        if lexicon.kind_named(token) == "account":
            after = {one.word for one in ask.outside[place + 1 :]}
            is_described = before.word not in OF_OWNERS or bool(after & (RELATIVE | _HAVING | {"with"}))
            return is_plural_kind(token) and is_described
        if not (lexicon.values_in(token.word) or token.word in ("the", "our", "my", "at", "risk")):
            return False
    return False


def _is_empty(token: Token) -> bool:
    """Return whether a word after a denial says nothing by itself."""
    return token.word in EMPTY or token.word in DENIED or lexicon.kind_named(token) is not None


def _describes(ask: Ask, place: int) -> bool:
    """Return whether a relative word follows what it describes: "leads who left", not "a deal, which would it be"."""
    token, before = ask.outside[place], ask.outside[place - 1]
    if token.word not in RELATIVE:
        return True
    is_slot = any(span.start <= before.start < span.end for span in ask.segment.spans)
    return bool(is_slot or lexicon.kind_named(before) or before.word in _DESCRIBED)


def _is_related(ask: Ask, token: Token, filters: Filters) -> bool:
    """Return whether a token names another kind of records than is asked for, and no role: "the customer Acme"."""
    named = lexicon.kind_named(token)
    is_asked = named in ask.kinds[:1] or (filters.kind, named) == ("contact", "account")
    return not is_asked and _names_other(ask, token, filters)


def _names_other(ask: Ask, token: Token, filters: Filters) -> bool:
    """Return whether a token names another kind of records than those listed: "do any of them have deals"."""
    named = lexicon.kind_named(token)
    if token.stem in filters.enums:
        return False  # "accounts that are prospects"
    before = next((one.word for one in reversed(ask.tokens) if one.end <= token.start), "")
    if named == "account" and before in lexicon.PERSON_PRONOUNS | {"this", "that", "same"}:
        return False  # "with her company"
    is_number = token.word in STAFF and bool(ask.amounts)  # "with more than 500 people"
    if is_number or named in (None, filters.kind):
        return False
    return not any(one.start <= token.start < one.end or 1 <= one.start - token.end <= 2 for one in ask.segment.spans)


def _related(
    plan: Plan, ask: Ask, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters
) -> tuple[list[Condition], int] | None:
    """Return what a clause says of related records, that it is unknown, or None for one that says nothing of them."""
    is_related = any(_is_related(ask, token, filters) for token in tokens)
    is_read = bool(spans) or any(said_values(tokens, filters))
    if not is_related and (is_read or not ({*tokens} & {*strange(ask)} or _tells(ask, tokens))):
        return None
    return [], max([tokens[-1].end, *(span.end for span in spans)])


def _tells(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a relative clause tells what no filter reads: "who promised to sign", but not "that we have"."""
    placed = [one for table in ("fields", "summing") for one in lexicon.placed_in(tokens, table)]
    read = {place for _, *ends in placed for place in range(*ends)}
    rest = [one for place, one in enumerate(tokens[1:], 1) if place not in read and one.kind == "word"]
    known = KNOWN | EMPTY | lexicon.THING_PRONOUNS | lexicon.INTERJECTIONS | _SAYING_NOTHING
    ordering = {ask.outside[place].start for _, *ends in ask.orders for place in range(*ends)}
    telling = [
        one for one in rest if one.start not in ordering and one.word not in known and one.stem not in contacted_stems()
    ]
    is_limit = bool(find_amounts(" ".join(one.word for one in tokens)))  # "That employ more than 100 people"
    return (
        tokens[0].word in RELATIVE
        and not is_limit
        and any(
            len(one.word) > _MAX_FILLER and not (lexicon.kind_named(one) or lexicon.activity_type_of(one.stem))
            for one in telling
        )
    )


def _denied(
    plan: Plan, ask: Ask, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters
) -> tuple[list[Condition], int] | None:
    """Return what a denied clause says, to be checked here, and where that ends.

    Without conditions it is unknown; None is for a clause that is left to the parameters.
    """
    words, end = {token.word for token in tokens}, max([tokens[-1].end, *(span.end for span in spans)])
    before = [one.word for one in ask.tokens if one.end <= tokens[0].start][-2:]
    if tokens[0].word in _NOBODY and before[-1:] in (["to"], ["by"]):
        return [having("owner", formats.field_noun("owner")).denied], tokens[0].end  # "assigned to nobody"
    if any(_is_related(ask, token, filters) for token in tokens):
        return [], end
    # "Deals that haven't reached negotiation" are about no contact.
    is_of_value = any(value != "contacted" for value, _ in said_values(tokens, filters))
    if contacted_stems() & {token.stem for token in tokens} and filters.kind in lexicon.KINDS and not is_of_value:
        text = " ".join(token.word for token in tokens)
        filters.is_silent = bool(find_times(text, ask.now) or lasting(ask))
        if filters.is_silent:
            return None
        is_timed = any(span.tag == "when" for span in spans) or bool(words & (LENGTHS | PLANNED))
        never = replace(having("last_contacted_at", "").denied, text="never contacted so far")
        said_end = max(token.end for token in tokens if token.stem in contacted_stems())
        if "last_contacted_at" not in _fields(filters):
            contact = contact_of_others(plan, filters.kind, (None, None), is_silent=True)
            return ([contact] if contact is not None and not is_timed else []), said_end
        return ([], end) if is_timed else ([never], said_end)
    for found in (_values_said, _owners_said, _types_said, _amounts_said, _fields_said, _names_said):
        if said := list(found(plan, tokens, spans, filters)):
            if _unread(ask, tokens, said):
                return [], end
            is_meant = denials(tokens) % 2 == 0
            return [one if is_meant else one.denied for one, _ in said], max(last for _, last in said)
    is_compared = "than" in words and not any(exclusions(tokens))  # "No more than", not "other than".
    return None if len(tokens) == 1 or is_compared else ([], end)


def _unread(ask: Ask, tokens: Sequence[Token], said: Sequence[tuple[Condition, int]]) -> list[Token]:
    """Return the words up to the end of what a clause says that nothing explains: "who haven't answered me"."""
    excluded = {place for first, last in exclusions(tokens) for place in range(first, last)}
    words = [token for place, token in enumerate(tokens) if place not in excluded and token.word not in DENIED]
    last = max(end for _, end in said)
    return [one for one in words if one.end < last and one in strange(ask) and len(one.word) > _MAX_FILLER]


def _fields(filters: Filters) -> Container[str]:
    return RECORD_TYPES[filters.kind].model_fields


Said = Iterator[tuple[Condition, int]]
"""Conditions, each with the end of its words."""


def _values_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Said:
    opened = lexicon.entries("open_values").get(filters.kind, ())
    for value, said in said_values(tokens, filters):
        if value in filters.enums or (value == "open" and opened):
            values = opened if value == "open" else (value,)
            yield among(filters.enums.get(values[0], "status"), values), said[-1].end


def _owners_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Said:
    owners = [(span.text.split()[0].lower(), span.end) for span in spans if span.tag == "owner"]
    owners += [(plan.user, one.end) for one in tokens if one.word in _OWN]
    for owner, end in owners:
        name = "yours" if owner == plan.user else f"{owner.capitalize()}'s"
        # "Besides Caleb" may be a record's name.
        whose = equal("owner", owner, name, "")
        yield replace(mentioning(owner) if filters.kind == "contact" else whose, opposite=f"other than {name}"), end


def _types_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Said:
    for token in tokens if filters.kind == "activity" else ():
        if one := lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem):
            yield equal("activity_type", one, f"that are {one}s", f"without {one}s"), token.end


def _amounts_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Said:
    for amount in find_amounts(" ".join(token.word for token in tokens)):
        if amount.relation in ("more", "less"):
            yield limited(amount, filters.kind), tokens[-1].end


def _fields_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Said:
    fields = [(lexicon.field_name(key, filters.kind), last) for key, _, last in placed_in(tokens, "fields")]
    if all(name in _fields(filters) for name, _ in fields):
        for name, last in fields:
            yield having(name, formats.field_noun(name)), tokens[last - 1].end


def _names_said(plan: Plan, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> Said:
    """Yield the names and other values said, and the records of the last list that a word tells: "the bank"."""
    for span in spans:
        if span.tag in ("name", "org", "new", "value"):
            yield replace(mentioning(span.text), opposite=f"other than {span.text}"), max(span.end, tokens[-1].end)
    group = plan.topic.group or plan.topic.refs
    for token in () if spans else tokens:
        named = [ref for ref in group if token.stem in stems_of(ref.name)]
        if 0 < len(named) < len(group):
            yield one_of(named), tokens[-1].end


def said_values(tokens: Sequence[Token], filters: Filters) -> Iterator[tuple[str, Sequence[Token]]]:
    """Yield the enumerated values, as the kind of record has them, each with its tokens."""
    enums, same = filters.enums, lexicon.entries("same_values")[filters.kind]
    is_lost, read = False, set[Token]()
    for key, first, last in placed_in(tokens, "values"):
        read |= {*tokens[first:last]}
        if _is_to_come(tokens, first) and (key in _OUTCOMES or tokens[first].word in lexicon.ORDER_VERBS):
            continue  # "Who promised to sign" has not signed, and what will be won is open.
        if filters.kind == "account" and _is_worry(tokens[first:last]):
            read -= {*tokens[first:last]}
            continue  # "In trouble" is at risk or churning.
        if tokens[first].word not in _DWELLING and (last - first > 1 or lexicon.says_value(tokens[first])):
            yield key if key in enums else same.get(key, key), tokens[first:last]
            is_lost = is_lost or key in ("lost", "closed_lost")
    for key, first, last in placed_in(tokens, "asked_values"):
        if key != "open" or filters.kind in lexicon.entries("open_values"):
            yield key, tokens[first:last]
    for _, first, last in placed_in(tokens, "risks") if filters.kind == "account" else ():
        if read.isdisjoint(tokens[first:last]):  # "Customers to worry about" are of either state.
            yield from ((key, tokens[first:last]) for key in ("at_risk", "churning"))
    # "Closed deals" were won or lost; "deals that closed" were won.
    closed = [one for one, two in pairwise(tokens) if one.word == "closed" and lexicon.kind_named(two)]
    if filters.kind == "opportunity" and closed:
        yield "closed", closed
    did = next((place for place, token in enumerate(tokens) if token.word == "did"), len(tokens))
    won = [
        one
        for place, one in enumerate(tokens)
        if one not in closed
        and (one.word in _WON or (one.word in SELLING | {"close"} and place > did))
        and not _is_to_come(tokens, place)
    ]
    if filters.kind == "opportunity" and not is_lost and won:
        yield "closed_won", won


def _is_worry(tokens: Sequence[Token]) -> bool:
    """Return whether words say that an account may leave, without naming its state."""
    return any(placed_in(tokens, "risks")) and not any(token.word in ("risk", "at-risk") for token in tokens)


def _is_to_come(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a verb tells what has not happened: "to sign", "to be signed", "will we win"."""
    before = [one.word for one in tokens[max(place - 2, 0) : place]]
    is_passive = before[-1:] == ["be"] or before[-1:] in (["we"], ["i"])
    return bool(_TO_COME & {*before[-2 if is_passive else -1 :]})
