"""Fixtures for HTTP tools against a customer's API on a loopback port."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.http_tools import http_tools
from aisha.adapters.secrets.environment import EnvironmentSecretStore
from aisha.application.tooling import ToolContext, ToolRegistry
from aisha.application.tooling.context import make_context
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolResult
from aisha.settings import read_settings
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports

SECRET = 's3cr"et-token'
ANN = Principal("acme", "ann@acme.example", modules=frozenset(("orders",)), zone="Europe/Berlin")

type Call = Callable[..., ToolResult]
type Registered = Callable[..., ToolRegistry]


def context() -> ToolContext:
    """Return Ann's context, at 10:00 in Berlin on Monday, 2 March 2026."""
    return make_context(ANN, in_memory_ports(FixedClock()), "msg_1.0")


@pytest.fixture
def registered(tmp_path: Path) -> Registered:
    """Return a factory of registries with one file, which by default reads orders of an API on this machine."""

    def make(url: str, **members: Any) -> ToolRegistry:
        file = {
            "name": "find_orders",
            "description": "Find orders.",
            "method": "GET",
            "url": url,
            "path": "/orders",
            "allowed_hosts": ["127.0.0.1"],
            "allow_private": True,
        }
        (tmp_path / "tool.json").write_text(json.dumps(file | members), encoding="utf-8")
        secrets = read_settings({"AISHA_SECRET__CRM_TOKEN": SECRET}).secrets
        return ToolRegistry(http_tools(tmp_path, EnvironmentSecretStore(secrets)))

    return make


@pytest.fixture
def call(registered: Registered) -> Call:
    """Return a function that runs the only tool of a file, through the gate."""

    def run(url: str, arguments: dict[str, Any] | None = None, **members: Any) -> ToolResult:
        registry = registered(url, **members)
        return registry.call_tool(registry.specs()[0].name, arguments or {}, context())

    return run
