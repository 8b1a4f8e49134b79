"""Text to be spoken: plain sentences, at most 75 words (C-X9)."""

import re

MOST_WORDS = 75
MORE = "Would you like more details?"
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}|^#{1,6}\s*|^>\s?", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+]|(\d+)[.)])\s+", re.MULTILINE)
_EMOJI = re.compile("[\U0001f300-\U0001faff☀-➿️]")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")


def spoken(text: str) -> str:
    """The text without Markdown; a longer one is cut at a sentence's end and followed by the offer to go on."""
    sentences = _SENTENCE.split(_plain(text))
    kept, words = [], 0
    room = MOST_WORDS - len(MORE.split())
    whole = sum(len(sentence.split()) for sentence in sentences) <= MOST_WORDS
    for sentence in sentences:
        words += len(sentence.split())
        if not whole and words > room:
            break
        kept.append(sentence)
    if whole:
        return " ".join(kept)
    if not kept:
        kept = [" ".join(sentences[0].split()[:room]).rstrip(",;:") + "."]
    return " ".join([*kept, MORE])


def _plain(text: str) -> str:
    text = _BULLET.sub(lambda match: f"{match[1]}: " if match[1] else "", _LINK.sub(r"\1", text))
    lines = [line.strip() for line in _EMOJI.sub("", _MARKS.sub("", text)).splitlines()]
    return " ".join(line if line[-1] in ".!?:,;…" else f"{line}." for line in lines if line)
