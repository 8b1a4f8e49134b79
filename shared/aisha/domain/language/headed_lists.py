"""Find a list under a heading, whose items need the heading's words to be understood: "New close dates:", "- …"."""

import re
from collections.abc import Sequence

from msgspec import Struct

from aisha.domain.language import lexicon
from aisha.domain.language.notation import UNCHANGED
from aisha.domain.language.tokens import Token, tokenize

MIN_ITEMS = 2
_MAX_GREETING = 3
"""Words before a heading: "Hi there,"."""
_ITEM_MARK = re.compile(r"[ \t]{0,20}(?:[-*•–·]|\(?[0-9]{1,2}[.)]|\(?[a-h]\))[ \t]{1,20}")
# Words of a heading that say how many items follow.
_COUNTING_WORDS = frozenset("all each every following these those below".split())
_COPULAS = frozenset("are is was were be been will would have has had".split())
_BARE_WORDS = _COUNTING_WORDS | frozenset(
    (
        "please do the a few some my our here changes change updates update edits corrections batch list lines "
        "items things points orders today today's todays now for to"
    ).split()
)
"""Words of a heading that only announces its items. Any other may say whose words they are: "Sarah wrote:"."""
_COUNTING_ENDS = ("for all", "for each", "of each", "as follows")


class HeadedList(Struct, frozen=True):
    """A heading without its colon, its items, and the lines before and after."""

    before: str
    heading: str
    items: tuple[str, ...]
    text: str
    """The items as they were typed."""
    after: str

    @property
    def prefix(self) -> str:
        """The heading as each item begins with it; empty if it says neither what they are nor what to do with them."""
        heading = _heading_of_one(self.heading)
        return f"{heading}: " if any(map(_is_telling, _phrases(tokenize(heading)))) else ""

    @property
    def is_statement(self) -> bool:
        """True if the heading tells something, as a pasted mail does: "These are the new dates:"."""
        return not _COPULAS.isdisjoint(token.word for token in tokenize(self.heading))

    @property
    def is_bare(self) -> bool:
        """True if the heading only announces items that have marks: no line of a conversation that was pasted does."""
        words = [token.word for token in tokenize(self.heading) if token.kind == "word"]
        return _ITEM_MARK.match(self.text) is not None and all(
            word in _BARE_WORDS or lexicon.number_in(word) is not None for word in words
        )

    @property
    def sentences(self) -> list[str]:
        """The items as sentences of their own."""
        changed = (item for item in self.items if re.split(r"[:=>→]", item)[-1].strip(" .;,").lower() not in UNCHANGED)
        return [f"{self.prefix}{item.rstrip(' .;,')}." for item in changed]


def headed_list(message: str) -> HeadedList | None:
    """Return the first list of a message: lines under one that ends with a colon; None without one.

    More than a greeting before the heading may say whose words they are.
    """
    lines = message.splitlines()
    for place, line in enumerate(lines, 1):
        if line.rstrip().endswith(":") and len(items := _items(lines[place:])) >= MIN_ITEMS:
            end = place + len(items)
            if len(" ".join(lines[: place - 1]).split()) > _MAX_GREETING:
                return None
            before, typed, after = ("\n".join(part) for part in (lines[: place - 1], lines[place:end], lines[end:]))
            return HeadedList(before, line.strip().rstrip(": "), tuple(items), typed, after)
    return None


def _items(lines: Sequence[str]) -> list[str]:
    """Return the items that lines begin with: all to the next empty one, or all with a mark if the first has one."""
    is_marked, items = bool(lines) and _ITEM_MARK.match(lines[0]) is not None, list[str]()
    for line in lines:
        mark = _ITEM_MARK.match(line)
        if not line.strip() or (is_marked and mark is None):
            break
        items.append(line[mark.end() if mark is not None else 0 :].strip())
    return items


def _heading_of_one(heading: str) -> str:
    """Return a heading without the words that count the items, as an order: "three leads to add" is "add leads"."""
    text = heading
    for end in _COUNTING_ENDS:
        text = text.removesuffix(end)
    words = [word for word in text.rstrip(" ,").split() if word.lower().strip(",") not in _COUNTING_WORDS]
    if words and (words[0].isdecimal() or words[0].lower() in lexicon.NUMBERS):
        del words[0]
    if words[1:2] == ["to"] and (verb := "".join(words[2:3])).strip(",").lower() in lexicon.ORDER_VERBS:
        noun = words[0].lower() + "," * verb.endswith(",")
        words = [verb.strip(","), noun, *words[3:]]
    return " ".join(words)


def _phrases(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    return [tokens[first : first + length] for first in range(len(tokens)) for length in (1, 2, 3)]


def _is_telling(tokens: Sequence[Token]) -> bool:
    """Return whether words of a heading name a kind of record or activity, a field, a value or reminders."""
    text = " ".join(token.word for token in tokens)
    if tokens and tokens[0].stem == "remind":
        return True
    is_noun = len(tokens) == 1 and (lexicon.kind_named(tokens[0]) or lexicon.activity_type_of(tokens[0].stem))
    return bool(is_noun or lexicon.is_field(text) or lexicon.phrase_key(text, "values"))
