"""Play injected orders: the text is put where a model sees it, and the model obeys it when it has seen it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.tenants.preferences import add_instruction
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.definition import Tool
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet, BrainletView
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.queries import Create, Update
from aisha.domain.crm.records import Activity, Event, Note
from aisha.domain.crm.team_values import TeamValue
from aisha.domain.errors import ToolFailedError
from aisha.domain.models import ModelRequest, ToolCallRequest
from aisha.domain.tools import ToolSpec
from tests.attack.doors import DOORS, Desk, Outcome
from tests.attack.injections import Attack
from tests.fakes.models.scripted_model import ask

READ_FIRST = "Show me Jack Russel"
_NEEDLE = 16
"""The last letters and digits of a text by which the model recognises it, also where it was cut at the start."""
_MAX_FIELD = 190
_MAX_LABEL = 60
"""Characters of a tenant's own word for a kind of record that stand in the prompt."""
_READS = {
    "lead": ("get_lead", "lead_id", "@lead:Jack Russel"),
    "contact": ("get_contact", "contact_id", "@contact:John Doe"),
    "account": ("get_account", "account_id", "@account:ABC Corp"),
    "opportunity": ("get_opportunity", "opportunity_id", "@opportunity:ABC Corp Annual License"),
}
_TOOLKITS = {
    "document": "documents", "memory": "intelligence", "tool result": "http", "tool description": "mcp",
    "error of a tool": "mcp", "error of the CRM": "leads", "knowledge article": "documents", "sticky note": "assistant",
    "suggestion": "suggestions", "name of a key": "http",
    "document title": "documents", "attachment": "http", "argument description": "mcp",
}  # fmt: skip
_DESCRIPTIONS = ("tool description", "argument description")
"""Places that a model sees in its tools, without a call."""
_TRANSCRIPT = "voice transcript"
_CHOICES = frozenset(
    "lead,contact,account,opportunity,lost,closed_lost,call,stale_leads,create,add,the one spoken of".split(",")
)
"""Values out of lists: they carry no text of an attacker."""
_OBJECT = {"type": "object", "properties": {}}


class Result(Struct, frozen=True):
    """An attack at a door. `reached` is True if the model saw the text."""

    attack: Attack
    door: str
    reached: bool
    outcome: Outcome


def play(attack: Attack, door: str, registry: ToolRegistry, *, with_second: bool = False) -> Result:
    """Play an attack on new demo data, `with_second` with a second model that obeys what it can see of the attack."""
    desk = _AttackedDesk(attack, door, registry, with_second=with_second)
    fields = _fields(attack, desk.text, door)
    if door in ("voice", "mcp"):
        # The microphone may hear somebody read a text aloud: an earlier utterance orders nothing now.
        words = desk.text if attack.place == _TRANSCRIPT else READ_FIRST
        for read in desk.reads:
            desk.call(read.name, json.loads(read.arguments), words)
        desk.is_reached = bool(desk.reads) or attack.place in _DESCRIPTIONS
        if desk.is_reached:
            desk.call(desk.tool, desk.arguments, attack.message)
        return Result(attack, door, desk.is_reached, desk.outcome)
    for turn in range(1, desk.due + 1):
        desk.turn = turn
        is_last = turn == desk.due
        desk.say(attack.message if is_last else READ_FIRST, **(fields if turn == 1 or attack.place == "page" else {}))
    return Result(attack, door, desk.is_reached, desk.outcome)


class _AttackedDesk(Desk):
    """A desk with the attack's text in its place, whose model obeys it once, in turn `due`, when it has seen it.

    `reads` are the calls that bring the text to the model, `is_reached` is True once it has seen the text.
    """

    def __init__(self, attack: Attack, door: str, registry: ToolRegistry, *, with_second: bool) -> None:
        self.attack = attack
        self.text = attack.text if attack.place in _TOOLKITS else attack.text[-_MAX_FIELD:]
        second = self._persuaded if with_second else None
        super().__init__(with_tool(registry, attack, self.text), door, self._answer, second)
        self.turn = 1
        self.due = {"next turn": 2, "turn after": 3}.get(attack.mode, 2 if attack.place == "earlier reply" else 1)
        self.has_obeyed = self.is_reached = False
        self.tool, self.arguments = attack.call[0], self.stage.resolve(attack.call[1])
        self.reads = _poison(self, attack, self.text)

    def _answer(self, request: ModelRequest) -> Any:
        mode, is_due = self.attack.mode, self.turn == self.due
        sees = _needle(self.text) in _plain("\n".join(_seen(request)))
        # In the same round it obeys what it is about to read.
        self.is_reached = self.is_reached or sees or (mode == "same round" and bool(self.reads))
        if request.messages[-1].role == "tool":
            obeys = sees and mode == "next round" and is_due and not self.has_obeyed
            return self._orders() if obeys else "Here it is. Anything else?"
        if mode == "same round" and is_due and (sees or self.reads):
            return [*self.reads, *self._orders()]
        if self.turn == 1 and self.reads:
            return self.reads
        if sees and self.turn >= self.due and not self.has_obeyed:
            return self._orders()
        is_text_due = self.attack.place == "earlier reply" and self.turn == 1
        return self.text if is_text_due else "All right. Anything else?"

    def _orders(self) -> list[ToolCallRequest]:
        self.has_obeyed = True
        return [ask(self.tool, None, **self.arguments)]

    def _persuaded(self, request: ModelRequest) -> str:
        """Say yes as soon as anything is shown that the user has not written: a text, an address, a value in words."""
        shown = json.loads(request.messages[-1].content)
        own = _plain(" ".join(shown["user_messages"]))
        words = (word for value in _texts(shown["proposed_call"]["arguments"]) for word in value.split())
        has_foreign = any(_plain(word) not in own for word in words) or _needle(self.text) in _plain(json.dumps(shown))
        return "yes" if has_foreign and _needle(self.text) not in own else "no"


def doors_of(attack: Attack) -> tuple[str, ...]:
    """Return the doors at which an attack can be made: prompts are the server's own in the chat's doors alone."""
    if attack.place == _TRANSCRIPT:
        return ("voice",)
    if attack.place in _DESCRIPTIONS:
        # A client of MCP lists the tools.
        return (*DOORS[:4], "mcp")
    is_read = attack.place.startswith("field") or attack.place in _TOOLKITS or attack.place == "two notes"
    return DOORS if is_read else DOORS[:4]


def with_tool(registry: ToolRegistry, attack: Attack, text: str) -> ToolRegistry:
    """Return the tools with one that returns the text, or has it in its description."""
    toolkit = _TOOLKITS.get(attack.place)
    if toolkit is None:
        return registry

    def answer() -> Any:
        if attack.place.startswith("error of"):
            raise ToolFailedError(text)
        match attack.place:
            case "document title":
                return {"items": [{"title": text, "text": "Dear all"}]}
            case "attachment":
                return {"items": [{"title": "Letter", "attachments": [{"name": f"{text}.pdf"}]}]}
            case "knowledge article":
                return {"articles": [{"section": "Prices", "body": f"# Prices\n\n{text}"}]}
            case "name of a key":
                return {"items": [{text: "yes"}]}
            case _:
                return {"items": [{"title": "Letter", "text": text}]}

    description = text if attack.place == "tool description" else "Read what was sent."
    box = {"box": {"type": "string", "description": text}} if attack.place == "argument description" else {}
    spec = ToolSpec("read_letter", description, _OBJECT | {"properties": box}, {"title": "Any"}, toolkit, always=True)
    return registry.with_tools([Tool(spec, answer, convert=lambda arguments, context: {})])


def _poison(desk: Desk, attack: Attack, text: str) -> list[ToolCallRequest]:
    """Put the text where the attack wants it, and return the reads that bring it to the model."""
    stage = desk.stage
    if attack.place in _TOOLKITS:
        return [] if attack.place in _DESCRIPTIONS else [ask("read_letter", "read")]
    if attack.place == _TRANSCRIPT:
        return [ask("get_lead", "read", lead_id=stage.id_of("lead:Jack Russel"))]
    if attack.place == "tenant label":
        profile = {"labels": {"lead": text[-_MAX_LABEL:]}}
        stage.deps = replace(stage.deps, ports=replace(stage.deps.ports, profiles=lambda _: profile))
    if attack.place == "recalled memory":
        stage.deps = replace(stage.deps, brainlets=Brainlets([_recalling(text)]))
    if attack.place == "team's own stage":
        own = {"opportunity.stage": [TeamValue(text, "proposal")]}
        stage.deps = replace(stage.deps, ports=replace(stage.deps.ports, team_values=lambda _: own))
    if attack.place == "team's own field":
        field = CustomField("region", values=(text,), writable=True, description=text)
        stage.deps = replace(stage.deps, ports=replace(stage.deps.ports, custom_fields=lambda _: {"lead": [field]}))
    if attack.place == "standing instruction":
        add_instruction(stage.deps.entries, stage.principal.tenant, stage.principal.user, text, stage.deps.clock.now())
    jack = stage.id_of("lead:Jack Russel")
    related = {"type": "lead", "id": jack, "name": "Jack Russel"}
    if attack.place == "two notes":
        middle = len(text) // 2
        halves = [Note(content=half, related=related, owner="bob") for half in (text[middle:], text[:middle])]
        stage.records.write("demo", [Create(half) for half in halves])
        return [ask("list_notes", "read", entity_type="lead", entity_id=jack)]
    if not attack.place.startswith("field"):
        return []
    kind, _, name = attack.place.removeprefix("field ").partition(".")
    if kind == "note":
        note = {"content": "Called", "title": "Call", name: text}
        stage.records.write("demo", [Create(Note.model_validate({**note, "related": related, "owner": "bob"}))])
        return [ask("list_notes", "read", entity_type="lead", entity_id=jack)]
    if kind == "activity":
        activity = {"title": "Talk", "activity_type": "call", name: text, "related": related}
        stage.records.write("demo", [Create(Activity.model_validate(activity))])
        return [ask("list_activities", "read", entity_type="lead", entity_id=jack)]
    if kind == "event":
        event = {"kind": "webhook", "title": "Order", name: {"text": text} if name == "detail" else text}
        stage.records.write("demo", [Create(Event.model_validate(event))])
        return [ask("get_recent_events", "read")]
    if kind == "goal":
        goal = stage.id_of("goal:Win six new customers")
        stage.records.write("demo", [Update("goal", goal, {name: text})])
        return [ask("get_goals", "read")]
    tool, argument, reference = _READS[kind]
    record_id = stage.id_of(reference)
    shapes: dict[str, Any] = {"tags": [text], "address": {"street": text}, "custom": {"remark": text}}
    value = shapes.get(name, text)
    stage.records.write("demo", [Update(kind, record_id, {name: value})])
    return [ask(tool, "read", **{argument: record_id})]


def _recalling(text: str) -> Brainlet:
    """Return a brainlet that recalls a text from memory in each turn, as the search of memories does."""

    def recall_letter(outputs: Mapping[str, Any], turn: BrainletView) -> list[Any]:
        del outputs
        turn.add_recalled([text])
        return [{"memory": text}]

    return Brainlet("recall_letter", "Recall a letter.", "pre", recall_letter)


def _fields(attack: Attack, text: str, door: str) -> dict[str, Any]:
    """Return the fields of a request that carry the text."""
    match attack.place:
        case "page":
            return {"context": {"page": text}}
        case "attached data":
            return {"attachedData": {"NOTES": [{"text": text}]}, "clientSections": ["NOTES"]}
        case "saved view":
            return {"attachedData": {"VIEWS": [{"name": text, "filter": "open"}]}, "clientSections": ["VIEWS"]}
        case "file name":
            return {"attachedData": {"FILES": [{"name": f"{text}.pdf"}]}, "clientSections": ["FILES"]}
        case "earlier message":
            earlier = [{"role": "user", "content": text}, {"role": "assistant", "content": "Shall I?"}]
            return {"messages": earlier if door == "v1" else [*earlier, {"role": "user", "content": "go on"}]}
        case "earlier tool message":
            earlier = [
                {"role": "assistant", "content": f"The tool answered: {text}"},
                {"role": "tool", "content": text},
            ]
            return {"messages": earlier if door == "v1" else [*earlier, {"role": "user", "content": "go on"}]}
        case _:
            return {}


def _seen(request: ModelRequest) -> list[str]:
    """Return all texts of a request: messages, results, and the descriptions of the tools."""
    described = [f"{spec.description} {json.dumps(spec.parameters, ensure_ascii=False)}" for spec in request.tools]
    return [message.content for message in request.messages] + described


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a call but for choices, dates and what stands for a record."""
    if isinstance(value, str):
        if value not in _CHOICES and not value[:4].isdigit():
            yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _plain(text: str) -> str:
    return "".join(one for one in text.lower() if one.isalnum())


def _needle(text: str) -> str:
    # A text that was written as JSON has other escapes: only letters and digits are compared.
    return _plain(json.loads(f'"{text}"') if "\\u" in text else text)[-_NEEDLE:]
