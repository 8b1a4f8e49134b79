"""Choice of the models that are asked: the capability's chain, the tenant's provider, the user's choice by name."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.models.failover import ChainEntry, CircuitBreaker, FailoverModel
from aisha.application.tenants.plans import TenantPlans
from aisha.domain.errors import InvalidInputError, ModelNotSetUpError, ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest
from aisha.domain.ports import ChatModel

JSON_CAPABILITY = "json_strict"


def tenant_key(tenant: str) -> str:
    """Return the tenant as in the name of an environment variable: capitals, digits and underscores."""
    return re.sub(r"[^A-Z0-9]", "_", tenant.upper())


class TenantProviders:
    """The only provider of each tenant, if it has one: the one in `by_setting`, else its profile's.

    Tenants are named as by `tenant_key`. Profiles are read only with `reads_profiles`: without any provider there is
    nothing to choose.
    """

    def __init__(
        self, by_setting: Mapping[str, str], plans: Callable[[], TenantPlans], *, reads_profiles: bool = True
    ) -> None:
        self._by_setting, self._plans, self._reads_profiles = by_setting, plans, reads_profiles

    def __call__(self, tenant: str) -> str | None:
        """Return the provider, or None. Raises `UnavailableError` when the profile can't be read."""
        provider = self._by_setting.get(tenant_key(tenant))
        return provider or (self._plans().provider_of(tenant) if self._reads_profiles else None)


class ModelSelector:
    """A `ChatModel` that asks the chain of the request's capability.

    `chains` are by capability, of models that can be asked here. `defaults` are by provider: its model for a tenant
    that has this provider when the chain does not name it. `tenant_provider` returns a tenant's, None for one that has
    none, and raises `UnavailableError` when it can't be read: then no provider is asked. `fallback` ends the chains of
    `chat_...` capabilities and needs no provider.
    """

    def __init__(
        self,
        chains: Mapping[str, Sequence[ChainEntry]],
        fallback: ChainEntry,
        defaults: Mapping[str, ChainEntry] | None = None,
        tenant_provider: Callable[[str], str | None] = lambda _: None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        self._chains = chains
        self._fallback = fallback
        self._defaults = defaults or {}
        self._tenant_provider = tenant_provider
        self._breaker = breaker

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """See `FailoverModel.stream`. Raises `InvalidInputError` for a provider or model that can't be asked here."""
        entries = self.entries(request)
        if request.capability == JSON_CAPABILITY:
            request = replace(request, json_mode=True)
        return FailoverModel(entries, self._breaker).stream(request)

    def entries(self, request: ModelRequest) -> list[ChainEntry]:
        """Return the entries to ask, in order.

        Raises `InvalidInputError`, and `ModelNotSetUpError` when there is none.
        """
        entries = self._tenant_chain(request.capability, request.caller.principal.tenant)
        is_chat = request.capability.startswith("chat_")
        if request.provider or request.model:
            # The requested model comes first; the chain follows in case that it fails.
            entries = [_requested(request, [*entries, self._fallback] if is_chat else entries), *entries]
        if is_chat and not request.json_mode:  # The fallback writes no JSON.
            entries = [*entries, self._fallback]
        if not entries:
            problem = (
                "an answer as JSON" if request.capability == JSON_CAPABILITY else f"the capability {request.capability}"
            )
            raise ModelNotSetUpError(
                f"No language model is set up for {problem}. Set a provider's key, such as OPENAI_API_KEY."
            )
        # Without duplicates: the requested entry is usually in the chain as well.
        return _until(self._fallback, list(dict.fromkeys(entries)))

    def _tenant_chain(self, capability: str, tenant: str) -> list[ChainEntry]:
        """Return the tenant's own provider alone when it has one: no other may get its data."""
        chain = list(self._chains.get(capability, ()))
        try:
            provider = self._tenant_provider(tenant)
        except UnavailableError:
            return [_refused("unknown", "Which model provider your organization chose can't be read now")]
        if provider is None:
            return chain
        of_provider = [entry for entry in chain if entry.provider == provider]
        without_key = f"{provider} is your organization's model provider, but it is not set up here"
        # Never another provider, even if this one cannot be asked: the tenant chose who gets its data.
        return of_provider or [self._defaults.get(provider) or _refused(provider, without_key)]


class ModelChoice(Struct, frozen=True):
    """A model that a request can name."""

    provider: str
    model: str
    is_free: bool


def model_choices(
    chain: Sequence[ModelChoice], default: Mapping[str, ModelChoice], provider: str | None, fallback: ModelChoice
) -> list[ModelChoice]:
    """Return what a request of a tenant can name, in the order in which it is asked; `provider` is its only one."""
    if provider is not None:
        of_provider = [choice for choice in chain if choice.provider == provider]
        chain = of_provider or [choice for name, choice in default.items() if name == provider]
    return [*chain, fallback]


def _refused(provider: str, reason: str) -> ChainEntry:
    """Return an entry that refuses every call with `reason`, so that the next entry's answer is `degraded`."""

    def refuse() -> ChatModel:
        raise ModelUnavailableError(reason)

    return ChainEntry(provider, "default", refuse)


def _requested(request: ModelRequest, entries: Sequence[ChainEntry]) -> ChainEntry:
    for entry in entries:
        if request.provider in (None, entry.provider) and request.model in (None, entry.model):
            return entry
    choices = ", ".join(dict.fromkeys(entry.name for entry in entries))
    requested = ":".join(filter(None, (request.provider, request.model)))
    problem = f"{requested} can't be asked here."
    if request.provider and request.provider not in {entry.provider for entry in entries}:
        problem = f"Unsupported provider: {request.provider}."
    choose = f"Leave it out, or choose one of these (provider:model): {choices}." if choices else "Leave it out."
    raise InvalidInputError(
        f"{problem} {choose}",
        pointer="/provider" if request.provider else "/model",
    )


def _until(last: ChainEntry, entries: Sequence[ChainEntry]) -> list[ChainEntry]:
    """Cut the chain after `last`, which always answers."""
    return list(entries[: entries.index(last) + 1]) if last in entries else list(entries)
