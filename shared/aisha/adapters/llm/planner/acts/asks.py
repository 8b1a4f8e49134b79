"""Read asks as several acts need them: their words, names and texts."""

import itertools
import re
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

_QUOTED_TITLE = re.compile(r"[“\"](?P<title>[^”\"]{1,200})[”\"]")
_GIVEN_TITLE = re.compile(
    r"(?:^|[,;.:–-]|\b(?:and|with(?: the)?)\b)\s*(?:please\s+)?"
    r"(?:(?:title|call|name) (?:it|this|that)(?: as)?|title|titled|entitled|subject)\b\s*(?:is\b|=|:)?\s*"
    r"(?:[“\"‘'](?P<quoted>[^”\"’']{1,200})[”\"’']|(?P<plain>[^\s“\"‘'.,;\n][^.,;\n]{0,199}))",
    re.IGNORECASE,
)
"""Matches the clause that gives what is planned its title: "title it 'Scope check'", ", title: Renewal terms"."""
_BEFORE_CONTACT = re.compile(r"\bcontact\b(?:\s+person\b)?\s*(?:is|will be|should be|=|:)\s*$", re.IGNORECASE)
_AFTER_CONTACT = re.compile(
    r"\A\s*+,?\s*+(?:is|will be|would be|(?:down\s++)?as|being)\s++"
    r"(?:(?:the|our|my|their|a)\s++)?(?:(?:main|key|primary|first)\s++)?contact\b(?:\s+person\b)?",
    re.IGNORECASE,
)
_BEFORE_DESCRIBED = frozenset(("the", "that", "their", "his", "her", "its", "our"))
_BEFORE_OWNERS = frozenset("to for by from onto under with is be let have owner : - – > =".split())
_OWNING = frozenset("take takes own owns get gets handle handles should shall has had 's".split())
# Acts of questions about one record.
_ABOUT_ONE = frozenset("ask_field about history events".split())
_UNITS = lexicon.word_set("condition_words", "lengths")
writing_words = partial(lexicon.word_set, "writing")
"""Return the words of a group, for orders that write."""


def free_tokens(ask: Ask) -> list[Token]:
    """Return the tokens outside of slots, and those of references: "his new number"."""
    refs = [span for span in ask.segment.spans if span.tag == "ref"]
    return [one for one in ask.outside if one in ask.loose or any(ref.start <= one.start < ref.end for ref in refs)]


def word_before(ask: Ask, span: Span) -> str:
    """Return the word before a slot."""
    return next((token.word for token in reversed(ask.tokens) if token.end <= span.start), "")


def introduced_by(ask: Ask, span: Span) -> str:
    """Return the word before a slot, or before the kind of record that it names: "for" of "for the account Acme".

    "The account is Acme" says no less than "for Acme".
    """
    before = [token for token in ask.tokens if token.end <= span.start]
    if len(before) > 1 and before[-1].word in ("is", "'s", ":") and lexicon.kind_named(before[-2]) == "account":
        return "for"
    is_labelled = bool(before) and lexicon.kind_named(before[-1]) == "account"
    while before and (before[-1].word in lexicon.DETERMINERS or lexicon.kind_named(before[-1]) == "account"):
        before.pop()
    # "Amount 30k; account Acme"
    return "for" if is_labelled and (not before or before[-1].kind == "mark") else before[-1].word if before else ""


def plan_words(key: str) -> frozenset[str]:
    """Return the words of a group, for orders that plan."""
    return lexicon.word_set("plan_words", key)


def says(ask: Ask, key: str) -> bool:
    """Return whether an ask has a word of a group of `plan_words`."""
    return bool(ask.words & plan_words(key))


def as_names(ask: Ask, *tags: str) -> Ask:
    """Return the ask with the slots of its first tag as names if it has none; in "Ann of Globex" only Ann is one."""
    tag = "name" if ask.first("name") else next((tag for tag in tags if ask.first(tag)), "name")
    if tag == "org" and ask.first("owner") and ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS:
        tag = "owner"  # "Kofi left Globex, take him out": no colleague
    spans: list[Span] = []
    for span in ask.segment.spans:
        between = ask.text[spans[-1].end : span.start].strip() if spans and spans[-1].tag == "name" else ""
        role = "org" if between in plan_words("of_company") else "name"
        spans.append(replace(span, tag=role) if span.tag == tag else span)
    return Ask(replace(ask.segment, spans=tuple(spans)), ask.now)


def with_described(plan: Plan, ask: Ask) -> Ask:
    """Return an ask without a name with the words before the kind of record as one: "on the [fleet tracking] deal"."""
    if plan.bindings or any(span.tag in ("name", "new", "org") for span in ask.segment.spans):
        return ask
    tokens = ask.tokens
    nouns = [place for place, one in enumerate(tokens) if one in ask.loose and _is_one_record(one)]
    for place in nouns:
        slot = next((one for one in ask.segment.spans if _ends_at(one, tokens[:place])), None)
        words = list(itertools.takewhile(partial(_may_describe, ask, slot), reversed(tokens[:place])))
        before = tokens[place - len(words) - 1].word if place > len(words) else ""
        if words and before in _BEFORE_DESCRIBED and (slot or not all(policy.is_explained(ask, one) for one in words)):
            name = Span("name", ask.text[words[-1].start : words[0].end], words[-1].start)
            return ask.with_spans([*(one for one in ask.segment.spans if one is not slot), name])
    return ask


def _is_one_record(token: Token) -> bool:
    return lexicon.kind_named(token) in lexicon.KINDS and not token.word.endswith("s")


def _ends_at(span: Span, before: Sequence[Token]) -> bool:
    """Return whether a slot that may hold any words ends with the last of some tokens."""
    is_free = span.tag in ("topic", "text", "value") and not lexicon.values_in(span.text)
    return is_free and bool(before) and span.end == before[-1].end


def _may_describe(ask: Ask, slot: Span | None, token: Token) -> bool:
    if slot is not None:
        return slot.start <= token.start < slot.end
    has_meaning = lexicon.fields_in(token.word) or lexicon.values_in(token.word) or token.word in lexicon.ORDINALS
    is_small = token.word in lexicon.DETERMINERS | lexicon.LINK_WORDS | lexicon.ORDER_VERBS
    return token.kind == "word" and token in ask.loose and not (has_meaning or is_small)


def with_text(plan: Plan, ask: Ask, text: str) -> Plan:
    """Return the plan without doubts about words that belong to a text."""
    start = ask.text.find(text)
    if start < 0:
        return plan
    others = [one for one in ask.segment.spans if one.end <= start or one.start >= start + len(text)]
    reread = ask.with_spans([*others, Span("text", text, start)])
    return replace(plan, doubt=policy.doubt_after(plan.doubt, ask, reread))


def quoted_title(ask: Ask) -> str:
    """Return the words in quotation marks; empty without any."""
    match = _QUOTED_TITLE.search(ask.text)
    return match["title"].strip() if match else ""


def parted_title(ask: Ask) -> tuple[str, Ask]:
    """Return the title that an order gives what it plans, and the order without that clause."""
    match = _GIVEN_TITLE.search(ask.text)
    if match is None:
        return quoted_title(ask), ask
    return (match["quoted"] or match["plain"]).strip(), ask.without(match.start(), match.end())


def title_place(text: str) -> tuple[int, int] | None:
    """Return where the clause stands that gives what is planned its title, or None."""
    match = _GIVEN_TITLE.search(text)
    return match.span() if match is not None else None


def is_given_to(ask: Ask, owner: Span) -> bool:
    """Return whether the words beside a name give something to a colleague: "her colleague Kenji joins" does not."""
    after = next((one.word for one in ask.tokens if one.start >= owner.end), "")
    is_given = word_before(ask, owner) in _BEFORE_OWNERS | writing_words("handing") or after in _OWNING
    return is_given or owner.text.lower() in lexicon.SELF_WORDS


def is_contact(text: str, span: Span) -> bool:
    """Return whether the words beside a name say that it is the contact: "Ann Lee is our contact"."""
    is_said = _BEFORE_CONTACT.search(text[: span.start]) or _AFTER_CONTACT.match(text[span.end :])
    return span.tag in ("name", "new") and is_said is not None


def asks_for_stage(ask: Ask) -> bool:
    """Return whether a question is whether a deal was won or lost: "did we win the Globex deal", "was it won?"."""
    is_named = any(span.tag in ("name", "org", "ref") for span in ask.segment.spans)
    return (
        is_named
        and policy.is_question(ask)
        and not ask.times
        and bool({*ask.values} & {"closed_won", "closed_lost", "lost"})
    )


def asks_for_state(ask: Ask) -> bool:
    """Return whether a question is whether somebody has a status: "is he warm?", but not "how warm is he?"."""
    states = {*lexicon.entries("open_values")["lead"], "unqualified", "lost", "converted"}
    first = next((one.word for one in ask.tokens if one.word not in lexicon.INTERJECTIONS), "")
    return first in ("is", "was") and bool({*ask.values} & states) and not (ask.orders or ask.fields)


def asks_for_address(ask: Ask) -> bool:
    """Return whether an order to send something is for an address, and no email is written: "send me her email"."""
    words = [one.word for one in ask.tokens if one.kind != "mark" and one.word not in lexicon.INTERJECTIONS]
    is_own = len(words) > 1 and words[1] in ("me", "us") and "email" in ask.fields
    return is_own and not ask.texts("text") and ask.text.rstrip(" ?.!").lower().endswith(("email", "address", "mail"))


def asks_whose(ask: Ask) -> bool:
    """Return whether a question is whose the record in mind is: "is it ours or Bob's?"."""
    first = [one.word for one in ask.tokens if one.word not in lexicon.INTERJECTIONS][:2]
    is_of_one = first[:1] in (["is"], ["was"]) and {*first[1:]} <= lexicon.THING_PRONOUNS | lexicon.PERSON_PRONOUNS
    is_owned = bool(ask.texts("owner")) and {one.tag for one in ask.segment.spans} <= {"owner", "ref"}
    return is_of_one and is_owned and not (ask.kinds or ask.fields or ask.values)


def asks_for_field(ask: Ask) -> bool:
    """Return whether a question about a record asks for a field without its name: "how did we come by Ann?"."""
    keys = {key for key, _, _ in lexicon.placed_in(ask.outside, "field_questions")}
    if ask.act == "count":
        # "How many days since we last spoke?" counts no records.
        is_age = any(one.word == "many" and two.word in _UNITS for one, two in itertools.pairwise(ask.tokens))
        return "employee_count" in keys or (is_age and bool(ask.words & {"since", "until", "till", "left"}))
    is_one = any(span.tag in ("name", "new", "org", "ref") for span in ask.segment.spans)
    is_about_one = ask.act in _ABOUT_ONE or (ask.act == "goals" and "goal" not in ask.kinds)
    return is_about_one and is_one and bool(keys)


def capitalised(text: str) -> str:
    """Return a text without quotation marks around it, with a capital."""
    stripped = text.strip().strip('"“”').strip()
    return stripped[:1].upper() + stripped[1:]
