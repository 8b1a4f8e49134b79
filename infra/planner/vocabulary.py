"""The words of the training that explain acts, and those that a slip of the keyboard may have meant."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from aisha.domain.language.vocabulary import MIN_MISSPELT, Vocabulary
from aisha.domain.language.words import is_common
from infra.planner.labelled import Message

MIN_WORDS = 2
"""Words seen less often with an act do not explain it."""
MIN_SPELLINGS = 3
"""Words seen less often are not what a slip of the keyboard meant."""
MIN_UNCOMMON = 10
"""As many for a word that is none of the common ones: it may be a slip itself."""
CLOSED_TAGS = ("O", "field", "ref", "when")
NEUTRAL_ACTS = 12
"""A word of this many acts says nothing about an act."""


def vocabulary(messages: Iterable[Message]) -> Vocabulary:
    """Return the stems that stand outside of slots: those of many acts as neutral, the others by act; and spellings."""
    by_act: dict[str, Counter[str]] = defaultdict(Counter)
    spellings: Counter[str] = Counter()
    for message in messages:
        spellings.update(
            token.word
            for token, tag in zip(message.tokens, message.tags, strict=True)
            if token.kind == "word" and token.word.isalpha() and tag.rpartition("-")[2] in CLOSED_TAGS
        )
        for segment in message.segments:
            places = range(segment.first, segment.last)
            by_act[segment.act].update(
                {
                    message.tokens[place].stem
                    for place in places
                    if message.tags[place] == "O" and message.tokens[place].kind == "word"
                }
            )
    spread = Counter(stem for counts in by_act.values() for stem, count in counts.items() if count >= MIN_WORDS)
    neutral = frozenset(stem for stem, count in spread.items() if count >= NEUTRAL_ACTS)
    return Vocabulary(
        neutral,
        {
            act: frozenset(stem for stem, count in counts.items() if count >= MIN_WORDS) - neutral
            for act, counts in sorted(by_act.items())
        },
        tuple(
            word
            for word, count in sorted(spellings.items(), key=lambda pair: (-pair[1], pair[0]))
            if len(word) >= MIN_MISSPELT - 1 and count >= (MIN_SPELLINGS if is_common(word) else MIN_UNCOMMON)
        ),
    )
