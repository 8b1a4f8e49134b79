"""The prompt section with the user's situation and the records of the session."""

from aisha.application.prompt.facts import PromptFacts, one_line
from aisha.domain.conversations.conversation import SessionEntity

order = 80
TITLE = "SESSION ENTITY CONTEXT (Background - CRITICAL FOR NEXT ACTIONS)"
INTRODUCTION = "The user is currently discussing these entities:"
RULES = """When the user asks "What should I do next?", "What do you think?", "How should I proceed?" or anything alike,
you MUST call suggest_next_actions with the entity_type and entity_id of the entity in focus (the first lead, contact,
account or opportunity, unless another is named). You must not say "I'm not sure what action you want to take". The
first entity is the one mentioned last: pronouns mean it."""


def render(facts: PromptFacts) -> str:
    """Return date, user and page, then the session's entities with their ids if there are any."""
    situation = _format_situation(facts)
    if not facts.entities:
        return situation
    return "\n".join([situation, "", TITLE, INTRODUCTION, *map(_format_entity, facts.entities), RULES])


def _format_entity(entity: SessionEntity) -> str:
    """Format an entity as `- "Name" (type, ID: id) [also: alias, alias]`."""
    aliases = ", ".join(one_line(alias, 60) for alias in entity.aliases)
    also = f" [also: {aliases}]" if aliases else ""
    return f'- "{one_line(entity.name)}" ({entity.type}, ID: {entity.id}){also}'


def _format_situation(facts: PromptFacts) -> str:
    principal, now = facts.principal, facts.now
    # `%-d`, the day without a zero, does not exist on every platform.
    day = now.strftime(f"%A, {now.day} %B %Y, %H:%M")
    lines = [
        "CURRENT SITUATION",
        f"- It is {day} for the user (time zone {principal.zone}, locale {principal.locale}).",
    ]
    if principal.name:
        lines.append(f"- The user is {one_line(principal.name, 80)}.")
    if facts.page:
        lines.append(f'- The user looks at the page "{one_line(facts.page)}".')
    # Told, so that a model does not look for a record where it can find none.
    if facts.closed_modules:
        modules = ", ".join(facts.closed_modules)
        lines.append(
            f"- The user has no access to these modules: {modules}. Asked about them, say so and name their admin."
        )
    return "\n".join(lines)
