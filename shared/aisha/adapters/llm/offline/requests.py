"""Select the clauses of a message that ask for something, and group those that belong together."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.changing import kind_to_change
from aisha.adapters.llm.offline.classifier import classify
from aisha.adapters.llm.offline.entity_resolution import Pending
from aisha.adapters.llm.offline.intent import Act, is_question
from aisha.adapters.llm.offline.personal import is_memory_request
from aisha.adapters.llm.offline.plan import Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.reading.clauses import resolve_antecedents
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.lexicon import GREETING
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.results import PlannedCall
from aisha.adapters.llm.offline.state import Ref, Topic

_BEFORE_VALUES = frozenset(("to", "as", "is"))
_PAIR = 2
_REPEATS_SCHEDULING = pattern(
    r"\s*(?:and )?(?:put|add|stick|pop|get) (?:it|that|this) (?:in|into|on|to) (?:my|the|our)"
    r" (?:calendar|diary|schedule|agenda|books)\W*$"
)
"""Recognises a clause that only repeats that an activity is to be scheduled."""
_REPEATS_STORING = pattern(
    r"\s*(?:(?:and|so|please|can you|just) )*(?:change|update|put|enter|reflect|record|set|fix|save|log)"
    r" (?:that|it|this) in(?:to)? (?:the|our) (?:system|crm|database|records?|tool)\W*$"
)
"""Recognises a clause that only repeats that the change before it is to be stored."""
_EXCLUDED = pattern(
    r"\s*(?:(?:please|so|well|and|but) )*(?:(?:don't|dont|do not|never) (?!let me forget|forget|have|know|think|see)\w+"
    r"|no need to\b|(?:i|we) (?:don't|dont|do not) (?:want|wish) (?:you )?to (?!forget|miss)\w+"
    r"|not (?:to )?(?:schedule|create|delete|remove|update|change|send|email|call|book)\b)"
)
"""Recognises a request that is excluded: "don't call him"."""
_RUN_SCAN = pattern(
    r"\s*(?:(?:please|can you|just|so|then) )*(?:run|start|do|launch|trigger) (?:the|a|that|this|another) scan\W*"
    r"(?:please\W*)?$|\s*(?:please )?scan(?: please)?\W*$"
)
"""Recognises a request for a scan whose subject is in the words before."""
_ATTRIBUTE_OF_IT = pattern(
    r"\s*(?:and )?(?:make|mark|set|flag) (?:it|that|this) (?:as |to )?"
    r"(?P<rest>(?:(?:high|low|top|normal)(?: priority)?|urgent|important|\d+\s*min\w*)\b.*)"
)
# "and how many are there?", which belongs to the clause before it.
_HOW_MANY = pattern(r"\s*(?:and |so )?how (?:many|much)(?: (?:are|is) (?:there|they|that|those|these|it))?\W*")
_ABOUT_ONE_RECORD = frozenset((Act.CREATE_ACTIVITY, Act.UPDATE, Act.CREATE_NOTE, Act.INQUIRE, Act.REPORT, Act.FIELD))
# "I have Ann on the phone", "Ann just called": sets the scene of the request after it.
_SCENE = re.compile(
    r"^\W*(?i:(?:so|ok|okay|um|uh|well|hey|look|listen|right|and)\b\W*)*"
    r"(?:(?i:i(?:['’]m|\s+am|['’]ve|\s+have|\s+got)\b(?!\s+to\b)|we(?:['’]re|\s+are|['’]ve|\s+have|\s+got)\b(?!\s+to\b)"
    r"|(?i:(?:my|our|the)\s+\w+(?:['’]s|\s+is|\s+are)\s+\w+ing)\b|there(?:['’]s|\s+is)\b|this\s+is\b"
    r"|here(?:['’]s|\s+is)\b)"
    r"|(?i:(?:that|this)\s+)?(?:[A-ZÀ-Þ]\S*(?:\s+[A-ZÀ-Þ]\S*){0,2})\s+(?:thing\s+|guy\s+|lady\s+|person\s+)?"
    r"(?:is|was|has|just|went|came|never|called|rang|turned|moved|left|retired|quit|resigned|bought|asked)\b)",
)
# "Ann moved on": a report about a person, which asks for nothing.
_LEFT_COMPANY = pattern(r"\b(?:moved (?:on|away)|left us|retired|quit|resigned|passed away|died|is gone|has gone)\b")
# "I'm in a meeting with Ann": an activity that takes place now, not one to schedule.
_UNDER_WAY = pattern(
    r"^\W*(?:\w+\W+){0,3}?"
    r"(?:(?:i|we)(?:['’]m| am|['’]re| are|['’]ve| have)|(?:my|our|the) \w+(?:['’]s| is| are) \w+ing)\b"
)
_READ_ACTS = frozenset((Act.INQUIRE, Act.FIELD, Act.ACTIVITIES, Act.NOTHING, Act.PEOPLE, Act.OVERDUE))


def excluded_request(turn: PlannerTurn, clauses: Sequence[str], requests: Sequence[str]) -> Reading | None:
    """Return the excluded request that names the subject of the rest: "don't call Jack, just note that he is away"."""
    excluded = [turn.read_clause(clause) for clause in clauses if _EXCLUDED.match(clause)]
    excluded = [reading for reading in excluded if any(name.strong for name in reading.names)]
    names_another = any(name.strong for clause in requests for name in turn.read_clause(clause).names)
    return excluded[-1] if excluded and not names_another else None


def group_changes(turn: PlannerTurn, clauses: Sequence[str]) -> Iterator[list[str]]:
    """Yield the clauses, those that change one record together, so that its changes are one call and undone as one."""
    group: list[str] = []
    for clause in clauses:
        reading = turn.read_clause(clause)
        changes = classify(reading).act in (Act.UPDATE, Act.ADVANCE)
        same_record = not any(name.strong and name.before not in _BEFORE_VALUES for name in reading.names)
        if group and not (changes and same_record and not reading.top):
            yield group
            group = []
        group.append(clause)
        if not changes:
            yield group
            group = []
    if group:
        yield group


def split_by_time(turn: PlannerTurn, clause: str) -> list[str]:
    """Split "call Ann tomorrow at ten and Bo at eleven", where the second call lacks its verb and its day."""
    reading = turn.read(clause)
    names = [name for name in reading.names if name.strong]
    if (
        len(names) != _PAIR
        or len(reading.times) < _PAIR
        or reading.content
        or classify(reading).act is not Act.CREATE_ACTIVITY
    ):
        return [clause]
    first, second = names
    between = [span for span in reading.times if first.end <= span.start and span.end <= second.start]
    after = [span for span in reading.times if span.start >= second.end]
    # The time of the first activity has to stand before the conjunction: otherwise both people share one activity.
    conjunction = pattern(r"\s*(?:,|\band\b)\s*(?:one )?(?:with |for )?$").search(clause[: second.start])
    if not between or not after or conjunction is None or conjunction.start() < between[-1].end:
        return [clause]
    day = next((clause[span.start : span.end] for span in between if span.first and not span.clock), "")
    if not day and (dated := next((span for span in between if span.first), None)):
        day = f"{dated.first:%B} {dated.first.day}" if dated.first else ""
    has_day = any(span.first for span in after)
    rest = clause[second.start :]
    return [clause[: conjunction.start()], f"{clause[: first.start]}{rest}" + ("" if has_day or not day else f" {day}")]


def _only_names(reading: Reading) -> bool:
    is_new = {reading.text[start:end].lower() for start, end in reading.concepts.get("create", ())} == {"new"}
    asks = (reading.has("create") and not (is_new and not reading.has(*KINDS))) or reading.has(
        "update", "schedule", "delete", "note", "complete", "convert", "show", "count", "advise"
    )
    return any(name.strong for name in reading.names) and not asks


def _makes_them(reading: Reading) -> bool:
    """Return whether the clause only creates the person named before it: "register him"."""
    more = reading.has("note", "activity", "schedule", "update", "delete") or reading.activities or reading.content
    return bool(reading.has("create", "log") and "person" in reading.pronouns and not (more or reading.names))


def request_clauses(turn: PlannerTurn, clauses: Sequence[str]) -> Sequence[str]:
    """Return the clauses that ask for something; "so yeah can you" beside a request does not."""
    requests = [clause for clause in resolve_antecedents(clauses) if not _EXCLUDED.match(clause)]
    requests = [clause for clause in requests if not _REPEATS_SCHEDULING.match(clause)] or requests
    requests = [clause for clause in requests if clause.strip(" ,.!").lower() not in GREETING] or requests
    if len(requests) < 2:
        return requests
    merged: list[str] = []
    for clause in requests:
        if merged and _HOW_MANY.fullmatch(clause):
            merged[-1] = f"how many {merged[-1]}"  # "bob's warm leads, how many?"
            continue
        if merged and _REPEATS_STORING.match(clause) and classify(turn.read_clause(merged[-1])).act is Act.UPDATE:
            continue
        reading = turn.read_clause(clause)
        named = any(name.strong for name in reading.names)
        creates_named = (
            reading.has("create") and reading.has(*KINDS) and "person" in reading.pronouns and not reading.names
        )
        if merged and _makes_them(reading) and classify(turn.read_clause(merged[-1])).act is Act.CREATE:
            continue  # "I have a new lead, Ann Lee, can you register her?"
        if merged and _RUN_SCAN.match(clause):
            merged[-1] = f"{merged[-1]}, {clause}"  # "any deals at risk? run the scan"
        elif (
            merged
            and (attribute := _ATTRIBUTE_OF_IT.match(clause))
            and classify(turn.read_clause(merged[-1])).act is Act.CREATE_ACTIVITY
        ):
            merged[-1] = f"{merged[-1]}, {attribute['rest']}"  # "put a call in for Ann and make it high priority"
        elif creates_named and merged and _only_names(turn.read(merged[-1])):
            merged[-1] = (
                f"{merged[-1]}, {clause[:1].lower()}{clause[1:]}"  # "I met Ann Lee, add her as a lead" is one request
            )
        elif merged and turn.read(merged[-1]).has("convert") and reading.has("opportunity") and not named:
            merged[-1] = f"{merged[-1]} and {clause}"  # the deal is a part of the conversion
        elif (
            named
            or reading.concepts
            or reading.pronouns
            or reading.values
            or reading.activities
            or reading.top
            or is_memory_request(clause)
        ):
            merged.append(clause)
    return merged or requests[:1]


def plan_for(turn: PlannerTurn, topic: Topic, bindings: Mapping[str, Ref]) -> Plan:
    """Return the plan of a clause about this topic."""
    return Plan(turn.tools, turn.scene, turn.results, topic, turn.read, bindings)


def search_subjects(turn: PlannerTurn, clauses: Sequence[str], topic: Topic, bindings: Mapping[str, Ref]) -> None:
    """Search for the people of all clauses at once, as a turn has few rounds. Raises `Pending`."""
    searches: list[PlannedCall] = []
    for clause in clauses:
        reading = turn.read_clause(clause)
        intent = classify(reading)
        if intent.act not in _ABOUT_ONE_RECORD or not any(name.strong for name in reading.names):
            continue
        try:
            kind = kind_to_change(intent, reading) if intent.act is Act.UPDATE else intent.kind
            plan_for(turn, topic, bindings).finder().subject(reading, kind)
        except Pending as pending:
            searches += pending.calls
    # Clauses may share a person: equal calls are made once.
    if searches:
        raise Pending(list({(call.tool, str(call.arguments)): call for call in searches}.values()))


def topic_of_report(
    turn: PlannerTurn, clause: str, topic: Topic, bindings: Mapping[str, Ref], following: str
) -> Topic | None:
    """Return the topic that a report such as "left a message for Ann Lee" sets for the request `following` it."""
    reading = turn.read_clause(clause)
    if classify(reading).act is not Act.REPORT and not _sets_the_scene(reading, turn.read_clause(following)):
        return None
    subject = plan_for(turn, topic, bindings).finder().subject(reading)
    return replace(topic, refs=(subject,)) if isinstance(subject, Ref) else None


def _sets_the_scene(reading: Reading, following: Reading) -> bool:
    """Return whether the first clause asks for nothing itself: "I have Ann Lee on the phone, who is she?"."""
    act = classify(reading).act
    reports = (
        act in _READ_ACTS
        or _LEFT_COMPANY.search(reading.text) is not None
        or (
            act is Act.CREATE_ACTIVITY
            and _UNDER_WAY.match(reading.text) is not None
            and not reading.has("create", "schedule", "remind")
            and classify(following).act in _READ_ACTS
        )
    )
    points_back = "person" in following.pronouns and not any(name.strong for name in following.names)
    named = sum(name.strong for name in reading.names) == 1
    asks = is_question(reading.text) or reading.content or reading.has("show", "about", "note", "count", "advise")
    return bool(reports and points_back and named and not asks and _SCENE.match(reading.text))
