"""Read a segment of a message as another reading of the question before it: of other records, of somebody else."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.follow_ups import repeated_ask
from aisha.adapters.llm.planner.dialogue.words import LISTS, NAMES, TOLD
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_BARE = 2
"""Words of a sentence that only names the kind of records: "contacts only"."""


def of_other_kind(plan: Plan, asked: Segment | None, correction: Segment) -> Segment | None:
    """Return the list or the number asked for, of the kind of records that a correction names: "no wait, contacts"."""
    tokens = [one for one in tokenize(correction.text) if one.kind != "mark"]
    is_only_kind = len(tokens) == _BARE and any(one.word == "only" for one in tokens)
    is_correction = correction.act in ("correct", "no") or is_only_kind
    if asked is None or asked.act not in LISTS or not is_correction or correction.spans:
        return None
    nouns = [one for one in tokens if lexicon.kind_named(one)]
    if not nouns or lexicon.kind_named(nouns[-1]) in Ask(asked, plan.now).kinds:
        return None
    if not Ask(asked, plan.now).kinds:
        return asked.followed_by(replace(correction, act=asked.act))  # "Who is in Austin? Contacts only."
    return repeated_ask(plan, asked, Segment(correction.text[nouns[-1].start :], "again"))


def read_anew(ask: Ask, correction: Segment) -> Segment | None:
    """Return a question about whom or what the same message names instead: "who's at Acme, no wait, at Globex?"."""
    fields = [span for span in correction.spans if span.tag == "field"]
    if ask.act == "ask_field" and fields and {span.tag for span in correction.spans} <= {"field", "ref"}:
        # "Ann's phone, no wait, her email": with the words of the field, which say which of two is meant.
        return ask.segment.amended(replace(correction, spans=tuple(fields)))
    asked = [span for span in ask.segment.spans if span.tag in NAMES | TOLD]
    tags = NAMES if any(span.tag in NAMES for span in asked) else {span.tag for span in asked}
    meant = [span for span in correction.spans if span.tag in tags]
    if ask.act not in READS or not (meant and asked):
        return None
    tag = next(span.tag for span in reversed(asked) if span.tag == meant[-1].tag or span.tag in NAMES)
    said = replace(_whole_choice(correction, meant[-1]) if ask.act in LISTS else meant[-1], tag=tag)
    return ask.segment.amended(replace(correction, spans=(said,)))


def _whole_choice(correction: Segment, value: Span) -> Span:
    """Return a value with those that it is a choice with: "I mean at risk or, uh, about to churn"."""
    tokens = [one for one in tokenize(correction.text) if one.start >= value.start]
    last = max((last for _, _, last in lexicon.placed_in(tokens, "values")), default=0)
    if value.tag != "value" or not any(one.word == "or" for one in tokens[:last]):
        return value
    return replace(value, text=correction.text[value.start : tokens[last - 1].end])
