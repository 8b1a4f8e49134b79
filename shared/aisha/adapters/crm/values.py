"""Conversion of single values between a CRM's JSON and AiSHA's, by the fields of a mapping file."""

import html
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from aisha.adapters.crm.mapping_file.fields import FieldMap, zone_of
from aisha.adapters.crm.mapping_file.paths import compiled
from aisha.adapters.crm.reading.choices import CUSTOM, Choices, ids_by_value
from aisha.adapters.http_tools.templates import leads_elsewhere
from aisha.domain.errors import InvalidInputError

_ODOO_TIME = "%Y-%m-%d %H:%M:%S"
_DOTNET_TIME = re.compile(r"/Date\((-?\d+)(?:[+-]\d{4})?\)/")
_ID, _QUERIED_ID = re.compile(r"[^\x00-\x1f\x7f]{1,200}"), re.compile(r"[^\s'\"`\\<>(){}|;\x00-\x1f]{1,120}")
"""Ids of records, which may be their names, and those that may stand in a query's text."""
_PARTS = {"cents": 100, "micros": 1_000_000}
"""The units of an amount that some CRMs send as a whole number."""
_MAX_TEXT_LENGTH = 8000
_TAGS, _BREAKS = re.compile(r"<[^>]+>"), re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
_TRUE, _FALSE = ("true", "1", "yes", "y", "on"), ("false", "0", "no", "n", "off", "")
_MAX_EXPONENT = 30
"""The power of ten of the largest number that is read."""
_TRUTH = dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False)


def picked(expression: str | None, row: Any) -> Any:
    """Return what the JMESPath picks; the row itself without one. Raises ValueError where it can't work on the row."""
    return row if expression is None else compiled(expression).search(row)


def is_id(text: str, *, is_queried: bool) -> bool:
    """Return whether a text can be a record's id in requests, of which some may have it within a query's text."""
    return (_QUERIED_ID if is_queried else _ID).fullmatch(text) is not None and not leads_elsewhere(text)


def read_value(mapping: FieldMap, raw: Any) -> Any:
    """Return a CRM's value as JSON of AiSHA's type. Raises ValueError for one that isn't of the mapping's type."""
    match mapping.type:
        case "integer":
            return int(_finite(raw))
        case "number":
            return float(_finite(raw))
        case "decimal":
            return str(_finite(raw).quantize(Decimal("0.01")))
        case "cents" | "micros":
            return str((_finite(raw) / _PARTS[mapping.type]).quantize(Decimal("0.01")))
        case "boolean":
            truth = raw if isinstance(raw, bool) else _TRUTH.get(str(raw).strip().lower())
            if truth is None:
                raise ValueError("it is neither true nor false")
            return truth
        case "date" | "day":
            day = _day(raw, mapping.datetime_format)
            # A day without a time is due in the morning.
            return day if mapping.type == "date" else f"{day}T09:00:00+00:00"
        case "datetime" | "epoch_ms":
            instant = instant_of(raw, "iso" if mapping.type == "epoch_ms" else mapping.datetime_format)
            return instant.isoformat() if instant else None
    text = str(raw)
    if mapping.type == "html":
        text = html.unescape(_TAGS.sub("", _BREAKS.sub("\n", text))).strip()
    if mapping.part:
        first, _, rest = text.strip().partition(" ")
        text = (first if rest else "") if mapping.part == "first" else rest or first
    return text[:_MAX_TEXT_LENGTH].strip() or None


def _finite(raw: Any) -> Decimal:
    number = Decimal(str(raw))
    # "1e9999999" is a finite number, and to write it as an integer takes minutes.
    if not number.is_finite() or number.adjusted() > _MAX_EXPONENT:
        raise ValueError("it is no number")
    return number


def _day(raw: Any, form: str) -> str:
    """Return the date in a CRM's text or number, in ISO's form."""
    text = str(raw)
    is_time = form != "iso" or "T" in text or ((isinstance(raw, int | float) or text.isdecimal()) and len(text) > 8)
    if not is_time:
        return date.fromisoformat(text[:10] if "-" in text[:10] else text).isoformat()
    instant = instant_of(raw, form)
    return instant.date().isoformat() if instant else ""


def instant_of(raw: Any, form: str = "iso") -> datetime | None:
    """Return the time in a form of the mapping file, which says the zone of times that name none.

    `iso` reads numbers since 1970 too.
    """
    if raw in (None, "", False):
        return None
    # /Date(1767225600000)/, as older services of Microsoft write times.
    if match := _DOTNET_TIME.fullmatch(str(raw)):
        raw, form = match[1], "epoch_ms"
    if "%" in form:
        instant = _patterned(str(raw), form.partition("[")[0])
    elif form == "epoch":
        return datetime.fromtimestamp(float(raw), UTC)
    elif form == "epoch_ms":
        return datetime.fromtimestamp(float(raw) / 1000, UTC)
    elif isinstance(raw, int | float) or str(raw).isdecimal():
        seconds = int(raw)
        return datetime.fromtimestamp(seconds / 1000 if seconds > 10**11 else seconds, UTC)
    else:
        instant = datetime.fromisoformat(str(raw))
    return instant if instant.tzinfo else instant.replace(tzinfo=zone_of(form)).astimezone(UTC)


def at_clock(mapping: FieldMap, day: Any, clock: str) -> str:
    """Return the time of a date and a time of day that a CRM keeps apart, such as 9:30. Raises ValueError."""
    hour, _, rest = clock.strip().partition(":")
    instant = datetime.fromisoformat(f"{_day(day, mapping.datetime_format)}T{hour:0>2}:{rest or '00'}")
    return (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).isoformat()


def time_of_day(mapping: FieldMap, value: Any) -> str | None:
    """Return the time of day of AiSHA's time, in UTC, in the field's form."""
    if value is None:
        return None
    instant = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return instant.astimezone(UTC).strftime(mapping.time_format)


def _patterned(text: str, form: str) -> datetime:
    """Return the time in a pattern, or a whole one in ISO's form: some CRMs show times so, and take another form."""
    try:
        return datetime.strptime(text, form)  # noqa: DTZ007 - the caller adds the zone
    except ValueError:
        if ":" not in text:
            raise
        return datetime.fromisoformat(text)


def without_template(mapping: FieldMap, raw: Any) -> Any:
    """Return what stands at `{value}` of the field's text template, such as the 7 of "/users/7"; else the value."""
    if not isinstance(raw, str) or not isinstance(mapping.around, str) or mapping.around == "{value}":
        return raw
    before, _, after = mapping.around.partition("{value}")
    match = re.search(rf"{re.escape(before)}([^/?#]+){re.escape(after)}/?$", raw)
    return match[1] if match else raw


def has_false(mapping: FieldMap) -> bool:
    """Return whether `false` is one of the CRM's values of a field, and no empty value."""
    return isinstance(mapping.values, Mapping) and any(value is False for value in mapping.values.values())


def remote_value(name: str, mapping: FieldMap, value: Any, choices: Choices | None = None) -> Any:
    """Return AiSHA's value as the CRM takes it. Raises `InvalidInputError` for a value without a mapping."""
    if value is None:
        return None
    noun = name.removeprefix(CUSTOM).replace("_", " ")
    if mapping.values is not None:
        by_value = ids_by_value(name, mapping, choices)
        if str(value) not in by_value:
            allowed = ", ".join(sorted(by_value)) or "none"
            raise InvalidInputError(
                f"{noun} can't be {str(value).replace('_', ' ')!r} in the connected CRM.",
                pointer=f"/{name}",
                suggestion=f"Use one of: {allowed}.",
            )
        return by_value[str(value)]
    match mapping.type:
        case "integer":
            number = Decimal(str(value))
            if number != int(number):
                raise InvalidInputError(f"{noun} is a whole number in the connected CRM.", pointer=f"/{name}")
            return int(number)
        case "number" | "decimal":
            return float(value)
        case "cents" | "micros":
            return int(Decimal(str(value)) * _PARTS[mapping.type])
        case "boolean":
            return bool(value)
        case "date" | "day":
            day = value.isoformat()[:10] if isinstance(value, date) else str(value)[:10]
            if mapping.datetime_format == "iso":
                return day
            return moment(datetime.fromisoformat(day).replace(tzinfo=UTC), mapping.datetime_format)
        case "datetime" | "epoch_ms":
            instant = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
            form = "epoch_ms" if mapping.type == "epoch_ms" else mapping.datetime_format
            return (
                instant.astimezone(UTC).isoformat(timespec="milliseconds") if form == "iso" else moment(instant, form)
            )
        case "html":
            return "<p>" + html.escape(str(value), quote=False).replace("\n", "<br>") + "</p>"
    return str(value)


def moment(instant: datetime, form: str) -> Any:
    """Return a time in a form of the mapping file, see `TimeFormat`."""
    if form in ("epoch", "epoch_ms"):
        return int(instant.timestamp() * (1000 if form == "epoch_ms" else 1))
    pattern = {"iso": "%Y-%m-%dT%H:%M:%SZ", "odoo": _ODOO_TIME}.get(form, form.partition("[")[0])
    return instant.astimezone(zone_of(form)).strftime(pattern)
