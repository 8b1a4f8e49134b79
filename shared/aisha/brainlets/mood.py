"""A brainlet that shows the user's mood in the widget (C-K6)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from aisha.application.sentiment.lexicon import rate_sentiment
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.domain.conversations.events import MoodChanged
from aisha.domain.conversations.tool_results import found_in
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize

MOODS = {
    "positive": ("😊", "#2e7d32"),
    "negative": ("😟", "#c62828"),
    "mixed": ("😕", "#ef6c00"),
    "neutral": ("🙂", "#546e7a"),
}


_FEELINGS = frozenset("happy unhappy angry upset thanks good great bad".split())
"""Words that show a feeling, although they may be values of a field."""


_BEFORE_VERBS = frozenset(("and", "then", "please", ","))
_ANSWERS = frozenset("yes yeah yep no nope ok okay".split())


def _feeling(turn: BrainletView) -> str:
    """Return the message without what shows no feeling of the user.

    That are names and words of the CRM ("Happy Works", "warm leads"), an answer to a question ("yes"), and in an order
    its verb ("accept the first") and what it dictates ("note that he likes chess").
    """
    tokens = tokenize(turn.text)
    names = {
        word
        for call in turn.calls
        for entity in found_in(call.result)
        for alias in entity.aliases
        for word in alias.split()
    }
    orders = [call for call in turn.calls if call.spec is not None and call.spec.access != "read"]
    dictated = {token.word for call in orders for text in _texts(call.arguments) for token in tokenize(text)}
    names |= _ANSWERS | (dictated - _FEELINGS)
    left_out = [
        (token.start, token.end)
        for place, token in enumerate(tokens)
        if token.word in names
        or (token.is_capital and place > 0 and token.word not in lexicon.SELF_WORDS)
        or _is_of_work(token.word)
        or (orders and token.word not in _FEELINGS and (place == 0 or tokens[place - 1].word in _BEFORE_VERBS))
    ]
    text = turn.text
    for start, end in reversed(left_out):
        text = f"{text[:start]}{text[end:]}"
    return text


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str)]


@lru_cache(maxsize=4096)
def _is_of_work(word: str) -> bool:
    is_value = bool(lexicon.values_in(word)) and word not in _FEELINGS
    return is_value or word in lexicon.order_words() or bool(lexicon.acts_of_verb(word))


@brainlet(stage="post", options=BrainletOptions(computes_only=True))
def mood(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Show the sentiment of the user's message as an emoji and a colour."""
    sentiment = rate_sentiment([_feeling(turn)]).sentiment
    emoji, color = MOODS[sentiment]
    turn.show_mood(MoodChanged(sentiment, emoji, color))
