"""Whom or what a clause is about: a record of the session, of the last list, or one found by its name."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from rapidfuzz.distance import OSA

from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.parser import ORDINALS, Name, Reading
from aisha.adapters.llm.offline.results import Results, Wanted, items_of, ref_of
from aisha.adapters.llm.offline.spelling import is_word
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.adapters.llm.offline.tokens import tokenize
from aisha.domain.conversation import SessionEntity
from aisha.domain.records import RECORD_TYPES

PLURALS = {"lead": "leads", "contact": "contacts", "account": "accounts", "opportunity": "opportunities"}
_NAME_SEARCHED = ("lead", "contact", "account")
_QUALIFYING = frozenset(("from", "at", "of", "with", "in", "over"))
_ORDINAL = re.compile(
    r"\b(?:the\s+|number\s+|no\.?\s*|#\s*|option\s+)(?P<word>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|\d{1,2})\b(?:\s+(?:one|lead|contact|account|deal|person|name|guy|on the list))?",
    re.IGNORECASE,
)


_DOUBLED = re.compile(r"(\w)\1")
"""Letters said once and written twice: "Rusell", "Russel" and "Russell" are one name to the ear."""


class Pending(Exception):
    """The plan can't go on before these calls have come back."""

    def __init__(self, calls: Sequence[Wanted]) -> None:
        super().__init__()
        self.calls = tuple(calls)


class Ambiguous(Struct, frozen=True):
    name: str
    candidates: tuple[Ref, ...]


class Unknown(Struct, frozen=True):
    name: str
    kind: str | None


Subject = Ref | Ambiguous | Unknown | None


class Finder(Struct, frozen=True):
    """Resolves subjects from what the turn knows. `searchable` are the kinds whose search tool the user may use."""

    entities: Sequence[SessionEntity]
    topic: Topic
    results: Results
    bindings: Mapping[str, Ref]
    searchable: Sequence[str]

    def subject(
        self, reading: Reading, kind: str | None = None, *, always_search: bool = False, must_name: bool = False
    ) -> Subject:
        """The one record the clause is about. Raises `Pending` while a search is needed.

        Ordinary words that turn out to be nobody's name are passed over, unless the clause must name somebody.
        """
        if "" in self.bindings:
            return self.bindings[""]
        if (picked := ordinal_in(reading.text, self.topic.refs)) is not None and not reading.names:
            return picked
        name, qualifier = subject_name(reading)
        if name is None or (
            not must_name and "person" in reading.pronouns and not any(one.strong for one in reading.names)
        ):
            return self.mentioned(reading, kind)
        if (bound := self.bindings.get(name.lower())) is not None:
            return bound
        known = None if always_search or qualifier else self._in_session(name, kind)
        if known is not None:
            return known
        found = _said_in_full(
            self.by_name(name, qualifier, kind, _OTHER.search(reading.text) is not None), reading.text
        )
        if isinstance(found, Ambiguous) and (told := choose(reading.text, found.candidates)) is not None:
            found = told
        if not isinstance(found, Unknown) or must_name or self._is_a_name(reading, name):
            return found
        return self.mentioned(reading, kind)

    def _is_a_name(self, reading: Reading, text: str) -> bool:
        """Whether words that name no record are a name all the same: the user is told that nobody is called so."""
        name = next((name for name in reading.names if name.text == text), None)
        return name is not None and name.strong and (name.capital or not reading.pronouns)

    def mentioned(self, reading: Reading, kind: str | None = None) -> Ref | None:
        """Without a name: what a pronoun or a bare sentence refers to is the record mentioned last."""
        if len(self.topic.refs) == 1 and self._fits(self.topic.refs[0], reading, kind):
            return self.topic.refs[0]
        wanted = (kind,) if kind in KINDS else ("lead", "contact") if "person" in reading.pronouns else KINDS
        for types in (wanted, KINDS if kind is None else ()):
            for entity in self.entities:
                if entity.type in types:
                    return Ref(entity.type, entity.id, entity.name)
        return None

    def _fits(self, ref: Ref, reading: Reading, kind: str | None) -> bool:
        if kind in KINDS:
            return ref.type == kind
        return ref.type in (("lead", "contact") if "person" in reading.pronouns else KINDS)

    def by_name(self, name: str, qualifier: str | None, kind: str | None, other: bool = False) -> Subject:
        """Searches every kind a name may belong to, then picks the nearest."""
        wanted = (kind,) if kind is not None and kind in self.searchable else _NAME_SEARCHED
        first = [item for item in wanted if item in self.searchable]
        if hits := self._search(name, first):
            return self._nearest(name, qualifier, kind, hits, other)
        shorter = _shorter(name)
        others = [item for item in self.searchable if item not in first]
        ways = [(name, others), *[(one, first) for one in shorter]]
        self._search_all(ways)
        for one, kinds in ways:
            if hits := self._search(one, kinds):
                return self._nearest(one if one == _without_verb(name) else name, qualifier, kind, hits)
        return Unknown(name, kind)

    def _search(self, name: str, kinds: Sequence[str]) -> list[Ref]:
        return self._search_all([(name, kinds)])

    def _search_all(self, wanted: Sequence[tuple[str, Sequence[str]]]) -> list[Ref]:
        calls = [Wanted(f"search_{PLURALS[kind]}", {"name_contains": name}) for name, kinds in wanted for kind in kinds]
        missing = [call for call in calls if self.results.of(call) is None]
        if missing:
            raise Pending(missing)
        return [ref_of(item) for call in calls for item in items_of(self.results.of(call))]

    def _nearest(
        self, name: str, qualifier: str | None, kind: str | None, hits: Sequence[Ref], other: bool = False
    ) -> Subject:
        ranked = [(self._rank(name, qualifier, ref), ref) for ref in hits]
        best = max((rank for rank, _ in ranked), default=0)
        candidates = [ref for rank, ref in ranked if rank == best]
        if best < 2:
            candidates = [ref for rank, ref in ranked if rank == 1]
        if not candidates:
            return Unknown(name, kind)
        if len(candidates) > 1:
            if other and self.entities:
                return _one_of(name, [ref for ref in candidates if ref.id != self.entities[0].id])
            talked_of = [ref for ref in candidates if ref.id == (self.entities[0].id if self.entities else "")]
            candidates = talked_of or candidates
        return candidates[0] if len(candidates) == 1 else Ambiguous(name, tuple(candidates))

    def _rank(self, name: str, qualifier: str | None, ref: Ref) -> int:
        """4 the whole name, 3 the name's words, 2 words with a typo, 1 only its company, 0 not at all; qualifier +4."""
        wanted = [token.word for token in tokenize(name)]
        shown = [token.word for token in tokenize(ref.name)]
        extra = 4 if qualifier and _alike(qualifier, ref.about) else 0
        if wanted == shown:
            return 4 + extra
        if all(word in shown for word in wanted):
            return 3 + extra
        if all(any(_near(word, other) for other in shown) for word in wanted):
            return 2 + extra
        inside = [word for word in wanted if any(_near(word, other) for other in shown)]
        rest = " ".join(word for word in wanted if word not in inside)
        if inside and _alike(rest, ref.about):
            return 3 + extra
        return 1 if _alike(name, ref.about) else 0

    def _in_session(self, name: str, kind: str | None) -> Ref | None:
        lowered = name.lower()
        words = set(lowered.split())
        found = [
            entity
            for entity in self.entities
            if entity.type in KINDS
            and (kind is None or entity.type == kind)
            and (lowered in (entity.name.lower(), *entity.aliases) or words <= set(entity.name.lower().split()))
        ]
        exact = [entity for entity in found if entity.name.lower() == lowered]
        chosen = exact or found
        if len(chosen) == 1:
            return Ref(chosen[0].type, chosen[0].id, chosen[0].name)
        return None


def _one_of(name: str, candidates: Sequence[Ref]) -> Subject:
    return candidates[0] if len(candidates) == 1 else Ambiguous(name, tuple(candidates))


_OTHER = re.compile(r"\bthe\s+other\b|\bnot\s+(?:that|this)\b|\ba\s+different\b", re.IGNORECASE)


def _said_in_full(found: Subject, text: str) -> Subject:
    """Of several candidates the one whose whole name the sentence has, though some of its words are ordinary ones."""
    if not isinstance(found, Ambiguous):
        return found
    said = " ".join(token.word for token in tokenize(text))
    whole = [ref for ref in found.candidates if " ".join(token.word for token in tokenize(ref.name)) in said]
    return whole[0] if len(whole) == 1 else found


def _shorter(name: str) -> list[str]:
    """Other ways to search for a name that nobody has: letters said once, its first two words, the words after a verb."""
    ways = [
        _DOUBLED.sub(r"\1", name),
        " ".join(name.split()[:2]) if len(name.split()) > 2 else name,
        _without_verb(name),
    ]
    return [way for way in dict.fromkeys(ways) if way != name]


def _without_verb(name: str) -> str:
    """ "hand tomasz kowalczyk": a lower-case name without the ordinary words before it, of which one is left out at least."""
    words = name.split()
    if len(words) < 3 or not words[0].islower() or not is_word(words[0].lower()):
        return name
    rest = [word for at, word in enumerate(words) if at and not all(is_word(one.lower()) for one in words[: at + 1])]
    return " ".join(rest if len(rest) > 1 else words[1:])


def subject_name(reading: Reading) -> tuple[str | None, str | None]:
    """The name the clause is about and the company that tells it from its namesakes: ("John Smith", "XYZ")."""
    names = reading.names
    if not names:
        return None, None
    strong = [name for name in names if name.capital] or [name for name in names if name.strong] or names
    first = strong[0]
    later = next((name for name in names if name.start > first.end and name.before in _QUALIFYING), None)
    return first.text, later.text if later else None


def ordinal_in(text: str, refs: Sequence[Ref]) -> Ref | None:
    """ "the second one", "number 3", "the last one" of what was listed."""
    match = _ORDINAL.search(text)
    if match is None or not refs:
        return None
    word = match["word"].lower()
    place = ORDINALS.get(word) or int(word if word.isdigit() else 0)
    if place == -1:
        return refs[-1]
    return refs[place - 1] if 1 <= place <= len(refs) else None


def choose(text: str, candidates: Sequence[Ref]) -> Ref | None:
    """The candidate that an answer to "Which one?" means, or None."""
    bare = text.strip().strip(".!#)(").lower()
    if bare.isdigit() and 1 <= int(bare) <= len(candidates):
        return candidates[int(bare) - 1]
    words = [token.word for token in tokenize(text)]
    for word in words:
        if word in ORDINALS and (len(words) <= 5):
            place = ORDINALS[word]
            return candidates[place - 1] if 0 < place <= len(candidates) else candidates[-1] if place < 0 else None
    if (picked := ordinal_in(text, candidates)) is not None:
        return picked
    scored = [(_overlap(words, ref), ref) for ref in candidates]
    best = max((score for score, _ in scored), default=0)
    top = [ref for score, ref in scored if score == best]
    return top[0] if best > 0 and len(top) == 1 else None


def _overlap(words: Sequence[str], ref: Ref) -> float:
    described = [token.word for token in tokenize(f"{ref.name} {ref.about} {ref.type}")]
    exact = sum(1 for word in set(words) if word in described)
    near = sum(0.5 for word in set(words) if word not in described and any(_near(word, other) for other in described))
    return exact + near


def _near(word: str, other: str) -> bool:
    if word == other or (len(word) >= 3 and other.startswith(word)):
        return True
    if _DOUBLED.sub(r"\1", word) == _DOUBLED.sub(r"\1", other):
        return True
    return len(word) >= 3 and OSA.distance(word, other, score_cutoff=1) <= 1


def _alike(words: str, text: str) -> bool:
    wanted = [token.word for token in tokenize(words)]
    shown = [token.word for token in tokenize(text)]
    return bool(wanted) and all(any(_near(word, other) for other in shown) for word in wanted)


def module_of(kind: str) -> str:
    """The CRM module that a kind of record belongs to."""
    return RECORD_TYPES[kind].MODULE


def is_qualifier(name: Name) -> bool:
    return name.before in _QUALIFYING
