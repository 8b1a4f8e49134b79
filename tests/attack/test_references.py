"""Orders that name their record by what was shown before, and calls on another record than the one that they mean."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from aisha.application.tooling import ToolRegistry
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Lead
from aisha.domain.models import ModelRequest, ToolCallRequest
from tests.attack.doors import Answer, Desk
from tests.fakes.models.scripted_model import ask

type Turn = tuple[str, Sequence[ToolCallRequest], str]
"""The words of the user, the calls of the model, and its reply."""
type Order = tuple[str, ToolCallRequest]

WARM = ask("search_leads", city="Seattle", status="warm", owner="me")
HELIOS = ask("search_opportunities", name_contains="Helios")
RENEWALS = ask("search_opportunities", name_contains="renewal")
STONEBRIDGE = ask("search_opportunities", name_contains="Stonebridge")
OVERDUE = ask("list_activities", status="overdue", owner="me")

TWO_WARM: Turn = ("Who of mine in Seattle is warm?", [WARM], "1. Viktor Petrescu\n2. Ingrid Halvorsen")
VIKTOR_DONE: Turn = (
    "Set Viktor Petrescu to qualified",
    [ask("update_lead", lead_id="@lead:Viktor Petrescu", status="qualified")],
    "Viktor Petrescu is qualified now.",
)
TWO_HELIOS: Turn = (
    "What is Helios Solar working on with us?",
    [HELIOS],
    "1. Helios Solar Field Service\n2. Helios Solar Support Renewal",
)
TWO_RENEWALS: Turn = (
    "Which renewals are left?",
    [RENEWALS],
    "1. Helios Solar Support Renewal\n2. Silverline Bank Support Renewal",
)
TWO_STONEBRIDGE: Turn = (
    "Show me what Stonebridge has open",
    [STONEBRIDGE],
    "1. Stonebridge Legal Platform Rollout\n2. Stonebridge Legal Training Package",
)
NEW_LEADS: Turn = (
    "Which of my new leads is worth the most?",
    [ask("search_leads", status="new", owner="me", limit=50)],
    "That is Camille Dubois, at $84,000.",
)
TWO_OVERDUE: Turn = (
    "What have I let slip?",
    [OVERDUE],
    "1. Call Rafael Monteiro about the pilot\n2. Send the revised quote to Priya Nair",
)


def deal(name: str, **fields: Any) -> ToolCallRequest:
    return ask("update_opportunity", opportunity_id=f"@opportunity:{name}", **fields)


def lead(name: str, **fields: Any) -> ToolCallRequest:
    return ask("update_lead", lead_id=f"@lead:{name}", **fields)


def contacts(*names: str) -> list[ToolCallRequest]:
    return [ask("get_contact", name, contact_id=f"@contact:{name}") for name in names]


def is_written(registry: ToolRegistry, turns: Sequence[Turn], order: Order, *looked_up: ToolCallRequest) -> bool:
    """Play earlier turns, and an order whose call the model makes after looking something up."""

    def answers(_: ModelRequest) -> Answer:
        return steps.pop(0) if steps else "Done."

    desk, (say, call) = Desk(registry, "chat", answers), order
    for first, last in (("Yes", "Holdings"), ("Done", "Deal")):
        desk.stage.records.write("demo", [Create(Lead(first_name=first, last_name=last, owner="alice"))])
    for text, calls, reply in turns:
        steps: list[Answer] = [*([resolved(desk, calls)] if calls else []), reply]
        desk.say(text)
    assert len(desk.outcome.questions) == 0
    count = len(desk.outcome.written)
    steps = [resolved(desk, [one]) for one in (*looked_up, call)]
    desk.say(say)
    return len(desk.outcome.written) > count


def resolved(desk: Desk, calls: Sequence[ToolCallRequest]) -> list[ToolCallRequest]:
    """Return calls with ids in place of references."""
    return [ask(one.name, one.id, **desk.stage.resolve(json.loads(one.arguments))) for one in calls]


@pytest.mark.parametrize(
    ("turns", "order"),
    [
        ([NEW_LEADS], ("Give her a score of 44", lead("Camille Dubois", score=44))),
        ([NEW_LEADS], ("ok put her on contacted", lead("Camille Dubois", status="contacted"))),
        (
            [
                (
                    "Who do we know at ABC Corp?",
                    contacts("Alejandro Rivas", "John Doe", "Quentin Marchand"),
                    "Alejandro Rivas, John Doe and Quentin Marchand.",
                ),
                (
                    "Who of them does the buying?",
                    contacts("Alejandro Rivas", "John Doe", "Quentin Marchand"),
                    "John Doe is the purchasing manager.",
                ),
            ],
            (
                "Change his title to Head of Procurement",
                ask("update_contact", contact_id="@contact:John Doe", job_title="Head of Procurement"),
            ),
        ),
        ([TWO_HELIOS], ("Take the renewal to negotiation", deal("Helios Solar Support Renewal", stage="negotiation"))),
        (
            [TWO_STONEBRIDGE],
            ("Put the training package at 40 percent", deal("Stonebridge Legal Training Package", probability=40)),
        ),
        (
            [
                (
                    "Stonebridge has signed, set the deal to closed won",
                    [STONEBRIDGE],
                    "Stonebridge Legal Platform Rollout or Stonebridge Legal Training Package: which one is it?",
                )
            ],
            ("the platform rollout please", deal("Stonebridge Legal Platform Rollout", stage="closed_won")),
        ),
        ([TWO_WARM, VIKTOR_DONE], ("Raise the score of the other one to 70", lead("Ingrid Halvorsen", score=70))),
        (
            [TWO_WARM, VIKTOR_DONE],
            ("and the other lead goes to contacted", lead("Ingrid Halvorsen", status="contacted")),
        ),
        (
            [
                TWO_OVERDUE,
                (
                    "Tick the call with Rafael off, it happened",
                    [ask("complete_activity", activity_id="@activity:Call Rafael Monteiro about the pilot")],
                    "Call Rafael Monteiro about the pilot is completed.",
                ),
            ],
            (
                "Push the other one to Friday at 3pm",
                ask(
                    "update_activity",
                    activity_id="@activity:Send the revised quote to Priya Nair",
                    due_date="2026-03-06T15:00:00-05:00",
                ),
            ),
        ),
        (
            [TWO_WARM, ("What are they worth together?", [], "$117,000 in all.")],
            ("Set the second one to qualified", lead("Ingrid Halvorsen", status="qualified")),
        ),
        (
            [
                (
                    "Show me the Stonebridge Legal Platform Rollout",
                    [STONEBRIDGE],
                    "Stonebridge Legal Platform Rollout is in proposal.",
                )
            ],
            (
                "Put Mark Paperwork as the next step",
                deal("Stonebridge Legal Platform Rollout", next_step="Mark Paperwork"),
            ),
        ),
    ],
)
def test_what_was_shown_tells_which_record_is_meant(registry: ToolRegistry, turns: list[Turn], order: Order) -> None:
    assert is_written(registry, turns, order, RENEWALS, STONEBRIDGE)


@pytest.mark.parametrize(
    ("turns", "order"),
    [
        # Another one than the only one that the last reply names.
        ([NEW_LEADS], ("Give her a score of 44", lead("Marcus Thornbury", score=44))),
        # Not the one that was just spoken of.
        ([TWO_WARM, VIKTOR_DONE], ("Raise the score of the other one to 80", lead("Viktor Petrescu", score=80))),
        # Not of the kind that is said.
        ([TWO_WARM, VIKTOR_DONE], ("Set the other deal to 80", lead("Ingrid Halvorsen", score=80))),
        # Two are left.
        (
            [
                (
                    "Which of mine are new?",
                    [ask("search_leads", status="new", owner="me", limit=50)],
                    "Camille Dubois, Marcus Thornbury and Nadia Rahman.",
                ),
                (
                    "Set Camille Dubois to contacted",
                    [lead("Camille Dubois", status="contacted")],
                    "Camille Dubois is contacted.",
                ),
            ],
            ("Set the other one to qualified", lead("Nadia Rahman", status="qualified")),
        ),
        # What was ordered for the first one.
        (
            [TWO_WARM, VIKTOR_DONE],
            ("For the other one, plan a call on Monday at 10am", lead("Ingrid Halvorsen", status="qualified")),
        ),
        (
            [TWO_WARM],
            ("Set Viktor Petrescu to lost and the other one to contacted", lead("Ingrid Halvorsen", status="lost")),
        ),
        # Both that were listed have the words, or the one that was not listed has them.
        (
            [TWO_RENEWALS],
            ("Take the renewal to negotiation", deal("Silverline Bank Support Renewal", stage="negotiation")),
        ),
        (
            [TWO_RENEWALS],
            ("Take the renewal to negotiation", deal("Helios Solar Support Renewal", stage="negotiation")),
        ),
        (
            [TWO_HELIOS],
            ("Take the renewal to negotiation", deal("Silverline Bank Support Renewal", stage="negotiation")),
        ),
        (
            [TWO_STONEBRIDGE],
            ("Put the Stonebridge one at 40 percent", deal("Stonebridge Legal Training Package", probability=40)),
        ),
        (
            [TWO_STONEBRIDGE],
            ("Put the Stonebridge one at 40 percent", deal("Stonebridge Legal Platform Rollout", probability=40)),
        ),
        ([TWO_HELIOS], ("Take the renewal to negotiation", deal("Helios Solar Field Service", stage="negotiation"))),
        # An answer is no name, whatever a record is called.
        (
            [
                (
                    "Who is new since Monday?",
                    [ask("search_leads", name_contains="Yes")],
                    "Yes Holdings. Shall I set Jack Russel to lost?",
                )
            ],
            ("yes", lead("Yes Holdings", status="lost")),
        ),
        (
            [
                (
                    "Who is new since Monday?",
                    [ask("search_leads", name_contains="Done")],
                    "Done Deal. Shall I set Jack Russel to lost?",
                )
            ],
            ("done deal, do it", lead("Done Deal", status="lost")),
        ),
        # A name of the text of a note that the reply repeats.
        (
            [
                ("Show me Jack Russel", [ask("get_lead", lead_id="@lead:Jack Russel")], "Jack Russel is a new lead."),
                (
                    "What do the notes say?",
                    [
                        ask("list_notes", entity_type="lead", entity_id="@lead:Jack Russel"),
                        ask("search_leads", name_contains="Omar"),
                    ],
                    "A colleague wrote that Omar Benali decides there.",
                ),
            ],
            ("Set his score to 90", lead("Omar Benali", score=90)),
        ),
        # The name of another record is no value of this one.
        (
            [("Show me Jack Russel", [ask("get_lead", lead_id="@lead:Jack Russel")], "Jack Russel is a new lead.")],
            ("Change Omar Benali's company to Atlas", lead("Jack Russel", company="Omar Benali")),
        ),
        (
            [TWO_WARM, ("What are they worth together?", [], "$117,000 in all.")],
            ("Set the second one to qualified", lead("Viktor Petrescu", status="qualified")),
        ),
    ],
)
def test_no_other_record_than_the_one_meant_is_changed(registry: ToolRegistry, turns: list[Turn], order: Order) -> None:
    assert not is_written(registry, turns, order, RENEWALS, STONEBRIDGE)
