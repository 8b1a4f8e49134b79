"""Answer greetings, thanks and goodbyes, and recognise yes and no."""

import re

from aisha.adapters.llm.offline.plan import Answer
from aisha.adapters.llm.offline.reading.lexicon import BYE, CHAT, GREETING, HELP, NEVER_MIND, SLANG, THANKS, YES
from aisha.adapters.llm.offline.replies import phrasing
from aisha.application.dialogue.yes_no import read_decision

_VERBS = (
    "creat(?:e|ing)|add(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|schedul(?:e|ing)|book(?:ing)?|updat(?:e|ing)"
    "|chang(?:e|ing)|convert(?:ing)?|edit(?:ing)?|mak(?:e|ing)|tak(?:e|ing)|writ(?:e|ing)|sen(?:d|ding)"
)
_KINDS = (
    "leads?|contacts?|accounts?|deals?|opportunit(?:y|ies)|activit(?:y|ies)|notes?|tasks?|meetings?|calls?"
    "|reminders?|records?|emails?|demos?"
)
_ABILITY = re.compile(
    rf"(?:so |and |ok )?(?:(?:can|could|are) (?:you|i|we) (?:able to |allowed to |also )?(?:{_VERBS}) (?:any |new )?"
    rf"(?:(?:{_KINDS})(?<=s))|(?:is it possible|am i allowed|are we allowed|may i|would it be possible) (?:to )?"
    rf"(?:{_VERBS}) (?:an? |any |new )*(?:{_KINDS})"
    rf"|(?:can|could|may) (?:an? |any )?(?:{_KINDS}) (?:also |ever )?be \w+ed(?: \w+)?)(?: too| as well| here| at all)?"
)
"""Recognises a question about what can be done, of no particular record."""
# "forget it", "never mind, I'll do it".
_CANCELS = re.compile(
    r"(?:forget it|never mind|nevermind|leave it|drop it|don't bother|no worries|skip it|don't worry)"
    r"(?: about it| then)?"
    r"(?: (?:i'll|ill|i will|i've|i can|i'm|it's|its|that's|we'll) (?:(?!\\b(?:call|note|schedule)\\b).)*)?"
)


def small_talk(text: str, has_written: bool) -> Answer | None:
    """Answer a sentence that asks nothing of the CRM.

    "Cancel that" is a request once something was written.
    """
    plain = re.sub(r"[^\w\s']", " ", text.lower())
    plain = re.sub(r"\b(?:aisha|ai sha|there|so much|a lot|very much|again|then|for now|buddy|mate|team)\b", " ", plain)
    plain = " ".join(plain.split())
    if not plain or plain in GREETING or any(plain == f"{a} {b}" for a in GREETING for b in (*GREETING, "you")):
        return Answer(phrasing.HELLO)
    if plain in HELP or re.fullmatch(
        r"(?:help|help me(?: get started| out)?|(?:so )?what (?:else |all )?can (?:you|i) (?:do|ask)"
        r"(?! (?:(?:next|now|best) )?(?:next|now|with (?:him|her|them|it|this|that|the)|about|for (?:him|her|them|it)))"
        r"(?: .*)?|how can you help.*)",
        plain,
    ):
        return Answer(phrasing.HELP)
    if _ABILITY.fullmatch(plain):
        return Answer(phrasing.HELP)
    if plain in BYE:
        return Answer(phrasing.BYE)
    if plain in NEVER_MIND and not (has_written and "cancel" in plain):
        return Answer(phrasing.NOTHING_CHANGED)
    if _CANCELS.fullmatch(plain) and not has_written:
        return Answer(phrasing.NOTHING_CHANGED)
    if (reply := _reply_to_courtesies(text)) is not None:
        return Answer(reply)
    if plain in YES:
        return Answer(phrasing.NOTHING_WAITS)
    return None


def _reply_to_courtesies(text: str) -> str | None:
    """Return the reply to a sentence of nothing but thanks, greetings and goodbyes."""
    remaining = " ".join(SLANG.get(word, word) for word in _plain_words(text.replace("’", "'")).split())
    matched_replies = set()
    for answer, phrases in ((phrasing.BYE, BYE), (phrasing.THANKS, THANKS), (phrasing.HELLO, GREETING)):
        for phrase in sorted(phrases, key=len, reverse=True):
            shorter = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", " ", remaining)
            if shorter != remaining:
                matched_replies.add(answer)
                remaining = shorter
    if not matched_replies or set(remaining.split()) - CHAT:
        return None
    return next(answer for answer in (phrasing.BYE, phrasing.THANKS, phrasing.HELLO) if answer in matched_replies)


def is_yes(text: str) -> bool:
    return _plain_words(text) in YES or read_decision(text, "") is True


def is_no(text: str) -> bool:
    return _plain_words(text) in NEVER_MIND or read_decision(text, "") is False


def _plain_words(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s']", " ", text.lower()).split())
