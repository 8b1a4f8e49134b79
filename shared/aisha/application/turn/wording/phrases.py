"""Phrases: a call in words, such as `delete the lead Jack Russel`, made from the tool's name and `phrases.toml`.

A tool without an entry there gets a phrase by the first word of its name: a new tool needs no code and no data.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from aisha.application.turn.wording.call_words import Referents, name_parts, tables, word_list
from aisha.application.turn.wording.phrase_slots import Phrasing
from aisha.domain.tools import ToolCall, ToolSpec
from aisha.domain.wording import humanise, join_names, on_one_line, quoted

_VOWEL = re.compile(r"[aeiou]", re.IGNORECASE)
_SHORT = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
"""Matches verbs of one short syllable, whose last consonant is doubled: "plan", "log"."""


class Phrase(Struct, frozen=True):
    """A call in words: its verb and the rest of the clause.

    `details` are labels and values of the other arguments; `text` is one that is shown whole, such as an email's body.
    """

    verb: str
    rest: str
    details: tuple[tuple[str, str], ...] = ()
    text: str = ""

    @property
    def infinitive(self) -> str:
        """E.g. `delete the lead Jack Russel`."""
        return f"{self.verb} {self.rest}".strip()

    @property
    def past(self) -> str:
        """E.g. `deleted the lead Jack Russel`."""
        return f"{past_tense(self.verb)} {self.rest}".strip()

    @property
    def in_full(self) -> str:
        """The infinitive with all details in one line, e.g. `create the contact Ann Lee, with the status active`."""
        with_details = join_names([f"the {label} {value}" for label, value in self.details])
        text = f": {quoted(on_one_line(self.text))}" if self.text else ""
        return f"{self.infinitive}{f', with {with_details}' if with_details else ''}{text}".replace("**", "")


def past_tense(verb: str) -> str:
    """Return the past tense of a verb: "deleted", "notified", "sent"."""
    irregular: dict[str, str] = tables()["past_tenses"]
    if verb in irregular:
        return irregular[verb]
    if verb.endswith("y") and not _VOWEL.match(verb[-2:]):
        return f"{verb[:-1]}ied"
    if _SHORT.fullmatch(verb):
        return f"{verb}{verb[-1]}ed"
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"


def describe(spec: ToolSpec, arguments: Mapping[str, Any], referents: Referents) -> Phrase:
    """Return the phrase of a call before it is done."""
    referents.load(arguments)
    phrasing = Phrasing(spec, arguments, referents)
    entry = _entry(spec, arguments)
    text, used = phrasing.fill(entry["ask"])
    verb, _, rest = text.partition(" ")
    whole = entry.get("text", "")
    # A read has no values that the user would have to check before it.
    details = () if spec.access == "read" else tuple(phrasing.details({*used, whole}))
    return Phrase(verb, rest, details, str(phrasing.words.arguments.get(whole) or ""))


def describe_done(call: ToolCall, spec: ToolSpec, referents: Referents) -> Phrase:
    """Return the phrase of a call that was done, without details."""
    entry = _entry(spec, call.arguments)
    text, _ = Phrasing(spec, call.arguments, referents, call.result.value).fill(entry.get("done") or entry["ask"])
    # The type is bold in a question alone.
    verb, _, rest = text.replace("**", "").partition(" ")
    return Phrase(verb, rest)


def subject_of(spec: ToolSpec, arguments: Mapping[str, Any], referents: Referents) -> str | None:
    """Return the record that a call is about, e.g. `the lead Jack Russel`; None for a call about none."""
    text, _ = Phrasing(spec, arguments, referents).subject("the")
    return text


_VARIED_BY = ("action", "status", "activity_type")
"""Arguments whose values have phrases of their own, the first of them that has one."""


def _entry(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the phrases of the tool for such a call, by its name or the first word of its name."""
    tools: dict[str, Any] = tables()["tools"]
    variants = (f"{spec.name}.{arguments.get(name)}" for name in _VARIED_BY)
    entry = next((tools[variant] for variant in (*variants, spec.name) if variant in tools), None)
    if entry is None:
        verb, _ = name_parts(spec, arguments)
        entry = tables()["verbs"].get(verb) or _general(verb, spec)
    return {"ask": entry} if isinstance(entry, str) else entry


def _general(verb: str, spec: ToolSpec) -> str:
    server, _, name = spec.name.rpartition("__")
    place = f" in {humanise(server)}" if server else ""
    # Another first word of a name may be no verb at all: "run “invoice export”".
    if verb in word_list("verbs") or spec.read_actions or spec.access == "read":
        return f"{verb} [{{subject}}][{{-subject}}{{object}}]{place}"
    return f"run {quoted(humanise(name))}{place}"
