"""The tool that forecasts open opportunities by stage."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from msgspec.structs import replace

from aisha.application.records import crud
from aisha.application.records.totals import Totals
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Owner, owner_id
from aisha.application.tooling.arguments.periods import ComingPeriodWord, coming_period
from aisha.domain.crm.enumerations import OPEN_STAGES, Stage
from aisha.domain.crm.paging import read_items
from aisha.domain.crm.queries import MAX_PAGE, CountRow, Period, RecordQuery
from aisha.domain.crm.records import Opportunity


class StageTotals(Totals):
    """Totals of the open deals in one stage."""

    stage: Stage


class Forecast(Totals):
    """Totals of the open deals, together and by stage. `weighted` is the sum of amount times probability.

    `first` and `last` are the days between which the deals should close. `truncated` is true when there are more such
    deals than were counted.
    """

    stages: list[StageTotals]
    first: date | None = None
    last: date | None = None
    truncated: bool | None = None


@toolkit(
    name="opportunities",
    description="Find, read, create, change, advance and delete deals, and forecast them.",
    module="opportunities",
)
class Forecasts:
    @tool(
        examples=(
            "forecast my pipeline",
            "what is our weighted forecast",
            "how much revenue can we expect",
            "sales forecast by stage",
            "forecast the deals that close {period}",
            "what is the forecast for {period}",
        ),
        typical_followups=(followups.OPEN_DEALS, followups.PIPELINE, followups.PRIORITIES),
    )
    def forecast_pipeline(
        self,
        context: ToolContext,
        period: Annotated[ComingPeriodWord | None, "Only deals that should close in this period"] = None,
        owner: Owner = None,
    ) -> Forecast:
        """Forecast the open deals: exact count, amount and weighted amount (amount times probability) by stage.

        Amounts of several currencies are kept apart, never added.
        """
        owned_by = owner_id(context, owner)
        closing = coming_period(context.now.date(), period) if period else None
        # Without a period the store's own counters are enough, which costs one read for any number of deals.
        counts, is_cut = _count_closing(context, closing) if closing else (context.records.counts("opportunity"), False)
        rows = [row for row in counts if row.status in OPEN_STAGES and owned_by in (None, (row.owner or "").lower())]
        stages = [
            StageTotals.sum([row for row in rows if row.status == stage], stage=stage)
            for stage in OPEN_STAGES
            if any(row.status == stage for row in rows)
        ]
        days = {"first": closing.first, "last": closing.last} if closing else {}
        return Forecast.sum(rows, stages=stages, **days, **({"truncated": True} if is_cut else {}))


def _count_closing(context: ToolContext, days: Period) -> tuple[list[CountRow], bool]:
    """Return a row for each open deal that should close in these days, and True when there are more than were read."""
    # The store's counters have no closing days, so the deals themselves are read.
    where = (crud.IS_OPEN_DEAL, *crud.between("close_date", days.first, days.last))
    query = RecordQuery("opportunity", where=where, order="due", limit=MAX_PAGE)
    deals, has_more = read_items(
        lambda cursor: context.records.search(replace(query, cursor=cursor)), max_items=context.ports.scan_records
    )
    return [_count_row(deal) for deal in deals if isinstance(deal, Opportunity)], has_more


def _count_row(deal: Opportunity) -> CountRow:
    amount = deal.amount or Decimal(0)
    weighted = amount * Decimal(deal.probability or 0) / 100
    return CountRow(deal.owner, deal.stage, deal.currency, 1, amount, weighted)
