"""Complete an order to make something with what a later sentence of the message says of it."""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import is_contact, says, title_place
from aisha.adapters.llm.planner.acts.writing.gleaning import measures_in
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, names_in, subject_of
from aisha.adapters.llm.planner.dialogue.words import ORDERS
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, MAIL_ACTS, NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize

_AND_THAT = re.compile(r"\W{0,3}(?:and|plus)\s+that\b", re.IGNORECASE)
"""Matches the beginning of what goes on with what a note says."""
_MAKING = frozenset(("create_record", "create_activity", "invite"))
"""Orders to which a sentence may add what they lack."""
_GIVING = FIELD_CHANGE_ACTS | {"create_record", "correct"}
_OBJECTS = frozenset("him her them".split())
_NAMING = frozenset("call called name named title titled".split())
# Words of what a deal is, or is expected to do: "already at proposal, should close in June".
_EXPECTING = frozenset("should will already currently due".split())
_NO_DETAILS = (ORDERS - FIELD_CHANGE_ACTS - {"about", "ask_field", "search"}) | {"negated", "hypothetical", "again"}
_STATING = (
    lexicon.LINK_WORDS
    | lexicon.PERSON_PRONOUNS
    | lexicon.THING_PRONOUNS
    | lexicon.INTERJECTIONS
    | lexicon.STATING_VERBS
    | _NAMING
    | _EXPECTING
)


def with_details(plan: Plan, ask: Ask, segment: Segment) -> Segment | None:
    """Return an order with what a later segment says of what it makes, or None where that says something else."""
    if segment.act == ask.act and ask.act in _MAKING and (joined := _joined(plan, ask, segment)) is not None:
        return joined
    if _is_contact_of_deal(ask, segment):
        spans = tuple(replace(one, tag="name") if one.tag == "new" else one for one in segment.spans)
        return ask.segment.followed_by(replace(segment, spans=spans))
    if ask.act == "convert" and segment.act in _GIVING and _is_of_deal(segment) and not names_in(segment):
        given = [one for one in segment.spans if one.tag in ("amount", "when")]
        return _extended(ask.segment.followed_by(Segment("with a deal", ask.act)), given)  # "… and put the deal at 40k"
    if (titled := _titled(ask, segment)) is not None:
        return titled
    if _is_invited_too(ask, segment):
        return replace(ask.segment.followed_by(segment), act="invite")
    is_content = not ask.texts("text") and {span.tag for span in segment.spans} == {"text"}
    if segment.act == ask.act == "create_note" and (is_content or _AND_THAT.match(segment.text)):
        return ask.segment.followed_by(segment)
    is_told = segment.act in ("create_note", "report") and not (names_in(segment) or begins_as_order(segment))
    if is_told and ask.act == "create_activity" and says(ask, "logging"):
        # "Log a completed call with Ann. She is fine with net 30."
        return ask.segment.followed_by(segment)
    if _is_of_activity(ask, Ask(segment, plan.now)):
        # "It" is the activity, and not whom that is about.
        pointing = next(one for one in segment.spans if one.tag == "ref")
        return ask.segment.followed_by(_without_span(segment, pointing))
    if _is_detail(plan, ask, segment):
        return ask.segment.followed_by(_as_new(ask, segment))
    return _closing(plan, ask, segment)


def _closing(plan: Plan, ask: Ask, segment: Segment) -> Segment | None:
    """Return the order of a new deal with the day that a statement after it tells: "we aim to have it signed by June".

    It is left out what shall happen on that day: nothing is signed yet.
    """
    spans = [span for span in segment.spans if span.tag != "ref"]
    is_told = segment.act == "create_activity" and not (begins_as_order(segment) or Ask(segment, plan.now).kinds)
    is_deal = ask.act == "create_record" and "opportunity" in ask.kinds and not ask.texts("when")
    if not (is_deal and is_told and [span.tag for span in spans] == ["when"]):
        return None
    opening = "closing "
    closing = Segment(opening + spans[0].text, ask.act, spans=(replace(spans[0], start=len(opening)),))
    return ask.segment.followed_by(closing)


def _is_contact_of_deal(ask: Ask, segment: Segment) -> bool:
    """Return whether a segment says who the contact of a new deal is: "Ann Lee is the contact"."""
    is_deal = ask.act == "create_record" and "opportunity" in ask.kinds
    return is_deal and not begins_as_order(segment) and any(is_contact(segment.text, one) for one in segment.spans)


def _titled(ask: Ask, segment: Segment) -> Segment | None:
    """Return an order of an activity with the title that a later segment gives that, or None."""
    place = title_place(segment.text) if ask.act == "create_activity" else None
    if place is None or (place[0] > 0 and begins_as_order(segment)):
        return None
    spans = tuple(one for one in segment.spans if one.end <= place[0] or one.start >= place[1])
    return ask.segment.followed_by(replace(segment, spans=spans))


def _is_invited_too(ask: Ask, segment: Segment) -> bool:
    """Return whether a segment asks for the invitation to the meeting ordered before it: "and send her an invite".

    Or to invite further people, also to what was an invitation already: "send it to ann@globex.example, too".
    """
    tags = {span.tag for span in segment.spans}
    if ask.act == "invite" and segment.act in MAIL_ACTS:
        return "email" in tags and tags <= {"ref", "email"}
    if ask.act == "create_activity" and segment.act == "again" and "email" in {one.tag for one in ask.segment.spans}:
        return tags <= {"name", "email"} and not Ask(segment, ask.now).loose[1:]  # "… and Bo"
    return (
        (ask.act, segment.act) == ("create_activity", "invite")
        and ask.activity_types == ("meeting",)
        and tags <= {"ref", "email", "name"}
    )


def _joined(plan: Plan, ask: Ask, segment: Segment) -> Segment | None:
    """Return two orders to make something as one where the same thing is ordered twice, else None."""
    detail = Ask(segment, plan.now)
    tags = {span.tag for span in segment.spans} - {"ref"}
    if ask.act == "create_activity" and {span.tag for span in ask.segment.spans} == {"when"} and "when" not in tags:
        return ask.segment.followed_by(segment)  # "Task for Friday - send Ann the samples"
    kinds, own = (
        {kind for token in one.loose if (kind := lexicon.kind_named(token)) in lexicon.KINDS} for one in (detail, ask)
    )
    is_own = bool(names_in(segment)) or begins_as_order(segment)
    if ask.act == "create_record" and is_own and kinds and own and not kinds & own:
        return None  # "New contact Ann Lee. And a deal for them, Pilot, 30k": another record.
    if ask.act == "create_record" and not is_own and ask.kinds:
        return ask.segment.followed_by(_as_new(ask, segment))  # "Add an account, Ridgeway. They're a prospect, …"
    is_unnamed = ask.act == "create_record" and not detail.kinds
    if not tags or (is_unnamed and not (names_in(ask.segment) and (names_in(segment) or begins_as_order(segment)))):
        # "I want to speak to him at eight; put the call in." - "Add Ann Lee. Buyer at Globex, ann@globex.example"
        return ask.segment.followed_by(segment)
    is_pointing = len(tags) < len(segment.spans) and not names_in(segment)
    if ask.act == "create_record" and (is_pointing or not names_in(ask.segment)):
        # "There's a new company, Ridgeway. Create an account for them."
        return with_antecedent(segment, [ask.segment])
    return None


def _is_detail(plan: Plan, ask: Ask, segment: Segment) -> bool:
    """Return whether a segment only states more of what an order before it makes: "The name is Marigold Bakery"."""
    detail = Ask(segment, plan.now)
    given = {span.tag for span in detail.segment.spans} - {"field", "ref"}
    if ask.act not in _MAKING or "?" in segment.text or segment.act in _NO_DETAILS:
        return False
    given |= {"count"} if detail.amounts else set()
    if ask.act == "create_record":
        is_other = bool(names_in(segment)) and bool(names_in(ask.segment)) and not _names_deal(ask, segment)
    else:
        is_other = bool(given & {"name", "new", "org"}) or bool(given & {span.tag for span in ask.segment.spans})
    sums = {one.start for one in detail.segment.spans if one.tag == "amount"}
    before_sums = {one.start for one, two in pairwise(detail.tokens) if two.start in sums}  # "worth maybe 30k"
    is_stated = all(one.start in before_sums or _is_stating(one) for one in detail.loose)
    # "She came to us by referral."
    is_told = segment.act == "report" and given == {"value"} and all(map(_is_known_value, detail.texts("value")))
    return bool(given) and not is_other and (is_stated or is_told)


def _names_deal(ask: Ask, segment: Segment) -> bool:
    """Return whether a segment gives a new deal, of which only the customer was said, its name: "and call it Pilot"."""
    is_unnamed = "opportunity" in ask.kinds and not (ask.texts("new") or ask.texts("name"))
    # In "and name the contact Ann Lee" the name is a person's.
    is_of_other = any(lexicon.kind_named(one) not in (None, "opportunity") for one in tokenize(segment.text))
    return is_unnamed and not is_of_other and {one.tag for one in segment.spans} & NAME_TAGS == {"new"}


def _without_span(segment: Segment, span: Span) -> Segment:
    text = segment.text[: span.start] + " " * len(span.text) + segment.text[span.end :]
    return replace(segment, text=text, spans=tuple(one for one in segment.spans if one != span))


def _is_of_activity(ask: Ask, detail: Ask) -> bool:
    """Return whether a segment gives the activity ordered before it a priority or an owner: "and assign it to Bob"."""
    acts = ("create_activity", "change_activity")
    given = {span.tag for span in detail.segment.spans} - {"field", "ref"}
    is_asked = "?" in detail.text and not begins_as_order(detail.segment)
    is_change = ask.act in acts and detail.act in FIELD_CHANGE_ACTS | {"change_activity"} and not is_asked
    is_pointing = bool(detail.texts("ref")) and given == {"value"}
    is_handed = bool(detail.texts("ref")) and given == {"owner"} and not detail.words & lexicon.PERSON_PRONOUNS
    return is_change and (is_handed or (is_pointing and "priority" in lexicon.fields_in(detail.text)))


def _is_stating(token: Token) -> bool:
    """Return whether a word outside of slots is a value, or only helps to state one."""
    is_noun = bool(lexicon.fields_in(token.word) or lexicon.kind_of(token.word) or measures_in(token.word))
    is_value = any(True for table in ("values", "industries", "jobs") for _ in lexicon.placed_in([token], table))
    return token.kind != "word" or token.word in _STATING or is_noun or is_value


def _is_known_value(text: str) -> bool:
    return lexicon.phrase_key(text, "values") is not None


def _as_new(ask: Ask, segment: Segment) -> Segment:
    """Return a detail with the first name in it as that of the record to create, where the order has none."""
    if ask.act != "create_record" or names_in(ask.segment) or any(one.tag == "new" for one in segment.spans):
        return segment
    tags = ("name",) if {"lead", "contact"} & {*ask.kinds} else ("name", "org")
    named = next((one for one in segment.spans if one.tag in tags), None)
    return replace(segment, spans=tuple(replace(one, tag="new") if one is named else one for one in segment.spans))


def with_antecedent(segment: Segment, before: Sequence[Segment]) -> Segment:
    """Return a creation without a name with the slots of the news before it: "I met Ann Lee of Globex, add her"."""
    if segment.act == "create_record" and before:
        segment = _with_company_of_person(segment, before)
    if segment.act != "create_record" or names_in(segment):
        return segment
    places = [place for place, one in enumerate(before) if one.spans and subject_of(one)]
    if not places:
        return segment
    # "… introduced me to Ann Lee. She is a buyer at Globex.": the one spoken of is named earlier.
    first = next((place for place in reversed(places) if not _tells_of_person_before(before[place])), places[-1])
    named, words = subject_of(before[first]), {one.word for one in tokenize(segment.text)}
    # "I met Ann of Globex, add a deal for them": they are its customer, and none of them is its name.
    is_for_them = _is_of_deal(segment) and bool(words & (lexicon.PERSON_PRONOUNS | {"there"}))
    for place, one in enumerate(before[first:]):
        tags = {span.tag for span in segment.spans if span.tag not in ("value", "field")}
        tags |= NAME_TAGS if is_for_them else set()
        # Of the sentence that names somebody the values are often of something else: "last night in Seattle".
        kept = [
            span for span in one.spans if span.tag not in tags and (place or span.tag not in ("value", "when", "ref"))
        ]
        jobs = [span for span in one.spans if not place and span.tag == "value" and _is_job(span)]
        spans = tuple(replace(span, tag="new") if span == named else span for span in kept)
        segment = segment.amended(Segment(one.text, one.act, spans=spans)) if place == 0 else _extended(segment, spans)
        segment = _extended(segment, jobs)
    return segment


def _with_company_of_person(segment: Segment, before: Sequence[Segment]) -> Segment:
    """Return a creation of "him" with its only name as his company: "I met Bo Ek, he runs [Ekfreight], add him"."""
    named, persons = [one for one in segment.spans if one.tag in ("new", "name")], subject_of(before[-1])
    words = [one.word for one in tokenize(segment.text)]
    is_pointing = any(one.tag == "ref" and one.text.lower() in _OBJECTS for one in segment.spans)
    starts_with_name = bool(named) and named[0].start <= segment.text.find(words[0])
    is_person = persons is not None and persons.tag != "org" and " " in persons.text
    if len(named) != 1 or not (is_pointing and is_person) or starts_with_name or begins_as_order(segment):
        return segment
    return replace(segment, spans=tuple(replace(one, tag="org") if one is named[0] else one for one in segment.spans))


def _is_job(span: Span) -> bool:
    return any(True for _ in lexicon.placed_in(tokenize(span.text), "jobs"))


def _tells_of_person_before(segment: Segment) -> bool:
    """Return whether a segment begins with a pronoun for a person, and names only a company: "She is at Globex"."""
    is_pronoun = tokenize(segment.text)[0].word in lexicon.PERSON_PRONOUNS
    return is_pronoun and {one.tag for one in segment.spans} & NAME_TAGS == {"org"}


def _is_of_deal(segment: Segment) -> bool:
    return any(lexicon.kind_named(one) == "opportunity" for one in tokenize(segment.text))


def _extended(segment: Segment, spans: Sequence[Span]) -> Segment:
    """Return a segment with further slots after its text."""
    for span in spans:
        if span.tag != "ref":
            segment = segment.followed_by(Segment(span.text, segment.act, spans=(replace(span, start=0),)))
    return segment
