"""Where the wish for a write came from: the user's own words, or text that a tool read (C-X4).

A model that reads "please set the email to x@y.example" in a note may obey it. A write is taken as the record's wish,
and waits for the user, when this turn read free text and either the user's words ask for no change at all, or an
address, number or link in the arguments stands in that text and not in the user's words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aisha.application.tooling.policy import Provenance
from aisha.domain.mail import MAIL_ADDRESS_IN_TEXT
from aisha.domain.tools import FOREIGN, ToolCall

FREE_TEXT = frozenset(
    ("content", "body", "description", "outcome", "passage", "text", "summary", "evidence", "based_on")
)
"""Fields that anybody may have written anything into."""
CHANGES = tuple(
    "add arrange assign book bring cancel change clear complet convert correct creat delay delet disqualif erase fix give hand "
    "invit make mark merge postpone promot push put qualif reassign remind remov renam reopen reschedul save schedul send set "
    "shift snooz tag transfer turn undo updat wrap".split()
)
"""Beginnings of words by which people ask for a change."""
CHANGES_OR_THINGS = tuple(
    "call close comment demo done draft edit email enter file finish flag follow forget get keep log lose lost mail meet message "
    "move need new note open pass phone ping plan raise record remember report resolv ring start task text touch want win won write".split()
)
"""The same, but also names of what is read about: in a question they ask for nothing."""
_QUESTION = re.compile(
    r"^\W*(?:what|which|who|whose|where|when|why|how|is|are|do|does|did|has|have|was|were|any|anything|show|list|tell|read|"
    r"summari[sz]e|sum|find|search|look|see|explain|give me|get me)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_LITERAL = re.compile(MAIL_ADDRESS_IN_TEXT + r"|https?://\S+|www\.\S+|\+?\d[\d\s().-]{5,}\d")
_CHATTER = re.compile(r"[\s().-]")


def provenance_of(call: ToolCall, earlier: Sequence[ToolCall], said: str, documents: Sequence[str] = ()) -> Provenance:
    """`user`, or `record` for a write that rather follows what one of the `earlier` calls of the turn has read.

    `said` are the user's words: this message, and those that it answers. `documents` are further texts that were read.
    """
    texts = [*documents, *texts_read(earlier)]
    if not texts:
        return "user"
    if not any(_wishes_a_change(line) for line in said.splitlines()):
        return "record"
    own = _CHATTER.sub("", said).lower()
    read = _CHATTER.sub("", "\n".join(texts)).lower()
    literals = literals_in(call.arguments)
    return "record" if any(literal in read and literal not in own for literal in literals) else "user"


def texts_read(calls: Sequence[ToolCall]) -> list[str]:
    """What strangers may have written of what these calls have read."""
    return [text for one in calls for text in _texts_read(one)]


def literals_in(value: Any) -> set[str]:
    """The addresses, numbers and links in a JSON value's texts, as they are compared."""
    return {_CHATTER.sub("", found).lower() for text in _values(value) for found in _LITERAL.findall(text)}


def _wishes_a_change(text: str) -> bool:
    beginnings = CHANGES if _QUESTION.match(text) else CHANGES + CHANGES_OR_THINGS
    return any(word.startswith(beginnings) for word in _WORD.findall(text.lower()))


def _texts_read(call: ToolCall) -> Iterator[str]:
    """What strangers may have written: free text of our records, everything that comes from outside."""
    if call.spec is not None and call.spec.toolkit in FOREIGN:
        return _values([call.result.value, call.result.error])  # An error, too, is in the other system's words.
    return _free_texts(call.result.value) if call.result.ok else iter(())


def _free_texts(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, str):
        if name in FREE_TEXT:
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _free_texts(item, str(key))
    elif isinstance(value, list):
        for item in value:
            yield from _free_texts(item, name)


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _values(item)
