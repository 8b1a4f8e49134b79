"""Figures of judged conversations as Markdown."""

from collections.abc import Iterable, Mapping, Sequence

from tests.answers.judge import DROPPED_ASK, FALSE_STATEMENT, KINDS, WRONG_WRITE
from tests.answers.perturb import FIRST_TURN_ONLY, TAKEN_BACK
from tests.answers.play import Outcome

HEADS = ("", "conversations", "held %", "turns held %", "wrong writes %", "of them without a question %",
         "false statements %", "dropped asks",
         "asked needlessly %")  # fmt: skip
PERTURBATION_HEADS = (
    "perturbation",
    "conversations",
    "held %",
    "without it %",
    "loss",
    "still held %",
    "wrong writes %",
)


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def by_category(outcomes: Sequence[Outcome]) -> str:
    """Return a row for each category, and the total.

    Wrong writes and false statements are percentages of the conversations, needless questions of the turns.
    """
    categories = dict.fromkeys(_category(one) for one in outcomes)
    rows = [_figures(name, [one for one in outcomes if _category(one) == name]) for name in categories]
    turns = [turn for one in outcomes for turn in one.turns]
    failed = {kind: sum(any(kind == problem.kind for problem in turn.problems) for turn in turns) for kind in KINDS}
    kinds = ", ".join(f"{kind} {count}" for kind, count in failed.items())
    asked = sum(turn.asked for turn in turns)
    note = f"Of {len(turns)} turns: {kinds}; asked for a yes {asked}."
    return f"{_markdown(HEADS, [*rows, _figures('total', outcomes)])}\n\n{note}"


def by_perturbation(outcomes: Sequence[Outcome], plain: Sequence[Outcome]) -> str:
    """Return a row for each perturbation, compared with the same conversations, or first turns, without it.

    "still held" is of those that were held without it. An order that is taken back expects something else, so it has
    no loss.
    """
    unchanged = {_key(one): one for one in plain}
    rows = []
    for name in dict.fromkeys(one.task.perturbation for one in outcomes):
        played = [one for one in outcomes if one.task.perturbation == name]
        before = [_was_held(unchanged[_key(one)], name) for one in played]
        held, was_held, count = sum(one.is_held for one in played), sum(before), len(played)
        still = sum(one.is_held for one, was in zip(played, before, strict=True) if was)
        loss = (percent(was_held, count), percent(was_held - held, count), percent(still, was_held))
        wrong = percent(sum(one.has(WRONG_WRITE) for one in played), count)
        rows.append((name, str(count), percent(held, count), *(("-",) * 3 if name == TAKEN_BACK else loss), wrong))
    return _markdown(PERTURBATION_HEADS, rows)


def _was_held(outcome: Outcome, perturbation: str) -> bool:
    return not outcome.turns[0].problems if perturbation in FIRST_TURN_ONLY else outcome.is_held


def by_file(held_by_file: Mapping[str, Sequence[bool]]) -> str:
    """Return a row for each file of the regression set, with whether its conversations hold, and the total."""
    total = [one for conversations in held_by_file.values() for one in conversations]
    rows = [
        (name, str(len(outcomes)), percent(sum(outcomes), len(outcomes)))
        for name, outcomes in [*held_by_file.items(), ("total", total)]
    ]
    return _markdown(("regression", "conversations", "held %"), rows)


def times(outcomes: Iterable[Outcome]) -> str:
    """Return the median and the 95th percentile of the time of a turn."""
    measured = sorted(one for outcome in outcomes for turn in outcome.turns for one in turn.milliseconds)
    if not measured:
        return "No turns."
    p50, p95 = (measured[min(len(measured) - 1, int(len(measured) * share))] for share in (0.5, 0.95))
    return f"Time per turn: p50 {p50:.0f} ms, p95 {p95:.0f} ms."


def _figures(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    turns, count = [turn for one in outcomes for turn in one.turns], len(outcomes)
    return (
        name,
        str(count),
        percent(sum(one.is_held for one in outcomes), count),
        percent(sum(not turn.problems for turn in turns), len(turns)),
        percent(sum(one.has(WRONG_WRITE) for one in outcomes), count),
        percent(sum(one.writes_wrong_unasked for one in outcomes), count),
        percent(sum(one.has(FALSE_STATEMENT) for one in outcomes), count),
        str(sum(any(problem.kind == DROPPED_ASK for problem in turn.problems) for turn in turns)),
        percent(sum(turn.asked_needlessly for turn in turns), len(turns)),
    )


def _category(outcome: Outcome) -> str:
    return str(outcome.task.conversation["category"])


def _key(outcome: Outcome) -> tuple[str, str]:
    return outcome.task.voice, outcome.task.conversation["id"]


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
