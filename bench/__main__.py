"""Measure all ratios of the bench and print them as one Markdown table. Exits with 1 when a target is missed."""

import argparse
import sys

from bench.processes import FRAMEWORKS, HTTPX, LANGCHAIN, PYDANTIC_AI, SDK
from bench.prompt_tokens import EVERY, tokens_row
from bench.startup import fresh_row, import_rows
from bench.table import Row, markdown
from bench.turns import at_once_row, cpu_rows, first_text_row

PARTS = ("cpu", "first", "at-once", "fresh", "imports", "tokens")


def main() -> int:
    """Measure, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench")
    parser.add_argument("--rounds", type=int, default=15, help="how often everybody has a go")
    parser.add_argument(
        "--starts",
        type=int,
        default=7,
        help="how many fresh processes of each kind; three times as many for the first turn",
    )
    parser.add_argument("--only", choices=PARTS, action="append", help="measure this part alone")
    options = parser.parse_args()
    rows = measure_rows(set(options.only or PARTS), options.rounds, options.starts)
    print(markdown(rows))
    missed = [row for row in rows if not row.is_met]
    if missed:
        print(f"\n{len(missed)} of the targets missed", file=sys.stderr)
    return 1 if missed else 0


def measure_rows(parts: set[str], rounds: int, starts: int) -> list[Row]:
    """Return the rows of the parts, in the table's order."""
    rows: list[Row] = []
    if "cpu" in parts:
        frameworks = [PYDANTIC_AI, LANGCHAIN] if FRAMEWORKS.exists() else []
        rows += cpu_rows([SDK, HTTPX, *frameworks], rounds)
    if "first" in parts:
        rows.append(first_text_row(rounds))
    if "at-once" in parts:
        rows.append(at_once_row(rounds))
    if "fresh" in parts:
        rows.append(fresh_row(3 * starts))
    if "imports" in parts:
        rows += import_rows(starts)
    if "tokens" in parts:
        rows.append(tokens_row(EVERY))
    return rows


if __name__ == "__main__":
    sys.exit(main())
