"""Markdown as paragraphs of plain text, one for each heading, paragraph, list item and row of a table."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from aisha.renderers.speech.figures import in_words
from aisha.renderers.speech.languages import Language

# Without indented code: a model that indents by four means a list. Entities, escapes and links are the parser's.
_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("code")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]]+", re.IGNORECASE)
_BOX = re.compile(r"^\[[ xX]\]\s+")
_LABEL = re.compile(r"[^\W\d_][\w /-]{0,40}:(?:\s|$)")
_ARROWS = re.compile(r"\s*(?:[-=]+>|[\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f])\s*")
_LEFT = re.compile(r"[*`~|\\^{}\[\]<>#•●▪◦]|(?<!\w)_+|_+(?!\w)")
"""What is Markdown's, wherever it is left: no voice says it, and half a mark is no mark to the parser."""
_UNDERSCORE = re.compile(r"(?<=\w)_+(?=\w)")
_SPACES = re.compile(r"\s+")
_JOINERS = "\u200d\u20e3"
_TERMINAL = ".!?…:。！？"
_HALF = ",;-–—、 "
_LINE = "\n"


def paragraphs(text: str, language: Language) -> list[str]:
    """What is said of a Markdown text; each ends like a sentence, or with a colon. Code, pictures' addresses, emoji go."""
    return [said for block in _blocks(_PARSER.parse(text), language) if (said := _closed(block, language))]


def _blocks(tokens: Sequence[Token], language: Language) -> Iterator[str]:
    lists: list[int | None] = []
    mark, place = "", 0
    while place < len(tokens):
        token = tokens[place]
        if token.type == "table_open":
            end = next(at for at in range(place, len(tokens)) if tokens[at].type == "table_close")
            yield from _rows(tokens[place:end])
            place = end
        elif token.type in ("ordered_list_open", "bullet_list_open"):
            lists.append(int(token.attrs.get("start", 1)) if token.type[0] == "o" else None)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and (number := lists[-1]) is not None:
            lists[-1] = number + 1
            mark = f"{language.ordinals[number - 1]}, " if 0 < number <= len(language.ordinals) else f"{number}, "
        elif token.type == "inline":
            lines = _lines(token)
            yield mark + _BOX.sub("", lines[0])
            yield from lines[1:]
            mark = ""
        elif token.type == "html_block":
            yield _text_of(token.content)
        place += 1


def _rows(tokens: Sequence[Token]) -> Iterator[str]:
    """`Jack Russel: Status warm, Amount $500` for each row below the head."""
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
    """The text of an inline token. Lines are kept apart where the next one begins with a label or a break was meant."""
    lines = [line.strip() for line in _inline(token.children or ()).split(_LINE)]
    kept = [lines[0]]
    for line in lines[1:]:
        if _LABEL.match(line) and kept[-1]:
            kept.append(line)
        else:
            kept[-1] = f"{kept[-1]} {line}".strip()
    return kept


def _inline(tokens: Sequence[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type == "softbreak":
            parts.append(_LINE)
        elif token.type == "hardbreak":
            said = "".join(parts).rstrip()
            parts.append(" " if not said or said[-1] in _TERMINAL + _HALF else ", ")
        elif token.type == "html_inline" and token.content.lower().startswith("<br"):
            parts.append(" ")
        elif token.type in ("text", "code_inline", "text_special", "image"):
            parts.append(token.content)
    return "".join(parts)


def _closed(text: str, language: Language) -> str:
    plain = _said(text, language)
    if not any(character.isalnum() for character in plain):
        return ""
    bare = plain.rstrip("\"'”’»)」")
    if bare and bare[-1] in _TERMINAL:
        return plain
    return plain.rstrip(_HALF) + language.stop


def _said(text: str, language: Language) -> str:
    """One line of text with its figures in words, without addresses, emoji and what is left of Markdown."""
    text = _URL.sub(_host, text)
    text = "".join(_spoken_characters(unicodedata.normalize("NFC", text)))
    text = in_words(_ARROWS.sub(", ", text), language)
    return _SPACES.sub(" ", _UNDERSCORE.sub(" ", _LEFT.sub(" ", text))).strip()


def _host(found: re.Match[str]) -> str:
    address = found[0].rstrip(".,;:!?'\"")
    rest = found[0][len(address) :]
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        host = ""
    return host.removeprefix("www.") + rest


def _spoken_characters(text: str) -> Iterator[str]:
    """All but emoji, other pictures and what only steers their look."""
    for character in text:
        kind = unicodedata.category(character)
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
