"""Known ids are found however a model writes them, in a whole text and in a stream."""

import base64
import time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.application.redaction.id_filter import IdFilter
from aisha.application.redaction.output import OutputFilter, clean

ULID = "01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
JACK = f"lead_{ULID}"
GHOST = "audit_01JD3Q8S5V0W8Y2Z6T4R9K7M1P"
NAMES = {JACK.lower(): "Jack Russel", GHOST.lower(): ""}
FULL_WIDTH = "".join(chr(ord(letter) + 0xFEE0) for letter in JACK)
ZERO_WIDTH = "\u200b".join(JACK)
SPELLINGS: dict[str, str] = {
    "as it is": JACK,
    "without its prefix": ULID,
    "lower case": JACK.lower(),
    "lower case without its prefix": ULID.lower(),
    "a hyphen": f"lead-{ULID}",
    "a colon": f"lead:{ULID}",
    "a space": f"lead {ULID}",
    "an address": f"https://crm.example/leads/{ULID}",
    "an address with its prefix": f"https://crm.example/leads/{JACK}?tab=1",
    "emphasis inside": f"lead_**{ULID}**",
    "a backslash": f"lead\\_{ULID}",
    "percent": f"lead%5F{ULID}",
    "percent everywhere": "".join(f"%{ord(letter):02X}" for letter in JACK),
    "an entity": f"lead&#95;{ULID}",
    "entities everywhere": "".join(f"&#{ord(letter)};" for letter in JACK),
    "hexadecimal entities": "".join(f"&#x{ord(letter):x};" for letter in ULID),
    "escapes": "".join(f"\\u{ord(letter):04x}" for letter in ULID),
    "escapes with its prefix": "".join(f"\\u{ord(letter):04x}" for letter in JACK),
    "hexadecimal entities with its prefix": "".join(f"&#x{ord(letter):x};" for letter in JACK),
    "in circles": "".join(chr(ord(letter) - 65 + 0x24B6) if letter.isalpha() else letter for letter in ULID),
    "in squares": "".join(chr(ord(letter) - 65 + 0x1F130) if letter.isalpha() else letter for letter in ULID),
    "zero width": ZERO_WIDTH,
    "full width": FULL_WIDTH,
    "split by a space": f"lead_{ULID[:13]} {ULID[13:]}",
    "split by spaces": " ".join(ULID),
    "in groups": "-".join((ULID[:8], ULID[8:16], ULID[16:])),
    "in lines": "\n".join((ULID[:9], ULID[9:])),
    "split by emphasis": f"{ULID[:9]}**{ULID[9:]}**",
    "reversed": JACK[::-1],
    "reversed without its prefix": ULID[::-1],
    "base64": base64.b64encode(JACK.encode()).decode(),
    "base64 without its prefix": base64.b64encode(ULID.encode()).decode(),
    "base64 within more": base64.b64encode(f"the lead is {JACK}, ok".encode()).decode(),
    "base64 of lower case": base64.b64encode(JACK.lower().encode()).decode(),
    "base64 for addresses": base64.urlsafe_b64encode(JACK.encode()).decode().rstrip("="),
    "hexadecimal": JACK.encode().hex(),
    "twice encoded address": quote(f"https://crm.example/{JACK}"),
}
RESTS = (ULID, ULID.lower(), ULID[::-1], ULID[9:], ULID[:9], ULID.encode().hex()[8:], SPELLINGS["base64"][12:40])


def _streamed(text: str, size: int) -> str:
    output = OutputFilter(NAMES)
    return "".join(output.feed(text[start : start + size]) for start in range(0, len(text), size)) + output.flush()


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("size", [1, 4, 5, 7, 10_000])
def test_no_spelling_of_a_known_id_is_shown(spelling: str, size: int) -> None:
    output = _streamed(f"The id is {SPELLINGS[spelling]}, I think.", size)
    assert output.startswith("The id is")
    assert output.endswith("I think.")
    letters = "".join(filter(str.isalnum, output))
    for rest in RESTS:
        assert rest not in letters
    assert FULL_WIDTH[10:20] not in output
    assert "%30%31" not in output
    assert output == clean(f"The id is {SPELLINGS[spelling]}, I think.", NAMES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Ask lead-{ULID} today", "Ask Jack Russel today"),
        (f"Ask {ULID.lower()} today", "Ask Jack Russel today"),
        (f"Ask %{ULID} today", "Ask %Jack Russel today"),
        (f"Ask {FULL_WIDTH} today", "Ask Jack Russel today"),
        (f"Ask {' '.join(ULID)} today", "Ask Jack Russel today"),
        (f"Jack Russel (**{JACK}**) is warm.", "Jack Russel is warm."),
        (f"Jack Russel (**ID:** {JACK}) is warm.", "Jack Russel is warm."),
        (f"Jack Russel (*id:* `{JACK}`) is warm.", "Jack Russel is warm."),
        (f"Logged ({GHOST}).", "Logged."),
        (f"Logged as {GHOST.replace('_', '-')}.", "Logged as."),
        ("Logged (document_01JD3Q8S5V0W8Y2Z6T4R9K7M1P).", "Logged."),
        ("Logged (voice_01JD3Q8S5V0W8Y2Z6T4R9K7M1P).", "Logged."),
        ("Logged 01JD3Q8S5V0W8Y2Z6T4R9K7M1P.", "Logged."),
    ],
)
def test_a_name_takes_its_place_or_nothing(text: str, expected: str) -> None:
    assert clean(text, NAMES) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Order 01JD3Q8S5V costs $1,200, tracking 1Z999AA10123456784, invoice 12345678901234567890123456.",
        "IBAN DE89 3704 0044 0532 0130 00, phone +49 30 901820, 100%25 sure & done; a &amp; b.",
        "dGhpcyBpcyBub3QgYW4gaWQgYnV0IGEgc2VudGVuY2U= is only a sentence.",
        "See https://crm.example/leads/42?tab=notes_all and snake_case_names.",
    ],
)
def test_what_is_no_id_stays(text: str) -> None:
    assert clean(text, NAMES) == text
    assert _streamed(text, 3) == text


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(st.text("abcXYZ019_-*()[]! %&#;\n", max_size=8), st.sampled_from(list(SPELLINGS.values()))),
        max_size=8,
    ),
    st.lists(st.integers(1, 9), min_size=1, max_size=12),
)
def test_pieces_hide_what_the_whole_hides(parts: list[str], sizes: list[int]) -> None:
    text = "".join(parts)
    id_filter, output, start, number = IdFilter(NAMES), "", 0, 0
    while start < len(text):
        size = sizes[number % len(sizes)]
        output += id_filter.feed(text[start : start + size])
        start, number = start + size, number + 1
    output += id_filter.flush()
    assert ULID not in output.upper()
    assert ULID[::-1] not in output.upper()


def test_many_known_ids_and_a_long_answer_take_no_time() -> None:
    names = {f"lead_01JD3Q8S5V0W8Y2Z6T4R{number:06}".lower(): f"Lead {number}" for number in range(2_000)}
    output, start = OutputFilter(names), time.perf_counter()
    for _ in range(2_000):
        output.feed("0 and ")
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("place", [1, 150, 300])
def test_the_latest_300_ids_are_looked_for(place: int) -> None:
    ids = [f"lead_01JD3Q8S5V0W8Y2Z6T4R{number:06}" for number in range(301)]
    names = {one.lower(): f"Lead {number}" for number, one in enumerate(ids)}
    ulid = ids[place].removeprefix("lead_").lower()
    assert clean(f"It is {ulid[:13]} {ulid[13:]}.", names) == f"It is Lead {place}."
