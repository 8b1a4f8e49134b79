"""Context that a model attaches to a turn on demand: articles, tools and data sections, each once (C-M1 to C-M4)."""

import json
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.redaction.masking import masked_contacts
from aisha.application.redaction.output import clean
from aisha.application.redaction.summaries import without_sensitive
from aisha.application.requests.chat_request import ChatRequest, ClientSection
from aisha.application.tooling.context import SectionRequest, ToolContext
from aisha.domain.conversations.conversation import Attachments
from aisha.domain.errors import AishaError, ConflictError
from aisha.domain.tools import ToolSpec

NAME = "req_more_info"
MAX_REQUESTS = 4
"""Requests per user message (C-M3)."""
MAX_BLOCK_LENGTH = 16_000
"""Characters of one block in the prompt; a longer one is cut."""
MAX_STORED_LENGTH = 32_000
"""Characters of the client's data that are stored with a conversation."""
_MAX_SECTION_ID_LENGTH = 40
_BY_THE_CLIENT = "Sent by the user's app"


class MoreInfo(Struct):
    """The on-demand context of one turn. `attached` is stored with the conversation; data is read anew in each turn.

    `client_sections` are the descriptions of sections that only the client has, by id; `client_data` is what it sent
    of them with the message.
    """

    attached: Attachments
    tools: Mapping[str, ToolSpec]
    client_sections: Mapping[str, str] = field(default_factory=dict)
    client_data: Mapping[str, Any] = field(default_factory=dict)
    requests: int = 0
    is_closed: bool = False
    needed: list[SectionRequest] = field(default_factory=list)
    _read: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def attach(
        self, sections: Sequence[SectionRequest], articles: Sequence[str], tools: Sequence[str]
    ) -> dict[str, Any]:
        """Attach what is valid and not attached yet, and return the outcome for each id.

        Raises `ConflictError` when the model has to answer now: after four requests, or after one that only repeated
        what is attached.
        """
        # A round's reads run in parallel, and this tool may be called several times in one.
        with self._lock:
            self._count()
            requested = Attachments(tuple(articles), tuple(tools), tuple(section.section_id for section in sections))
            ids = (requested.knowledge, requested.tools, requested.sections)
            knowledge, tool_ids, section_ids = map(tuple, map(_common, ids, self.valid_ids))
            valid = Attachments(knowledge, tool_ids, section_ids)
            of_client = [section for section in sections if section.section_id in self.client_sections]
            self.needed += [section for section in of_client if section.section_id not in self.client_data]
            new = _difference(valid, self.attached)
            repeated = [
                *_intersection(valid, self.attached),
                *(section.section_id for section in of_client if section.section_id in self.client_data),
            ]
            self.is_closed = bool(repeated) and not any((new.knowledge, new.tools, new.sections, self.needed))
            self.attached |= new
            return self._answer(requested, new, repeated)

    def _count(self) -> None:
        if self.is_closed or self.requests >= MAX_REQUESTS:
            raise ConflictError("Nothing more can be attached to this message", suggestion="Answer with what you have.")
        self.requests += 1

    @property
    def valid_ids(self) -> tuple[list[str], list[str], list[str]]:
        """The ids of articles, tools and the server's data sections, in the order of `Attachments`."""
        # A client may send a section under the id of one of the server's: its own data wins.
        own = [section_id for section_id in data_sections() if section_id not in self.client_sections]
        return [article.id for article in knowledge.articles()], list(self.tools), own

    def _answer(self, requested: Attachments, new: Attachments, repeated: list[str]) -> dict[str, Any]:
        articles, tools, sections = self.valid_ids
        sections += self.client_sections
        answer: dict[str, Any] = {"attached": [*new.knowledge, *new.tools, *new.sections]}
        if repeated:
            answer["already_attached"] = repeated
        if self.needed:
            answer["asked_of_the_client"] = [section.section_id for section in self.needed]
        choices = {
            "domainKnowledge": (requested.knowledge, articles),
            "tools": (requested.tools, tools),
            "data": (requested.sections, sections),
        }
        unknown = {kind: [name for name in ids if name not in valid] for kind, (ids, valid) in choices.items()}
        if any(unknown.values()):
            answer["unknown"] = {kind: ids for kind, ids in unknown.items() if ids}
            answer["valid"] = {kind: choices[kind][1] for kind in answer["unknown"]}
        return answer

    def blocks(self, context: ToolContext) -> list[str]:
        """Return the prompt's blocks of attached articles, tools and data, each once between its markers (C-M4)."""
        blocks = [
            _block("KB", article.id, f"# {article.title}\n\n{article.text}")
            for name in self.attached.knowledge
            if (article := knowledge.find(name)) is not None
        ]
        blocks += [
            _block("TOOLDEF", name, f"{spec.name}: {spec.description.splitlines()[0]}")
            for name in self.attached.tools
            if (spec := self.tools.get(name)) is not None
        ]
        blocks += [_block("DATA", name, self._data(name, context)) for name in self.attached.sections]
        client_data = _without_sensitive(dict(self.client_data), context)
        return blocks + [_block("DATA", name, _to_json(value)) for name, value in client_data.items()]

    def _data(self, section_id: str, context: ToolContext) -> str:
        if section_id not in self._read:
            section = data_sections().get(section_id)
            try:
                value = section.read(context) if section else None
                self._read[section_id] = _to_json(_without_sensitive(value, context))
            except AishaError as error:
                # One section that can't be read must not end the turn; the model sees why it is missing.
                self._read[section_id] = _to_json({"error": error.message})
        return self._read[section_id]

    def request_json(self, names: Mapping[str, str]) -> dict[str, Any]:
        """Return the request to the client for its data, in the shape of the tool's arguments. `names` as for `clean`.

        The reasons are a model's words, which the client may show.
        """
        sections = [
            {"sectionId": section.section_id} | ({"reason": clean(section.reason, names)} if section.reason else {})
            for section in self.needed
        ]
        return {"data": {"sections": sections}}


def start_more_info(
    request: ChatRequest, attached: Attachments, tools: Sequence[ToolSpec]
) -> tuple[MoreInfo, list[str]]:
    """Return the turn's on-demand context, and warnings about data of the client that was left out."""
    routed = {spec.name: spec for spec in tools if spec.name != NAME}
    data = request.attached_data or {}
    # What the client sent before answers follow-up questions, too, until it sends the section again.
    earlier = {name: json.loads(text) for name, text in attached.client_data.items() if name not in data}
    client_data = earlier | {name: value for name, value in data.items() if _is_section_id(name)}
    warnings = [
        f"The data {name[:60]!r} was left out: it is no section id." for name in data if name not in client_data
    ]
    declared = dict(_described(section) for section in request.client_sections or ())
    client_sections = {name: text for name, text in declared.items() if _is_section_id(name)}
    client_sections |= {name: _BY_THE_CLIENT for name in client_data if name not in client_sections}
    still_valid = replace(
        attached,
        client_data=_storable(client_data),
        tools=tuple(name for name in attached.tools if name in routed),
        sections=tuple(name for name in attached.sections if name not in client_sections),
    )
    return MoreInfo(still_valid, routed, client_sections, client_data), warnings


def _described(section: str | ClientSection) -> tuple[str, str]:
    if isinstance(section, str):
        return section, _BY_THE_CLIENT
    # One line without markers, so that it stays a line of the list that it is in.
    return section.id, " ".join(_unmarked(section.description).split()) or _BY_THE_CLIENT


def _storable(client_data: Mapping[str, Any]) -> dict[str, str]:
    """Return the client's data as it is stored with the conversation, without what is too long for that."""
    storable: dict[str, str] = {}
    for name, value in client_data.items():
        text = _to_json(value)
        if sum(map(len, storable.values())) + len(text) <= MAX_STORED_LENGTH:
            storable[name] = text
    return storable


def _is_section_id(name: str) -> bool:
    # The id becomes part of a marker in the prompt (`<!--DATA:ID=...-->`), so it must not be able to close it.
    return 0 < len(name) <= _MAX_SECTION_ID_LENGTH and name.replace("_", "").isalnum() and name.isascii()


def _common(requested: Sequence[str], valid: Collection[str]) -> list[str]:
    return [name for name in dict.fromkeys(requested) if name in valid]


def _difference(left: Attachments, right: Attachments) -> Attachments:
    return Attachments(
        tuple(item for item in left.knowledge if item not in right.knowledge),
        tuple(item for item in left.tools if item not in right.tools),
        tuple(item for item in left.sections if item not in right.sections),
    )


def _intersection(left: Attachments, right: Attachments) -> list[str]:
    return [
        *_common(left.knowledge, right.knowledge),
        *_common(left.tools, right.tools),
        *_common(left.sections, right.sections),
    ]


def _without_sensitive(value: Any, context: ToolContext) -> Any:
    value = without_sensitive(value, context.ports.sensitive)
    return masked_contacts(value) if context.ports.masks_contacts(context.principal.tenant) else value


def _block(kind: str, name: str, text: str) -> str:
    # A text must not close its own block or open another one.
    inner = _unmarked(text)
    if len(inner) > MAX_BLOCK_LENGTH:
        inner = f"{inner[:MAX_BLOCK_LENGTH]}… (cut: the rest is left out)"
    return f"<!--{kind}:ID={name}-->\n{inner}\n<!--/{kind}-->"


def _unmarked(text: str) -> str:
    return text.replace("<!--", "<!-").replace("-->", "->")


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_json_value)


def _json_value(value: Any) -> Any:
    """Return what JSON has no form for as a list or a text; a set in order, so that a prompt stays the same."""
    return sorted(value, key=str) if isinstance(value, set | frozenset) else str(value)
