"""The enumerations of the record types: statuses, stages and kinds."""

from enum import StrEnum
from typing import Self


class Choice(StrEnum):
    """A value of a list, also found as people and models write it: "Closed Won", "closed-won" and "CLOSED_WON"."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return cls._value2member_map_.get(_words(value))  # type: ignore[return-value]


def _words(value: object) -> str:
    return "_".join(str(value).lower().replace("-", " ").replace("_", " ").split())


class LeadStatus(Choice):
    NEW = "new"
    CONTACTED = "contacted"
    WARM = "warm"
    QUALIFIED = "qualified"
    UNQUALIFIED = "unqualified"
    CONVERTED = "converted"
    LOST = "lost"


class LeadSource(Choice):
    WEBSITE = "website"
    REFERRAL = "referral"
    COLD_CALL = "cold_call"
    EMAIL = "email"
    SOCIAL_MEDIA = "social_media"
    TRADE_SHOW = "trade_show"
    ADVERTISING = "advertising"
    OTHER = "other"


class ContactStatus(Choice):
    ACTIVE = "active"
    PROSPECT = "prospect"
    CUSTOMER = "customer"
    INACTIVE = "inactive"


class AccountType(Choice):
    PROSPECT = "prospect"
    CUSTOMER = "customer"
    PARTNER = "partner"
    VENDOR = "vendor"
    COMPETITOR = "competitor"


class AccountHealth(Choice):
    UNKNOWN = "unknown"
    HEALTHY = "healthy"
    AT_RISK = "at_risk"
    CHURNING = "churning"


class Stage(Choice):
    """The stages of a deal, in their order."""

    PROSPECTING = "prospecting"
    QUALIFICATION = "qualification"
    PROPOSAL = "proposal"
    NEGOTIATION = "negotiation"
    CLOSED_WON = "closed_won"
    CLOSED_LOST = "closed_lost"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        # People say "won", the stage is closed_won.
        closed = f"closed_{value}" if _words(value) in ("won", "lost") else value
        return super()._missing_(closed)


STAGE_PROBABILITY = dict(zip(Stage, (10, 25, 50, 75, 100, 0), strict=True))
OPEN_STAGES = (Stage.PROSPECTING, Stage.QUALIFICATION, Stage.PROPOSAL, Stage.NEGOTIATION)


class ActivityType(Choice):
    CALL = "call"
    EMAIL = "email"
    MEETING = "meeting"
    TASK = "task"
    DEMO = "demo"


class ActivityStatus(Choice):
    SCHEDULED = "scheduled"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class ActivityPriority(Choice):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    URGENT = "urgent"


class NoteType(Choice):
    GENERAL = "general"
    CALL_LOG = "call_log"
    MEETING = "meeting"
    EMAIL = "email"
    FOLLOW_UP = "follow_up"
    IMPORTANT = "important"


class GoalStatus(Choice):
    OPEN = "open"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    REJECTED = "rejected"
