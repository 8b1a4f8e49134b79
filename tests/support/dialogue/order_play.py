"""Scripted calls on Jack Russel, for tests of what an order covers."""

from typing import Any

from tests.fakes.models.scripted_model import ask
from tests.support.dialogue.scripted_play import Play

JACK = "Jack Russel"
OTHER = "other@abc.example"
OTHER_MEANT = "I'm not sure that you mean “Jack Russel”"


def update(play: Play, **fields: Any) -> list[Any]:
    return [ask("update_lead", lead_id=play.id_of(f"lead:{JACK}"), **fields)]


def deal(play: Play, **fields: Any) -> list[Any]:
    return [ask("update_opportunity", opportunity_id=play.id_of("opportunity:ABC Corp Annual License"), **fields)]


def task(play: Play, title: str) -> list[Any]:
    lead = {"entity_type": "lead", "entity_id": play.id_of(f"lead:{JACK}")}
    return [ask("create_activity", **lead, title=title, activity_type="task")]


def status_of(play: Play) -> str:
    return str(play.records.get("demo", "lead", play.id_of(f"lead:{JACK}")).status)  # type: ignore[attr-defined]
