"""The system prompt: one module a section, put together by each module's `order`.

A section is a module here with `order: int` and `render(facts: PromptFacts) -> str`; an empty text is left out. What is
the same at every turn comes first, so that a provider can keep it in its cache.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import lru_cache

from aisha.application.prompt.facts import OnDemand, PromptFacts

__all__ = ["OnDemand", "PromptFacts", "build_prompt", "joined", "sections", "sections_of"]

Section = Callable[[PromptFacts], str]


@lru_cache(maxsize=1)
def sections() -> tuple[tuple[str, Section], ...]:
    """Name and renderer of every section, in the prompt's order."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    ordered = sorted((module for module in modules if hasattr(module, "order")), key=lambda module: module.order)
    return tuple((module.__name__.rsplit(".", 1)[-1], module.render) for module in ordered)


def build_prompt(facts: PromptFacts) -> str:
    """The system prompt of one turn."""
    return joined(sections_of(facts))


def joined(parts: Iterable[tuple[str, str]]) -> str:
    """The parts of a prompt as one text."""
    return "\n\n".join(text for _, text in parts)


def sections_of(facts: PromptFacts) -> list[tuple[str, str]]:
    """Name and text of each part of the prompt: the sections that have something to say, then what is attached."""
    parts = [(name, render(facts)) for name, render in sections()]
    parts.append(("attached", "\n".join(facts.on_demand.blocks)))
    return [(name, text) for name, text in parts if text]
