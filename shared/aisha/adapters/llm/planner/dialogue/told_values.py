"""Read what tells a value after an answer or a change as a change: of the field asked for, or of the record changed."""

from datetime import datetime

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import is_contact
from aisha.adapters.llm.planner.acts.notes import quoted
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.surroundings import begins_with_person
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    BEFORE_VERBS,
    TOLD,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import (
    FIELD_CHANGE_ACTS,
    PROPER_NAME_TAGS,
)
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

MAX_TITLE_WORDS = 4
"""Words after "she's" that may be a title, with the article."""
_LISTING = frozenset("show list find give get pull display search see look any all".split())
_CHANGING = frozenset("change set make update switch turn".split())
_BEING = frozenset("he's she's hes shes".split())
_RECORDED = frozenset("create_record update_record".split())
_NAMES = frozenset("contact account company name owner".split())
"""Fields whose values are no numbers and no days."""
_FIELDS_OF_OPTIONS = frozenset("stage status source health type priority".split())
# Acts as which a value alone may be read.
_TELLING = FIELD_CHANGE_ACTS | {"again", "change_activity"}
# Acts as which a mere statement of values may be read.
_STATED = frozenset("search forecast ask_field again about".split())
_LINKING = "link it to "


def tells_value(topic: Topic, again: Segment, now: datetime) -> bool:
    """Return whether a segment only tells a value of the field asked for: "make it VP instead", "it's 68 now"."""
    asked = topic.asked
    if asked is None or (again.act == "change_activity" and any(ref.type == "activity" for ref in topic.refs)):
        return False
    tags, words = {span.tag for span in again.spans}, {one.word for one in tokenize(again.text)}
    is_value = bool(tags & TOLD) and not tags & (PROPER_NAME_TAGS | {"field"}) and not words & {"same", "for"}
    fields = [name for span in asked.spans if span.tag == "field" for name in lexicon.fields_in(span.text)]
    is_of_field = asked.act == "ask_field" and bool(fields) and not _NAMES.intersection(fields)
    # "What's the amount?" - "The pilot is dead, mark it lost."
    options = [span for span in again.spans if span.tag == "value" and lexicon.phrase_key(span.text, "values")]
    is_value = is_value and not (options and _FIELDS_OF_OPTIONS.isdisjoint(fields))
    is_value = is_value and not any(map(lexicon.activity_type_of, words))
    is_of_other = again.act != "again" and choice_in(Ask(again, now)) is not None  # "Set number 2 to healthy."
    return again.act in _TELLING and is_of_field and is_value and not is_of_other and "?" not in again.text


def more_of_changed(plan: Plan, topic: Topic, segment: Segment) -> Step | None:
    """Return the change that a statement after a creation or a change may be: "already in proposal, by the way".

    It is confirmed first, since it orders nothing.
    """
    statement, tags = Ask(segment, plan.now), {span.tag for span in segment.spans}
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
    if (title := _title_told(segment)) and len(topic.changed) == 1 and topic.changed[0].type in ("lead", "contact"):
        opening = "set the job title to "
        spans = (Span("field", "job title", len("set the ")), Span("value", title, len(opening)))
        change = Segment(opening + title, "update_record", spans=spans)
        return Step(Ask(change, plan.now), {"": topic.changed[0]}, doubt=policy.UNSURE)
    contacts = [span for span in segment.spans if is_contact(segment.text, span)]
    if contacts and [ref.type for ref in topic.changed] == ["opportunity"]:
        # "Create a deal for Acme." - "The contact is Ann Lee."
        name = Span("name", contacts[0].text, len(_LINKING))
        spans = (Span("ref", "it", _LINKING.index("it")), name)
        return Step(Ask(Segment(_LINKING + name.text, "update_record", spans=spans), plan.now))
    is_after_change = topic.asked is not None and topic.asked.act in _RECORDED and topic.written
    is_statement = (
        segment.act in (_STATED | BACKGROUND) and not policy.is_question(statement) and "?" not in statement.text
    )
    if not (is_after_change and is_statement and tags & TOLD) or tags - {*TOLD, "field", "ref"} or statement.kinds:
        return None
    is_other = choice_in(statement) is not None or statement.tokens[0].word in _LISTING | lexicon.ORDER_VERBS
    if len(topic.changed) != 1 or is_other:
        return None
    change = replace(segment, act="update_record", probability=1.0, others=())
    return Step(Ask(change, plan.now), {"": topic.changed[0]}, doubt=policy.UNSURE)


def _title_told(segment: Segment) -> str:
    """Return the work that a statement says somebody has: "she's the foreman"; empty for another statement."""
    tokens = tokenize(segment.text.rstrip(" .!"))
    while tokens[1:] and tokens[-1].word in lexicon.INTERJECTIONS:
        tokens.pop()  # "He's the managing director btw."
    is_person = tokens[0].word in _BEING or (
        tokens[0].word in lexicon.PERSON_PRONOUNS and tokens[1:2] and tokens[1].word in ("is", "'s")
    )
    rest = tokens[1:] if tokens[0].word in _BEING else tokens[2:]
    is_title = rest[:1] and rest[0].word in ("the", "a", "an", "our", "their") and 1 < len(rest) <= MAX_TITLE_WORDS
    is_told = is_person and is_title and all(one.kind == "word" for one in rest)
    is_value = any(lexicon.kind_named(one) or lexicon.values_in(one.word) for one in rest[1:])
    return segment.text[rest[1].start : rest[-1].end] if is_told and not is_value else ""


def changed_field(asked: Segment | None, segment: Segment) -> Segment:
    """Return a segment after a question for a field as the change of it: "what's his title?" - "change that to CFO"."""
    tokens = tokenize(segment.text)
    words = [(place, one.word) for place, one in enumerate(tokens) if one.word not in BEFORE_VERBS | {"and"}][:3]
    opening_words = [word for _, word in words]
    is_change = (
        len(opening_words) == 3
        and opening_words[0] in _CHANGING
        and opening_words[1] in lexicon.THING_PRONOUNS
        and opening_words[2] == "to"
    )
    fields = [one.text for one in asked.spans if one.tag == "field"] if asked and asked.act == "ask_field" else []
    if not (fields and is_change) or words[-1][0] + 1 >= len(tokens):
        return segment
    opening = f"change the {fields[-1]} to "
    rest = segment.text[tokens[words[-1][0] + 1].start :].rstrip(" .!")
    rest = quoted(rest) or rest
    spans = (Span("field", fields[-1], len("change the ")), Span("value", rest, len(opening)))
    return Segment(opening + rest, "update_record", spans=spans)
