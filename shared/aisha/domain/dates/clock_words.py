"""Resolve the time of day in words: "at 3pm", "half past two", "noon", "in the evening", "end of business"."""

from collections.abc import Mapping, Sequence
from datetime import time

from aisha.domain.dates.clock_kinds import Hour
from aisha.domain.dates.meanings import Clock, Context, Meaning, Resolver
from aisha.domain.dates.phrases import Values, load

WORKDAY_START = time(9)
WORKDAY_END = time(17)
_MIDNIGHT = 24
_AFTER_LUNCH = 13


def clock_of(hour: Hour, half: str | None = None, minute: int = 0) -> Clock:
    return Clock(hour.hour, hour.minute or minute, half or ("exact" if hour.is_exact else None))


def _at(clock: Clock) -> Meaning:
    return Meaning(clock=clock)


def digital(values: Values, _: Context) -> Meaning:
    hour, half = values["digital"]
    return _at(clock_of(hour, half))


def hour(values: Values, _: Context) -> Meaning:
    """Resolve an hour with or without minutes, am or pm: "at 3", "three thirty pm", "3 o'clock", "9ish"."""
    if "digital" in values:
        return digital(values, _)
    return _at(clock_of(values["h"], values.get("half_of_day"), values.get("m", 0)))


def weak_hour(values: Values, context: Context) -> Meaning:
    return Meaning(clock=hour(values, context).clock, is_weak=True)


def past(values: Values, _: Context) -> Meaning:
    """Resolve "half past two", "quarter to nine", "ten past four"."""
    minute: int = {"half": 30, "quarter": 15}.get(values["m"]) or values["m"]
    clock = clock_of(values["h"], values.get("half_of_day"))
    if values["side"] in ("past", "after"):
        return _at(Clock(clock.hour, minute, clock.half))
    # A quarter to one is 12:45, and a quarter to 12 am or pm is in the other half of the day.
    half = {"am": "pm", "pm": "am"}.get(clock.half or "", clock.half) if clock.hour == 12 else clock.half
    return _at(Clock(clock.hour - 1 or 12, 60 - minute, half))


def british_half(values: Values, _: Context) -> Meaning:
    """Resolve the British "half two", which is 2:30."""
    return _at(clock_of(values["h"], minute=30))


def noon(_: Values, __: Context) -> Meaning:
    return _at(Clock(12, half="exact"))


def midnight(_: Values, __: Context) -> Meaning:
    return _at(Clock(_MIDNIGHT, half="exact"))


def end_of_day(_: Values, __: Context) -> Meaning:
    return _at(Clock(WORKDAY_END.hour, half="exact"))


def first_thing(_: Values, __: Context) -> Meaning:
    return _at(Clock(WORKDAY_START.hour, half="exact"))


def after_lunch(_: Values, __: Context) -> Meaning:
    return Meaning(clock=Clock(_AFTER_LUNCH, half="exact"), part="afternoon")


def part(values: Values, _: Context) -> Meaning:
    """Resolve "in the evening", "late morning"."""
    name = values["part"] if "part" in values else values["lone_part"]
    hours: Mapping[str, Sequence[int]] = load("time_words.toml")["hours"]
    which = {"early": 0, "late": 2}.get(values.get("mod", ""), 1)
    return Meaning(clock=Clock(hours[name][which], half="exact"), part="afternoon" if name == "lunch" else name)


def weak_part(values: Values, context: Context) -> Meaning:
    meaning = part(values, context)
    return Meaning(clock=meaning.clock, part=meaning.part, is_weak=True)


def weak_half(values: Values, _: Context) -> Meaning:
    """Resolve "Monday am"."""
    is_morning = values["half"] == "am"
    hour_of = WORKDAY_START.hour if is_morning else 15
    return Meaning(clock=Clock(hour_of, half="exact"), part="morning" if is_morning else "afternoon", is_weak=True)


def hour_in_part(values: Values, _: Context) -> Meaning:
    """Resolve "2 in the afternoon"; a part of the day joins the hour later as well: "at 2 tomorrow afternoon"."""
    return _at(clock_of(values["h"]).fixed(values["part"]))


TIMES_OF_DAY: Mapping[str, Resolver] = {
    "digital": digital,
    "past": past,
    "british_half": british_half,
    "noon": noon,
    "midnight": midnight,
    "end_of_day": end_of_day,
    "first_thing": first_thing,
    "after_lunch": after_lunch,
    "hour": hour,
    "part": part,
    "hour_in_part": hour_in_part,
    "weak_hour": weak_hour,
    "weak_part": weak_part,
    "weak_half": weak_half,
    "bare_hour": hour,
    "worded": hour,
    "oclock": hour,
    "ish": hour,
}
"""Resolvers of phrases, by their meaning in `time_words.toml`."""
