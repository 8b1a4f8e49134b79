"""Masking of payment cards and social security numbers in any text, and of contact data for tenants that want it."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import chain, count
from typing import Any

from aisha.domain.external.mail import MAIL_DOMAIN
from aisha.domain.json_values import texts_in

# Four groups of four, American Express's 4-6-5, or 13 to 19 digits; no part of a longer word or a decimal.
_CARD = re.compile(
    r"(?<![\w+])(?<!\d\.)"
    r"(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5}|\d{13,19})"
    r"(?!\w)",
    re.ASCII,
)
_NETWORKS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}",
    re.ASCII,
)
"""Prefixes of Visa, Mastercard, American Express, Discover, Diners, JCB and UnionPay (ISO/IEC 7812)."""
_DIGITS = re.compile(r"\d(?:\d{12}|\d\d[- ]\d\d[- ]\d{4}|\d{3}[- ](?:\d{4}[- ]\d{4}|\d{6}[- ]\d{5}))", re.ASCII)
"""A part of every number of a card or of social security, and of no date or id; it is found faster than they are."""
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}(?![\w-])", re.ASCII)
"""Numbers that the Social Security Administration assigns."""
# "john.doe@abc.example" becomes "j***@abc.example".
_EMAIL = re.compile(rf"(?<![\w.+'-])([\w+])[\w.+'-]*@({MAIL_DOMAIN})")
# "+49 (30) 1234567" with a country's code, "(555) 123-4567", or "555-123-4567" with the same separator twice. Bare
# digits may be any number and are left.
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+\d(?:[ ().-]{0,2}\d){6,14}|\(\d{3}\) ?\d{3}[-. ]\d{4}|\d{3}([-. ])\d{3}\1\d{4})(?![\w-])",
    re.ASCII,
)
_PHONE_FIELD = re.compile(r"phone|mobile|whatsapp|fax|(?:^|_)tel$", re.IGNORECASE)
_MIN_PHONE_DIGITS = 7
"""Digits of a phone number that is a JSON number."""
_MIN_BITS, _MAX_BITS = 20, 64
"""Bits of a number that may be a phone's, which has 7 digits at least, or a card's, which has 19 at most."""
# What this module puts in place of contact data: "j***@abc.example", "***-1234" or "***".
_MASKED = re.compile(r"\s{0,8}(?:[\w+]?\*{1,20}@[\w.-]{1,255}|\*{3}(?:-\d{4})?)\s{0,8}")


def without_numbers(text: str) -> str:
    """Return the text with social security numbers and card numbers that pass Luhn's check replaced."""
    if not _DIGITS.search(text):
        return text
    return _SSN.sub("[SSN removed]", _CARD.sub(_card, text))


def without_contacts(text: str) -> str:
    """Return the text with `j***@abc.example` and `***-1234` in place of addresses and phone numbers."""
    return _PHONE.sub(lambda match: _phone(match[0]), _EMAIL.sub(r"\1***@\2", text))


def masked_contacts(value: Any) -> Any:
    """Mask contact data in a JSON value at any depth; any text of a phone's field is a phone number."""
    return _each_text(value, without_contacts, _phone)


def masked_message(text: str, *, contacts: bool) -> str:
    """Return a message to a model, JSON or text, without card numbers, and without contact data if `contacts`."""
    mask = _all if contacts else without_numbers
    if mask(text) == text and not (contacts and _PHONE_FIELD.search(text)):
        return text
    # JSON is masked value by value, so that it stays valid and the fields of phone numbers are recognised by name.
    if (parsed := parsed_json(text)) is None:
        return mask(text)
    masked = _each_text(parsed, mask, _phone if contacts else None)
    return json.dumps(masked, ensure_ascii=False, separators=(",", ":"))


def parsed_json(text: str) -> Any:
    """Return the object or list if the text is the JSON of one, else None."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def masked_in(value: Any) -> str | None:
    """Return an address or number in the value that is masked, or None: a model can't write what it never got."""
    return next((text for text in texts_in(value) if _MASKED.fullmatch(text)), None)


def _all(text: str) -> str:
    return without_contacts(without_numbers(text))


def _card(match: re.Match[str]) -> str:
    digits = re.sub(r"[ -]", "", match[0])
    return f"[card ending {digits[-4:]}]" if _NETWORKS.fullmatch(digits) and _passes_luhn(digits) else match[0]


def _passes_luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(int(digit) for digit in digits[-1::-2])) % 10 == 0


def _phone(text: str) -> str:
    digits = re.sub(r"\D", "", text)
    return f"***-{digits[-4:]}" if len(digits) >= 4 else "***" if digits else text


def _each_text(
    value: Any, mask: Callable[[str], str], phone: Callable[[str], str] | None, *, is_phone: bool = False
) -> Any:
    if isinstance(value, Mapping):
        items = {
            name: _each_text(item, mask, phone, is_phone=phone is not None and bool(_PHONE_FIELD.search(str(name))))
            for name, item in value.items()
        }
        return with_masked_names(items, mask)
    if isinstance(value, list | tuple):
        return [_each_text(item, mask, phone, is_phone=is_phone) for item in value]
    if isinstance(value, str):
        return phone(value) if is_phone and phone is not None else mask(value)
    # A short number in a field such as `phone_calls` is a count.
    is_phone = is_phone and len(str(value)) >= _MIN_PHONE_DIGITS
    return masked_number(value, phone if is_phone and phone is not None else mask)


def with_masked_names(value: Mapping[Any, Any], mask: Callable[[str], str]) -> dict[Any, Any]:
    """Return the object with its fields' names masked; names that become the same are numbered."""
    if all(map(_is_plain, value)):
        return dict(value)
    masked: dict[Any, Any] = {}
    for name, item in value.items():
        masked[_unused_name(name if _is_plain(name) else _masked_name(name, mask), masked)] = item
    return masked


def _is_plain(name: Any) -> bool:
    """Return whether a name is an identifier, which cannot contain anything to mask. Nearly all names are."""
    return isinstance(name, str) and name.isascii() and name.isidentifier()


def masked_number(value: Any, mask: Callable[[str], str]) -> Any:
    """Return a whole number's masked text; any other value, and a number with nothing to mask, unchanged."""
    if not isinstance(value, int) or isinstance(value, bool) or not _MIN_BITS <= value.bit_length() <= _MAX_BITS:
        return value
    return text if (text := mask(str(value))) != str(value) else value


def _masked_name(name: Any, mask: Callable[[str], str]) -> Any:
    return mask(name) if isinstance(name, str) else masked_number(name, mask)


def _unused_name(name: Any, names: Mapping[Any, Any]) -> Any:
    numbered = (f"{name} ({n})" for n in count(2))
    return next(candidate for candidate in chain((name,), numbered) if candidate not in names)
