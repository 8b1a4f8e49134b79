"""An email that a model proposes: approved by the user, sent once."""

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets
from tests.fakes.models.scripted_model import ScriptedModel, ask
from tests.fakes.systems.mail import RecordingMailSender
from tests.support.dialogue.conversations import Stage
from tests.support.product_tools import product_tools

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)


@pytest.fixture
def stage() -> Stage:
    return Stage(product_tools(), NOW)


def _propose_email(stage: Stage, mail: RecordingMailSender) -> dict[str, Any]:
    jack = stage.id_of("@lead:Jack Russel")
    call = ask(
        "send_email",
        to="jack.russel@abccorp.example",
        subject="Hello",
        body="Hi Jack",
        entity_type="lead",
        entity_id=jack,
    )
    planner = stage.deps.model
    stage.deps = replace(
        stage.deps,
        model=ScriptedModel([call], "Sent."),
        ports=replace(stage.deps.ports, mail=mail),
        brainlets=Brainlets(),
    )
    answer = stage.say("Send Jack Russel a hello by email")
    stage.deps = replace(stage.deps, model=planner)
    return answer


def test_it_is_sent_once_after_the_users_yes(stage: Stage) -> None:
    mail = RecordingMailSender()
    answer = _propose_email(stage, mail)
    assert (answer["status"], mail.sent) == ("needs_confirmation", [])
    before = stage.counts()["activity"]
    confirmed = stage.say("yes", answer["conversationId"])
    assert [message.to for message in mail.sent] == ["jack.russel@abccorp.example"]
    assert mail.sent[0].reply_name == "Alice Carter"
    assert stage.counts()["activity"] == before + 1
    assert "Done" in confirmed["response"]
    stage.say("yes", answer["conversationId"])
    assert len(mail.sent) == 1


def test_it_is_not_sent_after_a_no(stage: Stage) -> None:
    mail = RecordingMailSender()
    answer = _propose_email(stage, mail)
    stage.say("no", answer["conversationId"])
    assert mail.sent == []
