"""Markdown as paragraphs of plain text, one for each heading, paragraph, list item and row of a table."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from aisha.renderers.speech.figures import in_words
from aisha.renderers.speech.languages import ENGLISH, Language

# Without indented code: a model that indents by four means a list.
_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("code")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]]+", re.IGNORECASE)
# The box of a task list: "[x] Call Ann".
_BOX = re.compile(r"^\[[ xX]\]\s+")
# "Status: warm", "Next step: call".
_LABEL = re.compile(r"[^\W\d_][\w /-]{0,40}:(?:\s|$)")
_ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")
# "->", "==>" and Unicode's arrows, read as a pause.
_ARROWS = re.compile(r"\s{0,8}(?:[-=]{1,20}>|[\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f])\s{0,8}")
_MARKS = re.compile(r"[*`~|\\^{}\[\]<>#•●▪◦]|(?<!\w)_+|_+(?!\w)")
"""Markdown's characters that the parser left, such as one half of a pair: no voice says them."""
_UNDERSCORE = re.compile(r"(?<=\w)_+(?=\w)")
_SPACES = re.compile(r"\s+")
_JOINERS = "\u200d\u20e3"
_TERMINAL = ".!?…:。！？"
_HALF = ",;-–—、 "
_LINE = "\n"


def paragraphs(text: str, language: Language) -> list[str]:
    """Return what is read aloud of a Markdown text, without code, addresses and emoji.

    Each paragraph ends like a sentence, or with a colon.
    """
    blocks = _blocks(_PARSER.parse(text), language)
    return [paragraph for block in blocks if (paragraph := _paragraph(block, language))]


def _blocks(tokens: Sequence[Token], language: Language) -> Iterator[str]:
    lists: list[int | None] = []
    mark, index = "", 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "table_open":
            end = next(at for at in range(index, len(tokens)) if tokens[at].type == "table_close")
            yield from _rows(tokens[index:end])
            index = end
        elif token.type in ("ordered_list_open", "bullet_list_open"):
            lists.append(int(token.attrs.get("start", 1)) if token.type[0] == "o" else None)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and (number := lists[-1]) is not None:
            lists[-1] = number + 1
            has_ordinal = language is ENGLISH and 0 < number <= len(_ORDINALS)
            mark = f"{_ORDINALS[number - 1] if has_ordinal else number}, "
        elif token.type == "inline":
            lines = _lines(token)
            yield mark + _BOX.sub("", lines[0])
            yield from lines[1:]
            mark = ""
        elif token.type == "html_block":
            yield _text_of(token.content)
        index += 1


def _rows(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield `Jack Russel: Status warm, Amount $500` for each row below the head."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(" ".join(_lines(token)))
    head, *body = rows
    for row in body or [[", ".join(head)]]:
        cells = [f"{name} {cell}".strip() for name, cell in zip(head[1:], row[1:], strict=False) if cell.strip()]
        yield f"{row[0]}: {', '.join(cells)}" if cells and row[0].strip() else ", ".join(cells) or row[0]


def _lines(token: Token) -> list[str]:
    """Return the lines of an inline token, joined except where the next one begins with a label such as `Status:`."""
    first, *rest = [line.strip() for line in _inline(token.children or ()).split(_LINE)]
    lines = [first]
    for line in rest:
        if _LABEL.match(line) and lines[-1]:
            lines.append(line)
        else:
            lines[-1] = f"{lines[-1]} {line}".strip()
    return lines


def _inline(tokens: Sequence[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type == "softbreak":
            parts.append(_LINE)
        elif token.type == "hardbreak":
            before = "".join(parts).rstrip()
            parts.append(" " if not before or before[-1] in _TERMINAL + _HALF else ", ")
        elif token.type == "html_inline" and token.content.lower().startswith("<br"):
            parts.append(" ")
        elif token.type in ("text", "code_inline", "text_special", "image"):
            parts.append(token.content)
    return "".join(parts)


def _paragraph(text: str, language: Language) -> str:
    """Return the block as plain text that ends like a sentence; empty when nothing of it can be read aloud."""
    plain = _plain(text, language)
    if not any(character.isalnum() for character in plain):
        return ""
    bare = plain.rstrip("\"'”’»)」")
    if bare and bare[-1] in _TERMINAL:
        return plain
    return plain.rstrip(_HALF) + language.stop


def _plain(text: str, language: Language) -> str:
    """Return one line of text with its figures in words, without addresses, emoji and leftover Markdown."""
    # Addresses first, while their slashes and underscores are intact; Markdown's leftovers last, since "#3" and "<5"
    # are words by then.
    text = _URL.sub(_host, text)
    text = "".join(_spoken_characters(unicodedata.normalize("NFC", text)))
    text = in_words(_ARROWS.sub(", ", text), language)
    return _SPACES.sub(" ", _UNDERSCORE.sub(" ", _MARKS.sub(" ", text))).strip()


def _host(match: re.Match[str]) -> str:
    address = match[0].rstrip(".,;:!?'\"")
    rest = match[0][len(address) :]
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        host = ""
    return host.removeprefix("www.") + rest


def _spoken_characters(text: str) -> Iterator[str]:
    """Yield all characters except emoji, other pictures, control characters and what only modifies emoji."""
    for character in text:
        kind = unicodedata.category(character)
        # Emoji are "other symbols", as are the few signs that are read aloud.
        if kind == "So" and character not in "°©®™№" and not _is_arrow(character):
            yield " "
        elif character in _JOINERS or "\ufe00" <= character <= "\ufe0f" or "\U0001f3fb" <= character <= "\U0001f3ff":
            continue
        elif kind in ("Cc", "Cs", "Co", "Cn") or "\U000e0000" <= character <= "\U000e007f":
            yield " "
        else:
            yield character


def _is_arrow(character: str) -> bool:
    return _ARROWS.fullmatch(character) is not None


class _TextOnly(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in ("script", "style")))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def _text_of(html: str) -> str:
    reader = _TextOnly()
    reader.feed(html)
    reader.close()
    return " ".join(reader.parts)
