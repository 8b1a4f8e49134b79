"""Resolve which record a clause is about: one of the session, of the last list, or one found by name."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from rapidfuzz.distance import OSA

from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.parser import ORDINALS, Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.spelling import is_word
from aisha.adapters.llm.offline.reading.tokens import tokenize
from aisha.adapters.llm.offline.results import PlannedCall, Results, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.crm.records import RECORD_TYPES

PLURALS = {"lead": "leads", "contact": "contacts", "account": "accounts", "opportunity": "opportunities"}
_NAME_SEARCHED = ("lead", "contact", "account")
_QUALIFYING = frozenset(("from", "at", "of", "with", "in", "over"))
_ORDINAL = pattern(
    r"\b(?:the |number |no\.?\s*|#\s*|option )(?P<word>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th"
    r"|\d{1,2})\b(?: (?:one|lead|contact|account|deal|person|name|guy|on the list))?"
)
_DOUBLED = re.compile(r"(\w)\1")
"""Matches doubled letters: "Rusell", "Russel" and "Russell" sound the same."""
_OTHER = pattern(r"\bthe other\b|\bnot (?:that|this)\b|\ba different\b")


class Pending(Exception):
    """Raised when the plan can't go on before these calls have run."""

    def __init__(self, calls: Sequence[PlannedCall]) -> None:
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
    """Resolve subjects from the turn's data. `searchable` are the kinds whose search tool the user may use."""

    entities: Sequence[SessionEntity]
    topic: Topic
    results: Results
    bindings: Mapping[str, Ref]
    searchable: Sequence[str]

    def subject(
        self, reading: Reading, kind: str | None = None, *, always_search: bool = False, must_name: bool = False
    ) -> Subject:
        """Return the one record the clause is about. Raises `Pending` while a search is needed.

        Ordinary words that match no record are ignored, unless the clause must name somebody.
        """
        # The empty name binds the record chosen for a request that named none.
        if "" in self.bindings:
            return self.bindings[""]
        if (listed := ordinal_in(reading.text, self.topic.refs)) is not None and not reading.names:
            return listed
        name, qualifier = subject_name(reading)
        if name is None or (
            not must_name and "person" in reading.pronouns and not any(one.strong for one in reading.names)
        ):
            return self.mentioned(reading, kind)
        if (binding := self.bindings.get(name.lower())) is not None:
            return binding
        session_ref = None if always_search or qualifier else self._in_session(name, kind)
        if session_ref is not None:
            return session_ref
        match = _prefer_full_name(
            self.by_name(name, qualifier, kind, _OTHER.search(reading.text) is not None), reading.text
        )
        if isinstance(match, Ambiguous) and (chosen := choose_candidate(reading.text, match.candidates)) is not None:
            match = chosen
        if not isinstance(match, Unknown) or must_name or self._is_a_name(reading, name):
            return match
        return self.mentioned(reading, kind)

    def _is_a_name(self, reading: Reading, text: str) -> bool:
        """Return whether words that match no record are a name nevertheless, so that the reply says it is unknown."""
        name = next((name for name in reading.names if name.text == text), None)
        return name is not None and name.strong and (name.capital or not reading.pronouns)

    def mentioned(self, reading: Reading, kind: str | None = None) -> Ref | None:
        """Return the record mentioned last, for a pronoun or a clause without a name."""
        if len(self.topic.refs) == 1 and self._fits(self.topic.refs[0], reading, kind):
            return self.topic.refs[0]
        preferred = (kind,) if kind in KINDS else ("lead", "contact") if "person" in reading.pronouns else KINDS
        for types in (preferred, KINDS if kind is None else ()):
            for entity in self.entities:
                if entity.type in types:
                    return Ref(entity.type, entity.id, entity.name)
        return None

    def _fits(self, ref: Ref, reading: Reading, kind: str | None) -> bool:
        if kind in KINDS:
            return ref.type == kind
        return ref.type in (("lead", "contact") if "person" in reading.pronouns else KINDS)

    def by_name(self, name: str, qualifier: str | None, kind: str | None, other: bool = False) -> Subject:
        """Search every kind a name may belong to, and return the nearest match."""
        kinds_to_search = (kind,) if kind is not None and kind in self.searchable else _NAME_SEARCHED
        first = [item for item in kinds_to_search if item in self.searchable]
        if hits := self._search(name, first):
            return self._nearest(name, qualifier, kind, hits, other)
        shorter = _name_variants(name)
        # Other kinds and spellings cost one more round, and all are asked for in it.
        others = [item for item in self.searchable if item not in first]
        attempts = [(name, others), *[(one, first) for one in shorter]]
        self._search_all(attempts)
        for one, kinds in attempts:
            if hits := self._search(one, kinds):
                return self._nearest(one if one == _without_verb(name) else name, qualifier, kind, hits)
        return Unknown(name, kind)

    def _search(self, name: str, kinds: Sequence[str]) -> list[Ref]:
        return self._search_all([(name, kinds)])

    def _search_all(self, searches: Sequence[tuple[str, Sequence[str]]]) -> list[Ref]:
        calls = [
            PlannedCall(f"search_{PLURALS[kind]}", {"name_contains": name})
            for name, kinds in searches
            for kind in kinds
        ]
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
        # Rank 1 is a match by company alone, rank 0 is none: such hits are no candidates.
        if best < 2:
            candidates = [ref for rank, ref in ranked if rank == 1]
        if not candidates:
            return Unknown(name, kind)
        if len(candidates) > 1:
            if other and self.entities:
                return _one_of(name, [ref for ref in candidates if ref.id != self.entities[0].id])
            # Of namesakes, the one that the conversation is about.
            talked_of = [ref for ref in candidates if ref.id == (self.entities[0].id if self.entities else "")]
            candidates = talked_of or candidates
        return candidates[0] if len(candidates) == 1 else Ambiguous(name, tuple(candidates))

    def _rank(self, name: str, qualifier: str | None, ref: Ref) -> int:
        """Rank a hit: 4 the whole name, 3 its words, 2 with a typo, 1 only its company, 0 none; qualifier +4."""
        name_words = [token.word for token in tokenize(name)]
        record_words = [token.word for token in tokenize(ref.name)]
        extra = 4 if qualifier and _words_match(qualifier, ref.about) else 0
        if name_words == record_words:
            return 4 + extra
        if all(word in record_words for word in name_words):
            return 3 + extra
        if all(any(_near(word, other) for other in record_words) for word in name_words):
            return 2 + extra
        matched = [word for word in name_words if any(_near(word, other) for other in record_words)]
        rest = " ".join(word for word in name_words if word not in matched)
        if matched and _words_match(rest, ref.about):
            return 3 + extra
        return 1 if _words_match(name, ref.about) else 0

    def _in_session(self, name: str, kind: str | None) -> Ref | None:
        lowered = name.lower()
        words = set(lowered.split())
        entities = [
            entity
            for entity in self.entities
            if entity.type in KINDS
            and (kind is None or entity.type == kind)
            and (lowered in (entity.name.lower(), *entity.aliases) or words <= set(entity.name.lower().split()))
        ]
        exact = [entity for entity in entities if entity.name.lower() == lowered]
        matches = exact or entities
        if len(matches) == 1:
            return Ref(matches[0].type, matches[0].id, matches[0].name)
        return None


def _one_of(name: str, candidates: Sequence[Ref]) -> Subject:
    return candidates[0] if len(candidates) == 1 else Ambiguous(name, tuple(candidates))


def _prefer_full_name(match: Subject, text: str) -> Subject:
    """Return the candidate whose whole name the sentence contains, even if some of its words are ordinary."""
    if not isinstance(match, Ambiguous):
        return match
    sentence = " ".join(token.word for token in tokenize(text))
    complete = [ref for ref in match.candidates if " ".join(token.word for token in tokenize(ref.name)) in sentence]
    return complete[0] if len(complete) == 1 else match


def _name_variants(name: str) -> list[str]:
    """Return other spellings to search: single letters, the first two words, the words after a verb."""
    variants = [
        _DOUBLED.sub(r"\1", name),
        " ".join(name.split()[:2]) if len(name.split()) > 2 else name,
        _without_verb(name),
    ]
    return [variant for variant in dict.fromkeys(variants) if variant != name]


def _without_verb(name: str) -> str:
    """Remove the ordinary words before a lower-case name, at least one: "hand tomasz kowalczyk"."""
    words = name.split()
    if len(words) < 3 or not words[0].islower() or not is_word(words[0].lower()):
        return name
    rest = [word for at, word in enumerate(words) if at and not all(is_word(one.lower()) for one in words[: at + 1])]
    return " ".join(rest if len(rest) > 1 else words[1:])


def subject_name(reading: Reading) -> tuple[str | None, str | None]:
    """Return the clause's name and the company that distinguishes namesakes: ("John Smith", "XYZ")."""
    names = reading.names
    if not names:
        return None, None
    # Names written as such first, then unknown words, then anything else that may be a name.
    strong = [name for name in names if name.capital] or [name for name in names if name.strong] or names
    first = strong[0]
    later = next((name for name in names if name.start > first.end and name.before in _QUALIFYING), None)
    return first.text, later.text if later else None


def ordinal_in(text: str, refs: Sequence[Ref]) -> Ref | None:
    """Return the listed record that an ordinal means: "the second one", "number 3", "the last one"."""
    match = _ORDINAL.search(text)
    if match is None or not refs:
        return None
    word = match["word"].lower()
    place = ORDINALS.get(word) or int(word if word.isdigit() else 0)
    if place == -1:
        return refs[-1]
    return refs[place - 1] if 1 <= place <= len(refs) else None


def choose_candidate(text: str, candidates: Sequence[Ref]) -> Ref | None:
    """Return the candidate that an answer to "Which one?" means, or None."""
    answer = text.strip().strip(".!#)(").lower()
    if answer.isdigit() and 1 <= int(answer) <= len(candidates):
        return candidates[int(answer) - 1]
    words = [token.word for token in tokenize(text)]
    for word in words:
        if word in ORDINALS and (len(words) <= 5):
            place = ORDINALS[word]
            return candidates[place - 1] if 0 < place <= len(candidates) else candidates[-1] if place < 0 else None
    if (listed := ordinal_in(text, candidates)) is not None:
        return listed
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
    # "Rob" for "Robert"; two letters would match too much.
    if word == other or (len(word) >= 3 and other.startswith(word)):
        return True
    if _DOUBLED.sub(r"\1", word) == _DOUBLED.sub(r"\1", other):
        return True
    # OSA counts two swapped letters as one edit, the usual typo.
    return len(word) >= 3 and OSA.distance(word, other, score_cutoff=1) <= 1


def _words_match(words: str, text: str) -> bool:
    words_sought = [token.word for token in tokenize(words)]
    words_present = [token.word for token in tokenize(text)]
    return bool(words_sought) and all(any(_near(word, other) for other in words_present) for word in words_sought)


def module_of(kind: str) -> str:
    """Return the CRM module that a kind of record belongs to."""
    return RECORD_TYPES[kind].MODULE
