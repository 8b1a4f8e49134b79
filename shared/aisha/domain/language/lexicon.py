"""The words of salespeople, from `lexicon.toml`: kinds of records, types of activities, fields, values, numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import vocabulary
from aisha.domain.language.tokens import Token, stem, tokenize
from aisha.domain.language.words import lexicon_tables

_WORDS = lexicon_tables()
KINDS: tuple[str, ...] = ("lead", "contact", "account", "opportunity")
"""The kinds of records that others are about."""
PLURALS = {kind: RECORD_TYPES[kind].MODULE for kind in KINDS}
_group = {key: frozenset[str](words) for key, words in _WORDS["groups"].items()}.__getitem__
SELF_WORDS, PLURAL_WORDS, PERSON_PRONOUNS, THING_PRONOUNS = map(_group, "self plural person thing".split())
INTERJECTIONS, LINK_WORDS, STATING_VERBS, KIND_NAMES = map(_group, "interjections links stating kind_names".split())
WORDS_BEFORE_COUNT, ORDER_VERBS, NEGATIONS = map(_group, "before_count order_verbs negations".split())
DO_WORDS, HEDGE_WORDS, QUESTION_STARTS = map(_group, "do_words hedges question_starts".split())
TEXT_VERBS, ADJECTIVES, NAMING_WORDS = map(_group, "text_verbs adjectives naming".split())
EVERYBODY, REPORTING_VERBS = map(_group, "everybody reporting".split())
_of_sentences = {key: frozenset[str](words) for key, words in _WORDS["sentences"].items()}.__getitem__
PAUSES, JOINTS, OPENINGS, JOKING, NO_HURRY = map(_of_sentences, "pauses joints openings joking no_hurry".split())
CORRECTING_WORDS, REASON_WORDS = map(_of_sentences, "correcting_words reason_words".split())
SUBJECT_PRONOUNS, TELLERS, POSSESSIVES = map(_of_sentences, "subject_pronouns tellers possessives".split())
POINTING, POINTERS, BEFORE_TARGETS = map(_of_sentences, "pointing pointers before_targets".split())
ASKING_WHAT, VERSUS, BOTH_WORDS = map(_of_sentences, "asking_what versus both_words".split())
STAYING, LEAVING = map(_of_sentences, "staying leaving".split())
THEY_PRONOUNS: frozenset[str] = frozenset(("they", "them", "their"))
"""Pronouns of a person or a company."""
BACK_REFERENCES = PERSON_PRONOUNS | THING_PRONOUNS | THEY_PRONOUNS
"""Words that refer to what was mentioned before."""
DETERMINERS = frozenset("a an the this that some his her their my our your its".split())
"""Before a noun: "not return his call" is about one call, "no more calls" about all."""
ORDINALS: Mapping[str, int] = _WORDS["ordinals"]
NUMBERS: Mapping[str, int] = _WORDS["numbers"]
US_STATES: Mapping[str, str] = _WORDS["us_states"]
COUNTRIES: Mapping[str, str] = _WORDS["countries"]
MAX_PLACE = 20
"""The highest place in a list that is taken from a number: a larger one is a figure, "set the number to 2125550199"."""
_NUMBERED = frozenset(("number", "option", "item", "point", "step"))
"""Words before the number of an item of a list: "do number two"."""
_NOTHING = "nothing"
"""Key of the phrases that have no meaning of their own: "with reference to" is no referral."""
_AROUND_ASKS = ("sentences", "courtesies")
_OF_ORDERS = (
    *("writing", "plan_words", "mail_words", "personal_words", "imagined_acts", "overview_words", "belief_words"),
    *("severities", "act_verbs", "value_verbs", "plan_types", "goal_statuses", "denied_values"),
)
"""Tables that no search reads."""
_NUMBER = re.compile(r"\d{1,4}")


@cache
def _by_word(table: str) -> Mapping[str, str]:
    return {form: key for key, words in _WORDS[table].items() for word in words for form in (word, stem(word))}


@cache
def _phrases(table: str) -> Mapping[tuple[str, ...], str]:
    """Return the key of each phrase, as stems; where two keys share one, the first of the file."""
    keys: dict[tuple[str, ...], str] = {}
    for key, phrases in _WORDS[table].items():
        for phrase in (key.replace("_", " "), *phrases):
            keys.setdefault(tuple(token.stem for token in tokenize(phrase)), key)
    return keys


def placed_in(tokens: Sequence[Token], table: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys of the longest phrases among tokens, in order, each with its first and last (exclusive) token."""
    phrases, stems, place = _phrases(table), [token.stem for token in tokens], 0
    while place < len(stems):
        rest = stems[place : place + 4]
        sizes = (size for size in range(len(rest), 0, -1) if tuple(rest[:size]) in phrases)
        size = next(sizes, 0)
        if size and (key := phrases[tuple(stems[place : place + size])]) != _NOTHING:
            yield key, place, place + size
        place += size or 1


def _in_text(text: str, table: str) -> Iterator[str]:
    """Yield the keys of the longest phrases in a text, in order."""
    return (key for key, _, _ in placed_in(tokenize(text), table))


def phrase_key(text: str, table: str) -> str | None:
    """Return the key of which the whole text is a phrase, or None."""
    return _phrases(table).get(tuple(token.stem for token in tokenize(text)))


def parts_of(text: str) -> list[str]:
    """Return the parts of an enumeration in lower case: "stage and close date"."""
    parts = [""]
    for word in (token.word for token in tokenize(text)):
        if word in ("and", "or", "plus", ",", "/", "&"):
            parts.append("")
        else:
            parts[-1] = f"{parts[-1]} {word}".strip()
    return [part for part in parts if part]


def word_set(table: str, key: str) -> frozenset[str]:
    """Return the words of a key as they are written."""
    return frozenset(_WORDS[table][key])


def word_sets(table: str, *keys: str) -> tuple[frozenset[str], ...]:
    """Return the words of each key as they are written."""
    return tuple(word_set(table, key) for key in keys)


def entries(table: str) -> Mapping[str, Any]:
    """Return a table as it is written."""
    return _WORDS[table]  # type: ignore[no-any-return]


@cache
def order_words() -> frozenset[str]:
    """Return the words that the acts of orders use, but for those that take an order back."""
    groups = {**_WORDS["writing"], **_WORDS["plan_words"]}
    left_out = ("opting_out", "withdrawing", "advice", "no_names", "company_forms", "subjects")
    return frozenset(word for key, words in groups.items() if key not in left_out for word in words)


@cache
def _listed_stems(left_out: tuple[str, ...] = _AROUND_ASKS) -> frozenset[str]:
    # Words between clauses say nothing of what an order is about: "no rush" explains no "rush" elsewhere.
    texts, tables = list[str](), [words for table, words in _WORDS.items() if table not in left_out]
    while tables:
        one = tables.pop()
        texts += [one] if isinstance(one, str) else []
        tables += [*one.keys(), *one.values()] if isinstance(one, Mapping) else one if isinstance(one, list) else []
    return frozenset(token.stem for text in texts for token in tokenize(text.replace("_", " ")))


def is_listed(token: Token) -> bool:
    """Return whether a word is in a table, or goes with any act: the others of an act may be conditions."""
    return token.kind != "word" or token.stem in _listed_stems() or token.stem in vocabulary.load().neutral


def is_read_by_searches(token: Token) -> bool:
    """Return whether searches may read a word, or pass it over: words of orders may be conditions, "for a contract"."""
    if token.kind != "word" or token.stem in vocabulary.load().neutral:
        return True
    return token.stem in _listed_stems((*_AROUND_ASKS, *_OF_ORDERS))


def kind_of(word: str) -> str | None:
    """Return the kind of record that a word or stem names."""
    return _by_word("kinds").get(word)


def kind_named(token: Token) -> str | None:
    """Return the kind of record that a token names; "contacted" names none."""
    return kind_of(token.word) or (None if token.word.endswith(("ed", "ing")) else kind_of(token.stem))


def activity_type_of(word: str) -> str | None:
    """Return the type of activity that a word or stem names."""
    return _by_word("activities").get(word)


def fields_in(text: str) -> list[str]:
    """Return the general names of the fields that a text names, in order."""
    return list(_in_text(text, "fields"))


def is_field(text: str) -> bool:
    """Return whether a text is the name of a field, and nothing more."""
    return any(text in names for names in _WORDS["fields"].values())


def field_name(general: str, kind: str) -> str:
    """Return the name that a kind of record has for a field: the `amount` of a lead is its `estimated_value`."""
    return str(_WORDS["field_names"].get(kind, {}).get(general, general))


def values_in(text: str) -> list[str]:
    """Return the enumerated values that a text says, in order."""
    return list(_in_text(text, "values"))


def says_value(token: Token) -> bool:
    """Return whether a token says an enumerated value: not "contacts", whose stem is only that of "contacted"."""
    values = values_in(token.word)
    if not values or kind_named(token) is None:
        return bool(values)
    ways = [one for way in (values[0], *_WORDS["values"].get(values[0], ())) for one in tokenize(way)]
    return any(one.stem == token.stem and not one.word.endswith("ed") for one in ways)


def number_in(text: str) -> int | None:
    """Return the number that a text says in digits or words."""
    for token in tokenize(text):
        if match := _NUMBER.fullmatch(token.word):
            return int(match[0])
        if token.word in NUMBERS:
            return NUMBERS[token.word]
    return None


def means_value(tokens: Sequence[Token], value: str) -> bool:
    """Return whether one of the ways to say an enumerated value, or to order it, stands among tokens."""
    stems = [token.stem for token in tokens]
    ways = (value.replace("_", " "), *_WORDS["values"].get(value, ()), *_WORDS["value_verbs"].get(value, ()))
    for way in ways:
        way_stems = [token.stem for token in tokenize(way)]
        size = len(way_stems)
        if any(stems[place : place + size] == way_stems for place in range(len(stems) - size + 1)):
            return True
    return False


def is_denying(words: Iterable[str]) -> bool:
    """Return whether one of the words denies: "not", "never", "don't"."""
    return any(word in NEGATIONS or word.endswith("n't") for word in words)


@cache
def acts_of_verb(word: str) -> frozenset[str]:
    """Return the acts whose orders a verb begins."""
    return frozenset(act for act, verbs in _WORDS["act_verbs"].items() if word in verbs)


def ordinals_in(words: Sequence[str]) -> list[int]:
    """Return the places that ordinals and numbered items say: 1 for "first", -1 for "last", 2 for "number two".

    Counted from the end they are negative: -2 for "the last but one" and "second to last".
    """
    counted = [_place_from_end(words, at) for at in range(len(words))]
    if any(counted):
        return [place for place in counted if place]
    return [place for before, word in pairwise(("", *words)) if (place := _place_of(before, word))]


def _place_from_end(words: Sequence[str], at: int) -> int:
    """Return the place that words from one on count from the end; 0 if they count none."""
    first, second, third = [*words[at : at + 3], "", "", ""][:3]
    if (first, second) == ("last", "but") and third in NUMBERS:
        return -1 - NUMBERS[third]
    is_counted = ORDINALS.get(first, 0) > 1 and "last" in (second, third if second in ("to", "from") else "")
    return -ORDINALS[first] if is_counted else 0


def _place_of(before: str, word: str) -> int:
    if word in ORDINALS:
        return ORDINALS[word]
    number = (int(word) if word.isascii() and word.isdecimal() else NUMBERS.get(word, 0)) if before in _NUMBERED else 0
    return number if number <= MAX_PLACE else 0
