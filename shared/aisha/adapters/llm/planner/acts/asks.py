"""Read asks as several acts need them: their words, names and texts."""

import re
from functools import partial

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span, read
from aisha.domain.language.tokens import Token

_QUOTED_TITLE = re.compile(r"[“\"](?P<title>[^”\"]{1,200})[”\"]")
writing_words = partial(lexicon.word_set, "writing")
"""Return the words of a group, for orders that write."""


def free_tokens(ask: Ask) -> list[Token]:
    """Return the tokens outside of slots, and those of references: "his new number"."""
    refs = [span for span in ask.segment.spans if span.tag == "ref"]
    return [one for one in ask.outside if one in ask.loose or any(ref.start <= one.start < ref.end for ref in refs)]


def word_before(ask: Ask, span: Span) -> str:
    """Return the word before a slot."""
    return next((token.word for token in reversed(ask.tokens) if token.end <= span.start), "")


def plan_words(key: str) -> frozenset[str]:
    """Return the words of a group, for orders that plan."""
    return lexicon.word_set("plan_words", key)


def says(ask: Ask, key: str) -> bool:
    """Return whether an ask has a word of a group of `plan_words`."""
    return bool(ask.words & plan_words(key))


def as_names(ask: Ask, *tags: str) -> Ask:
    """Return the ask with the slots of its first tag as names if it has none; in "Ann of Globex" only Ann is one."""
    tag = "name" if ask.first("name") else next((tag for tag in tags if ask.first(tag)), "name")
    spans: list[Span] = []
    for span in ask.segment.spans:
        between = ask.text[spans[-1].end : span.start].strip() if spans and spans[-1].tag == "name" else ""
        role = "org" if between in plan_words("of_company") else "name"
        spans.append(replace(span, tag=role) if span.tag == tag else span)
    return Ask(replace(ask.segment, spans=tuple(spans)), ask.now)


def with_text(plan: Plan, ask: Ask, text: str) -> Plan:
    """Return the plan without doubts about words that belong to a text."""
    start = ask.text.find(text)
    if start < 0:
        return plan
    others = [one for one in ask.segment.spans if one.end <= start or one.start >= start + len(text)]
    reread = ask.with_spans([*others, Span("text", text, start)])
    return replace(plan, doubt=policy.doubt_after(plan.doubt, ask, reread))


def is_confirmed(ask: Ask) -> bool:
    """Return whether the user has agreed to what an ask does to several records."""
    answer = ask.first("confirmed")
    return bool(answer) and read(answer or "").segments[0].act in ("yes", "take_up")


def quoted_title(ask: Ask) -> str:
    """Return the words in quotation marks; empty without any."""
    match = _QUOTED_TITLE.search(ask.text)
    return match["title"].strip() if match else ""
