"""Measure the offline planner's answers: `python -m tests.answers --part open --perturb --show`."""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from tests.answers import regression, table
from tests.answers.perturb import PERTURBATIONS, perturbed
from tests.answers.play import PARTS, Outcome, Task, is_held, play_task, read_tasks, warm_up
from tests.support.dialogue.conversations import CONVERSATIONS, FILES


def main() -> None:
    """Print the tables of the chosen conversations."""
    options = _options()
    tasks = list(islice(read_tasks(options.part, set(options.voices), set(options.category)), options.limit))
    variants = list(_variants(tasks)) if options.perturb else []
    with ProcessPoolExecutor(options.jobs, get_context("spawn"), warm_up) as pool:
        if options.regression:
            _play_regression(pool, options)
            return
        outcomes = list(pool.map(play_task, [*tasks, *variants], chunksize=4))
    plain, changed = outcomes[: len(tasks)], outcomes[len(tasks) :]
    if options.show:
        for outcome in outcomes:
            _show(outcome)
    print(table.by_category(plain))
    if changed:
        print(f"\n{table.by_perturbation(changed, plain)}")
    print(f"\n{table.times(outcomes)}")


def _play_regression(pool: Executor, options: argparse.Namespace) -> None:
    """Print a table of the written conversations; store which of them hold, if asked to."""
    names = {file.stem: [name for name in CONVERSATIONS if name.startswith(f"{file.stem}-")] for file in FILES}
    chosen = dict(islice(names.items(), options.limit))
    held_by_file = {
        file: list(pool.map(is_held, map(CONVERSATIONS.__getitem__, ones))) for file, ones in chosen.items()
    }
    print(table.by_file(held_by_file))
    if options.write:
        pairs = (pair for file, ones in chosen.items() for pair in zip(ones, held_by_file[file], strict=True))
        print(f"\n{regression.write(name for name, holds in pairs if holds)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.answers", description=__doc__)
    parser.add_argument("--part", choices=(*PARTS, "all"), default="open", help="open is for development")
    parser.add_argument("--voices", nargs="*", default=[], help="names of files, with or without their part")
    parser.add_argument("--category", nargs="*", default=[])
    parser.add_argument("--limit", type=int, help="play only the first conversations, or files of --regression")
    parser.add_argument("--perturb", action="store_true", help="play each once more with every perturbation")
    parser.add_argument("--show", action="store_true", help="print the failing conversations of the open part")
    parser.add_argument("--regression", action="store_true", help="play tests/conversations/ instead")
    parser.add_argument("--write", action="store_true", help="store in held.txt which of --regression hold")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    if options.write and (options.limit is not None or not options.regression):
        parser.error("--write needs --regression without --limit")
    return options


def _variants(tasks: Sequence[Task]) -> Iterator[Task]:
    for name in PERTURBATIONS:
        for task in tasks:
            if (conversation := perturbed(task.conversation, name)) is not None:
                yield Task(task.voice, conversation, name)


def _show(outcome: Outcome) -> None:
    """Print the failing turns of a conversation of the open part; nothing of the closed one is ever shown."""
    if outcome.is_held or not outcome.task.is_open:
        return
    name = f"{outcome.task.conversation['id']} ({outcome.task.conversation['category']})"
    print(f"\n## {name} {outcome.task.perturbation}".rstrip())
    for number, turn in enumerate(outcome.turns, 1):
        if turn.problems:
            print(f"turn {number} {turn.transcript}")
            for problem in turn.problems:
                print(f"  {problem.kind}: {problem.text}")


if __name__ == "__main__":
    main()
