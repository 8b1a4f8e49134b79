"""The tones of an email, by the words that ask for them."""

from typing import Literal

Tone = Literal["friendly", "formal", "brief"]
TONES: dict[str, Tone] = {
    **dict.fromkeys("short shorter brief briefer concise crisp".split(), "brief"),
    **dict.fromkeys("friendly friendlier warm warmer casual".split(), "friendly"),
    **dict.fromkeys("formal polite".split(), "formal"),
}
