"""The text of what a call has done: `Done, I deleted the lead Jack Russel.`"""

from collections.abc import Mapping

from aisha.application.redaction.output import clean
from aisha.application.redaction.summaries import line
from aisha.application.tooling.gate.receipts import UNDO_TOOL
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.application.turn.wording.call_words import Referents
from aisha.application.turn.wording.phrases import describe_done
from aisha.domain.conversations.tool_results import found_in, receipts_in
from aisha.domain.errors import NotFoundError
from aisha.domain.tools import FOREIGN, ToolCall
from aisha.domain.wording import join_first

_UNDONE = {"created": "is back", "deleted": "is gone again", "updated": "is as it was before"}
"""The state of a record after the write that took a change back."""


def format_outcome(turn_input: TurnInput, record: TurnRecord, call: ToolCall) -> str:
    """Format the reply, e.g. `Done, I deleted the lead Jack Russel.`"""
    referents = Referents(turn_input, record)
    if not call.result.ok or call.spec is None:
        return f"That did not work. {clean(_reason(call, referents), record.names)}"
    record.add_names(found_in(call.result))
    entities = [receipt["entity"] for receipt in receipts_in(call.result.value)]
    record.names |= {str(entity["id"]).lower(): str(entity["name"]) for entity in entities}
    text = f"Done, I {describe_done(call, call.spec, referents).past}"
    text = text if text.endswith((".", ".”", "?”", "!”")) else f"{text}."
    return clean(f"{text}{_result_text(call, referents)}", record.names)


def _result_text(call: ToolCall, referents: Referents) -> str:
    """Return what the user wants to see of a result: a draft, what an undo restored, what another system answered."""
    value, receipts = call.result.value, list(receipts_in(call.result.value))
    if isinstance(value, Mapping) and {"subject", "body"} <= value.keys():
        return f"\n\nSubject: {value['subject']}\n\n{value['body']}"
    if call.name == UNDO_TOOL:
        states = [
            f"the {referents.kind(receipt['entity']['type'])} {receipt['entity']['name']} {_UNDONE[receipt['action']]}"
            for receipt in receipts
        ]
        return f" Now {join_first(states)}."
    is_foreign = call.spec is not None and call.spec.toolkit in FOREIGN and not receipts
    return f" Result: {line(call)}." if is_foreign and line(call) != "done" else ""


def _reason(call: ToolCall, referents: Referents) -> str:
    """Return the sentence on why a call was not done."""
    error = call.result.error or {}
    if error.get("code") == NotFoundError.code and (kind := error.get("entity_type")):
        return f"I can't find that {referents.kind(str(kind))} any more."
    reason = str(error.get("message", "it was not run")).rstrip(".")
    return f"{reason[:1].upper()}{reason[1:]}."
