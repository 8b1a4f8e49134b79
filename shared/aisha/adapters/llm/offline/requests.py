"""The requests of a message: which of its clauses ask for something, and which of them belong together."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.changing import kind_meant
from aisha.adapters.llm.offline.clauses import spelled_out
from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.entity_resolution import Pending
from aisha.adapters.llm.offline.intent import Act, is_question
from aisha.adapters.llm.offline.intents import classify
from aisha.adapters.llm.offline.lexicon import GREETING
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.personal import remembers
from aisha.adapters.llm.offline.plan import Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Ref, Topic


def ruled_out(turn: PlannerTurn, clauses: Sequence[str], told: Sequence[str]) -> Reading | None:
    """What is not to be done says whom the rest is about: "don't call Jack, just note that he is away"."""
    named = [turn.read(turn.mended(clause)) for clause in clauses if _NOT_WANTED.match(clause)]
    named = [reading for reading in named if any(name.strong for name in reading.names)]
    speaks_of_another = any(name.strong for clause in told for name in turn.read(turn.mended(clause)).names)
    return named[-1] if named and not speaks_of_another else None


def same_change(turn: PlannerTurn, clauses: Sequence[str]) -> Iterator[list[str]]:
    """The clauses, those that change one and the same record together: its changes are one call, and undone as one."""
    group: list[str] = []
    for clause in clauses:
        reading = turn.read(turn.mended(clause))
        changes = classify(reading).act in (Act.UPDATE, Act.ADVANCE)
        goes_on = not any(name.strong and name.before not in _VALUES_AFTER for name in reading.names)
        if group and not (changes and goes_on and not reading.top):
            yield group
            group = []
        group.append(clause)
        if not changes:
            yield group
            group = []
    if group:
        yield group


_VALUES_AFTER = frozenset(("to", "as", "is"))


def each_with_its_time(turn: PlannerTurn, clause: str) -> list[str]:
    """ "Call Ann tomorrow at ten and Bo at eleven" is two calls: the second is said without its verb and its day."""
    reading = turn.read(clause)
    names = [name for name in reading.names if name.strong]
    if (
        len(names) != _TWO
        or len(reading.times) < _TWO
        or reading.content
        or classify(reading).act is not Act.CREATE_ACTIVITY
    ):
        return [clause]
    first, second = names
    between = [span for span in reading.times if first.end <= span.start and span.end <= second.start]
    after = [span for span in reading.times if span.start >= second.end]
    joint = re.search(r"\s*(?:,|\band\b)\s*(?:one\s+)?(?:with\s+|for\s+)?$", clause[: second.start], re.IGNORECASE)
    if not between or not after or joint is None or joint.start() < between[-1].end:
        return [clause]
    day = next((clause[span.start : span.end] for span in between if span.first and not span.clock), "")
    if not day and (dated := next((span for span in between if span.first), None)):
        day = f"{dated.first:%B} {dated.first.day}" if dated.first else ""
    told = any(span.first for span in after)
    rest = clause[second.start :]
    return [clause[: joint.start()], f"{clause[: first.start]}{rest}" + ("" if told or not day else f" {day}")]


_TWO = 2


def _only_names(reading: Reading) -> bool:
    is_new = {reading.text[start:end].lower() for start, end in reading.concepts.get("create", ())} == {"new"}
    asks = (reading.has("create") and not (is_new and not reading.has(*KINDS))) or reading.has(
        "update", "schedule", "delete", "note", "complete", "convert", "show", "count", "advise"
    )
    return any(name.strong for name in reading.names) and not asks


_IN_THE_CALENDAR = re.compile(
    r"\s*(?:and\s+)?(?:put|add|stick|pop|get)\s+(?:it|that|this)\s+(?:in|into|on|to)\s+(?:my|the|our)\s+(?:calendar|diary|schedule|agenda|books)\W*$",
    re.IGNORECASE,
)
"""Says no more than that an activity is to be scheduled."""


_IN_THE_SYSTEM = re.compile(
    r"\s*(?:(?:and|so|please|can\s+you|just)\s+)*(?:change|update|put|enter|reflect|record|set|fix|save|log)\s+(?:that|it|this)\s+in(?:to)?\s+(?:the|our)\s+(?:system|crm|database|records?|tool)\W*$",
    re.IGNORECASE,
)
"""Says no more than that what was told is to be on record."""
_NOT_WANTED = re.compile(
    r"\s*(?:(?:please|so|well|and|but)\s+)*(?:(?:don't|dont|do\s+not|never)\s+(?!let\s+me\s+forget|forget|have|know|think|see)\w+|no\s+need\s+to\b|(?:i|we)\s+(?:don't|dont|do\s+not)\s+(?:want|wish)\s+(?:you\s+)?to\s+(?!forget|miss)\w+|not\s+(?:to\s+)?(?:schedule|create|delete|remove|update|change|send|email|call|book)\b)",
    re.IGNORECASE,
)


_RUN_IT = re.compile(
    r"\s*(?:(?:please|can\s+you|just|so|then)\s+)*(?:run|start|do|launch|trigger)\s+(?:the|a|that|this|another)\s+scan\W*(?:please\W*)?$|\s*(?:please\s+)?scan(?:\s+please)?\W*$",
    re.IGNORECASE,
)
"""Asks for a scan and leaves it to the words before to say of what."""


_OF_IT = re.compile(
    r"\s*(?:and\s+)?(?:make|mark|set|flag)\s+(?:it|that|this)\s+(?:as\s+|to\s+)?(?P<rest>(?:(?:high|low|top|normal)(?:\s+priority)?|urgent|important|\d+\s*min\w*)\b.*)",
    re.IGNORECASE,
)


def _makes_them(reading: Reading) -> bool:
    """ "Register him": asks for no more than that somebody who was named is created."""
    more = reading.has("note", "activity", "schedule", "update", "delete") or reading.activities or reading.content
    return bool(reading.has("create", "log") and "person" in reading.pronouns and not (more or reading.names))


_HOW_MANY = re.compile(
    r"\s*(?:and\s+|so\s+)?how\s+(?:many|much)(?:\s+(?:are|is)\s+(?:there|they|that|those|these|it))?\W*", re.IGNORECASE
)


def telling(turn: PlannerTurn, clauses: Sequence[str]) -> Sequence[str]:
    """The clauses that say something: "so yeah can you" beside a request does not."""
    wanted = [clause for clause in spelled_out(clauses) if not _NOT_WANTED.match(clause)]
    wanted = [clause for clause in wanted if not _IN_THE_CALENDAR.match(clause)] or wanted
    wanted = [clause for clause in wanted if clause.strip(" ,.!").lower() not in GREETING] or wanted
    if len(wanted) < 2:
        return wanted
    kept: list[str] = []
    for clause in wanted:
        if kept and _HOW_MANY.fullmatch(clause):
            kept[-1] = f"how many {kept[-1]}"  # "bob's warm leads, how many?"
            continue
        if kept and _IN_THE_SYSTEM.match(clause) and classify(turn.read(turn.mended(kept[-1]))).act is Act.UPDATE:
            continue
        reading = turn.read(turn.mended(clause))
        named = any(name.strong for name in reading.names)
        makes_one = reading.has("create") and reading.has(*KINDS) and "person" in reading.pronouns and not reading.names
        if kept and _makes_them(reading) and classify(turn.read(turn.mended(kept[-1]))).act is Act.CREATE:
            continue  # "I have a new lead, Ann Lee, can you register her?"
        if kept and _RUN_IT.match(clause):
            kept[-1] = f"{kept[-1]}, {clause}"  # "any deals at risk? run the scan"
        elif (
            kept
            and (of_it := _OF_IT.match(clause))
            and classify(turn.read(turn.mended(kept[-1]))).act is Act.CREATE_ACTIVITY
        ):
            kept[-1] = f"{kept[-1]}, {of_it['rest']}"  # "put a call in for Ann and make it high priority"
        elif makes_one and kept and _only_names(turn.read(kept[-1])):
            kept[-1] = (
                f"{kept[-1]}, {clause[:1].lower()}{clause[1:]}"  # "I met Ann Lee, add her as a lead" is one request
            )
        elif kept and turn.read(kept[-1]).has("convert") and reading.has("opportunity") and not named:
            kept[-1] = f"{kept[-1]} and {clause}"  # the deal is a part of the conversion
        elif (
            named
            or reading.concepts
            or reading.pronouns
            or reading.values
            or reading.activities
            or reading.top
            or remembers(clause)
        ):
            kept.append(clause)
    return kept or wanted[:1]


def plan_of(turn: PlannerTurn, topic: Topic, bindings: Mapping[str, Ref]) -> Plan:
    return Plan(turn.tools, turn.scene, turn.results, topic, turn.read, bindings)


def look_up(turn: PlannerTurn, clauses: Sequence[str], topic: Topic, bindings: Mapping[str, Ref]) -> None:
    """Searches for the people of all clauses at once, for a turn has few rounds. Raises `Pending` with the searches."""
    waiting: list[Wanted] = []
    for clause in clauses:
        reading = turn.read(turn.mended(clause))
        intent = classify(reading)
        if intent.act not in _OF_ONE or not any(name.strong for name in reading.names):
            continue
        try:
            kind = kind_meant(intent, reading) if intent.act is Act.UPDATE else intent.kind
            plan_of(turn, topic, bindings).finder().subject(reading, kind)
        except Pending as pending:
            waiting += pending.calls
    if waiting:
        raise Pending(list({(call.tool, str(call.arguments)): call for call in waiting}.values()))


_OF_ONE = frozenset((Act.CREATE_ACTIVITY, Act.UPDATE, Act.CREATE_NOTE, Act.INQUIRE, Act.REPORT, Act.FIELD))


def heard(turn: PlannerTurn, clause: str, topic: Topic, bindings: Mapping[str, Ref], after: str) -> Topic | None:
    """What "left a message for Ann Lee" tells before a request: that this one, `after` it, is about her."""
    reading = turn.read(turn.mended(clause))
    if classify(reading).act is not Act.REPORT and not _sets_the_scene(reading, turn.read(turn.mended(after))):
        return None
    subject = plan_of(turn, topic, bindings).finder().subject(reading)
    return replace(topic, refs=(subject,)) if isinstance(subject, Ref) else None


_SCENE = re.compile(
    r"^\W*(?i:(?:so|ok|okay|um|uh|well|hey|look|listen|right|and)\b\W*)*(?:(?i:i(?:['’]m|\s+am|['’]ve|\s+have|\s+got)\b(?!\s+to\b)|we(?:['’]re|\s+are|['’]ve|\s+have|\s+got)\b(?!\s+to\b)"
    r"|(?i:(?:my|our|the)\s+\w+(?:['’]s|\s+is|\s+are)\s+\w+ing)\b|there(?:['’]s|\s+is)\b|this\s+is\b|here(?:['’]s|\s+is)\b)|(?i:(?:that|this)\s+)?(?:[A-ZÀ-Þ]\S*(?:\s+[A-ZÀ-Þ]\S*){0,2})\s+(?:thing\s+|guy\s+|lady\s+|person\s+)?(?:is|was|has|just|went|came|never|called|rang|turned|moved|left|retired|quit|resigned|bought|asked)\b)",
)
_GONE = re.compile(
    r"\b(?:moved\s+(?:on|away)|left\s+us|retired|quit|resigned|passed\s+away|died|is\s+gone|has\s+gone)\b",
    re.IGNORECASE,
)
_UNDER_WAY = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:(?:i|we)(?:['’]m|\s+am|['’]re|\s+are|['’]ve|\s+have)|(?:my|our|the)\s+\w+(?:['’]s|\s+is|\s+are)\s+\w+ing)\b",
    re.IGNORECASE,
)
_NO_ORDER = frozenset((Act.INQUIRE, Act.FIELD, Act.ACTIVITIES, Act.NOTHING, Act.PEOPLE, Act.OVERDUE))


def _sets_the_scene(reading: Reading, after: Reading) -> bool:
    """ "I have Ann Lee on the phone, who is she?": the first clause asks for nothing of its own."""
    act = classify(reading).act
    told = (
        act in _NO_ORDER
        or _GONE.search(reading.text) is not None
        or (
            act is Act.CREATE_ACTIVITY
            and _UNDER_WAY.match(reading.text) is not None
            and not reading.has("create", "schedule", "remind")
            and classify(after).act in _NO_ORDER
        )
    )
    points_back = "person" in after.pronouns and not any(name.strong for name in after.names)
    named = sum(name.strong for name in reading.names) == 1
    asks = is_question(reading.text) or reading.content or reading.has("show", "about", "note", "count", "advise")
    return bool(told and points_back and named and not asks and _SCENE.match(reading.text))
