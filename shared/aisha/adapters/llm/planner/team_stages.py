"""Read the stages that a team has under names of its own: "Move ABC to Haggling".

The reader is trained without them and may take one for a colleague or a company; the tools' specs have them.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from aisha.domain.crm.team_values import key_of
from aisha.domain.language.acts import PROPER_NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.tools import ToolSpec

_BEFORE = frozenset("to into in onto as stage".split())


def marked(ask: Ask, tools: Mapping[str, ToolSpec]) -> Ask:
    """Return a change that gives a team's stage as what it is: the value of a deal, and neither owner nor name."""
    spec = tools.get("advance_opportunity_stage")
    labels = spec.properties["stage"].get("examples", ()) if spec is not None else ()
    if not labels or ask.act not in ("update_record", "advance_stage"):
        return ask
    stages = {key_of(label) for label in labels}
    words_before = {
        span: next((one.word for one in reversed(ask.tokens) if one.end <= span.start), "")
        for span in ask.segment.spans
        if span.tag in PROPER_NAME_TAGS and key_of(span.text) in stages
    }
    given = [span for span, word in words_before.items() if word in _BEFORE]
    if not given:
        return ask
    spans = tuple(replace(span, tag="value") if span in given else span for span in ask.segment.spans)
    return Ask(replace(ask.segment, act="advance_stage", spans=spans), ask.now)
