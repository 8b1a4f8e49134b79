"""The models file, and who can be asked with which keys."""

from datetime import date
from pathlib import Path

import pytest

from aisha.adapters.llm.catalog import ModelCatalog, ModelRef, load_catalog
from aisha.adapters.llm.prices import known_price
from aisha.adapters.llm.providers.ollama import server_url
from aisha.adapters.llm.terms import Price
from aisha.bootstrap import Services
from aisha.bootstrap.models import MODELS
from aisha.settings import SettingsError, read_settings, settings

KEYS = {
    "OPENAI_API_KEY": "sk-1",
    "ANTHROPIC_API_KEY": "sk-2",
    "GROQ_API_KEY": "sk-3",
    "GEMINI_API_KEY": "sk-4",
    "BEDROCK_REGION": "eu-central-1",
    "OLLAMA_BASE_URL": "http://127.0.0.1:11434",
}
TODAY = date(2026, 12, 1)
FILE = """
[capabilities]
chat_tools = [{ provider = "openai", model = "a" }]
"""
LUNA = FILE + '[[models]]\nprovider = "openai"\nmodel = "gpt-6-luna"\n'
A = FILE + '[[models]]\nprovider = "openai"\nmodel = "a"\n'


def catalog_in(folder: Path, text: str) -> ModelCatalog:
    (folder / "models.toml").write_text(text, encoding="utf-8")
    return load_catalog(folder / "models.toml")


def names(capability: str, environment: dict[str, str]) -> list[str]:
    services = Services(settings=read_settings(environment))
    return [link.name for link in services.model_chains.chain(capability)]


# --- the packaged file


@pytest.mark.parametrize(
    ("capability", "providers"),
    [
        ("chat_tools", ["openai", "anthropic", "groq", "gemini", "bedrock", "bedrock", "ollama"]),
        ("chat_light", ["openai", "anthropic", "groq", "gemini", "bedrock", "ollama"]),
        ("json_strict", ["openai", "bedrock"]),
        ("realtime_voice", ["openai"]),
        ("router", ["openai", "bedrock"]),
        ("embedding", ["openai", "bedrock"]),
    ],
)
def test_each_capability_has_its_chain_in_order(capability: str, providers: list[str]) -> None:
    assert [name.partition(":")[0] for name in names(capability, KEYS)] == providers


def test_every_model_that_costs_something_has_a_price_and_all_come_from_the_library() -> None:
    catalog = load_catalog(MODELS)
    refs = {ref for chain in catalog.capabilities.values() for ref in chain}
    refs |= {ModelRef(provider=provider, model=model) for provider, model in catalog.defaults.items()}
    paid = [ref for ref in refs if ref.provider != "ollama"]
    assert len(paid) >= 8
    for ref in paid:
        price = catalog.terms(ref, TODAY).price
        assert price is not None, ref
        assert price.input > 0, ref
        assert price == known_price(ref.provider, ref.model, TODAY)
    assert not [entry for entry in catalog.models if entry.price], "a price that is typed by hand grows old"


def test_a_price_in_the_file_comes_before_the_library_s(tmp_path: Path) -> None:
    catalog = catalog_in(tmp_path, LUNA + "price = { input = 7, output = 9, cached_input = 1 }\n")
    assert catalog.terms(ModelRef(provider="openai", model="gpt-6-luna"), TODAY).price == Price(7, 9, 1)


def test_a_model_that_is_listed_for_something_else_keeps_the_library_s_price(tmp_path: Path) -> None:
    terms = catalog_in(tmp_path, LUNA + "max_output = 100\n").terms(
        ModelRef(provider="openai", model="gpt-6-luna"), TODAY
    )
    assert terms.max_output == 100
    assert terms.price is not None


def test_what_is_not_listed_at_all_has_the_library_s_price(tmp_path: Path) -> None:
    price = catalog_in(tmp_path, FILE).terms(ModelRef(provider="openai", model="gpt-4o-2024-11-20"), TODAY).price
    assert price is not None
    assert (price.input, price.output, price.cached_input) == (2.5, 10, 1.25)


def test_the_model_that_is_asked_first_can_call_tools_by_chat_completions() -> None:
    catalog = load_catalog(MODELS)
    first = catalog.chain("chat_tools")[0]
    assert catalog.terms(first, TODAY).options == {"reasoning_effort": "none"}


# --- keys


def test_a_provider_without_a_key_is_left_out() -> None:
    assert names("chat_tools", {}) == []
    keys = {name: KEYS[name] for name in ("GROQ_API_KEY", "OLLAMA_BASE_URL")}
    assert names("chat_tools", keys) == ["groq:openai/gpt-oss-120b", "ollama:ministral-3:14b"]
    assert names("json_strict", keys) == []


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, "offline"),
        ({"ANTHROPIC_API_KEY": "sk-2"}, "anthropic:claude-sonnet-5-5"),
        ({"OPENAI_API_KEY": "sk-1", "AISHA_OPENAI_MODEL": "gpt-4o"}, "openai:gpt-4o"),
    ],
)
def test_what_answers_first_has_a_name(environment: dict[str, str], name: str) -> None:
    assert Services(settings=read_settings(environment)).model_name == name


@pytest.mark.parametrize("address", ["http://127.0.0.1:11434", "http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1"])
def test_ollama_s_address_may_have_its_path_or_not(address: str) -> None:
    assert server_url(address) == "http://127.0.0.1:11434/v1"


def test_keys_are_not_shown() -> None:
    assert not any(key in repr(read_settings(KEYS)) for key in ("sk-1", "sk-2", "sk-3", "sk-4"))


# --- another file


def test_another_file_takes_the_place_of_the_packaged_one(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(FILE, encoding="utf-8")
    environment = KEYS | {"AISHA_MODELS_FILE": str(tmp_path / "models.toml")}
    assert names("chat_tools", environment) == ["openai:a"]
    assert names("chat_light", environment) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (FILE.replace("openai", "acme"), "capabilities.chat_tools.0.provider: Unsupported provider: acme"),
        (FILE + '[defaults]\nacme = "x"\n', "defaults: Unsupported provider: acme"),
        (FILE + "[[models]]\n", "models.0.provider: Field required"),
        (FILE.replace("chat_tools", "chat_more"), "capabilities.chat_more"),
        ("[capabilities]\n", "chat_tools needs at least one model"),
        (FILE + "[[models]", "is not TOML"),
        (
            FILE + '[[models]]\nprovider = "groq"\nmodel = "b"\nprice = { input = -1, output = 1 }\n',
            "models.0.price.input: Input should be greater than or equal to 0",
        ),
    ],
)
def test_an_invalid_file_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "models.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"models\.toml") as raised:
        load_catalog(tmp_path / "models.toml")
    assert reason in str(raised.value)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="AISHA_MODELS_FILE: there is no file /nowhere"):
        load_catalog(Path("/nowhere"))


# --- tenants


def test_a_tenant_s_provider_is_read_from_the_environment() -> None:
    config = read_settings({"LLM_PROVIDER__TENANT_DEMO": "groq", "LLM_PROVIDER__TENANT_OTHER": ""})
    assert config.tenant_providers == {"DEMO": "groq"}


def test_an_unknown_provider_stops_the_start() -> None:
    services = Services(settings=read_settings({"LLM_PROVIDER__TENANT_DEMO": "acme"}))
    with pytest.raises(ValueError, match=r"Unsupported provider: acme\. Choose one of: anthropic, bedrock, "):
        services.check_models()


def test_a_tenant_s_provider_without_a_key_stops_the_start_too() -> None:
    services = Services(settings=read_settings({"OPENAI_API_KEY": "sk-1", "LLM_PROVIDER__TENANT_DEMO": "groq"}))
    with pytest.raises(ValueError, match=r"Tenant DEMO is to be served by groq.*set GROQ_API_KEY, and name a model"):
        _ = services.chat_model


# --- what stops the start


def test_a_tenant_s_provider_that_the_file_has_no_model_of_stops_it_whatever_keys_there_are(tmp_path: Path) -> None:
    keys = {"OPENAI_API_KEY": "sk-1", "ANTHROPIC_API_KEY": "sk-2", "AISHA_TENANT_PROVIDERS": "ACME=anthropic"}
    with pytest.raises(ValueError, match=r"Tenant ACME is to be served by anthropic.*name a model of it") as raised:
        start_with(tmp_path, FILE, **keys)
    assert "not set" not in str(raised.value)


def start_with(tmp_path: Path, text: str, **environment: str) -> None:
    (tmp_path / "models.toml").write_text(text, encoding="utf-8")
    environment |= {"AISHA_MODELS_FILE": str(tmp_path / "models.toml")}
    Services(settings=read_settings(environment)).check_models()


def test_a_paid_model_without_a_known_price_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"price of openai:a is unknown.*price = \{"):
        start_with(tmp_path, FILE, OPENAI_API_KEY="sk-1")


@pytest.mark.parametrize("text", [A + "price = { input = 1, output = 2 }\n", A + "price = { input = 0, output = 0 }\n"])
def test_a_price_in_the_file_lets_it_start(tmp_path: Path, text: str) -> None:
    start_with(tmp_path, text, OPENAI_API_KEY="sk-1")


def test_what_can_t_be_asked_needs_no_price(tmp_path: Path) -> None:
    start_with(tmp_path, FILE)


def test_ollama_s_models_need_none(tmp_path: Path) -> None:
    text = FILE.replace("openai", "ollama")
    start_with(tmp_path, text, OLLAMA_BASE_URL="http://127.0.0.1:11434")


def test_another_openai_model_by_its_setting_needs_one_too() -> None:
    services = Services(settings=read_settings({"OPENAI_API_KEY": "sk-1", "AISHA_OPENAI_MODEL": "acme-1"}))
    with pytest.raises(ValueError, match="price of openai:acme-1 is unknown"):
        services.check_models()


def test_a_provider_s_default_needs_one_too(tmp_path: Path) -> None:
    text = FILE.replace('"a"', '"gpt-4o"') + '[defaults]\nopenai = "acme-1"\n'
    with pytest.raises(ValueError, match="price of openai:acme-1 is unknown"):
        start_with(tmp_path, text, OPENAI_API_KEY="sk-1")


def test_a_wrong_variable_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AISHA_SETTINGS_IN_SECRETS", "records_table")
    with pytest.raises(SettingsError) as raised:
        settings.__wrapped__()
    assert str(raised.value) == (
        "settings_in_secrets: records_table is in no secret: name keys such as openai_api_key, or opensearch_endpoint"
    )
