"""The act that drafts an email."""

import re

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.scheduling import create_activity
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Ref, Topic

_MOST = 500
"""Characters of a purpose."""
_OF_EMAILS = re.compile(
    r"^(?:(?:\w+[\s-]+)?(?:(?:re-?)?draft|compose|e?-?mails?|recap|thank|thanks|thank[\s-]you|intro|introduction|proposal|quote|follow[\s-]?up))$",
    re.IGNORECASE,
)
"""Words of an email's purpose, which are nobody's name."""


def draft(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """Without the tool, an activity of type email reminds of it."""
    if "draft_email" not in plan.tools:
        return create_activity(plan, intent, reading)
    named = replace(reading, names=[name for name in reading.names if not _OF_EMAILS.search(name.text)])
    subject = plan.finder().subject(named, intent.kind)
    if (answer := plan.unresolved(subject, reading.text, "Whom is the email for?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    arguments = {"entity_type": subject.type, "entity_id": subject.id, "purpose": reading.text.strip()[:_MOST]}
    if (tone := _tone(plan, reading.text)) is not None:
        arguments["tone"] = tone
    outcome = plan.need("draft_email", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("draft_email", arguments), f"draft an email to {subject.name}")
    made = outcome.value if isinstance(outcome.value, dict) else {}
    warning = f"\n\n{made['warning']}" if made.get("warning") else ""
    text = (
        f"Here is a draft for **{subject.name}**; it is saved as a note, and nothing was sent.\n\n"
        f"**Subject:** {made.get('subject', '')}\n\n{made.get('body', '')}{warning}"
    )
    return Answer(text, topic=Topic((subject,), written=f"You just drafted an email to {subject.name}."))


def _tone(plan: Plan, text: str) -> str | None:
    """The tone said, of those that the tool knows: "a formal email"."""
    known = plan.tools["draft_email"].properties.get("tone", {}).get("enum", ())
    said = [
        (match.start(), str(tone))
        for tone in known
        for match in re.finditer(_TONES.get(str(tone), rf"\b{tone}\b"), text, re.IGNORECASE)
    ]
    return max(said)[1] if said else None


_TONES = {
    "brief": r"\b(?:brief|short)(?:er|ly)?\b",
    "friendly": r"\b(?:friendl(?:y|ier)|warmer|casual|informal|nicer)\b",
    "formal": r"\b(?:(?:more\s+)?formal(?:ly)?|professional|polite)\b",
}
