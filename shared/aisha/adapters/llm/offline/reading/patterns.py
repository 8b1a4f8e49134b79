"""Regular expressions over English sentences."""

import re
from functools import cache


@cache
def pattern(text: str) -> re.Pattern[str]:
    r"""Compile an expression that ignores case. A blank in it, escaped or not, stands for any whitespace, `\s+`.

    Compiled expressions are kept, so the text must not depend on what a user writes.
    """
    return re.compile(text.replace("\\ ", " ").replace(" ", r"\s+"), re.IGNORECASE)
