"""Two lists store the conversations that must hold and those of them that are quick."""

from pathlib import Path

import pytest

from tests.answers import regression
from tests.support.dialogue.conversations import CONVERSATIONS

NAMES = sorted(CONVERSATIONS)


def test_quick_ones_stay_and_others_cover_what_they_lack() -> None:
    held_names, previous = NAMES[:100], set(NAMES[:5])
    quick = regression.quick_of(held_names, previous)
    assert previous < quick < set(held_names)
    assert regression.covered(quick) == regression.covered(held_names)


def test_the_quick_ones_are_enough() -> None:
    assert regression.quick_of(NAMES[:20], set(NAMES[:20])) == set(NAMES[:20])


def test_lists_are_stored_in_order_without_those_that_no_longer_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression, "HELD", tmp_path / "held.txt")
    monkeypatch.setattr(regression, "QUICK", tmp_path / "quick.txt")
    regression.HELD.write_text(f"{NAMES[0]}\n{NAMES[1]}\n")
    regression.QUICK.write_text(f"{NAMES[0]}\n")
    assert regression.write([NAMES[2], NAMES[1]]) == "2 conversations hold: 1 new, 1 no longer."
    assert regression.read_names(regression.HELD) == NAMES[1:3]
    assert NAMES[0] not in regression.read_names(regression.QUICK)
