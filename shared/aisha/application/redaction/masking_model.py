"""The last thing before a model: what it must not see is masked in every message, whoever wrote the message."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from aisha.application.redaction.masking import masked_message
from aisha.application.tenants.plans import PROFILE
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelMessage, ModelRequest

if TYPE_CHECKING:
    from aisha.domain.ports import ChatModel, Clock, EntryRepository

MASK_CONTACTS = "mask_contacts"
"""The member of a tenant's profile that has addresses and phone numbers masked."""
KEPT = timedelta(seconds=60)
_MOST_TENANTS = 1000


class TenantMasking:
    """Which tenants have contact data masked. A change is seen within a minute."""

    def __init__(self, entries: "EntryRepository", clock: "Clock") -> None:
        self._entries, self._clock = entries, clock
        self._known: dict[str, tuple[datetime, bool]] = {}

    def __call__(self, tenant: str) -> bool:
        """What the profile says; while it can't be read, what it said last, and yes where nothing is known of it."""
        now = self._clock.now()
        known = self._known.get(tenant)
        if known is not None and abs(now - known[0]) < KEPT:
            return known[1]
        try:
            entry = self._entries.find(tenant, None, PROFILE, PROFILE)
        except UnavailableError:
            return known[1] if known else True
        # What is there and not a plain no was meant to mask.
        masks = entry is not None and entry.body.get(MASK_CONTACTS, False) is not False
        if len(self._known) >= _MOST_TENANTS:
            self._known.clear()
        self._known[tenant] = now, masks
        return masks


class DiscreetModel:
    """`model`, told neither card nor social security numbers, nor contact data where the tenant masks it.

    Addresses that the user writes are told, for they are what is to be done; those of records, of data and of memory
    are not.
    """

    def __init__(self, model: "ChatModel", masks: Callable[[str], bool]) -> None:
        self._model, self._masks = model, masks

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """As `model`."""
        contacts = self._masks(request.scene.principal.tenant)
        yield from self._model.stream(replace(request, messages=_discreet(request, contacts)))


def _discreet(request: ModelRequest, contacts: bool) -> Sequence[ModelMessage]:
    scene = request.scene
    own = {scene.user_text, *(message.content for message in scene.history if message.role == "user")}
    return [
        replace(
            message,
            content=masked_message(
                message.content, contacts=contacts and not (message.role == "user" and message.content in own)
            ),
        )
        for message in request.messages
    ]
