"""Repeat an ask with other slots: "and Bo's?", "the same for Acme", "and for the whole team?"."""

from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import with_described
from aisha.adapters.llm.planner.acts.search.groups import measured
from aisha.adapters.llm.planner.acts.search.kinds import kind_of_type, tool_of
from aisha.adapters.llm.planner.acts.search.relations import OF_OWNERS
from aisha.adapters.llm.planner.choices import bare_description, choice_in
from aisha.adapters.llm.planner.dialogue.repeated_notes import note_again, with_kind, with_subjects
from aisha.adapters.llm.planner.dialogue.segments.slots import JOINTS, names_in
from aisha.adapters.llm.planner.dialogue.surroundings import with_own_days, with_own_hour
from aisha.adapters.llm.planner.dialogue.words import LISTS, TOLD
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.slots import strange
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, FIELD_CHANGE_ACTS, NAME_TAGS, READS, SEARCHES, WRITES
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import plain_text, time_tokens
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import stem, tokenize

MIN_TELLING = 3
"""Letters of a word up to which it is passed over where nothing explains it."""
_OWN = frozenset("mine my myself own".split())
_SUMMING = frozenset("together altogether combined total sum add adds".split())
_ONES = frozenset("ones those".split())
_COUNTED = frozenset("many much".split())
_HAVING = frozenset("have got there exist".split())
_OF_THE_SAME = _COUNTED | frozenset(
    (
        "and so ok okay then but the a an per each apiece for of in on across is are was were that this it they "
        "those them do does did make makes come comes to how what what's whats as about there's"
    ).split()
)
"""Words of a question for a number or a sum that say nothing of which records it is about."""
_ADDED_BEFORE, _ADDED_AFTER = (lexicon.word_set("widening_words", key) for key in ("before", "after"))

_RECORD_TAGS = NAME_TAGS | {"ref"}
_COMPARING = stem("compare")
_MOMENTS = lexicon.word_set("time_words", "changed") | frozenset(("created", "added", "contacted", "closed"))


def sums_listed(plan: Plan, segment: Segment) -> bool:
    """Return whether a question asks for the sum of what was listed, and says nothing else: not "did we lose"."""
    ask = Ask(replace(segment, act="count"), plan.now)
    words = {token.word for token in ask.tokens}
    tags = {span.tag for span in segment.spans}
    is_bare = tags <= {"ref", "field"} and not words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS
    is_bare = is_bare and not counts_all(ask) and not ask.orders
    is_explained = all(one.word in _SUMMING or policy.is_explained(ask, one) for one in ask.loose)
    return is_bare and is_explained and bool(words & _SUMMING)


def counts_all(ask: Ask) -> bool:
    """Return whether a question says itself which records it counts: "and how many leads do we have in total?"."""
    return bool(ask.kinds and ask.words & _COUNTED and ask.words & _HAVING) and not ask.texts("ref")


def counts_the_same(plan: Plan, segment: Segment) -> bool:
    """Return whether a question for a number or a sum says no other records than those of the answer before it."""
    ask, search = Ask(segment, plan.now), plan.topic.search
    read = {ask.outside[at].start for _, *ends in lexicon.placed_in(ask.outside, "summing") for at in range(*ends)}
    filler_words = _OF_THE_SAME if ask.kinds else _OF_THE_SAME | {"there"}  # "How many deals are there" asks for all.
    is_bare = {span.tag for span in segment.spans} <= {"field", "ref"} and all(
        one.kind == "mark" or one.word in filler_words or one.start in read or lexicon.kind_named(one)
        for one in ask.outside
    )
    is_sum = bool(read) or not _COUNTED.isdisjoint(ask.words)
    kinds = {lexicon.PLURALS.get(kind, kind) for kind in ask.kinds}
    if len(plan.topic.refs) == 1 and ask.words & (lexicon.THING_PRONOUNS - {"there"}) and not kinds:
        return False  # "Which is the biggest?" - "How much is it worth?"
    return is_bare and is_sum and search is not None and kinds <= {search.tool.removeprefix("search_")}


def repeated_ask(plan: Plan, asked: Segment, again: Segment) -> Segment:
    """Return the ask for something else: with the slots, values and the kind of record of "and bob's warm leads?"."""
    again = _with_bounds(again)
    if asked.act in READS:
        again = with_own_days(plan.topic, asked, again, plan.now)
    elif asked.act in ("create_activity", "invite"):
        again = with_own_hour(asked, again, plan.now)
    is_named = asked.act in ACTS_ABOUT_ONE | WRITES and bool(names_in(asked))
    if is_named and not any(span.tag == "owner" for span in asked.spans):  # "What's Ann's title?" - "And Bo's?"
        again = replace(
            again, spans=tuple(replace(one, tag="name") if one.tag == "owner" else one for one in again.spans)
        )
    again = _with_names_as_values(again) if asked.act in ACTS_ABOUT_ONE else again
    if asked.act in WRITES:
        again = with_described(plan, Ask(again, plan.now)).segment  # "also to their pilot deal"
    if asked.act == "create_note":
        return note_again(asked, again)
    if asked.act in FIELD_CHANGE_ACTS and (changed := _of_other_record(asked, _with_choice(again, plan.now))):
        return changed
    if asked.act in WRITES and (of_others := _of_other_people(asked, again)):
        return of_others
    if (counted := _counted_again(plan, asked, again)) is not None:
        return counted
    if (of_others := _with_other_owners(asked, again, plan.now)) is not None:
        return of_others
    if asked.act == "list_activities" and "after that" in again.text.lower():
        return asked.followed_by(Segment("after that", asked.act))  # "My next call?" - "And the one after that?"
    ask = Ask(again, plan.now)
    if asked.act in LISTS and (widened := _widened(asked, ask)) is not None:
        return widened
    is_of_name = asked.act in LISTS and bool(names_in(again))  # "The demo with Ann?" - "And the one with Bo?"
    if is_of_name:
        again = replace(again, spans=tuple(span for span in again.spans if span.tag != "ref"))
        ask = Ask(again, plan.now)
    if choice_in(ask) is not None and not is_of_name:
        # "What's the stage of the Acme pilot?" - "Same question on the field service one."
        again = _with_choice(again, plan.now)
        ask = Ask(again, plan.now)
        asked = _without_subject(asked, plan.now)
    elif asked.act in ACTS_ABOUT_ONE and (described := bare_description(ask)) is not None:
        return _without_subject(asked, plan.now).followed_by(described)
    elif ask.texts("ref") and not names_in(again) and not ask.words & lexicon.PLURAL_WORDS:
        asked = _without_subject(asked, plan.now)  # "When did we last speak to Ann?" - "And to him?"
    if asked.act in READS and ask.texts("when"):
        asked = _without_untagged_times(plan, _with_one_time(plan, asked) if asked.act in LISTS else asked)
    if asked.act == "update_record" and (fields := {*lexicon.fields_in(again.text)}):
        asked = _of_fields(asked, fields)
    tagged = {token.start for token in ask.tokens} - {token.start for token in ask.loose}
    values = [token for token in ask.loose if lexicon.says_value(token) and token.start not in tagged]
    spans = sorted(
        [*again.spans, *(Span("value", token.text, token.start) for token in values)], key=lambda span: span.start
    )
    repeated = _with_values(plan, asked, Segment(again.text, again.act, spans=tuple(spans)))
    owners = [span for span in repeated.spans if span.tag == "owner"]
    is_own = bool(ask.words & (lexicon.SELF_WORDS if owners else _OWN))
    if asked.act in READS and is_own and not ask.texts("owner"):
        # "How many did Bob win?" - "And me?"
        bare = Ask(repeated, plan.now)
        own = bare.without(owners[0].start, owners[-1].end).segment if owners else repeated
        repeated = replace(own, text=f"{own.text.rstrip(' ?')} of my own")
    asked_before = Ask(asked, plan.now)
    if asked.act == "count" and not (asked_before.kinds or {one.tag for one in asked.spans} - {"field"}):
        repeated = repeated.followed_by(Segment("of those", "count"))  # It was about the list before.
    sums = {key for key, *_ in lexicon.placed_in(tokenize(asked.text), "summing")}
    is_mean = bool(sums & {"mean_value", "part_of_all"}) or _COMPARING in ask.stems
    if asked.act == "count" and "ones" in ask.words and not is_mean:
        repeated = replace(repeated, act="search")  # "How much is that?" - "And the ones in proposal?"
    for part_of in (_kinds_in, _orders_in, _moments_in):
        new, old = part_of(ask), part_of(Ask(repeated, plan.now))
        if new and old and not (part_of is _kinds_in and ask.words & _ONES):  # "The ones with two deals" are no deals.
            repeated = repeated.with_words(old[0], old[0] + len(old[1]), new[1])
    return _with_unread(repeated, ask) if asked.act in LISTS else repeated


def _with_names_as_values(again: Segment) -> Segment:
    """Return a segment with a value that no field has as a name, with the words after it: "for the ABC pilot"."""
    values = [one for one in again.spans if one.tag == "value" and not lexicon.values_in(one.text.lower())]
    if len(values) != 1 or names_in(again) or not values[0].text[:1].isupper():
        return again
    ends = [one.start for one in tokenize(again.text) if one.start >= values[0].end and one.kind == "mark"]
    text = again.text[values[0].start : min(ends, default=len(again.text))].strip()
    return replace(
        again, spans=tuple(replace(one, tag="name", text=text) if one is values[0] else one for one in again.spans)
    )


def _with_unread(repeated: Segment, ask: Ask) -> Segment:
    """Return an ask with the conditions of its repetition that it has no place for, which the answer names."""
    text, starts = plain_text(ask.outside)
    bounds = [one.reach for one in find_amounts(text) if one.relation]
    placed = [*zip(ask.outside, starts, strict=True)]
    limits = [[one for one, at in placed if first <= at < last] for first, last in bounds]
    unread = [ask.text[one[0].start : one[-1].end] for one in limits if one]
    unread += [one.text for one in strange(ask) if len(one.word) > MIN_TELLING and one.stem != _COMPARING]
    for one in unread:
        if one.lower() not in repeated.text.lower():
            repeated = repeated.followed_by(Segment(one, repeated.act, spans=(Span("unknown", one, 0),)))
    return repeated


def _widened(asked: Segment, ask: Ask) -> Segment | None:
    """Return the ask with the records of others added: "and for the whole team?", "with Bob's included?"; else None."""
    placed = next(lexicon.placed_in(ask.outside, "everybody"), None)
    if placed is not None:
        _, first, last = placed
        words = ask.text[ask.outside[first].start : ask.outside[last - 1].end]
        values = replace(ask.segment, spans=tuple(span for span in ask.segment.spans if span.tag in TOLD))
        return asked.amended(values).followed_by(Segment(words, asked.act))
    owners = [span for span in ask.segment.spans if span.tag == "owner"]
    around = _words_around(ask, owners[0]) if len(owners) == 1 else ("", "")
    if around[0] not in _ADDED_BEFORE and around[1] not in _ADDED_AFTER:
        return None
    return asked.followed_by(Segment(f"{owners[0].text}'s too", asked.act, spans=(replace(owners[0], start=0),)))


def _words_around(ask: Ask, span: Span) -> tuple[str, str]:
    """Return the words before and after a colleague, past the possessive."""
    before = [one.word for one in ask.tokens if one.end <= span.start]
    after = [one.word for one in ask.tokens if one.start >= span.end and one.word not in ("'s", "s", "as", "ones")]
    return next(reversed(before), ""), next(iter(after), "")


def _counted_again(plan: Plan, asked: Segment, again: Segment) -> Segment | None:
    """Return the ask for a number or a sum of what was listed or counted before; None for another ask."""
    if asked.act in SEARCHES and sums_listed(plan, again):
        if Ask(again, plan.now).words & lexicon.BOTH_WORDS:
            return replace(again, act="count")  # "Deals in proposal?" - "In negotiation?" - "And both together?"
        if any(measured(Ask(again, plan.now), one) for one in _listed_kinds(plan)):
            return Segment("of those", "count").followed_by(replace(again, act="count"))  # "Their combined revenue?"
        summed = Segment("total value", "count")
        if asked == plan.topic.asked and plan.topic.search is not None:
            return Segment("of those", "count").followed_by(summed)
        return replace(asked, act="count").followed_by(summed)  # "Leads in Denver." - "Together that's how much?"
    if asked.act in SEARCHES | {"forecast"} and counts_the_same(plan, again):
        same = asked if asked.act in ("count", "search") else Segment("of those", "count")
        return replace(same, act="count").followed_by(again)  # "My proposals?" - "And the average per deal?"
    return None


def _listed_kinds(plan: Plan) -> list[str]:
    tool = plan.topic.search.tool if plan.topic.search is not None else ""
    return [one for one in lexicon.KINDS if tool_of(one) == tool]


def _without_subject(asked: Segment, now: datetime) -> Segment:
    for span in (one for one in asked.spans if one.tag in ("name", "new", "org", "ref")):
        asked = Ask(asked, now).without(span.start, span.end).segment
    return asked


def _of_other_record(asked: Segment, again: Segment) -> Segment | None:
    """Return an order with the record of "same for the second" in the place of its own; None where there are several.

    In its place it is no part of a text that ends the order: "add a next step to the first: send the proposal".
    """
    own = [span for span in asked.spans if span.tag in _RECORD_TAGS]
    if len(own) > 1 or len(again.spans) != 1 or again.spans[0].tag not in _RECORD_TAGS:
        return None
    if any(True for _ in lexicon.fields_in(again.text)):
        return None  # "Same phone for Bo"
    return with_subjects(asked, own, [with_kind(again, one) if one.tag == "ref" else one for one in again.spans])


def _with_choice(again: Segment, now: datetime) -> Segment:
    """Return a segment with the words that choose a record as one slot, in the place of those in them."""
    if (choice := choice_in(Ask(again, now))) is None:
        return again
    others = [span for span in again.spans if not choice.start <= span.start < choice.end]
    return replace(again, spans=(*others, Span("ref", again.text[choice.start : choice.end], choice.start)))


def _of_other_people(asked: Segment, again: Segment) -> Segment | None:
    """Return an order with the names of its repetition in the place of all of its own, else None.

    "Mark Ann and Bo as lost" - "and Clara" is for Clara alone. For one name in the place of one nothing is done.
    """
    own, named = ([span for span in one.spans if span.tag == "name"] for one in (asked, again))
    if not own or not named or len(own) == len(named) == 1:
        return None
    between = [one for one in tokenize(asked.text) if own[0].end <= one.start < own[-1].start]
    if not all(one.word in JOINTS or any(span.holds(one) for span in own) for one in between):
        return None
    rest = tuple(span for span in again.spans if span not in named)
    return with_subjects(asked, own, named).amended(replace(again, spans=rest))


def _with_bounds(again: Segment) -> Segment:
    """Return a segment whose amounts hold the words that make them bounds: "and over 80k?"."""
    tokens = tokenize(again.text)
    text, starts = plain_text(tokens)
    spans = list(again.spans)
    for amount in find_amounts(text):
        first, last = amount.reach
        words = [one for one, at in zip(tokens, starts, strict=True) if first <= at < last]
        inside = [one for one in spans if one.tag in TOLD and words[0].start <= one.start < words[-1].end]
        if amount.relation and inside:
            whole = Span(inside[0].tag, again.text[words[0].start : words[-1].end], words[0].start)
            spans = [whole if one is inside[0] else one for one in spans if one not in inside[1:]]
    return replace(again, spans=tuple(spans))


def _with_one_time(plan: Plan, asked: Segment) -> Segment:
    """Return an ask with the first of its times, in the place of all: "Tomorrow and Friday." - "And Monday?"."""
    whens = [span for span in asked.spans if span.tag == "when"]
    return Ask(asked, plan.now).without(whens[0].end, whens[-1].end).segment if len(whens) > 1 else asked


def _without_untagged_times(plan: Plan, asked: Segment) -> Segment:
    """Return an ask without the times that no slot holds: "how's my week looking?" - "And the week after?"."""
    ask = Ask(asked, plan.now)
    timed = zip(ask.outside, time_tokens(ask.outside, plan.now), strict=True)
    untagged = [one for one, is_time in timed if is_time and one in ask.loose]
    for token in untagged if not ask.texts("when") else ():
        ask = ask.without(token.start, token.end)
    return ask.segment


def _with_values(plan: Plan, asked: Segment, again: Segment) -> Segment:
    """Return the ask with what is said anew; a value replaces the one of the same field: "the same for referrals"."""
    values = [span for span in again.spans if span.tag == "value"]
    if asked.act not in LISTS or len(values) != 1:
        return asked.amended(again)
    parameter = _parameter_of(plan, values[0].text)
    others = [one for one in asked.spans if one.tag == "value" and _parameter_of(plan, one.text) != parameter]
    kept = replace(asked, spans=tuple(replace(one, tag="kept") if one in others else one for one in asked.spans))
    amended = kept.amended(again)
    return replace(
        amended, spans=tuple(replace(one, tag="value") if one.tag == "kept" else one for one in amended.spans)
    )


def _parameter_of(plan: Plan, text: str) -> str:
    """Return the parameter that an enumerated value is of in the list shown last; empty for any other value."""
    tool = plan.tools.get(plan.topic.search.tool) if plan.topic.search else None
    value = lexicon.phrase_key(text, "values") or text
    names_of_value = {value, text}
    names = (name for name, one in (tool.properties if tool else {}).items() if names_of_value & {*one.get("enum", ())})
    return next(names, "open_only" if value in ("open", "scheduled") else "")


def _of_fields(asked: Segment, fields: set[str]) -> Segment:
    """Return a change with only the fields named and what follows each: "the same industry for Acme"."""
    cuts, is_kept = list[Span](), True
    for span in asked.spans:
        named = lexicon.fields_in(span.text) if span.tag == "field" else []
        is_kept = bool(fields & {*named}) if named else is_kept
        if not is_kept and span.tag not in ("name", "new", "org", "ref"):
            cuts.append(span)
    text = asked.text
    for span in cuts:
        text = text[: span.start] + " " * len(span.text) + text[span.end :]
    return replace(asked, text=text, spans=tuple(one for one in asked.spans if one not in cuts))


def _kinds_in(ask: Ask) -> tuple[int, str] | None:
    """Return where the first kind of record stands, and its word."""
    nouns = [(token.start, token.text) for token in ask.loose if lexicon.kind_named(token)]
    owned = [range(*place) for place in _owners_in(ask)]
    return next((one for one in nouns if not any(one[0] in place for place in owned)), None)


def _owners_in(ask: Ask) -> list[tuple[int, int]]:
    """Return where words stand that say whose records are meant: "healthy customers" of "with healthy customers"."""
    places, start = list[tuple[int, int]](), -1
    values = [one for one in ask.segment.spans if one.tag == "value"]
    for before, token in pairwise(ask.outside):
        start = token.start if before.word in OF_OWNERS else start
        is_noun = (lexicon.kind_named(token) or kind_of_type(token)) is not None
        if start >= 0 and is_noun:
            places.append((start, token.end))
        is_value = bool(lexicon.values_in(token.word)) or any(one.holds(token) for one in values)
        start = start if is_value and not is_noun else -1
    return places


def _with_other_owners(asked: Segment, again: Segment, now: datetime) -> Segment | None:
    """Return an ask for records of others than before: "deals with customers?" - "And with prospects?"; else None."""
    new, old = _owners_in(Ask(again, now)), _owners_in(Ask(asked, now))
    if len(new) != 1 or len(old) != 1 or asked.act not in SEARCHES:
        return None
    (start, end), (first, last) = new[0], old[0]
    if end < len(again.text.rstrip(" ?.!")):
        return None
    changed = asked.with_words(first, last, again.text[start:end])
    moved = [replace(one, start=one.start - start + first) for one in again.spans if start <= one.start < end]
    kept = [one for one in changed.spans if not first <= one.start < last]
    return replace(changed, spans=tuple(sorted([*kept, *moved], key=lambda one: one.start)))


def _moments_in(ask: Ask) -> tuple[int, str] | None:
    """Return where the first verb stands that tells what happened at a time: "created last week?" - "And updated?"."""
    return next(((token.start, token.text) for token in ask.outside if token.word in _MOMENTS), None)


def _orders_in(ask: Ask) -> tuple[int, str] | None:
    """Return where the first order of a ranking stands, and its words."""
    for _, first, last in ask.orders:
        start = ask.outside[first].start
        return start, ask.text[start : ask.outside[last - 1].end]
    return None
