"""Fit what was said to the parameters of the tools that write records."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.asks import free_tokens, writing_words
from aisha.adapters.llm.planner.acts.execution import Unplaced
from aisha.adapters.llm.planner.acts.writing.gleaning import (
    MAX_GAP,
    MEASURES,
    TEXT_TAGS,
    VALUE_TAGS,
    gleaned,
    is_moved_to,
    measures_in,
)
from aisha.adapters.llm.planner.acts.writing.values import (
    MIN_PHONE_DIGITS,
    Values,
    address_of,
    capitalised,
    converted,
    name_values,
    state_of,
)
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolSpec

Pair = tuple[Span | None, Span | None]
_BY_TAG = {tag: tag for tag in ("email", "owner", "company", "phone")} | {"url": "website", "when": "close_date"}
"""The parameter that takes a slot without a field."""
_MONEY = {"lead": "estimated_value", "opportunity": "amount"}
"""The parameter of an amount without a field: an account's revenue is meant only where it is named."""
_MODALS = frozenset("may might shall please kindly".split())
PART_MARKS = re.compile(r"[,;](?!\d)")
"""Parts the values in a slot: the comma of "$48,000" is none."""
_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_WEB_ADDRESS = re.compile(r"\A(?:[\w-]++\.)++[a-z]{2,}", re.IGNORECASE)
_LEAST_SUM = 1000
"""A bare number from this on is a sum of money."""


def fit(ask: Ask, spec: ToolSpec, kind: str, *, is_known: bool = False) -> tuple[Values, Unplaced]:
    """Return the values that an ask says by parameter of a tool that writes a kind of record, and what fits none.

    `is_known`: no value tells which record is meant.

    The latter are pairs of a field's words and a value's: a field without a value, a value without a field, or both for
    a field that the record does not have.
    """
    values: Values = {}
    left: Unplaced = []
    ask = gleaned(ask, spec, is_known=is_known)
    for field, span in _paired(ask, spec, kind):
        fitted = _fitted(ask, spec, kind, field, span) if span is not None else None
        if fitted is None and span is not None and field is None and span.tag in TEXT_TAGS:
            fitted, more = _in_parts(ask, spec, kind, span)
            left += more
        if fitted is None and (span is not None or _parameter(field, kind, spec) not in values):
            left.append((field.text if field and field.tag == "field" else "", span.text if span else ""))
        for name, value in (fitted or {}).items():
            # Parts of an address add up. Of other values the last counts: "it says IT, make it retail".
            values[name] = {**values.get(name, {}), **value} if isinstance(value, dict) else value
    return values, left


def _in_parts(ask: Ask, spec: ToolSpec, kind: str, span: Span) -> tuple[Values | None, Unplaced]:
    """Return the values in a slot that holds several, "$48,000, stage proposal, closing on 15 June", and what is left.

    None for a slot that holds one value only.
    """
    parts = [part.strip() for part in PART_MARKS.split(span.text)]
    inner = [_part(ask, spec, part) for part in parts if part]
    fits = [fit(one, spec, kind) if one.segment.spans else ({}, [("", one.text)]) for one in inner]
    values = {name: value for fitted, _ in fits for name, value in fitted.items()}
    return (values, [pair for _, left in fits for pair in left]) if values else (None, [])


def _part(ask: Ask, spec: ToolSpec, text: str) -> Ask:
    """Return a part of a slot as an ask of its own, with the slots that its words show: "stage qualification"."""
    part = gleaned(Ask(Segment(text, ask.act), ask.now), spec, is_known=True)
    return part if text != ask.text or part.segment.spans else part.with_spans(())


def _paired(ask: Ask, spec: ToolSpec, kind: str) -> list[Pair]:
    """Return the values said, each with the field before it or None, and the fields without a value.

    A field without a value after it takes the one before: "put 12 percent as discount". A field is tagged, or an
    untagged word of one.
    """
    is_new = spec.name.startswith("create_")
    free = free_tokens(ask)
    placed = (free[first:last] for _, first, last in lexicon.placed_in(free, "fields"))
    loose = [Span("word", ask.text[one[0].start : one[-1].end], one[0].start) for one in placed]
    tagged = [span for span in ask.segment.spans if span.tag == "field"]
    ahead = [span for span in (*loose, *tagged) if not _is_after_as(ask, span)]
    tags = VALUE_TAGS - {"new", "org"} if is_new else VALUE_TAGS
    spans = [span for span in ask.segment.spans if span.text.lower() not in _MODALS | writing_words("given")]
    values = [span for span in spans if span.tag in tags and not _is_denied(ask, span, is_new=is_new)]
    pairs: list[Pair] = []
    for before, span in pairwise([Span("", "", -1), *values]):
        fields = [one for one in ahead if before.end <= one.start < span.start]
        near = [one for one in fields if one.tag == "field" or not is_new or span.start - one.end <= MAX_GAP]
        # In "the Helios renewal closes on the 30th" the first of the words is no field of deals.
        own_fields = [one for one in near if _parameter(one, kind, spec) in spec.properties]
        pairs.append((max(own_fields or near, key=lambda one: (one.tag == "field", one.start), default=None), span))
    for field in (one for one in tagged if one not in [pair[0] for pair in pairs]):
        place = max((place for place, pair in enumerate(pairs) if pair[1] and pair[1].start < field.start), default=-1)
        other, value = pairs[place] if place >= 0 else (field, None)
        name, properties = _parameter(field, kind, spec), spec.properties
        can_have = value and (name not in properties or converted(name, properties[name], value, ask) is not None)
        if other is None and can_have:
            pairs[place] = (field, value)
        else:
            pairs.append((field, None))
    return pairs


def _is_after_as(ask: Ask, field: Span) -> bool:
    """Return whether a field is that of the value before it: "80 as the score"."""
    before = [one.word for one in ask.tokens if one.end <= field.start and one.word not in lexicon.DETERMINERS]
    return before[-1:] == ["as"]


def _parameter(field: Span | None, kind: str, spec: ToolSpec) -> str:
    if field is not None and (own := custom_fields.named(spec.custom, field.text)) is not None:
        return own.name
    return lexicon.field_name(next(iter(lexicon.fields_in(field.text)), ""), kind) if field is not None else ""


def _is_denied(ask: Ask, span: Span, *, is_new: bool) -> bool:
    """Return whether the words before a slot say that it is not, or no longer, meant: "not 31k", "from proposal to"."""
    before = [token for token in ask.tokens if token.end <= span.start][-2:]
    denials = {key for key, _, last in lexicon.placed_in(before, "denied_values") if last == len(before)}
    has_new = any(one.tag == span.tag and one.start > span.start for one in ask.segment.spans)
    # "Tom's leads" are those that the change is about.
    is_filter = span.tag == "owner" and ask.text[span.end :].startswith(("'s", "’s"))
    return is_filter or "denied" in denials or ("left" in denials and has_new and not is_new)


def _fitted(ask: Ask, spec: ToolSpec, kind: str, field: Span | None, span: Span) -> Values | None:
    """Return the value of a slot by its parameter: the field's, else the one that takes such values; None for none."""
    name, properties = _parameter(field, kind, spec), spec.properties
    if field is not None and (own := custom_fields.named(spec.custom, field.text)) is not None:
        value = _of_custom(own, properties.get(name), span, ask)
        return None if value is None else {name: value}
    if (
        field is not None
        and span.tag in TEXT_TAGS - {"company"}
        and name in ("name", "company_name", "first_name", "last_name")
    ):
        is_whole = "name" in lexicon.fields_in(field.text)
        names = name_values(kind, span.text) if is_whole else {name: capitalised(span.text)}
        return names if names.keys() <= properties.keys() else None
    value = converted(name, properties[name], span, ask, field.text if field else "") if name in properties else None
    is_telling = value is None and span.tag in ADDRESS_TAGS  # "her address is ann@acme.example"
    if field is not None and field.tag == "field" and not is_telling and (value is not None or name not in properties):
        return None if value is None else {name: value}
    sums = find_amounts(span.text.lower())
    if value is not None and name in MEASURES and not any(one.is_money for one in sums):
        return {name: value}  # "Score her 65".
    # An untagged word is a weaker sign than the value itself: "she works as buyer" names no company.
    found_alone = _placed(ask, spec, kind, span)
    is_weak = name in ("company", "owner") and span.tag not in ("org", "company", "new", "owner")
    return found_alone if found_alone or value is None or is_weak else {name: value}


def _of_custom(own: CustomField, schema: Mapping[str, Any] | None, span: Span, ask: Ask) -> Any:
    """Return the value of a slot for a custom field, or None where it is no such value, or can't be written."""
    if schema is None:
        return None
    if own.type == "boolean":
        return _TRUTH.get(span.text.lower())
    return custom_fields.option_said(own, span.text) if own.values else converted(own.name, schema, span, ask)


def _placed(ask: Ask, spec: ToolSpec, kind: str, span: Span) -> Values | None:
    """Return the value of a slot without a field, by the parameter that takes such values; None when none does."""
    properties = spec.properties
    if span.tag == "new":
        return name_values(kind, span.text)
    is_only = not any(one.tag in (VALUE_TAGS | {"field"}) - {"when", "org"} for one in ask.segment.spans)
    sums = find_amounts(span.text.lower()) if span.tag in ("amount", "value") else []
    is_percent = any(one.is_percent for one in sums)
    is_large = any(one.value >= _LEAST_SUM for one in sums) and not any(letter.isalpha() for letter in span.text)
    is_sum = span.tag == "amount" or is_large or any(one.is_money for one in sums)
    name = _MONEY.get(kind, "") if is_sum else _BY_TAG.get(span.tag, "")
    name = "probability" if is_percent else name
    is_of_record = (
        span.tag != "when" or is_only or spec.name.startswith(("create_", "convert_")) or is_moved_to(ask, span)
    )
    if name in properties and is_of_record:
        value = converted(name, properties[name], span, ask)
        code = next((one.currency for one in sums if "currency" in properties), None) or "USD"
        return None if value is None else {name: value} | ({"currency": code} if code != "USD" else {})
    if span.tag == "value":
        return _attribute(ask, spec, span)
    return {} if span.tag == "org" else None


def _attribute(ask: Ask, spec: ToolSpec, span: Span) -> Values | None:
    """Return a value by what it says itself: a status, a tag, a job, an industry, a measure or a place."""
    properties, tokens = spec.properties, tokenize(span.text)
    literal = "_".join(token.word for token in tokens)
    option_text = lexicon.phrase_key(span.text, "values") or literal
    options = {option: name for name, schema in spec.general_properties.items() for option in schema.get("enum", ())}
    if option := next((one for one in (literal, option_text, f"closed_{option_text}") if one in options), None):
        return {options[option]: option}
    digits = [one for one in span.text if one.isdecimal()]
    if "phone" in properties and len(digits) > MIN_PHONE_DIGITS and not any(one.isalpha() for one in span.text):
        is_sum = bool(find_amounts(span.text.lower()))
        return None if is_sum else {"phone": span.text}
    if ask.words & writing_words("tagging") and "tags" in properties:
        return {"tags": [span.text.lower()]}
    is_job = "job_title" in properties and _is_job_at_company(ask, span)
    if is_job and len(tokens) > 1:
        return {"job_title": span.text}
    if all(lexicon.kind_of(one.stem) or one.word in writing_words("no_names") for one in tokens):
        return {}  # The kind of the record itself: "as a customer".
    kinds = [key for table in ("jobs", "industries") for key, _, _ in lexicon.placed_in(tokens, table)]
    for name in [*kinds, *measures_in(span.text)]:
        if name in properties and (value := converted(name, properties[name], span, ask)) is not None:
            return {name: value}
    if "website" in properties and _WEB_ADDRESS.fullmatch(span.text):
        return {"website": span.text}
    if is_job:
        return {"job_title": span.text}
    near = {token.word for token in ask.tokens if token.end <= span.start <= token.end + MAX_GAP} & writing_words(
        "places"
    )
    is_city = bool(near) and (tokens[0].is_capital or "based" in near)
    if "address" in properties and (state_of(span.text) or is_city):
        return {"address": address_of(span.text)}
    return None


def _is_job_at_company(ask: Ask, span: Span) -> bool:
    """Return whether a slot stands between a new person and "at" or "of" their company: "Bo Ek, fitter at Globex"."""
    spans = ask.segment.spans
    is_persons = any(one.tag == "new" and one.end <= span.start for one in spans)
    company = next((one for one in spans if one.tag == "org" and one.start >= span.end), None)
    return is_persons and company is not None and ask.text[span.end : company.start].strip() in ("at", "of")
