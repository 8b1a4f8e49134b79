"""Tell which kind of records an ask is about, and whether it points back at those of the last list."""

from itertools import pairwise

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.search.filters import STATUSES
from aisha.adapters.llm.planner.acts.search.words import CLOSING, CONTACTED, DENIED, contacted_stems
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS, word_set
from aisha.domain.language.tokens import Token, tokenize

THOSE = frozenset(("those", "these", "them", "they"))
WHO = word_set("condition_words", "who")
BEING = frozenset(("is", "are", "was", "were", "be", "been"))


def tool_of(kind: str) -> str:
    """Return the tool that lists records of a kind."""
    return "list_activities" if kind == "activity" else f"search_{PLURALS[kind]}"


def kind_meant(plan: Plan, ask: Ask) -> str | None:
    """Return the kind of records that an ask names, else one that has what it says; None without a hint."""
    if kinds := [kind for kind in ask.kinds if kind in (*KINDS, "activity")]:
        if kinds[0] == "account" and ask.words & DENIED and ask.words & CONTACTED:
            return "contact"  # Only people have a last contact: customers not contacted are contacts.
        if kinds[0] == "account" and "much" in ask.words:
            return "opportunity"  # "how much business"
        return kinds[0]
    last = plan.topic.search.tool if plan.topic.search and points_back(ask) else ""
    if _types_outside_of_values(ask) or last == "list_activities":
        return "activity"
    if ask.words & {"pipeline", "won"}:
        return "opportunity"
    values = {*ask.values, *map(identifier, ask.texts("value"))} - {"lost", "scheduled", "active"}
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
    is_deal = any(one.is_money for one in ask.amounts) or ask.words & CLOSING or {*ask.values} & {"lost", "scheduled"}
    if is_deal:
        return "opportunity"
    is_person = bool(ask.texts("org") or (is_there(ask) and ask.words & WHO))  # "who do we know there"
    return "contact" if is_person else None


def _types_outside_of_values(ask: Ask) -> bool:
    """Return whether a type of activity is said: not in the source "cold calling"."""
    values = [span for span in ask.segment.spans if span.tag == "value"]
    bare = ask
    for span in values:
        bare = bare.without(span.start, span.end)
    return bool(bare.activity_types)


def points_back(ask: Ask) -> bool:
    """Return whether an ask is about what was listed before: "how many of those", "which is the smallest?"."""
    if ask.texts("ref") or ask.words & (THOSE | {"ones"}):
        return True
    words = [token.word for token in ask.outside]
    parts = (("of", "that"), ("of", "it"), ("of", "this"), ("is", "that"), ("which", "one"))
    is_part = any(pair in parts for pair in pairwise(words))
    # "in this company"
    is_this = any(
        one.word in ("this", "that", "same") and lexicon.kind_named(other) for one, other in pairwise(ask.outside)
    )
    # "and how many?", "which is the smallest?", "who has the best score?"
    spans = [one for one in ask.segment.spans if one.tag != "field"]
    is_bare = (ask.act in ("rank", "count") or bool(ask.orders)) and not (
        spans or ask.kinds or ask.words & lexicon.SELF
    )
    return is_part or is_this or is_bare


def is_there(ask: Ask) -> bool:
    """Return whether "there" or "here" is a place: not in "are there any" and "how many are there"."""
    words = [token.word for token in ask.outside if token.kind != "mark"]
    if "there" not in words[1:]:
        return "here" in words
    is_last = words[-1] == "there" and not {"many", "much"} & {*words}
    return is_last or words[words.index("there", 1) - 1] not in BEING


def identifier(text: str) -> str:
    """Return words as an enumerated value is written: "closed won" as "closed_won"."""
    return "_".join(token.word for token in tokenize(text) if token.kind != "mark")


def is_plural_kind(token: Token) -> bool:
    """Return whether a token names several records of a kind: "deals", "people"."""
    return token.word.endswith(("s", "people")) and lexicon.kind_of(token.stem) is not None
