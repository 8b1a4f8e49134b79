"""The chat model that needs no key: see planner.py."""

from aisha.adapters.llm.offline.planner import OfflinePlanner

__all__ = ["OfflinePlanner"]
