"""Complete short follow-ups from the last answer: "I think I only have 1", "and the qualified ones?"."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.asking import listing
from aisha.adapters.llm.offline.acts.counting import count_records
from aisha.adapters.llm.offline.acts.ranking import rank_records
from aisha.adapters.llm.offline.arguments import owner_in, search_filters
from aisha.adapters.llm.offline.classifier import classify
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.intent import Act, field_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.reading.lexicon import state_code
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import items_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

# "I think I only have 1", "only one?": doubts a number.
_IMPLICIT = pattern(
    r"\b(?:i|we)\b.*\b(?:thought|think|guess|believe|believed|figured|expected|assumed|have|had|see|saw|remember)\b.*\b"
    r"(?:\d+|one|two|three|more|fewer|less|none|many|few)\b|^\s*(?:only|just)\b.*\??$"
    r"|^\s*(?:so )?(?:really|is that (?:all|it|right)|that'?s (?:it|all)|that many|that few)\b"
)
# "and ...", "what about ...", "which of those ...": continues the last search.
_ELLIPTIC = re.compile(
    r"^\s*(?:and|what about|how about|ok and|or|only|just)\b|"
    + (_OF_THOSE := r"^\s*(?:and\s+|so\s+)?(?:which|who|what)\s+(?:ones?\s+)?(?:of|among)\s+(?:those|these|them)\b"),
    re.IGNORECASE,
)
# "only the warm ones": a part of the last list.
_NARROWS = pattern(r"^\s*(?:only|just)\b")
# "the same for Ann", "and one for Ann".
_SAME_REQUEST = pattern(
    r"^\s*(?:and |also |do |now )*(?:the )?same\b|^\s*(?:and|also|plus) (?:another )?one (?:for|with)\b"
)
# "another one: she prefers email", "add one: ...": a further note.
_ANOTHER = pattern(
    r"^\s*(?:and )?(?:(?:add|create|make|write)?\s*(?:another|one more)(?: (?:one|note))?"
    r"|(?:please )?(?:add|create|make|write|put) one)\s*[:,-]\s*(?P<body>.+)$"
)
_READ_ACTS = frozenset(
    (Act.INQUIRE, Act.FIELD, Act.NOTES, Act.ACTIVITIES, Act.OVERDUE, Act.ADVISE, Act.PEOPLE, Act.COUNT)
)
"""Acts that change nothing, which a bare name may repeat."""
_SUM = pattern(r"\b(?:worth|how much|total|altogether|combined|add up)\b")
_MAX_WORDS = 2
_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "none": 0, "no": 0}
# "and the total?", "how much altogether?".
_ASKS_SUM = pattern(
    r"\s*(?:and |so )?(?:what(?:'s| is) )?(?:the )?"
    r"(?:total(?: (?:value|amount|worth|sum))?|(?:how much )?(?:altogether|in total|combined)|sum)[?.!\s]*"
)
# "which is the biggest?", "the oldest one": one record of the last list.
_SUPERLATIVE = pattern(
    r"\s*(?:and )?(?:(?:which|what)(?:'s| is| one is) )?(?:the )?(?:biggest|largest|highest|smallest|lowest|oldest"
    r"|newest|latest|most valuable|top)(?: (?:one|of (?:them|those|these)|deal))?[?.!\s]*"
)
_ASKS_WHO = pattern(
    r"\W*(?:and |so |ok )*(?:who|which(?: ones?)?|what)(?: (?:is|are|was|were)|['’](?:s|re))"
    r" (?:it|they|that|those|these|them)\W*|\W*(?:and |so )*(?:which|who|what)(?: ones?)?\W*"
)
"""Recognises a question for the records behind a number."""
_PLACE_PREPOSITIONS = frozenset(("in", "from", "at", "around", "near"))
# "wait, when is the call again?" after an activity was scheduled.
_WHEN_IS_IT = pattern(
    r"\W*(?:(?:and|so|wait|sorry)\b\W*)*(?:when|what (?:time|day))(?:['’]s| is| was)"
    r" (?:it|that|this|the (?:call|meeting|demo|task|appointment))(?: (?:again|now|then|for|scheduled|set|on|at))*\W*"
)
# "actually make it 5000".
_MAKE_IT = pattern(
    r"\W*(?:(?:actually|no|sorry|ok|please|then|wait|rather|hm+|and)\b\W*)*(?:make|set|change|put|bump)"
    r" (?:it|that|this) (?:to |at )?(?P<what>\S.*)"
)
_CORRECTION = pattern(r"\bi mean[t]?\b|\b(?:should|was supposed) (?:to )?(?:be|have been)\b|\b(?:not|instead)\b")
# The words before the wrong time: "Tuesday, not on Monday".
_NEGATED = pattern(r"\b(?:not|than|instead of) (?:(?:on|at|for) )?$")
_CORRECTION_WORDS = frozenset(
    "no nope not sorry oops wait actually ah oh hm well rather than instead of i mean meant that it should is it's "
    "be been have at on for to the make please then".split()
)
# "and also a contact for her" after a record was created.
_AND_ANOTHER_KIND = pattern(
    r"^\s*(?:and|also|plus) (?:also )?"
    r"(?P<rest>(?:an?|another) (?:new )?(?:lead|contact|account|company|deal|opportunity)\b.*)"
)
# "make it friendlier", "shorter please": a change to a draft.
_TONE = pattern(
    r"\b(?:formal|friendl(?:y|ier)|casual|informal|short(?:er)?|long(?:er)?|warm(?:er)?|urgent|polite|nicer"
    r"|brief(?:er)?|professional|mention|add)\b"
)
_MAX_AMENDMENT_WORDS = 10
"""Words at most of a change to a draft."""


def continue_search(turn: PlannerTurn, plan: Plan, reading: Reading, topic: Topic) -> Answer | None:
    """Answer a follow-up that varies the last search: "I think I only have 1", "and the qualified ones?"."""
    text = reading.text
    if (
        topic.tool
        and _IMPLICIT.search(text)
        and not reading.has("count")
        and not reading.names
        and topic.total is not None
        and not reading.has("create", "schedule")
        and not (_NARROWS.match(text) and _adds_condition(reading))
    ):
        return _confirmed_count(plan, topic, text)
    if topic.counted and topic.tool in turn.tools and topic.tool.startswith("search_") and _ASKS_WHO.fullmatch(text):
        return listing(plan, _kind_of_tool(topic.tool), topic.tool, topic.arguments)
    if not _continues(reading, topic):
        return None
    kind = _explicit_kind(reading) or _kind_of_tool(topic.tool)
    # Filters of another kind of record do not apply: a lead's status is no deal's stage.
    filters_kept = topic.arguments if kind == _kind_of_tool(topic.tool) else {}
    if (owner := _owner_named(reading, topic)) is not None:
        filters_kept = {**filters_kept, "owner": owner}
        # The name is the owner: it must not become a search by name as well.
        reading = replace(reading, names=[])
    if (
        reading.has("count")
        and not _SUM.search(text)
        and topic.total is not None
        and not reading.values
        and filters_kept == topic.arguments
    ):
        counted_text = phrasing.format_count(topic.total, kind, topic.label)
        return Answer(f"There {'is' if topic.total == 1 else 'are'} **{counted_text}**.", topic=topic)
    if (topic.counted and not re.match(_OF_THOSE, text, re.IGNORECASE)) or _SUM.search(text) or reading.has("count"):
        return count_records(plan, kind, reading, filters_kept)
    tool = f"search_{PLURALS[kind]}" if kind in PLURALS else topic.tool
    if tool not in turn.tools or not tool.startswith("search_"):
        return None
    if (
        not topic.counted
        and (ranking_answer := rank_records(plan, kind, reading, _unlimited(filters_kept))) is not None
    ):
        return ranking_answer
    if _SUPERLATIVE.fullmatch(text):
        return listing(plan, kind, tool, {**filters_kept, "limit": 1})
    new_filters = _value_alone(reading, filters_kept) or search_filters(reading, turn.tools[tool], turn.scene.now)
    return listing(plan, kind, tool, _without_opposites(filters_kept, new_filters) | new_filters)


def _unlimited(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != "limit"}


def _value_alone(reading: Reading, filters: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the new value of the same filter: "energy?" after a list by industry."""
    field = next((name for name in ("industry", "city", "state", "company") if name in filters), None)
    is_alone = len(reading.names) == 1 and len(reading.text.split()) <= _MAX_WORDS + 1
    if not (field and is_alone):
        return None
    text = reading.names[0].text
    return {field: state_code(text) if field == "state" else text}


def _without_opposites(filters: Mapping[str, Any], new_filters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last filters without the other end of a range that is asked for now."""
    swapped = {"min": "max", "max": "min", "after": "before", "before": "after"}
    replaced = {"_".join(swapped.get(part, part) for part in name.split("_")) for name in new_filters}
    return {name: value for name, value in filters.items() if name not in replaced or name in new_filters}


def _continues(reading: Reading, topic: Topic) -> bool:
    """Return whether the clause only narrows or varies what the last answer listed or counted."""
    text = reading.text
    if reading.has("create", "schedule", "advise", "delete", "update", "note") or not topic.tool.startswith(
        ("search_", "list_activities")
    ):
        return False
    owner = _owner_named(reading, topic)
    named = [name for name in reading.names if owner is None or name.text.lower() != owner]
    if _value_alone(reading, topic.arguments) is not None:
        return True
    if named and _NARROWS.match(text) and all(name.before in _PLACE_PREPOSITIONS for name in named):
        return True
    if any(name.strong for name in named):
        return False
    # "how many employees does it have" is about the one record listed, not about the list.
    points_at_one = len(topic.refs) == 1 and "thing" in reading.pronouns
    if reading.has("count") and reading.pronouns and _explicit_kind(reading) is None and not points_at_one:
        return True
    if _SUM.search(text) and "plural" in reading.pronouns:
        return True
    if _ELLIPTIC.match(text):
        return not named
    is_short = len(text.split()) <= _MAX_WORDS
    if _SUPERLATIVE.fullmatch(text) or (len(topic.refs) > 1 and _ASKS_SUM.fullmatch(text)):
        return True
    if is_short and owner is not None and not reading.pronouns:
        return True
    return is_short and bool(reading.values) and not reading.pronouns and not reading.activities


def _owner_named(reading: Reading, topic: Topic) -> str | None:
    """Return the owner in "only bob's", or in "and bob?" after a question about somebody's records."""
    if (owner := owner_in(reading)) is not None:
        return owner
    if "owner" in topic.arguments and len(reading.names) == 1 and " " not in reading.names[0].text:
        return reading.names[0].text.lower()
    return None


def _adds_condition(reading: Reading) -> bool:
    """Return whether the clause distinguishes some of the listed records."""
    bounds = any(one.money or one.relation for one in (*reading.amounts, *reading.numbers))
    return bool(reading.values or bounds or reading.times or owner_in(reading))


def _explicit_kind(reading: Reading) -> str | None:
    named = [(reading.first(kind), kind) for kind in PLURALS if reading.has(kind)]
    return min(named)[1] if named else None


def repeat_request(turn: PlannerTurn, reading: Reading, topic: Topic) -> str | None:
    """Return the last request in full for another subject: "And Ann Lee?", "same for Ann", "another one: ..."."""
    if not topic.asked:
        return None
    last_reading = turn.read(topic.asked)
    act = classify(last_reading).act
    if act is Act.CREATE and (more := _AND_ANOTHER_KIND.match(reading.text)):
        return f"create {more['rest']}"
    if (corrected := _corrected_request(reading, last_reading, act, topic.asked)) is not None:
        return corrected
    if act is Act.DRAFT and _TONE.search(reading.text) and len(reading.text.split()) <= _MAX_AMENDMENT_WORDS:
        return f"{topic.asked.rstrip('.!? ')}, {reading.text}"
    if (match := _ANOTHER.match(reading.text)) and act in (Act.NOTES, Act.CREATE_NOTE):
        return f"add a note: {match['body']}"
    names = [name for name in reading.names if name.strong]
    is_same = _SAME_REQUEST.match(reading.text) is not None
    is_new = (
        reading.has("create", "schedule", "delete", "update", "convert", "show", "count", "note") or reading.activities
    )
    if len(names) != 1 or not (is_same or (_ELLIPTIC.match(reading.text) and act in _READ_ACTS and not is_new)):
        return None
    if act is Act.CREATE_NOTE and last_reading.content and is_same:
        return f"add a note for {names[0].text}: {last_reading.content}"
    spans = [(name.start, name.end) for name in last_reading.names if name.strong] + last_reading.pronouns.get(
        "person", []
    )
    if not spans:
        return None
    start, end = spans[0]
    return topic.asked[:start] + names[0].text + topic.asked[end:]


def _corrected_request(reading: Reading, last_reading: Reading, act: Act, last_request: str) -> str | None:
    """Return the last change with a corrected value: "sorry, contacted I meant"."""
    if act is Act.CREATE_ACTIVITY and (other_time := _corrected_time(reading)):
        return f"make it {other_time}"
    if act is Act.CREATE_ACTIVITY and _WHEN_IS_IT.fullmatch(reading.text):
        return "what did you just schedule?"
    new_value = _MAKE_IT.match(reading.text)
    if act is Act.FIELD and new_value and (field := field_of(last_reading)):
        return f"set its {phrasing.humanise(field)} to {new_value['what']}"
    if (
        act is not Act.UPDATE
        or (not new_value and not _CORRECTION.search(reading.text))
        or any(name.strong for name in reading.names)
    ):
        return None
    new_spans = [span for spans in reading.values.values() for span in spans]
    old_spans = [span for spans in last_reading.values.values() for span in spans]
    if not new_spans or not old_spans:
        sums = [*reading.amounts, *reading.numbers], [*last_reading.amounts, *last_reading.numbers]
        new_spans, old_spans = ([(one.start, one.end) for one in mentions] for mentions in sums)
    if not new_spans or not old_spans:
        new_spans, old_spans = (
            [(one.start, one.end) for one in mentions] for mentions in (reading.times, last_reading.times)
        )
    if not new_spans or not old_spans:
        return None
    start, end = max(old_spans, key=lambda span: span[1] - span[0])
    first, last = max(new_spans, key=lambda span: span[1] - span[0])
    return f"{last_request[:start]}{reading.text[first:last]}{last_request[end:]}"


def _corrected_time(reading: Reading) -> str:
    """Return the other time of a clause that holds nothing else: "no, I meant 4 pm", "sorry, Tuesday not Monday"."""
    remaining, times = reading.text, list[str]()
    # From the end, so that the offsets of the earlier times stay valid.
    for span in reversed(reading.times):
        if not _NEGATED.search(reading.text[: span.start]):
            times.insert(0, reading.text[span.start : span.end])
        remaining = remaining[: span.start] + remaining[span.end :]
    return " ".join(times) if set(re.findall(r"[\w']+", remaining.lower())) <= _CORRECTION_WORDS else ""


def _kind_of_tool(tool: str) -> str:
    return {"search_opportunities": "opportunity", "list_activities": "activity"}.get(
        tool, tool.removeprefix("search_").removesuffix("s")
    )


def _confirmed_count(plan: Plan, topic: Topic, text: str) -> Answer:
    """Confirm or correct the number counted, with the names."""
    outcome = plan.need(topic.tool, **topic.arguments)
    records = items_of(outcome)
    total = topic.total or 0
    number_given = next(
        (
            int(word) if word.isdigit() else _NUMBER_WORDS[word]
            for word in re.findall(r"\d+|[a-z]+", text.lower())
            if word.isdigit() or word in _NUMBER_WORDS
        ),
        None,
    )
    agreement = "Yes" if number_given in (None, total) else "Not quite"
    names = [str(record.get("display_name")) for record in records[:5]]
    count_text = phrasing.format_count(total, _kind_of_tool(topic.tool), topic.label)
    more = [f"{total - len(names)} more"] if total > len(names) and names else []
    names_text = f": {phrasing.join_names([*names, *more])}" if names else ""
    refs = tuple(
        Ref(str(r.get("entity_type")), str(r.get("id")), str(r.get("display_name")), str(r.get("company") or ""))
        for r in records
    )
    offer = Question("offer", f"Tell me about {names[0]}") if len(names) == 1 else None
    return Answer(
        f"{agreement}, you have {count_text}{names_text}. Would you like to see the details?",
        offer,
        replace(topic, refs=refs),
    )
