"""What to offer a user before anything was said: follow-ups and next actions for where the user is. Writes nothing."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel
from ulid import ULID

from aisha.application.requests.chat_request import (
    LOCALE,
    Label,
    RequestContext,
    RequestEntity,
    RequestMessage,
    TimeZone,
    is_zone,
)
from aisha.application.suggest.wording import Surroundings, worded
from aisha.application.tooling.context import ToolContext, make_context
from aisha.application.tooling.visibility import is_visible
from aisha.application.turn.entities import rank_entities
from aisha.application.turn.followups import MAX_FOLLOW_UPS, follow_ups, is_permitted
from aisha.application.turn.load import requested_records, with_requested
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversation import SessionEntity
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.principal import Principal
from aisha.domain.records import SUBJECT_TYPES
from aisha.domain.tools import FollowUp

MOST_MESSAGES = 6
"""The last messages that count, as in the prompt's recent conversation."""
ADVICE = "suggest_next_actions"
PAGES = (
    ("lead", FollowUp("Show me my warm leads", "🔥", "search_leads")),
    ("opportunit", FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary")),
    ("deal", FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary")),
    ("pipeline", FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary")),
    ("activit", FollowUp("What is on my plate today?", "🗓️", "get_my_day")),
    ("calendar", FollowUp("What is on my plate today?", "🗓️", "get_my_day")),
    ("contact", FollowUp("Show me my contacts", "👤", "search_contacts")),
    ("account", FollowUp("Show me my accounts", "🏢", "search_accounts")),
    ("goal", FollowUp("Show me my goals", "🎯", "get_goals")),
)
"""What is worth offering on a page whose name has the word in it."""


class SuggestRequest(DeferredModel):
    """Where the user is: records, page, last messages. All of it is optional; records are checked against the tenant."""

    model_config = ConfigDict(strict=True, alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    session_entities: Annotated[list[RequestEntity], Field(max_length=50)] | None = None
    page: Label | None = Field(None, description="Name or path of the page, e.g. leads.")
    context: RequestContext | None = Field(None, description="As in a chat request; its record comes first.")
    messages: Annotated[list[RequestMessage], Field(max_length=500)] | None = Field(
        None, description="The last messages, oldest first; six of them are looked at."
    )
    timezone: TimeZone | None = None
    locale: Annotated[str, Field(pattern=LOCALE, max_length=35)] | None = None

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None and not is_zone(value):
            raise ValueError("is not a time zone; send an IANA name such as Europe/Berlin")
        return value

    @property
    def place(self) -> str | None:
        """The page, whichever member says it."""
        return self.page or (self.context.page if self.context else None)

    def recent(self) -> Sequence[tuple[str, str]]:
        """`(role, text)` of the last messages by the user and the assistant."""
        texts = [(item.role, item.text) for item in self.messages or () if item.role in ("user", "assistant")]
        return [item for item in texts if item[1]][-MOST_MESSAGES:]


class Suggestions(Struct, frozen=True):
    """`next_actions` are as the tool gives them. `degraded`: the model that should have worded them could not."""

    items: Sequence[FollowUp]
    next_actions: Sequence[dict[str, Any]]
    provider: str
    degraded: bool
    warnings: Sequence[str]


def suggest(request: SuggestRequest, principal: Principal, deps: TurnDependencies) -> Suggestions:
    """Two to four follow-ups and up to three next actions; the rules alone when no model can word them."""
    caller = replace(
        principal,
        zone=request.timezone or principal.zone,
        locale=(request.locale or principal.locale).replace("_", "-"),
    )
    context = make_context(caller, deps.ports, f"suggest_{ULID()}")
    entities, warnings = _entities(request, caller, deps)
    actions = _next_actions(context, entities, deps)
    ruled = _ruled(request, entities, caller, deps)
    around = Surroundings(context, entities, ruled, actions, request.place, request.recent())
    wording = worded(around, deps)
    return Suggestions(
        items=_filled_up(wording.items, ruled),
        next_actions=actions,
        provider=wording.provider,
        degraded=wording.degraded,
        warnings=[*warnings, *wording.warnings],
    )


def _entities(
    request: SuggestRequest, principal: Principal, deps: TurnDependencies
) -> tuple[tuple[SessionEntity, ...], list[str]]:
    """The records that exist for the user, those that the messages name in front, and warnings about the others."""
    named = request.session_entities or []
    asked = requested_records(named, request.context, principal)
    read = deps.records.get_many(principal.tenant, asked) if asked else {}
    stored = {key: record for key, record in read.items() if is_visible(principal, record)}
    known = with_requested((), [stored[key] for _, key in asked if key in stored])
    warnings = [
        f"The record {entity.name or entity.id!r} of the request is not one you can use; it was left out."
        for entity in named
        if entity.id not in stored
    ]
    said = "\n".join(text for _, text in request.recent())
    return rank_entities((), said, known), warnings


def _next_actions(
    context: ToolContext, entities: Sequence[SessionEntity], deps: TurnDependencies
) -> list[dict[str, Any]]:
    """For the record in focus, else for the user's whole pipeline. None where the advice is not there for this user."""
    focus = next((entity for entity in entities if entity.type in SUBJECT_TYPES), None)
    arguments = {"entity_type": focus.type, "entity_id": focus.id} if focus else {}
    result = deps.registry.call_tool(ADVICE, arguments, context)
    return list(result.value["suggestions"]) if result.ok else []


def _ruled(
    request: SuggestRequest, entities: Sequence[SessionEntity], principal: Principal, deps: TurnDependencies
) -> tuple[FollowUp, ...]:
    """Those of the record in focus and what is always good; on a page what belongs to it, before what is always good."""
    steps = follow_ups((), "", entities, deps.registry, principal)
    place = (request.place or "").lower()
    here = [step for word, step in PAGES if word in place and is_permitted(step, deps.registry, principal)]
    about = [step for step in steps if step.arguments]
    ordered = {step.text: step for step in [*about, *here, *steps]}
    return tuple(ordered.values())[:MAX_FOLLOW_UPS]


def _filled_up(items: Sequence[FollowUp], ruled: Sequence[FollowUp]) -> tuple[FollowUp, ...]:
    """The model's own, or the rules' when there are none; a single one gets company."""
    if len(items) > 1:
        return tuple(items)[:MAX_FOLLOW_UPS]
    return tuple({step.text: step for step in [*items, *ruled]}.values())[:MAX_FOLLOW_UPS]
