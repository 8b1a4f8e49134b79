"""The act that drafts an email."""

import re

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.scheduling import create_activity
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.state import Topic

_MAX_PURPOSE_LENGTH = 500
"""Characters of an email's purpose."""
_EMAIL_WORDS = pattern(
    r"^(?:(?:\w+[\s-]+)?(?:(?:re-?)?draft|compose|e?-?mails?|recap|thank|thanks|thank[\s-]you|intro|introduction"
    r"|proposal|quote|follow[\s-]?up))$"
)
"""Recognises words of an email's purpose, which are no names."""
_TONES = {
    "brief": r"\b(?:brief|short)(?:er|ly)?\b",
    "friendly": r"\b(?:friendl(?:y|ier)|warmer|casual|informal|nicer)\b",
    "formal": r"\b(?:(?:more\s+)?formal(?:ly)?|professional|polite)\b",
}


def draft(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """Draft an email; without the tool, create an activity of type email."""
    if "draft_email" not in plan.tools:
        return create_activity(plan, intent, reading)
    recipients = replace(reading, names=[name for name in reading.names if not _EMAIL_WORDS.search(name.text)])
    subject = plan.require(plan.finder().subject(recipients, intent.kind), reading.text, "Whom is the email for?")
    arguments = {
        "entity_type": subject.type,
        "entity_id": subject.id,
        "purpose": reading.text.strip()[:_MAX_PURPOSE_LENGTH],
    }
    if (tone := _tone(plan, reading.text)) is not None:
        arguments["tone"] = tone
    outcome = plan.call("draft_email", f"draft an email to {subject.name}", **arguments)
    email = outcome.value if isinstance(outcome.value, dict) else {}
    warning = f"\n\n{email['warning']}" if email.get("warning") else ""
    text = (
        f"Here is a draft for **{subject.name}**; it is saved as a note, and nothing was sent.\n\n"
        f"**Subject:** {email.get('subject', '')}\n\n{email.get('body', '')}{warning}"
    )
    return Answer(text, topic=Topic((subject,), written=f"You just drafted an email to {subject.name}."))


def _tone(plan: Plan, text: str) -> str | None:
    """Return the tone named, of those that the tool has: "a formal email"."""
    tones = plan.tools["draft_email"].properties.get("tone", {}).get("enum", ())
    mentions = [
        (match.start(), str(tone))
        for tone in tones
        for match in re.finditer(_TONES.get(str(tone), rf"\b{tone}\b"), text, re.IGNORECASE)
    ]
    return max(mentions)[1] if mentions else None
