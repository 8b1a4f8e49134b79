"""Suggestions for a client's current page: follow-ups and next actions, without a turn. Writes nothing."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from msgspec import Struct
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from aisha.application.input_suggestions.wording import WordingInput, word
from aisha.application.redaction.output import clean
from aisha.application.requests.chat_request import (
    LOCALE,
    Label,
    RequestContext,
    RequestEntity,
    RequestMessage,
    TimeZone,
)
from aisha.application.tooling.context import ToolContext, make_context
from aisha.application.tooling.followups import MY_DAY, PIPELINE, WARM_LEADS
from aisha.application.tooling.gate.visibility import is_visible
from aisha.application.turn.concluding.follow_up_buttons import MAX_FOLLOW_UPS, follow_ups, is_permitted
from aisha.application.turn.entities import rank_entities
from aisha.application.turn.load import caller_of, requested_records, warning_of_unusable, with_requested
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.crm.records import SUBJECT_TYPES
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.ids import new_ulid
from aisha.domain.principal import Principal
from aisha.domain.tools import FollowUp

MAX_MESSAGES = 6
"""The last messages that are used."""
ADVICE = "suggest_next_actions"
PAGES = (
    ("lead", WARM_LEADS),
    ("opportunit", PIPELINE),
    ("deal", PIPELINE),
    ("pipeline", PIPELINE),
    ("activit", MY_DAY),
    ("calendar", MY_DAY),
    ("contact", FollowUp("Show me my contacts", "👤", "search_contacts")),
    ("account", FollowUp("Show me my accounts", "🏢", "search_accounts")),
    ("goal", FollowUp("Show me my goals", "🎯", "get_goals")),
)
"""Follow-ups for a page whose name contains the word. Stems match singular and plural, e.g. `opportunit`."""


class SuggestRequest(DeferredModel):
    """The user's records, page and last messages, all optional. Records are checked against the tenant."""

    model_config = ConfigDict(strict=True, alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    session_entities: Annotated[list[RequestEntity], Field(max_length=50)] | None = None
    page: Label | None = Field(None, description="Name or path of the page, e.g. leads.")
    context: RequestContext | None = Field(None, description="As in a chat request; its record comes first.")
    messages: Annotated[list[RequestMessage], Field(max_length=500)] | None = Field(
        None, description="The last messages, oldest first; the last six are used."
    )
    timezone: TimeZone | None = None
    locale: Annotated[str, Field(pattern=LOCALE, max_length=35)] | None = None

    @property
    def place(self) -> str | None:
        """The page of `page`, else of `context`."""
        return self.page or (self.context.page if self.context else None)

    def recent(self) -> Sequence[tuple[str, str]]:
        """Return `(role, text)` of the last messages by the user and the assistant."""
        texts = [(item.role, item.text) for item in self.messages or () if item.role in ("user", "assistant")]
        return [item for item in texts if item[1]][-MAX_MESSAGES:]


class Suggestions(Struct, frozen=True):
    """Follow-ups as `items`, and `next_actions` as the tool returns them.

    `provider` worded the items. `degraded` is true when a model failed to.
    """

    items: Sequence[FollowUp]
    next_actions: Sequence[dict[str, Any]]
    provider: str
    degraded: bool
    warnings: Sequence[str]


def suggest(request: SuggestRequest, principal: Principal, deps: TurnDependencies) -> Suggestions:
    """Return two to four follow-ups and up to three next actions; those of the rules when no model can word them."""
    caller = caller_of(principal, request.timezone, request.locale)
    context = make_context(caller, deps.ports, f"suggest_{new_ulid()}")
    entities, warnings = _entities(request, caller, deps)
    actions = _next_actions(context, entities, deps)
    usual = _usual_items(request, entities, caller, deps)
    wording = word(WordingInput(context, entities, usual, actions, request.place, request.recent()), deps)
    return Suggestions(
        items=_complete(wording.items, usual),
        next_actions=actions,
        provider=wording.provider,
        degraded=wording.degraded,
        warnings=[*warnings, *wording.warnings],
    )


def _entities(
    request: SuggestRequest, principal: Principal, deps: TurnDependencies
) -> tuple[tuple[SessionEntity, ...], list[str]]:
    """Return the records that the user may see, those named in the messages first, and warnings about the others."""
    requested = request.session_entities or []
    pairs = requested_records(requested, request.context, principal)
    read = deps.records.get_many(principal.tenant, pairs) if pairs else {}
    # The ids come from the client: a record of another tenant or a closed module must not reach the model.
    visible = {key: record for key, record in read.items() if is_visible(principal, record)}
    entities = with_requested((), [visible[key] for _, key in pairs if key in visible])
    warnings = [warning_of_unusable(entity) for entity in requested if entity.id not in visible]
    text = "\n".join(text for _, text in request.recent())
    return rank_entities((), text, entities), warnings


def _next_actions(
    context: ToolContext, entities: Sequence[SessionEntity], deps: TurnDependencies
) -> list[dict[str, Any]]:
    """Return the next actions for the record in focus, else for the user's pipeline; none without the tool."""
    focus = next((entity for entity in entities if entity.type in SUBJECT_TYPES), None)
    arguments = {"entity_type": focus.type, "entity_id": focus.id} if focus else {}
    # By the registry, so that the gate decides whether this user may use the tool.
    result = deps.registry.call_tool(ADVICE, arguments, context)
    actions = result.value["suggestions"] if result.ok else ()
    # They have the names of records, which anybody may have written.
    return [action | {name: clean(action[name], {}) for name in ("action", "reasoning")} for action in actions]


def _usual_items(
    request: SuggestRequest, entities: Sequence[SessionEntity], principal: Principal, deps: TurnDependencies
) -> tuple[FollowUp, ...]:
    """Return the rules' follow-ups: those about the record in focus, then those of the page, then general ones."""
    steps = follow_ups((), "", entities, deps.registry, principal)
    place = (request.place or "").lower()
    of_page = [step for word, step in PAGES if word in place and is_permitted(step, deps.registry, principal)]
    about_record = [step for step in steps if step.arguments]
    return _distinct([*about_record, *of_page, *steps])


def _complete(items: Sequence[FollowUp], usual: Sequence[FollowUp]) -> tuple[FollowUp, ...]:
    """Return the model's items, filled up with the usual ones when there are fewer than two."""
    return _distinct(items if len(items) > 1 else [*items, *usual])


def _distinct(steps: Iterable[FollowUp]) -> tuple[FollowUp, ...]:
    return tuple({step.text: step for step in steps}.values())[:MAX_FOLLOW_UPS]
