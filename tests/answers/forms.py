"""Print every form of sentence that the offline planner replies with, with an example of each and how often it came.

`python -m tests.answers.forms` (`make sentences`) plays the written conversations and the open voices. Two replies have
one form when they differ only in what stands in bold, in quotes, in a list, or in numbers and dates.
"""

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tests.answers.play import play_replies, read_tasks, warm_up
from tests.support.dialogue.conversations import CONVERSATIONS

JOBS = 2
_VARYING = (
    (re.compile(r"\*\*[^*]+\*\*"), "**…**"),
    (re.compile(r"“[^”]*”|\"[^\"]*\""), "“…”"),
    (re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*, \w+ \d+(?:, \d{4})?"), "DATE"),
    (re.compile(r"\b\d{1,2}:\d\d(?: [AP]M)?"), "TIME"),
    (re.compile(r"\S+@\S+"), "ADDRESS"),
    (re.compile(r"[$€£+]?\d[\d,.\-% ]*"), "0"),
    (re.compile(r"(?<!^)(?<![.!?:] )\b[A-Z][\w'’.-]*(?: (?:of|the|and|&) [A-Z][\w'’.-]*| [A-Z][\w'’.-]*)*"), "NAME"),
    (re.compile(r"\([^)]*\)"), "(…)"),
)


def form_of(line: str) -> str:
    """Return a line of a reply without what varies."""
    for pattern, shown in _VARYING:
        line = pattern.sub(shown, line)
    return " ".join(line.split())


def lines_of(reply: str) -> Iterator[str]:
    """Yield the lines of a reply that are sentences, not items of a list."""
    for line in reply.splitlines():
        if line.strip() and not re.match(r"\s*(?:\d+\.|-|\*(?!\*))\s", line):
            yield line.strip()


def main() -> None:
    """Print the table, the most frequent forms first."""
    played: list[dict[str, Any]] = [task.conversation for task in read_tasks("open", set(), set())]
    played += CONVERSATIONS.values()
    counts, examples = Counter[str](), dict[str, str]()
    with ProcessPoolExecutor(JOBS, get_context("spawn"), warm_up) as pool:
        for replies in pool.map(play_replies, played, chunksize=8):
            for line in (line for reply in replies for line in lines_of(reply)):
                counts[form_of(line)] += 1
                examples.setdefault(form_of(line), line)
    for form, count in counts.most_common():
        print(f"{count:5}  {examples[form]}")
    print(f"{len(counts)} forms")


if __name__ == "__main__":
    main()
