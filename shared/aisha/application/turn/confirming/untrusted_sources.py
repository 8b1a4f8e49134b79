"""The kinds of texts by others that a conversation's models have seen. What was seen once stays seen."""

from collections.abc import Iterator

from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.domain.tools import FOREIGN

RECORDS = "records"
DOCUMENTS = "documents"
MEMORIES = "memories"
INSTRUCTIONS = "standing instructions"
FROM_APP = "what your app sent"
ANOTHER_SYSTEM = "another system's texts"
_BY_TOOLKIT = {"documents": DOCUMENTS, **dict.fromkeys(FOREIGN, ANOTHER_SYSTEM)}


def untrusted_sources_of(turn_input: TurnInput, record: TurnRecord) -> tuple[str, ...]:
    """Return the kinds of texts by others that models have seen in the conversation up to now, each once."""
    return tuple(dict.fromkeys((*turn_input.session.conversation.untrusted_sources, *_seen(turn_input, record))))


def _seen(turn_input: TurnInput, record: TurnRecord) -> Iterator[str]:
    request = turn_input.request
    # Names of records stand in the prompt.
    if turn_input.entities or record.more_info.attached.sections:
        yield RECORDS
    if record.more_info.attached.knowledge:
        yield DOCUMENTS
    if record.recalled or turn_input.session.conversation.summary:
        yield MEMORIES
    if turn_input.preferences.instructions:
        yield INSTRUCTIONS
    is_sent = any(not message.id for message in turn_input.session.messages)
    if is_sent or record.more_info.client_data or (request.context is not None and request.context.page):
        yield FROM_APP
    # The descriptions of these tools are a server's own words.
    if "mcp" in {spec.toolkit for spec in turn_input.tools}:
        yield ANOTHER_SYSTEM
    for call in record.calls:
        if call.spec is not None and (call.has_run or call.result.error is not None):
            yield _BY_TOOLKIT.get(call.spec.toolkit, RECORDS)
