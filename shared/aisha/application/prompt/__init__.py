"""The system prompt, built from the modules of `sections`.

A section is a module with `order: int` and `render(facts: PromptFacts) -> str`, or a fixed `TEXT`; empty texts are left
out. Those with an order up to `LAST_STABLE` are the same in every turn of a tenant, so that providers can cache them
with the tools.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from types import ModuleType

from aisha.application.prompt import sections
from aisha.application.prompt.facts import OnDemand, PromptFacts
from aisha.domain.discovery import modules_in, own_name

__all__ = [
    "OnDemand",
    "PromptFacts",
    "build_prompt",
    "join_sections",
    "prompt_sections",
    "render_sections",
    "stable_sections",
]

LAST_STABLE = 60
"""The highest order of the sections that depend on the tenant alone."""

Section = Callable[[PromptFacts], str]


@lru_cache(maxsize=1)
def _modules() -> tuple[ModuleType, ...]:
    modules = list(modules_in(sections))
    for module in modules:
        # A section of an extension may have forgotten it; the error names its file.
        if not isinstance(module.order, int) or isinstance(module.order, bool):
            raise TypeError(f"{own_name(module)}.py: order must be a whole number: {module.order!r}")
        if hasattr(module, "TEXT") and hasattr(module, "render"):
            raise TypeError(f"{own_name(module)}.py: it has both TEXT and render(): leave one of them out")
        if hasattr(module, "TEXT") and not (isinstance(module.TEXT, str) and module.TEXT.strip()):
            raise TypeError(f"{own_name(module)}.py: TEXT must be a text that is not empty: {module.TEXT!r}")
    return tuple(sorted(modules, key=lambda module: module.order))


@lru_cache(maxsize=1)
def prompt_sections() -> tuple[tuple[str, Section], ...]:
    """Return name and renderer of every section, in the prompt's order."""
    return tuple((own_name(module), _renderer(module)) for module in _modules())


def _renderer(module: ModuleType) -> Section:
    return partial(_fixed_text, module) if hasattr(module, "TEXT") else module.render


def _fixed_text(module: ModuleType, facts: PromptFacts) -> str:  # noqa: ARG001 - the signature of a renderer
    return str(module.TEXT)


@lru_cache(maxsize=1)
def stable_sections() -> frozenset[str]:
    """Return the names of the sections that are the same in every turn of a tenant."""
    return frozenset(own_name(module) for module in _modules() if module.order <= LAST_STABLE)


def build_prompt(facts: PromptFacts) -> str:
    """Return the system prompt of one turn."""
    return join_sections(render_sections(facts))


def join_sections(rendered: Iterable[tuple[str, str]]) -> str:
    """Return the texts of rendered sections as one prompt."""
    return "\n\n".join(text for _, text in rendered)


def render_sections(facts: PromptFacts) -> list[tuple[str, str]]:
    """Return name and text of each section that is not empty, then the attached blocks under the name `attached`."""
    rendered = [(name, render(facts)) for name, render in prompt_sections()]
    # Last, since they change most: all before stays cached at the provider.
    rendered.append(("attached", "\n".join(facts.on_demand.blocks)))
    return [(name, text) for name, text in rendered if text]
