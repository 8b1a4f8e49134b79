"""Find the record that a name means: by its whole name, by some of its words, or spelt almost so.

A name costs one round of searches, or two in the first round of a turn where a kind is said: that, then the others.
"""

import re
from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from rapidfuzz.distance import OSA

from aisha.adapters.llm.planner.plan import EarlyAnswer, Plan, at_once
from aisha.adapters.llm.planner.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.lexicon import KINDS, PLURALS
from aisha.domain.language.marks import plain_text
from aisha.domain.language.tokens import tokenize

_PREFERRED = ("lead", "contact", "account")
"""The kinds of which one is meant where a deal has the name, too."""
DOUBLED = re.compile(r"(\w)\1")
"""Matches doubled letters: "Rusell", "Russel" and "Russell" sound the same."""
_SUMS = ("amount", "estimated_value", "annual_revenue")
_POSSESSIVE = re.compile(r"['’]s\b")
_MIN_TYPO_LENGTH = 4
_MAX_SLIPS = 2
_MIN_DESCRIBING = 4
"""Shorter words describe nobody."""
_QUALIFIED = 5
"""Added to the rank of a record that has the qualifier."""


class Ambiguous(Struct, frozen=True):
    """Several records have the name."""

    name: str
    candidates: tuple[Ref, ...]


class Unknown(Struct, frozen=True):
    """No record has the name. `kind` is the kind that was looked for, if one was named."""

    name: str
    kind: str | None


Match = Ref | Ambiguous | Unknown


def tell_apart(words: set[str], candidates: Sequence[Ref]) -> Ref | None:
    """Return the candidate of whose name the words have more than of any other's, or None."""
    telling = words - lexicon.LINK_WORDS
    ranked = sorted(candidates, key=lambda ref: len(telling & {*words_of(ref.name)}), reverse=True)
    numbers = [len(telling & {*words_of(ref.name)}) for ref in ranked[:2]]
    return ranked[0] if len(numbers) > 1 and numbers[0] > numbers[1] else None


def chosen(listed: Sequence[Ref], place: int) -> Ref | None:
    """Return the record at a place of a list, counted from 1; -1 is the last."""
    if place < 0:
        return listed[-1] if listed else None
    return listed[place - 1] if 1 <= place <= len(listed) else None


def by_name(plan: Plan, name: str, kinds: Sequence[str] = (), qualifier: str | None = None) -> Match:
    """Return the record of a name among the kinds (all by default), in the session first."""
    if (binding := plan.bindings.get(name.lower())) is not None:
        return binding
    if qualifier is None and (session_record := _in_session(plan, name, kinds)) is not None:
        return session_record
    preferred = kinds or _PREFERRED
    others = [kind for kind in KINDS if kind not in preferred]
    searches = searches_for(plan, name, preferred)
    is_late = plan.results.rounds > 0 and any(plan.results.of(one) is None for one in searches)
    if not kinds or is_late:
        plan.need_all([*searches, *searches_for(plan, name, others)])  # A turn has three rounds.
    similar = partial(_spelt_similarly, plan, name, preferred)
    beside = [similar] if any(plan.results.of(one) is None for one in searches_for(plan, name, others)) else []
    for group in (preferred, others):
        if hits := at_once([partial(_search, plan, name, group), *(beside if group is others else [])])[0]:
            match = _nearest(plan, name, qualifier, hits)
            if isinstance(match, Ambiguous) and group is others:
                match = _without_own_deals(match)
            is_likeness = isinstance(match, Ref) and not {*words_of(name)} & {*words_of(f"{match.name} {match.about}")}
            if is_likeness and group is preferred and _is_name_of(plan, name, others):
                continue  # "Mark Lars as lost" means the lead Lars, and not a deal with the Labs.
            if not isinstance(match, Unknown):
                return match
    return Ambiguous(name, tuple(refs)) if (refs := similar()) else Unknown(name, kinds[0] if len(kinds) == 1 else None)


def _is_name_of(plan: Plan, name: str, kinds: Sequence[str]) -> bool:
    """Return whether a record of the kinds, as far as they were searched, has all words of a name."""
    outcomes = [plan.results.of(one) for one in searches_for(plan, name, kinds)]
    refs = [ref_of(item) for outcome in outcomes if outcome is not None for item in items_of(outcome)]
    return any({*words_of(name)} <= {*words_of(ref.name)} for ref in refs)


def _spelt_similarly(plan: Plan, name: str, kinds: Sequence[str]) -> list[Ref]:
    """Return the people who have the first or last name, and the other but for a letter or two: "Jak Rusell"."""
    words, people = name.split(), [kind for kind in kinds if kind in ("lead", "contact")]
    is_late = len(words) != 2 or plan.scene.final  # A turn has three rounds.
    calls = [one for word in words for one in searches_for(plan, word, people)] if people and not is_late else []
    refs = dict.fromkeys(ref_of(item) for outcome in plan.need_all(calls) for item in items_of(outcome))
    return [ref for ref in refs if OSA.distance(name.lower(), ref.name.lower(), score_cutoff=_MAX_SLIPS) <= _MAX_SLIPS]


def _without_own_deals(match: Ambiguous) -> Match:
    """Return the account where the other candidates are its deals, which bear its name: no deal was asked for."""
    others = [ref for ref in match.candidates if ref.type != "opportunity"]
    is_account = len(others) == 1 and others[0].type == "account"
    is_own = is_account and all(ref.name.startswith(others[0].name) for ref in match.candidates)
    return others[0] if is_own else match


def searches_for(plan: Plan, name: str, kinds: Sequence[str]) -> list[PlannedCall]:
    """Return the searches for a name among those of the kinds (all by default) that the user may use."""
    return [search_for(plan, name, kind) for kind in kinds or KINDS if plan.has(f"search_{PLURALS[kind]}")]


def search_for(plan: Plan, name: str, kind: str) -> PlannedCall:
    """Return the search for a name among the records of a kind."""
    return plan.planned(f"search_{PLURALS[kind]}", name_contains=_POSSESSIVE.sub("", name))


def _search(plan: Plan, name: str, kinds: Sequence[str]) -> list[Ref]:
    outcomes = plan.need_all(searches_for(plan, name, kinds))
    items = [item for outcome in outcomes for item in items_of(outcome)]
    if not items and (failed := next((one for one in outcomes if one.error), None)) is not None:
        raise EarlyAnswer(plan.failure(failed, f"look for {name}"))  # Nothing is said to be unknown.
    ids = {item.get("id") for item in items}
    # A lead that was converted is the contact that it became, unless leads alone are looked for.
    return [ref_of(item) for item in items if (item.get("converted") or {}).get("contact_id") not in ids]


def _in_session(plan: Plan, name: str, kinds: Sequence[str]) -> Ref | None:
    """Return the one record of the session with this name, or with all its words.

    Deals and accounts share words: of those only one that the last answer was about is meant by a part of its name.
    """
    words = set(name.lower().split())
    refs = {
        ref.id: ref for ref in [*plan.topic.refs, *(Ref(one.type, one.id, one.name) for one in plan.scene.entities)]
    }
    spoken_of = {ref.id for ref in plan.topic.refs}
    fitting = [ref for ref in refs.values() if ref.type in (kinds or KINDS)]
    exact = [ref for ref in fitting if ref.name.lower() == name.lower()]
    named = [ref for ref in fitting if ref.id in spoken_of or ref.type in ("lead", "contact")]
    matches = exact or [ref for ref in named if words <= set(ref.name.lower().split())]
    return matches[0] if len(matches) == 1 else None


def _nearest(plan: Plan, name: str, qualifier: str | None, hits: Sequence[Ref]) -> Match:
    ranked = [(_rank(name, qualifier, ref), ref) for ref in hits]
    best = max((rank for rank, _ in ranked), default=0)
    candidates = [ref for rank, ref in ranked if rank == best] if best else []
    if len(candidates) > 1:
        candidates = _spoken_of(plan, candidates) or candidates
    if not candidates:
        return Unknown(name, None)
    if qualifier and best < _QUALIFIED:
        # "Kofi from Golden Stool" is not the Kofi of another company: the user says which one is meant.
        return Ambiguous(name, tuple(candidates))
    return candidates[0] if len(candidates) == 1 else Ambiguous(name, tuple(candidates))


def _spoken_of(plan: Plan, namesakes: Sequence[Ref]) -> list[Ref]:
    """Return the one of namesakes that the conversation is about, or that belongs to what it is about."""
    ids = {one.id for one in plan.scene.entities}
    # An earlier search may have found several of them: then none is the one spoken of.
    discussed = [ref for ref in namesakes if ref.id in {one.id for one in plan.topic.refs[:1]}]
    discussed = discussed or [ref for ref in namesakes if ref.id in ids]
    if len(discussed) == 1:
        return discussed
    topic_words = {word for ref in plan.topic.refs[:1] for word in words_of(ref.name)}
    related = tell_apart(topic_words, namesakes)
    return [related] if related is not None else []


def _rank(name: str, qualifier: str | None, ref: Ref) -> int:
    """Rank a hit: 4 the whole name, 3 its words, 2 with a typo, 1 only its company, 0 none.

    The qualifier adds `_QUALIFIED`.
    """
    name_words, record_words = words_of(name), words_of(ref.name)
    extra = _QUALIFIED if qualifier and all_near(qualifier, ref.about) else 0
    if name_words == record_words:
        return 4 + extra
    record_words = words_and_parts(ref.name)
    if all(word in record_words for word in name_words):
        return 3 + extra
    near = [word for word in name_words if any(is_near(word, other) for other in record_words)]
    if len(near) == len(name_words):
        return 2 + extra
    rest = " ".join(word for word in name_words if word not in near)
    if near and all_near(rest, ref.about):
        return 3 + extra
    return 1 if all_near(name, ref.about) else 0


def words_of(text: str) -> list[str]:
    return [token.word for token in tokenize(text) if token.kind != "mark"]


def words_and_parts(text: str) -> list[str]:
    """Return the words of a name, and the parts of those with a hyphen or apostrophe, which speech leaves out."""
    words = words_of(text)
    return [*words, *(part for word in words if "-" in word or "'" in word for part in re.split("[-']", word) if part)]


def all_near(words: str, text: str) -> bool:
    """Return whether the text has all of the words, but for typos."""
    present = words_of(text)
    return bool(words_of(words)) and all(any(is_near(word, other) for other in present) for word in words_of(words))


def is_left_out(names: Sequence[str], text: str) -> bool:
    """Return whether one of the names that an order leaves out is that of a record."""
    return any(all_near(name, text) for name in names)


def is_near(word: str, other: str) -> bool:
    """Return whether two words are the same but for a typo, a shortened first name or doubled letters."""
    if word == other or (len(word) >= 3 and other.startswith(word)):
        return True
    if DOUBLED.sub(r"\1", word) == DOUBLED.sub(r"\1", other):
        return True
    # OSA counts two swapped letters as one edit, the usual typo.
    return len(word) >= _MIN_TYPO_LENGTH and OSA.distance(word, other, score_cutoff=1) <= 1


def choose(text: str, candidates: Sequence[Ref]) -> Ref | None:
    """Return the candidate that an answer to "Which one?" means, or None."""
    words = words_of(text)
    if len(words) <= 2 and words[-1:] and words[-1].isdecimal():
        return chosen(candidates, int(words[-1]))  # "3", "number 3"
    if place := next(iter(lexicon.ordinals_in(words)), 0):
        return chosen(candidates, place)
    scores = [_overlap(words, ref) for ref in candidates]
    best = max(scores, default=0)
    top = [ref for score, ref in zip(scores, candidates, strict=True) if score == best]
    return top[0] if best > 0 and len(top) == 1 else None


def described(plan: Plan, name: str, candidates: Sequence[Ref], text: str) -> Ref | None:
    """Return the one of namesakes whose record has what an answer says: "the consultant", "the one in Boston".

    Raises `Pending` with the searches that found them.
    """
    # "The IT guy": what is written in capitals is no small word.
    tokens = [
        one for one in tokenize(text) if len(one.word) >= _MIN_DESCRIBING or (one.is_capital and one.text.isupper())
    ]
    describing = {one.word for one in tokens if one.kind == "word"}
    kinds = tuple(dict.fromkeys(ref.type for ref in candidates))
    calls = [search_for(plan, name, kind) for kind in kinds if name and plan.has(f"search_{PLURALS[kind]}")]
    is_describing = describing or any(letter.isdecimal() for letter in text)
    items = [item for outcome in plan.need_all(calls) for item in items_of(outcome)] if is_describing else []
    ids = {ref.id: ref for ref in candidates}
    texts = {item.get("id"): {word for value in item.values() for word in words_of(str(value))} for item in items}
    fitting = [ids[one] for one, words in texts.items() if one in ids and describing & words]
    numbers = {one.value for one in find_amounts(plain_text(tokenize(text))[0])}
    if numbers and not fitting:  # "The 23k one"
        sums = {item.get("id"): {float(item[name]) for name in _SUMS if item.get(name)} for item in items}
        fitting = [ids[one] for one, values in sums.items() if one in ids and numbers & values]
    return fitting[0] if len(fitting) == 1 else None


def _overlap(words: Sequence[str], ref: Ref) -> float:
    described = words_of(f"{ref.name} {ref.about} {ref.type}")
    exact = sum(1 for word in set(words) if word in described)
    near = sum(0.5 for word in set(words) if word not in described and any(is_near(word, one) for one in described))
    return exact + near
