"""The composition root: overrides are used, services are built from them, and built services are closed."""

import pytest

from aisha.bootstrap import Services
from aisha.domain.errors import UnavailableError
from aisha.settings import read_settings
from infra.admin.data import reindex
from tests.fakes.models.scripted_model import ScriptedModel
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.world import World


def test_built_services_use_the_overrides() -> None:
    world, model = World(), ScriptedModel()
    services = world.use(chat_model=model)
    deps = services.turn_dependencies
    assert (deps.model, deps.records, deps.clock) == (model, world.records, world.clock)
    assert services.tenant_plans.of("demo").name == "standard"
    world.close()


def test_none_overrides_the_service_of_the_settings() -> None:
    settings = read_settings({"AISHA_QUEUE": "in_process"})
    assert Services(settings=settings).work_queue is not None
    assert Services(settings=settings, work_queue=None).work_queue is None


def test_replaced_services_share_overrides_and_nothing_that_was_built() -> None:
    clock = FixedClock()
    services = Services(settings=read_settings({}), clock=clock, entries=InMemoryEntryRepository(clock))
    other = services.replace(settings=read_settings({"AISHA_ASSISTANT_NAME": "Ann"}))
    assert other.entries is services.entries
    assert other.tenant_plans is not services.tenant_plans
    assert (services.settings.assistant_name, other.settings.assistant_name) == ("AiSHA", "Ann")


def test_closing_ends_only_the_threads_that_were_built() -> None:
    world = World()
    workers = world.services.turn_dependencies.workers
    assert workers.submit(int).result() == 0
    world.close()
    with pytest.raises(RuntimeError):
        workers.submit(int)
    Services().close()


def test_work_that_waits_is_done_before_the_end() -> None:
    services = Services(settings=read_settings({"AISHA_QUEUE": "in_process"}))
    queue = services.work_queue
    assert queue is not None
    queue.send("memory", {"tenant": ""})
    services.close()
    assert [name for name, _ in queue.dead] == ["memory"]  # type: ignore[attr-defined]


def test_memory_is_not_rebuilt_where_there_is_none() -> None:
    with pytest.raises(UnavailableError, match="not set up"):
        reindex(World().services, "demo", "alice")
