"""Find where the text of a note, a task or an email begins in a message: it orders nothing else."""

from collections.abc import Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import acts_of, clause_verbs
from aisha.application.orders.reading.objections.statements import TEXT_ACTS
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask

_CONTENT_MARKS = (": ", ":\n", " saying ", " that says ", " telling ", " reading ", " to say ")


def content_start(message: str, segments: Sequence[UtteranceSegment]) -> int | None:
    """Return the place in the message at which the text of a note or a task begins: after "note: "."""
    opening = next((segment for segment in segments if segment.is_order), None)
    if opening is None:
        return None
    begin = max(0, message.find(opening.ask.text))
    if (clause := _noted_clause(opening.ask)) is not None:
        return begin + clause
    is_activity = _makes_activity(opening.ask)
    if not (is_activity or opening.orders(TEXT_ACTS)):
        return None
    if not is_activity and opening.verb_acts and not opening.verb_acts & TEXT_ACTS:
        # "Change the call with Ann: outcome wants a boat" changes a field, whatever else it may be read as.
        return None
    # "Two things from the fair: add a note": the text comes after its verb.
    begin += next((one.start for one in opening.ask.tokens if acts_of(one.word) & TEXT_ACTS), 0)
    lowered = message.lower()
    places = [at + len(mark) for mark in _CONTENT_MARKS if (at := lowered.find(mark, begin)) >= 0]
    return min(places, default=None)


def _noted_clause(ask: Ask) -> int | None:
    """Return the place in an ask at which what is to be noted begins: "log that …"; None if it notes no clause."""
    noting_verbs = {verb for verb in clause_verbs(ask.tokens) if acts_of(verb) and acts_of(verb) <= TEXT_ACTS}
    pairs = pairwise(ask.tokens)
    return next((that.end for verb, that in pairs if verb.word in noting_verbs and that.word == "that"), None)


def _makes_activity(ask: Ask) -> bool:
    """Return whether an ask creates an activity or begins with one: "create a task for Ann: …", "Task for Ann: …"."""
    tokens = [token for token in ask.tokens if token.word not in lexicon.DETERMINERS | lexicon.INTERJECTIONS][:2]
    is_created = bool(tokens) and "create_record" in acts_of(tokens[0].word)
    is_heading = [one.word for one in tokens[1:]] in (["for"], [":"])
    return any(lexicon.activity_type_of(one.word) for one in tokens[is_created:]) and (is_created or is_heading)
