"""The articles of what everybody should know: Markdown files with front matter, read once and found by their words.

An article counts for a question by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over
stems, in which words of its title, description and headings count more often than those of its text.
"""

import importlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct

from aisha.domain.errors import InvalidInputError

FIELDS = ("id", "description")
"""What the front matter has, all of it and nothing else."""
TITLE_WEIGHT, DESCRIPTION_WEIGHT, HEADING_WEIGHT = 4, 2, 3
"""How often a word there counts, beside once in the text."""
SATURATION = 1.2
"""k1 of BM25."""
ARTICLE_LENGTH, SECTION_LENGTH = 0.75, 0.3
"""b of BM25: how much a long text is held against it. Less for sections, where the short ones are asides."""
NEAR_ENOUGH = 0.5
"""Part of the best article's score from which another one is worth showing."""
COVERED = 0.3
"""Part of the question, by the weight of its words, that an article must have."""
_FRONT_MATTER = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TITLE = re.compile(r"\s*# (?P<title>\S[^\n]*)\n(?P<text>.*)", re.DOTALL)
_SECTION = re.compile(r"^## ", re.MULTILINE)
_WRAPPED = re.compile(r"(?<=[^\n])\n(?!\n|#|\||[ ]*(?:[-*]|\d+\.)[ ])[ ]*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_UNTOLD = frozenset(
    "a about again all also am an and any anything are article articles as at be been before but by can could did do document "
    "documentation documents does for from get give guide had has have he her him his how i i'm if in into is it it's its just "
    "know knowledge let like look make may me my need of on one or our ours out please read say says search she should show so "
    "some something tell than that that's the their them then there these they this those to up us use was we were what what's "
    "when where which who why will with would you your find way best good right".split()
)
"""Words of questions that say nothing of what is asked about."""


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


class Ranking:
    """BM25 over bags of stems."""

    def __init__(self, bags: Sequence[Counter[str]], length: float) -> None:
        self._bags = bags
        self._length = length
        self._lengths = [bag.total() for bag in bags]
        self._mean = sum(self._lengths) / len(bags) if bags else 1.0
        self._holding = Counter(stem for bag in bags for stem in bag)

    def weight(self, stem: str) -> float:
        """How telling a word is: the rarer, the more."""
        held = self._holding[stem]
        return math.log(1 + (len(self._bags) - held + 0.5) / (held + 0.5))

    def score(self, place: int, wanted: Iterable[str]) -> float:
        """How well the bag at this place fits the stems, 0 if it has none of them."""
        bag, length = self._bags[place], self._lengths[place]
        damping = SATURATION * (1 - self._length + self._length * length / self._mean)
        return sum(
            self.weight(stem) * bag[stem] * (SATURATION + 1) / (bag[stem] + damping) for stem in wanted if bag[stem]
        )

    def covers(self, place: int, wanted: Iterable[str]) -> bool:
        """True when the bag has enough of what was asked for; one common word of many is not."""
        whole = sum(self.weight(stem) for stem in wanted)
        return sum(self.weight(stem) for stem in wanted if self._bags[place][stem]) >= COVERED * whole > 0


class Library:
    """Articles that can be searched."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self.articles = tuple(articles)

    # The stems of all texts take a good part of a cold start, and most turns search for nothing.

    @cached_property
    def _sections(self) -> list[tuple[int, str]]:
        return [(place, text) for place, one in enumerate(self.articles) for text in _sections(one.text)]

    @cached_property
    def _by_article(self) -> Ranking:
        return Ranking([_article_bag(one) for one in self.articles], ARTICLE_LENGTH)

    @cached_property
    def _by_section(self) -> Ranking:
        return Ranking([_section_bag(text) for _, text in self._sections], SECTION_LENGTH)

    def search(self, query: str, limit: int | None = None) -> tuple[Passage, ...]:
        """The articles that fit, the best first, each with its best section; all of them without a limit."""
        wanted = telling_stems(query)
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
        wanted, named = frozenset(stems(id_or_title, _UNTOLD)), stems(id_or_title)
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


def stems(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    """The stems of the words, as often as they come, in their order."""
    words = (word.replace("’", "'") for word in _WORD.findall(text.lower()))
    return [_stem(word) for word in words if word not in without]


def telling_stems(query: str) -> frozenset[str]:
    """The stems of a question's words that say what it is about; of all its words when none does."""
    return frozenset(stems(query, _UNTOLD)) or frozenset(stems(query))


@lru_cache(maxsize=10_000)
def _stem(word: str) -> str:
    # Imported when a question is searched for: the package loads every language, which a cold start need not wait for.
    # A stemmer keeps the word that it works on, so that threads can't share one.
    return str(importlib.import_module("snowballstemmer").stemmer("english").stemWord(word))


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
