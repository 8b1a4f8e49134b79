"""A tool that is a call of an MCP server: converts the server's listing to a tool, and its results to values."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from aisha.adapters.http_tools.arguments import ArgumentsSchema, schema_problem
from aisha.adapters.http_tools.endpoint import DONE, caller_of
from aisha.adapters.mcp_client.definition import McpServerFile
from aisha.adapters.mcp_client.messages import MAX_REASON_LENGTH
from aisha.adapters.mcp_client.session import McpSession
from aisha.application.tooling.arguments.schemas import without_keywords
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.definition import Tool
from aisha.domain.errors import PayloadTooLargeError, ToolFailedError
from aisha.domain.hidden_characters import without_hidden
from aisha.domain.json_values import finite_json
from aisha.domain.tools import Access, ToolSpec

TOOLKIT = "mcp"
RETURNS: dict[str, Any] = {"title": "Any", "description": "What the server answers: JSON, or text."}
MAX_NAME_LENGTH = 64
MAX_SCHEMA_CHARACTERS = 20_000
MAX_RESULT_CHARACTERS = 65_536
_MAX_DESCRIPTION_LENGTH = 1500
_MAX_EXAMPLE_WORDS = 12
# All control characters except the line feed.
# A server's text stands in prompts and terminals, where an escape sequence could do harm.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
# Between the words of "getOpenOrders".
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PATTERNS = frozenset(("pattern", "patternProperties"))


class McpTool:
    """One tool of a server. It is stateless, so one object serves all tenants and threads."""

    def __init__(self, definition: McpServerFile, session: McpSession, listed: Mapping[str, Any]) -> None:
        """Raise ValueError for a listing that can't be a tool here."""
        self._definition = definition
        self._session = session
        self._name = listed.get("name")
        if not isinstance(self._name, str) or not self._name:
            raise ValueError("it has no name")
        self._parameters = _checked_schema(listed.get("inputSchema"))
        self._schema = ArgumentsSchema(_checkable(self._parameters))
        self._listed = listed

    def as_tool(self) -> Tool:
        """Return the tool as the registry takes it."""
        return Tool(self._spec(), self.call, convert=self.convert)

    def convert(self, arguments: dict[str, Any], context: ToolContext) -> dict[str, Any]:
        """Return the arguments of `call`. Raises `InvalidInputError`."""
        return {"arguments": self._schema.converted(arguments, context.now)}

    def call(self, context: ToolContext, arguments: Mapping[str, Any]) -> Any:
        """Return the server's result: a JSON value, or text.

        Raises errors of `aisha.domain.errors` without the secret.
        """
        # A repetition after a lost answer must not write twice.
        headers = {} if self._access == "read" else {"Idempotency-Key": context.operation_id}
        result = self._session.call(str(self._name), arguments, caller_of(context), headers)
        context.log(f"tools/call {self._name} of {self._definition.host}")
        return _value(result, self._definition.host)

    @property
    def _access(self) -> Access:
        """Return the file's access; without it a call waits for the user, whatever the server says of its tool.

        A server's hints only tell what the question says: that something is deleted, or sent to another system.
        """
        if (access := self._definition.access.get(str(self._name))) is not None:
            return access
        if self._definition.read_only:
            return "read"
        hints = self._listed.get("annotations")
        hints = hints if isinstance(hints, Mapping) else {}
        is_harmless = hints.get("readOnlyHint") is True or hints.get("destructiveHint") is False
        return "external" if is_harmless else "delete"

    def _spec(self) -> ToolSpec:
        words = _words(str(self._name))
        title, description = _title(self._listed.get("title")), _text(self._listed.get("description"))
        return ToolSpec(
            name=safe_name(self._definition.name, str(self._name)),
            description=description or title or f"{words.capitalize()}.",
            parameters=self._parameters,
            returns=RETURNS,
            toolkit=TOOLKIT,
            access=self._access,
            confirmation="destructive" if self._access in ("delete", "external") else "none",
            module=self._definition.module,
            examples=_examples(words, title, description),
        )


def safe_name(server: str, tool: str) -> str:
    """Return `<server>__<tool>` of [a-z0-9_], at most 64 characters: a function's name that every provider accepts."""
    name = f"{server}__{_words(tool).replace(' ', '_') or sha256(tool.encode()).hexdigest()[:8]}"
    if len(name) <= MAX_NAME_LENGTH:
        return name
    # Cut names may be equal: an underscore and eight digits of a hash keep them apart.
    return f"{name[: MAX_NAME_LENGTH - 9]}_{sha256(tool.encode()).hexdigest()[:8]}"


def _words(name: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", _CAMEL.sub(" ", name).lower()))


def _examples(words: str, title: str, description: str) -> tuple[str, ...]:
    """Return sentences for the planner from the name, the title and the first sentence; the server has no examples."""
    first = description.partition("\n")[0].partition(". ")[0].strip(" .")
    phrases = (words, title.lower(), first.lower())
    return tuple(dict.fromkeys(phrase for phrase in phrases if 1 < len(phrase.split()) <= _MAX_EXAMPLE_WORDS))


def _text(value: Any) -> str:
    # Whoever reads the list of tools sees all that a model reads.
    text = without_hidden(_CONTROL.sub(" ", value)).strip() if isinstance(value, str) else ""
    return text if len(text) <= _MAX_DESCRIPTION_LENGTH else f"{text[:_MAX_DESCRIPTION_LENGTH]}…"


def _title(value: Any) -> str:
    return _text(value).partition("\n")[0][:100]


def _checked_schema(value: Any) -> dict[str, Any]:
    """Return the schema as a closed object. Raises ValueError."""
    if not isinstance(value, dict) or value.get("type", "object") != "object":
        raise ValueError("its inputSchema is no object")
    if len(json.dumps(value, ensure_ascii=False)) > MAX_SCHEMA_CHARACTERS:
        raise ValueError(f"its inputSchema has more than {MAX_SCHEMA_CHARACTERS} characters")
    # The dialect is ignored: all are checked as 2020-12, which accepts what tools usually have.
    members = {name: part for name, part in value.items() if name != "$schema"}
    schema: dict[str, Any] = {"properties": {}} | members | {"type": "object", "additionalProperties": False}
    try:
        problem = schema_problem(schema)
    except RecursionError:
        problem = "it is nested too deeply"
    properties = schema["properties"]
    if problem is None and not all(isinstance(part, dict) for part in properties.values()):
        problem = "every property needs a schema"
    if problem is None and not set(schema.get("required", ())) <= properties.keys():
        problem = "what is required is no property"
    if problem:
        raise ValueError(f"its inputSchema can't be used: {problem}")
    return schema


def _checkable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that arguments are validated with, without defaults: the server fills them in."""
    parts = schema["properties"].items()
    bare = {name: {key: one for key, one in part.items() if key != "default"} for name, part in parts}
    # A malicious regular expression could hold up this process.
    checkable: dict[str, Any] = without_keywords(schema | {"properties": bare}, _PATTERNS)
    return checkable


def _value(result: Mapping[str, Any], host: str) -> Any:
    """Return structured content, or else the texts, parsed where they are JSON."""
    content = result.get("content")
    texts = [_block(block) for block in (content if isinstance(content, list) else []) if isinstance(block, Mapping)]
    text = "\n\n".join(filter(None, texts))
    if result.get("isError") is True:
        raise ToolFailedError(f"{host} failed: {text[:MAX_REASON_LENGTH]}" if text else f"{host} failed")
    value = result.get("structuredContent")
    if not isinstance(value, dict):
        value = _parsed(text) or DONE
    # The result goes into a paid model's prompt.
    if len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) > MAX_RESULT_CHARACTERS:
        raise PayloadTooLargeError(
            f"Its answer is longer than {MAX_RESULT_CHARACTERS} characters", suggestion="Ask for less at once."
        )
    return value


def _block(block: Mapping[str, Any]) -> str:
    """Return a block of content as text; pictures and sounds are only named."""
    kind, resource = block.get("type"), block.get("resource")
    if kind == "text":
        return str(block.get("text", ""))
    if kind == "resource" and isinstance(resource, Mapping):
        return str(resource.get("text") or resource.get("uri", ""))
    if kind == "resource_link":
        return " ".join(str(block[name]) for name in ("name", "uri") if block.get(name))
    return f"({kind} of type {block.get('mimeType', 'unknown')}, not shown)"


def _parsed(text: str) -> Any:
    if not text.startswith(("{", "[")):
        return text
    try:
        return finite_json(text)
    except ValueError:
        return text
