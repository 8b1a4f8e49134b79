"""Read the labelled sentences of `infra/planner/data`: a message a line, a voice a file.

`data/README.md` has the format.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aisha.domain.language.acts import ACTS, TAGS
from aisha.domain.language.tokens import Token, tokenize

DATA = Path(__file__).parent / "data"
ASSETS = Path(__file__).parents[2] / "shared/aisha/assets/reader"
_SEGMENT = re.compile(r"\s*(?P<act>[a-z_]+): ?(?P<text>.*)", re.DOTALL)
_SPAN = re.compile(r"\{(?P<tag>[a-z]+):(?P<text>[^{}]*)\}")


@dataclass(frozen=True)
class Segment:
    """A segment of a message: tokens `first` to `last` (exclusive) and its act."""

    act: str
    first: int
    last: int


@dataclass(frozen=True)
class Message:
    """A labelled message. `tags` are BIO labels, one for a token. `is_plain`: as written, no variant."""

    voice: str
    text: str
    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    segments: tuple[Segment, ...]
    is_plain: bool = True


@cache
def messages() -> tuple[Message, ...]:
    """Return all messages of all voices. Raises ValueError with file and line for one that can't be read."""
    return tuple(message for path in sorted(DATA.glob("*.txt")) for message in read_file(path))


def read_file(path: Path) -> Iterator[Message]:
    """Yield the messages of a voice's file. Raises ValueError as `messages` does."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield parse(line, path.stem)
            except ValueError as error:
                raise ValueError(f"{path.name}:{number}: {error}") from None


def parse(line: str, voice: str = "", *, is_plain: bool = True) -> Message:
    """Return the message of a line. Raises ValueError for an unknown act or tag."""
    text, spans, starts = "", [], []
    for part in line.split("||"):
        match = _SEGMENT.fullmatch(part)
        if match is None or match["act"] not in ACTS:
            raise ValueError(f"no act begins {part.strip()[:40]!r}")
        text = f"{text.rstrip()} " if text else ""
        starts.append((len(text), match["act"]))
        end = 0
        for span in _SPAN.finditer(match["text"]):
            if span["tag"] not in TAGS:
                raise ValueError(f"{span['tag']} is no tag")
            text += match["text"][end : span.start()]
            spans.append((len(text), len(text) + len(span["text"]), span["tag"]))
            text += span["text"]
            end = span.end()
        text += match["text"][end:]
        if "{" in text or "}" in text:
            raise ValueError("a brace is open")
    # Tokens of the whole message, as the reader sees it: a label may not change where a word ends.
    tokens = tuple(tokenize(text))
    tags = tuple(_tag(token, spans) for token in tokens)
    firsts = [
        next((place for place, token in enumerate(tokens) if token.start >= start), len(tokens)) for start, _ in starts
    ]
    lasts = [*firsts[1:], len(tokens)]
    segments = tuple(
        Segment(act, first, last) for (_, act), first, last in zip(starts, firsts, lasts, strict=True) if first < last
    )
    return Message(voice, text, tokens, tags, segments, is_plain)


def _tag(token: Token, spans: list[tuple[int, int, str]]) -> str:
    for start, end, tag in spans:
        if start <= token.start < end:
            return f"B-{tag}" if token.start == start else f"I-{tag}"
    return "O"
