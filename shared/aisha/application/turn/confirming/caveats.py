"""Warnings in a question: values from texts of others, a new recipient address, a record that has changed."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from aisha.application.orders.reading.literals import flat
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.turn.confirming.order_check import SINCE_SHOWN, changed_since_shown
from aisha.application.turn.confirming.untrusted_sources import untrusted_sources_of
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.application.turn.wording.call_words import Referents, tables
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError
from aisha.domain.ids import KNOWN_ID
from aisha.domain.json_values import texts_in
from aisha.domain.language.notation import written_out
from aisha.domain.language.tenant_words import TenantWords
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import FOREIGN, ToolSpec
from aisha.domain.wording import humanise, join_names

_MAX_RECEIPTS = 50
_MIN_COMPARED = 12
"""Letters and digits from which on an equal passage elsewhere can't be a coincidence."""
_MIN_ADDRESS = 5
_SOURCES = {"notes": "a note", "documents": "a document", "intelligence": "memory", "activities": "an activity"}


def recipient_of(spec: ToolSpec, arguments: Mapping[str, Any], referents: Referents) -> str | None:
    """Return the address of the record that a call sends to without naming the address; None for other calls."""
    record_id = arguments.get("entity_id")
    if spec.access != "external" or "to" not in spec.properties or arguments.get("to"):
        return None
    address = getattr(referents.addressee(str(record_id)), "email", None)
    return str(address) if address else None


def caveats(turn_input: TurnInput, record: TurnRecord, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield sentences on a call that waits: values from texts of others, a new address, a record that has changed."""
    user_text = flat("\n".join((turn_input.request.message, *_own_messages(turn_input))))
    labels: dict[str, str] = tables()["labels"]
    from_source, words = defaultdict[str, list[str]](list), TenantWords(turn_input.labels)
    for name, value in arguments.items():
        texts = (text for text in texts_in(value) if not KNOWN_ID.fullmatch(text))
        sources = (_source(text, user_text, turn_input, record, is_recipient=name == "to") for text in texts)
        if source := next(filter(None, sources), ""):
            from_source[source].append(f"the {'address' if name == 'to' else labels.get(name) or humanise(name)}")
    for source, nouns in from_source.items():
        is_plural = len(nouns) > 1 or (nouns[0].endswith("s") and not nouns[0].endswith("ss"))
        sentence = f"{join_names(nouns)} {'come' if is_plural else 'comes'} from {words.own(source)}."
        yield sentence[:1].upper() + sentence[1:]
    if (address := arguments.get("to")) and _is_new(turn_input, str(address)):
        yield f"The address {address} was put on the record by the assistant within the last day."
    if (change := changed_since_shown(turn_input, record, arguments)) is not None:
        yield f"{change.clause[:1].upper()}{change.clause[1:]} {SINCE_SHOWN}."


def _own_messages(turn_input: TurnInput) -> Iterator[str]:
    for message in turn_input.session.messages:
        if message.role == "user" and message.id:
            yield from (message.content, written_out(message.content))


def _source(value: str, user_text: str, turn_input: TurnInput, record: TurnRecord, *, is_recipient: bool) -> str:
    """Return where a value, or an address in it, comes from; empty if the user said it.

    Texts that earlier turns read are not stored in full. So an address that the user never wrote counts as read from
    them, except as the recipient.
    """
    addresses = [flat(token.text) for token in tokenize(value) if token.kind in ("email", "url", "phone")]
    pieces = [text for text in (flat(value), *addresses) if len(text) >= _MIN_COMPARED or (text in addresses and text)]
    foreign = [piece for piece in pieces if len(piece) >= _MIN_ADDRESS and piece not in user_text]
    for call in record.calls if foreign else ():
        if call.result.ok and call.spec is not None and call.spec.access == "read":
            text = flat(json.dumps(call.result.value, ensure_ascii=False, default=str))
            if any(piece in text for piece in foreign):
                origin = "another system" if call.spec.toolkit in FOREIGN else "a record"
                return _SOURCES.get(call.spec.toolkit, origin)
    earlier = flat("\n".join(_earlier_texts(turn_input))) if foreign else ""
    if any(piece in earlier for piece in foreign):
        return "what I read earlier in this conversation"
    is_unknown = not is_recipient and any(piece in addresses for piece in foreign)
    return "what I have read, not from your messages" if is_unknown and untrusted_sources_of(turn_input, record) else ""


def _earlier_texts(turn_input: TurnInput) -> Iterator[str]:
    """Yield what is stored of the texts that earlier turns read: the summary, answers, and a line for each call."""
    yield turn_input.session.conversation.summary or ""
    for message in turn_input.session.messages:
        if message.role != "user" or not message.id:
            yield message.content
        yield from (call.line for call in message.tool_calls)


def _is_new(turn_input: TurnInput, address: str) -> bool:
    """Return whether the assistant has put the address on a record in one of the user's recent writes."""
    user = turn_input.principal
    try:
        page = turn_input.deps.entries.page(user.tenant, user.user, RECEIPT, limit=_MAX_RECEIPTS)
    except AishaError:
        return False
    return any(address.lower() == after.lower() for entry in page.items for after in _new_addresses(entry))


def _new_addresses(entry: Entry) -> Iterator[str]:
    receipts = entry.body.get("receipts")
    for receipt in receipts if isinstance(receipts, list) else ():
        after = receipt.get("after") if isinstance(receipt, Mapping) else None
        if isinstance(after, Mapping) and isinstance(after.get("email"), str):
            yield after["email"]
