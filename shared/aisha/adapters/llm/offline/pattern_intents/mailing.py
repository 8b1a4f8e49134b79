"""Send emails to a plain address."""

import re
from typing import Any

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.state import Question

_ADDRESS = r"(?P<to>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
# "send an email to a@b.example ...".
_SEND = re.compile(
    r"(?:(?:please|can|could|would|will|you|now|just)\s+)*"
    rf"(?:(?:send|shoot|drop|fire\s+off|write)\b[^@:\"“]*?|(?:e-?mail|mail)\s+(?:to\s+)?){_ADDRESS}(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_OTHER_REQUEST = pattern(r"\b(?:invit\w+|calendar|draft|lead|contact|note|reminder)\b")
_PART = r"(?:\s*[:,]\s*|\s+(?:is|says?|saying|of|line)\s*:?\s*|\s+)"
# "subject ..." as far as the body begins.
_SUBJECT = re.compile(
    rf"\bsubject(?:\s+line)?{_PART}[\"“]?(?P<subject>.+?)[\"”]?"
    r"(?=\s*[,;.]?\s*(?:\band\s+)?(?:\b(?:with|the)\s+)*\b(?:body|text|message)\b|$)",
    re.IGNORECASE | re.DOTALL,
)
_BODY = re.compile(rf"\b(?:body|text|message){_PART}(?P<body>.+)", re.IGNORECASE | re.DOTALL)
# "saying ...", "tell them that ...": the body.
_SAYING = re.compile(
    r"^\s*,?\s*(?:and\s+)?(?:(?:saying|say|that\s+says|to\s+say|tell(?:ing)?\s+(?:him|her|them)"
    r"|to\s+tell\s+(?:him|her|them))(?:\s+that)?\s*:?|:)\s*(?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(r"^\s*(?:about|regarding|re:?|concerning)\s+(?P<subject>.+)", re.IGNORECASE | re.DOTALL)
_MAX_SUBJECT_LENGTH = 60


def send_email(plan: Plan, text: str) -> Answer | None:
    """Match "send an email to a@b.example with subject X and body Y", "email a@b.example saying we will be late"."""
    match = _SEND.fullmatch(text)
    if match is None or "send_email" not in plan.tools or _OTHER_REQUEST.search(text[: match.start("to")]):
        return None
    parts = _parts(match["rest"])
    if "body" not in parts and plan.read(text).times:
        return None
    arguments: dict[str, Any] = {"to": match["to"], **parts}
    if "body" not in parts:
        question = f"What shall the message to {match['to']} say?"
        return Answer(question, Question("missing", tool="send_email", arguments=arguments, field="body"))
    arguments.setdefault("subject", _first_words(parts["body"]))
    return plan.run("send_email", f"send that email to {match['to']}", lambda _: f"Sent to {match['to']}.", **arguments)


def _parts(rest: str) -> dict[str, str]:
    """Return the subject and the body, as far as they are given."""
    matches: dict[str, Any] = {"subject": _SUBJECT.search(rest), "body": _SAYING.search(rest) or _BODY.search(rest)}
    matches["subject"] = matches["subject"] or _ABOUT.search(rest)
    texts = {name: match[name].strip().strip('"“”').strip() for name, match in matches.items() if match}
    return {name: text[:1].upper() + text[1:] for name, text in texts.items() if text}


def _first_words(body: str) -> str:
    """Return a subject made of the first sentence, or as many of its words as fit."""
    sentence = re.split(r"(?<=[.!?])\s|\n", body.strip())[0].rstrip(".")
    short = sentence if len(sentence) <= _MAX_SUBJECT_LENGTH else sentence[:_MAX_SUBJECT_LENGTH].rsplit(" ", 1)[0]
    return short[:1].upper() + short[1:]
