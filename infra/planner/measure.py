"""Print how well voices are read that no training has seen: `python -m infra.planner.measure [FILE ...]`.

The voices of `held_out` were written by authors who knew neither the training's data nor the code. Nothing is tuned on
them: a voice that is to be learned from moves to `data`.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aisha.adapters.embeddings.message_encoder import MessageEncoder
from aisha.domain.language.acts import WRITES
from aisha.domain.language.encoded import Encoder
from aisha.domain.language.reader import Reading, read
from infra.planner.labelled import Message, read_file

HELD_OUT = Path(__file__).parent / "held_out"
_FORMS = ("email", "phone", "url")
"""Slots that are found by their form, and have no label."""


@dataclass
class Score:
    """Counts over messages. `unordered` are segments read as a write in messages that order none."""

    messages: int = 0
    same_acts: int = 0
    segments: int = 0
    acts: int = 0
    slots: int = 0
    read_slots: int = 0
    right_slots: int = 0
    unordered: int = 0

    def add(self, message: Message, reading: Reading) -> None:
        """Count a message and how it was read."""
        gold_acts = [segment.act for segment in message.segments]
        read_acts = [segment.act for segment in reading.segments]
        self.messages += 1
        self.same_acts += gold_acts == read_acts
        self.segments += len(gold_acts)
        self.acts += sum(act in read_acts for act in gold_acts)
        # By their text: a slot with one word too many is wrong.
        slots = set(_labelled_slots(message))
        read_slots = {(span.tag, span.text) for one in reading.segments for span in one.spans if span.tag not in _FORMS}
        self.slots += len(slots)
        self.read_slots += len(read_slots)
        self.right_slots += len(slots & read_slots)
        if not WRITES & set(gold_acts):
            self.unordered += sum(act in WRITES for act in read_acts)

    def row(self, name: str) -> str:
        """Return the shares in per cent, as a row of a Markdown table."""
        f1 = 2 * self.right_slots / max(1, self.slots + self.read_slots)
        shares = self.same_acts / self.messages, self.acts / self.segments, f1
        return f"| {name} | {' | '.join(f'{100 * share:.1f}' for share in shares)} | {self.unordered} |"


def measure(messages: Iterable[Message], encoder: Encoder | None) -> Score:
    """Return how the messages are read, by the linear models alone where there is no encoder."""
    score = Score()
    for message in messages:
        score.add(message, read(message.text, encoder=encoder))
    return score


def _labelled_slots(message: Message) -> Iterable[tuple[str, str]]:
    """Yield each slot's tag and text."""
    begun: int | None = None
    tags = (*message.tags, "O")
    for place, tag in enumerate(tags):
        if begun is not None and not tag.startswith("I-"):
            first, last = message.tokens[begun], message.tokens[place - 1]
            yield tags[begun][2:], message.text[first.start : last.end]
            begun = None
        if tag.startswith("B-"):
            begun = place


def main(paths: Sequence[str]) -> None:
    """Print a table of the voices, each read by the linear models alone and together with the sentence model."""
    print("| voice, models | messages with the same acts, % | acts, % | slots, F1 | unordered writes |")
    print("| --- | ---: | ---: | ---: | ---: |")
    encoder = MessageEncoder()
    for path in [Path(one) for one in paths] or sorted(HELD_OUT.glob("*.txt")):
        messages = list(read_file(path))
        print(measure(messages, None).row(f"{path.stem}, linear"))
        print(measure(messages, encoder).row(f"{path.stem}, both"))


if __name__ == "__main__":
    main(sys.argv[1:])
