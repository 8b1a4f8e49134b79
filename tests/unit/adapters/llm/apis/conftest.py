"""Fixtures for models over fake servers."""

from collections.abc import Iterator

import pytest

from tests.support.chat_models import APIS, Api
from tests.support.model_over_server import ModelOverServer


@pytest.fixture(autouse=True)
def _close_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Credentials that no AWS account has.
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDLOCAL")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    yield
    ModelOverServer.close_all()


@pytest.fixture(params=APIS, ids=lambda api: api.provider)
def api(request: pytest.FixtureRequest) -> Api:
    """Return each API in turn."""
    one_api: Api = request.param
    return one_api
