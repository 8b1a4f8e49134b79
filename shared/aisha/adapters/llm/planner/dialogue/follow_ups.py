"""Read a segment as what it can only be after the last answer: the same for another, a narrower list, a change."""

import re
from datetime import datetime

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import is_contact, with_described
from aisha.adapters.llm.planner.acts.figures.counting import asks_difference
from aisha.adapters.llm.planner.acts.mail_words import swapped, with_message
from aisha.adapters.llm.planner.acts.mailing import limit_asked, revision_of
from aisha.adapters.llm.planner.acts.notes import quoted
from aisha.adapters.llm.planner.acts.search.kinds import THOSE, is_bare_which
from aisha.adapters.llm.planner.acts.search.words import CLOSING
from aisha.adapters.llm.planner.choices import bare_description, choice_in
from aisha.adapters.llm.planner.dialogue.orders_beside import only_named, with_difference
from aisha.adapters.llm.planner.dialogue.refining import refined
from aisha.adapters.llm.planner.dialogue.repeated_notes import note_again
from aisha.adapters.llm.planner.dialogue.segments.mails import joined
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.surroundings import begins_with_person, contact_asked, with_own_days
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    BEFORE_VERBS,
    LISTS,
    MIN_ASIDE,
    MIN_BACKGROUND,
    SOCIAL,
    SURE_ORDER,
    TOLD,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.slots import strange
from aisha.adapters.llm.planner.state import DialogueState, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import (
    ACTS_ABOUT_ONE,
    FIELD_CHANGE_ACTS,
    MAIL_ACTS,
    PROPER_NAME_TAGS,
    READS,
    SEARCHES,
    WRITES,
)
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

MIN_TELLING = 3
"""Letters of a word up to which it is passed over where nothing explains it."""
MAX_BARE_WORDS = 4
"""A longer question names more than one thing."""
_OWN = frozenset("mine my myself own".split())
_LISTING = frozenset("show list find give get pull display search see look any all".split())
_SUMMING = frozenset("together altogether combined total sum add adds".split())
_ONES = frozenset("ones those".split())
_PARTS = frozenset("share part portion slice bit contribution".split())
_AROUND_PARTS = frozenset("and what what's is was how much 's s of that the it my about ? . ,".split())
_COUNTED = frozenset("many much".split())
_HAVING = frozenset("have got there exist".split())
_PLACES = frozenset("place spot position rank".split())
_AROUND_PLACES = frozenset("and so then who who's which what what's is comes came in on at the one about".split())
_AS_WELL = frozenset("as well too also and please then again the what about".split())
_CHANGING = frozenset("change set make update switch turn".split())
_INVITED = frozenset("meeting invite invitation".split())
_INCLUDING = frozenset("add include invite put copy".split())
_CREATING = frozenset("add create enter register".split())
_RECORDED = frozenset("create_record update_record".split())
# Acts that mean the same after a change: changing the record again corrects it.
_SAME_AFTER_CHANGE = frozenset("update_record correct".split())
# Acts as which a mere statement of values may be read.
_STATED = frozenset("search forecast ask_field again about".split())
_OUTCOMES = frozenset("closed_won closed_lost lost".split())
_REMOVING = frozenset("change_activity delete".split())
_OF_THE_SAME = _COUNTED | frozenset(
    (
        "and so ok okay then but the a an per each apiece for of in on across is are was were that this it they "
        "those them do does did make makes come comes to how what what's whats as about there's"
    ).split()
)
"""Words of a question for a number or a sum that say nothing of which records it is about."""
_WHICH_THEY = THOSE | frozenset("and so ok what which who are were ones list show me all the please their".split())
_WHICH_THEY |= frozenset(("name", "names"))
_ADDED_BEFORE, _ADDED_AFTER = (lexicon.word_set("widening_words", key) for key in ("before", "after"))
_RELEASED = re.compile(
    r"\bsend (?:it|that|this)\b|\b(?:it|that|this) (?:can|may|should) (?:go|be sent)\b", re.IGNORECASE
)
"""Words that let an email go that was shown: "fine, send it", "that can go out"."""

_LINKING = "link it to "


def revising_draft(plan: Plan, topic: Topic, segment: Segment) -> Segment:
    """Return a segment that revises the email shown last as its order with that: "shorter", "add that I'll call"."""
    asked = topic.asked
    is_waiting = topic.draft is None and asked is not None and asked.act in MAIL_ACTS and topic.ordered != asked
    if not (topic.draft or is_waiting):
        return segment
    if (swap := swapped(topic.draft[1] if topic.draft else asked.text if asked else "", segment.text)) is not None:
        if topic.draft is None and asked is not None:
            return with_message(replace(asked, text=swap))
        return replace(segment, act="draft_email", probability=1.0, others=(), spans=())
    if limit_asked(Ask(segment, plan.now)):
        return replace(segment, act="draft_email", probability=1.0, others=())
    if _RELEASED.search(segment.text) and not {one.word for one in tokenize(segment.text)} & policy.DENIALS:
        return asked if asked is not None and is_waiting else Segment(segment.text, "send_email")
    wish = revision_of(Ask(segment, plan.now)) if segment.act not in SOCIAL else None
    if wish is None:
        return segment
    if asked is not None and asked.act in MAIL_ACTS and wish.strip(" .!").lower() != "subject":
        return with_message(joined(asked, Segment(wish, asked.act), ". "))
    return replace(segment, act="draft_email", probability=1.0)


def inviting_more(topic: Topic, segment: Segment, now: datetime) -> Segment:
    """Return a segment after an invitation that adds people to it as an invitation: "add bo@globex.example to it"."""
    ask, is_invited = Ask(segment, now), topic.ordered is not None and topic.ordered.act == "invite"
    is_person = any(span.tag in ("email", *PROPER_NAME_TAGS) for span in segment.spans)
    is_pointing = bool(ask.texts("ref") or ask.words & (lexicon.THING_PRONOUNS | _INVITED))
    verb = next((one.word for one in ask.tokens if one.word not in BEFORE_VERBS), "")
    if not (is_invited and is_person and is_pointing and verb in _INCLUDING):
        return segment
    spans = tuple(
        replace(one, tag="name") if one.tag in PROPER_NAME_TAGS else one for one in segment.spans if one.tag != "ref"
    )
    return replace(segment, act="invite", probability=1.0, others=(), spans=spans)


def tells_value(asked: Segment, again: Segment) -> bool:
    """Return whether what was read as "the same for …" tells a value of the field asked for: "make it VP instead"."""
    tags, words = {span.tag for span in again.spans}, {one.word for one in tokenize(again.text)}
    is_value = bool(tags & TOLD) and not tags & (PROPER_NAME_TAGS | {"field"}) and not words & {"same", "for"}
    return again.act == "again" and asked.act == "ask_field" and is_value and "?" not in again.text


def more_of_changed(plan: Plan, topic: Topic, segment: Segment) -> Step | None:
    """Return the change that a statement after a creation or a change may be: "already in proposal, by the way".

    It is confirmed first, since it orders nothing.
    """
    said, tags = Ask(segment, plan.now), {span.tag for span in segment.spans}
    orgs = [span for span in segment.spans if span.tag == "org"]
    is_of_company = (
        segment.act in ("create_record", "report", "context") and begins_with_person(segment) and len(orgs) == 1
    )
    if is_of_company and topic.asked is not None and topic.asked.act == "create_record" and len(topic.changed) == 1:
        # "Create a lead for Ann Lee." - "She's with Copperfield Timber."
        opening = "set the company to "
        spans = (Span("field", "company", len("set the ")), Span("value", orgs[0].text, len(opening)))
        change = Segment(opening + orgs[0].text, "update_record", spans=spans)
        return Step(Ask(change, plan.now), {"": topic.changed[0]}, doubt=policy.UNSURE)
    contacts = [span for span in segment.spans if is_contact(segment.text, span)]
    if contacts and [ref.type for ref in topic.changed] == ["opportunity"]:
        # "Create a deal for Acme." - "The contact is Ann Lee."
        name = Span("name", contacts[0].text, len(_LINKING))
        spans = (Span("ref", "it", _LINKING.index("it")), name)
        return Step(Ask(Segment(_LINKING + name.text, "update_record", spans=spans), plan.now))
    is_after_change = topic.asked is not None and topic.asked.act in _RECORDED and topic.written
    is_statement = segment.act in (_STATED | BACKGROUND) and not policy.is_question(said) and "?" not in said.text
    if not (is_after_change and is_statement and tags & TOLD) or tags - {*TOLD, "field", "ref"} or said.kinds:
        return None
    is_other = choice_in(said) is not None or said.tokens[0].word in _LISTING | lexicon.ORDER_VERBS
    if len(topic.changed) != 1 or is_other:
        return None
    change = replace(segment, act="update_record", probability=1.0, others=())
    return Step(Ask(change, plan.now), {"": topic.changed[0]}, doubt=policy.UNSURE)


def read_in_dialogue(plan: Plan, state: DialogueState, segment: Segment) -> Segment:
    """Return a segment as what it can only be here: a choice where nothing was asked, an order among questions."""
    asked, segment = state.topic.asked, only_named(state.topic, with_difference(state.topic, segment))
    if segment.act == "events" and _asks_for_closed(Ask(segment, plan.now)):
        segment = replace(segment, act="search")  # "Did Bob close anything last month?"
    if segment.act in _SAME_AFTER_CHANGE and state.topic.written and not names_in(segment):
        same = sum(share for act, share in segment.others if act in _SAME_AFTER_CHANGE)
        segment = replace(segment, probability=min(1.0, segment.probability + same))
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
    if segment.act == "more" and (choice := choice_in(Ask(segment, plan.now))) and (choice.is_other or choice.orders):
        # "and the other one?", "the bigger one?"
        segment = replace(segment, act="again" if choice.is_other else "choose", probability=1.0)
    share = dict(segment.others).get("update_record", 0.0)
    is_of_person = bool(names_in(segment)) or begins_with_person(segment)
    if segment.act == "choose" and share >= policy.MIN_MEANT and is_of_person and state.question is None:
        segment = replace(segment, act="update_record", probability=policy.MIN_PROBABILITY)  # "Ann is the buyer."
    if segment.act == "again" and _counts_all(Ask(segment, plan.now)):
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
    if (
        segment.act == "create_activity"
        and tags == {"ref", "when"}
        and len(activities) == 1
        and not _types_said(segment)
    ):
        return replace(segment, act="change_activity")  # "Please put this one on March 23."
    if asked is not None and asked.act in READS and _is_bare_name(segment):
        spans = tuple(replace(one, tag="name") for one in segment.spans)
        return replace(segment, act="again", probability=1.0, others=(), spans=spans)  # "& the platform rollout?"
    is_of_records = len(state.topic.group) > 1 or state.topic.search is not None
    is_sum = segment.act in SEARCHES | {"ask_field"} and _sums_listed(plan, segment)
    if asked is not None and asked.act in SEARCHES and is_of_records and is_sum:
        return replace(segment, act="again")  # "Leads in Denver." - "What are they worth together?"
    is_counted = asked is not None and asked.act in SEARCHES | {"forecast"}
    if segment.act in ("count", "ask_field") and is_counted and is_of_records and _counts_the_same(plan, segment):
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


def _is_share(segment: Segment) -> bool:
    """Return whether a segment only names a colleague's part of the last total: "Bob's share", "and Bob's part?"."""
    rest = {one.word for one in tokenize(segment.text) if not any(s.start <= one.start < s.end for s in segment.spans)}
    is_of_one = [span.tag for span in segment.spans if span.tag != "ref"] == ["owner"] or "my" in rest
    return is_of_one and bool(rest & _PARTS) and rest <= _PARTS | _AROUND_PARTS


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


def changed_field(asked: Segment | None, segment: Segment) -> Segment:
    """Return a segment after a question for a field as the change of it: "what's his title?" - "change that to CFO"."""
    tokens = tokenize(segment.text)
    words = [(place, one.word) for place, one in enumerate(tokens) if one.word not in BEFORE_VERBS | {"and"}][:3]
    said = [word for _, word in words]
    is_change = len(said) == 3 and said[0] in _CHANGING and said[1] in lexicon.THING_PRONOUNS and said[2] == "to"
    fields = [one.text for one in asked.spans if one.tag == "field"] if asked and asked.act == "ask_field" else []
    if not (fields and is_change) or words[-1][0] + 1 >= len(tokens):
        return segment
    opening = f"change the {fields[-1]} to "
    rest = segment.text[tokens[words[-1][0] + 1].start :].rstrip(" .!")
    rest = quoted(rest) or rest
    spans = (Span("field", fields[-1], len("change the ")), Span("value", rest, len(opening)))
    return Segment(opening + rest, "update_record", spans=spans)


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
    tokens = [one for one in tokenize(segment.text) if one.kind != "mark" and one.word not in _AROUND_PLACES]
    places = [one for one in tokens if one.word in lexicon.ORDINALS]
    ordering = {at for _, *ends in lexicon.placed_in(tokens, "orders") for at in range(*ends)}
    place = tokens.index(places[0]) if len(places) == 1 else -1
    if asked.act == "rank" and place >= 0 and place not in ordering and len(tokens) == len({*ordering, place}):
        # "And the second biggest?": its place in the list is all that it says.
        text = f"the {places[0].text} one"
        return Segment(text, "about", spans=(Span("ref", text, 0),)) if len(topic.group) > 1 else None
    is_place = bool(tokens) and all(one.word in lexicon.ORDINALS.keys() | _PLACES for one in tokens)
    if asked.act in LISTS and segment.act not in WRITES | SOCIAL and is_place and len(topic.group) > 1:
        return Segment(segment.text, "about", spans=(Span("ref", tokens[0].text, tokens[0].start),))
    return None


def _sums_listed(plan: Plan, segment: Segment) -> bool:
    """Return whether a question asks for the sum of what was listed, and says nothing else: not "did we lose"."""
    ask = Ask(replace(segment, act="count"), plan.now)
    words = {token.word for token in ask.tokens}
    tags = {span.tag for span in segment.spans}
    is_bare = tags <= {"ref", "field"} and not words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS
    is_bare = is_bare and not _counts_all(ask) and not ask.orders
    is_explained = all(one.word in _SUMMING or policy.is_explained(ask, one) for one in ask.loose)
    return is_bare and is_explained and bool(words & _SUMMING)


def _counts_all(ask: Ask) -> bool:
    """Return whether a question says itself which records it counts: "and how many leads do we have in total?"."""
    return bool(ask.kinds and ask.words & _COUNTED and ask.words & _HAVING) and not ask.texts("ref")


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


def _counts_the_same(plan: Plan, segment: Segment) -> bool:
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


def repeated_ask(plan: Plan, asked: Segment, again: Segment) -> Segment:
    """Return the ask for something else: with the slots, values and the kind of record of "and bob's warm leads?"."""
    again = _with_bounds(again)
    if asked.act in READS:
        again = with_own_days(plan.topic, asked, again, plan.now)
    if asked.act in ACTS_ABOUT_ONE and names_in(asked):  # "What's Ann's title?" - "And Bo's?"
        again = replace(
            again, spans=tuple(replace(one, tag="name") if one.tag == "owner" else one for one in again.spans)
        )
    again = _with_names_as_values(again) if asked.act in ACTS_ABOUT_ONE else again
    if asked.act in WRITES:
        again = with_described(plan, Ask(again, plan.now)).segment  # "also to their pilot deal"
    if asked.act == "create_note":
        return note_again(asked, again)
    if (counted := _counted_again(plan, asked, again)) is not None:
        return counted
    ask = Ask(again, plan.now)
    if asked.act in LISTS and (widened := _widened(asked, ask)) is not None:
        return widened
    is_of_name = asked.act in LISTS and bool(names_in(again))  # "The demo with Ann?" - "And the one with Bo?"
    if is_of_name:
        again = replace(again, spans=tuple(span for span in again.spans if span.tag != "ref"))
        ask = Ask(again, plan.now)
    if (choice := choice_in(ask)) is not None and not is_of_name:
        # "What's the stage of the Acme pilot?" - "Same question on the field service one."
        others = [span for span in again.spans if not choice.start <= span.start < choice.end]
        again = replace(again, spans=(*others, Span("ref", again.text[choice.start : choice.end], choice.start)))
        ask = Ask(again, plan.now)
        asked = _without_subject(asked, plan.now)
    elif asked.act in ACTS_ABOUT_ONE and (described := bare_description(ask)) is not None:
        return _without_subject(asked, plan.now).followed_by(described)
    elif ask.texts("ref") and not names_in(again) and not ask.words & lexicon.PLURAL_WORDS:
        asked = _without_subject(asked, plan.now)  # "When did we last speak to Ann?" - "And to him?"
    if asked.act in LISTS and ask.texts("when"):
        asked = _with_one_time(plan, asked)
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
    is_sum = any(lexicon.placed_in(tokenize(asked.text), "summing"))
    if asked.act == "count" and "ones" in ask.words and not is_sum:
        repeated = replace(repeated, act="search")  # "How much is that?" - "And the ones in proposal?"
    for found in (_kinds_in, _orders_in):
        new, old = found(ask), found(Ask(repeated, plan.now))
        if new and old and not (found is _kinds_in and ask.words & _ONES):  # "The ones with two deals" are no deals.
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
    unread += [one.text for one in strange(ask) if len(one.word) > MIN_TELLING]
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
        told = replace(ask.segment, spans=tuple(span for span in ask.segment.spans if span.tag in TOLD))
        return asked.amended(told).followed_by(Segment(words, asked.act))
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
    if asked.act in SEARCHES and _sums_listed(plan, again):
        if Ask(again, plan.now).words & lexicon.BOTH_WORDS:
            return replace(again, act="count")  # "Deals in proposal?" - "In negotiation?" - "And both together?"
        summed = Segment("total value", "count")
        if asked == plan.topic.asked and plan.topic.search is not None:
            return Segment("of those", "count").followed_by(summed)
        return replace(asked, act="count").followed_by(summed)  # "Leads in Denver." - "Together that's how much?"
    if asked.act in SEARCHES | {"forecast"} and _counts_the_same(plan, again):
        same = asked if asked.act in ("count", "search") else Segment("of those", "count")
        return replace(same, act="count").followed_by(again)  # "My proposals?" - "And the average per deal?"
    return None


def _without_subject(asked: Segment, now: datetime) -> Segment:
    for span in (one for one in asked.spans if one.tag in ("name", "new", "org", "ref")):
        asked = Ask(asked, now).without(span.start, span.end).segment
    return asked


def _with_bounds(again: Segment) -> Segment:
    """Return a segment whose amounts hold the words that make them bounds: "and over 80k?"."""
    tokens = tokenize(again.text)
    text, starts = plain_text(tokens)
    spans = list(again.spans)
    for amount in find_amounts(text):
        first, last = amount.reach
        said = [one for one, at in zip(tokens, starts, strict=True) if first <= at < last]
        inside = [one for one in spans if one.tag in TOLD and said[0].start <= one.start < said[-1].end]
        if amount.relation and inside:
            whole = Span(inside[0].tag, again.text[said[0].start : said[-1].end], said[0].start)
            spans = [whole if one is inside[0] else one for one in spans if one not in inside[1:]]
    return replace(again, spans=tuple(spans))


def _with_one_time(plan: Plan, asked: Segment) -> Segment:
    """Return an ask with the first of its times, in the place of all: "Tomorrow and Friday." - "And Monday?"."""
    whens = [span for span in asked.spans if span.tag == "when"]
    return Ask(asked, plan.now).without(whens[0].end, whens[-1].end).segment if len(whens) > 1 else asked


def _with_values(plan: Plan, asked: Segment, again: Segment) -> Segment:
    """Return the ask with what is said anew; a value replaces the one of the same field: "the same for referrals"."""
    values = [span for span in again.spans if span.tag == "value"]
    if asked.act not in LISTS or len(values) != 1:
        return asked.amended(again)
    told = _parameter_of(plan, values[0].text)
    others = [one for one in asked.spans if one.tag == "value" and _parameter_of(plan, one.text) != told]
    kept = replace(asked, spans=tuple(replace(one, tag="kept") if one in others else one for one in asked.spans))
    amended = kept.amended(again)
    return replace(
        amended, spans=tuple(replace(one, tag="value") if one.tag == "kept" else one for one in amended.spans)
    )


def _parameter_of(plan: Plan, text: str) -> str:
    """Return the parameter that an enumerated value is of in the list shown last; empty for any other value."""
    tool = plan.tools.get(plan.topic.search.tool) if plan.topic.search else None
    value = lexicon.phrase_key(text, "values") or text
    said = {value, text}
    names = (name for name, one in (tool.properties if tool else {}).items() if said & {*one.get("enum", ())})
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
    return next(((token.start, token.text) for token in ask.loose if lexicon.kind_named(token)), None)


def _orders_in(ask: Ask) -> tuple[int, str] | None:
    """Return where the first order of a ranking stands, and its words."""
    for _, first, last in ask.orders:
        start = ask.outside[first].start
        return start, ask.text[start : ask.outside[last - 1].end]
    return None
