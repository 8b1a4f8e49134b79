"""The last thing before a model: what it must not see is masked in every message, whoever wrote the message."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from aisha.application.redaction.masking import masked_message
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelMessage, ModelRequest

if TYPE_CHECKING:
    from aisha.domain.ports import ChatModel

MASK_CONTACTS = "mask_contacts"
"""The member of a tenant's profile that has addresses and phone numbers masked."""


class TenantMasking:
    """Whether a tenant has contact data masked."""

    def __init__(self, profiles: Callable[[str], Mapping[str, Any]]) -> None:
        self._profiles = profiles

    def __call__(self, tenant: str) -> bool:
        """Return what the profile says; True while it can't be read and never was."""
        try:
            profile = self._profiles(tenant)
        except UnavailableError:
            return True
        # What is there and not a plain no was meant to mask.
        return profile.get(MASK_CONTACTS, False) is not False


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
