"""Splitting of plain text into sentences, and counting of words as they are spoken."""

import re

from aisha.renderers.speech.languages import Language

_ENDS = ".!?…"
_CLOSING = "\"'”’»)]"
_OPENING = "\"'“‘«(["
# After the stops of Chinese and Japanese, which no space follows, and after a bracket that closes behind them.
_FULL_WIDTH = re.compile(r"(?<=[。！？])(?=[^」』）])|(?<=[。！？][」』）])")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_CHARACTERS_A_WORD = 2
"""Scripts without spaces: two characters take about as long to say as a word."""
# "J.", "z.B.".
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+")
_DAY = re.compile(r"\d{1,2}\.")

ABBREVIATIONS = frozenset(
    # English
    "dr mr mrs ms mx prof rev hon gov sen rep gen col capt lt sgt st jr sr esq messrs inc ltd co corp llc plc bros "
    "dept est approx vs etc cf al ext tel fig vol min max avg jan feb mar apr jun jul aug sep sept oct nov dec mon tue "
    "tues wed thu thur thurs fri sat sun ave blvd rd ph.d i.e e.g a.m p.m u.s u.k u.n e.u no nos op pp ed eds "
    # German
    "bzw usw ca nr str evtl ggf inkl exkl zzgl vgl abs art tsd mio mrd hr fr frl dipl ing geb gest mind sog allg bspw "
    # French, Spanish, Italian, Portuguese
    "mme mlle mm env sté sra srta ud uds vd vds lic arq núm pág avda dott ssa sig sigg egr spett sra dra exmo exma "
    "tél apr janv févr juil ene abr ago gen mag giu lug ott dic "
    # Dutch, Polish
    "dhr mevr mw bijv enz resp incl excl np tzn itd itp tj ul godz zob wg prof mgr inż hab".split()
)
"""Words that are written with a dot, in lower case."""
_BEFORE_NUMBERS = frozenset("no nos nr art fig vol min max op pp ed abs ext est".split())
"""Abbreviations only in front of a number; elsewhere they are words."""
_CAPITAL = frozenset("mon wed sat sun fri mar".split())
"""Abbreviations only with a capital; in lower case they are words."""


def word_count(text: str) -> int:
    """Count words as they are spoken; two characters of a script without spaces are one."""
    return sum(max(1, -(-len(_WIDE.findall(token)) // _CHARACTERS_A_WORD)) for token in text.split())


def sentences(text: str, language: Language) -> list[str]:
    """Split one paragraph into its sentences. Abbreviations, initials, decimals and days of a month end none."""
    result: list[str] = []
    for part in _FULL_WIDTH.split(text):
        tokens = part.split()
        start = 0
        for end, token in enumerate(tokens, 1):
            if end == len(tokens) or _is_end(token, tokens[end], language):
                result.append(" ".join(tokens[start:end]))
                start = end
    return result


def _is_end(token: str, following: str, language: Language) -> bool:
    bare = token.rstrip(_CLOSING)
    if not bare or bare[-1] not in _ENDS:
        return False
    next_word = following.lstrip(_OPENING)
    # A sentence does not go on in lower case or with a comma: "Yahoo! and Google".
    if next_word[:1].islower() or following[:1] in ",;:-–—":
        return False
    return bare[-1] != "." or bare.endswith("..") or not _is_abbreviation(bare.lstrip(_OPENING), next_word, language)


def _is_abbreviation(word: str, following: str, language: Language) -> bool:
    stem = word[:-1].lower()
    # The abbreviation may be a part of the word: "Vertriebs-Nr.", "Mr./Mrs.".
    last = stem.rpartition("-")[2].rpartition("/")[2]
    if last in _BEFORE_NUMBERS:
        return following[:1].isdecimal()
    if last in ABBREVIATIONS:
        return last not in _CAPITAL or word[:1].isupper()
    if _DOTTED.fullmatch(word):
        return True
    return language.has_day_dots and _DAY.fullmatch(word) is not None
