"""The typed tool framework: `@tool` on a function or on a method of a `@toolkit` class, and everything follows.

The signature is the schema, the docstring is what a model reads, the decorator's options are enforced by the gate.
Dropping a file into `aisha/tools/` is all it takes to add one.
"""

from aisha.application.tooling.context import TenantRecords, ToolContext
from aisha.application.tooling.decorators import tool, toolkit
from aisha.application.tooling.policy import Decision, decide
from aisha.application.tooling.registry import ToolRegistry, discover

__all__ = ["Decision", "TenantRecords", "ToolContext", "ToolRegistry", "decide", "discover", "tool", "toolkit"]
