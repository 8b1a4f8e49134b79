"""The few words of each language that speech adds to a reply: the offer to go on, and how < and > are said."""

import re
from collections.abc import Mapping

from msgspec import Struct

_TAG = re.compile(r"[A-Za-z]{2,3}")


class Language(Struct, frozen=True):
    """`bounds` are the words for < and >; `joint` stands between sentences, `stop` at their end.

    `has_day_dots`: days of a month are written with a dot ("2. März"), which ends no sentence.
    """

    offer: str
    bounds: tuple[str, str]
    joint: str = " "
    stop: str = "."
    has_day_dots: bool = False


ENGLISH = Language("Would you like more details?", ("under", "over"))
LANGUAGES: Mapping[str, Language] = {
    "en": ENGLISH,
    "de": Language("Möchten Sie mehr Einzelheiten?", ("unter", "über"), has_day_dots=True),
    "fr": Language("Souhaitez-vous plus de détails ?", ("moins de", "plus de")),
    "es": Language("¿Quiere más detalles?", ("menos de", "más de")),
    "it": Language("Desidera maggiori dettagli?", ("meno di", "più di")),
    "pt": Language("Gostaria de mais detalhes?", ("menos de", "mais de")),
    "nl": Language("Wilt u meer details?", ("minder dan", "meer dan")),
    "pl": Language("Czy chcesz poznać więcej szczegółów?", ("poniżej", "ponad")),
    "ja": Language("詳しくお聞きになりますか？", ("", ""), joint="", stop="。"),
}


def language_of(locale: str) -> Language:
    """Return the language of a BCP 47 tag such as `de-DE` or `pt_BR`; English for any other one."""
    tag = _TAG.match(locale.strip())
    return LANGUAGES.get(tag[0].lower() if tag else "", ENGLISH)
