"""The models file: which model serves which capability; `assets/models.toml` is the packaged one."""

import tomllib
from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from aisha.adapters.llm.prices import known_price
from aisha.adapters.llm.provider import checked_provider, providers
from aisha.adapters.llm.terms import ModelTerms, Price

Capability = Literal["chat_tools", "chat_light", "json_strict", "realtime_voice", "router", "embedding"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelRef(_Part):
    """A model by its provider's name for it."""

    provider: str
    model: str = Field(min_length=1)

    @field_validator("provider", mode="before")
    @classmethod
    def _check_provider(cls, value: Any) -> Any:
        return checked_provider(value) if isinstance(value, str) else value


class _Prices(_Part):
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)


class _Entry(ModelRef):
    price: _Prices | None = None
    temperature: bool = True
    options: dict[str, Any] = Field(default_factory=dict)
    max_output: int = Field(default=8192, ge=1)


class ModelCatalog(_Part):
    """Chains by capability, each provider's default model, addresses, and models' terms."""

    capabilities: dict[Capability, tuple[ModelRef, ...]]
    defaults: dict[str, str] = Field(default_factory=dict)
    base_urls: dict[str, str] = Field(default_factory=dict)
    models: tuple[_Entry, ...] = ()

    @field_validator("defaults", "base_urls", mode="before")
    @classmethod
    def _check_provider(cls, value: Any) -> Any:
        return {checked_provider(name): entry for name, entry in value.items()} if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _can_talk(self) -> Self:
        if not self.capabilities.get("chat_tools"):
            raise ValueError("capabilities.chat_tools needs at least one model")
        return self

    def chain(self, capability: str) -> tuple[ModelRef, ...]:
        """Return the models of a capability, the preferred one first; none for one that the file does not have."""
        return next((chain for name, chain in self.capabilities.items() if name == capability), ())

    def terms(self, ref: ModelRef, day: date) -> ModelTerms:
        """Return a model's terms by the file; without a price there, with the known one of that day (UTC) or None."""
        entry = next(
            (entry for entry in self.models if (entry.provider, entry.model) == (ref.provider, ref.model)), None
        )
        if entry is not None and entry.price is not None:
            price: Price | None = Price(**entry.price.model_dump())
        else:
            # The library's price comes first; a provider's own list has what the library lacks.
            price = known_price(ref.provider, ref.model, day) or providers()[ref.provider].prices.get(ref.model)
        if entry is None:
            return ModelTerms(price)
        return ModelTerms(price, entry.temperature, entry.options, entry.max_output)


def load_catalog(path: Path) -> ModelCatalog:
    """Load the catalog from a TOML file. Raises ValueError that names the file and the error in it."""
    try:
        return ModelCatalog.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ValueError(f"AISHA_MODELS_FILE: there is no file {path}") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise ValueError(f"{path}: {where}: {problem['msg'].removeprefix('Value error, ')}") from None
