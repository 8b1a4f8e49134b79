"""Tell which kind of records an ask is about, and whether it points back at those of the last list."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.search.filters import STATUSES
from aisha.adapters.llm.planner.acts.search.words import (
    CLOSING,
    CONTACTED,
    DENIED,
    SOLD,
    STAFF,
    WHO,
    contacted_stems,
    is_late,
    left_out,
    stems_of,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.crm.enumerations import AccountType
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS
from aisha.domain.language.tokens import Token, tokenize

_PARTS = lexicon.NUMBERS.keys() | {"same"}
THOSE = frozenset(("those", "these", "them", "they", "em"))
_SUBJECTS = frozenset("i we you they to".split())
# Verbs before "that" or "this" where it means the last answer: "how many deals does that make".
_TELLING = frozenset("is are was were does did do make makes".split())
PROSPECTS = frozenset("prospect prospects".split())
_NOT_OF_ITS_OWN = lexicon.PERSON_PRONOUNS | {"this", "that", "same"}
_MIN_TELLING = 3
_POINTING, _PLACES = frozenset(("that", "this", "same")), frozenset("city town place area region way channel".split())
_FIGURES = frozenset("figure number total sum amount".split())
"""Words for what the last answer counted: "how many deals make up that figure"."""
SELLING = frozenset("buy purchase spend sell".split())
"""Verbs that after "did" tell of deals that were won."""
_HAVING = frozenset(("have", "has", "had", "don't", "doesn't", "got", "lack", "lacks"))
BEING = frozenset(("is", "are", "was", "were", "be", "been"))


def asks_for_sales(ask: Ask) -> bool:
    """Return whether an ask is for what somebody bought: "how much did Acme spend with us?"."""
    is_selling = "sell" in ask.stems and bool(ask.words & {"we", "i"})  # "What are we selling them?"
    return is_selling or bool(ask.words & SOLD) or ("did" in ask.words and bool(ask.words & SELLING))


def tool_of(kind: str) -> str:
    """Return the tool that lists records of a kind."""
    return "list_activities" if kind == "activity" else f"search_{PLURALS[kind]}"


def kind_meant(plan: Plan, ask: Ask) -> str | None:
    """Return the kind of records that an ask names, else one that has what it says; None without a hint."""
    ask = without_denied(ask, lexicon.kind_named)
    if (listed := _kind_of_part(plan, ask)) is not None:
        return listed
    if kinds := [kind for kind in _nouns(ask) if kind in (*KINDS, "activity")]:
        spoken = spoken_of(plan, ask)
        is_at_company = "know" in ask.words or (spoken is not None and spoken.type == "account")
        if kinds == ["account"] and ask.words & WHO and is_at_company:
            return "contact"  # "Who do we know at the solar company?"
        is_of_companies = kinds == ["lead", "account"] or _lists_accounts(plan) or _says_company_field(ask)
        if kinds[0] == "lead" and ask.words & PROSPECTS and is_of_companies:
            return "account"  # "The prospects among our accounts", "prospects of over 100 employees"
        if kinds[0] == "account" and "much" in ask.words:
            return "opportunity"  # "how much business"
        return kinds[0]
    if ask.words & (WHO | {"anyone", "anybody", "somebody", "someone"}) and "know" in ask.words:
        return "contact"  # "who do we know at the bank", "do we know anyone there"
    last = plan.topic.search.tool if plan.topic.search and points_back(ask) else ""
    if ask.words & DENIED and ask.words & CONTACTED and not last:
        is_of_company = bool(ask.words & WHO and (ask.texts("org") or ask.texts("name")))
        return "contact" if is_of_company else "lead"  # "who haven't I called (at Acme)"
    if ask.words & WHO and ask.orders and ask.stems & contacted_stems():
        return "contact"  # "Who did we talk to last?"
    if ask.words & WHO and is_there(ask) and not ask.times:
        return "contact"  # "who do I call there"
    if is_late(ask) and not last:
        return "activity"  # "how many overdue things do I have"
    if ask.words & {"pipeline", "won", "win"} or asks_for_sales(ask):
        return "opportunity"
    if _types_outside_of_values(ask) or last == "list_activities":
        return "activity"
    fields = [one for one in ask.segment.spans if one.tag == "field"]
    bare = reduce(lambda part, one: part.without(one.start, one.end), fields, ask)  # "Website" is a source, too.
    values = {*bare.values, *map(identifier, ask.texts("value"))} - {"lost", "scheduled", "active"}
    for kind in KINDS:
        properties = plan.tools[tool_of(kind)].properties if plan.has(tool_of(kind)) else {}
        is_meant = any(values & {*properties.get(name, {}).get("enum", ())} for name in (*STATUSES, "source"))
        if is_meant or tool_of(kind) == last:
            return kind
    custom = [one.field for one in custom_fields.conditions(ask, plan.custom_fields)]
    for kind in KINDS if custom else ():
        if plan.has(tool_of(kind)) and custom[0] in plan.tools[tool_of(kind)].custom:
            return kind
    if ask.words & DENIED and ask.stems & contacted_stems():
        return "lead"  # "who haven't I talked to"
    if ask.words & WHO and (is_there(ask) or is_of_other(ask) or spoken_of(plan, ask) is not None):
        return "contact"  # "who do we know there", "who else is at the bank"
    is_of_leads = plan.topic.asked is not None and "lead" in Ask(plan.topic.asked, plan.now).kinds
    if "lost" in ask.values and (is_of_leads or ask.words & WHO):
        return "lead"  # A deal is no "who".
    is_deal = any(one.is_money for one in ask.amounts) or ask.words & CLOSING or {*ask.values} & {"lost", "scheduled"}
    if is_deal:
        return "opportunity"
    return "contact" if ask.texts("org") else None


def _kind_of_part(plan: Plan, ask: Ask) -> str | None:
    """Return the kind of the last list where an ask is about a part of it, whatever else it names.

    "Which of them have no activity?" is about those listed, "how many of those are customers?", too.
    """
    search, pairs = plan.topic.search, pairwise(ask.outside)
    is_part = any(one.word == "of" and two.word in THOSE | lexicon.NUMBERS.keys() for one, two in pairs)
    if search is None or not (is_part or (ask.kinds and is_bare_which(ask))):
        return None
    return next((kind for kind in (*KINDS, "activity") if tool_of(kind) == search.tool), None)


def _lists_accounts(plan: Plan) -> bool:
    return plan.topic.search is not None and plan.topic.search.tool == tool_of("account")


def _says_company_field(ask: Ask) -> bool:
    """Return whether an ask names a field that companies have and people don't: employees, revenue, industry."""
    company, person = (RECORD_TYPES[kind].model_fields for kind in ("account", "lead"))
    fields = [field for field, _, _ in lexicon.placed_in(ask.tokens, "fields")]
    names = [lexicon.field_name(field, "account") for field in fields]
    return bool(ask.words & STAFF) or any(name in company and name not in person for name in names)


def _nouns(ask: Ask) -> list[str]:
    """Return the kinds that an ask names, but as a verb, "who do we deal with", or as whose they are, "her company"."""
    kinds = list[str]()
    words = ask.outside
    tokens = [one for at, one in enumerate(words) if all(two.word != "side" for two in words[at + 1 : at + 2])]
    nouns = [(one, two) for one, two in pairwise(tokens) if lexicon.kind_named(one) and lexicon.kind_named(two)]
    modifiers = [one for one, two in nouns if two.start - one.end == 1 and not is_plural_kind(one)]
    for before, token in zip((None, *tokens), tokens, strict=False):
        kind, word = lexicon.kind_named(token) or kind_of_type(token), before.word if before else ""
        is_other = word in _NOT_OF_ITS_OWN and kind == "account"
        is_other = is_other or (before is not None and before.kind == "number" and _counts_staff(ask, token))
        is_verb = word in _SUBJECTS and not is_plural_kind(token)
        is_head = token not in modifiers  # "Customer contacts" are contacts, "prospect accounts" accounts.
        kinds += [kind] if kind and is_head and not (is_other or is_verb) else []
    return list(dict.fromkeys(kinds))


def without_denied(ask: Ask, is_noun: Callable[[Token], object]) -> Ask:
    """Return the ask without the nouns that it says are not meant: "not the leads, the contacts"."""
    for noun in filter(is_noun, ask.outside):
        before = [one for one in ask.outside if one.end <= noun.start and one.word != "the"]
        ask = ask.without(before[-1].start, noun.end) if before and before[-1].word == "not" else ask
    return ask


def _counts_staff(ask: Ask, token: Token) -> bool:
    """Return whether a noun counts who works at a company: "which of them have over 300 people?"."""
    return token.word in STAFF and bool(ask.words & {"have", "has", "with", "having", "employ"})


def is_of_other(ask: Ask) -> bool:
    """Return whether an ask is about what belongs to the company of who was spoken of: "open with her company"."""
    return any(
        one.word in lexicon.PERSON_PRONOUNS and lexicon.kind_named(two) == "account"
        for one, two in pairwise(ask.outside)
    )


def spoken_of(plan: Plan, ask: Ask) -> Ref | None:
    """Return the record of the conversation of whose name "the" and a word are the only hint: "at the bank"."""
    pairs = [(one, two) for one, two in pairwise(ask.outside) if one.word in ("the", "that")]
    stems = {two.stem for _, two in pairs if lexicon.kind_named(two) is None and len(two.word) > _MIN_TELLING}
    refs = [*plan.topic.refs, *(Ref(one.type, one.id, one.name) for one in plan.scene.entities)]
    return next((ref for ref in refs if ref.type in KINDS and stems & stems_of(ref.name)), None)


def _types_outside_of_values(ask: Ask) -> bool:
    """Return whether a type of activity is said: not in the source "cold calling", nor in a field, "phone"."""
    values = [span for span in ask.segment.spans if span.tag in ("value", "field")]
    bare = ask
    for span in values:
        bare = bare.without(span.start, span.end)
    return bool(bare.activity_types)


def points_back(ask: Ask) -> bool:
    """Return whether an ask is about what was listed before: "how many of those", "which is the smallest?"."""
    if ask.texts("ref") or ask.words & THOSE or (ask.words & {"ones", "their"} and not ask.kinds):
        return True
    words = [token.word for token in ask.outside]
    parts = {("which", "one"), *(("of", one) for one in ("that", "that's", "thats", "it", "this", "mine"))}
    # "Which deals are in that?", but not "in that stage"
    ending = [token.word for token in ask.outside if token.kind != "mark"][-2:]
    is_part = ending in (["in", "that"], ["in", "it"], ["in", "this"], ["in", "there"]) or is_bare_which(ask)
    pairs = {*pairwise(words)}
    is_part = is_part or any(pair in parts or (pair[0] in _TELLING and pair[1] in ("that", "this")) for pair in pairs)
    is_part = is_part or any(three[:2] == ("of", "the") and three[2] in _PARTS for three in _threes(words))
    # "in this company"
    is_this = any(
        one.word in ("this", "that", "same") and (lexicon.kind_named(other) or other.word in _FIGURES)
        for one, other in pairwise(ask.outside)
    )
    # "and how many?", "which is the smallest?", "who has the best score?"
    spans = [one for one in ask.segment.spans if one.tag != "field" and one.text not in left_out(ask)]
    is_whole = bool({"overview", "grouping"} & {key for key, _, _ in lexicon.placed_in(ask.outside, "summing")})
    is_bare = (ask.act in ("rank", "count") or bool(ask.orders)) and not (
        spans or ask.kinds or is_whole or (ask.words & lexicon.SELF_WORDS and "that" not in words[1:])
    )
    # "How many are in negotiation?"
    is_count = bool(pairs & {("many", "are"), ("much", "is")}) and not (
        ask.kinds or ask.activity_types or "there" in ask.words
    )
    return is_part or is_this or is_bare or (is_count and not (ask.texts("name") or ask.texts("org")))


def is_bare_which(ask: Ask) -> bool:
    """Return whether a question for records leaves their kind out: "which close this month?", "which aren't mine?"."""
    words = [one.word for one in ask.outside if one.kind != "mark" and one.word not in ("and", "so", "then", "but")]
    is_named = any(ask.texts(tag) for tag in ("name", "org", "new"))
    is_had = {*words[1:2]} <= _HAVING  # "Which have no open deal?" is about whose deals they are.
    return words[:1] == ["which"] and not (is_named or ((ask.kinds or ask.activity_types) and not is_had))


def _threes(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return zip(words, words[1:], words[2:], strict=False)


def is_there(ask: Ask) -> bool:
    """Return whether "there", "here" or "that city" is a place: not in "are there any" and "how many are there"."""
    words = [token.word for token in ask.outside if token.kind != "mark"]
    if any(one in _POINTING and two in _PLACES for one, two in pairwise(words)):
        return True
    if "there" not in words[1:]:
        return "here" in words
    place = words.index("there", 1)
    if words[place + 1 : place + 2] and words[place + 1] in BEING:
        return False  # "how many there are"
    is_last = words[-1] == "there" and not {"many", "much"} & {*words}
    return is_last or words[place - 1] not in BEING


def identifier(text: str) -> str:
    """Return words as an enumerated value is written: "closed won" as "closed_won"."""
    return "_".join(token.word for token in tokenize(text) if token.kind != "mark")


def is_plural_kind(token: Token) -> bool:
    """Return whether a token names several records of a kind: "deals", "people"."""
    is_kind = lexicon.kind_of(token.stem) is not None or kind_of_type(token) is not None
    return is_kind and token.word.endswith(("s", "people"))


def kind_of_type(token: Token) -> str | None:
    """Return the kind of the records that a plural type names: "vendors" and "partners" are accounts."""
    is_type = token.word.endswith("s") and bool({*lexicon.values_in(token.word)} & {*AccountType})
    return "account" if is_type else None


def order_field(ask: Ask, order: str, kind: str) -> str:
    """Return the field that an order sorts a kind of record by, "-" first for the highest; empty for none.

    "Most recently" beside a word for a contact is of that.
    """
    stems = {one.stem for one in ask.outside if lexicon.kind_named(one) is None}  # "The newest contacts" are people.
    is_contact = kind in ("lead", "contact") and bool(stems & (contacted_stems() | {"touch", "speak", "talk"}))
    if is_contact and order in ("newest", "oldest"):
        return "-last_contacted_at" if order == "newest" else "last_contacted_at"
    return str(lexicon.entries("order_fields")[order].get(kind, ""))
