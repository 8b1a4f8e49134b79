"""Complete an ask with what its message and the last answer say around it: who, which company, which place."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from msgspec.structs import replace

from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.dialogue.segments.details import with_antecedent
from aisha.adapters.llm.planner.dialogue.segments.slots import names_in
from aisha.adapters.llm.planner.dialogue.words import LISTS
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import DialogueState, Topic
from aisha.domain.crm.enumerations import LeadSource
from aisha.domain.dates.day_words import period_days
from aisha.domain.dates.durations import find_lengths
from aisha.domain.dates.meanings import Days
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize
from aisha.domain.language.words import first_names

_THERE = frozenset("there here".split())
_BEFORE_PLACES = frozenset("in at to near the from around visiting".split())
_SOURCES = frozenset(LeadSource)
_UNITS = frozenset("day week month quarter year".split())
_SIDES = {"after": 1, "later": 1, "following": 1, "before": -1, "earlier": -1, "prior": -1, "previous": -1}
_MAX_OPENING = 4
"""Words of an order up to its object: "and plan another with …"."""
_MAX_WORDS = 2
"""Words of such a time beside "the" and "that"."""
_WHO = lexicon.word_set("condition_words", "who")
_WE = frozenset("i we my our us".split())
_PAST = frozenset("did was were had has have last first".split())
_AROUND = frozenset("and so then on with is are from their the side end of for at".split())
_HANDING = frozenset("assign give hand pass delegate transfer owe".split())


def completed(state: DialogueState, segment: Segment, asked: Sequence[Segment], before: Sequence[Segment]) -> Segment:
    """Return an ask with what the message said before it, and the last answer, of what it is about."""
    complete = with_antecedent(segment, before or _asked_about(state, segment))
    complete = _with_colleague(complete, [*asked, *before])
    return _with_company(complete, [ref.name for ref in state.topic.refs if ref.type == "account"])


def _with_colleague(segment: Segment, before: Sequence[Segment]) -> Segment:
    """Return a question about what "he" owns with the colleague named before it: "Bob is first. How many has he?"."""
    owners = [span for one in before for span in one.spans if span.tag == "owner"]
    pronouns = {token.word for token in tokenize(segment.text)} & lexicon.PERSON_PRONOUNS
    if pronouns <= lexicon.THEY_PRONOUNS and any(span.tag in ("name", "org") for one in before for span in one.spans):
        return segment  # "I met Bob about Acme. What do we have with them?"
    if segment.act not in LISTS or not owners or names_in(segment) or not pronouns:
        return segment
    return segment.followed_by(Segment(owners[-1].text, segment.act, spans=(replace(owners[-1], start=0),)))


def with_described_before(segment: Segment, before: Sequence[Segment], now: datetime) -> Segment:
    """Return an ask about "it" with what was said before it of which one: "The other one can wait. Move it to …"."""
    own = [span for span in segment.spans if span.tag == "ref"]
    choice = next((one for told_before in before[-1:] if (one := choice_in(Ask(told_before, now))) is not None), None)
    is_bare = len(own) == 1 and " " not in own[0].text and not names_in(segment)
    if segment.act not in WRITES | ACTS_ABOUT_ONE or not is_bare or choice is None:
        return segment
    text = before[-1].text[choice.start : choice.end]
    whole = Segment(text, segment.act, spans=(Span("ref", text, 0),)).followed_by(segment)
    return replace(segment, text=whole.text, spans=whole.spans)


def _with_company(segment: Segment, companies: Sequence[str]) -> Segment:
    """Return a question about who or what is "there" with the company of the last answer: "who do we know there?"."""
    is_named = any(span.tag in ("name", "new", "org", "value", "owner") for span in segment.spans)
    place = next((token for token in tokenize(segment.text) if token.word in _THERE), None)
    if segment.act not in READS or is_named or place is None or len(companies) != 1:
        return segment
    company = Segment(f"at {companies[0]}", segment.act, spans=(Span("org", companies[0], len("at ")),))
    return segment.followed_by(company)


def _asked_about(state: DialogueState, segment: Segment) -> list[Segment]:
    """Return the name that was not found before "then create a lead for her"."""
    question = state.question
    if question is None or question.kind != "who" or not question.name:
        return []
    if not any(span.tag == "ref" for span in segment.spans):
        return []
    return [Segment(question.name, "context", spans=(Span("name", question.name, 0),))]


def places_in(segment: Segment) -> list[str]:
    """Return the names after "in" or "at" of what was said before "which leads are there": towns, companies."""
    places = list[str]()
    for span in segment.spans:
        before = [one.word for one in tokenize(segment.text[: span.start])][-1:]
        is_place = span.tag in ("name", "new", "value") and bool({*before} & _BEFORE_PLACES)
        places += [span.text] if is_place or span.tag == "org" else []
    tokens = tokenize(segment.text)
    sources = [one for one in lexicon.placed_in(tokens, "values") if one[0] in _SOURCES]
    return places or [segment.text[tokens[first].start : tokens[last - 1].end] for _, first, last in sources]


def persons_in_text(segment: Segment, now: datetime) -> list[str]:
    """Return the first names in the text of a note or a task, which a pronoun after it may mean."""
    texts = [tokenize(span.text) for span in segment.spans if span.tag in ("text", "topic")]
    timed = [(one, is_time) for tokens in texts for one, is_time in zip(tokens, time_tokens(tokens, now), strict=True)]
    return [one.text for one, is_time in timed if one.is_capital and one.word in first_names() and not is_time]


def contact_asked(topic: Topic, ask: Ask) -> Segment | None:
    """Return a question such as "who do I deal with on that one?" as one for the contact, else None."""
    choice = choice_in(ask)
    outside = [one for one in ask.tokens if choice is None or not choice.start <= one.start < choice.end]
    words = [one.word for one in outside if one.kind != "mark" and one.word not in lexicon.OPENINGS]
    is_for_person = bool(words) and words[0] in _WHO and not {*words} & (_PAST | _HANDING)
    is_of_people = choice is not None and {ref.type for ref in topic.group} <= {
        "lead",
        "contact",
    }  # "Who's the second?"
    if (
        ask.act in WRITES
        or is_of_people
        or not is_for_person
        or ask.orders
        or {*ask.kinds} - {"opportunity", "contact"}
    ):
        return None
    refs = [one for one in ask.texts("ref") if one.lower() not in lexicon.PERSON_PRONOUNS]
    is_more = any(one.tag != "ref" and (one.tag != "field" or lexicon.fields_in(one.text)) for one in ask.segment.spans)
    is_in_mind = topic.refs[:1] != () and topic.refs[0].type in ("opportunity", "account") and not _is_list(topic)
    # "Who's the person I'd be talking to?"
    is_pointing = choice is not None or (
        is_in_mind and bool(refs or "contact" in ask.kinds or lexicon.POINTERS & {*words[1:]})
    )
    rest = {word.partition("'")[0] for word in words[1:]}
    if is_more or not is_pointing or not (rest & _WE or rest <= _AROUND | lexicon.POINTERS):
        return None
    chosen = ask.text[choice.start : choice.end] if choice is not None else "that"
    opening, text = "who's the contact on ", refs[-1] if refs else chosen
    spans = (Span("field", "contact", len("who's the ")), Span("ref", text, len(opening)))
    return Segment(opening + text, "ask_field", spans=spans)


def begins_with_person(segment: Segment) -> bool:
    """Return whether a segment states something of the person in mind: "she's the head of facilities"."""
    words = [one.word.partition("'")[0] for one in tokenize(segment.text)]
    is_value = any(span.tag == "value" for span in segment.spans)
    return is_value and words[0] in lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS and "?" not in segment.text


def _is_list(topic: Topic) -> bool:
    return len({ref.type for ref in topic.refs}) < len(topic.refs)


def with_own_days(topic: Topic, asked: Segment, again: Segment, now: datetime) -> Segment:
    """Return a segment with the days for each time that is said by its distance from the time of the ask before."""
    days = _days_of(topic, asked, now)
    return replace(again, spans=tuple(_dated(days, span) for span in again.spans)) if days else again


def with_day_in_mind(plan: Plan, segment: Segment) -> Segment:
    """Return a question about "that day" or "that Friday" with the day of the one activity in mind, if it is one."""
    activities = [ref for ref in plan.topic.refs if ref.type == "activity"]
    starts = [one.start for one in tokenize(segment.text) if one.word == "that"]
    whens = [span for span in segment.spans if span.tag == "when"]
    pointing = [span for span in whens if any(0 <= span.start - start <= len("that ") for start in starts)]
    if segment.act not in READS or len(activities) != 1 or not pointing:
        return segment
    due = str(plan.record(activities[0]).get("due_at") or "")
    day = datetime.fromisoformat(due).astimezone(plan.now.tzinfo).date() if due else None
    for span in reversed(pointing):
        word = span.text.lower().removeprefix("that ")
        weekdays = [one.first.weekday() for one in find_times(word, plan.now) if one.first is not None]
        if day is not None and (word == "day" or weekdays == [day.weekday()]):
            segment = segment.with_words(span.start, span.end, f"{day}")
    return segment


def with_own_hour(asked: Segment, again: Segment, now: datetime) -> Segment:
    """Return a segment with the hour of each time that is said by its distance from that of a plan: "an hour later"."""
    planned = Ask(asked, now).times
    spans = [span for span in again.spans if span.tag == "when" and {*span.text.lower().split()} & _SIDES.keys()]
    for span in spans if planned else ():
        lengths = find_lengths(span.text.lower())
        side = next(_SIDES[word] for word in span.text.lower().split() if word in _SIDES)
        if len(lengths) == 1 and (length := lengths[0][2]).is_short:
            moved = length.shift_instant(planned[-1].moment(now), side)
            own = replace(span, text=f"on {moved:%Y-%m-%d} at {moved:%H:%M}")
            again = replace(again, spans=tuple(own if one is span else one for one in again.spans))
    return again


def with_own_day(planned: Segment, segment: Segment, now: datetime) -> Segment:
    """Return a plan for an hour of no day with the day of the plan before it: "Ann on Friday at 9, and Bo at 10"."""
    days, times = [one.first for one in Ask(planned, now).times if one.first], Ask(segment, now).times
    span = next((one for one in segment.spans if one.tag == "when"), None)
    is_plan = planned.act == segment.act == "create_activity" and span is not None and len(times) == 1
    if not (is_plan and span and days and times[0].clock and times[0].first is None and times[0].exact is None):
        return segment
    return segment.with_words(span.start, span.end, f"on {days[-1]} at {span.text.removeprefix('at ')}")


def with_own_type(planned: Segment | None, segment: Segment, now: datetime) -> Segment:
    """Return a plan for "one" as one of the type planned before: "Call Ann at 9." - "Plan one with the rest at 11."."""
    types = Ask(planned, now).activity_types if planned is not None and planned.act == segment.act else ()
    one = next((token for token in tokenize(segment.text)[:_MAX_OPENING] if token.word in ("one", "another")), None)
    is_plan = segment.act == "create_activity" and len(types) == 1 and not Ask(segment, now).activity_types
    return segment.with_words(one.start, one.end, f"a {types[0]}") if is_plan and one is not None else segment


def as_shift(segment: Segment) -> Segment:
    """Return an order to move something with "the day after" as "1 day later": it is from the day on which that is."""
    spans = [_shifted(one) if one.tag == "when" else one for one in segment.spans]
    for old, new in zip(reversed(segment.spans), reversed(spans), strict=True):
        segment = segment.with_words(old.start, old.end, new.text) if new != old else segment
    return segment


def _shifted(span: Span) -> Span:
    words = [word for word in span.text.lower().split() if word != "the"]
    unit = next((one for one in words if one in _UNITS), "")
    side = next((_SIDES[one] for one in words if one in _SIDES), 0)
    is_bare = len(words) == _MAX_WORDS and bool(unit and side)
    return replace(span, text=f"1 {unit} {'later' if side > 0 else 'earlier'}") if is_bare else span


def _days_of(topic: Topic, asked: Segment, now: datetime) -> Days | None:
    """Return the first and last day that an ask was about, as its list was searched: "won in January" is over."""
    bounds = topic.search.arguments if topic.search is not None and asked == topic.asked else {}
    searched = [str(bounds[name])[:10] for end in ("_after", "_before") for name in bounds if name.endswith(end)]
    if len(searched) == 2:
        return date.fromisoformat(searched[0]), date.fromisoformat(searched[1])
    times = [one for one in Ask(asked, now).times if one.first and one.last]
    return (times[-1].first or now.date(), times[-1].last or now.date()) if times else None


def _dated(before: Days, span: Span) -> Span:
    words = [word for word in span.text.lower().split() if word not in ("the", "that", "one")]
    unit = next((word for word in words if word in _UNITS), None)
    is_same = span.text.lower().split()[:1] == ["that"] or "same" in words
    side = next((_SIDES[word] for word in words if word in _SIDES), 0)
    if span.tag != "when" or not (unit and (side or is_same)) or len(words) > _MAX_WORDS:
        return span
    first, last = before
    near = last if side > 0 else first
    days = (near + timedelta(days=side),) * 2 if unit == "day" else period_days(unit, near, side)
    text = f"on {days[0]}" if days[0] == days[1] else f"from {days[0]} to {days[1]}"
    return replace(span, text=text)
