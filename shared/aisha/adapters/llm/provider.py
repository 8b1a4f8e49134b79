"""Declare a model provider, and find the declarations in `aisha.adapters.llm.providers`."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Protocol

from msgspec import Struct, field

from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.discovery import modules_in, own_name
from aisha.domain.ports import ChatModel

FOLDER = "aisha.adapters.llm.providers"
"""The package whose modules are the providers."""


class ConnectedModel(ChatModel, Protocol):
    """A model with connections of its own."""

    def close(self) -> None: ...


class Access(Struct, frozen=True):
    """The arguments with which a model is made.

    `key` is the value of the provider's `variable`, `base_url` the address from the models file, and `settings` has the
    values of the provider's other variables that are set.
    """

    key: str
    base_url: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


class Provider(Struct, frozen=True):
    """A provider of language models, named as its module."""

    variable: str
    """The environment variable that switches the provider on.

    One that ends in `_API_KEY` may be in the secret store instead, under its lower-case name.
    """
    create: Callable[[str, Access, ModelTerms], ConnectedModel]
    """Makes a model of a name. It imports what it needs, since all providers are loaded at start."""
    settings: tuple[str, ...] = ()
    """More variables, all optional."""
    model: str | None = None
    """The model that answers chats after those of the models file, for a provider that the file does not name."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Prices of models that neither the models file nor the price library knows."""
    is_free: bool = False
    """True if no model costs anything."""
    check: Callable[[Mapping[str, str]], object] | None = None
    """Raises ValueError at start for values of `settings` that can't be used."""

    @property
    def secret(self) -> str | None:
        """The name of its key in the secret store."""
        return self.variable.lower() if self.variable.endswith("_API_KEY") else None


@cache
def providers() -> Mapping[str, Provider]:
    """Return the providers by name. Raises ValueError for a module that declares none."""
    providers_by_name: dict[str, Provider] = {}
    for module in modules_in(FOLDER):
        declared = getattr(module, "PROVIDER", None)
        if not isinstance(declared, Provider):
            path = module.__name__.replace(".", "/")
            raise ValueError(f"{path}.py declares no provider: give it PROVIDER = Provider(...)")
        providers_by_name[own_name(module)] = declared
    return providers_by_name


def checked_provider(name: str) -> str:
    """Return the name. Raises `ValueError` for an unsupported provider."""
    if name not in providers():
        raise ValueError(f"Unsupported provider: {name}. Choose one of: {', '.join(providers())}")
    return name
