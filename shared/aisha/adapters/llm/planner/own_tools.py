"""Run a customer's own tool (an HTTP tool, a tool of an MCP server) that is found by its example sentences.

The reader is trained on the tools of its acts (`acts.TOOLS`). Any other tool, a customer's or a newer one of the
product, is found by the words that an ask shares with its examples, names and slots left out, rare words counting more.
An act that the reader is surer of than the likeness is near, and whose words it explains, goes before it.
"""

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.dialogue.words import COMPUTED, LISTS
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies.values import answer_with_result
from aisha.adapters.llm.planner.resolve import pointed_at, require
from aisha.adapters.llm.planner.results import PlannedCall
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.acts import ACTS, TOOLS
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PERSON_PRONOUNS, THING_PRONOUNS
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, stem, tokenize
from aisha.domain.tools import ToolSpec

MIN_SCORE = 0.62
"""The least cosine of content words for a match, tuned on the product's own examples."""
_FUNCTION_WORDS = frozenset(
    (
        "a an the of to in on at for with from by is are was were be been do does did have has had it its me my i "
        "you your we us our he him his she her they them their please can could would will and or this that there"
    ).split()
)
# First words of questions that are orders.
_POLITE = frozenset("can could would will please".split())
_MIN_FIXED = 3
"""Words of an example before its slot from which on a message that begins with them is for its tool."""
_ORDERING = frozenset(map(stem, lexicon.ORDER_VERBS))
"""Verbs that alone say no tool: "set", "drop"."""
_SENTENCE_PARAMETERS = ("query", "question")
"""Parameters that take the whole sentence."""
_TEXT_TAGS = ("text", "topic", "value", "name", "new", "org", "owner", "email", "phone", "url")
"""Tags of the slots that a parameter of type string can take."""
_SUBJECTS = ("name", "new", "org", "owner")
"""Tags of the slots that a tool without parameters has no place for."""
_ANSWERED = ACTS - {"impossible"}
"""Acts that the planner has an answer to."""
_POINTING = lexicon.BACK_REFERENCES | frozenset(("these", "one", "ones"))
"""Words for what the last answer showed."""
_NAMED_BY_NOUN = frozenset(("create_goal", "accept_suggestion", "dismiss_suggestion", "snooze_suggestion"))
"""Tools of the product that are meant only where what they are for is said."""
_NOT_ORDERED = frozenset(("negated", "hypothetical", "report"))
_OF_RECORDS = LISTS | COMPUTED
_SURE_SHARE = 0.8
"""The least probability of all acts of questions for records together that goes before a likeness."""
_UNSURE = "I'm not sure that you want me to do it"

type Examples = tuple[tuple[str, tuple[str, ...]], ...]
"""Tools by name, with their example sentences."""


class Match(Struct, frozen=True):
    tool: str
    score: float


class ExampleMatcher:
    """Compares asks with tools' examples by the cosine of their weighted stems, slots left out.

    The weights are those of all examples: "show" says little, where only one tool has "shipment".
    """

    def __init__(self, examples: Examples) -> None:
        stems = [(tool, stems_outside(sentence)) for tool, sentences in examples for sentence in sentences]
        counts = Counter(word for _, words in stems for word in words)
        self._weights = {word: math.log(1 + len(stems) / count) for word, count in counts.items()}
        self._rare = math.log(1 + len(stems) or 1)
        self._examples = [(tool, words, self._length(words)) for tool, words in stems]

    def vocabulary(self, tools: Container[str]) -> frozenset[str]:
        """Return the stems of the content words of some tools' examples."""
        return frozenset(word for tool, words, _ in self._examples if tool in tools for word in words)

    def best(self, words: frozenset[str]) -> Match | None:
        """Return the tool nearest to some stems, or None when no example is similar enough."""
        length = self._length(words)
        likeness = (
            (self._length(words & example) / math.sqrt(length * own), tool)
            for tool, example, own in self._examples
            if words & example - _ORDERING
        )
        score, tool = max(likeness, default=(0.0, ""))
        return Match(tool, score) if score >= MIN_SCORE else None

    def _length(self, words: frozenset[str]) -> float:
        """Return the squared length of some stems as a vector of their weights."""
        return sum(self._weights.get(word, self._rare) ** 2 for word in words)


def stems_outside(text: str) -> frozenset[str]:
    """Return the stems of the content words of an example, without `{slots}`."""
    outside = " ".join(piece.partition("}")[2] if place else piece for place, piece in enumerate(text.split("{")))
    return _content(tokenize(outside))


def _content(tokens: Iterable[Token]) -> frozenset[str]:
    # "And the third?" goes on with a list, whatever tool has a place among its examples.
    words = [token.word for token in tokens if token.kind == "word" and token.word not in lexicon.ORDINALS]
    return frozenset(stem(word) for word in words if word not in _FUNCTION_WORDS) or frozenset(map(stem, words))


@lru_cache(maxsize=16)
def _matcher(examples: Examples) -> ExampleMatcher:
    return ExampleMatcher(examples)


def _matcher_of(plan: Plan) -> ExampleMatcher:
    return _matcher(tuple((spec.name, spec.examples) for spec in plan.tools.values()))


def whole_ask(plan: Plan, message: str) -> Ask | None:
    """Return the whole message as one ask if it is for a customer's tool, else None."""
    if not (own := frozenset(plan.tools) - TOOLS):
        return None
    known = _matcher_of(plan).vocabulary(own)
    reading, spans, place = plan.read(message), list[Span](), 0
    message, segments = reading.text, reading.segments
    for segment in segments:
        place = message.find(segment.text, place)
        spans += [Span(span.tag, span.text, place + span.start) for span in segment.spans]
        place += len(segment.text)
    if len(segments) == 1:
        ask = Ask(replace(segments[0], text=message, spans=tuple(spans)), plan.now)
    elif any(_is_read_with_confidence(Ask(segment, plan.now), known) for segment in segments):
        return None
    else:
        ask = Ask(Segment(message, "", spans=tuple(spans)), plan.now)
    return ask if own_tool(plan, ask) is not None else None


def begun_ask(plan: Plan, message: str) -> Ask | None:
    """Return the whole message as one ask if it begins with the words of a customer's order, else None.

    What follows them is the order's text, whatever it says: "create a goal: close 10 deals".
    """
    if frozenset(plan.tools) <= TOOLS:
        return None
    creating = _creating_tool(plan, message)
    rest = creating[1] if creating else _after_fixed_words(plan, message)
    if rest is None:
        return None
    ask = Ask(Segment(message, "", spans=(Span("text", rest, message.rindex(rest)),)), plan.now)
    return ask if own_tool(plan, ask) is not None else None


def _after_fixed_words(plan: Plan, message: str) -> str | None:
    """Return what follows the words of a customer's order at the beginning of a message; None where it has none."""
    own = (spec for name, spec in plan.tools.items() if name not in TOOLS and spec.access != "read")
    examples = {example.partition("{")[0] for spec in own for example in spec.examples if _has_slot_at_end(example)}
    for fixed in sorted(examples, key=len, reverse=True):
        words = r"\W+".join(re.escape(token.word) for token in tokenize(fixed) if token.kind == "word")
        if words and (begun := re.match(rf"\s*(?:please\W+)?{words}\b\W*(\S.*)", message, re.IGNORECASE | re.DOTALL)):
            return begun[1].rstrip()
    return None


def _creating_tool(plan: Plan, message: str) -> tuple[ToolSpec, str] | None:
    """Return the customer's tool that creates what a message orders, with what follows: "set a new goal to …"."""
    for name, spec in plan.tools.items():
        verb, _, noun = name.partition("_")
        is_named = name not in TOOLS and verb == "create" and len(spec.required) == 1
        if is_named and (begun := _creating(noun.replace("_", " ")).match(message)):
            return spec, begun["rest"].rstrip()
    return None


@lru_cache(maxsize=64)
def _creating(noun: str) -> re.Pattern[str]:
    """Return the pattern of an order to create a thing, with what it shall be called, or say, as `rest`."""
    order = r"(?:please |can you |could you |i want to |i'd like to |let's )?"
    verb = r"(?:(?:create|add|make|set|set up|open|start|log) (?:me |us |myself )?(?:an? )?(?:new )?|(?:an? )?new )"
    joint = r"(?: for (?:me|us|myself))?\W+(?:(?:to|of|called|named|titled|that|is|for|about) )?"
    return re.compile(rf"\s*{order}{verb}{re.escape(noun)}{joint}(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)


def _has_slot_at_end(example: str) -> bool:
    return example.count("{") == 1 and example.endswith("}") and len(example.partition("{")[0].split()) >= _MIN_FIXED


def own_tool(plan: Plan, ask: Ask) -> ToolSpec | None:
    """Return the customer's tool that an ask is for, or None."""
    own = frozenset(plan.tools) - TOOLS
    if not own:
        return None
    if (creating := _creating_tool(plan, ask.text)) is not None:
        return creating[0]
    matcher = _matcher_of(plan)
    known = matcher.vocabulary(own)
    words = [
        token
        for token, is_time in zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True)
        if (tags := {span.tag for span in ask.segment.spans if span.holds(token)}) != {"text"}
        and (token.stem in known or not (is_time or tags))
    ]
    content = _content(words)
    if siblings := siblings_meant(plan, ask):
        match = matcher.best(content | {plan.topic.noun})
        return plan.tools[match.tool] if match is not None and match.tool in siblings else None
    match = matcher.best(content)
    if match is None or match.tool not in own:
        return None
    if match.tool in _NAMED_BY_NOUN and _noun(match.tool) not in ask.stems:
        return None  # "Set up a weekly call with Omar" is for no goal.
    # The words of slots may be those of an example of the product's own tools: "run the next steps scan".
    whole = matcher.best(_content(ask.tokens))
    if whole is not None and whole.tool not in own and whole.score > match.score:
        return None
    has_meaning = ask.act != "take_up" or bool(plan.topic.offers)  # Without an offer there is nothing to take up.
    if has_meaning and _is_read_with_confidence(ask, known) and match.score < max(ask.segment.probability, _SURE_SHARE):
        return None
    spec = plan.tools[match.tool]
    if spec.access != "read" and ask.act in _NOT_ORDERED:
        return None
    if _points_at_answer(plan, ask, spec):
        return None
    return None if not spec.properties and _names_something(ask, spec) else spec


def siblings_meant(plan: Plan, ask: Ask) -> frozenset[str]:
    """Return the customer's tools for what one was asked for last, where an ask points at such a thing: "take it"."""
    is_pointing = bool(ask.words & _POINTING or ask.texts("ref") or any(lexicon.ordinals_in(sorted(ask.words))))
    if not (plan.topic.noun and is_pointing) or ask.texts("name") or ask.text.rstrip().endswith("?"):
        return frozenset()
    return frozenset(name for name in plan.tools if name not in TOOLS and _noun(name) == plan.topic.noun)


def _noun(tool: str) -> str:
    """Return the stem of what a tool is for: "list_shipments" and "cancel_shipment" are for shipments."""
    return stem(tool.rpartition("_")[2])


def _points_at_answer(plan: Plan, ask: Ask, spec: ToolSpec) -> bool:
    """Return whether an ask is about what the last answer showed, not about what a tool has: "list them"."""
    has_answer = bool(plan.topic.refs or plan.topic.listed or plan.topic.search)
    is_named = not ask.stems.isdisjoint(map(stem, spec.name.split("_")[1:]))
    return has_answer and spec.access == "read" and not is_named and bool(ask.words & _POINTING)


def _names_something(ask: Ask, spec: ToolSpec) -> bool:
    """Return whether an ask names a person, company or other subject beside the words of a tool's examples."""
    known = frozenset(word for example in spec.examples for word in stems_outside(example))
    is_of_person = any(text.lower() in PERSON_PRONOUNS - {"me"} for text in ask.texts("ref"))  # "And his job?"
    return is_of_person or any(span.tag in _SUBJECTS and _trimmed(ask, span, known) for span in ask.segment.spans)


def _is_read_with_confidence(ask: Ask, known: Container[str]) -> bool:
    """Return whether the reader is sure of an act that explains every word of an ask.

    A slot explains no word of the tools' examples (`known`): the reader takes words that it does not know for names.
    """
    # Several readings as a question for records leave none for another tool: "what's due to close this month?".
    share = sum(share for act, share in [(ask.act, ask.segment.probability), *ask.segment.others] if act in _OF_RECORDS)
    if ask.act not in _ANSWERED or policy.unexplained(ask) or not (policy.is_sure(ask) or share >= _SURE_SHARE):
        return False
    return all(policy.is_explained(ask, token) for token in ask.tokens if token.stem in known)


def run_own_tool(plan: Plan, ask: Ask, spec: ToolSpec) -> Answer:
    """Call a tool with the arguments that its schema has a slot for. Raises `EarlyAnswer` when one is missing."""
    known = frozenset(word for example in spec.examples for word in stems_outside(example))
    ask = ask.with_spans(one for span in ask.segment.spans if (one := _trimmed(ask, span, known)) is not None)
    plan = replace(plan, doubt="" if _creating_tool(plan, ask.text) else _doubt(plan, ask, spec, known))
    given = _record(plan, ask, spec)
    for name, schema in spec.properties.items():
        if name not in given and (value := _value(ask, name, schema)) is not None:
            given[name] = value
    answer = _answer(plan, [plan.planned(spec.name, **given, **texts) for texts in _texts(plan, ask, spec, given)])
    return replace(answer, topic=replace(answer.topic or Topic(), noun=_noun(spec.name)))


def _texts(plan: Plan, ask: Ask, spec: ToolSpec, given: Container[str]) -> list[dict[str, str]]:
    """Return the texts of the parameters that are still missing, one for each, for each call.

    A single parameter gets a call for each text: "to Acme and to Globex". Raises `EarlyAnswer` when there are too few.
    """
    missing = [name for name in spec.required if name not in given]
    texts = _said(plan, ask)
    for place, name in enumerate(missing):
        if spec.properties[name].get("type") != "string" or place >= len(texts):
            what = name.removesuffix("_id").replace("_", " ")
            raise plan.ask_slot(ask, "name", f"I need the {what} for that. What is it?")
    if len(missing) == 1:
        return [{missing[0]: text} for text in dict.fromkeys(texts)]
    return [dict(zip(missing, texts, strict=False))]


def _said(plan: Plan, ask: Ask) -> list[str]:
    """Return the texts of an ask's slots in order, else the name of the record that a pronoun means."""
    texts = [span.text for span in ask.segment.spans if span.tag in _TEXT_TAGS]
    if not texts and ask.words & (PERSON_PRONOUNS | THING_PRONOUNS) and (record := pointed_at(plan, ask)) is not None:
        return [record.name]
    return texts


def _answer(plan: Plan, calls: Sequence[PlannedCall]) -> Answer:
    """Return the answer with the results of calls of one tool, each under its text if there are several."""
    outcomes = plan.need_all(calls)
    answers = [
        plan.failure(outcome, "do that") if outcome.error else answer_with_result(plan, call.tool, outcome.value)
        for call, outcome in zip(calls, outcomes, strict=True)
    ]
    if len(answers) == 1:
        return answers[0]
    heads = [list(call.arguments.values())[-1] for call in calls]
    texts = [f"**{head}**\n\n{answer.text}" for head, answer in zip(heads, answers, strict=True)]
    return Answer("\n\n".join(texts))


def _record(plan: Plan, ask: Ask, spec: ToolSpec) -> dict[str, object]:
    """Return the arguments for the record that a tool is about, as far as it is about one."""
    ids = [name for name in spec.properties if name == "entity_id" or name.removesuffix("_id") in KINDS]
    if not ids or not (ask.first("name") or ask.first("org") or ids[0] in spec.required):
        return {}
    kinds = () if ids[0] == "entity_id" else (ids[0].removesuffix("_id"),)
    record = require(plan, ask, "Who or what is it about?", kinds)
    kind: dict[str, object] = {"entity_type": record.type} if "entity_type" in spec.properties else {}
    return {ids[0]: record.id, **kind}


def _trimmed(ask: Ask, span: Span, known: frozenset[str]) -> Span | None:
    """Return a slot without the words of the tool's examples at its ends, which are no part of a name."""

    def is_outside(token: Token) -> bool:
        is_name = token.is_capital and token.start > 0
        return not is_name and (token.stem in known or token.word in _FUNCTION_WORDS or token.kind == "mark")

    tokens = [token for token in ask.tokens if span.holds(token)]
    while tokens and is_outside(tokens[0]):
        tokens.pop(0)
    while tokens and is_outside(tokens[-1]):
        tokens.pop()
    return Span(span.tag, ask.text[tokens[0].start : tokens[-1].end], tokens[0].start) if tokens else None


def _doubt(plan: Plan, ask: Ask, spec: ToolSpec, known: frozenset[str]) -> str:
    """Return the reason why a write must be confirmed first.

    It is ordered where all words of an example are said and none beyond the examples, without a denial or a question.
    """
    words = [token.word for token in ask.tokens if token.kind == "word"]
    if ask.text.rstrip().endswith("?") and not _POLITE.intersection(words[:1]):
        return _UNSURE
    if siblings_meant(plan, ask):
        return _UNSURE if ask.words & policy.DENIALS else ""
    said = _content(ask.tokens)
    if not any(_without_ordinals(stems_outside(example)) <= said for example in spec.examples):
        return _UNSURE
    unexplained = [
        token.text
        for token, is_time in zip(ask.loose, time_tokens(ask.loose, ask.now), strict=True)
        if token.kind == "word" and not is_time and (token.word in policy.DENIALS or not _is_explained(token, known))
    ]
    return policy.unclear(unexplained) if unexplained else ""


def _without_ordinals(stems: frozenset[str]) -> frozenset[str]:
    """Return stems without those that count places: "the first" of an example stands for any other."""
    return frozenset(one for one in stems if not any(lexicon.ordinals_in([one])))


def _is_explained(token: Token, known: frozenset[str]) -> bool:
    return token.stem in known or token.word in _FUNCTION_WORDS or token.stem in vocabulary.load().neutral


def _value(ask: Ask, name: str, schema: dict[str, object]) -> object:
    """Return the value of a parameter that the ask has by its type: a choice, a time, a number, the sentence."""
    options = schema.get("enum")
    if isinstance(options, list):
        words = {token.stem for token in ask.tokens}
        return next((one for one in options if {stem(part) for part in str(one).lower().split("_")} <= words), None)
    if schema.get("format") in ("date-time", "date") and ask.times:
        return ask.times[0].moment(ask.now).isoformat()
    if schema.get("type") in ("integer", "number") and ask.amounts:
        return ask.amounts[0].value
    if schema.get("type") == "integer":
        return next((one for one in lexicon.ordinals_in([token.word for token in ask.tokens]) if one > 0), None)
    if name in _SENTENCE_PARAMETERS:
        return ask.first("topic") or ask.text
    return None
