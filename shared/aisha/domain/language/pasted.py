"""Tell the text of others that a message pastes from the user's own words: quoted lines, a mail, a text for a note."""

import re

from msgspec import Struct

from aisha.domain.language import lexicon
from aisha.domain.language.notation import PATTERNS


class PastedText(Struct, frozen=True):
    """The user's own words, and the text that the message pastes before or after them."""

    own: str
    text: str

    @property
    def names(self) -> list[str]:
        """The records that lines of the text are labelled with: "Account: Globex", "From: Ann Lee"."""
        labelled = (re.match(r"([A-Za-z]{4,12}): ([^<\n]{2,80})", line) for line in self.text.splitlines())
        return [one[2].strip() for one in labelled if one and (one[1] == "From" or lexicon.kind_of(one[1].lower()))]


def pasted_text(message: str) -> PastedText | None:
    """Return the parts of a message that pastes a text; None for one in the user's own words alone."""
    quoted, opening, rule = PATTERNS["quoted_line"], PATTERNS["opening"], PATTERNS["rule"]
    lines = PATTERNS["forwarded"].sub("", message).strip().splitlines()
    if any(map(quoted.match, lines)):
        own = "\n".join(line for line in lines if not quoted.match(line)).strip()
        return PastedText(own, "\n".join(quoted.sub("", line, count=1) for line in lines if quoted.match(line)))
    if place := next((at for at, line in enumerate(lines) if at and opening.fullmatch(line)), 0):
        first = place + (rule.fullmatch(lines[place]) is not None)
        return PastedText("\n".join(lines[:place]).strip(), "\n".join(lines[first:]).strip())
    paragraphs = re.split(r"\n[ \t]{0,20}\n", message.strip())
    orders = [at for at in {0, len(paragraphs) - 1} if PATTERNS["for_note"].fullmatch(paragraphs[at].strip())]
    if len(paragraphs) < 2 or len(orders) != 1:
        return None
    return PastedText(paragraphs.pop(orders[0]).strip(), "\n\n".join(paragraphs).strip())
