"""The bench's figures as one Markdown table."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside another. `most` and `least` are the project's bounds for `figure`; without one it is told only.

    `unit` is "×" for a ratio and "ms" for a difference of times.
    """

    what: str
    beside: str
    figure: float
    most: float | None = None
    least: float | None = None
    unit: str = "×"
    detail: str = ""

    @property
    def is_met(self) -> bool:
        above = self.least is None or self.figure >= self.least
        return above and (self.most is None or self.figure <= self.most)

    def cells(self) -> tuple[str, ...]:
        figure = f"{self.figure:.2f} {self.unit}"
        verdict = ("ok" if self.is_met else "**MISSED**") if self._target else ""
        return self.what, self.beside, figure, self._target, verdict, self.detail

    @property
    def _target(self) -> str:
        if self.most is not None:
            return f"≤ {self.most:g} {self.unit}"
        return f"≥ {self.least:g} {self.unit}" if self.least is not None else ""


HEAD = ("AiSHA", "beside", "figure", "target", "", "measured")


def markdown(rows: Sequence[Row]) -> str:
    """The table."""
    lines = [HEAD, ("---", "---", "---:", "---:", "---", "---"), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
