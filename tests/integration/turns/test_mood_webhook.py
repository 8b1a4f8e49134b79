"""A user's mood in the widget's answer, and at the deployment's webhook where one is set up."""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from aisha.adapters.webhooks.signed_webhook import signature
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import chat
from tests.fakes.systems.webhook_receiver import WebhookReceiver
from tests.fakes.world import ALICE, World

SECRET = f"whsec_{base64.b64encode(b'a mood is nobody elses business!').decode()}"
ANGRY = "This is a terrible disaster, I am furious"


@pytest.fixture
def set_up(world: World) -> Callable[[str], None]:
    def use_webhook(url: str, **more: str) -> None:
        environment = {"AISHA_MOOD_WEBHOOK_URL": url, "AISHA_SECRET__MOOD_WEBHOOK_SECRET": SECRET, **more}
        world.use(settings=read_settings(environment))

    return use_webhook


def say(text: str) -> Mapping[str, Any]:
    answer = chat({"message": text}, ALICE)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def test_the_webhook_gets_what_the_widget_shows_and_no_word_of_what_was_said(set_up: Callable[..., None]) -> None:
    with WebhookReceiver() as receiver:
        set_up(receiver.url, AISHA_WEBHOOKS_TO_PRIVATE="true")
        answer = say(ANGRY)
        ((headers, body),) = receiver.received
    sent = json.loads(body)
    assert sent["type"] == "mood.changed"
    assert sent["data"] == {"tenant": "demo", "user": "alice"} | answer["mood"]
    assert answer["mood"]["sentiment"] == "negative"
    assert b"disaster" not in body
    signed = signature(SECRET, headers["webhook-id"], headers["webhook-timestamp"], body)
    assert headers["webhook-signature"] == signed


@pytest.mark.parametrize("status", [500, 404])
def test_a_webhook_that_fails_costs_a_warning_alone(set_up: Callable[..., None], status: int) -> None:
    with WebhookReceiver() as receiver:
        receiver.statuses = [status]
        set_up(receiver.url, AISHA_WEBHOOKS_TO_PRIVATE="true")
        answer = say(ANGRY)
    assert answer["status"] == "completed"
    assert answer["mood"]["emoji"]
    (warning,) = answer["warnings"]
    assert warning.startswith("mood_webhook was left out")


def test_a_private_address_is_not_called(set_up: Callable[..., None]) -> None:
    with WebhookReceiver() as receiver:
        set_up(receiver.url)
        answer = say(ANGRY)
        assert receiver.received == []
    assert answer["mood"]["sentiment"] == "negative"
    assert len(answer["warnings"]) == 1


def test_without_a_webhook_only_the_widget_gets_the_mood(world: World) -> None:
    answer = say(ANGRY)
    assert answer["mood"]["sentiment"] == "negative"
    assert answer["warnings"] == []
