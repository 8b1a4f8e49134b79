"""Counts and sums of the record store's counters. Amounts of different currencies are never added."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Self

from aisha.domain.crm.queries import CountRow
from aisha.domain.deferred_model import DeferredModel


class CurrencyTotals(DeferredModel):
    """Sums of one currency, by its ISO 4217 code. `weighted` is each amount times its probability."""

    currency: str
    count: int
    amount: Decimal
    weighted: Decimal


class Totals(DeferredModel):
    """The number of records and the sums of their amounts.

    With one currency, `amount`, `weighted` and `currency` are set; with several, `by_currency` is instead.
    """

    count: int
    amount: Decimal | None = None
    weighted: Decimal | None = None
    currency: str | None = None
    by_currency: list[CurrencyTotals] | None = None

    @classmethod
    def sum(cls, rows: Sequence[CountRow], **fields: object) -> Self:
        """Return the totals of the rows; `fields` are the other fields of a subclass."""
        count = sum(row.count for row in rows)
        currencies = sorted({row.currency for row in rows})
        if len(currencies) > 1:
            parts = [_of_currency(rows, currency) for currency in currencies]
            return cls.model_validate({"count": count, "by_currency": parts, **fields})
        amount = sum((row.amount for row in rows), Decimal(0))
        weighted = sum((row.weighted for row in rows), Decimal(0))
        # Without rows there is no currency, so there is no amount either, not even 0.
        currency = currencies[0] if currencies else ""
        sums = {
            "amount": amount if amount or currency else None,
            "weighted": weighted.quantize(Decimal("0.01")) if currency else None,
            "currency": currency or None,
        }
        return cls.model_validate({"count": count, **sums, **fields})


def _of_currency(rows: Sequence[CountRow], currency: str) -> CurrencyTotals:
    of_currency = [row for row in rows if row.currency == currency]
    weighted = sum((row.weighted for row in of_currency), Decimal(0)).quantize(Decimal("0.01"))
    amount = sum((row.amount for row in of_currency), Decimal(0))
    return CurrencyTotals(
        currency=currency, count=sum(row.count for row in of_currency), amount=amount, weighted=weighted
    )
