"""Judge whether the user stated the values of a call, or they follow from what was stated."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from aisha.application.orders.matching.binding import BoundValue, ValueBindings, is_same_text
from aisha.application.orders.matching.lists import CLEARING_WORDS, drops_unsaid, stored_texts
from aisha.application.orders.matching.moments import is_at, moment_in
from aisha.application.orders.matching.numbers import NumberCheck
from aisha.application.orders.matching.placement import (
    flag_tokens,
    is_alternative,
    is_choice_stated,
    is_corrected,
    is_custom_choice_stated,
    is_object,
    is_switched_off,
    is_switched_on,
    segments_naming_field,
)
from aisha.application.orders.matching.texts import MAX_STRICT_WORDS, OFF_WORDS, TextCheck
from aisha.application.orders.matching.times import TimeCheck
from aisha.application.orders.reading.clauses import order_clause
from aisha.application.orders.reading.literals import flat, is_whole_in
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.dates.parsing import find_times
from aisha.domain.ids import KNOWN_ID
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolSpec

_FREE_TEXT_FIELDS = frozenset("title subject purpose content body text outcome description summary comment".split())
"""Texts that a model writes in the words of an order; all others are the user's to the word."""
_STATEMENT_FIELDS = frozenset("content outcome comment".split())
"""Texts that are kept as what the user said, where one word more is another fact."""
_TASK_ACTS = frozenset(("remind", "create_activity"))
_NUMBER_TOLERANCE = 1e-6
_ENTRY_LABELS = frozenset(("title", "name", "label"))


class ValueCheck:
    """A check whether the values of one call are the user's.

    `acts` order the call, and `user` is the caller's id. `name_stems` are the stems of the names of its records,
    `record_words` the words of these and of what they belong to. `stored` are the fields of the record that it changes,
    as they are now, with the team's own under `custom`.
    """

    def __init__(
        self,
        utterance: Utterance,
        acts: Sequence[str],
        spec: ToolSpec,
        name_stems: frozenset[str] = frozenset(),
        stored: Mapping[str, Any] | None = None,
        user: str = "",
        record_words: frozenset[str] = frozenset(),
    ) -> None:
        schema = spec.parameters
        self._utterance, self._acts, self._schema = utterance, acts, schema
        self._labels = {field.name: field.label for field in spec.custom}
        self._record_words = record_words
        self._user = user
        self._stored = {**((stored or {}).get("custom") or {}), **(stored or {})}
        times = TimeCheck(utterance, self._stored)
        self._times, self._texts = times, TextCheck(utterance, acts, name_stems, times)
        self._numbers = NumberCheck(utterance, acts, self._texts, self._stored, schema.get("properties", {}))
        self._required = frozenset(schema.get("required", ()))
        self._title_words: frozenset[str] = frozenset()
        self._is_entry_named = False

    def unstated(self, arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Yield the names and values of the arguments that the user did not say. Records are checked elsewhere."""
        yield from self._unstated(arguments, self._schema)

    def _unstated(self, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        properties = schema.get("properties", {})
        self._required |= frozenset(schema.get("required", ()))
        # What kind of activity or status is meant may be a word of its title.
        self._title_words = frozenset(
            token.stem
            for value in arguments.values()
            if isinstance(value, str) and len(value) < 40 and self._is_choice(properties, arguments, value)
            for token in tokenize(value.replace("_", " "))
        )
        misplaced = self._misplaced(properties, arguments)
        for name, value in arguments.items():
            property_schema = properties.get(name, {})
            property_schema = property_schema if isinstance(property_schema, Mapping) else {}
            if name in misplaced:
                yield name, value
                continue
            is_kind_or_action = name == "entity_type" or (name == "action" and "enum" in property_schema)
            if is_kind_or_action or (isinstance(value, str) and KNOWN_ID.fullmatch(value)):
                continue
            if (
                not self.is_stated(name, value, property_schema)
                or self._is_stated_elsewhere(name, value, property_schema, arguments)
                or not self._is_object_of_change(name, value, property_schema)
            ):
                yield name, value

    def _is_stated_elsewhere(
        self, name: str, value: Any, schema: Mapping[str, Any], arguments: Mapping[str, Any]
    ) -> bool:
        """Return whether the user said a number, a time or a choice of another field or record than the call's."""
        if isinstance(value, bool) or name in _FREE_TEXT_FIELDS or not isinstance(value, str | int | float):
            return False
        if name in self._stored and _is_same(self._stored[name], value):
            return False
        matches = self._matcher(value, schema)
        record_words = self._record_words or frozenset(
            token.word for text in arguments.values() if isinstance(text, str) for token in tokenize(text)
        )
        fields = {*self._schema.get("properties", ()), *arguments}
        bindings = ValueBindings(self._utterance, record_words)
        is_of_other = "enum" not in schema and bool(FIELD_CHANGE_ACTS & {*self._acts}) and bindings.is_of_other(matches)
        return is_of_other or bindings.belong_elsewhere(name, matches, fields)

    def _is_object_of_change(self, name: str, value: Any, schema: Mapping[str, Any]) -> bool:
        """Return whether a text that changes a field without its name is what the order changes it to."""
        if not FIELD_CHANGE_ACTS.intersection(self._acts) or not isinstance(value, str) or "enum" in schema:
            return True
        if name in _FREE_TEXT_FIELDS or self._is_named(name) or _is_same(self._stored.get(name), value):
            return True
        if moment_in(value, self._utterance.now) is not None and "activity_id" not in self._schema["properties"]:
            # "Move the call to Friday" says no close date.
            timed = [one for one in self._utterance.segments if not one.denial and _has_time(one, self._utterance.now)]
            return not timed or not all(one.ask.activity_types for one in timed)
        properties = self._schema.get("properties", {}).values()
        choices = {choice for property_schema in properties for choice in property_schema.get("enum", ())}
        # "Mark Jack as lost" says no job title.
        return not choices.intersection(lexicon.values_in(value)) and is_object(name, value, self._utterance.segments)

    def _matcher(self, value: str | float, schema: Mapping[str, Any]) -> Callable[[BoundValue], bool]:
        """Return the check whether a value that was said is a value of a call."""
        if not isinstance(value, str):
            return lambda one: any(abs(number - value) < _NUMBER_TOLERANCE for number in one.numbers)
        if "enum" in schema:
            return lambda one: not one.times and (value in lexicon.values_in(one.text) or is_same_text(one.text, value))
        if (moment := moment_in(value, self._utterance.now)) is not None:
            return lambda one: any(is_at(span, moment, self._utterance.now) for span in one.times)
        return lambda one: not one.times and is_same_text(one.text, value)

    def has_foreign_text(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a value has a word that the user did not write: it may be another person's, and persuade.

        Choices, numbers and dates are no texts.
        """
        return any(
            self._has_foreign_word(value, self._schema.get("properties", {}).get(name))
            for name, value in arguments.items()
        )

    def _has_foreign_word(self, value: Any, schema: Any) -> bool:
        """Return whether a value, at any depth, has a word that the user did not write."""
        schema = self._resolved(schema)
        if isinstance(value, Mapping):
            properties = schema.get("properties", {})
            return any(self._has_foreign_word(item, properties.get(name)) for name, item in value.items())
        if isinstance(value, list):
            return any(self._has_foreign_word(item, schema.get("items")) for item in value)
        if not isinstance(value, str) or KNOWN_ID.fullmatch(value) or value in schema.get("enum", ()):
            return False
        if schema.get("format") in ("date", "date-time") and moment_in(value, self._utterance.now) is not None:
            return False
        words = (token for token in tokenize(value) if token.kind != "mark")
        texts = self._utterance.texts
        return not all(
            token.word in self._utterance.stems or any(is_whole_in(token.text, text) for text in texts)
            for token in words
        )

    def _misplaced(self, properties: Mapping[str, Any], arguments: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that get a text which the user said for another field: "set the company to Globex"."""
        if "update_record" not in self._acts:
            return frozenset()
        # A flag takes no text, whatever its name: the "email" of do_not_email.
        fields = {name for name, one in properties.items() if not name.endswith("_id") and one.get("type") != "boolean"}
        text_fields = {name for name in fields if not self._resolved(properties[name]).get("enum")}
        named_fields = {name for name in fields if self._is_named(name)}
        texts = {
            name: {token.stem for token in tokenize(value)}
            for name, value in arguments.items()
            if isinstance(value, str) and "enum" not in properties.get(name, {}) and not KNOWN_ID.fullmatch(value)
        }
        return frozenset(
            name
            for name, words in texts.items()
            if name not in named_fields
            and (
                self._is_of_field(str(arguments[name]), text_fields - arguments.keys())
                or (
                    not _is_address(str(arguments[name]))
                    and any(words <= texts[other] for other in named_fields & texts.keys())
                )
            )
        )

    def _is_of_field(self, value: str, fields: Iterable[str]) -> bool:
        """Return whether the words name one of some fields for a value, outside of other values."""
        if moment_in(value, self._utterance.now) is not None:
            # A time corrects no text: "the title is … Make it noon".
            segments = [one for one in self._utterance.segments if _has_time(one, self._utterance.now)]
        else:
            segments = list(segments_naming_field(lambda one: flat(value) in flat(one.ask.text), self._utterance))
        texts = [" ".join((*(token.word for token in one.ask.loose), *one.ask.texts("field"))) for one in segments]
        stems = {token.stem for text in texts for token in tokenize(text)}
        return any(self._is_field_in(name, texts, stems) for name in fields)

    def are_fields_named(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether each value has its field's name beside it in the words."""
        names = [name for name, value in arguments.items() if not _is_id(name, value)]
        return bool(names) and all(map(self._is_named, names))

    def _is_choice(self, properties: Mapping[str, Any], arguments: Mapping[str, Any], value: str) -> bool:
        """Return whether a value is one of the options of its argument."""
        return any(
            arguments[name] == value and isinstance(properties.get(name), Mapping) and "enum" in properties[name]
            for name in arguments
        )

    def is_mentioned(self, value: Any) -> bool:
        """Return whether a number or a text stands in the message, whatever it was said of."""
        message, now = self._utterance.message, self._utterance.now
        if isinstance(value, int | float):
            return float(value) in self._utterance.numbers or is_whole_in(f"{value:g}", message.replace(",", ""))
        if not isinstance(value, str):
            return False
        moment = moment_in(value, now) if value[:1].isdecimal() else None
        is_time = moment is not None and any(is_at(span, moment, now) for span in find_times(message.lower(), now))
        return is_time or flat(value) in flat(message) or value in lexicon.values_in(message.lower())

    def is_stated(self, name: str, value: Any, schema: Mapping[str, Any]) -> bool:
        """Return whether the user said a value of an argument, or it changes nothing."""
        if "default" in schema and value == schema["default"]:
            return True
        if name in self._stored and _is_same(self._stored[name], value):
            return True
        stored = stored_texts(self._stored.get(name))
        if isinstance(value, list) and drops_unsaid(stored, value, self._utterance):
            # A list replaces the old one: "tag Jack as vip" takes no other tag away.
            return False
        if value is None or value in ("", [], {}):
            return self._is_cleared(name)
        if isinstance(value, bool):
            return self._is_flag_stated(name, is_on=value)
        if isinstance(value, int | float):
            is_named = self._is_entry_named or self._is_named(name)
            return self._numbers.is_stated(name, float(value), is_named=is_named)
        if isinstance(value, list):
            value = [one for one in value if one not in stored]
            return all(self.is_stated(name, item, self._resolved(schema.get("items", {}))) for item in value)
        if isinstance(value, Mapping):
            # The title of an entry, such as a key result, names what its number is of.
            self._is_entry_named = any(
                isinstance(text, str)
                and label in _ENTRY_LABELS
                and self._texts.are_words_stated(text, is_free=False, title_words=self._title_words)
                for label, text in value.items()
            )
            is_stated = not any(self._unstated(value, self._resolved(schema)))
            self._is_entry_named = False
            return is_stated
        if isinstance(value, str) and "enum" in schema:
            return self._is_choice_stated(name, value, schema["enum"])
        return self._is_text_stated(name, str(value), schema)

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        """Return the part of the tool's schema that a reference names."""
        reference = schema.get("$ref", "") if isinstance(schema, Mapping) else ""
        if reference.startswith("#/$defs/"):
            schema = self._schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
        return schema if isinstance(schema, Mapping) else {}

    def _is_cleared(self, name: str) -> bool:
        """Return whether the user named a field and a word of clearing: "remove the phone"."""
        return self._is_named(name) and any(token.word in CLEARING_WORDS for token in self._utterance.tokens)

    def _is_named(self, name: str) -> bool:
        """Return whether the user named the field of an argument, by its own name or a usual one."""
        question = self._utterance.question_before
        stems = {token.stem for token in tokenize(question)}
        return self._is_field_in(name, (*self._utterance.texts, question), self._utterance.stems | stems)

    def _is_field_in(self, name: str, texts: Iterable[str], stems: Collection[str]) -> bool:
        """Return whether texts, whose words have some stems, name the field of an argument."""
        words = [word for word in name.removesuffix("_id").split("_") if word not in ("is", "has", "do", "not")]
        general = {key for text in self._without_other_labels(name, texts) for key in lexicon.fields_in(text)}
        if all(token.stem in stems for word in words for token in tokenize(word)) or name in general:
            return True
        return any(lexicon.field_name(key, kind) == name for key in general for kind in lexicon.KINDS)

    def _without_other_labels(self, name: str, texts: Iterable[str]) -> Iterator[str]:
        """Yield texts without the names of the team's own other fields: a "fleet size" is no deal's size."""
        labels = [re.escape(label) for field, label in self._labels.items() if field != name]
        for text in texts:
            yield re.sub(rf"\b(?:{'|'.join(labels)})\b", " ", text, flags=re.IGNORECASE) if labels else text

    def _is_flag_stated(self, name: str, *, is_on: bool) -> bool:
        """Return whether the user switched a flag on or off: "tick newsletter", "he may be called again"."""
        if "not" in name.split("_"):
            # The denial of do_not_call is a part of its name, and stands in the message as it was typed.
            tokens = flag_tokens(self._utterance.message)
            return is_switched_on(name, tokens) if is_on else is_switched_off(name, self._utterance.segments)
        says_not = any(token.word in OFF_WORDS | lexicon.NEGATIONS for token in self._utterance.tokens)
        return self._is_named(name) and (says_not != is_on or (not is_on and self._is_cleared(name)))

    def _is_choice_stated(self, name: str, value: str, options: Sequence[Any]) -> bool:
        """Return whether the user said one of the options of a field, or left one open that must be given."""
        utterance = self._utterance
        if self._is_in_name_alone(value) or is_alternative(value, utterance.segments):
            return False
        is_change = bool(FIELD_CHANGE_ACTS.intersection(self._acts))
        if is_change and not self._is_named(name) and not is_choice_stated(value, self._acts, utterance.segments):
            return False
        if name in self._labels:
            # Where a status has this value too, only the field's name tells which is meant.
            is_clear = self._is_named(name) or not lexicon.values_in(value)
            return is_clear and is_custom_choice_stated(name, value, self._utterance.segments)
        stems = {token.stem for token in tokenize(value.replace("_", " "))}
        if value in utterance.values or stems <= utterance.stems or lexicon.means_value(utterance.tokens, value):
            return True
        if name not in self._required or self._values_ordered().intersection(map(str, options)):
            return False
        # One of them must be given: "an activity", "a scan" leave it open which.
        noun = name.removesuffix("_type")
        is_open = value == noun or noun in utterance.kinds or tokenize(noun)[0].stem in utterance.stems
        return is_open or (value == "task" and bool(_TASK_ACTS.intersection(self._acts)))

    def _values_ordered(self) -> frozenset[str]:
        """Return the choices and kinds of activities in the orders: "we had a meeting, remind me …" has none."""
        clauses = [order_clause(one.ask.tokens, frozenset(self._acts)) for one in self._utterance.segments]
        words = [token for clause in clauses for token in clause]
        if not words:
            return self._utterance.values
        forms = (lexicon.activity_type_of(form) for token in words for form in (token.word, token.stem))
        return frozenset((*lexicon.values_in(" ".join(token.word for token in words)), *filter(None, forms)))

    def _is_in_name_alone(self, value: str) -> bool:
        """Return whether a choice stands only within a name that was said: "rename it to Lost Property"."""
        if not FIELD_CHANGE_ACTS.intersection(self._acts):
            return False
        segments = [segment for segment in self._utterance.segments if not segment.denial]
        outside = [token for segment in segments for token in segment.ask.outside]
        names = [token for segment in segments for token in segment.ask.tokens if token not in segment.ask.outside]
        # "Qualify Jack" is sometimes taken for a name as a whole.
        outside += [token for token in names if token.word in lexicon.ORDER_VERBS]
        return lexicon.means_value(names, value) and not lexicon.means_value(outside, value)

    def _is_text_stated(self, name: str, text: str, schema: Mapping[str, Any]) -> bool:
        """Return whether the user said a text, or the instant or the amounts that it stands for."""
        # A sentence may hold a time that was said, beside words that were not.
        is_free = name in _FREE_TEXT_FIELDS
        if name in _STATEMENT_FIELDS and not self._texts.is_statement_kept(text):
            return False
        if not is_free and is_corrected(text, tokenize(self._utterance.message)):
            return False
        if not is_free and (moment := moment_in(text, self._utterance.now)) is not None:
            if self._times.is_stated(moment):
                return True
            if schema.get("format") in ("date", "date-time"):
                return False
        if name == "owner" and self._is_caller_stated(text):
            return True
        if is_free and self._texts.is_denial_kept(text) and flat(text) in flat(self._utterance.message):
            # The text of a note may go on over clauses that would be orders of their own.
            return True
        is_amount = bool(amounts := find_amounts(text)) and len(tokenize(text)) <= MAX_STRICT_WORDS
        if is_amount and all(self._texts.is_number_stated(amount.value) for amount in amounts):
            return True
        may_add = name not in _STATEMENT_FIELDS
        return self._texts.are_words_stated(text, is_free=is_free, may_add=may_add, title_words=self._title_words)

    def _is_caller_stated(self, text: str) -> bool:
        """Return whether an owner is the caller, and the user spoke of themselves: "assign it to me"."""
        is_self = text.lower() in ("me", self._user.lower())
        words = ["", *(token.word for token in self._utterance.tokens)]
        return is_self and any(
            word in lexicon.SELF_WORDS and before not in lexicon.NEGATIONS for before, word in pairwise(words)
        )


def _has_time(segment: UtteranceSegment, now: datetime) -> bool:
    """Return whether a segment says a time, also in a text that is to be sent."""
    return bool(segment.ask.times or find_times(segment.ask.text.lower(), now))


def _is_id(name: str, value: Any) -> bool:
    """Return whether an argument is the id of a record, a kind or an action, and no value."""
    return name in ("entity_type", "action") or (isinstance(value, str) and KNOWN_ID.fullmatch(value) is not None)


def _is_address(text: str) -> bool:
    """Return whether a text is one email address, phone number or link."""
    tokens = tokenize(text)
    return len(tokens) == 1 and tokens[0].kind in ADDRESS_TAGS


def _is_same(stored: Any, value: Any) -> bool:
    """Return whether a value is the stored one, texts in any case."""
    if isinstance(stored, str) and isinstance(value, str):
        return stored.strip().lower() == value.strip().lower()
    return bool(stored == value)
