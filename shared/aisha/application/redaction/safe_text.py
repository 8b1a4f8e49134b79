"""Text that shows no image, runs nothing and hides no address, whatever renders it as Markdown or HTML.

A model can be made to write an image whose address carries what it has read: the client would fetch it without a
click. So images become their description, links their text with the host they lead to, and HTML is taken out. Works on
a stream: what may be the beginning of a link or a tag is held back.
"""

import re
from urllib.parse import urlsplit

from aisha.domain.hidden_characters import with_hidden_shown, without_hidden

MAX_LABEL = 500
MAX_TARGET = 1500
MAX_TAG = 1000
_SPECIAL = re.compile(r"[<\[\]!:]")
_SCRIPT = re.compile(r"(?:java|vb)script$", re.IGNORECASE)
_BEGINNINGS = frozenset(
    script[:length] for script in ("javascript:", "vbscript:") for length in range(1, len(script) + 1)
)
MAX_BEGINNING = max(map(len, _BEGINNINGS))
_LABEL = re.compile(rf"\[[^\[\]]{{0,{MAX_LABEL}}}")
_TARGET = re.compile(rf"[^()\n]{{0,{MAX_TARGET}}}(?:\([^()\n]{{0,200}}\)[^()\n]{{0,200}})?")
_TAG = re.compile(rf"<[^<>]{{0,{MAX_TAG}}}")
_IS_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9:-]{0,40}(?:[\s/][^<>]{0,1000}=[^<>]{0,1000}|\s{0,20}/?)>|<[!?][^<>]*>")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)?[^\s<>@]{1,300}(?:@[^\s<>@]{1,300})?)>", re.IGNORECASE)
_ACTIVE = re.compile(
    r"(?<=\])(?=[(:\[])|(?<=!)(?=\[)|(?<=<)(?=[A-Za-z/!?])|(?<=javascript)(?=:)|(?<=vbscript)(?=:)", re.IGNORECASE
)


class SafeText:
    """Makes one text safe that comes in pieces."""

    def __init__(self) -> None:
        self._waiting = ""
        self._last = ""

    def feed(self, piece: str) -> str:
        """Return the text that can be shown now; it may be empty."""
        return self._read(self._waiting + without_hidden(piece), is_whole=False)

    def flush(self) -> str:
        """Return the text that is still held back."""
        return self._read(self._waiting, is_whole=True)

    def _read(self, text: str, *, is_whole: bool) -> str:
        parts: list[str] = []
        place = 0
        while (special_at := _next_special(text, place)) is not None:
            self._show(parts, text[place:special_at])
            place = special_at
            read = _special(text, place, is_whole=is_whole)
            if read is None:
                self._waiting = text[place:]
                return "".join(parts)
            self._show(parts, read[0])
            place = read[1]
        cut = len(text) if is_whole else len(text) - _held_length(text[place:])
        self._show(parts, text[place:cut])
        self._waiting = text[cut:]
        return "".join(parts)

    def _show(self, parts: list[str], text: str) -> None:
        """Add a text, apart from the last one where both together would begin a link, an image or a tag."""
        if not text:
            return
        first = text[0]
        if (
            (self._last == "]" and first in "([:")
            or (self._last == "!" and first == "[")
            or (self._last == "<" and (first.isalpha() or first in "/!?"))
        ):
            parts.append(" ")
        parts.append(text)
        self._last = text[-1]


def safe_text(text: str) -> str:
    """Return a whole text made safe."""
    text = without_hidden(text)
    if _next_special(text, 0) is None:
        return text
    output = SafeText()
    return output.feed(text) + output.flush()


def inert_text(text: str) -> str:
    """Return a whole text with all that can be seen of it, of which nothing loads, runs or hides anything.

    A space goes into what would begin a link, an image, a tag or a script's address. Of characters that can't be seen
    their number is shown.
    """
    return _ACTIVE.sub(" ", with_hidden_shown(text))


def _next_special(text: str, first: int) -> int | None:
    """Return the next place, from `first` on, of a mark or of a script's address; None if there is none."""
    match = _SPECIAL.search(text, first)
    while match is not None:
        place = match.start()
        if text[place] != ":":
            return place
        # By its colon, which is found ten times as fast as its letters in any case.
        if script := _SCRIPT.search(text, max(first, place - MAX_BEGINNING), place):
            return script.start()
        match = _SPECIAL.search(text, place + 1)
    return None


def _held_length(text: str) -> int:
    """Return how many last characters may be the beginning of a script's address."""
    end = text[-MAX_BEGINNING:].lower()
    # Nearly no text goes further: only two letters begin one.
    if "j" not in end and "v" not in end:
        return 0
    return next((len(end) - place for place in range(len(end)) if end[place:] in _BEGINNINGS), 0)


def _special(text: str, place: int, *, is_whole: bool) -> tuple[str, int] | None:
    """Return what is shown for the mark at `place` and where to read on; None when more text must come first."""
    mark, follows = text[place], text[place + 1 : place + 2]
    if mark in "jJvV":
        colon = text.index(":", place)
        return f"{text[place:colon]} ", colon + 1
    if not follows and not is_whole and mark != "]":
        return None
    if mark == "<":
        return _tag(text, place, is_whole=is_whole)
    if mark == "[":
        return _link(text, place, is_whole=is_whole, is_image=False)
    if mark == "]":
        return "]", place + 1
    return _link(text, place + 1, is_whole=is_whole, is_image=True) if follows == "[" else ("!", place + 1)


def _tag(text: str, place: int, *, is_whole: bool) -> tuple[str, int] | None:
    if not (follows := text[place + 1 : place + 2]) or not (follows.isalpha() or follows in "/!?"):
        return "<", place + 1
    match = _TAG.match(text, place)
    end = match.end() if match else place + 1
    if end == len(text) and not is_whole and end - place <= MAX_TAG:
        return None
    if text[end : end + 1] == ">":
        tag = text[place : end + 1]
        if (address := _ADDRESS.fullmatch(tag)) and ("@" in tag or "://" in tag):
            return address[1].removeprefix("mailto:"), end + 1
        if _IS_TAG.fullmatch(tag):
            return ("\n" if tag[1:3].lower() == "br" else ""), end + 1
    return "<", place + 1


def _link(text: str, place: int, *, is_whole: bool, is_image: bool) -> tuple[str, int] | None:
    match = _LABEL.match(text, place)
    end = match.end() if match else place + 1
    if end == len(text) and not is_whole and end - place <= MAX_LABEL:
        return None
    if text[end : end + 1] != "]":
        return "[", place + 1
    if end + 1 == len(text) and not is_whole:
        return None
    if text[end + 1 : end + 2] != "(":
        return "[", place + 1
    target = _TARGET.match(text, end + 2)
    after = target.end() if target else end + 2
    is_open = after == len(text) or (text[after] == "(" and text.find(")", after, after + 201) < 0)
    if is_open and not is_whole and len(text) - end <= MAX_TARGET:
        return None
    if text[after : after + 1] != ")":
        return "[", place + 1
    label = safe_text(text[place + 1 : end])
    return (label if is_image else _with_host(label, text[end + 2 : after])), after + 1


def _with_host(label: str, target: str) -> str:
    """Return a link's text with where it leads: `our prices (example.com)`."""
    address = target.strip().strip("<>").split()[0] if target.strip().strip("<>") else ""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return label
    if parts.scheme.lower() in ("mailto", "tel"):
        host = parts.path
    elif parts.scheme.lower() not in ("http", "https", ""):
        return label
    host = safe_text(host)
    return label if not host or host.lower() in label.lower() else f"{label} ({host})".strip()
