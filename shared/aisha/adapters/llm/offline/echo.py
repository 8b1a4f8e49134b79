"""Short sentences that go on from the last answer: "I think I only have 1", "and the qualified ones?"."""

import re
from dataclasses import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.asking import listing
from aisha.adapters.llm.offline.arguments import filters, owner_in
from aisha.adapters.llm.offline.intents import kind_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.reading import (
    Reading,
)
from aisha.adapters.llm.offline.results import items_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_IMPLICIT = re.compile(
    r"\b(?:i|we)\b.*\b(?:thought|think|guess|believe|believed|figured|expected|assumed|have|had|see|saw|remember)\b.*\b(?:\d+|one|two|three|more|fewer|less|none|many|few)\b"
    r"|^\s*(?:only|just)\b.*\??$|^\s*(?:so\s+)?(?:really|is that (?:all|it|right)|that'?s (?:it|all)|that many|that few)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(r"^\s*(?:and|what about|how about|ok and|or|only|just)\b", re.IGNORECASE)
_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "none": 0, "no": 0}


def echo(turn: PlannerTurn, plan: Plan, reading: Reading, topic: Topic) -> Answer | None:
    """ "I think I only have 1", "only one?", "and the qualified ones?": short sentences that go on from the last answer."""
    if not topic.tool:
        return None
    text = reading.text
    if (
        _IMPLICIT.search(text)
        and not reading.has("count")
        and not reading.names
        and topic.total is not None
        and not reading.has("create", "schedule")
    ):
        return _confirmed_count(plan, topic, text)
    whose = owner_in(reading)
    named = [name for name in reading.names if whose is None or name.text.lower() != whose]
    if _ELLIPTIC.match(text) and not named and not reading.has("create", "schedule", "advise", "delete"):
        kind = kind_of(reading)
        tool = (
            f"search_{kind}s"
            if kind in ("lead", "contact", "account")
            else "search_opportunities"
            if kind
            else topic.tool
        )
        if tool in turn.tools and tool.startswith("search_"):
            kept = topic.arguments if tool == topic.tool else {}
            arguments = {**kept, **filters(reading, turn.tools[tool], turn.scene.now)}
            return listing(plan, _kind_of_tool(tool), tool, arguments)
    return None


def _kind_of_tool(tool: str) -> str:
    return {"search_opportunities": "opportunity", "list_activities": "activity"}.get(
        tool, tool.removeprefix("search_").removesuffix("s")
    )


def _confirmed_count(plan: Plan, topic: Topic, text: str) -> Answer:
    """Says again what was counted, with the names, agreeing or correcting."""
    outcome = plan.need(topic.tool, **topic.arguments)
    records = items_of(outcome)
    total = topic.total or 0
    said = next(
        (
            int(word) if word.isdigit() else _NUMBER_WORDS[word]
            for word in re.findall(r"\d+|[a-z]+", text.lower())
            if word.isdigit() or word in _NUMBER_WORDS
        ),
        None,
    )
    agreed = "Yes" if said in (None, total) else "Not quite"
    names = [str(record.get("display_name")) for record in records[:5]]
    counted = phrasing.count_of(total, _kind_of_tool(topic.tool), topic.label)
    listed = f": {phrasing.listed(names)}" if names else ""
    more = f" and {total - len(names)} more" if total > len(names) and names else ""
    refs = tuple(
        Ref(str(r.get("entity_type")), str(r.get("id")), str(r.get("display_name")), str(r.get("company") or ""))
        for r in records
    )
    offer = Question("offer", f"Tell me about {names[0]}") if len(names) == 1 else None
    return Answer(
        f"{agreed}, you have {counted}{listed}{more}. Would you like to see the details?",
        offer,
        replace(topic, refs=refs),
    )
