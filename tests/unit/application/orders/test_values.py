"""A value of a call is the user's own, whole, and said for the field that it changes."""

from datetime import UTC, datetime
from time import process_time
from typing import Any

import pytest

from aisha.application.orders.case import CallContext
from aisha.application.orders.judge import judge
from aisha.application.orders.matching.targets import Focus, record_mention
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.tools import ToolCall, ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
JACK = "lead_01KJWNSTC09TMXGZ2GFDXDYS43"
TEXT = {"type": "string"}
STORED = {
    "do_not_call": True,
    "amount": "1000",
    "tags": ["berlin", "partner"],
    "source": "website",
    "email": "j@x.example",
}
FIELDS: dict[str, Any] = {
    **dict.fromkeys(("lead_id", "email", "phone", "website", "owner", "job_title", "company"), TEXT),
    "status": {"type": "string", "enum": ["warm", "lost", "contacted"]},
    "source": {"type": "string", "enum": ["website", "email", "referral"]},
    "do_not_call": {"type": "boolean"},
    "do_not_email": {"type": "boolean"},
    "amount": {"type": "number"},
    "tags": {"type": "array", "items": TEXT},
}
NOTE_FIELDS = {"entity_type": TEXT, "entity_id": TEXT, "content": TEXT}
UPDATE = ToolSpec("update_lead", "", {"properties": FIELDS}, {}, "leads", "write", ordered_by=("update_record",))
NOTE = ToolSpec("create_note", "", {"properties": NOTE_FIELDS}, {}, "notes", "write", ordered_by=("create_note",))


def is_ordered(message: str, call: ToolCall) -> bool:
    context = CallContext(
        Focus(), lambda one: record_mention(one, ["Jack Russel"]), lambda _: STORED, untrusted_sources=("records",)
    )
    return judge(call, Utterance(message, NOW, known_names=["Jack Russel"]), context).is_ordered


def changes(message: str, **fields: Any) -> bool:
    return is_ordered(message, ToolCall("c1", "update_lead", {"lead_id": JACK, **fields}, UPDATE))


def notes(message: str, content: str) -> bool:
    arguments = {"entity_type": "lead", "entity_id": JACK, "content": content}
    return is_ordered(message, ToolCall("c1", "create_note", arguments, NOTE))


@pytest.mark.parametrize(
    ("message", "field", "said", "parts"),
    [
        (
            "Set the email of Jack Russel to j.smith@acme.example",
            "email",
            "j.smith@acme.example",
            ["smith@acme.example", "j.smith@acme.exampl", "toj.smith@acme.example", "j.smith@acme"],
        ),
        (
            "Set the phone of Jack Russel to +1 212 555 0123",
            "phone",
            "+1 (212) 555-0123",
            ["212 555 0123", "555 0123", "1 212 555 012"],
        ),
        (
            "Set the website of Jack Russel to https://www.acme.com/shop",
            "website",
            "www.acme.com/shop",
            ["https://www.acme.co", "https://acme.com", "https://www.acme.com/sho"],
        ),
    ],
)  # fmt: skip
def test_a_part_of_an_address_is_another_address(message: str, field: str, said: str, parts: list[str]) -> None:
    assert changes(message, **{field: said})
    assert [part for part in parts if changes(message, **{field: part})] == []


@pytest.mark.parametrize(
    ("message", "said", "other"),
    [
        ("Set Jack Russel to warm and write to boss@acme.example", {}, {"email": "boss@acme.example"}),
        ("Set Jack Russel to warm and invite bob@abc.example tomorrow", {}, {"email": "bob@abc.example"}),
        ("Set Jack Russel to warm and email him tomorrow", {}, {"source": "email"}),
        ("Set Jack Russel to warm and tell bob about it", {}, {"owner": "bob"}),
        ("Set Jack Russel to warm, I met him with carol", {}, {"owner": "carol"}),
        ("Set Jack Russel to warm and give him to carol", {"owner": "carol"}, {"company": "carol"}),
        ("Set Jack Russel to warm", {}, {"job_title": "warm"}),
        ("Set Jack Russel to warm and schedule a call with him tomorrow", {}, {"do_not_call": False}),
        ("Set Jack Russel to warm, he may be called again", {"do_not_call": False}, {"do_not_email": True}),
        ("Set Jack Russel to warm and email him today, it is not urgent", {}, {"do_not_email": True}),
        ("Set Jack Russel to warm and do not email him", {"do_not_email": True}, {"do_not_call": False}),
    ],
)  # fmt: skip
def test_a_value_that_was_said_of_something_else_changes_no_field(
    message: str, said: dict[str, Any], other: dict[str, Any]
) -> None:
    assert changes(message, status="warm", **said)
    assert not changes(message, status="warm", **other)


def test_what_raises_a_value_lowers_no_value() -> None:
    assert changes("Raise the amount of Jack Russel by 10%", amount=1100)
    assert not changes("Raise the amount of Jack Russel by 10%", amount=900)
    assert changes("Lower the amount of Jack Russel by 10%", amount=900)


def test_a_list_keeps_what_the_user_did_not_take_away() -> None:
    assert changes("Tag Jack Russel as vip", tags=["berlin", "partner", "vip"])
    assert not changes("Tag Jack Russel as vip", tags=["vip"])
    assert changes("Set the tags of Jack Russel to vip instead of berlin and partner", tags=["vip"])


@pytest.mark.parametrize(
    "content",
    [
        "send him the invoice",
        "he likes tea p a y e v i l",
        "he likes the blend, not the tea",
    ],
)
def test_a_text_neither_drops_nor_adds_a_denial_nor_spells_one_out(content: str) -> None:
    message = "Add a note to Jack Russel: he likes tea and the blend"
    assert notes(message, "He likes tea and the blend")
    assert not notes(f"{message}, do not send him the invoice" if "invoice" in content else message, content)


@pytest.mark.parametrize(
    "message",
    [
        "Set the amount of Jack Russel to 5 and " * 200,
        "".join(f"Set the amount of Ann {chr(65 + n % 26)}{chr(97 + n // 26)}son to {n}. " for n in range(150)),
    ],
    ids=["one name", "many names"],
)
def test_a_message_of_hundreds_of_orders_is_judged_in_seconds(message: str) -> None:
    start = process_time()
    assert not changes(message[:8000], amount=5, email="a@b.example")
    assert process_time() - start < 10


def test_the_place_of_an_order_among_a_few_does_not_matter() -> None:
    before = "".join(f"Set the status of Ann {name}son to lost. " for name in ("Berg", "Dahl", "Falk", "Holm", "Lind"))
    assert changes(f"{before}Set Jack Russel to warm.", status="warm")
    assert not changes(f"{before}Who is Jack Russel?", status="lost")
