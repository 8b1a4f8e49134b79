"""Convert what was said to the values that a tool's parameters take."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.adapters.llm.planner.acts.asks import writing_words
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import US_STATES
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import humanise

Values = dict[str, Any]
MIN_PHONE_DIGITS = 5
_LONG_RANGE_DAYS = 7
"""A deal that closes in a longer range closes at its end: "in November"."""


def converted(name: str, schema: Mapping[str, Any], span: Span, ask: Ask, field_text: str = "") -> Any:
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
        "phone": sum(letter.isdecimal() for letter in text) >= MIN_PHONE_DIGITS,
        "website": "." in text and " " not in text,
        "owner": span.tag == "owner" or (text.replace(" ", "").isalpha() and not ask.texts("owner")),
    }
    if not is_form.get(name, span.tag not in ("email", "phone", "url", "when")):
        return None
    if name == "address":
        return address_of(text, field_text)
    if "array" in types:
        return [text.lower()]
    return text.lower() if name == "owner" else text


def enumerated(text: str, options: Sequence[str]) -> str | None:
    """Return the option that a text says: "closed won", "lost", "at risk"."""
    stems = [token.stem for token in tokenize(text)]
    plain = [one for one in options if [token.stem for token in tokenize(humanise(one))] == stems]
    keys = [*plain, *lexicon.values_in(text)]
    return next((one for key in keys for one in (key, f"closed_{key}") if one in options), None)


def _day(text: str, ask: Ask, *, is_date: bool) -> str | None:
    if text.lower().split()[-1:] in (["before"], ["earlier"], ["later"], ["sooner"]):
        return None  # "One month before" moves the date that the record has.
    span = next(iter(find_times(plain_text(tokenize(text))[0], ask.now)), None)
    if span is None or not is_date:
        return span.moment(ask.now).isoformat() if span else None
    is_long = span.first and span.last and (span.last - span.first).days > _LONG_RANGE_DAYS
    return (span.last if is_long and span.last else span.moment(ask.now).date()).isoformat()


def number_of(text: str, schema: Mapping[str, Any]) -> int | float | None:
    """Return the number that a text says in digits or words, if the schema allows it."""
    amount = next(iter(find_amounts(plain_text(tokenize(text))[0])), None)
    number: float | None = amount.value if amount else None
    if amount is None and len(text.split()) == 1:
        number = lexicon.number_in(text)
    if number is None or not schema.get("minimum", number) <= number <= schema.get("maximum", number):
        return None
    return int(number) if float(number).is_integer() else number


def address_of(text: str, field_text: str = "") -> Values:
    """Return the parts of an address: "9 Causeway Lane, Austin, Texas". `said` are the words of its field."""
    address: Values = {}
    for part in (one.strip() for one in text.split(",")):
        is_state = "city" in address or field_text == "state" or (field_text != "city" and part.lower() != "new york")
        place, _, code = part.rpartition(" ")
        if code.isdecimal() and (state := state_of(place)):
            address |= {"state": state, "postal_code": code}  # "MD 21201"
        elif any(letter.isdecimal() for letter in part):
            address["postal_code" if part.isdecimal() else "street"] = part
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
    titles = [word for word in name.split() if word.lower().rstrip(".") in writing_words("honorifics")]
    first, _, last = " ".join(word for word in name.split() if word not in titles).partition(" ")
    return {"first_name": first, "last_name": last} if last else {"last_name" if titles else "first_name": first}


def capitalised(name: str) -> str:
    """Return a name with capitals where it was typed without any."""
    words = name.strip("\"'“” ,;").split()
    parts = (word.split("-") for word in words)
    cased = ["-".join(one[:1].upper() + one[1:] for one in part) for part in parts] if name.islower() else words
    return " ".join(cased)
