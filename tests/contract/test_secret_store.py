"""Contract of `WritableSecretStore`: the environment's and Secrets Manager's."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from moto import mock_aws

from aisha.adapters.secrets import secrets_manager
from aisha.adapters.secrets.environment import EnvironmentSecretStore
from aisha.adapters.secrets.secrets_manager import SecretsManagerSecretStore
from aisha.domain.errors import NotFoundError, UnavailableError
from aisha.domain.ports import WritableSecretStore
from aisha.settings import read_settings

REGION = "eu-central-1"
MakeStore = Callable[[dict[str, str]], WritableSecretStore]


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        yield


def in_environment(values: dict[str, str]) -> WritableSecretStore:
    return EnvironmentSecretStore(
        read_settings({f"AISHA_SECRET__{name}": value for name, value in values.items()}).secrets
    )


def in_secrets_manager(values: dict[str, str]) -> SecretsManagerSecretStore:
    client = boto3.client("secretsmanager", region_name=REGION)
    for name, value in values.items():
        client.create_secret(Name=f"aisha/{name}", SecretString=value)
    return SecretsManagerSecretStore("aisha/", REGION)


@pytest.mark.usefixtures("aws")
@pytest.mark.parametrize("make_store", [in_environment, in_secrets_manager])
def test_a_secret_by_its_name(make_store: MakeStore) -> None:
    store = make_store({"ERP_TOKEN": "s3cret", "OTHER": "x"})
    assert [store.get("ERP_TOKEN"), store.get("OTHER"), store.get("ERP_TOKEN")] == ["s3cret", "x", "s3cret"]
    with pytest.raises(NotFoundError, match="MISSING"):
        store.get("MISSING")


@pytest.mark.usefixtures("aws")
@pytest.mark.parametrize("make_store", [in_environment, in_secrets_manager])
def test_a_secret_is_replaced_where_it_exists(make_store: MakeStore) -> None:
    store = make_store({"CRM_ACME": "r1"})
    store.put("CRM_ACME", "r2")
    assert [store.get("CRM_ACME"), store.fresh("CRM_ACME")] == ["r2", "r2"]
    with pytest.raises(NotFoundError, match="MISSING"):
        store.put("MISSING", "x")


@pytest.mark.usefixtures("aws")
def test_another_processs_replacement_is_read_afresh() -> None:
    store = in_secrets_manager({"CRM_ACME": "r1"})
    assert store.get("CRM_ACME") == "r1"
    SecretsManagerSecretStore("aisha/", REGION).put("CRM_ACME", "r2")
    assert [store.get("CRM_ACME"), store.fresh("CRM_ACME"), store.get("CRM_ACME")] == ["r1", "r2", "r2"]


def test_settings_show_no_secret() -> None:
    settings = read_settings({"AISHA_SECRET__ERP_TOKEN": "s3cret", "AISHA_SECRETS": "nothing to read"})
    assert list(settings.secrets) == ["ERP_TOKEN"]
    assert "s3cret" not in f"{settings!r} {settings.model_dump_json()}"


@pytest.mark.usefixtures("aws")
def test_a_rotated_secret_is_read_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(secrets_manager, "monotonic", lambda: now[0])
    store = in_secrets_manager({"ERP_TOKEN": "old"})
    assert store.get("ERP_TOKEN") == "old"
    boto3.client("secretsmanager", region_name=REGION).put_secret_value(SecretId="aisha/ERP_TOKEN", SecretString="new")
    now[0] += timedelta(minutes=4).total_seconds()
    assert store.get("ERP_TOKEN") == "old"
    now[0] += timedelta(minutes=2).total_seconds()
    assert store.get("ERP_TOKEN") == "new"


@pytest.mark.usefixtures("aws")
def test_a_store_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    store = in_secrets_manager({})

    def fails(**_: str) -> None:
        raise EndpointConnectionError(endpoint_url="https://secretsmanager.example.com")

    monkeypatch.setattr(store._client, "get_secret_value", fails)
    with pytest.raises(UnavailableError):
        store.get("ERP_TOKEN")


@pytest.mark.usefixtures("aws")
def test_a_secret_that_was_read_is_used_while_the_store_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    now, tries = [1000.0], 0
    monkeypatch.setattr(secrets_manager, "monotonic", lambda: now[0])
    store = in_secrets_manager({"ERP_TOKEN": "s3cret"})
    assert store.get("ERP_TOKEN") == "s3cret"

    def fails(**_: str) -> None:
        nonlocal tries
        tries += 1
        raise EndpointConnectionError(endpoint_url="https://secretsmanager.example.com")

    monkeypatch.setattr(store._client, "get_secret_value", fails)
    now[0] += timedelta(minutes=30).total_seconds()
    assert [store.get("ERP_TOKEN"), store.get("ERP_TOKEN")] == ["s3cret", "s3cret"]
    assert tries == 1, "the store is not asked at each request"
    now[0] += timedelta(hours=1).total_seconds()
    with pytest.raises(UnavailableError):
        store.get("ERP_TOKEN")


@pytest.mark.usefixtures("aws")
@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("AccessDeniedException", r"secretsmanager:GetSecretValue \(and kms:Decrypt\) for aisha/ERP_TOKEN"),
        ("DecryptionFailure", r"kms:Decrypt\) for aisha/ERP_TOKEN"),
        ("InvalidRequestException", "Restore aisha/ERP_TOKEN"),
        ("ThrottlingException", "Try again"),
    ],
)
def test_a_refusal_of_aws_names_the_secret_and_the_remedy(
    monkeypatch: pytest.MonkeyPatch, code: str, remedy: str
) -> None:
    store = in_secrets_manager({})

    def refuses(**_: str) -> None:
        raise ClientError({"Error": {"Code": code, "Message": "no"}}, "GetSecretValue")

    monkeypatch.setattr(store._client, "get_secret_value", refuses)
    with pytest.raises(UnavailableError, match=f"ERP_TOKEN.*{code}") as caught:
        store.get("ERP_TOKEN")
    assert re.search(remedy, caught.value.suggestion or "")
