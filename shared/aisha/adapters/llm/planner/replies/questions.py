"""Ask back, and say what was not understood, not found, not allowed or not done."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aisha.adapters.llm.planner.replies.formats import LABELS, field_noun
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.wording import with_article

MAX_LEFT = 4
MAX_QUOTED = 80
"""Characters of a message that are quoted back."""
_MISSING = "Missing required field: "
"""The beginning of the reason of a call that lacks an argument, before the argument's name."""
_OF_ARGUMENTS = re.compile(r"\A(?:There is no parameter|[a-z_]++(?:\.[a-z_\d]++)*+: |The arguments )")
"""The beginning of a reason that is about the arguments of a call, and for models only."""
OTHERS_DONE = "The others are done, too."
ALREADY_SO = "That is so already, so there is nothing to change."
NO_TOOLS = "Only a language model can answer that here, and none is set up. In the chat I answer it from the CRM."
TOO_MANY_STEPS = "That takes more steps than I can do at once. Ask me to go on, and I'll take the next one."


def ask_which(name: str, candidates: Sequence[Ref]) -> str:
    """Ask which record a name means; at most five are listed."""
    if len(candidates) == 1:
        label = LABELS.get(candidates[0].type, (candidates[0].type,))[0]
        return f"The closest that I found to “{name}” is the {label} {candidates[0].shown}. Do you mean that one?"
    kinds = {ref.type for ref in candidates}
    lines = [
        f"{place}. {ref.shown}" + (f", {LABELS.get(ref.type, (ref.type,))[0]}" if len(kinds) > 1 else "")
        for place, ref in enumerate(candidates[:5], 1)
    ]
    rest = len(candidates) - 5
    verb = "is" if rest == 1 else "are"
    more = f"\n\nThere {verb} {rest} more; a last name or company would tell them apart." if rest > 0 else ""
    head = f"I found {len(candidates)} records for {name}" if name else "You may mean one of several"
    return f"{head}:\n\n" + "\n".join(lines) + f"{more}\n\nWhich one do you mean?"


def not_found(name: str, kind: str | None) -> str:
    """Explain that no record has the name."""
    noun, *_ = LABELS.get(kind or "", ("lead, contact, account or deal",))
    example, *_ = LABELS.get(kind or "", ("lead",))
    if name.islower() and " " not in name:
        # A single word in lower case is seldom a name: nothing is offered to be called so.
        return f"I couldn't find any {noun} called “{name}”. Could you give me the full name?"
    return (
        f"I couldn't find any {noun} called {name}. Tell me the name again, "
        f"or say “create {with_article(example)} called {name}”."
    )


def no_access(module: str) -> str:
    return f"You don't have access to {module}. Please ask your admin if you need it."


def not_understood(text: str) -> str:
    """Say that an ask was not understood, in its own words."""
    quoted = " ".join(text.split()).strip(" .,;:!?")
    quoted = quoted if len(quoted) <= MAX_QUOTED else f"{quoted[:MAX_QUOTED].rstrip()}…"
    return (
        f"I'm not sure what you mean by “{quoted}”. Could you put it another way? "
        "I can look up, create and change records, plan activities, keep notes and tell you what to do next."
    )


_JOINT = re.compile(r"^\W{0,3}(?:and|then|also|plus)\s+(?:then\s+|also\s+)?", re.IGNORECASE)


def left_over(texts: Sequence[str], *, is_offered: bool = False) -> str:
    """Name the asks that were not answered, at most `MAX_LEFT`, and offer to go on with them where a "yes" can."""
    going_on = "Shall I go on with it?" if is_offered else "Please send it again when you're ready."
    return f"I haven't done the rest yet: {_named_asks(texts)}. {going_on}"


def after_answer(texts: Sequence[str]) -> str:
    """Name the asks that are answered after a yes to the question that follows, at most `MAX_LEFT`."""
    return f"Once you've said yes, I'll go on with {_named_asks(texts)}."


def _named_asks(texts: Sequence[str]) -> str:
    asks = [f"“{_JOINT.sub('', text).strip(' .,;:!?')}”" for text in dict.fromkeys(texts)]
    more = f" and {len(asks) - MAX_LEFT} more" if len(asks) > MAX_LEFT else ""
    return "; ".join(asks[:MAX_LEFT]) + more


def no_tool() -> str:
    """Say that a tool is missing."""
    return "I can't do that here: the tool for it isn't set up, or it is switched off. Your admin can change that."


def failure(error: Mapping[str, Any], reason: str, what: str) -> str:
    """Explain in plain words that `what` ("create the lead") failed, with a way forward."""
    if error.get("error") == "Permission denied":
        return no_access(reason.rsplit(":", 1)[-1].strip())
    if error.get("error") == "Entity not found":
        return "I couldn't find that record any more. It may have been deleted. Tell me its name and I'll look for it."
    reason = reason.strip().rstrip(".")
    if reason.startswith(_MISSING):
        return f"I couldn't {what} without the {field_noun(reason.removeprefix(_MISSING))}. Tell me, and I'll do it."
    if _OF_ARGUMENTS.match(reason):
        return f"I couldn't {what} that way. Could you put it differently?"
    # What begins like a sentence is one.
    return f"I couldn't {what}. {reason}." if reason[:1].isupper() else f"I couldn't {what}: {reason}."


def ask_only_shown(shown: int, total: int | None) -> str:
    """Return the question whether an order for all of a list is for those that were shown."""
    return f"I've shown you {shown} of {total or 'more'} so far. Shall I do that for these {shown} only?"
