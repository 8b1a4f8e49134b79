"""Decide whether the user said a value of a call, or it follows from what they said."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from rapidfuzz.distance import OSA

from aisha.application.orders.matching.binding import Bindings, Bound, is_same_text
from aisha.application.orders.matching.moments import days, is_at, is_joined, moment_in, same_clock
from aisha.application.orders.matching.placement import (
    CHANGES,
    is_choice_said,
    is_object,
    is_own_choice_said,
    is_switched_off,
    is_switched_on,
)
from aisha.application.orders.reading.literals import flat, is_whole_in
from aisha.application.orders.reading.said import Said
from aisha.domain.dates.parsing import next_working_day
from aisha.domain.ids import KNOWN_ID
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.tools import ToolSpec

_FREE_TEXTS = frozenset("title subject purpose content body text outcome description summary comment".split())
"""Texts that a model writes in the words of an order; all others are the user's to the word."""
_TASK_ACTS = frozenset(("remind", "create_activity"))
ADDRESS_KINDS = frozenset(("email", "url", "phone"))
_CLEARING = frozenset("clear remove delete empty blank no none unset drop reset erase take wipe without not".split())
_REPLACING = frozenset("replace only instead untag swap change".split())
_MAX_STRICT_WORDS = 3
"""Words of a text that must all have been said; of longer ones some may be a model's own."""
_MAX_OWN_SHARE = 0.25
_MIN_FUZZY = 5
_MIN_TELLING = 3
_MIN_LITERAL_DIGITS = 3
_ROUNDING = 1.0
"""A difference below this, of amounts or seconds, is none."""
_MAX_SAME = 1e-6
_AT_ONCE = frozenset("now asap immediately straightaway".split())
_HOUR = 3601
"""Seconds within which "now" may be rounded up to the hour."""
_UP = frozenset("raise raised increase increased up add more plus grow grew higher bump".split())
_DOWN = frozenset("lower lowered decrease decreased reduce reduced down less minus cut drop dropped off".split())
_BY = frozenset(("by", "percent"))
_BARE = lexicon.DO_WORDS | frozenset("any longer more yet really very".split())
_REVERSED = frozenset("not no never false off".split())


class Values:
    """The check of the values of one call. `acts` order it; `names` are the words of the names of its records.

    `stored` are the fields of the record that it changes, as they are, with those of `custom`; `record` are the words
    of its records.
    """

    def __init__(
        self,
        said: Said,
        acts: Sequence[str],
        spec: ToolSpec,
        names: frozenset[str] = frozenset(),
        stored: Mapping[str, Any] | None = None,
        user: str = "",
        record: frozenset[str] = frozenset(),
    ) -> None:
        schema = spec.parameters
        self._said, self._acts, self._schema = said, acts, schema
        self._labels = {field.name: field.label for field in spec.custom}
        self._record = record
        self._names, self._user = names, user
        self._stored = {**((stored or {}).get("custom") or {}), **(stored or {})}
        self._required = frozenset(schema.get("required", ()))
        self._title_words: frozenset[str] = frozenset()
        self._is_entry_named = False

    def unexplained(self, arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Yield the names and values of the arguments that the user did not say. Records are checked elsewhere."""
        yield from self._unexplained(arguments, self._schema)

    def _unexplained(self, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        properties = schema.get("properties", {})
        self._required |= frozenset(schema.get("required", ()))
        # What kind of activity or status is meant may be a word of its title.
        self._title_words = frozenset(
            token.stem
            for value in arguments.values()
            if isinstance(value, str) and len(value) < 40 and self._is_enumeration(properties, arguments, value)
            for token in tokenize(value.replace("_", " "))
        )
        misplaced = self._misplaced(properties, arguments)
        for name, value in arguments.items():
            own = properties.get(name, {})
            own = own if isinstance(own, Mapping) else {}
            if name in misplaced:
                yield name, value
                continue
            is_known = name == "entity_type" or (name == "action" and "enum" in own)
            if is_known or (isinstance(value, str) and KNOWN_ID.fullmatch(value)):
                continue
            is_said = self.is_said(name, value, own) and not self._is_said_of_another(name, value, own, arguments)
            if not is_said or not self._is_object(name, value, own):
                yield name, value

    def _is_said_of_another(
        self, name: str, value: Any, schema: Mapping[str, Any], arguments: Mapping[str, Any]
    ) -> bool:
        """Return whether the user said a number, a time or a choice of another field or record than the call's."""
        if isinstance(value, bool) or name in _FREE_TEXTS or not isinstance(value, str | int | float):
            return False
        if name in self._stored and _same(self._stored[name], value):
            return False
        explains = self._explains(value, schema)
        record = self._record or frozenset(
            token.word for text in arguments.values() if isinstance(text, str) for token in tokenize(text)
        )
        fields = {*self._schema.get("properties", ()), *arguments}
        return Bindings(self._said, record).belong_elsewhere(name, explains, fields)

    def _is_object(self, name: str, value: Any, schema: Mapping[str, Any]) -> bool:
        """Return whether a text that changes a field without its name is what the order changes it to."""
        if not CHANGES.intersection(self._acts) or not isinstance(value, str) or "enum" in schema:
            return True
        if name in _FREE_TEXTS or self._is_named(name) or _same(self._stored.get(name), value):
            return True
        choices = (own.get("enum", ()) for own in self._schema.get("properties", {}).values())
        is_choice = {*lexicon.values_in(value)} & {one for options in choices for one in options}
        # "Mark Jack as lost" says no job title.
        return not is_choice and is_object(name, value, self._said.parts)

    def _explains(self, value: str | float, schema: Mapping[str, Any]) -> Callable[[Bound], bool]:
        """Return the check whether a value that was said is a value of a call."""
        if not isinstance(value, str):
            return lambda one: any(abs(number - value) < _MAX_SAME for number in one.numbers)
        if "enum" in schema:
            return lambda one: not one.times and (value in lexicon.values_in(one.text) or is_same_text(one.text, value))
        if (moment := moment_in(value, self._said.now)) is not None:
            return lambda one: any(is_at(span, moment, self._said.now) for span in one.times)
        return lambda one: not one.times and is_same_text(one.text, value)

    def has_foreign_text(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a value has a word that the user did not write: it may be another person's, and persuade.

        Choices, numbers and dates are no texts.
        """
        return any(
            self._is_foreign(value, self._schema.get("properties", {}).get(name)) for name, value in arguments.items()
        )

    def _is_foreign(self, value: Any, schema: Any) -> bool:
        schema = self._resolved(schema)
        if isinstance(value, Mapping):
            own = schema.get("properties", {})
            return any(self._is_foreign(item, own.get(name)) for name, item in value.items())
        if isinstance(value, list):
            return any(self._is_foreign(item, schema.get("items")) for item in value)
        if not isinstance(value, str) or KNOWN_ID.fullmatch(value) or value in schema.get("enum", ()):
            return False
        if schema.get("format") in ("date", "date-time") and moment_in(value, self._said.now) is not None:
            return False
        words = (token for token in tokenize(value) if token.kind != "mark")
        texts = self._said.texts
        return not all(
            token.word in self._said.stems or any(is_whole_in(token.text, text) for text in texts) for token in words
        )

    def _misplaced(self, properties: Mapping[str, Any], arguments: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that get a text which the user said for another field: "set the company to Globex"."""
        if "update_record" not in self._acts:
            return frozenset()
        said = {name for name in properties if not name.endswith("_id") and self._is_named(name)}
        texts = {
            name: {token.stem for token in tokenize(value)}
            for name, value in arguments.items()
            if isinstance(value, str) and "enum" not in properties.get(name, {}) and not KNOWN_ID.fullmatch(value)
        }
        is_away = bool(said - arguments.keys())
        return frozenset(
            name
            for name, words in texts.items()
            if name not in said
            and (is_away or not _is_address(str(arguments[name])))
            and (is_away or any(words <= texts[other] for other in said & texts.keys()))
        )

    def are_fields_named(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether each value has its field's name beside it in the words."""
        names = [name for name, value in arguments.items() if not _is_id(name, value)]
        return bool(names) and all(map(self._is_named, names))

    def are_addresses_said(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether each value is an address that stands in the words, or has its field's name there."""
        values = {name: value for name, value in arguments.items() if not _is_id(name, value)}
        return bool(values) and all(
            self._is_named(name) or (isinstance(value, str) and _is_address(value) and self._is_address_said(value))
            for name, value in values.items()
        )

    def has_words_said(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a text of the call has a word of the user's that is no mere filler."""
        texts = [value for value in arguments.values() if isinstance(value, str)]
        words = {token.stem for text in texts for token in tokenize(text) if token.word not in _FILLERS}
        return any(len(word) >= _MIN_TELLING and word in self._said.stems for word in words)

    def _is_enumeration(self, properties: Mapping[str, Any], arguments: Mapping[str, Any], value: str) -> bool:
        return any(
            arguments[name] == value and isinstance(properties.get(name), Mapping) and "enum" in properties[name]
            for name in arguments
        )

    def is_said(self, name: str, value: Any, schema: Mapping[str, Any]) -> bool:
        """Return whether the user said a value of an argument, or it changes nothing."""
        if "default" in schema and value == schema["default"]:
            return True
        if name in self._stored and _same(self._stored[name], value):
            return True
        if value is None or value in ("", [], {}):
            return self._is_cleared(name)
        if isinstance(value, bool):
            return self._is_switched(name, is_on=value)
        if isinstance(value, int | float):
            is_place = name == "place" and value in lexicon.ordinals_in([token.word for token in self._said.tokens])
            is_said = self._is_number_said(float(value)) and self._is_number_of(name, float(value))
            return is_place or is_said or self._is_number_computed(name, float(value))
        if isinstance(value, list):
            stored = self._stored.get(name)
            kept = [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []
            if any(one not in value and not self._is_dropped(one) for one in kept):
                # A list replaces the old one: "tag Jack as vip" takes no other tag away.
                return False
            value = [one for one in value if one not in kept]
            return all(self.is_said(name, item, self._resolved(schema.get("items", {}))) for item in value)
        if isinstance(value, Mapping):
            # The title of an entry, such as a key result, names what its number is of.
            self._is_entry_named = any(
                isinstance(text, str) and label in _LABELS and self._are_words_said(text, is_free=False)
                for label, text in value.items()
            )
            is_said = not any(self._unexplained(value, self._resolved(schema)))
            self._is_entry_named = False
            return is_said
        if isinstance(value, str) and "enum" in schema:
            return self._is_value_said(name, value, schema["enum"])
        return self._is_text_said(name, str(value), schema)

    def _is_dropped(self, item: Any) -> bool:
        """Return whether the user said that an entry of a list is to go."""
        words = {token.word for message in self._said.messages for token in tokenize(message)}
        is_named = all(token.word in words for token in tokenize(str(item)) if token.kind != "mark")
        return is_named and bool(words & (_CLEARING | _REPLACING))

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        """Return the part of the tool's schema that a reference names."""
        reference = schema.get("$ref", "") if isinstance(schema, Mapping) else ""
        if reference.startswith("#/$defs/"):
            schema = self._schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
        return schema if isinstance(schema, Mapping) else {}

    def _is_cleared(self, name: str) -> bool:
        return self._is_named(name) and any(token.word in _CLEARING for token in self._said.tokens)

    def _is_named(self, name: str) -> bool:
        words = [word for word in name.removesuffix("_id").split("_") if word not in ("is", "has", "do", "not")]
        stems = {token.stem for word in words for token in tokenize(word)}
        general = {key for text in self._texts_of(name) for key in lexicon.fields_in(text)}
        return (
            stems <= self._said.stems
            or name in general
            or any(lexicon.field_name(key, kind) == name for key in general for kind in lexicon.KINDS)
        )

    def _texts_of(self, name: str) -> Iterator[str]:
        """Yield the user's texts without the names of the team's own other fields: a "fleet size" is no deal's size."""
        labels = [re.escape(label) for own, label in self._labels.items() if own != name]
        for text in self._said.texts:
            yield re.sub(rf"\b(?:{'|'.join(labels)})\b", " ", text, flags=re.IGNORECASE) if labels else text

    def _is_switched(self, name: str, *, is_on: bool) -> bool:
        # "not" is a part of the name of do_not_call.
        if "not" in name.split("_"):
            # What the user denies is dropped from the other values.
            tokens = tokenize(self._said.message)
            return is_switched_on(name, tokens) if is_on else is_switched_off(name, self._said.parts)
        says_not = any(token.word in _REVERSED | lexicon.NEGATIONS for token in self._said.tokens)
        return self._is_named(name) and (says_not != is_on or (not is_on and self._is_cleared(name)))

    def _is_number_said(self, value: float) -> bool:
        numbers = self._said.numbers - self._said.steps
        return any(abs(value - said) <= 1e-9 * max(1.0, abs(value)) for said in numbers)

    def _is_number_of(self, name: str, value: float) -> bool:
        """Return whether a number that changes a field has the field's name, or is a sum of money or a share."""
        if "update_record" not in self._acts or self._is_entry_named or self._is_named(name):
            return True
        amounts = (one for text in self._said.texts for one in find_amounts(text))
        return any((one.is_money or one.is_percent) and abs(one.value - value) < _ROUNDING for one in amounts)

    def _is_number_computed(self, name: str, value: float) -> bool:
        """Return whether a number is the stored one, more or less by what was said: "raise it by 10%"."""
        stored = _number(self._stored.get(name))
        if stored is None:
            return False
        changes = [change for said in self._said.numbers for change in (said, stored * said / 100)]
        words = {token.word for token in self._said.tokens}
        if value < stored and words & _UP and not words & _DOWN:
            return False
        if value > stored and words & _DOWN and not words & _UP:
            return False
        is_change = bool(words & (_UP | _DOWN | _BY))
        return is_change and any(abs(abs(value - stored) - change) < _ROUNDING for change in changes)

    def _is_value_said(self, name: str, value: str, options: Sequence[Any]) -> bool:
        stems = {token.stem for token in tokenize(value.replace("_", " "))}
        if self._is_in_name_alone(value):
            return False
        is_change = bool(CHANGES.intersection(self._acts))
        if is_change and not self._is_named(name) and not is_choice_said(value, self._acts, self._said.parts):
            return False
        if name in self._labels:
            # Where a status has this value too, only the field's name tells which is meant.
            is_clear = self._is_named(name) or not lexicon.values_in(value)
            return is_clear and is_own_choice_said(name, value, self._said.parts)
        if value in self._said.values or stems <= self._said.stems or lexicon.means_value(self._said.tokens, value):
            return True
        # One of them must be given: "an activity", "a scan" leave it open which.
        others = {str(option) for option in options}
        noun = name.removesuffix("_type")
        is_open = noun in self._kinds() or tokenize(noun)[0].stem in self._said.stems or value == noun
        is_task = value == "task" and bool(_TASK_ACTS.intersection(self._acts))
        return name in self._required and not (others & self._said.values) and (is_open or is_task)

    def _is_in_name_alone(self, value: str) -> bool:
        """Return whether a choice stands only within a name that was said: "rename it to Lost Property"."""
        if not CHANGES.intersection(self._acts):
            return False
        parts = [part for part in self._said.parts if not part.denial]
        outside = [token for part in parts for token in part.ask.outside]
        names = [token for part in parts for token in part.ask.tokens if token not in part.ask.outside]
        # "Qualify Jack" is sometimes taken for a name as a whole.
        outside += [token for token in names if token.word in lexicon.ORDER_VERBS]
        return lexicon.means_value(names, value) and not lexicon.means_value(outside, value)

    def _is_text_said(self, name: str, text: str, schema: Mapping[str, Any]) -> bool:
        if (moment := moment_in(text, self._said.now)) is not None:
            if self._is_time_said(moment):
                return True
            if schema.get("format") in ("date", "date-time"):
                return False
        if name == "owner" and self._is_owner_said(text):
            return True
        if name in _FREE_TEXTS and self._is_denial_kept(text) and flat(text) in flat(self._said.message):
            # The text of a note may go on over clauses that would be orders of their own.
            return True
        is_amount = bool(amounts := find_amounts(text)) and len(tokenize(text)) <= _MAX_STRICT_WORDS
        if is_amount and all(self._is_number_said(amount.value) for amount in amounts):
            return True
        return self._are_words_said(text, is_free=name in _FREE_TEXTS)

    def _is_owner_said(self, text: str) -> bool:
        is_self = text.lower() in ("me", self._user.lower())
        return is_self and any(token.word in lexicon.SELF for token in self._said.tokens)

    def _is_time_said(self, moment: datetime) -> bool:
        spans = self._said.times
        now = self._said.now.timestamp()
        ahead = abs(moment.timestamp() - now)
        if self._is_time_moved(moment) or any(abs(ahead - 60 * said) < _ROUNDING for said in self._said.numbers):
            return True
        if any(token.word in _AT_ONCE for token in self._said.tokens) and -1 < moment.timestamp() - now < _HOUR:
            return True
        if not spans:
            # The tools' own default.
            return moment.date() == next_working_day(self._said.now).date()
        return any(is_at(span, moment, self._said.now) for span in spans) or any(
            is_joined(one, other, moment) for one in spans for other in spans
        )

    def _is_time_moved(self, moment: datetime) -> bool:
        """Return whether an instant is a stored one on another day or at another hour, or later by a length said."""
        now = self._said.now
        for text in self._stored.values():
            if not isinstance(text, str) or (stored := moment_in(text, now)) is None or "T" not in text:
                continue
            old, new = stored.astimezone(now.tzinfo), moment.astimezone(now.tzinfo)
            if any(abs(abs((new - old).total_seconds()) - 60 * said) < _ROUNDING for said in self._said.numbers):
                return True
            is_hour = any(said in (new.hour, new.hour % 12 or 12) for said in self._said.numbers)
            if old.date() == new.date() and new.minute == 0 and is_hour:
                # "Make it 11."
                return True
            for span in self._said.times:
                if old.date() == new.date() and same_clock(new, span):
                    return True
                first, last = days(span.first, span.last, now, span.moment(now))
                if old.time() == new.time() and span.clock is None and first <= new.date() <= last:
                    return True
        return False

    def _is_denial_kept(self, text: str) -> bool:
        """Return whether a text denies nothing that the user did not deny, and drops no denial: "do not pay Bob"."""
        words = [token for token in tokenize(text) if token.kind != "mark"]
        stems = {token.stem for token in words}
        if any(token.word in _DENYING for token in words):
            return bool({token.word for one in self._said.messages for token in tokenize(one)} & _DENYING)
        denied = (self._denied(tokenize(message)) for message in (self._said.message, *self._said.messages))
        return not any(stem in stems for stem in itertools.chain.from_iterable(denied))

    def _denied(self, tokens: Sequence[Token]) -> Iterator[str]:
        """Yield the stem of what each negation of a text denies."""
        words = [token for token in tokens if token.kind != "mark"]
        for place, token in enumerate(words):
            if token.word in _DENYING:
                later = (one.stem for one in words[place + 1 :] if one.word not in _FILLERS and one.word not in _BARE)
                yield from itertools.islice(later, 1)

    def _are_words_said(self, text: str, *, is_free: bool) -> bool:
        """Return whether the words of a text are the user's, but for those that any such order has."""
        tokens = [token for token in tokenize(text) if token.kind != "mark"]
        if not tokens:
            return any(text.strip() in said for said in self._said.texts)
        if not self._is_denial_kept(text):
            return False
        own: list[str] = []
        for token in tokens:
            if token.kind in ADDRESS_KINDS:
                if not self._is_address_said(token.text):
                    return False
            elif token.kind == "number" or any(one.isdigit() for one in token.word):
                if not self._is_literal_said(token):
                    return False
            elif not self._is_word_said(token, is_free=is_free):
                own.append(token.word)
        if not own:
            return True
        is_long = is_free and len(tokens) > _MAX_STRICT_WORDS
        # Names and numbers are never a model's to choose.
        is_plain = all(one.text.islower() or place == 0 for place, one in enumerate(tokens) if one.word in own)
        if any(len(word) == 1 for word in own):
            return False
        return is_long and is_plain and len(own) <= _MAX_OWN_SHARE * len(tokens)

    def _is_address_said(self, address: str) -> bool:
        bare = _SCHEME.sub("", address)
        return any(is_whole_in(bare, _SCHEME.sub("", text), joiners=_JOINERS) for text in self._said.texts)

    def _is_literal_said(self, token: Token) -> bool:
        if token.word in self._said.stems or any(is_whole_in(token.text, text) for text in self._said.texts):
            return True
        moment = moment_in(token.text, self._said.now)
        if moment is not None and self._said.times:
            return self._is_time_said(moment)
        amounts = find_amounts(token.text)
        return bool(amounts) and all(self._is_number_said(amount.value) for amount in amounts)

    def _is_word_said(self, token: Token, *, is_free: bool) -> bool:
        stems = self._said.stems
        if token.stem in stems or token.word in stems or token.word in _LETTERS or token.stem in self._names:
            return True
        if token.stem in self._title_words or token.word in self._title_words:
            return True
        if token.word in _FILLERS or (is_free and any(vocabulary.explains(act, token.stem) for act in self._acts)):
            return True
        kind = lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem)
        if kind in self._said.values or (lexicon.kind_of(token.stem) and lexicon.kind_of(token.stem) in self._kinds()):
            return True
        return len(token.word) >= _MIN_FUZZY and any(
            OSA.distance(token.word, said.word, score_cutoff=1) <= 1
            for said in self._said.tokens
            if len(said.word) >= _MIN_FUZZY
        )

    def _kinds(self) -> set[str]:
        return {kind for token in self._said.tokens if (kind := lexicon.kind_named(token))}


def _is_id(name: str, value: Any) -> bool:
    return name in ("entity_type", "action") or (isinstance(value, str) and KNOWN_ID.fullmatch(value) is not None)


def _is_address(text: str) -> bool:
    tokens = tokenize(text)
    return len(tokens) == 1 and tokens[0].kind in ADDRESS_KINDS


_SCHEME = re.compile(r"\bhttps?://(?:www\.)?|\bwww\.", re.IGNORECASE)
_JOINERS = ".-+_/'?#&=%:~"
"""Marks within an address."""
_LABELS = frozenset(("title", "name", "label"))
_DENYING = lexicon.NEGATIONS | _REVERSED
_LETTERS = frozenset("aims")
"""Words of one letter, and what an apostrophe leaves."""
_FILLERS = frozenset(
    "regarding re via per about with for the and of in on at to from by an as is are be will has have had was were "
    "he she his her they their it its them this that we our us i my me you your after before during then also".split()
)


def _number(stored: Any) -> float | None:
    """Return a stored number, also one that is stored as text to the last digit."""
    if isinstance(stored, bool) or not isinstance(stored, str | int | float):
        return None
    try:
        return float(stored)
    except ValueError:
        return None


def _same(stored: Any, value: Any) -> bool:
    if isinstance(stored, str) and isinstance(value, str):
        return stored.strip().lower() == value.strip().lower()
    return bool(stored == value)
