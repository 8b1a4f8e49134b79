"""Characters that nobody sees and a machine reads: they carry orders into a model, and data out of it.

Tags (U+E0000) and further variation selectors spell whole sentences without a trace on a screen; marks of direction
show letters in another order than they are stored in.
"""

import re

_HIDDEN = re.compile(
    # Control characters except tab and line ends.
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    # Zero-width spaces, invisible operators, annotations; directions that are forced on letters.
    r"\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u202a-\u202e"
    # Tags and the selectors of further variants, one for each byte.
    r"\U000e0000-\U000e01ef]+"
    # What joins letters and emoji stands alone or in twos; more of them spell something.
    r"|[\u00ad\u061c\u200c-\u200f\ufe00-\ufe0f]{4,}"
)


def without_hidden(text: str) -> str:
    """Return a text without its hidden characters."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub("", text)


def with_hidden_shown(text: str) -> str:
    """Return a text in which each run of hidden characters is replaced by their number in words."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_number_of, text)


def _number_of(run: re.Match[str]) -> str:
    length = len(run[0])
    return f"[{length} invisible character{'s' if length > 1 else ''}]"
