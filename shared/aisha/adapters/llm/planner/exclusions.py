"""Read whom an order for several leaves out: "mark all of them as lost except Ann", "with the exception of Bo"."""

from itertools import takewhile

from aisha.adapters.llm.planner.naming import is_left_out
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, PROPER_NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

_LEAVING_OUT = frozenset("except excepting exception excluding apart besides minus without but not".split())
_BEFORE = frozenset("with the and but please ,".split())
# Words between a word that leaves out and a name, or between two such names.
_AFTER = frozenset("of for from than not the lead contact account deal and or , & nor".split())


def without_left_out(ask: Ask) -> tuple[Ask, tuple[str, ...]]:
    """Return an order for several without the phrase that leaves some of them out, and the names of those."""
    spans = [one for one in ask.segment.spans if one.tag in PROPER_NAME_TAGS]
    is_of_several = ask.is_plural or len(spans) > 1 or any(map(_is_plural_noun, ask.outside))
    for place, token in enumerate(ask.tokens):
        if not is_of_several or token.word not in _LEAVING_OUT or token not in ask.loose:
            continue
        names, end = list[str](), token.end
        for following in ask.tokens[place + 1 :]:
            span = next((one for one in spans if one.start <= following.start < one.end), None)
            if span is None and following.word not in _AFTER:
                break
            if span is not None and span.text not in names:
                names.append(span.text)
            end = max(end, span.end) if span is not None else end
        if names:
            before = list(takewhile(lambda one: one.word in _BEFORE, reversed(ask.tokens[:place])))
            rest = ask.without(before[-1].start if before else token.start, end)
            kept = [one for one in rest.segment.spans if one.tag not in NAME_TAGS or not is_left_out(names, one.text)]
            return rest.with_spans(kept), tuple(names)
    return ask, ()


def _is_plural_noun(token: Token) -> bool:
    return token.word.endswith("s") and lexicon.kind_of(token.word[:-1]) is not None
