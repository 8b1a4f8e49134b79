"""A spoken conversation with a realtime model: how it is opened, and what is known of it while it lasts."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace
from ulid import ULID

from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.prompt import PromptFacts, build_prompt
from aisha.application.requests.client_conversation import conversation_id_of
from aisha.application.tenants.preferences import TenantProfile, preferences_of, profile_of
from aisha.application.turn.prompt_request import CLOSABLE
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversation import Session
from aisha.domain.errors import ConflictError, GoneError, NotFoundError
from aisha.domain.ports import EntryRepository, VoiceSessions
from aisha.domain.principal import Principal
from aisha.domain.retries import retrying
from aisha.domain.tools import ToolSpec
from aisha.domain.voice import ClientSecret, VoiceSession

KIND = "realtime_session"
DOOR = "voice"
_REMEMBERED = timedelta(days=1)
"""So long after its end a session is known as one that has ended."""
_HEARD = 50
_READ_CHARACTERS = 100_000
_TRIES = 5
VOICE_RULES = """\
## Speaking
- You talk with the user. Say what you do before a call that takes time, in a few words. Never say an id, a link or JSON.
- A call that is answered with `needs_confirmation` has not run. Ask the user its question in your words, then wait. When
  the user has answered, make the same call again with the same arguments: the user's own words decide, never you.
- Speak the user's language, as they do."""


class OpenedSession(Struct, frozen=True):
    """What a client needs: it connects with `secret`, and has tools run under `id` until `ends_at`."""

    id: str
    conversation_id: str
    secret: ClientSecret
    ends_at: datetime
    tools: tuple[str, ...]


class RealtimeSession(Struct, frozen=True):
    """As it is kept. `is_given` says that the conversation was there before.

    `heard` are the user's utterances that came with calls, by id or text, `read` what tools have read that strangers may
    have written: what a later call is judged by.
    """

    id: str
    conversation_id: str
    is_given: bool
    ends_at: datetime
    heard: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    version: int = 0

    @classmethod
    def of(cls, entry_id: str, body: Mapping[str, Any], version: int) -> Self:
        """From its entry."""
        return cls(
            id=entry_id,
            conversation_id=body["conversation_id"],
            is_given=body["is_given"],
            ends_at=datetime.fromisoformat(body["ends_at"]),
            heard=tuple(body["heard"]),
            read=tuple(body["read"]),
            version=version,
        )

    def body(self) -> dict[str, Any]:
        """For its entry."""
        return {
            "conversation_id": self.conversation_id,
            "is_given": self.is_given,
            "ends_at": self.ends_at.isoformat(),
            "heard": list(self.heard),
            "read": list(self.read),
        }

    def after(self, heard: Sequence[str], read: Sequence[str]) -> Self:
        """With what a call has added. The oldest goes when there is too much."""
        kept, room = list[str](), _READ_CHARACTERS
        for text in reversed(dict.fromkeys((*self.read, *read))):
            room -= len(text)
            if room < 0:
                break
            kept.append(text)
        return replace(self, heard=(*self.heard, *heard)[-_HEARD:], read=tuple(reversed(kept)))


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
    """A session of this user's, with a secret that opens it at the provider. What is said goes on in its conversation.

    Raises `NotFoundError` for a conversation that is not this user's, and what `VoiceSessions.mint` raises.
    """
    speaker, now, session_id = replace(principal, door=DOOR), deps.clock.now(), f"{KIND}_{ULID()}"
    before = _conversation(speaker, deps, conversation_id)
    profile = profile_of(deps.ports.profile, speaker.tenant)
    tools = tuple(spec for spec in deps.registry.permitted(speaker, profile.rules) if spec.name != more_info.NAME)
    wanted = VoiceSession(
        instructions=f"{build_prompt(_facts(speaker, deps, profile, tools, before))}\n\n{VOICE_RULES}",
        tools=tools,
        voice=voice,
        secret_seconds=secret_seconds,
        user_key=hashlib.sha256(f"{speaker.tenant}/{speaker.user}".encode()).hexdigest(),
    )
    secret, ends_at = minter.mint(wanted), now + timedelta(seconds=session_seconds)
    named = conversation_id or conversation_id_of(speaker.tenant, speaker.user, session_id)
    session = RealtimeSession(session_id, named, conversation_id is not None, ends_at)
    _put(deps.entries, speaker, session)
    return OpenedSession(session_id, named, secret, ends_at, tuple(spec.name for spec in tools))


def load_voice_session(
    principal: Principal, entries: EntryRepository, session_id: str, now: datetime
) -> RealtimeSession:
    """The user's session. Raises `NotFoundError`, also for another user's, and `GoneError` when it has ended."""
    entry = entries.find(principal.tenant, principal.user, KIND, session_id)
    if entry is None:
        raise NotFoundError("There is no such voice session.", entity_type=KIND, entity_id=session_id[:100])
    session = RealtimeSession.of(entry.id, entry.body, entry.version)
    if now >= session.ends_at:
        raise GoneError("This voice session has ended.", suggestion="Open a new one with GET /api/ai/realtime.")
    return session


def remember(
    principal: Principal, entries: EntryRepository, session: RealtimeSession, heard: Sequence[str], read: Sequence[str]
) -> None:
    """Adds to what is known of the session, whatever other calls add meanwhile. Raises `ConflictError` after a few tries."""

    def save() -> None:
        nonlocal session
        try:
            _put(entries, principal, session.after(heard, read))
        except ConflictError:
            entry = entries.find(principal.tenant, principal.user, KIND, session.id)
            if entry is not None:
                session = RealtimeSession.of(entry.id, entry.body, entry.version)
            raise

    retrying(_TRIES, save)


def _put(entries: EntryRepository, principal: Principal, session: RealtimeSession) -> None:
    entries.put(
        principal.tenant, principal.user, KIND, session.id, session.body(),
        expected_version=session.version, expires_at=session.ends_at + _REMEMBERED,
    )  # fmt: skip


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
        instructions=[one.text for one in preferences.instructions],
        mode=preferences.mode,
        persona=profile.persona,
    )
