"""Tools without code: a JSON file maps a tool to an endpoint of the customer's own API."""

from aisha.adapters.http_tools.http_tool import http_tools

__all__ = ["http_tools"]
