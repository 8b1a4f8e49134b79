"""Judge from its grammar whether a segment orders something, apart from what the reader takes it for.

The reader's acts go by what is spoken of: "his score used to be 80" has all words of an order. This model sees the
segment with its content words replaced by their endings and its slots by their tags, so that what is left is who acts,
when, and in which mood. An order has to pass both.
"""

from collections.abc import Collection, Iterator, Sequence

from aisha.domain.language import vocabulary
from aisha.domain.language.models import linear
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import Token, tokenize

ORDER, OTHER = "order", "other"
"""The labels."""
_ENDINGS = ("ing", "ed", "ly", "n't", "'s", "s")
_MAX_RUN = 4
"""Words of the longest run that is a feature."""
_MAX_OPENING = 5
_MAX_NEAR = 3
"""Words of the neighbouring segments."""
_REACH = 5
"""Words before a slot that count together with it."""
_SLOTS = frozenset(f"<{tag}>" for tag in ("value", "amount", "name", "text", "new", "when"))


def order_probabilities(segments: Sequence[Segment]) -> list[float]:
    """Return of each segment of a message the probability that it has the form of an order."""
    small = vocabulary.load().neutral
    tagged = [_tagged(segment) for segment in segments]
    rows = features_of([form_of(tokens, tags, small) for tokens, tags in tagged], tagged)
    return [linear.load("orders").probabilities(row)[ORDER] for row in rows]


def form_of(tokens: Sequence[Token], tags: Sequence[str], small: Collection[str]) -> list[str]:
    """Return the small words as they are, the endings of others, and a tag for each slot."""
    form: list[str] = []
    for token, tag in zip(tokens, tags, strict=True):
        slot = f"<{tag[2:]}>"
        if tag == "O":
            form.append(_symbol(token, small))
        elif tag.startswith("B-") or form[-1:] != [slot]:
            form.append(slot)
    return form


def features_of(
    forms: Sequence[Sequence[str]], tagged: Sequence[tuple[Sequence[Token], Sequence[str]]]
) -> Iterator[list[str]]:
    """Yield the features of each segment of a message. `tagged` has their tokens with the BIO tags of their slots."""
    for place, (form, (tokens, tags)) in enumerate(zip(forms, tagged, strict=True)):
        before = forms[place - 1] if place else ["^"]
        after = forms[place + 1] if place + 1 < len(forms) else []
        padded = ["^", *form, "$"]
        words = (one.word for one, tag in zip(tokens, tags, strict=True) if tag == "O" and one.kind == "word")
        row = {"bias", f"last={form[-1] if form else ''}", f"before={before[-1]}", *(f"w={word}" for word in words)}
        for size in range(1, _MAX_RUN + 1):
            row |= {f"{size}={' '.join(padded[at : at + size])}" for at in range(len(padded) - size + 1)}
        row |= {f"start={' '.join(form[:size])}" for size in range(1, min(_MAX_OPENING, len(form)) + 1)}
        for at, symbol in enumerate(padded):
            if symbol in _SLOTS:
                row |= {f"{one}..{symbol}" for one in padded[max(0, at - _REACH) : max(0, at - 1)]}
        row |= {f"-{word}" for word in before[:_MAX_NEAR]} | {f"+{word}" for word in after[:_MAX_NEAR]}
        yield sorted(row)


def _symbol(token: Token, small: Collection[str]) -> str:
    if token.kind != "word":
        return token.text if token.kind == "mark" else f"<{token.kind}>"
    if token.stem in small:
        return token.word
    return "*" + next((ending for ending in _ENDINGS if token.word.endswith(ending)), "")


def _tagged(segment: Segment) -> tuple[list[Token], list[str]]:
    """Return the tokens of a segment with the BIO tags of its slots."""
    tokens = tokenize(segment.text)
    tags = ["O"] * len(tokens)
    for span in segment.spans:
        inside = [place for place, token in enumerate(tokens) if span.start <= token.start < span.end]
        for place in inside:
            tags[place] = f"{'B' if place == inside[0] else 'I'}-{span.tag}"
    return tokens, tags
