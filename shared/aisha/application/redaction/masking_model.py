"""Masking of what a model must not see, applied to every message before any model is asked."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from aisha.application.redaction.masking import masked_message
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest

if TYPE_CHECKING:
    from aisha.domain.ports import ChatModel

MASK_CONTACTS = "mask_contacts"
"""Member of a tenant's profile that switches the masking of addresses and phone numbers on."""


class TenantMasking:
    """A function of a tenant that returns whether its contact data is masked, by its profile."""

    def __init__(self, profiles: Callable[[str], Mapping[str, Any]]) -> None:
        self._profiles = profiles

    def __call__(self, tenant: str) -> bool:
        """Return the profile's setting; True if it can't be read and is not cached."""
        try:
            profile = self._profiles(tenant)
        # In doubt, contact data is masked.
        except UnavailableError:
            return True
        # Any value but `false`, such as "yes" or 1, was meant to switch it on.
        return profile.get(MASK_CONTACTS, False) is not False


class MaskingChatModel:
    """A `ChatModel` that masks card and social security numbers in every message, and contact data for some tenants.

    Contact data is left in the messages that the user typed: tools need it.
    """

    def __init__(self, model: "ChatModel", masks_contacts: Callable[[str], bool]) -> None:
        self._model, self._masks_contacts = model, masks_contacts

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        contacts = self._masks_contacts(request.caller.principal.tenant)
        messages = [
            replace(message, content=masked_message(message.content, contacts=contacts and not message.is_typed))
            for message in request.messages
        ]
        yield from self._model.stream(replace(request, messages=messages))
