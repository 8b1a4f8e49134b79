"""The words of a message that may show how its writer feels."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from aisha.domain.conversations.tool_results import found_in
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolCall

_FEELINGS = frozenset("happy unhappy angry upset thanks good great bad".split())
"""Words that show a feeling, although they may be values of a field."""
_BEFORE_VERBS = frozenset(("and", "then", "please", ","))
_ANSWERS = frozenset("yes yeah yep no nope ok okay".split())


def words_of_feeling(message: str, calls: Sequence[ToolCall]) -> str:
    """Return the message without what shows no feeling of the user.

    Left out are names and words of the CRM ("Happy Works", "warm leads"), an answer to a question ("yes"), and in an
    order its verb ("accept the first") and what it dictates ("note that he likes chess").
    """
    tokens = tokenize(message)
    names = {
        word for call in calls for entity in found_in(call.result) for alias in entity.aliases for word in alias.split()
    }
    orders = [call for call in calls if call.spec is not None and call.spec.access != "read"]
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
    text = message
    for start, end in reversed(left_out):
        text = f"{text[:start]}{text[end:]}"
    return text


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str)]


@lru_cache(maxsize=4096)
def _is_of_work(word: str) -> bool:
    is_value = bool(lexicon.values_in(word)) and word not in _FEELINGS
    return is_value or word in lexicon.order_words() or bool(lexicon.acts_of_verb(word))
