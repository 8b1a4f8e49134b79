"""The system prompt, built from the sections in this package.

A section is a module with `order: int` and `render(facts: PromptFacts) -> str`; empty texts are left out. Those with an
order up to `LAST_STABLE` are the same in every turn of a tenant, so that providers can cache them with the tools.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import lru_cache

from aisha.application.prompt.facts import OnDemand, PromptFacts

__all__ = ["OnDemand", "PromptFacts", "build_prompt", "join_sections", "render_sections", "sections", "stable_sections"]

LAST_STABLE = 60
"""The highest order of the sections that depend on the tenant alone."""

Section = Callable[[PromptFacts], str]


@lru_cache(maxsize=1)
def sections() -> tuple[tuple[str, Section], ...]:
    """Return name and renderer of every section, in the prompt's order."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    ordered = sorted((module for module in modules if hasattr(module, "order")), key=lambda module: module.order)
    return tuple((module.__name__.rsplit(".", 1)[-1], module.render) for module in ordered)


@lru_cache(maxsize=1)
def stable_sections() -> frozenset[str]:
    """Return the names of the sections that are the same in every turn of a tenant."""
    modules = {name: importlib.import_module(f"{__name__}.{name}") for name, _ in sections()}
    return frozenset(name for name, module in modules.items() if module.order <= LAST_STABLE)


def build_prompt(facts: PromptFacts) -> str:
    """Return the system prompt of one turn."""
    return join_sections(render_sections(facts))


def join_sections(rendered: Iterable[tuple[str, str]]) -> str:
    """Return the texts of rendered sections as one prompt."""
    return "\n\n".join(text for _, text in rendered)


def render_sections(facts: PromptFacts) -> list[tuple[str, str]]:
    """Return name and text of each section that is not empty, then the attached blocks under the name `attached`."""
    rendered = [(name, render(facts)) for name, render in sections()]
    rendered.append(("attached", "\n".join(facts.on_demand.blocks)))
    return [(name, text) for name, text in rendered if text]
