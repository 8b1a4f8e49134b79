"""Read a segment as what it can only be after the last answer: the same for another, a narrower list, a change."""

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.figures.counting import asks_difference
from aisha.adapters.llm.planner.acts.search.kinds import THOSE, is_bare_which
from aisha.adapters.llm.planner.acts.search.words import CLOSING
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.dialogue.orders_beside import (
    only_named,
    order_after_no,
    order_after_yes,
    restoring,
    with_difference,
)
from aisha.adapters.llm.planner.dialogue.refining import refined
from aisha.adapters.llm.planner.dialogue.repeating import counts_all, counts_the_same, sums_listed
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, names_in
from aisha.adapters.llm.planner.dialogue.surroundings import begins_with_person, contact_asked
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    BEFORE_VERBS,
    COMPUTED,
    LISTS,
    MIN_ASIDE,
    MIN_BACKGROUND,
    SOCIAL,
    SURE_ORDER,
    TOLD,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import DialogueState, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import (
    ACTS_ABOUT_ONE,
    FIELD_CHANGE_ACTS,
    NUMBER_TAGS,
    PROPER_NAME_TAGS,
    READS,
    SEARCHES,
    WRITES,
)
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

MAX_BARE_WORDS = 4
"""A longer question names more than one thing."""
_PARTS = frozenset("share part portion slice bit contribution".split())
_AROUND_PARTS = frozenset("and what what's is was how much 's s of that the it my about ? . ,".split())
_PLACES = frozenset("place spot position rank".split())
_AROUND_PLACES = frozenset("and so then who who's which what what's is comes came in on at the one about".split())
_AS_WELL = frozenset("as well too also and please then again the what about".split())
_CREATING = frozenset("add create enter register".split())
# Acts that mean the same after a change: changing the record again corrects it.
_SAME_AFTER_CHANGE = frozenset("update_record correct".split())
_REMAINING = frozenset("left remaining remains over".split())
_AROUND_REMAINING = frozenset("who whos what whats which is are s still does that leaves leave us me then".split())
_BEFORE_ANY = lexicon.INTERJECTIONS | frozenset("and so is are there".split())
_ADDRESSING = frozenset("you your yourself u ur aisha assistant bot this".split())
_CONDITIONS = frozenset("value amount when".split())
_OF_GOALS = frozenset(("goals", "update_goal"))
_OUTCOMES = frozenset("closed_won closed_lost lost".split())
_REMOVING = frozenset("change_activity delete".split())
_WHICH_THEY = THOSE | frozenset("and so ok what which who are were ones list show me all the please their".split())
_WHICH_THEY |= frozenset(("name", "names"))
OTHER_PART = "change a part"
"""The order to change words of an email that are not told apart."""


def read_in_dialogue(plan: Plan, state: DialogueState, segment: Segment) -> Segment:
    """Return a segment as what it can only be here: a choice where nothing was asked, an order among questions."""
    segment = order_after_yes(plan, state, order_after_no(plan, segment))
    segment = _closing_of_listed(plan, state.topic, _of_last_list(plan, state.topic, _of_somebody(segment)))
    segment = restoring(state.topic, with_difference(state.topic, segment))
    asked, segment = state.topic.asked, only_named(state.topic, _of_record(plan, state.topic, segment))
    if _orders_offered(plan, state.topic, segment):
        return replace(segment, act="take_up", others=())
    given = {one.tag for one in segment.spans}
    is_new_value = "field" not in given and bool(given & TOLD)
    is_withdrawn = segment.act in ("wait", "no") and "correct" in dict(segment.others)  # "wait 72"
    is_correction = is_withdrawn or (segment.act in FIELD_CHANGE_ACTS and _begins_correction(segment))
    if is_correction and state.topic.written and is_new_value:
        segment = replace(segment, act="correct", others=())  # "Correction: Bo should have 25."
    if (scored := _scored(segment)) is not None:
        return scored
    if segment.act == "events" and _asks_for_closed(Ask(segment, plan.now)):
        segment = replace(segment, act="search")  # "Did Bob close anything last month?"
    words = {one.word for one in tokenize(segment.text)}
    if segment.act == "more" and "else" in words and "who" in words:
        return replace(segment, act="search", others=())  # "Who else is there?"
    if segment.act in _SAME_AFTER_CHANGE and state.topic.written and not names_in(segment):
        same = sum(share for act, share in segment.others if act in _SAME_AFTER_CHANGE)
        segment = replace(segment, probability=min(1.0, segment.probability + same))
    if segment.act == "compare" and asked is not None and asked.act in COMPUTED and not Ask(segment, plan.now).kinds:
        whens = tuple(span for span in segment.spans if span.tag == "when")
        if whens and len(whens) == len([span for span in segment.spans if span.tag != "ref"]):
            # "Average deal size this quarter?" - "How does that compare to last quarter?"
            return replace(segment, act="again", probability=1.0, others=(), spans=whens)
    keys = {key for key, *_ in lexicon.placed_in(tokenize(segment.text), "summing")}
    is_part = "part_of_all" in keys and not policy.is_sure(Ask(segment, plan.now)) and not names_in(segment)
    if is_part and asked is not None and asked.act in SEARCHES and state.topic.search is not None:
        # "How many leads per status?" - "What percentage is warm?"
        return Segment("of those", "count").followed_by(replace(segment, act="count"))
    is_total = asked is not None and asked.act in SEARCHES | {"compare", "again"} and state.topic.search is not None
    if is_total and segment.act in READS and asks_difference(Ask(segment, plan.now)):
        return replace(segment, act="count", probability=1.0)
    if is_total and segment.act in READS | {"more", "again"} and _is_share(segment):
        # "Total in negotiation." - "Bob's share?", "my part of that?"
        owners = tuple(replace(one, start=0) for one in segment.spans if one.tag == "owner")
        return Segment(owners[0].text if owners else "mine", "again", spans=owners)
    if (asked_also := _asked_also(state.topic, segment)) is not None:
        return asked_also
    asks_for_field = {"field"} <= {span.tag for span in segment.spans} <= {"field", "ref"} and "?" in segment.text
    if segment.act == "again" and asks_for_field and asked is not None and asked.act in WRITES:
        return replace(segment, act="ask_field", probability=1.0)  # "Set his title to VP." - "And his phone?"
    is_of_list = len(state.topic.refs) > 1 and "their" in Ask(segment, plan.now).words and not names_in(segment)
    if segment.act == "again" and is_of_list and asked is not None and asked.act in READS:
        return replace(
            segment, act="ask_field", probability=1.0
        )  # "Deals closing this month." - "And their companies?"
    if (for_contact := contact_asked(state.topic, Ask(segment, plan.now))) is not None:
        return for_contact
    activities = [ref for ref in state.topic.refs if ref.type == "activity"]
    if segment.act == "no" and activities and asked is not None and asked.act in READS:
        act = next((act for act, _ in segment.others if act in _REMOVING), "")
        is_order = begins_as_order(segment) and state.question is None
        segment = replace(segment, act=act, probability=1.0) if act and is_order else segment  # "cancel that"
    choice = choice_in(Ask(segment, plan.now)) if segment.act == "no" else None
    if choice is not None and choice.is_other and state.topic.asked_about is not None:
        # "Delete the first note." - "No, the other one."
        return replace(segment, act="correct", probability=1.0, others=())
    if segment.act == "more" and (choice := choice_in(Ask(segment, plan.now))) and (choice.is_other or choice.orders):
        # "and the other one?", "the bigger one?"
        segment = replace(segment, act="again" if choice.is_other else "choose", probability=1.0)
    share = dict(segment.others).get("update_record", 0.0)
    is_of_person = bool(names_in(segment)) or begins_with_person(segment)
    if segment.act == "choose" and share >= policy.MIN_MEANT and is_of_person and state.question is None:
        segment = replace(segment, act="update_record", probability=policy.MIN_PROBABILITY)  # "Ann is the buyer."
    if segment.act == "again" and counts_all(Ask(segment, plan.now)):
        segment = replace(segment, act="count")
    is_choice = segment.act == "choose" and (state.question is not None or bool(state.topic.noun))
    if not is_choice and (narrowed := refined(state.topic, segment)) is not None:
        return narrowed
    ask = Ask(segment, plan.now)
    is_after_list = asked is not None and asked.act in LISTS
    if segment.act == "choose" and ask.orders and (is_after_list or (ask.kinds and state.question is None)):
        return replace(segment, act="rank", probability=1.0)  # "which one was the little one", "the biggest deal"
    if segment.act == "choose" and asked is not None and asked.act in READS and not state.topic.noun:
        choice = choice_in(Ask(segment, plan.now))
        rest = [
            one for one in Ask(segment, plan.now).outside if not (choice and choice.start <= one.start < choice.end)
        ]
        fields = [one for one in rest if lexicon.fields_in(one.word)]
        asked_for = [Span("field", one.text, one.start) for one in fields if one.word not in lexicon.ORDINALS]
        if asked_for:  # "second one's number"
            ordered = sorted((*segment.spans, *asked_for), key=lambda span: span.start)
            return replace(segment, act="ask_field", spans=tuple(ordered), others=())
        is_of_list = asked.act in LISTS and choice is not None
        return replace(segment, act="about" if is_of_list else "again")
    tags = {span.tag for span in segment.spans}
    if segment.act == "impossible" and segment.probability < MIN_ASIDE:
        # A doubtful "I can't do that" would be worse than an answer to what it may be.
        read = next((act for act, share in segment.others if act in READS and share >= MIN_BACKGROUND), None)
        segment = replace(segment, act=read) if read else segment
    is_of_activity = len(activities) == 1 and "ref" in tags
    is_chosen = bool(activities) and not begins_as_order(segment) and choice_in(Ask(segment, plan.now)) is not None
    is_bare = tags <= {"ref", "when"} and "when" in tags and not _types_said(segment)
    if segment.act == "create_activity" and is_bare and (is_of_activity or is_chosen):
        return replace(segment, act="change_activity")  # "Please put this one on March 23.", "first one to 9 tomorrow"
    if asked is not None and asked.act in READS and _is_bare_name(segment):
        spans = tuple(replace(one, tag="name") for one in segment.spans)
        return replace(segment, act="again", probability=1.0, others=(), spans=spans)  # "& the platform rollout?"
    is_of_records = len(state.topic.group) > 1 or state.topic.search is not None
    is_sum = segment.act in SEARCHES | {"ask_field"} and sums_listed(plan, segment)
    if asked is not None and asked.act in SEARCHES and is_of_records and is_sum:
        return replace(segment, act="again")  # "Leads in Denver." - "What are they worth together?"
    is_counted = asked is not None and asked.act in SEARCHES | {"forecast"}
    if segment.act in ("count", "ask_field") and is_counted and is_of_records and counts_the_same(plan, segment):
        return replace(segment, act="again")  # "What did we win this year?" - "In how many deals?"
    words = {one.word for one in tokenize(segment.text) if one.kind != "mark"}
    if (
        asked is not None
        and asked.act == "count"
        and state.topic.search
        and words <= _WHICH_THEY
        and words & (THOSE | {"names"})
    ):
        is_planned = state.topic.search.tool == "list_activities"
        return Segment("of those", "list_activities" if is_planned else "search")  # "How many …?" - "What are they?"
    has_list = len(state.topic.group) > 1 or state.topic.search is not None
    is_part = has_list and (segment.act in READS or segment.probability < policy.MIN_PROBABILITY)
    if is_part and (part := _part_of_listed(state.topic, Ask(segment, plan.now))):
        return replace(segment, act=part, probability=1.0, others=())
    if asked is not None and asked.act == "update_record" and state.topic.written and _changes_another(segment):
        return replace(segment, act="again", probability=1.0, others=())  # "and the training one to 90"
    verb = next((one.word for one in tokenize(segment.text) if one.word not in BEFORE_VERBS), "")
    is_written = asked is not None and asked.act in WRITES and bool(state.topic.written)
    if is_written and _is_for_another(segment):
        return replace(segment, act="again", probability=1.0, others=())  # "also to their pilot deal"
    if segment.act == "update_record" and tags <= PROPER_NAME_TAGS and verb in _CREATING:
        # "Add Zenith to the system": there is nothing to change.
        spans = tuple(replace(one, tag="new") if one.tag == "name" else one for one in segment.spans)
        return replace(segment, act="create_record", spans=spans)
    is_bare_field = segment.act == "again" and "field" in tags and bool(tags & TOLD) and not tags & PROPER_NAME_TAGS
    if is_bare_field and asked is not None and asked.act in WRITES:
        return replace(segment, act="update_record")  # "n amount 82k"
    is_among_questions = segment.act == "again" and asked is not None and asked.act in READS
    if is_among_questions and tags & TOLD and "ref" in tags and begins_as_order(segment):
        return replace(segment, act="update_record")  # "make the smaller one 30k"
    return segment


def _of_last_list(plan: Plan, topic: Topic, segment: Segment) -> Segment:
    """Return a question for some of the last list, or for the rest of it, as one: "any over 55k?", "who's left?"."""
    ask = Ask(segment, plan.now)
    words = [one.word.partition("'")[0] for one in ask.tokens if one.kind != "mark" and one.word not in _BEFORE_ANY]
    if segment.act not in READS or ask.kinds or names_in(segment):
        return segment
    if {*words} & _REMAINING and {*words} <= _REMAINING | _AROUND_REMAINING and not segment.spans and topic.whole:
        return Segment("the rest", "search", spans=(Span("ref", "the rest", 0),))
    if len(topic.group) < 2:
        return segment
    is_person = topic.group[0].type in ("lead", "contact")
    is_any = words[:1] == ["any"] or (is_person and words[:1] in (["anyone"], ["anybody"]))
    is_condition = bool({span.tag for span in segment.spans} & _CONDITIONS)
    is_bare = segment.act == "search" and is_any and is_condition and not ask.activity_types
    return Segment("of those", "search").followed_by(segment) if is_bare else segment


def _of_somebody(segment: Segment) -> Segment:
    """Return what was read as a question about the assistant, and does not address it, as what else it may be."""
    words = {one.word.partition("'")[0] for one in tokenize(segment.text)}
    other = next((act for act, _ in segment.others if act in READS), None)
    is_addressed = bool(words & _ADDRESSING) or other is None
    return segment if segment.act != "identity" or is_addressed else replace(segment, act=other or "", others=())


def _closing_of_listed(plan: Plan, topic: Topic, segment: Segment) -> Segment:
    """Return an order to move several deals of the last list as one for their close dates: "push both to April 30"."""
    ask, kinds = Ask(segment, plan.now), {ref.type for ref in topic.group}
    is_move = segment.act == "change_activity" and {span.tag for span in segment.spans} <= {"ref", "when"}
    if not is_move or kinds != {"opportunity"} or not (ask.texts("when") and ask.is_plural) or ask.activity_types:
        return segment
    field = Segment("close date", "update_record", segment.probability, (Span("field", "close date", 0),))
    return field.followed_by(replace(segment, act="update_record"))


def _of_record(plan: Plan, topic: Topic, segment: Segment) -> Segment:
    """Return what was read as a change of a goal, and names none, as one of the record in mind: "it's 68 now"."""
    is_of_goals = topic.asked is not None and topic.asked.act in _OF_GOALS
    is_bare = {span.tag for span in segment.spans} <= TOLD | {"ref"} and "goal" not in Ask(segment, plan.now).kinds
    if segment.act != "update_goal" or is_of_goals or not is_bare or not topic.refs:
        return segment
    return replace(segment, act="update_record", probability=max(policy.MIN_PROBABILITY, 1 - segment.probability))


def _begins_correction(segment: Segment) -> bool:
    return tokenize(segment.text)[0].word in lexicon.CORRECTING_WORDS | {"correction"}


def _scored(segment: Segment) -> Segment | None:
    """Return an order whose verb is the field that it changes as such a change: "score her 70"; None for a question."""
    verb = next((one for one in tokenize(segment.text) if one.word not in BEFORE_VERBS), None)
    number = next((one for one in segment.spans if one.tag in NUMBER_TAGS and one.text.isdecimal()), None)
    if segment.act != "score" or verb is None or number is None or not lexicon.fields_in(verb.word):
        return None
    others = [one for one in segment.spans if one is not number and one.start > verb.start]
    spans = (Span("field", verb.text, verb.start), *others, replace(number, tag="value"))
    ordered = tuple(sorted(spans, key=lambda span: span.start))
    return replace(segment, act="update_record", probability=1.0, others=(), spans=ordered)


def _is_share(segment: Segment) -> bool:
    """Return whether a segment only names a colleague's part of the last total: "Bob's share", "and Bob's part?"."""
    rest = {one.word for one in tokenize(segment.text) if not any(s.start <= one.start < s.end for s in segment.spans)}
    is_of_one = [span.tag for span in segment.spans if span.tag != "ref"] == ["owner"] or "my" in rest
    return is_of_one and bool(rest & _PARTS) and rest <= _PARTS | _AROUND_PARTS


def _orders_offered(plan: Plan, topic: Topic, segment: Segment) -> bool:
    """Return whether an order without a value is the change kept at hand: "If they pay, …" - "They paid, move it"."""
    ask = Ask(segment, plan.now)
    is_bare = {span.tag for span in segment.spans} <= {"ref"} and not ask.values and "?" not in segment.text
    is_change = segment.act in FIELD_CHANGE_ACTS and is_bare and bool(ask.words & lexicon.ORDER_VERBS)
    return is_change and len(topic.offers) == 1 and plan.read(topic.offers[0]).segments[0].act in FIELD_CHANGE_ACTS


def _asks_for_closed(ask: Ask) -> bool:
    """Return whether a question is which deals were won or lost, not what was done in the CRM."""
    is_of_deals = bool(ask.words & CLOSING) or not _OUTCOMES.isdisjoint(ask.values)
    return "did" in ask.words and is_of_deals and not (ask.texts("name") or ask.texts("ref"))


def _is_for_another(segment: Segment) -> bool:
    """Return whether a segment only says to which other record the order before it goes, too: "and on the pilot"."""
    words = [one.word for one in tokenize(segment.text) if one.kind != "mark"]
    is_joined = words[:1] in (["also"], ["and"], ["plus"]) and words[1:2] in (["to"], ["on"], ["for"])
    is_known = {span.tag for span in segment.spans} <= PROPER_NAME_TAGS | {"ref"} and "?" not in segment.text
    return is_joined and is_known and not lexicon.ORDER_VERBS & {*words}


def _changes_another(segment: Segment) -> bool:
    """Return whether a segment gives another record a number, and says neither verb nor field: "and Bo to 70"."""
    tokens, tags = tokenize(segment.text), {span.tag for span in segment.spans}
    is_joined = any(one.word in ("and", "also", "plus", "&") for one in tokens[:1])
    is_said = any(one.word in lexicon.ORDER_VERBS or lexicon.kind_named(one) == "goal" for one in tokens)
    values = [span.text for span in segment.spans if span.tag in ("value", "amount", "count")]
    is_number = len(values) == 1 and any(letter.isdecimal() for letter in values[0])
    is_change = segment.act in FIELD_CHANGE_ACTS | {"update_goal"} and "field" not in tags
    return is_change and is_joined and is_number and not is_said and bool(tags & {"name", "ref"})


def _asked_also(topic: Topic, segment: Segment) -> Segment | None:
    """Return what only names another field, or a place in the list, as a question: "Her email too", "who's second"."""
    asked = topic.asked
    if asked is None or asked.act not in READS:
        return None
    clause = segment.text.partition(",")[0].partition(" if ")[0]
    spans = [span for span in segment.spans if span.end <= len(clause)]
    rest = {one.word for one in tokenize(clause) if not any(span.start <= one.start < span.end for span in spans)}
    is_field = {"field"} <= {span.tag for span in spans} <= {"field", "ref"} and rest <= _AS_WELL
    if segment.act in BACKGROUND and is_field:
        return Segment(clause, "ask_field", spans=tuple(spans))
    words = [one.word for one in tokenize(segment.text) if one.kind != "mark" and one.word != "and"]
    if words == ["when"] and [ref.type for ref in topic.refs] == ["opportunity"]:
        text = "when does it close"
        return Segment(
            text, "ask_field", spans=(Span("ref", "it", text.index("it")), Span("field", "close", text.index("close")))
        )
    tokens = [one for one in tokenize(segment.text) if one.kind != "mark" and one.word not in _AROUND_PLACES]
    places = [one for one in tokens if one.word in lexicon.ORDINALS]
    ordering = {at for _, *ends in lexicon.placed_in(tokens, "orders") for at in range(*ends)}
    place = tokens.index(places[0]) if len(places) == 1 else -1
    if asked.act == "rank" and place >= 0 and place not in ordering and len(tokens) == len({*ordering, place}):
        # "And the second biggest?": its place in the list is all that it says.
        text = f"the {places[0].text} one"
        return Segment(text, "about", spans=(Span("ref", text, 0),)) if len(topic.group) > 1 else None
    is_place = bool(tokens) and all(one.word in lexicon.ORDINALS.keys() | _PLACES for one in tokens)
    is_read = segment.act not in WRITES | SOCIAL
    if asked.act in ACTS_ABOUT_ONE and is_read and is_place and len(topic.refs) == 1 < len(topic.group):
        text = f"the {tokens[0].text} one"  # "When does the third one close?" - "And the 4th?" is no day.
        return Segment(text, "again", spans=(Span("ref", text, 0),))
    if asked.act in LISTS and is_read and is_place and len(topic.group) > 1:
        return Segment(segment.text, "about", spans=(Span("ref", tokens[0].text, tokens[0].start),))
    return None


def _types_said(segment: Segment) -> bool:
    return any(
        lexicon.activity_type_of(token.word) or token.word in lexicon.PERSON_PRONOUNS
        for token in tokenize(segment.text)
    )


def _is_bare_name(segment: Segment) -> bool:
    """Return whether a short question of which no act is sure only names something: "and the rollout?"."""
    words = [token for token in tokenize(segment.text) if token.kind != "mark"]
    is_doubtful = segment.act in READS and segment.probability < SURE_ORDER and segment.text.rstrip().endswith("?")
    is_named = len(segment.spans) == 1 and segment.spans[0].tag in ("name", "topic", "org")
    is_of_field = is_named and bool(lexicon.fields_in(segment.text[segment.spans[0].end :]))
    return is_doubtful and is_named and not is_of_field and len(words) <= MAX_BARE_WORDS


def _part_of_listed(topic: Topic, ask: Ask) -> str:
    """Return the act of a doubtful question for a part of the last list: "which of those is important?"; else empty."""
    words = [one.word for one in ask.tokens if one.kind != "mark" and one.word not in ("and", "so", "but")]
    is_of_list = words[1:2] == ["of"] and words[0] in ("which", "who", "any")
    is_planned = any(ref.type == "activity" for ref in topic.group)
    if (
        ask.orders
        and not is_planned
        and (is_of_list or ("which" in words and (ask.texts("ref") or is_bare_which(ask))))
    ):
        return "" if ask.act == "rank" or ask.act in LISTS - {"list_activities"} else "rank"
    if not is_of_list or policy.is_sure(ask) or ask.fields or not (ask.values or ask.texts("owner")):
        return ""
    return "list_activities" if is_planned else "search"
