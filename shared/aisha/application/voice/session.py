"""Sessions of spoken conversation with a realtime model: opening them, and their stored state."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Self

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.prompt import PromptFacts, build_prompt
from aisha.application.redaction.masking import masked_message
from aisha.application.requests.client_conversation import conversation_id_of
from aisha.application.tenants.preferences import preferences_of
from aisha.application.tenants.profile import TenantProfile, profile_of
from aisha.application.turn.rounds.prompt_request import CLOSABLE
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversations.conversation import Session
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, GoneError, NotFoundError
from aisha.domain.external.voice import ClientSecret, VoiceSession
from aisha.domain.ids import new_ulid
from aisha.domain.ports import EntryRepository, VoiceSessions
from aisha.domain.principal import Principal
from aisha.domain.retries import retrying
from aisha.domain.tools import ToolSpec

KIND = "realtime_session"
DOOR = "voice"
ENDED_RETENTION = timedelta(days=1)
"""Time for which an ended session is stored, so that its calls get a `GoneError`."""
MAX_UTTERANCES = 50
MAX_TRIES = 5
VOICE_RULES = """\
## Speaking
- You talk with the user. Say what you do before a call that takes time, in a few words. Never say an id, a link or
  JSON.
- A call that is answered with `needs_confirmation` has not run. Ask the user its question in your words, then wait.
  When the user has answered, make the same call again with the same arguments: the user's own words decide, never you.
- Speak the user's language, as they do."""


class OpenedSession(Struct, frozen=True):
    """A new session for its client, which connects with `secret` and sends tool calls under `id` until `ends_at`."""

    id: str
    conversation_id: str
    secret: ClientSecret
    ends_at: datetime
    tools: tuple[str, ...]


class RealtimeSession(Struct, frozen=True):
    """The stored state of a session.

    `has_conversation` is True if the conversation existed before the session. `utterances` are the keys of the user's
    utterances that were sent with calls.
    """

    id: str
    conversation_id: str
    # The names under which these are stored.
    has_conversation: bool = field(name="is_given")
    ends_at: datetime
    utterances: tuple[str, ...] = field(name="heard", default=())
    version: int = 0

    @classmethod
    def of(cls, entry: Entry) -> Self:
        return convert({**entry.body, "id": entry.id, "version": entry.version}, cls)

    def body(self) -> dict[str, Any]:
        """Return the session as the JSON of its entry, which has id and version itself."""
        members: dict[str, Any] = to_builtins(self)
        return {name: value for name, value in members.items() if name not in ("id", "version")}

    def after(self, utterances: Sequence[str]) -> Self:
        """Return the session after a call, without its oldest utterances if there are too many."""
        return replace(self, utterances=(*self.utterances, *utterances)[-MAX_UTTERANCES:])


def open_voice_session(
    principal: Principal,
    deps: TurnDependencies,
    minter: VoiceSessions,
    *,
    voice: str,
    secret_seconds: int,
    session_seconds: int,
    conversation_id: str | None = None,
) -> OpenedSession:
    """Open a session for the user, in the given conversation or a new one, and return it with the provider's secret.

    Raises `NotFoundError` for a conversation that does not belong to this user, and the errors of `VoiceSessions.mint`.
    """
    speaker, now, session_id = replace(principal, door=DOOR), deps.clock.now(), f"{KIND}_{new_ulid()}"
    before = _conversation(speaker, deps, conversation_id)
    profile = profile_of(deps.ports.profile, speaker.tenant)
    rules, ports, tenant = profile.rules_for(speaker.roles), deps.ports, speaker.tenant
    permitted = deps.registry.permitted(speaker, rules, ports.team_values(tenant), ports.custom_fields(tenant))
    # What it attaches goes into the prompts of a turn, which a realtime model does not get.
    tools = tuple(spec for spec in permitted if spec.name != more_info.NAME)
    prompt = build_prompt(_facts(speaker, deps, profile, tools, before))
    configuration = VoiceSession(
        # As for a chat model: the prompt has what was said before.
        instructions=f"{masked_message(prompt, contacts=ports.masks_contacts(tenant))}\n\n{VOICE_RULES}",
        tools=tools,
        voice=voice,
        secret_seconds=secret_seconds,
        # The provider recognises its user again without learning who it is.
        user_key=hashlib.sha256(f"{speaker.tenant}/{speaker.user}".encode()).hexdigest(),
    )
    secret, ends_at = minter.mint(configuration), now + timedelta(seconds=session_seconds)
    own_id = conversation_id or conversation_id_of(speaker.tenant, speaker.user, session_id)
    session = RealtimeSession(session_id, own_id, conversation_id is not None, ends_at)
    _put(deps.entries, speaker, session)
    return OpenedSession(session_id, own_id, secret, ends_at, tuple(spec.name for spec in tools))


def load_voice_session(
    principal: Principal, entries: EntryRepository, session_id: str, now: datetime
) -> RealtimeSession:
    """Return the user's session. Raises `NotFoundError`, also for another user's, and `GoneError` when it has ended."""
    entry = entries.find(principal.tenant, principal.user, KIND, session_id)
    if entry is None:
        raise NotFoundError(
            "There is no such voice session.",
            entity_type=KIND,
            entity_id=session_id[:100],
            suggestion="Open a new one with GET /api/ai/realtime.",
        )
    session = RealtimeSession.of(entry)
    if now >= session.ends_at:
        raise GoneError("This voice session has ended.", suggestion="Open a new one with GET /api/ai/realtime.")
    return session


def update_session(
    principal: Principal,
    entries: EntryRepository,
    session: RealtimeSession,
    utterances: Sequence[str],
) -> None:
    """Add a call's utterances to the stored session, which other calls may change at the same time.

    Raises `ConflictError` after `MAX_TRIES` tries.
    """

    def save() -> None:
        nonlocal session
        try:
            _put(entries, principal, session.after(utterances))
        except ConflictError:
            entry = entries.find(principal.tenant, principal.user, KIND, session.id)
            if entry is not None:
                # The next try adds to what the other call has stored.
                session = RealtimeSession.of(entry)
            raise

    retrying(MAX_TRIES, save)


def _put(entries: EntryRepository, principal: Principal, session: RealtimeSession) -> None:
    entries.put(
        principal.tenant,
        principal.user,
        KIND,
        session.id,
        session.body(),
        expected_version=session.version,
        expires_at=session.ends_at + ENDED_RETENTION,
    )


def _conversation(principal: Principal, deps: TurnDependencies, conversation_id: str | None) -> Session | None:
    if conversation_id is None:
        return None
    return deps.conversations.load(principal.tenant, principal.user, conversation_id, deps.limits.history_messages)


def _facts(
    principal: Principal,
    deps: TurnDependencies,
    profile: TenantProfile,
    tools: Sequence[ToolSpec],
    before: Session | None,
) -> PromptFacts:
    preferences = preferences_of(deps.entries, principal.tenant, principal.user)
    return PromptFacts(
        principal=principal,
        now=deps.clock.now().astimezone(principal.tzinfo),
        assistant_name=profile.assistant_name or deps.limits.assistant_name,
        entities=before.conversation.entities if before else (),
        messages=before.messages if before else (),
        tools=tools,
        closed_modules=sorted(module for module in CLOSABLE if not principal.may_use(module)),
        labels={**deps.limits.labels, **profile.labels},
        spoken=True,
        summary=before.conversation.summary if before else None,
        instructions=[instruction.text for instruction in preferences.instructions],
        mode=preferences.mode,
        persona=profile.persona,
    )
