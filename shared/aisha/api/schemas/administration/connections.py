"""The schemas of webhooks from CRMs."""

from pydantic import Field

from aisha.domain.deferred_model import DeferredModel


class HookAccepted(DeferredModel):
    """The number of records that will be read again."""

    accepted: int = Field(ge=0)
