"""Greetings, thanks, goodbyes, yes and no."""

import re

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.lexicon import BYE, CHAT, GREETING, HELP, NEVER_MIND, SLANG, THANKS, YES
from aisha.adapters.llm.offline.plan import Answer
from aisha.application.dialogue.yes_no import decision_in


def small_talk(text: str, has_written: bool) -> Answer | None:
    """The answer to a sentence that asks nothing of the CRM. "Cancel that" asks something once something was written."""
    bare = re.sub(r"[^\w\s']", " ", text.lower())
    bare = re.sub(r"\b(?:aisha|ai sha|there|so much|a lot|very much|again|then|for now|buddy|mate|team)\b", " ", bare)
    bare = " ".join(bare.split())
    if not bare or bare in GREETING or any(bare == f"{a} {b}" for a in GREETING for b in (*GREETING, "you")):
        return Answer(phrasing.HELLO)
    if bare in HELP or re.fullmatch(
        r"(?:help|help me(?: get started| out)?|(?:so )?what (?:else |all )?can (?:you|i) (?:do|ask)(?! (?:(?:next|now|best) )?(?:next|now|with (?:him|her|them|it|this|that|the)|about|for (?:him|her|them|it)))(?: .*)?|how can you help.*)",
        bare,
    ):
        return Answer(phrasing.HELP)
    if _ABILITY.fullmatch(bare):
        return Answer(phrasing.HELP)
    if bare in BYE:
        return Answer(phrasing.BYE)
    if bare in NEVER_MIND and not (has_written and "cancel" in bare):
        return Answer(phrasing.NOTHING_CHANGED)
    if _LEAVES_IT.fullmatch(bare) and not has_written:
        return Answer(phrasing.NOTHING_CHANGED)
    if (kind := _chat(text)) is not None:
        return Answer(kind)
    if bare in YES:
        return Answer(phrasing.NOTHING_WAITS)
    return None


_VERBS = "creat(?:e|ing)|add(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|schedul(?:e|ing)|book(?:ing)?|updat(?:e|ing)|chang(?:e|ing)|convert(?:ing)?|edit(?:ing)?|mak(?:e|ing)|tak(?:e|ing)|writ(?:e|ing)|sen(?:d|ding)"
_KINDS = "leads?|contacts?|accounts?|deals?|opportunit(?:y|ies)|activit(?:y|ies)|notes?|tasks?|meetings?|calls?|reminders?|records?|emails?|demos?"
_ABILITY = re.compile(
    rf"(?:so |and |ok )?(?:(?:can|could|are) (?:you|i|we) (?:able to |allowed to |also )?(?:{_VERBS}) (?:any |new )?(?:(?:{_KINDS})(?<=s))|(?:is it possible|am i allowed|are we allowed|may i|would it be possible) (?:to )?(?:{_VERBS}) (?:an? |any |new )*(?:{_KINDS})"
    rf"|(?:can|could|may) (?:an? |any )?(?:{_KINDS}) (?:also |ever )?be \w+ed(?: \w+)?)(?: too| as well| here| at all)?"
)
"""Asks what can be done, of no record in particular."""
_LEAVES_IT = re.compile(
    r"(?:forget it|never mind|nevermind|leave it|drop it|don't bother|no worries|skip it|don't worry)(?: about it| then)?"
    r"(?: (?:i'll|ill|i will|i've|i can|i'm|it's|its|that's|we'll) (?:(?!\\b(?:call|note|schedule)\\b).)*)?"
)


def _chat(text: str) -> str | None:
    """The answer to a sentence of nothing but thanks, greetings and goodbyes."""
    rest = " ".join(SLANG.get(word, word) for word in _bare(text.replace("’", "'")).split())
    found = set()
    for answer, phrases in ((phrasing.BYE, BYE), (phrasing.THANKS, THANKS), (phrasing.HELLO, GREETING)):
        for phrase in sorted(phrases, key=len, reverse=True):
            shorter = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", " ", rest)
            if shorter != rest:
                found.add(answer)
                rest = shorter
    if not found or set(rest.split()) - CHAT:
        return None
    return next(answer for answer in (phrasing.BYE, phrasing.THANKS, phrasing.HELLO) if answer in found)


def is_yes(text: str) -> bool:
    return _bare(text) in YES or decision_in(text, "") is True


def is_no(text: str) -> bool:
    return _bare(text) in NEVER_MIND or decision_in(text, "") is False


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s']", " ", text.lower()).split())
