"""Files of HTTP tools, and the errors in invalid ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.http_tools.definition import HttpToolFile
from aisha.adapters.http_tools.endpoint import read_files
from aisha.domain.tools import FollowUp
from tests.unit.adapters.conftest import Registered

EXAMPLE = Path(__file__).parents[3] / "http_tools" / "find_shipments.json"
NAMED = {"properties": {"id": {"type": "string"}}, "required": ["id"]}


def write(folder: Path, file_name: str, **members: Any) -> None:
    """Write the example with other members; None removes a member."""
    file = json.loads(EXAMPLE.read_text(encoding="utf-8")) | members
    content = {key: value for key, value in file.items() if value is not None}
    (folder / file_name).write_text(json.dumps(content), encoding="utf-8")


def test_the_example_is_short_and_valid() -> None:
    (file,) = read_files(EXAMPLE.parent, HttpToolFile)
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 10
    assert (file.name, file.effective_access, file.effective_confirmation) == ("find_shipments", "read", "none")
    assert file.request_headers == {"Authorization": "Bearer {secret}"}


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"colour": "red"}, "colour is not known here; leave it out"),
        ({"name": None}, "name is missing"),
        ({"name": "Find Orders"}, "name must be lower-case letters"),
        ({"description": ""}, "description should have at least 1"),
        ({"method": "BREW"}, "method should be"),
        ({"parameters": {"type": "array"}}, "closed object"),
        ({"parameters": {"additionalProperties": True}}, "closed object"),
        ({"parameters": {"properties": {"customer": {"type": "text"}}}}, "parameters: "),
        ({"parameters": {"properties": {"customer": {"$ref": "https://example.com/s.json"}}}}, "is not supported"),
        ({"parameters": {"properties": {"customer": {"$ref": "#/$defs/nothing"}}}}, "leads nowhere"),
        ({"parameters": {"properties": {"customer": True}}}, "'customer' needs a schema"),
        ({"parameters": {"properties": {}, "required": ["customer"]}}, "'customer' is required, but no parameter"),
        ({"parameters": {"properties": {"tenant": {}}}}, "'tenant' can't be a parameter"),
        ({"parameters": {"properties": {"customer": {}}}}, "path: {customer} must be required"),
        ({"parameters": None}, "path: {customer} is no parameter"),
        ({"query": {"q": "{text}"}}, "query: {text} is no parameter"),
        ({"method": "POST", "body": {"a": ["{text}"]}}, "body: {text} is no parameter"),
        ({"headers": {"X-Key": "{customer}"}}, "headers: {customer} is none of secret, tenant, user"),
        ({"headers": {"X-Key": "{secret}"}, "secret": None}, "headers: {secret} needs the name of the secret"),
        ({"headers": {"X-Key": "a\r\nb: c"}}, "one line of ASCII"),
        ({"headers": {"host": "example.com"}}, "'host' is set by the client"),
        ({"path": "/orders"}, "parameters: 'customer' is used in neither"),
        ({"path": "orders/{customer}"}, "path must begin with /"),
        ({"path": "/../{customer}"}, "path may hold"),
        ({"path": "/{customer}?a=b"}, "path may hold"),
        ({"body": {}}, "body: a GET has none"),
        ({"method": "DELETE", "access": "read"}, "access: a DELETE"),
        ({"url": "ftp://erp.example.com"}, "url must be like"),
        ({"url": "https://ann:pw@erp.example.com"}, "password"),
        ({"url": "https://erp.example.com/?a=b"}, "url must be without query"),
        ({"url": "https://{customer}.example.com"}, "url must be"),
        ({"url": "https://erp.example.com:99999"}, "url"),
        ({"url": "http://erp.example.com"}, "plain http is for private networks"),
        ({"url": "https://rival.example.com"}, "'rival.example.com' is not in allowed_hosts"),
        ({"allowed_hosts": []}, "allowed_hosts should have"),
        ({"allowed_hosts": ["erp.example.com", "https://x"]}, "'https://x' is no host name"),
        ({"secret": "a-b"}, "secret must be the name of a secret, such as ERP_TOKEN, and not its value"),
        ({"timeout_seconds": 21}, "timeout_seconds should be"),
        ({"max_response_bytes": 0}, "max_response_bytes should be"),
        ({"typical_followups": [{"txt": "x"}]}, "typical_followups.0"),
    ],
)
def test_an_invalid_file_is_refused_with_the_reason(tmp_path: Path, members: dict[str, Any], words: str) -> None:
    write(tmp_path, "tool.json", **members)
    with pytest.raises(ValueError, match=r"tool\.json: ") as error:
        read_files(tmp_path, HttpToolFile)
    assert words in str(error.value)


def test_every_invalid_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{broken", encoding="utf-8")
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    write(tmp_path, "c.json")
    write(tmp_path, "d.json")
    with pytest.raises(ValueError, match=r"a\.json") as error:
        read_files(tmp_path, HttpToolFile)
    assert [word for word in ("a.json", "b.json", "both define 'find_shipments'") if word not in str(error.value)] == []


@pytest.mark.parametrize(
    ("members", "access", "confirmation"),
    [
        ({"method": "GET"}, "read", "none"),
        ({"method": "GET", "access": "write"}, "write", "none"),
        ({"method": "POST"}, "write", "none"),
        ({"method": "POST", "access": "read"}, "read", "none"),
        ({"method": "POST", "access": "external"}, "external", "destructive"),
        ({"method": "DELETE"}, "delete", "destructive"),
        ({"method": "PUT", "confirmation": "always"}, "write", "always"),
    ],
)
def test_access_follows_from_the_method(
    registered: Registered, members: dict[str, Any], access: str, confirmation: str
) -> None:
    (spec,) = registered("http://127.0.0.1:1", **members).specs()
    assert (spec.access, spec.confirmation) == (access, confirmation)


def test_an_http_tool_has_a_spec_like_any_tool(registered: Registered) -> None:
    registry = registered(
        "http://127.0.0.1:1",
        path="/orders/{id}",
        parameters=NAMED,
        module="orders",
        always=True,
        examples=["where is order {id}"],
        typical_followups=["What should I do next?", {"text": "Tell me about {name}", "tool": "get_account"}],
    )
    (spec,) = registry.specs()
    assert spec.required == ("id",)
    assert (spec.module, spec.always, spec.examples) == ("orders", True, ("where is order {id}",))
    assert spec.typical_followups[1] == FollowUp("Tell me about {name}", tool="get_account")
    assert registry.get_openai_tools("api")[0]["function"]["parameters"]["properties"].keys() == spec.properties.keys()
    assert registry.get_always_tools("api") == (spec,)
