"""Format counts, sums, rankings and forecasts."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.replies.profiles import format_line
from aisha.domain.wording import format_money, humanise, join_names

NO_DURATIONS = (
    "I can't work out how long something takes on average. I can average amounts, scores, probabilities and the like: "
    "“average size of the deals that we won”."
)
_MONEY_FIELDS = frozenset(("amount", "estimated_value", "annual_revenue"))
MAX_FIRST = 3
"""Groups that are named where they share the first place."""


def _sums_of(part: Mapping[str, Any], field: str = "amount") -> str:
    sums: dict[str, float] = {}
    for row in part.get("by_currency") or [part]:
        currency = str(row.get("currency") or "USD")
        sums[currency] = sums.get(currency, 0) + float(row.get(field) or 0)
    return formats.format_sums({currency: total for currency, total in sums.items() if total})


def format_overview(value: Mapping[str, Any], owner: Any, opened: Mapping[str, Sequence[str]]) -> str:
    """Format counts and sums by status, for each kind of record; of deals the open ones first."""
    blocks = []
    for section in value.get("sections", ()):
        kind, rows = str(section["entity_type"]), section["by_status"]
        lines = [f"- {humanise(str(row['status']))}: {row['count']}" + _worth(row, ", ") for row in rows]
        head = f"**{formats.format_count(int(section['count']), kind)}**{_worth(section)}"
        if kind == "opportunity":
            open_rows = [row for row in rows if row["status"] in opened[kind]]
            totals = [one for row in open_rows for one in row.get("by_currency") or [row]]
            number = sum(int(row["count"]) for row in open_rows)
            worth = _worth({"by_currency": totals})
            head = f"**{formats.format_count(number, kind, 'open')}**{worth}, {section['count']} in all"
        blocks.append("\n".join([head, *lines]))
    return f"Here are {formats.whose(owner)} figures:\n\n" + "\n\n".join(blocks)


def _worth(part: Mapping[str, Any], joint: str = " worth ") -> str:
    sums = _sums_of(part)
    return f"{joint}{sums}" if sums else ""


def format_added(parts: Sequence[tuple[str, int, Mapping[str, float]]], total: str, sums: Mapping[str, float]) -> str:
    """Format the sum of several totals, each with its description, its number and its sums."""
    worth = f" worth **{formats.format_sums(sums)}**" if sums else ""
    each = join_names(
        [f"{number} {text}" + (f" ({formats.format_sums(own)})" if own else "") for text, number, own in parts]
    )
    return f"Together that is **{total}**{worth}: {each}."


def format_difference(lines: Sequence[str], number: int, sums: Mapping[str, float]) -> str:
    """Say two totals and by how much they differ."""
    gap = f"**{formats.format_sums(sums)}**" if sums else f"**{number:,}**"
    return f"{'. '.join(lines)}. The difference is {gap}."


def format_groups(
    head: str, sums: Mapping[str, float], groups: Sequence[tuple[str, int, Mapping[str, float]]], user: str
) -> str:
    """Format the number and the sums of each group of records under their total."""
    if not groups:
        return f"{head}."
    lines = [
        f"- {_group_name(label, user)}: {number}" + (f", {formats.format_sums(own)}" if own else "")
        for label, number, own in groups
    ]
    return f"{head}{worth(head, sums)}:\n\n" + "\n".join(lines)


def format_means(head: str, field: str, means: Sequence[tuple[str, float]], user: str) -> str:
    """Format the average of a field for each group of records under their total."""
    noun, is_money = formats.field_noun(field), field in _MONEY_FIELDS
    lines = [
        f"- {_group_name(label, user)}: {format_money(mean) if is_money else f'{mean:,.1f}'}" for label, mean in means
    ]
    return f"{head}. Their average {noun}:\n\n" + "\n".join(lines)


def first_group(first: Sequence[tuple[str, int, Mapping[str, float]]], order: str, user: str) -> str:
    """Say which group has the most or the least, or which of them share that place."""
    names = join_names([f"**{_group_name(label, user)}**" for label, *_ in first])
    verb = "has" if len(first) == 1 and first[0][0] != user else "have"
    return f"{names} {verb} the {order}. " if len(first) <= MAX_FIRST else f"{len(first)} of them share that place. "


def _group_name(label: str, user: str) -> str:
    if re.fullmatch(r"\d{4}-\d\d", label):
        return f"{date.fromisoformat(label + '-01'):%B %Y}"
    text = "you" if label == user else humanise(label) or "none on record"
    return text[:1].upper() + text[1:]


def worth(described: str, sums: Mapping[str, float]) -> str:
    """Format the sum of what is described before it, which may say by itself what each is worth."""
    if not sums:
        return ""
    is_said = " worth " in described
    return f", **{formats.format_sums(sums)}** in all" if is_said else f" worth **{formats.format_sums(sums)}**"


def format_rate(owner: Any, number: int, described: str, whole: int, against: str) -> str:
    """Format which part of closed deals was won, or of leads was converted; `against` names the other outcome."""
    holder = formats.whose(owner)[0].upper() + formats.whose(owner)[1:]
    if not whole:
        return f"There are no {described}{' and no lost ones' if against else ''}, so there is no rate to tell."
    rate = f"{holder} {'win' if against else 'conversion'} rate is **{number / whole:.0%}**"
    return f"{rate}: {number} {described}, against {whole - number} {against or 'others'}."


def format_rates(described: str, rates: Sequence[tuple[str, int, int]], user: str, *, is_won: bool) -> str:
    """Format the rate of each owner, with the numbers that it is made of."""
    noun, verb = ("win", "won") if is_won else ("conversion", "converted")
    if not rates:
        return f"There is nothing {verb} or lost, so there is no rate to tell."
    lines = [
        f"- {_group_name(owner, user)}: {number / whole:.0%}, {number} {verb} of {whole}"
        for owner, number, whole in rates
    ]
    return f"Here is the {noun} rate by owner, of {described}, the highest first:\n\n" + "\n".join(lines)


def format_measure(described: str, field: str, values: Sequence[float], checked: int, *, is_mean: bool) -> str:
    """Format the sum or the average of a number that records have."""
    if not values:
        return f"{described}. No {formats.field_noun(field)} is on record for them."
    total = sum(values) / len(values) if is_mean else sum(values)
    total_text = f"{total:,.1f}".removesuffix(".0") + "%" * (field == "probability")
    total_text = format_money(total) if field == "annual_revenue" else total_text
    kind = "average" if is_mean else "total"
    lacking = f" Only {len(values)} of them have one on record." if len(values) < checked else ""
    return f"{described}. Their {kind} {formats.field_noun(field)} is **{total_text}**.{lacking}"


def unsplit(fields: Sequence[str]) -> str:
    """Say by which fields counts can't be split; empty for none."""
    return f" I can't split that by {join_names(fields)}." if fields else ""


def compare_people(owners: Sequence[str], values: Sequence[Mapping[str, Any]]) -> str:
    """Format the figures of colleagues side by side."""
    lines = []
    for owner, value in zip(owners, values, strict=True):
        parts = [
            formats.format_count(int(part["count"]), str(part["entity_type"])) + _worth(part)
            for part in value.get("sections", ())
        ]
        lines.append(f"- **{'You' if owner == 'me' else owner.capitalize()}**: {join_names(parts) or 'nothing'}")
    return "Side by side:\n\n" + "\n".join(lines)


def format_ranked(
    owner: Any, described: str, top: Sequence[Mapping[str, Any]], field: str, total: int | None, now: datetime
) -> str:
    """Format the first records of an order, each with the value of its place."""
    if not top:
        return f"I can't say: no {formats.field_noun(field)} is on record for {described}."
    holder = formats.whose(owner)[0].upper() + formats.whose(owner)[1:]
    lines = [format_line(record, now) + _ranked_by(record, field, now) for record in top]
    if len(top) == 1:
        return f"{holder} {described} is {lines[0]}."
    number = f"{len(top)} of {total:,}" if total is not None and total > len(top) else f"{len(top)}"
    return f"{holder} {described} ({number}):\n\n{formats.number_lines(lines)}"


_ORDERS: Mapping[str, str] = {
    "lead": "score, value, age or last contact",
    "contact": "age or last contact",
    "account": "revenue, number of employees or age",
    "opportunity": "amount, probability, closing date or age",
    "activity": "priority or due date",
}


def no_order(kind: str, words: str) -> str:
    """Say that nothing on record ranks a kind of record by a superlative."""
    nouns = formats.LABELS.get(kind, formats.LABELS["opportunity"])[1]
    return f"Nothing on record tells me which {nouns} are “{words}”. I can rank {nouns} by {_ORDERS[kind]}."


def cant_rank(kind: str, field: str) -> str:
    noun = "age" if field == "created_at" else formats.field_noun(field)
    return f"I can't rank {formats.LABELS[kind][1]} by that; this is by {noun}. "


def _ranked_by(record: Mapping[str, Any], field: str, now: datetime) -> str:
    if field in ("score", "amount", "close_date", "stage", "status", "name"):
        return ""  # The line has it.
    if field == "created_at":
        return f", created {formats.format_value(record, field, now)}"
    currency = str(record.get("currency") or "USD")
    value = format_money(record[field], currency) if field == "expected" else formats.format_value(record, field, now)
    return f", {formats.field_noun(field)} {value}"


def format_forecast(value: Mapping[str, Any], described: str) -> str:
    """Format the totals of open deals with their weighted sums, by stage where they are known."""
    if not int(value["count"]):
        return f"There are no {described} to forecast."
    lines = []
    for stage in value.get("stages", ()):
        weighted = f", weighted {_sums_of(stage, 'weighted')}" if _sums_of(stage, "weighted") else ""
        lines.append(f"- {humanise(str(stage.get('stage')))}: {stage['count']}{_worth(stage, ', ')}{weighted}")
    head = f"I expect **{_sums_of(value, 'weighted') or format_money(0)}** from {value['count']} {described}"
    whose_sum = "its" if int(value["count"]) == 1 else "their"
    text = f"{head}: {whose_sum} {_sums_of(value) or 'amounts'} weighted by probability."
    return text + ("\n\n" + "\n".join(lines) if lines else "")
