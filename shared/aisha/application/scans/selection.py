"""Filters for the records that scans read; the record store has an index for each."""

from aisha.domain.crm.enumerations import OPEN_STAGES, AccountHealth, GoalStatus, LeadStatus
from aisha.domain.crm.queries import Condition

OPEN_LEAD_STATUSES = (LeadStatus.NEW, LeadStatus.CONTACTED, LeadStatus.WARM, LeadStatus.QUALIFIED)
OPEN_LEADS = Condition("status", "in", list(OPEN_LEAD_STATUSES))
OPEN_DEALS = Condition("stage", "in", list(OPEN_STAGES))
OPEN_GOALS = Condition("status", "in", [GoalStatus.OPEN, GoalStatus.IN_PROGRESS])
TROUBLED_ACCOUNTS = Condition("health", "in", [AccountHealth.AT_RISK, AccountHealth.CHURNING])
