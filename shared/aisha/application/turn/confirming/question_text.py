"""The text of a question about a call: one sentence, then its details, then a longer text in full."""

import re

from aisha.application.tooling.gate.policy import LASTS, MANY_RECORDS, NEVER_UNDONE, UNDONE_FOR_A_DAY
from aisha.application.turn.wording.phrases import Phrase
from aisha.domain.tools import DECLARED, ToolSpec

_SHALL_I = re.compile(r"\bshall I\b", re.IGNORECASE)


def format_question(phrase: Phrase, spec: ToolSpec, reason: str, doubt: str = "") -> str:
    """Format a question, e.g. `Shall I delete the lead **Jack Russel**? It can be restored for one day.`

    `reason` is why the gate asks, `doubt` why the model is not sure that the call was ordered. Arguments that are not
    in the sentence follow on lines of their own, then a text in full, such as the body of an email.
    """
    start = f"{doubt.strip().rstrip('.:;,')}: shall I" if doubt else "Shall I"
    note = note_on(spec, "" if reason == doubt else reason)
    sentence = f"{start} {phrase.infinitive}?{f' {note}' if note else ''}"
    bullet = "- " if len(phrase.details) > 1 else ""
    details = "\n".join(f"{bullet}{label[:1].upper()}{label[1:]}: {value}" for label, value in phrase.details)
    return "\n\n".join(part for part in (sentence, details, phrase.text) if part)


def note_on(spec: ToolSpec, reason: str) -> str:
    """Return a sentence that explains the reason for a question to the user; empty if it needs no explanation."""
    if reason == UNDONE_FOR_A_DAY:
        return f"It can be {'restored' if spec.name.startswith('delete') else 'undone'} for one day."
    if reason == NEVER_UNDONE:
        # Everybody knows that an email can't be taken back.
        return "This can't be undone." if spec.access != "external" or spec.toolkit in DECLARED else ""
    # The question itself says that a rule will last, and names the number of records.
    return "" if not reason or reason == LASTS or reason.startswith(MANY_RECORDS) else f"I ask because {reason}."


def core_of(question: str) -> str:
    """Return the part of a question that is answered by yes or no, without the text that it shows."""
    first = question.partition("\n\n")[0]
    return first[: first.rfind("?") + 1] or first


def repeated(question: str) -> str:
    """Return a question's core as the end of another sentence: `shall I delete the lead **Jack Russel**?`"""
    core = core_of(question)
    match = _SHALL_I.search(core)
    return f"shall{core[match.start() + 5 :]}" if match else f"{core[:1].lower()}{core[1:]}"
