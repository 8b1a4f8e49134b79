"""Format the bench's figures as one Markdown table."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside another. `maximum` and `minimum` are the project's bounds for `figure`, if it has any.

    `unit` is "×" for a ratio and "ms" for a difference of times.
    """

    what: str
    beside: str
    figure: float
    maximum: float | None = None
    minimum: float | None = None
    unit: str = "×"
    detail: str = ""

    @property
    def is_met(self) -> bool:
        is_above = self.minimum is None or self.figure >= self.minimum
        return is_above and (self.maximum is None or self.figure <= self.maximum)

    def cells(self) -> tuple[str, ...]:
        figure = f"{self.figure:.2f} {self.unit}"
        verdict = ("ok" if self.is_met else "**MISSED**") if self._target else ""
        return self.what, self.beside, figure, self._target, verdict, self.detail

    @property
    def _target(self) -> str:
        if self.maximum is not None:
            return f"≤ {self.maximum:g} {self.unit}"
        return f"≥ {self.minimum:g} {self.unit}" if self.minimum is not None else ""


HEAD = ("AiSHA", "beside", "figure", "target", "", "measured")


def markdown(rows: Sequence[Row]) -> str:
    """Return the table."""
    lines = [HEAD, ("---", "---", "---:", "---:", "---", "---"), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
