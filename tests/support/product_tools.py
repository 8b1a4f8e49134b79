"""The tools of the product, found once for all tests of a process."""

from functools import cache

from aisha.application.tooling import ToolRegistry, discover


@cache
def product_tools() -> ToolRegistry:
    return discover("aisha.tools")
