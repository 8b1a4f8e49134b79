"""Play messages of one conversation at the demo desk, for tests of what they change."""

from typing import Any

from tests.answers.judge import differences
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY

type Changes = dict[str, dict[str, Any]]
"""The changed fields with their new values as text, by the record's name."""


def played(*messages: str, says_yes: bool = False) -> tuple[Changes, str]:
    """Return what changed in the records, and the last reply.

    With `says_yes` a question for a yes after the last message is answered with it; its answer is a part of the reply.
    """
    stage, conversation_id, answer = Stage(REGISTRY, NOW), None, {"response": "", "status": ""}
    before = stage.records.snapshot("demo")
    for message in messages:
        answer = stage.say(message, conversation_id)
        conversation_id = answer["conversationId"]
    reply = answer["response"]
    if says_yes and answer["status"] == "needs_confirmation":
        reply += stage.say("yes", conversation_id)["response"]
    changes = differences(before, stage.records.snapshot("demo"), stage.principal.tzinfo)
    return {one.name: {name: str(value) for name, value in one.values.items()} for one in changes}, reply
