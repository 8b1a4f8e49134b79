"""Read what is asked or told of a person in mind: the contact of a deal or a company, who somebody is."""

from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_WHO = lexicon.word_set("condition_words", "who")
_WE, _POINTING, _SOMEBODY, _PAST = lexicon.word_sets("persons_words", "we", "pointing", "somebody", "past")
_AROUND, _HANDING, _OPENINGS = lexicon.word_sets("persons_words", "around", "handing", "openings")
_REACHING = frozenset("call ring phone talk speak contact reach email ask".split())


def contact_asked(topic: Topic, ask: Ask) -> Segment | None:
    """Return a question such as "who do I deal with on that one?" as one for the contact, else None."""
    words = [one.word for one in ask.tokens if one.kind != "mark" and one.word not in _OPENINGS]
    # "Is there somebody at the client I could ring about it?"
    is_for_any = bool({*words[:4]} & _SOMEBODY and {*words} & _REACHING)
    is_for_person = is_for_any or (bool(words) and words[0] in _WHO and not {*words} & (_PAST | _HANDING))
    is_of_other = bool({*ask.kinds} - {"opportunity", "contact"}) and not (is_for_any and ask.kinds == ("account",))
    if (ask.act in WRITES and not is_for_any) or not is_for_person or ask.orders or is_of_other:
        return None
    refs = [one for one in ask.texts("ref") if one.lower() not in lexicon.PERSON_PRONOUNS]
    is_more = any(one.tag != "ref" and (one.tag != "field" or lexicon.fields_in(one.text)) for one in ask.segment.spans)
    is_in_mind = topic.refs[:1] != () and topic.refs[0].type in ("opportunity", "account") and not _is_list(topic)
    is_pointing = bool(refs or _POINTING & {*words[1:]}) and (is_in_mind or choice_in(ask) is not None)
    rest = {*words[1:]}
    if is_more or not is_pointing or not (rest & _WE or rest <= _AROUND | _POINTING):
        return None
    opening, text = "who's the contact on ", refs[-1] if refs else "that"
    spans = (Span("field", "contact", len("who's the ")), Span("ref", text, len(opening)))
    return Segment(opening + text, "ask_field", spans=spans)


def begins_with_person(segment: Segment) -> bool:
    """Return whether a segment states something of the person in mind: "she's the head of facilities"."""
    words = [one.word.partition("'")[0] for one in tokenize(segment.text)]
    is_value = any(span.tag == "value" for span in segment.spans)
    return is_value and words[0] in lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS and "?" not in segment.text


def _is_list(topic: Topic) -> bool:
    return len({ref.type for ref in topic.refs}) < len(topic.refs)
