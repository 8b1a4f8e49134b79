"""Short sentences that go on from the last answer: "I think I only have 1", "and the qualified ones?"."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.asking import listing
from aisha.adapters.llm.offline.acts.counting import counted
from aisha.adapters.llm.offline.acts.ranking import ranking
from aisha.adapters.llm.offline.arguments import filters, owner_in
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.fields import field_of
from aisha.adapters.llm.offline.intent import Act
from aisha.adapters.llm.offline.intents import classify
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.results import items_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic
from aisha.adapters.llm.offline.us_states import state_code

_IMPLICIT = re.compile(
    r"\b(?:i|we)\b.*\b(?:thought|think|guess|believe|believed|figured|expected|assumed|have|had|see|saw|remember)\b.*\b(?:\d+|one|two|three|more|fewer|less|none|many|few)\b"
    r"|^\s*(?:only|just)\b.*\??$|^\s*(?:so\s+)?(?:really|is that (?:all|it|right)|that'?s (?:it|all)|that many|that few)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"^\s*(?:and|what about|how about|ok and|or|only|just)\b|"
    + (_OF_THOSE := r"^\s*(?:and\s+|so\s+)?(?:which|who|what)\s+(?:ones?\s+)?(?:of|among)\s+(?:those|these|them)\b"),
    re.IGNORECASE,
)
_NARROWS = re.compile(r"^\s*(?:only|just)\b", re.IGNORECASE)
_SAME = re.compile(
    r"^\s*(?:and\s+|also\s+|do\s+|now\s+)*(?:the\s+)?same\b|^\s*(?:and|also|plus)\s+(?:another\s+)?one\s+(?:for|with)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"^\s*(?:and\s+)?(?:(?:add|create|make|write)?\s*(?:another|one\s+more)(?:\s+(?:one|note))?|(?:please\s+)?(?:add|create|make|write|put)\s+one)\s*[:,-]\s*(?P<body>.+)$",
    re.IGNORECASE,
)
_READING = frozenset(
    (Act.INQUIRE, Act.FIELD, Act.NOTES, Act.ACTIVITIES, Act.OVERDUE, Act.ADVISE, Act.PEOPLE, Act.COUNT)
)
"""Acts that change nothing: these a bare name may ask again."""
_SUM = re.compile(r"\b(?:worth|how much|total|altogether|combined|add up)\b", re.IGNORECASE)
_SHORT = 2
_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "none": 0, "no": 0}


def echo(turn: PlannerTurn, plan: Plan, reading: Reading, topic: Topic) -> Answer | None:
    """ "I think I only have 1", "only one?", "and the qualified ones?": short sentences that go on from the last answer."""
    text = reading.text
    if (
        topic.tool
        and _IMPLICIT.search(text)
        and not reading.has("count")
        and not reading.names
        and topic.total is not None
        and not reading.has("create", "schedule")
        and not (_NARROWS.match(text) and _says_which(reading))
    ):
        return _confirmed_count(plan, topic, text)
    if topic.counted and topic.tool in turn.tools and topic.tool.startswith("search_") and _WHO.fullmatch(text):
        return listing(plan, _kind_of_tool(topic.tool), topic.tool, topic.arguments)
    if not _goes_on(reading, topic):
        return None
    kind = _explicit_kind(reading) or _kind_of_tool(topic.tool)
    kept = topic.arguments if kind == _kind_of_tool(topic.tool) else {}
    if (owner := _owner_said(reading, topic)) is not None:
        kept = {**kept, "owner": owner}
        reading = replace(reading, names=[])
    if (
        reading.has("count")
        and not _SUM.search(text)
        and topic.total is not None
        and not reading.values
        and kept == topic.arguments
    ):
        counted_text = phrasing.count_of(topic.total, kind, topic.label)
        return Answer(f"There {'is' if topic.total == 1 else 'are'} **{counted_text}**.", topic=topic)
    if (topic.counted and not re.match(_OF_THOSE, text, re.IGNORECASE)) or _SUM.search(text) or reading.has("count"):
        return counted(plan, kind, reading, kept)
    tool = f"search_{PLURALS[kind]}" if kind in PLURALS else topic.tool
    if tool not in turn.tools or not tool.startswith("search_"):
        return None
    if not topic.counted and (ranked := ranking(plan, kind, reading, _unlimited(kept))) is not None:
        return ranked
    if _OUTSTANDING.fullmatch(text):
        return listing(plan, kind, tool, {**kept, "limit": 1})
    said = _value_alone(reading, kept) or filters(reading, turn.tools[tool], turn.scene.now)
    return listing(plan, kind, tool, _without_opposites(kept, said) | said)


_ADDED_UP = re.compile(
    r"\s*(?:and\s+|so\s+)?(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:total(?:\s+(?:value|amount|worth|sum))?|(?:how\s+much\s+)?(?:altogether|in\s+total|combined)|sum)[?.!\s]*",
    re.IGNORECASE,
)
_OUTSTANDING = re.compile(
    r"\s*(?:and\s+)?(?:(?:which|what)(?:'s|\s+is|\s+one\s+is)\s+)?(?:the\s+)?(?:biggest|largest|highest|smallest|lowest|oldest|newest|latest|most\s+valuable|top)(?:\s+(?:one|of\s+(?:them|those|these)|deal))?[?.!\s]*",
    re.IGNORECASE,
)


def _unlimited(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != "limit"}


def _value_alone(reading: Reading, kept: Mapping[str, Any]) -> dict[str, Any] | None:
    """ "energy?" after a list by industry is another industry."""
    field = next((name for name in ("industry", "city", "state", "company") if name in kept), None)
    is_alone = len(reading.names) == 1 and len(reading.text.split()) <= _SHORT + 1
    if not (field and is_alone):
        return None
    text = reading.names[0].text
    return {field: state_code(text) if field == "state" else text}


def _without_opposites(kept: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked before, without the other end of a range that is asked for now."""
    swapped = {"min": "max", "max": "min", "after": "before", "before": "after"}
    gone = {"_".join(swapped.get(part, part) for part in name.split("_")) for name in said}
    return {name: value for name, value in kept.items() if name not in gone or name in said}


_WHO = re.compile(
    r"\W*(?:and\s+|so\s+|ok\s+)*(?:who|which(?:\s+ones?)?|what)(?:\s+(?:is|are|was|were)|['’](?:s|re))\s+(?:it|they|that|those|these|them)\W*|\W*(?:and\s+|so\s+)*(?:which|who|what)(?:\s+ones?)?\W*",
    re.IGNORECASE,
)
"""After a number: whose number it was."""


def _goes_on(reading: Reading, topic: Topic) -> bool:
    """Whether the sentence only narrows or varies what the last answer listed or counted."""
    text = reading.text
    if reading.has("create", "schedule", "advise", "delete", "update", "note") or not topic.tool.startswith(
        ("search_", "list_activities")
    ):
        return False
    owner = _owner_said(reading, topic)
    named = [name for name in reading.names if owner is None or name.text.lower() != owner]
    if _value_alone(reading, topic.arguments) is not None:
        return True
    if named and _NARROWS.match(text) and all(name.before in _PLACED for name in named):
        return True
    if any(name.strong for name in named):
        return False
    one = len(topic.refs) == 1 and "thing" in reading.pronouns
    if reading.has("count") and reading.pronouns and _explicit_kind(reading) is None and not one:
        return True
    if _SUM.search(text) and "plural" in reading.pronouns:
        return True
    if _ELLIPTIC.match(text):
        return not named
    is_short = len(text.split()) <= _SHORT
    if _OUTSTANDING.fullmatch(text) or (len(topic.refs) > 1 and _ADDED_UP.fullmatch(text)):
        return True
    if is_short and owner is not None and not reading.pronouns:
        return True
    return is_short and bool(reading.values) and not reading.pronouns and not reading.activities


def _owner_said(reading: Reading, topic: Topic) -> str | None:
    """ "only bob's", or "and bob?" after a question about somebody's records."""
    if (owner := owner_in(reading)) is not None:
        return owner
    if "owner" in topic.arguments and len(reading.names) == 1 and " " not in reading.names[0].text:
        return reading.names[0].text.lower()
    return None


_PLACED = frozenset(("in", "from", "at", "around", "near"))


def _says_which(reading: Reading) -> bool:
    """Whether it tells some of what was listed from the others."""
    bounds = any(one.money or one.relation for one in (*reading.amounts, *reading.numbers))
    return bool(reading.values or bounds or reading.times or owner_in(reading))


def _explicit_kind(reading: Reading) -> str | None:
    named = [(reading.first(kind), kind) for kind in PLURALS if reading.has(kind)]
    return min(named)[1] if named else None


def asked_again(turn: PlannerTurn, reading: Reading, topic: Topic) -> str | None:
    """ "And Ann Lee?", "same for Ann", "another one: ...": the last request in full, for somebody or something else."""
    if not topic.asked:
        return None
    before = turn.read(topic.asked)
    act = classify(before).act
    if act is Act.CREATE and (more := _AND_A.match(reading.text)):
        return f"create {more['rest']}"
    if (meant := _meant(reading, before, act, topic.asked)) is not None:
        return meant
    if act is Act.DRAFT and _TONE.search(reading.text) and len(reading.text.split()) <= _AMENDMENT:
        return f"{topic.asked.rstrip('.!? ')}, {reading.text}"
    if (match := _ANOTHER.match(reading.text)) and act in (Act.NOTES, Act.CREATE_NOTE):
        return f"add a note: {match['body']}"
    names = [name for name in reading.names if name.strong]
    is_same = _SAME.match(reading.text) is not None
    is_new = (
        reading.has("create", "schedule", "delete", "update", "convert", "show", "count", "note") or reading.activities
    )
    if len(names) != 1 or not (is_same or (_ELLIPTIC.match(reading.text) and act in _READING and not is_new)):
        return None
    if act is Act.CREATE_NOTE and before.content and is_same:
        return f"add a note for {names[0].text}: {before.content}"
    spans = [(name.start, name.end) for name in before.names if name.strong] + before.pronouns.get("person", [])
    if not spans:
        return None
    start, end = spans[0]
    return topic.asked[:start] + names[0].text + topic.asked[end:]


def _meant(reading: Reading, before: Reading, act: Act, asked: str) -> str | None:
    """ "Sorry, contacted I meant" after a change: the change again with that value in place of the other."""
    if act is Act.CREATE_ACTIVITY and (rather := _rather(reading)):
        return f"make it {rather}"
    if act is Act.CREATE_ACTIVITY and _WHEN_IS_IT.fullmatch(reading.text):
        return "what did you just schedule?"
    made_it = _MAKE_IT.match(reading.text)
    if act is Act.FIELD and made_it and (field := field_of(before)):
        return f"set its {phrasing.words(field)} to {made_it['what']}"
    if (
        act is not Act.UPDATE
        or (not made_it and not _MEANT.search(reading.text))
        or any(name.strong for name in reading.names)
    ):
        return None
    said = [span for spans in reading.values.values() for span in spans]
    old = [span for spans in before.values.values() for span in spans]
    if not said or not old:
        sums = [*reading.amounts, *reading.numbers], [*before.amounts, *before.numbers]
        said, old = ([(one.start, one.end) for one in found] for found in sums)
    if not said or not old:
        said, old = ([(one.start, one.end) for one in found] for found in (reading.times, before.times))
    if not said or not old:
        return None
    start, end = max(old, key=lambda span: span[1] - span[0])
    first, last = max(said, key=lambda span: span[1] - span[0])
    return f"{asked[:start]}{reading.text[first:last]}{asked[end:]}"


_WHEN_IS_IT = re.compile(
    r"\W*(?:(?:and|so|wait|sorry)\b\W*)*(?:when|what\s+(?:time|day))(?:['’]s|\s+is|\s+was)\s+(?:it|that|this|the\s+(?:call|meeting|demo|task|appointment))(?:\s+(?:again|now|then|for|scheduled|set|on|at))*\W*",
    re.IGNORECASE,
)
_MAKE_IT = re.compile(
    r"\W*(?:(?:actually|no|sorry|ok|please|then|wait|rather|hm+|and)\b\W*)*(?:make|set|change|put|bump)\s+(?:it|that|this)\s+(?:to\s+|at\s+)?(?P<what>\S.*)",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\bi\s+mean[t]?\b|\b(?:should|was\s+supposed)\s+(?:to\s+)?(?:be|have\s+been)\b|\b(?:not|instead)\b", re.IGNORECASE
)


def _rather(reading: Reading) -> str:
    """The other time in a sentence that says nothing else: "no, I meant 4 pm", "sorry, Tuesday not Monday"."""
    rest, times = reading.text, list[str]()
    for span in reversed(reading.times):
        if not _NOT_THIS.search(reading.text[: span.start]):
            times.insert(0, reading.text[span.start : span.end])
        rest = rest[: span.start] + rest[span.end :]
    return " ".join(times) if set(re.findall(r"[\w']+", rest.lower())) <= _CORRECTS else ""


_NOT_THIS = re.compile(r"\b(?:not|than|instead\s+of)\s+(?:(?:on|at|for)\s+)?$", re.IGNORECASE)
_CORRECTS = frozenset(
    "no nope not sorry oops wait actually ah oh hm well rather than instead of i mean meant that it should is it's be been "
    "have at on for to the make please then".split()
)
_AND_A = re.compile(
    r"^\s*(?:and|also|plus)\s+(?:also\s+)?(?P<rest>(?:an?|another)\s+(?:new\s+)?(?:lead|contact|account|company|deal|opportunity)\b.*)",
    re.IGNORECASE,
)
_TONE = re.compile(
    r"\b(?:formal|friendl(?:y|ier)|casual|informal|short(?:er)?|long(?:er)?|warm(?:er)?|urgent|polite|nicer|brief(?:er)?|professional|mention|add)\b",
    re.IGNORECASE,
)
_AMENDMENT = 10
"""Words at most of what is to be different in a draft."""


def _kind_of_tool(tool: str) -> str:
    return {"search_opportunities": "opportunity", "list_activities": "activity"}.get(
        tool, tool.removeprefix("search_").removesuffix("s")
    )


def _confirmed_count(plan: Plan, topic: Topic, text: str) -> Answer:
    """Says again what was counted, with the names, agreeing or correcting."""
    outcome = plan.need(topic.tool, **topic.arguments)
    records = items_of(outcome)
    total = topic.total or 0
    said = next(
        (
            int(word) if word.isdigit() else _NUMBER_WORDS[word]
            for word in re.findall(r"\d+|[a-z]+", text.lower())
            if word.isdigit() or word in _NUMBER_WORDS
        ),
        None,
    )
    agreed = "Yes" if said in (None, total) else "Not quite"
    names = [str(record.get("display_name")) for record in records[:5]]
    counted = phrasing.count_of(total, _kind_of_tool(topic.tool), topic.label)
    more = [f"{total - len(names)} more"] if total > len(names) and names else []
    listed = f": {phrasing.listed([*names, *more])}" if names else ""
    refs = tuple(
        Ref(str(r.get("entity_type")), str(r.get("id")), str(r.get("display_name")), str(r.get("company") or ""))
        for r in records
    )
    offer = Question("offer", f"Tell me about {names[0]}") if len(names) == 1 else None
    return Answer(
        f"{agreed}, you have {counted}{listed}. Would you like to see the details?",
        offer,
        replace(topic, refs=refs),
    )
