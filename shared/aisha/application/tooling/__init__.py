"""The typed tool framework: a tool is a function with `@tool`, or a method with it in a `@toolkit` class.

The signature gives the schema, the docstring is the description for models, and the gate enforces the decorator's
options. A new file in `aisha/tools/` adds a tool.
"""

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.decorators import tool, toolkit
from aisha.application.tooling.discovery import discover
from aisha.application.tooling.gate.policy import Decision, decide
from aisha.application.tooling.registry import ToolRegistry
from aisha.application.tooling.tenant_stores import TenantRecords

__all__ = ["Decision", "TenantRecords", "ToolContext", "ToolRegistry", "decide", "discover", "tool", "toolkit"]
