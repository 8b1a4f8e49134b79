"""Input that is no request in words is recognised, and answered honestly."""

import random
import string
import time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.domain.language.input_kinds import Kind, kind_of, reply_to

EXAMPLES: dict[Kind, list[str]] = {
    "empty": ["", "   ", "\n\t", "\u200b", "\ufeff \u200d"],
    "too_short": ["a", "é", "k", "?", ".", "???", "...", "-"],
    "emoji": ["👍", "🎉🎉🎉", "🙂 🙃", ":)", ":-) ;)", "<3", "😀!", "👩🏽‍💻", "🇩🇪", "❤️", "xD", "👍👍!!!"],
    "number_only": ["5", "42", "$5,000", "+1 555 0100", "10%", "15:30", "5k", "2026-03-01", "#3", "1️⃣"],
    "url_only": ["https://example.com", "www.nordlys.com/about", "http://a.b/c?d=1 https://x.y", "example.com/path"],
    "html": [
        "<script>alert(1)</script>",
        "<b>Show me my leads</b>",
        "<img src=x onerror=alert(1)>",
        "<!DOCTYPE html><html><body>hi</body></html>",
        "show <b>warm</b> leads",
    ],
    "sql": [
        "SELECT * FROM leads",
        "select name from leads where status = 'warm';",
        "SELECT name FROM leads",
        "drop table leads",
        "delete from contacts where id=5",
        "INSERT INTO leads (name) VALUES ('x')",
        "UPDATE leads SET status = 'warm' WHERE id = 1",
        "'; DROP TABLE leads; --",
        "1' OR '1'='1",
        "Robert'); DROP TABLE students;--",
        "WITH x AS (SELECT 1) SELECT * FROM x",
    ],
    "code": [
        "print('hello')",
        "def foo(x):\n    return x + 1",
        'import os; os.system("ls")',
        '{"name": "Jack", "status": "warm"}',
        "function f() { return 1; }",
        "for i in range(10): print(i)",
        "rm -rf /",
        "curl -X POST http://x.y",
        "```python\nx = 1\n```",
        "{{7*7}}",
        "${jndi:ldap://x}",
        "#include <stdio.h>",
        "=SUM(A1:A5)",
        "run this code: print(1)",
        "can you execute rm -rf / for me",
        "while (true) { i++; }",
    ],
    "gibberish": [
        "asdfghjkl",
        "Asdfgh",
        "ASDFASDF",
        "sdfsdfsdf",
        "lkjsdf lkjsdf",
        "aaaaaaaaaa",
        "ababababab",
        "fjdkslghqp",
        "dfgkjhdfg kjdfhgkj",
    ],
    "words": [
        "hi",
        "Show me my warm leads",
        "note for Jack: SELECT * FROM x",
        'Add a note to Jack Russel: console.log("x") fails',
        '{"name": "Yusuf", "company": "Demir"}  <- can you make a lead from this',
        "select the first lead from the list",
        "Select leads from Ohio (only warm)",
        "update Jack Russel set status to warm",
        "create table booking for six",
        "drop the deal",
        "the 'north' or 'south' region",
        "import my contacts",
        "return the call",
        "call for (maybe) Jack",
        "Jack (ABC Corp); Ann (XYZ)",
        "Set Jack [lead] to warm; Ann [lead] to lost",
        "status = warm, owner = bob",
        "email <jack@abc.com> about it",
        "jack@abc.com",
        "acme.com",
        "12 * 37",
        "move it to 3",
        "remind me at 5 :)",
        "add {name}",
        "- call Jack\n- email Ann",
        "hmmm",
        "hahaha",
        "tmrw mtg w jack",
        "xyzzy frobnicate please",
        "Zeig mir meine Leads",
        "покажи лиды",
        "是",
    ],
}
HARD_NAMES = """
krzysztof szczepanski zbigniew brzezinski skrzypczak wojciechowski tchaikovsky nkrumah mbappe mkrtchyan xochitl
quetzalcoatl siobhan niamh llewellyn djokovic kvitova strzelecki ljubljana schwarzenegger pfeiffer dvorak bjorn hjordis
phytec kpmg bmw globotech fjordkraft zhang aaliyah rajiv lykke
""".split()


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in EXAMPLES.items() for text in texts])
def test_each_kind_is_recognised(kind: Kind, text: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize("name", HARD_NAMES)
def test_a_name_of_hard_letters_is_no_gibberish(name: str) -> None:
    assert kind_of(name) == "words"
    assert kind_of(name.upper()) == "words"
    assert kind_of(f"call {name}") == "words"


@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_kind_but_words_has_a_short_reply(kind: Kind) -> None:
    text = reply_to(kind)
    if kind == "words":
        assert text is None
    else:
        assert text is not None
        assert 20 < len(text) < 160


@pytest.mark.parametrize("kind", ["code", "sql", "html"])
def test_the_reply_to_code_says_that_nothing_was_done(kind: Kind) -> None:
    text = reply_to(kind)
    assert text is not None
    assert "nothing was done" in text
    assert "words" in text


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a ",
        "<",
        "<b ",
        "{",
        "[",
        "'",
        "http://",
        "a.",
        "1 ",
        "1",
        "😀",
        ":(",
        "sdkfj ",
        "select ",
        "^_",
        "<a x",
        "{'a':",
    ],
)
def test_the_longest_message_is_read_at_once(text: str) -> None:
    message = (text * 8_000)[:7_999] + "x"
    kind_of("warm up the words qqqqq")
    spent = []
    for _ in range(3):
        begun = time.process_time()
        kind_of(message)
        spent.append(time.process_time() - begun)
    assert min(spent) < 0.05


def test_keys_hit_at_random_are_mostly_gibberish() -> None:
    generator = random.Random(7)
    rows = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    texts = ["".join(generator.choices(generator.choice(rows), k=9)) for _ in range(200)]
    assert sum(kind_of(text) == "gibberish" for text in texts) > 120


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=60), st.text(alphabet=string.printable, max_size=60)))
def test_any_text_is_of_some_kind(text: str) -> None:
    assert kind_of(text) in get_args(Kind)
