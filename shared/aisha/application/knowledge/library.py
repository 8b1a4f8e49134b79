"""The product's articles: Markdown files with front matter, read once and searched by BM25.

Words of an article's title, description and headings have more weight than those of its text.
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
"""The fields of the front matter, all of them required."""
TITLE_WEIGHT, DESCRIPTION_WEIGHT, HEADING_WEIGHT = 4, 2, 3
"""Weights of a word there; in the text it is 1."""
ARTICLE_LENGTH = 0.75
"""b of BM25 for whole articles: how much it penalises length."""
MIN_RELATIVE_SCORE = 0.5
"""Share of the best article's score that another one must reach."""
_FRONT_MATTER = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
# A slug: `closing-deals`.
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TITLE = re.compile(r"\s{0,100}# (?P<title>\S[^\n]*)\n(?P<text>.*)", re.DOTALL)
_SECOND_TITLE = re.compile(r"^# (?P<title>\S.*)", re.MULTILINE)
_CODE = re.compile(r"^(?P<fence>```|~~~).*?^(?P=fence)", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^## ", re.MULTILINE)
# A line break inside a paragraph: not at an empty line, and not before a heading, a table row or a list item.
_WRAPPED = re.compile(r"(?<=[^\n])\n(?!\n|#|\||[ ]*(?:[-*]|\d+\.)[ ])[ ]*")


class Article(Struct, frozen=True):
    """An article. `id` is a slug; `text` is the Markdown below the title, with each paragraph on one line."""

    id: str
    title: str
    description: str
    text: str


class Passage(Struct, frozen=True):
    """The best section of an article for a query. Scores are comparable only within one search."""

    article: Article
    text: str
    score: float


class Library:
    """Searchable articles."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self.articles = tuple(articles)

    # Computed at the first search: the stems of all texts would take a good part of a cold start.

    @cached_property
    def _sections(self) -> list[tuple[int, str]]:
        return [(place, text) for place, article in enumerate(self.articles) for text in _sections(article.text)]

    @cached_property
    def _by_article(self) -> BM25Index:
        return BM25Index([_article_bag(article) for article in self.articles], ARTICLE_LENGTH)

    @cached_property
    def _by_section(self) -> BM25Index:
        return BM25Index([_section_bag(text) for _, text in self._sections], SECTION_LENGTH)

    def search(self, query: str, limit: int | None = None) -> tuple[Passage, ...]:
        """Return the matching articles, the best first, each with its best section; all of them without a limit."""
        words = query_stems(query)
        scored = [
            (self._by_article.score(place, words), place)
            for place in range(len(self.articles))
            if self._by_article.covers(place, words)
        ]
        best = max(scored, default=(0.0, 0))[0]
        # Negated scores sort the best first and leave equal ones in the order of the articles.
        ranked = sorted((-score, place) for score, place in scored if score >= MIN_RELATIVE_SCORE * best)
        return tuple(
            Passage(self.articles[place], self._passage(place, words), round(-negated, 2))
            for negated, place in ranked[:limit]
        )

    def find(self, id_or_title: str) -> Article | None:
        """Return the article with this id or title, or the only one with all these words in them, or None."""
        words, name = frozenset(stems(id_or_title, STOP_WORDS)), stems(id_or_title)
        exact = [article for article in self.articles if name in (stems(article.id), stems(article.title))]
        matches = exact or [
            article for article in self.articles if words and words <= {*stems(article.title), *stems(article.id)}
        ]
        # Words that fit several articles name none of them.
        return matches[0] if len(matches) == 1 else None

    def _passage(self, article: int, words: frozenset[str]) -> str:
        """Return the best section; after an introduction without heading also the next best one."""
        own = [index for index, (place, _) in enumerate(self._sections) if place == article]
        ranked = sorted(own, key=lambda index: -self._by_section.score(index, words))
        best, *others = [self._sections[index][1] for index in ranked]
        return best if _heading(best) or not others else f"{best}\n\n{others[0]}"


@lru_cache(maxsize=1)
def library() -> Library:
    """Return the product's own articles. Raises `InvalidInputError` when one of their files is invalid."""
    return Library(load(files("aisha").joinpath("assets", "knowledge")))


def articles() -> tuple[Article, ...]:
    """Return the product's articles, sorted by id. Raises as `library` does."""
    return library().articles


def search(query: str, limit: int | None = None) -> tuple[Passage, ...]:
    """Search the product's articles, see `Library.search`. Raises as `library` does."""
    return library().search(query, limit)


def find(id_or_title: str) -> Article | None:
    """Return one of the product's articles, see `Library.find`. Raises as `library` does."""
    return library().find(id_or_title)


def load(folder: Traversable) -> list[Article]:
    """Return the articles of a folder's `.md` files, sorted by id.

    Raises `InvalidInputError` with the name of the file: for front matter without exactly `id` and `description`, an id
    that is no slug or is used twice, a file without a title or a text, or with two titles.
    """
    file_names: dict[str, str] = {}
    loaded = []
    for file in sorted((file for file in folder.iterdir() if file.name.endswith(".md")), key=lambda file: file.name):
        try:
            # Some editors begin a file with a byte order mark.
            source = file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise InvalidInputError(f"Article {file.name}: save it in UTF-8") from None
        article = parse(file.name, source)
        if (other := file_names.setdefault(article.id, file.name)) != file.name:
            raise InvalidInputError(f"Article {file.name}: the id {article.id} is used in {other} already")
        loaded.append(article)
    return sorted(loaded, key=lambda article: article.id)


def parse(name: str, source: str) -> Article:
    """Parse an article from the text of the file `name`. Raises `InvalidInputError`."""
    parts = _FRONT_MATTER.fullmatch(source.replace("\r\n", "\n"))
    if parts is None:
        raise InvalidInputError(f"Article {name}: it must begin with front matter between two lines of ---")
    fields = _fields(name, parts["head"])
    body = _TITLE.fullmatch(parts["body"])
    if body is None or not body["text"].strip():
        raise InvalidInputError(f"Article {name}: below the front matter there must be a title (# ...) and a text")
    if second := _SECOND_TITLE.search(_CODE.sub("", body["text"])):
        advice = "make it a section (## ...), or another article"
        raise InvalidInputError(f"Article {name}: it has a second title, {second['title']!r}: {advice}")
    try:
        return make_article(fields["id"], body["title"], fields["description"], body["text"])
    except InvalidInputError as error:
        raise InvalidInputError(f"Article {name}: {error.message}") from error


def make_article(article_id: str, title: str, description: str, text: str) -> Article:
    """Return an article with the wrapped lines of its text joined. Raises `InvalidInputError`."""
    if not _ID.fullmatch(article_id):
        raise InvalidInputError(
            f"The id must be lower-case words with hyphens, such as price-list, not {article_id!r}", pointer="/id"
        )
    for name, value in (("title", title), ("text", text)):
        if not value.strip():
            raise InvalidInputError(f"The {name} is empty.", pointer=f"/{name}")
    heading, source = " ".join(title.split()), text.replace("\r\n", "\n").strip()
    first, _, rest = source.partition("\n")
    if first.startswith("# ") and first[2:].strip().lower() == heading.lower() and rest.strip():
        source = rest.strip()  # The title stands above the text.
    return Article(article_id, heading, " ".join(description.split()), _WRAPPED.sub(" ", source))


def _fields(name: str, head: str) -> dict[str, str]:
    """Parse `key: value` lines; quotes, lists and the rest of YAML are not supported."""
    fields: dict[str, str] = {}
    for line in head.split("\n"):
        key, colon, value = line.partition(":")
        if not colon or key not in FIELDS or key in fields or not value.strip():
            lines = " and ".join(f"`{field}: ...`" for field in FIELDS)
            raise InvalidInputError(f"Article {name}: between the lines of --- are {lines}, each once, not {line!r}")
        fields[key] = value.strip()
    if missing := [key for key in FIELDS if key not in fields]:
        raise InvalidInputError(f"Article {name}: the front matter lacks {' and '.join(missing)}")
    return fields


def _sections(text: str) -> Iterator[str]:
    """Yield the text before the first heading, then each section with its heading in bold."""
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
