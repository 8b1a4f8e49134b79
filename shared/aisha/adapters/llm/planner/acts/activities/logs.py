"""Log calls, meetings, emails and demos that have taken place."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.activities.targets import targets_of
from aisha.adapters.llm.planner.acts.activities.times import merged, minutes_said, require_read, times_of
from aisha.adapters.llm.planner.acts.asks import as_names, plan_words, says, with_text
from aisha.adapters.llm.planner.acts.execution import write_all
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import activities
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

TITLES = {"call": "Call with", "email": "Email to", "meeting": "Meeting with", "demo": "Demo with"}
"""The beginning of the title of an activity that can be logged, by its type."""
_AFTER_PRONOUN = frozenset("please pls as for now too down kindly".split())
_DONE = {"met": "meeting", "saw": "meeting", "spoke": "call", "talked": "call", "rang": "call"}
"""Types of activities by the verbs that tell of them: "log that I met Ann"."""
_NEAR = 5
"""Tokens after "log that I" among which the activity is named."""


def type_logged(ask: Ask) -> str:
    """Return the type of the activity that an ask orders to log; empty where it orders something else.

    It is the object of the verb ("log a call"), what the user says to have done ("log that I called Ann"), or what was
    told before it ("Had a call with Ann. Log it").
    """
    tokens = ask.outside
    place = next((at for at, one in enumerate(tokens) if one.word in plan_words("logging_verbs")), None)
    if place is None or says(ask, "follow_up"):
        return ""
    after = tokens[place + 1 :]
    words = [one.word for one in after]
    if words[:1] == ["that"] and words[1:2] and words[1] in lexicon.TELLERS:
        teller = after[2 : 2 + _NEAR]
        return next((_DONE[one.word] for one in teller if one.word in _DONE), "") or _first_type(teller)
    pronoun = 2 if words[:2] == ["the", "same"] else int(bool(words) and words[0] in lexicon.THING_PRONOUNS)
    rest = after[pronoun:]
    # In "log that he is fine" the word begins what to note.
    is_pointing = pronoun > 0 and (not rest or rest[0].kind == "mark" or rest[0].word in _AFTER_PRONOUN)
    named = next(iter(_object(after)), "") or (_first_type(rest) if is_pointing else "")
    return named or (_first_type(tokens[:place]) if is_pointing and place else "")


def _object(after: Sequence[Token]) -> Iterator[str]:
    """Yield the type that the object of a verb names: "log [my quick call] with Ann", no "call note"."""
    for one, two in pairwise([*after, None]):
        if one is None or one.kind == "mark" or (one.word in lexicon.LINK_WORDS | {"that"}):
            return
        kind = lexicon.activity_type_of(one.word)
        if kind in TITLES and not (two and lexicon.kind_named(two) == "note"):
            yield kind


def _first_type(tokens: Sequence[Token]) -> str:
    types = (lexicon.activity_type_of(one.word) or lexicon.activity_type_of(one.stem) or "" for one in tokens)
    return next((activity_type for activity_type in types if activity_type in TITLES), "")


def is_over(plan: Plan, ask: Ask) -> bool:
    """Return whether an activity to log has taken place: "log a meeting tomorrow" plans one."""
    span = merged([span for _, span in times_of(_without_result(ask))])
    if (
        _place_of_telling(ask)
        or span is None
        or span.moment(plan.now) < plan.now
        or "completed" in ask.values
        or says(ask, "over")
    ):
        return True
    # "Log a call today" is about one that was, "log a call for today" about one to come.
    is_today = span.first == span.last == plan.now.date() and "for" not in ask.words
    return span.clock is None and (is_today or bool(_result(ask)))


def log(plan: Plan, ask: Ask, kind: str, title: str = "") -> Answer:
    """Store an activity that has taken place, with what came of it."""
    plan = replace(plan, doubt=policy.doubt_after(plan.doubt, ask, _order(ask)))
    body, topic = _result(ask), (ask.first("topic") or "").strip(" .,;:")
    plan = with_text(plan, ask, body) if body else plan
    ask = as_names(_without_result(ask), "new", "org", "owner")
    targets, _ = targets_of(plan, ask)
    span = merged([span for _, span in times_of(ask)])
    require_read(plan, ask, span)
    time = span.moment(plan.now) if span is not None else None
    if time is not None and _place_of_telling(ask) and f"{time:%A}".lower() in ask.text.lower():
        time -= timedelta(days=7 * (time > plan.now))  # "Log that I met Ann on Tuesday", on a Wednesday
    if time is not None and time.date() > plan.now.date():
        raise plan.ask_slot(ask, "when", "That is still to come. When did it take place?")
    values = {
        "activity_type": kind,
        "status": "completed",
        "due_date": time.isoformat() if time is not None and time < plan.now else None,
        "duration_minutes": minutes_said(ask),
        "body": body or None,
    }
    given = {name: value for name, value in values.items() if value is not None}
    titles = [title or f"{TITLES[kind]} {ref.name}" + (f": {topic}" if topic else "") for ref in targets]
    calls = [
        plan.planned("create_activity", **ref.entity, title=one, **given)
        for ref, one in zip(targets, titles, strict=True)
    ]
    records = [value["record"] for value in write_all(plan, calls, f"log the {kind}")]
    text = activities.logged(records, plan.now)
    written = text.replace("I've", "You just", 1)
    return Answer(text, topic=Topic((*targets, *map(ref_of, records)), plan.topic.search, written=written))


def _order(ask: Ask) -> Ask:
    """Return an ask without what was told before its verb."""
    verb = next((one for one in ask.outside if one.word in plan_words("logging_verbs")), None)
    return ask.without(0, verb.start) if verb is not None else ask


def _result(ask: Ask) -> str:
    """Return what came of an activity: the text, or what follows a pause; else all that "log that I …" tells."""
    start = _place_of_result(ask)
    start = start if start < len(ask.text) else _place_of_telling(ask) or start
    return ask.text[start:].replace(", ,", ",").strip(' ,;:–-.?!"“”')


def _without_result(ask: Ask) -> Ask:
    return _with_told(ask).without(_place_of_result(ask), len(ask.text))


def _with_told(ask: Ask) -> Ask:
    """Return an ask whose text tells what was done with its names and times: "log that I emailed Ann the quote"."""
    return ask.with_spans(one for one in ask.segment.spans if one.tag != "text" or not _place_of_telling(ask))


def _place_of_telling(ask: Ask) -> int:
    """Return where "log that I …" goes on; 0 for another order."""
    tokens = _order(ask).tokens
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    verbs = plan_words("logging_verbs")
    return next(
        (
            three.start
            for one, two, three in triples
            if one.word in verbs and two.word == "that" and three.word in lexicon.TELLERS
        ),
        0,
    )


def _place_of_result(ask: Ask) -> int:
    verb = next((one.end for one in ask.outside if one.word in plan_words("logging_verbs")), len(ask.text))
    texts = [one.start for one in _with_told(ask).segment.spans if one.tag == "text" and one.start >= verb]
    others = {one.start for one in ask.segment.spans if one.tag in ("name", "org", "when", "owner")}
    pauses = [
        one.end
        for one, two in pairwise(ask.tokens)
        if one.start >= verb
        and one.word in lexicon.PAUSES
        and two.start not in others
        and two.word not in ("as", "please")
    ]
    return min((*texts, *pauses), default=len(ask.text))
