"""Fixtures of the chat function that is observed: its model, its log and its spans."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.tracing.otel import OpenTelemetryTracer
from aisha.bootstrap.models import MODELS
from aisha.domain.crm.records import Record
from aisha.observability import logger
from aisha.settings import read_settings
from tests.fakes.collectors import Collector
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.world import World
from tests.support.observed_turns import CALLS, REPLY


@pytest.fixture
def server(crm: dict[str, Record], world: World, tmp_path: Path) -> Iterator[ModelServer]:
    """Serve the chat function's model: an OpenAI that calls two searches and then answers."""
    file = tmp_path / "models.toml"
    with ModelServer(Answer(calls=CALLS), Answer(REPLY)) as model:
        say = model.play
        routed = Answer('{"tools": ["search_leads", "search_accounts"]}', usage=None)
        model.play = lambda body: routed if "response_format" in body else say(body)
        packaged = MODELS.read_text(encoding="utf-8")
        file.write_text(packaged.replace("[base_urls]\n", f'[base_urls]\nopenai = "{model.url}"\n'), encoding="utf-8")
        config = read_settings({"OPENAI_API_KEY": "sk-none", "AISHA_MODELS_FILE": str(file)})
        links = world.use(settings=config).model_chains
        world.use(model_chains=links)
        links.chain("chat_tools")[0].chat()  # Imports the SDK, which no test is to measure.
        yield model


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Yield a function that returns the log's lines so far, as CloudWatch gets them."""
    written, handler = io.StringIO(), logger.handlers[0]
    before = handler.setStream(written)  # type: ignore[attr-defined]
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    handler.setStream(before)  # type: ignore[attr-defined]


@pytest.fixture
def collected(world: World) -> Iterator[Collector]:
    """Yield a collector that gets the spans of the functions."""
    with Collector() as collector:
        tracer = OpenTelemetryTracer(collector.url, "ChatFunction")
        world.use(tracer=tracer)
        yield collector
        tracer.close()
