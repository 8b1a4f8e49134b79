"""Read what the user reports of a deal's outcome as a change of its stage: "lost the Acme deal", "I closed Globex"."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, BEFORE_VERBS
from aisha.domain.language import lexicon
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_OUTCOMES = dict.fromkeys(("closed", "won", "landed", "signed", "bagged"), "closed won") | {"lost": "closed lost"}
_SUBJECTS = frozenset("i we i've we've we have finally today great good news update quick".split())
_READ_AS = BACKGROUND | {"update_record", "create_activity", "complete_activity", "impossible", "correct"}
"""Acts that such reports are read as, beside a change of the stage."""


def with_outcome(segment: Segment) -> Segment:
    """Return a report of a deal's outcome as a change of its stage, which the user has to confirm."""
    stage = _outcome_of(segment) if segment.act in _READ_AS else None
    if stage is None:
        return segment
    told = Segment(stage, "advance_stage", spans=(Span("value", stage, 0),))
    spans = tuple(span for span in segment.spans if span.tag != "value")
    changed = replace(segment, act="advance_stage", probability=1.0, spans=spans, others=(), is_disputed=True)
    return changed.followed_by(told)


def _outcome_of(segment: Segment) -> str | None:
    """Return the stage that a sentence tells whose verb is followed by the deal's name; None without any."""
    tokens = [one for one in tokenize(segment.text) if one.kind != "mark"]
    around = BEFORE_VERBS | lexicon.INTERJECTIONS | _SUBJECTS
    place = next((place for place, one in enumerate(tokens) if one.word not in around), len(tokens))
    stage = _OUTCOMES.get(tokens[place].word) if place < len(tokens) else None
    after = next((one.start for one in tokens[place + 1 :] if one.word not in lexicon.DETERMINERS), -1)
    name = next((span for span in segment.spans if span.tag in ("name", "org", "new") and span.start == after), None)
    is_owner = name is not None and segment.text[name.end :].startswith(("'s", "’s"))  # "lost Ann's number"
    is_asked = segment.text.rstrip().endswith("?")
    return stage if name is not None and not (is_owner or is_asked) else None
