"""The product's articles: Markdown files with front matter, read once and searched by BM25.

Words of an article's title, description and headings count more often than those of its text.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct

from aisha.application.knowledge.bm25 import SECTION_LENGTH, STOP_WORDS, BM25Index, query_stems, stems
from aisha.domain.errors import InvalidInputError

FIELDS = ("id", "description")
"""What the front matter has, all of it and nothing else."""
TITLE_WEIGHT, DESCRIPTION_WEIGHT, HEADING_WEIGHT = 4, 2, 3
"""How often a word there counts, beside once in the text."""
ARTICLE_LENGTH = 0.75
"""b of BM25 for whole articles: how much it penalises length."""
NEAR_ENOUGH = 0.5
"""Part of the best article's score from which another one is worth showing."""
_FRONT_MATTER = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TITLE = re.compile(r"\s*# (?P<title>\S[^\n]*)\n(?P<text>.*)", re.DOTALL)
_SECTION = re.compile(r"^## ", re.MULTILINE)
_WRAPPED = re.compile(r"(?<=[^\n])\n(?!\n|#|\||[ ]*(?:[-*]|\d+\.)[ ])[ ]*")


class Article(Struct, frozen=True):
    """`id` is a slug, no record's id. `text` is the Markdown below the title, its paragraphs in one line each."""

    id: str
    title: str
    description: str
    text: str


class Passage(Struct, frozen=True):
    """The section of an article that answers a question best. `score` is comparable within one search only."""

    article: Article
    text: str
    score: float


class Library:
    """Articles that can be searched."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self.articles = tuple(articles)

    # The stems of all texts take a good part of a cold start, and most turns search for nothing.

    @cached_property
    def _sections(self) -> list[tuple[int, str]]:
        return [(place, text) for place, one in enumerate(self.articles) for text in _sections(one.text)]

    @cached_property
    def _by_article(self) -> BM25Index:
        return BM25Index([_article_bag(one) for one in self.articles], ARTICLE_LENGTH)

    @cached_property
    def _by_section(self) -> BM25Index:
        return BM25Index([_section_bag(text) for _, text in self._sections], SECTION_LENGTH)

    def search(self, query: str, limit: int | None = None) -> tuple[Passage, ...]:
        """The articles that fit, the best first, each with its best section; all of them without a limit."""
        wanted = query_stems(query)
        scored = [
            (self._by_article.score(place, wanted), place)
            for place in range(len(self.articles))
            if self._by_article.covers(place, wanted)
        ]
        best = max(scored, default=(0.0, 0))[0]
        ranked = sorted((-score, place) for score, place in scored if score >= NEAR_ENOUGH * best)
        return tuple(
            Passage(self.articles[place], self._passage(place, wanted), round(-negated, 2))
            for negated, place in ranked[:limit]
        )

    def find(self, id_or_title: str) -> Article | None:
        """The article that has this id or title, or is the only one with all these words in them."""
        wanted, named = frozenset(stems(id_or_title, STOP_WORDS)), stems(id_or_title)
        exact = [one for one in self.articles if named in (stems(one.id), stems(one.title))]
        partly = [one for one in self.articles if wanted and wanted <= frozenset(stems(f"{one.title} {one.id}"))]
        found = exact or partly
        return found[0] if len(found) == 1 else None

    def _passage(self, article: int, wanted: frozenset[str]) -> str:
        """The best section; the text before the first heading, which only opens the subject, with the best one after it."""
        own = [index for index, (place, _) in enumerate(self._sections) if place == article]
        ranked = sorted(own, key=lambda index: -self._by_section.score(index, wanted))
        best, *others = [self._sections[index][1] for index in ranked]
        return best if _heading(best) or not others else f"{best}\n\n{others[0]}"


@lru_cache(maxsize=1)
def library() -> Library:
    """The product's own articles. Raises `InvalidInputError` when one of their files is wrong."""
    return Library(load(files("aisha").joinpath("assets", "knowledge")))


def articles() -> tuple[Article, ...]:
    """All of them, by id. Raises as `library` does."""
    return library().articles


def search(query: str, limit: int | None = None) -> tuple[Passage, ...]:
    """The product's articles that fit a question, the best first. Raises as `library` does."""
    return library().search(query, limit)


def find(id_or_title: str) -> Article | None:
    """The product's article, as `Library.find` finds it. Raises as `library`."""
    return library().find(id_or_title)


def load(folder: Traversable) -> list[Article]:
    """The articles of a folder's `.md` files, by id.

    Raises `InvalidInputError` that names the file: front matter that is not `id` and `description`, an id that is no slug
    or stands in two files, a file without a title or without text.
    """
    found: dict[str, str] = {}
    loaded = []
    for file in sorted((one for one in folder.iterdir() if one.name.endswith(".md")), key=lambda one: one.name):
        article = parse(file.name, file.read_text(encoding="utf-8"))
        if (other := found.setdefault(article.id, file.name)) != file.name:
            raise InvalidInputError(f"Article {file.name}: the id {article.id} is that of {other}, too")
        loaded.append(article)
    return sorted(loaded, key=lambda one: one.id)


def parse(name: str, source: str) -> Article:
    """An article from its file's text; `name` is the file's, for the error. Raises `InvalidInputError`."""
    parts = _FRONT_MATTER.fullmatch(source.replace("\r\n", "\n"))
    if parts is None:
        raise InvalidInputError(f"Article {name}: it must begin with front matter between two lines of ---")
    fields = _fields(name, parts["head"])
    body = _TITLE.fullmatch(parts["body"])
    if body is None or not body["text"].strip():
        raise InvalidInputError(f"Article {name}: below the front matter there must be a title (# ...) and a text")
    try:
        return article(fields["id"], body["title"], fields["description"], body["text"])
    except InvalidInputError as error:
        raise InvalidInputError(f"Article {name}: {error.message}") from error


def article(article_id: str, title: str, description: str, text: str) -> Article:
    """An article of its parts; lines that only wrap are joined. Raises `InvalidInputError`."""
    if not _ID.fullmatch(article_id):
        raise InvalidInputError(f"the id must be lower-case words with hyphens, not {article_id!r}", pointer="/id")
    for name, value in (("title", title), ("text", text)):
        if not value.strip():
            raise InvalidInputError(f"the {name} is empty", pointer=f"/{name}")
    source = text.replace("\r\n", "\n").strip()
    return Article(article_id, " ".join(title.split()), " ".join(description.split()), _WRAPPED.sub(" ", source))


def _fields(name: str, head: str) -> dict[str, str]:
    """`key: value` lines; quotes, lists and the rest of YAML are not read."""
    fields: dict[str, str] = {}
    for line in head.split("\n"):
        key, colon, value = line.partition(":")
        if not colon or key not in FIELDS or key in fields or not value.strip():
            raise InvalidInputError(f"Article {name}: {line!r} is not one of {', '.join(FIELDS)} with a value, once")
        fields[key] = value.strip()
    if missing := [key for key in FIELDS if key not in fields]:
        raise InvalidInputError(f"Article {name}: the front matter lacks {' and '.join(missing)}")
    return fields


def _sections(text: str) -> Iterator[str]:
    """The text before the first heading, then section by section, the heading in bold above its text."""
    first, *rest = _SECTION.split(text)
    if first.strip():
        yield first.strip()
    for section in rest:
        heading, _, body = section.partition("\n")
        yield f"**{heading.strip()}**\n\n{body.strip()}".strip()


def _heading(section: str) -> str:
    return section.partition("\n")[0] if section.startswith("**") else ""


def _article_bag(article: Article) -> Counter[str]:
    bag: Counter[str] = Counter()
    for section in _sections(article.text):
        bag += _section_bag(section)
    return bag + _weighted(article.title, TITLE_WEIGHT) + _weighted(article.description, DESCRIPTION_WEIGHT)


def _section_bag(section: str) -> Counter[str]:
    return _weighted(section, 1) + _weighted(_heading(section), HEADING_WEIGHT - 1)


def _weighted(text: str, weight: int) -> Counter[str]:
    return Counter({stem: count * weight for stem, count in Counter(stems(text)).items()})
