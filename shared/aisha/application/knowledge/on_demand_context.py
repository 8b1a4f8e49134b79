"""What a turn attaches on demand: knowledge articles, tools, data sections, each once (C-M1 to C-M4)."""

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.redaction.masking import masked_contacts
from aisha.application.redaction.summaries import without_sensitive
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tooling.context import SectionWish, ToolContext
from aisha.domain.conversation import Attachments
from aisha.domain.errors import AishaError, ConflictError
from aisha.domain.tools import ToolSpec

NAME = "req_more_info"
MOST_REQUESTS = 4
"""Of one user message (C-M3)."""
MOST_CHARACTERS = 16_000
"""Of one block in the prompt; what is longer is cut and says so."""
_SECTION_ID = 40


class MoreInfo(Struct):
    """The on-demand context of one turn. `attached` goes on with the conversation, data is read anew at each turn.

    `given` is data that the client sent with the message, by section; `clients` are sections that only the client has.
    """

    attached: Attachments
    tools: Mapping[str, ToolSpec]
    clients: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    requests: int = 0
    is_closed: bool = False
    needed: list[SectionWish] = field(default_factory=list)
    _read: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def attach(self, sections: Sequence[SectionWish], articles: Sequence[str], tools: Sequence[str]) -> dict[str, Any]:
        """Attaches what is known and not there yet; the answer says what became of each id.

        Raises `ConflictError` when the model has to answer now: after four requests, or when it asked again for what is
        attached.
        """
        with self._lock:
            self._count()
            wished = Attachments(tuple(articles), tuple(tools), tuple(wish.section_id for wish in sections))
            known = Attachments(*map(tuple, map(_known, (wished.knowledge, wished.tools, wished.sections), self.valid)))
            owned = [wish for wish in sections if wish.section_id in self.clients]
            self.needed += [wish for wish in owned if wish.section_id not in self.given]
            new = _without(known, self.attached)
            repeated = [
                *_both(known, self.attached),
                *(one.section_id for one in owned if one.section_id in self.given),
            ]
            self.is_closed = bool(repeated) and not any((new.knowledge, new.tools, new.sections, self.needed))
            self.attached |= new
            return self._answer(wished, new, repeated)

    def _count(self) -> None:
        if self.is_closed or self.requests >= MOST_REQUESTS:
            raise ConflictError("Nothing more can be attached to this message", suggestion="Answer with what you have.")
        self.requests += 1

    @property
    def valid(self) -> tuple[Iterable[str], Iterable[str], Iterable[str]]:
        """The ids of articles, tools and the server's data sections, in the order of `Attachments`."""
        own = [one for one in data_sections() if one not in self.clients]
        return [one.id for one in knowledge.articles()], list(self.tools), own

    def _answer(self, wished: Attachments, new: Attachments, repeated: list[str]) -> dict[str, Any]:
        articles, tools, sections = map(list, self.valid)
        answer: dict[str, Any] = {"attached": [*new.knowledge, *new.tools, *new.sections]}
        if repeated:
            answer["already_attached"] = repeated
        if self.needed:
            answer["asked_of_the_client"] = [wish.section_id for wish in self.needed]
        wrong = {
            "domainKnowledge": ([one for one in wished.knowledge if one not in articles], articles),
            "tools": ([one for one in wished.tools if one not in tools], tools),
            "data": ([one for one in wished.sections if one not in (*sections, *self.clients)],
                     [*sections, *self.clients]),
        }  # fmt: skip
        unknown = {kind: ids for kind, (ids, _) in wrong.items() if ids}
        if unknown:
            answer["unknown"] = unknown
            answer["valid"] = {kind: wrong[kind][1] for kind in unknown}
        return answer

    def blocks(self, context: ToolContext) -> list[str]:
        """The attached articles, tools and data as the prompt has them, each once between its markers (C-M4)."""
        told = [_block("KB", one.id, f"# {one.title}\n\n{one.text}") for one in self._articles()]
        told += [
            _block("TOOLDEF", name, _tool_text(spec))
            for name in self.attached.tools
            if (spec := self.tools.get(name)) is not None
        ]
        told += [_block("DATA", name, self._data(name, context)) for name in self.attached.sections]
        sent = _discreet(dict(self.given), context)
        return told + [_block("DATA", name, _json(value)) for name, value in sent.items()]

    def _articles(self) -> Iterable[knowledge.Article]:
        return (one for name in self.attached.knowledge if (one := knowledge.find(name)) is not None)

    def _data(self, section_id: str, context: ToolContext) -> str:
        if section_id not in self._read:
            section = data_sections().get(section_id)
            try:
                value = section.read(context) if section else None
                self._read[section_id] = _json(_discreet(value, context))
            except AishaError as error:
                self._read[section_id] = _json({"error": error.message})
        return self._read[section_id]

    @property
    def given_texts(self) -> list[str]:
        """What the client sent, as text: anybody may have written it."""
        return [_json(value) for value in self.given.values()]

    def request_json(self) -> dict[str, Any]:
        """What the client is asked for, in the tool's own shape."""
        sections = [
            {"sectionId": wish.section_id} | ({"reason": wish.reason} if wish.reason else {}) for wish in self.needed
        ]
        return {"data": {"sections": sections}}


def more_info_of(request: ChatRequest, attached: Attachments, tools: Sequence[ToolSpec]) -> tuple[MoreInfo, list[str]]:
    """The turn's on-demand context, and warnings about what of the client's data was left out."""
    routed = {spec.name: spec for spec in tools if not spec.always}
    clients = tuple(dict.fromkeys(name for name in request.client_sections or () if _is_section_id(name)))
    sent = request.attached_data or {}
    given = {name: value for name, value in sent.items() if _is_section_id(name)}
    warnings = [f"The data {name[:60]!r} was left out: it is no section id." for name in sent if name not in given]
    kept = replace(
        attached,
        tools=tuple(name for name in attached.tools if name in routed),
        sections=tuple(name for name in attached.sections if name not in (*clients, *given)),
    )
    return MoreInfo(kept, routed, tuple(dict.fromkeys((*clients, *given))), given), warnings


def _is_section_id(name: str) -> bool:
    return 0 < len(name) <= _SECTION_ID and name.replace("_", "").isalnum() and name.isascii()


def _known(wished: Sequence[str], valid: Iterable[str]) -> list[str]:
    there = set(valid)
    return [one for one in dict.fromkeys(wished) if one in there]


def _without(one: Attachments, other: Attachments) -> Attachments:
    return Attachments(
        tuple(item for item in one.knowledge if item not in other.knowledge),
        tuple(item for item in one.tools if item not in other.tools),
        tuple(item for item in one.sections if item not in other.sections),
    )


def _both(one: Attachments, other: Attachments) -> list[str]:
    pairs = (
        (one.knowledge, other.knowledge), (one.tools, other.tools), (one.sections, other.sections)
    )  # fmt: skip
    return [item for mine, theirs in pairs for item in mine if item in theirs]


def _discreet(value: Any, context: ToolContext) -> Any:
    """What of the data a model may see."""
    shown = without_sensitive(value, context.ports.sensitive)
    return masked_contacts(shown) if context.ports.masks_contacts(context.principal.tenant) else shown


def _block(kind: str, name: str, text: str) -> str:
    # Nobody's text may end its own block or begin another.
    inner = text.replace("<!--", "<!-").replace("-->", "->")
    if len(inner) > MOST_CHARACTERS:
        inner = f"{inner[:MOST_CHARACTERS]}… (cut: the rest is left out)"
    return f"<!--{kind}:ID={name}-->\n{inner}\n<!--/{kind}-->"


def _tool_text(spec: ToolSpec) -> str:
    return f"{spec.name}: {spec.description.splitlines()[0]}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
