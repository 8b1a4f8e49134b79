"""Who answers: the chain of the capability, the tenant's provider, what the user asked for by name."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from aisha.application.models.failover import Circuits, FailoverModel, Link
from aisha.domain.errors import InvalidInputError, ModelNotSetUpError, ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest
from aisha.domain.ports import ChatModel

JSON_CAPABILITY = "json_strict"


def tenant_key(tenant: str) -> str:
    """A tenant as the name of an environment variable has it: capitals, digits and underscores."""
    return re.sub(r"[^A-Z0-9]", "_", tenant.upper())


class ModelChoice:
    """A `ChatModel` that asks the chain of the request's capability.

    `chains` are by capability, of models that can be asked here. `defaults` are by provider: what it answers a tenant
    with whose provider it is when the chain does not have it. `tenant_provider` gives a tenant's, None for one that has
    none, and raises `UnavailableError` when it can't say: then no provider is asked. `last_resort` ends the chains of `chat_...` capabilities and needs no provider.
    """

    def __init__(
        self,
        chains: Mapping[str, Sequence[Link]],
        last_resort: Link,
        defaults: Mapping[str, Link] | None = None,
        tenant_provider: Callable[[str], str | None] = lambda _: None,
        circuits: Circuits | None = None,
    ) -> None:
        self._chains = chains
        self._last_resort = last_resort
        self._defaults = defaults or {}
        self._tenant_provider = tenant_provider
        self._circuits = circuits

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """As `FailoverModel`. Raises `InvalidInputError` when the request names what it may not ask for."""
        links = self.links(request)
        if request.capability == JSON_CAPABILITY:
            request = replace(request, json_mode=True)
        return FailoverModel(links, self._circuits).stream(request)

    def links(self, request: ModelRequest) -> list[Link]:
        """Those that are asked, in order. Raises `InvalidInputError`, and `ModelNotSetUpError` when there is none."""
        links = self._of_tenant(request.capability, request.scene.principal.tenant)
        is_chat = request.capability.startswith("chat_")
        if request.provider or request.model:
            links = [_asked_for(request, [*links, self._last_resort] if is_chat else links), *links]
        if is_chat and not request.json_mode:  # the last resort writes no JSON
            links = [*links, self._last_resort]
        if not links:
            raise ModelNotSetUpError(f"No model is set up for {request.capability}. Set a provider's key.")
        return _until(self._last_resort, list(dict.fromkeys(links)))

    def _of_tenant(self, capability: str, tenant: str) -> list[Link]:
        """The tenant's own provider alone when it has one: its data goes to nobody else."""
        chain = list(self._chains.get(capability, ()))
        try:
            provider = self._tenant_provider(tenant)
        except UnavailableError:
            return [_refused("unknown", "Which model provider your organization chose can't be read now")]
        if provider is None:
            return chain
        own = [link for link in chain if link.provider == provider]
        without_key = f"{provider} is your organization's model provider, but it is not set up here"
        return own or [self._defaults.get(provider) or _refused(provider, without_key)]


def _refused(provider: str, reason: str) -> Link:
    """In the place of a tenant's provider that can't be asked: what follows in the chain is `degraded`, and says why."""

    def refuse() -> ChatModel:
        raise ModelUnavailableError(reason)

    return Link(provider, "default", refuse)


def _asked_for(request: ModelRequest, known: Sequence[Link]) -> Link:
    for link in known:
        if request.provider in (None, link.provider) and request.model in (None, link.model):
            return link
    choices = ", ".join(dict.fromkeys(link.name for link in known))
    wanted = ":".join(filter(None, (request.provider, request.model)))
    raise InvalidInputError(
        f"{wanted} can't be asked here. Leave it out, or choose one of these (provider:model): {choices}.",
        pointer="/provider" if request.provider else "/model",
    )


def _until(last: Link, links: Sequence[Link]) -> list[Link]:
    """Nobody comes after the last resort: it always answers."""
    return list(links[: links.index(last) + 1]) if last in links else list(links)
