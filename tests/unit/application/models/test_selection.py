"""Choice of models: the capability's chain, the tenant's provider, the user's choice by name."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from aisha.application.models.failover import ChainEntry
from aisha.application.models.selection import ModelSelector, TenantProviders, tenant_key
from aisha.application.tenants.plans import Plan, TenantPlans
from aisha.application.tenants.profile_cache import TenantProfiles
from aisha.domain.entries import PROFILE
from aisha.domain.errors import InvalidInputError, ModelUnavailableError, UnavailableError
from aisha.domain.models import Caller, ModelFinished, ModelMessage, ModelRequest, TextChunk
from aisha.domain.principal import Principal
from aisha.domain.rate_limits import RateLimits
from tests.fakes.models.scripted_model import ScriptedModel
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository

CALLER = Caller(Principal("demo", "alice"), datetime(2026, 3, 2, tzinfo=UTC))
DOWN = ModelUnavailableError("openai did not answer: it is out of order")
CHAINS = {
    "chat_tools": ("openai:large", "anthropic:sonnet", "groq:oss"),
    "chat_light": ("openai:small", "anthropic:haiku"),
    "json_strict": ("openai:small",),
    "router": (),
}


class Asked:
    """Models that answer with their own name, unless they are down; `down` are provider names."""

    def __init__(
        self,
        chains: Mapping[str, Sequence[str]] = CHAINS,
        down: Sequence[str] = (),
        tenant_provider: Callable[[str], str | None] | None = None,
        **providers: str,
    ) -> None:
        self.models: dict[str, ScriptedModel] = {}
        links = {capability: [self._link(name, down) for name in names] for capability, names in chains.items()}
        defaults = {"gemini": self._link("gemini:flash", down), "openai": self._link("openai:small", down)}
        self.choice = ModelSelector(
            links,
            self._link("offline:planner-1", ()),
            defaults,
            tenant_provider or (lambda tenant: providers.get(tenant_key(tenant))),
        )

    def _link(self, name: str, down: Sequence[str]) -> ChainEntry:
        provider, _, model = name.partition(":")
        self.models[name] = ScriptedModel(*[DOWN if provider in down else name] * 9)
        return ChainEntry(provider, model, lambda: self.models[name])

    def ask(
        self,
        tenant: str = "demo",
        capability: str = "chat_tools",
        provider: str | None = None,
        model: str | None = None,
    ) -> str:
        """Return the answer, followed by `degraded` if it is."""
        caller = replace(CALLER, principal=Principal(tenant, "alice"))
        requested = ModelRequest([ModelMessage("user", "Hello")], (), caller, time.monotonic() + 20, capability)
        *texts, finished = self.choice.stream(replace(requested, provider=provider, model=model))
        assert isinstance(finished, ModelFinished)
        text = "".join(event.text for event in texts if isinstance(event, TextChunk))
        return f"{text} degraded" if finished.degraded else text


def test_a_capability_has_its_own_chain() -> None:
    requested = Asked()
    assert [requested.ask(capability=name) for name in ("chat_tools", "chat_light", "json_strict")] == [
        "openai:large",
        "openai:small",
        "openai:small",
    ]


def test_the_chain_is_asked_in_order_and_ends_with_the_planner() -> None:
    assert Asked(down=["openai"]).ask() == "anthropic:sonnet degraded"
    assert Asked(down=["openai", "anthropic"]).ask() == "groq:oss degraded"
    assert Asked(down=["openai", "anthropic", "groq"]).ask() == "offline:planner-1 degraded"


def test_without_any_provider_the_planner_is_the_first_and_so_not_degraded() -> None:
    assert Asked({}).ask() == "offline:planner-1"


def test_what_needs_a_real_model_is_not_given_to_the_planner() -> None:
    with pytest.raises(ModelUnavailableError, match="No language model is set up for the capability router"):
        Asked().ask(capability="router")
    with pytest.raises(ModelUnavailableError, match="it is out of order"):
        Asked(down=["openai"]).ask(capability="json_strict")


def test_json_strict_asks_for_json() -> None:
    requested = Asked()
    requested.ask(capability="json_strict")
    requested.ask()
    assert [requested.models[name].requests[-1].json_mode for name in ("openai:small", "openai:large")] == [True, False]


# --- a tenant's provider


def test_a_tenant_s_provider_alone_has_its_data() -> None:
    requested = Asked(DEMO="groq")
    assert (requested.ask("demo"), requested.ask("other")) == ("groq:oss", "openai:large")
    assert Asked(DEMO="groq", down=["groq"]).ask("demo") == "offline:planner-1 degraded"


def test_a_tenant_s_provider_that_a_chain_does_not_have_answers_with_its_default() -> None:
    requested = Asked(DEMO="gemini")
    assert requested.ask("demo") == "gemini:flash"
    assert requested.ask("demo", "json_strict") == "gemini:flash"


def test_a_tenant_s_provider_without_a_key_is_replaced_by_nobody_else_s() -> None:
    requested = Asked(DEMO="ollama")
    assert requested.ask("demo") == "offline:planner-1 degraded"
    with pytest.raises(ModelUnavailableError, match="ollama is your organization's model provider, but it is not set"):
        requested.ask("demo", "json_strict")


def test_a_tenant_whose_provider_nobody_can_tell_is_answered_by_no_provider() -> None:
    def away(_: str) -> str | None:
        raise UnavailableError("The profiles do not answer.")

    assert Asked(tenant_provider=away).ask("demo") == "offline:planner-1 degraded"


def test_a_tenant_may_not_ask_for_another_provider_than_its_own() -> None:
    with pytest.raises(InvalidInputError, match="groq:oss, offline:planner-1"):
        Asked(DEMO="groq").ask("demo", provider="openai")


@pytest.mark.parametrize(
    ("tenant", "key"),
    [
        ("demo", "DEMO"),
        ("8f14e45f-ceea-467f-9575-1d2a2f8e0c11", "8F14E45F_CEEA_467F_9575_1D2A2F8E0C11"),
        ("a.b c", "A_B_C"),
    ],
)
def test_a_tenant_s_key_can_be_the_name_of_a_variable(tenant: str, key: str) -> None:
    assert tenant_key(tenant) == key


# --- by name


@pytest.mark.parametrize(
    ("provider", "model", "answers"),
    [
        ("anthropic", None, "anthropic:sonnet"),
        (None, "oss", "groq:oss"),
        ("groq", "oss", "groq:oss"),
        ("offline", None, "offline:planner-1"),
        (None, "planner-1", "offline:planner-1"),
    ],
)
def test_who_is_named_answers_first(provider: str | None, model: str | None, answers: str) -> None:
    assert Asked().ask(provider=provider, model=model) == answers


def test_the_rest_of_the_chain_stands_behind_who_was_named() -> None:
    assert Asked(down=["anthropic"]).ask(provider="anthropic") == "openai:large degraded"
    assert Asked(down=["openai", "anthropic"]).ask(provider="anthropic") == "groq:oss degraded"


@pytest.mark.parametrize(
    ("provider", "model", "pointer"),
    [
        ("acme", None, "/provider"),
        ("gemini", None, "/provider"),
        ("openai", "sonnet", "/provider"),
        (None, "gpt-2", "/model"),
        (None, "small", "/model"),
    ],
)
def test_who_is_not_in_the_chain_is_refused_with_those_that_are(
    provider: str | None, model: str | None, pointer: str
) -> None:
    with pytest.raises(
        InvalidInputError, match="openai:large, anthropic:sonnet, groq:oss, offline:planner-1"
    ) as raised:
        Asked().ask(provider=provider, model=model)
    assert (raised.value.status, raised.value.pointer) == (422, pointer)


# --- whose provider a tenant has


def tenant_providers(entries: InMemoryEntryRepository, *, reads_profiles: bool = True) -> TenantProviders:
    plans = TenantPlans(TenantProfiles(entries, FixedClock()), Plan("standard", RateLimits(), 1.0))
    return TenantProviders({"ACME_CORP": "groq"}, lambda: plans, reads_profiles=reads_profiles)


def test_the_provider_that_is_named_for_a_tenant_goes_before_its_profile_s() -> None:
    entries = InMemoryEntryRepository(FixedClock())
    for tenant in ("acme-corp", "globex"):
        entries.put(tenant, None, PROFILE, PROFILE, {"provider": "openai"})
    provider_of = tenant_providers(entries)
    assert [provider_of(tenant) for tenant in ("acme-corp", "globex", "initech")] == ["groq", "openai", None]


def test_without_a_provider_to_choose_no_profile_is_read() -> None:
    entries = InMemoryEntryRepository(FixedClock())
    entries.put("globex", None, PROFILE, PROFILE, {"provider": "openai"})
    assert tenant_providers(entries, reads_profiles=False)("globex") is None
