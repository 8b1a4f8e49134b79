"""Create leads, contacts, accounts and deals, and fit what was said to the parameters of the tools that write them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields, policy
from aisha.adapters.llm.planner.plan import Answer, Plan, act
from aisha.adapters.llm.planner.replies import changes, formats
from aisha.adapters.llm.planner.resolve import Unknown, all_near, by_name, pointed_at, settled
from aisha.adapters.llm.planner.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS, US_STATES
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.words import first_names
from aisha.domain.tools import ToolSpec
from aisha.domain.wording import humanise

Values = dict[str, Any]
Left = list[tuple[str, str]]
Pair = tuple[Span | None, Span | None]
words = partial(lexicon.word_set, "writing")
"""Return the words of a group, for orders that write."""
_TEXTS = frozenset("value text topic company new org".split())
_VALUES = _TEXTS | frozenset("amount when owner email phone url".split())
_BY_TAG = {tag: tag for tag in ("email", "owner", "company", "phone")} | {"url": "website", "when": "close_date"}
"""The parameter that takes a slot without a field."""
_MONEY = {"lead": "estimated_value", "opportunity": "amount"}
"""The parameter of an amount without a field: an account's revenue is meant only where it is named."""
_SHARED = frozenset("company source status tags owner".split())
"""Values that the new records of one order have in common."""
_MEASURES = frozenset(("employee_count", "score", "probability", "annual_revenue"))
_GIVING = frozenset(("to", "is", "=", ":", "as", "into", "becomes"))
"""Words between a field and its value."""
_JOINTS = frozenset(("and", "then", "plus", "with", "for"))
_MAX_GAP = 8
"""Characters between a value and an untagged word that belongs to it: "industry: software"."""
_PARTS = re.compile(r"[,;](?!\d)")
"""Parts the values in a slot: the comma of "$48,000" is none."""
_MAX_PART = 4
"""Words of a value that was not tagged."""
_MIN_PHONE_DIGITS = 5
_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_LEAST_SUM = 1000
"""A bare number from this on is a sum of money."""
_LONG_RANGE_DAYS = 7
"""A deal that closes in a longer range closes at its end: "in November"."""


# Fitting.


def fit(ask: Ask, spec: ToolSpec, kind: str) -> tuple[Values, Left]:
    """Return the values that an ask says by parameter of a tool that writes a kind of record, and what fits none.

    The latter are pairs of a field's words and a value's: a field without a value, a value without a field, or both for
    a field that the record does not have.
    """
    values: Values = {}
    left: Left = []
    ask = gleaned(ask, spec)
    for field, span in _paired(ask, spec, kind):
        found = _fitted(ask, spec, kind, field, span) if span is not None else None
        if found is None and span is not None and field is None and span.tag in _TEXTS:
            found, more = _in_parts(ask, spec, kind, span)
            left += more
        if found is None and (span is not None or _parameter(field, kind, spec) not in values):
            left.append((field.text if field and field.tag == "field" else "", span.text if span else ""))
        for name, value in (found or {}).items():
            # Parts of an address add up. Of other values the last counts: "it says IT, make it retail".
            values[name] = {**values.get(name, {}), **value} if isinstance(value, dict) else value
    return values, left


def _in_parts(ask: Ask, spec: ToolSpec, kind: str, span: Span) -> tuple[Values | None, Left]:
    """Return the values in a slot that holds several, "$48,000, stage proposal, closing on 15 June", and what is left.

    None for a slot that holds one value only.
    """
    parts = [part.strip() for part in _PARTS.split(span.text)]
    inner = [_part(ask, spec, part) for part in parts if part]
    fits = [fit(one, spec, kind) if one.segment.spans else ({}, [("", one.text)]) for one in inner]
    values = {name: value for found, _ in fits for name, value in found.items()}
    return (values, [pair for _, left in fits for pair in left]) if values else (None, [])


def _part(ask: Ask, spec: ToolSpec, text: str) -> Ask:
    """Return a part of a slot as an ask of its own, with the slots that its words themselves show."""
    part = gleaned(Ask(Segment(text, ask.act), ask.now), spec)
    if part.segment.spans:
        return part
    # "stage qualification", "industry tea": a field, and its value.
    named = [token for token in part.tokens if lexicon.fields_in(token.word)][-1:]
    rest = text[named[0].end :].strip(" :=") if named else ""
    if named and rest:
        field = Span("field", text[: named[0].end], 0)
        return part.with_spans([field, Span("value", rest, text.index(rest, named[0].end))])
    return part.with_spans([Span("value", text, 0)] if text != ask.text and _is_attribute(spec, text) else [])


def _is_attribute(spec: ToolSpec, text: str) -> bool:
    tokens = tokenize(text)
    tables = [table for table in ("jobs", "industries") if any(lexicon.placed_in(tokens, table))]
    return any({"jobs": "job_title", "industries": "industry"}[table] in spec.properties for table in tables)


# Gleaning.


def gleaned(ask: Ask, spec: ToolSpec) -> Ask:
    """Return the ask with the amounts, days and enumerated values that stand outside of its slots as slots.

    A change has them only where it has no other value: "the 50k deal" tells which one is meant.
    """
    is_new = spec.name.startswith("create_")
    if not is_new:
        ask = ask.with_spans([*ask.segment.spans, *_after_fields(ask)])
    if not is_new and (any(span.tag in _VALUES for span in ask.segment.spans) or ask.values):
        return ask
    ask = ask.with_spans(_with_measure(ask, span) for span in ask.segment.spans)
    found = [*_loose_amounts(ask, spec), *(_loose_values(ask, spec) if is_new else ())]
    if is_new:
        taken = {span.start for span in found}
        found += [span for span in _loose_parts(ask, spec) if not any(span.start <= at < span.end for at in taken)]
    if "close_date" in spec.properties and is_new:
        found += _loose_days(ask)
    return ask.with_spans([*ask.segment.spans, *found]) if found else ask


def _after_fields(ask: Ask) -> Iterator[Span]:
    """Yield the words that stand after a field and "to" or "is", where no slot holds them: "phone to 2065550123"."""
    spans = ask.segment.spans
    for field in (one for one in spans if one.tag == "field"):
        end = min((one.start for one in spans if one.start >= field.end), default=len(ask.text))
        tokens = [token for token in ask.loose if field.end <= token.start < end]
        given = next((place for place, token in enumerate(tokens) if token.word in _GIVING), None)
        value: list[Token] = []
        for token in (
            (one for one in tokens[given + 1 :] if one.word not in words("given")) if given is not None else ()
        ):
            if token.kind == "mark" or token.word in _JOINTS:
                break
            value.append(token)
        if 0 < len(value) <= _MAX_PART and given == 0:
            yield Span("value", ask.text[value[0].start : value[-1].end], value[0].start)


def _with_measure(ask: Ask, span: Span) -> Span:
    """Return the slot of a number with what it counts: "220 employees"."""
    after = next((token for token in ask.loose if 0 < token.start - span.end <= 1), None)
    if after is None or span.tag not in ("value", "amount", "count") or not span.text[-1].isdigit():
        return span
    if _MEASURES.isdisjoint(lexicon.fields_in(after.word)):
        return span
    return Span("value", ask.text[span.start : after.end], span.start)


def _loose_parts(ask: Ask, spec: ToolSpec) -> list[Span]:
    """Return what stands between marks and is a job, an industry, or the value after its field: "industry biotech"."""
    found, part = list[Span](), list[Token]()
    for token in [*ask.tokens, None]:
        if token is not None and token.kind != "mark":
            part.append(token)
            continue
        named = [(place, next(iter(lexicon.fields_in(one.word)), "")) for place, one in enumerate(part, 1)]
        named = [(place, name) for place, name in named if name in spec.properties and name not in ("company", "owner")]
        words_of_part = part[named[-1][0] :] if named else part
        is_value = len(words_of_part) < len(part) or _is_attribute(spec, " ".join(one.text for one in words_of_part))
        is_free = all(one in ask.loose and not lexicon.kind_of(one.stem) for one in words_of_part)
        if words_of_part and is_value and is_free and len(words_of_part) <= _MAX_PART:
            first, last = words_of_part[0], words_of_part[-1]
            found.append(Span("value", ask.text[first.start : last.end], first.start))
        part = []
    return found


def _loose_amounts(ask: Ask, spec: ToolSpec) -> list[Span]:
    _, starts = plain_text(ask.outside)
    found = []
    for amount in ask.amounts:
        tokens = [one for one, start in zip(ask.outside, starts, strict=True) if amount.start <= start < amount.end]
        if not tokens or not all(token in ask.loose for token in tokens):
            continue
        last = ask.tokens.index(tokens[-1])
        after, before = ask.tokens[last + 1 : last + 2], ask.tokens[: ask.tokens.index(tokens[0])][-1:]
        measures = _MEASURES.intersection(*(lexicon.fields_in(one.word) for one in after)) if after else ()
        if measures and not measures.isdisjoint(spec.properties):
            found.append(Span("value", ask.text[tokens[0].start : after[0].end], tokens[0].start))
        elif (amount.is_money or amount.is_percent) and not any(lexicon.kind_of(one.stem) for one in after):
            found.append(Span("amount", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
        elif any(lexicon.fields_in(one.word) for one in before):
            found.append(Span("value", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
    return found


def _loose_days(ask: Ask) -> list[Span]:
    plain, starts = plain_text(ask.outside)
    found = []
    for time in find_times(plain, ask.now):
        tokens = [one for one, start in zip(ask.outside, starts, strict=True) if time.start <= start < time.end]
        if tokens and time.first is not None and all(token in ask.loose for token in tokens):
            found.append(Span("when", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
    return found


def _loose_values(ask: Ask, spec: ToolSpec) -> list[Span]:
    options = {option for schema in spec.general_properties.values() for option in schema.get("enum", ())}
    found = []
    for key, first, last in lexicon.placed_in(ask.loose, "values"):
        tokens = ask.loose[first:last]
        is_whole = tokens[-1].end - tokens[0].start <= sum(len(one.text) + 1 for one in tokens)
        places = [ask.tokens.index(tokens[0]) - 1, ask.tokens.index(tokens[-1]) + 1]
        is_part = all(not 0 <= at < len(ask.tokens) or ask.tokens[at].kind == "mark" for at in places)
        named = all(lexicon.kind_of(one.word) or one.word in words("no_names") for one in tokens)
        names = named and not (is_part and spec.name == "create_account")
        is_field = bool(lexicon.fields_in(tokens[-1].word)) and _has_value_after(ask, tokens[-1])
        if {key, f"closed_{key}"} & options and is_whole and not names and not is_field:
            found.append(Span("value", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start))
    return found


def _has_value_after(ask: Ask, token: Token) -> bool:
    return any(0 <= span.start - token.end <= _MAX_GAP and span.tag in _VALUES for span in ask.segment.spans)


def _paired(ask: Ask, spec: ToolSpec, kind: str) -> list[Pair]:
    """Return the values said, each with the field before it or None, and the fields without a value.

    A field without a value after it takes the one before: "put 12 percent as discount". A field is tagged, or an
    untagged word of one.
    """
    is_new = spec.name.startswith("create_")
    loose = [Span("word", token.text, token.start) for token in free_tokens(ask) if lexicon.fields_in(token.word)]
    tagged = [span for span in ask.segment.spans if span.tag == "field"]
    ahead = [span for span in (*loose, *tagged) if word_before(ask, span) != "as"]
    tags = _VALUES - {"new", "org"} if is_new else _VALUES
    values = [span for span in ask.segment.spans if span.tag in tags and not _is_denied(ask, span, is_new=is_new)]
    pairs: list[Pair] = []
    for before, span in pairwise([Span("", "", -1), *values]):
        fields = [one for one in ahead if before.end <= one.start < span.start]
        near = [one for one in fields if one.tag == "field" or not is_new or span.start - one.end <= _MAX_GAP]
        pairs.append((max(near, key=lambda one: (one.tag == "field", one.start), default=None), span))
    for field in (one for one in tagged if one not in [pair[0] for pair in pairs]):
        place = max((place for place, pair in enumerate(pairs) if pair[1] and pair[1].start < field.start), default=-1)
        other, value = pairs[place] if place >= 0 else (field, None)
        name, properties = _parameter(field, kind, spec), spec.properties
        can_have = value and (name not in properties or _converted(name, properties[name], value, ask) is not None)
        if other is None and can_have:
            pairs[place] = (field, value)
        else:
            pairs.append((field, None))
    return pairs


def free_tokens(ask: Ask) -> list[Token]:
    """Return the tokens outside of slots, and those of references: "his new number"."""
    refs = [span for span in ask.segment.spans if span.tag == "ref"]
    return [one for one in ask.outside if one in ask.loose or any(ref.start <= one.start < ref.end for ref in refs)]


def word_before(ask: Ask, span: Span) -> str:
    """Return the word before a slot."""
    return next((token.word for token in reversed(ask.tokens) if token.end <= span.start), "")


def _parameter(field: Span | None, kind: str, spec: ToolSpec) -> str:
    if field is not None and (own := custom_fields.named(spec.custom, field.text)) is not None:
        return own.name
    return lexicon.field_name(next(iter(lexicon.fields_in(field.text)), ""), kind) if field is not None else ""


def _is_denied(ask: Ask, span: Span, *, is_new: bool) -> bool:
    """Return whether the words before a slot say that it is not, or no longer, meant: "not 31k", "from proposal to"."""
    before = [token for token in ask.tokens if token.end <= span.start][-2:]
    found = {key for key, _, last in lexicon.placed_in(before, "denied_values") if last == len(before)}
    has_new = any(one.tag == span.tag and one.start > span.start for one in ask.segment.spans)
    # "Tom's leads" are those that the change is about.
    is_filter = span.tag == "owner" and ask.text[span.end :].startswith(("'s", "’s"))
    return is_filter or "denied" in found or ("left" in found and has_new and not is_new)


def _fitted(ask: Ask, spec: ToolSpec, kind: str, field: Span | None, span: Span) -> Values | None:
    """Return the value of a slot by its parameter: the field's, else the one that takes such values; None for none."""
    name, properties = _parameter(field, kind, spec), spec.properties
    if field is not None and (own := custom_fields.named(spec.custom, field.text)) is not None:
        value = _of_custom(own, properties.get(name), span, ask)
        return None if value is None else {name: value}
    if (
        field is not None
        and span.tag in _TEXTS - {"company"}
        and name in ("name", "company_name", "first_name", "last_name")
    ):
        is_whole = "name" in lexicon.fields_in(field.text)
        found = name_values(kind, span.text) if is_whole else {name: capitalised(span.text)}
        return found if found.keys() <= properties.keys() else None
    value = _converted(name, properties[name], span, ask, field.text if field else "") if name in properties else None
    if field is not None and field.tag == "field" and (value is not None or name not in properties):
        return None if value is None else {name: value}
    sums = find_amounts(span.text.lower())
    if value is not None and name in _MEASURES and not any(one.is_money for one in sums):
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
    return custom_fields.option_said(own, span.text) if own.values else _converted(own.name, schema, span, ask)


def _placed(ask: Ask, spec: ToolSpec, kind: str, span: Span) -> Values | None:
    """Return the value of a slot without a field, by the parameter that takes such values; None when none does."""
    properties = spec.properties
    if span.tag == "new":
        return name_values(kind, span.text)
    is_only = not any(one.tag in (_VALUES | {"field"}) - {"when", "org"} for one in ask.segment.spans)
    sums = find_amounts(span.text.lower()) if span.tag in ("amount", "value") else []
    is_percent = any(one.is_percent for one in sums)
    is_large = any(one.value >= _LEAST_SUM for one in sums) and not any(letter.isalpha() for letter in span.text)
    is_sum = span.tag == "amount" or is_large or any(one.is_money for one in sums)
    name = "probability" if is_percent else _MONEY.get(kind, "") if is_sum else _BY_TAG.get(span.tag, "")
    if name in properties and (span.tag != "when" or is_only or spec.name.startswith("create_")):
        value = _converted(name, properties[name], span, ask)
        code = next((one.currency for one in sums if "currency" in properties), None) or "USD"
        return None if value is None else {name: value} | ({"currency": code} if code != "USD" else {})
    return _attribute(ask, spec, span) if span.tag == "value" else {} if span.tag == "org" else None


def _attribute(ask: Ask, spec: ToolSpec, span: Span) -> Values | None:
    """Return a value by what it says itself: a status, a tag, a job, an industry, a measure or a place."""
    properties, tokens = spec.properties, tokenize(span.text)
    said = lexicon.phrase_key(span.text, "values") or "_".join(token.word for token in tokens)
    options = {option: name for name, schema in spec.general_properties.items() for option in schema.get("enum", ())}
    if option := next((one for one in (said, f"closed_{said}") if one in options), None):
        return {options[option]: option}
    digits = [one for one in span.text if one.isdigit()]
    if "phone" in properties and len(digits) > _MIN_PHONE_DIGITS and not any(one.isalpha() for one in span.text):
        is_sum = bool(find_amounts(span.text.lower()))
        return None if is_sum else {"phone": span.text}
    if ask.words & words("tagging") and "tags" in properties:
        return {"tags": [span.text.lower()]}
    if all(lexicon.kind_of(one.stem) or one.word in words("no_names") for one in tokens):
        return {}  # The kind of the record itself: "as a customer".
    kinds = [key for table in ("jobs", "industries") for key, _, _ in lexicon.placed_in(tokens, table)]
    for name in [*kinds, *_MEASURES.intersection(lexicon.fields_in(span.text))]:
        if name in properties and (value := _converted(name, properties[name], span, ask)) is not None:
            return {name: value}
    near = {token.word for token in ask.tokens if token.end <= span.start <= token.end + _MAX_GAP} & words("places")
    is_city = bool(near) and (tokens[0].is_capital or "based" in near)
    if "address" in properties and (state_of(span.text) or is_city):
        return {"address": _address(span.text)}
    return None


def _converted(name: str, schema: Mapping[str, Any], span: Span, ask: Ask, said: str = "") -> Any:
    """Return the value of a slot as a parameter's schema wants it, or None when it is no such value."""
    text = span.text.strip("\"'“” ,;")
    types = {one.get("type") for one in (schema, *schema.get("anyOf", ()))}
    if "enum" in schema:
        return enumerated(text, schema["enum"])
    if schema.get("format") in ("date", "date-time"):
        return _day(text, ask, is_date=schema["format"] == "date")
    if types & {"integer", "number"}:
        return number_of(text, schema)
    if "boolean" in types:
        return None
    # The tagger confuses the tags of texts: only the form counts.
    is_form = {
        "email": "@" in text,
        "phone": sum(letter.isdigit() for letter in text) >= _MIN_PHONE_DIGITS,
        "website": "." in text and " " not in text,
        "owner": span.tag == "owner" or (text.replace(" ", "").isalpha() and not ask.texts("owner")),
    }
    if not is_form.get(name, span.tag not in ("email", "phone", "url", "when")):
        return None
    text = text.lower() if name == "owner" else text
    return _address(text, said) if name == "address" else [text.lower()] if "array" in types else text


def enumerated(text: str, options: Sequence[str]) -> str | None:
    """Return the option that a text says: "closed won", "lost", "at risk"."""
    said = [token.stem for token in tokenize(text)]
    plain = [one for one in options if [token.stem for token in tokenize(humanise(one))] == said]
    keys = [*plain, *lexicon.values_in(text)]
    return next((one for key in keys for one in (key, f"closed_{key}") if one in options), None)


def _day(text: str, ask: Ask, *, is_date: bool) -> str | None:
    span = next(iter(find_times(plain_text(tokenize(text))[0], ask.now)), None)
    if span is None or not is_date:
        return span.moment(ask.now).isoformat() if span else None
    is_long = span.first and span.last and (span.last - span.first).days > _LONG_RANGE_DAYS
    return (span.last if is_long and span.last else span.moment(ask.now).date()).isoformat()


def number_of(text: str, schema: Mapping[str, Any]) -> int | float | None:
    """Return the number that a text says in digits or words, if the schema allows it."""
    amount = next(iter(find_amounts(plain_text(tokenize(text))[0])), None)
    number = amount.value if amount else lexicon.number_in(text) if len(text.split()) == 1 else None
    if number is None or not schema.get("minimum", number) <= number <= schema.get("maximum", number):
        return None
    return int(number) if float(number).is_integer() else number


def _address(text: str, said: str = "") -> Values:
    """Return the parts of an address: "9 Causeway Lane, Austin, Texas". `said` are the words of its field."""
    address: Values = {}
    for part in (one.strip() for one in text.split(",")):
        is_state = "city" in address or said == "state" or (said != "city" and part.lower() != "new york")
        if any(letter.isdigit() for letter in part):
            address["postal_code" if part.isdigit() else "street"] = part
        elif is_state and (state := state_of(part)):
            address["state"] = state
        else:
            address.setdefault("country" if "city" in address else "city", capitalised(part))
    return address


def state_of(text: str) -> str | None:
    """Return the code of a state of the US by its name or code."""
    return US_STATES.get(text.lower(), text if text in US_STATES.values() else None)


def name_values(kind: str, name: str) -> Values:
    """Return the parameters of a record's name: a person's first and last name, or the one of the other kinds."""
    name = capitalised(name)
    if kind in ("account", "opportunity"):
        return {lexicon.field_name("name", kind): name}
    titles = [word for word in name.split() if word.lower().rstrip(".") in words("honorifics")]
    first, _, last = " ".join(word for word in name.split() if word not in titles).partition(" ")
    return {"first_name": first, "last_name": last} if last else {"last_name" if titles else "first_name": first}


def capitalised(name: str) -> str:
    """Return a name with capitals where it was typed without any, and without words of the sentence at its end."""
    said = name.strip("\"'“” ,;").split()
    if not name.islower():
        # The tagger takes a word too many: "Ridgeback worth" 40k.
        while (
            len(said) > 1 and said[-1].islower() and (said[-1] in words("from_company") or lexicon.fields_in(said[-1]))
        ):
            said.pop()
    parts = (word.split("-") for word in said)
    cased = ["-".join(one[:1].upper() + one[1:] for one in part) for part in parts] if name.islower() else said
    return " ".join(cased)


# The act.


@act("create_record")
def create_record(plan: Plan, ask: Ask) -> Answer:
    """Create the records that an ask names, with all that is said of them. A missing name or kind is asked for."""
    kind = _kind(plan, ask)
    said = ask
    ask = gleaned(_with_roles(ask, kind, plan.tools[f"create_{kind}"]), plan.tools[f"create_{kind}"])
    plan = replace(plan, doubt=policy.doubt_after(plan.doubt, said, ask))
    tool, label = f"create_{kind}", formats.LABELS[kind][0]
    values, left = fit(ask, plan.tools[tool], kind)
    deal, company, customer = _deal(plan, ask) if kind == "opportunity" else ({}, "", None)
    new = [deal] if deal else _people_or_companies(plan, ask, kind)
    if existing := [ref for one in new if (ref := _existing(plan, ask, kind, one)) is not None]:
        text = f"There is already a {label} called {formats.bold(existing)}. Shall I create another one?"
        return plan.offer(text, f"{ask.text.rstrip(' .!?')}, a second one", topic=plan.topic_of(*existing))
    # "His name is Ana Ruiz": the name was said.
    left = [(field, value) for field, value in left if value or "name" not in lexicon.fields_in(field)]
    if len(new) > 1:
        left += [("", _plain_value(value)) for name, value in values.items() if name not in _SHARED]
        values = {name: value for name, value in values.items() if name in _SHARED}
    plan = doubting(plan, left)
    written = write_all(plan, [plan.planned(tool, **{**values, **one}) for one in new], f"create the {label}")
    made = [one["record"] for one in written]
    refs = [ref_of(record) for record in made]
    head = f"the {label} {formats.bold(refs)}" + (f" for **{customer.name}**" if customer else "")
    text = changes.created(head, made, plan.now, plan.scene.principal.user) + changes.left_out(kind, left)
    topic = plan.topic_of(*refs, written=f"You just created {head}.")
    if customer is not None or not company:
        return Answer(text, topic=topic)
    return plan.offer(text + changes.not_linked(company), f"add {company} as an account", topic=topic)


def _plain_value(value: Any) -> str:
    """Return a value as the user may have said it: an address as its parts."""
    if isinstance(value, dict):
        return ", ".join(map(str, value.values()))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _with_roles(ask: Ask, kind: str, spec: ToolSpec) -> Ask:
    """Return the ask with names that are something else marked as such: a value of a field, a job, or the company.

    "lead Ana Ruiz, Zenith Labs" is a person and her company: one record is ordered, and nothing joins the names.
    """
    spans: list[Span] = []
    for span in ask.segment.spans:
        before = next((one for one in reversed(spans) if one.tag in ("new", "name")), None)
        first, _, rest = span.text.partition(" ")
        is_second = before is not None and span.tag in ("new", "name")
        if is_second and rest and lexicon.fields_in(first.lower()) and not _is_of_field(ask, span, kind, spec):
            # The tagger ends a name at a dot: "website zenith.example".
            rest = rest.strip() + ask.text[span.end :].partition(" ")[0].rstrip(".,;!?")
            spans += [Span("field", first, span.start), Span("value", rest, ask.text.index(rest, span.start))]
        else:
            spans.append(replace(span, tag=_role(ask, span, before, kind, spec)))
    return ask.with_spans(spans)


def _role(ask: Ask, span: Span, before: Span | None, kind: str, spec: ToolSpec) -> str:
    """Return the tag that a slot must have, given the name before it: "value", "org" or its own."""
    options = sorted({option for schema in spec.properties.values() for option in schema.get("enum", ())})
    if span.tag in ("new", "name") and enumerated(span.text, options):
        return "value"
    if before and span.tag in ("new", "name", "org") and _is_of_field(ask, span, kind, spec):
        return "value"
    if before and span.tag in ("new", "name") and _is_attribute(spec, span.text) and not _is_company(span.text):
        return "value"
    is_persons = kind in ("lead", "contact") and not ask.texts("org") and before is not None
    if is_persons and before and (_is_company_of(ask, span, before) or _is_said_company(ask, span)):
        return "org"
    return "org" if kind == "opportunity" and _is_customer(ask, span) else span.tag


def _is_said_company(ask: Ask, span: Span) -> bool:
    """Return whether the words before a name say that it is a company: "her company is Brandt Bikes"."""
    before = [token.word for token in tokenize(ask.text[: span.start]) if token.kind != "mark"][-2:]
    return span.tag in ("new", "name") and any("company" in lexicon.fields_in(word) for word in before)


def _is_customer(ask: Ask, span: Span) -> bool:
    """Return whether a slot that was not tagged as a name is the customer of a new deal: "for quantum leap labs"."""
    is_free = span.tag in ("text", "topic", "value") and not (ask.texts("org") or ask.texts("name"))
    return is_free and word_before(ask, span) in ("for", "with") and not _PARTS.search(span.text)


def _is_of_field(ask: Ask, span: Span, kind: str, spec: ToolSpec) -> bool:
    """Return whether the word before a slot is the field of a text that it is the value of: "industry Aerospace"."""
    name = lexicon.field_name(next(iter(lexicon.fields_in(word_before(ask, span))), ""), kind)
    is_named = name in ("company", "owner") or "name" in name
    return name in spec.properties and not is_named


def _is_company_of(ask: Ask, span: Span, before: Span) -> bool:
    """Return whether a slot after the name of the one person ordered is the person's company."""
    if span.tag not in ("new", "name", "topic", "text", "value"):
        return False
    between = ask.text[before.end : span.start].strip()
    is_one = not any(token.word.endswith("s") and lexicon.kind_of(token.word[:-1]) for token in ask.loose)
    is_at = word_before(ask, span) in ("from", "at", "company", "of")
    is_joined = span.tag in ("new", "name") and (is_at or between in (",", "-", "–", "/", "("))
    return is_one and (is_joined or (_is_company(span.text) and not _PARTS.search(span.text)))


def write_all(plan: Plan, calls: Sequence[PlannedCall], what: str) -> list[Any]:
    """Return the values of writes made in one round. Raises `EarlyAnswer` when one failed."""
    outcomes = plan.need_all(calls)
    if failed := [outcome for outcome in outcomes if outcome.error]:
        done = f" {len(outcomes) - len(failed)} of {len(outcomes)} are done." if len(outcomes) > 1 else ""
        raise plan.refuse(plan.failure(failed[0], what).text + done)
    return [outcome.value for outcome in outcomes]


def doubting(plan: Plan, left: Left) -> Plan:
    """Return the plan whose question before a write, if it has one, also names what was said and has no place."""
    texts = [" ".join(one for one in pair if one) for pair in left]
    if not (plan.doubt and texts):
        return plan
    return replace(plan, doubt=f"{plan.doubt}, and I don't know where to put {formats.quote_all(texts)}")


def _kind(plan: Plan, ask: Ask) -> str:
    """Return the kind of record to create: the one named, else a lead for a person. Raises `EarlyAnswer` to ask."""
    said: list[str] = []
    for tokens in (ask.loose, ask.outside):
        # In "the woman I deal with" the word is a verb, in "300 people" it counts employees.
        others = {two.start for two in tokens if lexicon.kind_of(two.word) == "account" and _is_of_person(ask, two)}
        pairs = pairwise(tokens)
        verbs = others | {two.start for one, two in pairs if one.word in words("subjects") or one.kind == "number"}
        kinds = [
            (one, lexicon.kind_of(one.word) or lexicon.kind_of(one.stem)) for one in tokens if one.start not in verbs
        ]
        # "An account as a prospect": its type.
        types = plan.tools["create_account"].properties["type"]["enum"] if plan.has("create_account") else ()
        is_account = any(kind == "account" for _, kind in kinds)
        said = said or [kind for one, kind in kinds if kind and not (is_account and one.stem in types)]
    # "Add this person as a lead": the word of the kind itself says more.
    literal = [kind for kind in ("lead", "contact") if kind in ask.stems]
    people = [*literal, *(kind for kind in said if kind in ("lead", "contact"))]
    names = _names(plan, ask)
    named = [kind for kind in ("opportunity", *people, "account") if kind in said]
    is_odd = bool(names) and {"account": _is_person, "contact": _is_company}.get((*named, "")[0], _never)(names[0])
    is_answered = any({one.word for one in tokenize(text)} & {*KINDS, "deal"} for text in ask.texts("value"))
    if named and (not is_odd or is_answered):
        return named[0]
    if names and not (ask.texts("amount") or is_odd):
        if _is_company(names[0]):
            return "account"
        if " " in names[0] or ask.words & lexicon.PERSON or ask.texts("email"):
            return "lead"
    what = f"**{names[0]}**" if names else "it"
    raise plan.ask_slot(ask, "kind", f"Is {what} a lead, a contact, an account or a deal?")


def _is_of_person(ask: Ask, token: Token) -> bool:
    """Return whether a word for a company tells where a person works: "Ana Ruiz from the company Zenith"."""
    before = [one.word for one in ask.tokens if one.end <= token.start and one.word not in words("no_names")]
    named = any(span.tag in ("new", "name") and span.end <= token.start for span in ask.segment.spans)
    return named and before[-1:] in (["from"], ["of"], ["at"])


def _names(plan: Plan, ask: Ask) -> list[str]:
    """Return the names of new records: no pronouns, fields and other words that are no names."""
    given = [[name for name in ask.texts(tag) if not is_no_name(name)] for tag in ("new", "name")]
    people = [name for name in plan.spoken if _is_name(name)] if ask.words & lexicon.PERSON else []
    said = given[0] or given[1] or people[-1:]
    names = [capitalised(name) for name in said]
    if len(names) > 1 and not any(" " in name for name in names):
        # "Kwabena, last name Asante" is one person.
        return [" ".join(names)]
    return [one for one in names if not any(one in other for other in names if other != one)]


def is_no_name(text: str) -> bool:
    """Return whether all words are pronouns, fields and other words that name nothing."""
    return all(
        word in words("no_names") or lexicon.fields_in(word) or lexicon.kind_of(word) or lexicon.activity_type_of(word)
        for word in text.lower().split()
    )


def _is_person(name: str) -> bool:
    """Return whether a name is surely a person's: a first name and a word that is none of companies."""
    said = [token.word for token in tokenize(name)]
    return len(said) == 2 and said[0] in first_names() and not _is_company(name)


def _is_name(name: str) -> bool:
    """Return whether a name said before can be a person's: neither a company's nor a job."""
    return not _is_company(name) and not any(lexicon.placed_in(tokenize(name), "jobs"))


def _never(_: str) -> bool:
    return False


def _is_company(name: str) -> bool:
    return any(token.word in words("company_forms") for token in tokenize(name))


def _people_or_companies(plan: Plan, ask: Ask, kind: str) -> list[Values]:
    """Return the names of new leads, contacts or accounts, and their company. Raises `EarlyAnswer` to ask for one."""
    names = _names(plan, ask)
    span = next((one for one in ask.segment.spans if one.tag == "org" and capitalised(one.text) not in names), None)
    company = capitalised(span.text) if span is not None else ""
    is_at = span is not None and word_before(ask, span) in words("from_company")
    if not names and company and (kind == "account" or (kind == "lead" and not is_at)):
        return [{"company" if kind == "lead" else "company_name": company}]
    if not names:
        at = f" at {company}" if company else ""
        raise plan.ask_slot(ask, "new", f"What is the name of the new {formats.LABELS[kind][0]}{at}?")
    if kind == "lead" and not company and _is_company(names[0]):
        return [{"company": name} for name in names]
    of: Values = {"company": company} if company and kind != "account" else {}
    if kind != "account" and names[0] in plan.spoken and not of:
        # "I met Ana Ruiz of Zenith Labs ... add her".
        said = [name for name in plan.spoken[plan.spoken.index(names[0]) + 1 :] if _is_company(name)]
        of = {"company": said[0]} if said else {}
    if kind == "contact" and "there" in ask.words and (account := pointed_at(plan, ask, ("account",))):
        of = {"account_id": account.id}
    orgs = [one for one in ask.segment.spans if one.tag == "org"]
    if kind != "account" and len(names) > 1 and len(orgs) > 1:
        # "Ana from Porto Foods, Ben from Cole & Sons": each has the company after the name.
        places = [ask.text.lower().find(name.lower()) for name in names]
        ends = [*places[1:], len(ask.text)]
        own = [[one for one in orgs if at < one.start < end] for at, end in zip(places, ends, strict=True)]
        companies: list[Values] = [{"company": capitalised(one[0].text)} if one else {} for one in own]
        return [name_values(kind, name) | company for name, company in zip(names, companies, strict=True)]
    return [name_values(kind, name) | of for name in names]


def _existing(plan: Plan, ask: Ask, kind: str, values: Values) -> Ref | None:
    """Return the record with the name of a new one, unless another one is wanted or it is at another company."""
    tool, company = f"search_{PLURALS[kind]}", values.get("company", "")
    name = " ".join(values[key] for key in ("first_name", "last_name", "company_name") if key in values) or company
    if not name or ask.words & words("another") or not plan.has(tool):
        return None
    refs = [ref_of(item) for item in items_of(plan.need(tool, name_contains=name))]
    same = [ref for ref in refs if ref.name.lower() == name.lower()]
    return next((ref for ref in same if not (company and ref.about) or all_near(company, ref.about)), None)


def _deal(plan: Plan, ask: Ask) -> tuple[Values, str, Ref | None]:
    """Return the name and the link of a new deal, and its customer: as it was said, and the record if there is one."""
    spans = [span for span in ask.segment.spans if span.tag in ("new", "name", "org") and not is_no_name(span.text)]
    customers = [span for span in spans if word_before(ask, span) in words("from_company")]
    is_for = bool(customers)
    is_titled = {span.start for span in spans if word_before(ask, span) in words("called")}
    customers = customers or [span for span in spans if span.tag != "new" and span.start not in is_titled][:1]
    said, ref = capitalised(customers[0].text) if customers else "", None
    if said:
        found = by_name(plan, said, ("account", "lead", "contact"))
        ref = found if isinstance(found, Ref) else None if isinstance(found, Unknown) else settled(plan, ask, found)
        if ref is None and not is_for:
            said, customers = "", []  # No customer that anyone knows: the name of the deal itself.
    titles = sorted((span for span in spans if span not in customers), key=lambda span: span.tag != "new")
    if said:
        # A deal isn't linked by a likeness: "Arbour" is not "Harbour Brewery".
        is_said = ref is not None and set(said.lower().split()) <= set(f"{ref.name} {ref.about}".lower().split())
        ref = ref if is_said and ref is not None and ref.type != "opportunity" else None
    elif ask.texts("ref") or ask.words & lexicon.PERSON:
        ref = pointed_at(plan, ask, ("account", "contact", "lead"))
    if not (titles or said or ref):
        raise plan.ask_slot(ask, "org", "Whom is the deal with?")
    company = said if ref is None else ref.name if ref.type == "account" else ref.about or ref.name
    name = capitalised(titles[0].text) if titles else f"{company} deal"
    return {"name": name, **({f"{ref.type}_id": ref.id} if ref else {})}, said, ref
