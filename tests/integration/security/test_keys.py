"""Providers' keys as secrets: read when needed, rotated without a restart, and absent without a crash."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from aisha.adapters.llm.apis.keyed_chat import KeyedChatModel
from aisha.domain.crm.records import Record
from aisha.domain.errors import ModelUnavailableError, NotFoundError, UnavailableError
from aisha.domain.models import ModelRequest, TextChunk
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import assert_problem, call, chat
from tests.fakes.models.model_server import Answer
from tests.fakes.world import ALICE, World
from tests.support.providers import ANSWERS, QUESTION, REPLY, Providers, ask

IN_SECRETS = "openai_api_key"


class Vault:
    """A `SecretStore` that records the names it is asked for, and does not answer while `is_away`."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {IN_SECRETS: "the first key"}
        self.is_away = False
        self.asked: list[str] = []

    def get(self, name: str) -> str:
        self.asked.append(name)
        if self.is_away:
            raise UnavailableError("Secrets Manager did not answer")
        if name not in self.values:
            raise NotFoundError(f"There is no secret {name!r}")
        return self.values[name]

    fresh = get

    def put(self, name: str, value: str) -> None:
        self.values[name] = value


class ScriptedSdk:
    """A model that replies with its key."""

    def __init__(self, key: str) -> None:
        self.key, self.is_closed = key, False

    def stream(self, request: ModelRequest) -> Iterator[TextChunk]:
        yield TextChunk(self.key)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def vault(world: World) -> Vault:
    store = Vault()
    world.use(secrets=store)
    return store


@pytest.fixture
def providers(crm: dict[str, Record], world: World, tmp_path: Path) -> Iterator[Providers]:
    with closing(Providers(tmp_path, world)) as servers:
        yield servers


def use_secret_key(providers: Providers, *answers: Answer) -> None:
    providers.serve("openai", *answers)
    providers.use(OPENAI_API_KEY="", AISHA_SETTINGS_IN_SECRETS=IN_SECRETS)


def test_a_key_is_read_from_the_secrets_when_the_model_is_asked(providers: Providers, vault: Vault) -> None:
    use_secret_key(providers, *ANSWERS)
    assert vault.asked == []
    body = ask()
    assert (body["response"], body["provider"], body["degraded"]) == (REPLY, "openai", False)
    assert set(vault.asked) == {IN_SECRETS}


def test_the_environment_goes_before_the_secrets(providers: Providers, vault: Vault) -> None:
    providers.serve("openai", *ANSWERS)
    providers.use(AISHA_SETTINGS_IN_SECRETS=IN_SECRETS)
    assert ask()["provider"] == "openai"
    assert vault.asked == []


@pytest.mark.parametrize("why", ["away", "missing"])
def test_without_the_key_the_planner_answers_and_says_so(providers: Providers, vault: Vault, why: str) -> None:
    use_secret_key(providers, *ANSWERS)
    vault.is_away = why == "away"
    vault.values.pop(IN_SECRETS)
    body = ask(message="Show me the lead Jack Russel")
    assert (body["provider"], body["degraded"]) == ("offline", True)
    assert "Jack Russel" in body["response"]
    assert any("key can't be read" in warning for warning in body["warnings"])
    assert providers.servers["openai"].requests == []


def test_a_key_that_is_there_again_or_rotated_is_used_at_once() -> None:
    keys: list[str | Exception] = [UnavailableError("away"), "first", "first", "second"]
    models: list[ScriptedSdk] = []

    def read() -> str:
        if isinstance(key := keys.pop(0), Exception):
            raise key
        return key

    def make(key: str) -> ScriptedSdk:
        models.append(ScriptedSdk(key))
        return models[-1]

    model, request = KeyedChatModel("openai", read, make), cast("ModelRequest", None)
    with pytest.raises(ModelUnavailableError, match="its key can't be read"):
        model.stream(request)
    replies = [[event.text for event in model.stream(request) if isinstance(event, TextChunk)] for _ in range(3)]
    assert replies == [["first"], ["first"], ["second"]]
    assert [scripted.key for scripted in models] == ["first", "second"]
    model.close()
    assert models[-1].is_closed


def test_an_embedder_without_its_key_is_unavailable(providers: Providers, vault: Vault) -> None:
    providers.use(AISHA_SETTINGS_IN_SECRETS=IN_SECRETS, AISHA_EMBEDDER="openai")
    vault.is_away = True
    body = assert_problem(
        call("embedding", "POST", "/api/ai/embedding", ALICE, '{"input": ["Hello"]}'), 503, "unavailable"
    )
    assert body["retryable"] is True


def test_health_needs_no_secret(providers: Providers, vault: Vault) -> None:
    use_secret_key(providers)
    vault.is_away = True
    assert call("health", "GET", "/health").status == 200
    assert vault.asked == []


# --- settings


def test_tenants_providers_can_be_one_list() -> None:
    config = read_settings(
        {"AISHA_TENANT_PROVIDERS": "ACME=anthropic, GLOBEX=openai", "LLM_PROVIDER__TENANT_ACME": "groq"}
    )
    assert config.tenant_providers == {"ACME": "groq", "GLOBEX": "openai"}


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"AISHA_SETTINGS_IN_SECRETS": "records_table"}, "settings_in_secrets"),
        ({"AISHA_CORS_ORIGINS": "https://app.abc.example/page"}, "without a path"),
        ({"AISHA_EMBEDDER": "openai"}, "OPENAI_API_KEY"),
    ],
)
def test_wrong_settings_are_refused_at_the_start(environment: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_settings(environment)


def test_an_embedder_and_a_memory_may_have_what_they_need_among_the_secrets() -> None:
    config = read_settings(
        {
            "AISHA_EMBEDDER": "openai",
            "AISHA_MEMORY": "opensearch",
            "AISHA_SETTINGS_IN_SECRETS": "openai_api_key,opensearch_endpoint",
        }
    )
    assert config.has("openai_api_key")
    assert config.has("opensearch_endpoint")


# --- pages of other origins

PAGE = "https://app.abc.example"


@pytest.mark.parametrize(("origin", "allowed"), [(PAGE, PAGE), ("https://evil.example", None)])
def test_answers_name_the_page_that_may_read_them(
    crm: dict[str, Record],
    world: World,
    origin: str,
    allowed: str | None,
) -> None:
    world.use(settings=read_settings({"AISHA_CORS_ORIGINS": PAGE}))
    streamed = chat({"message": QUESTION}, ALICE, headers={"origin": origin})
    refused = chat("no JSON", ALICE, headers={"origin": origin})
    plain = call("crm", "GET", "/api/crm/lead", ALICE, headers={"Origin": origin})
    unknown = call("crm", "GET", "/api/crm/lead/none", ALICE, headers={"Origin": origin})
    answers = (streamed, refused, plain, unknown)
    assert [answer.status for answer in answers] == [200, 400, 200, 404]
    for answer in answers:
        assert answer.headers.get("access-control-allow-origin") == allowed
        assert answer.headers["vary"] == "Origin"
