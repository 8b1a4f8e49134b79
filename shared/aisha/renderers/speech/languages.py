"""What speech says besides the reply's own words, by language: the offer, currencies, percent, months, ordinals."""

import re
from collections.abc import Mapping

from msgspec import Struct

_TAG = re.compile(r"[A-Za-z]{2,3}")


class Language(Struct, frozen=True):
    """`currencies`: ISO code to (one, many) or (one, few, many); `scales`: suffix of an amount to its word.

    `date` has the slots `{day}`, `{month}`, `{year}`; `at` comes between a date and its time. `gap` stands between an
    amount and its unit, `joint` between sentences; `bounds` are the words for < and >. `numbered` dots follow a day of the month and end no sentence there.
    """

    offer: str
    currencies: Mapping[str, tuple[str, ...]]
    percent: str
    minus: str
    up_to: str
    number: str
    months: tuple[str, ...]
    date: str
    at: str
    ordinals: tuple[str, ...]
    scales: Mapping[str, str]
    after_scale: str = " "
    gap: str = " "
    joint: str = " "
    stop: str = "."
    numbered: bool = False
    clock_12h: bool = False
    times: str = "×"
    bounds: tuple[str, str] = ("", "")

    def currency(self, code: str, amount: str) -> str:
        """The currency's name as it stands after `amount`; the code itself when it has no name here."""
        names = self.currencies.get(code)
        if names is None:
            return code
        if amount == "1" or len(names) == 1:
            return names[0]
        few = len(names) == 3 and amount.isdigit() and amount[-1] in "234" and amount[-2:] not in ("12", "13", "14")
        return names[1] if few else names[-1]


def language_of(locale: str) -> Language:
    """The language of a BCP 47 tag such as `de-DE` or `pt_BR`; English when it is none of these."""
    found = _TAG.match(locale.strip())
    return LANGUAGES.get(found[0].lower() if found else "", ENGLISH)


def _months(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ENGLISH = Language(
    offer="Would you like more details?",
    currencies={
        "USD": ("dollar", "dollars"),
        "EUR": ("euro", "euros"),
        "GBP": ("pound", "pounds"),
        "JPY": ("yen",),
        "INR": ("rupee", "rupees"),
        "CHF": ("Swiss franc", "Swiss francs"),
        "CAD": ("Canadian dollar", "Canadian dollars"),
        "AUD": ("Australian dollar", "Australian dollars"),
        "BRL": ("real", "reais"),
        "PLN": ("zloty", "zlotys"),
    },
    percent="percent",
    minus="minus",
    up_to="to",
    number="number",
    months=_months("January February March April May June July August September October November December"),
    date="{month} {day}, {year}",
    at=" at ",
    ordinals=("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"),
    scales={"k": "thousand", "m": "million", "b": "billion"},
    clock_12h=True,
    times="times",
    bounds=("under", "over"),
)
LANGUAGES: Mapping[str, Language] = {
    "en": ENGLISH,
    "de": Language(
        offer="Möchten Sie mehr Einzelheiten?",
        currencies={
            "USD": ("Dollar",), "EUR": ("Euro",), "GBP": ("Pfund",), "JPY": ("Yen",), "INR": ("Rupie", "Rupien"),
            "CHF": ("Franken",), "CAD": ("kanadischer Dollar", "kanadische Dollar"),
            "AUD": ("australischer Dollar", "australische Dollar"), "BRL": ("Real",), "PLN": ("Zloty",),
        },
        percent="Prozent",
        minus="minus",
        up_to="bis",
        number="Nummer",
        months=_months("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        date="{day}. {month} {year}",
        at=" um ",
        ordinals=(
            "Erstens", "Zweitens", "Drittens", "Viertens", "Fünftens", "Sechstens", "Siebtens", "Achtens", "Neuntens",
            "Zehntens",
        ),
        scales={"k": "Tausend", "m": "Millionen", "b": "Milliarden"},
        numbered=True,
        times="mal",
        bounds=("unter", "über"),
    ),
    "fr": Language(
        offer="Souhaitez-vous plus de détails ?",
        currencies={
            "USD": ("dollar", "dollars"), "EUR": ("euro", "euros"), "GBP": ("livre", "livres"), "JPY": ("yen", "yens"),
            "INR": ("roupie", "roupies"), "CHF": ("franc suisse", "francs suisses"),
            "CAD": ("dollar canadien", "dollars canadiens"), "AUD": ("dollar australien", "dollars australiens"),
            "BRL": ("réal", "réaux"), "PLN": ("zloty", "zlotys"),
        },
        percent="pour cent",
        minus="moins",
        up_to="à",
        number="numéro",
        months=_months("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        date="{day} {month} {year}",
        at=" à ",
        ordinals=(
            "Premièrement", "Deuxièmement", "Troisièmement", "Quatrièmement", "Cinquièmement", "Sixièmement",
            "Septièmement", "Huitièmement", "Neuvièmement", "Dixièmement",
        ),
        scales={"k": "mille", "m": "millions", "b": "milliards"},
        times="fois",
        bounds=("moins de", "plus de"),
    ),
    "es": Language(
        offer="¿Quiere más detalles?",
        currencies={
            "USD": ("dólar", "dólares"), "EUR": ("euro", "euros"), "GBP": ("libra", "libras"), "JPY": ("yen", "yenes"),
            "INR": ("rupia", "rupias"), "CHF": ("franco suizo", "francos suizos"),
            "CAD": ("dólar canadiense", "dólares canadienses"), "AUD": ("dólar australiano", "dólares australianos"),
            "BRL": ("real", "reales"), "PLN": ("esloti", "eslotis"),
        },
        percent="por ciento",
        minus="menos",
        up_to="a",
        number="número",
        months=_months("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        date="{day} de {month} de {year}",
        at=" a las ",
        ordinals=(
            "Primero", "Segundo", "Tercero", "Cuarto", "Quinto", "Sexto", "Séptimo", "Octavo", "Noveno", "Décimo",
        ),
        scales={"k": "mil", "m": "millones de", "b": "mil millones de"},
        times="por",
        bounds=("menos de", "más de"),
    ),
    "it": Language(
        offer="Desidera maggiori dettagli?",
        currencies={
            "USD": ("dollaro", "dollari"), "EUR": ("euro",), "GBP": ("sterlina", "sterline"), "JPY": ("yen",),
            "INR": ("rupia", "rupie"), "CHF": ("franco svizzero", "franchi svizzeri"),
            "CAD": ("dollaro canadese", "dollari canadesi"), "AUD": ("dollaro australiano", "dollari australiani"),
            "BRL": ("real",), "PLN": ("zloty",),
        },
        percent="per cento",
        minus="meno",
        up_to="a",
        number="numero",
        months=_months("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        date="{day} {month} {year}",
        at=" alle ",
        ordinals=("Primo", "Secondo", "Terzo", "Quarto", "Quinto", "Sesto", "Settimo", "Ottavo", "Nono", "Decimo"),
        scales={"k": "mila", "m": "milioni di", "b": "miliardi di"},
        times="per",
        bounds=("meno di", "più di"),
    ),
    "pt": Language(
        offer="Gostaria de mais detalhes?",
        currencies={
            "USD": ("dólar", "dólares"), "EUR": ("euro", "euros"), "GBP": ("libra", "libras"), "JPY": ("iene", "ienes"),
            "INR": ("rupia", "rupias"), "CHF": ("franco suíço", "francos suíços"),
            "CAD": ("dólar canadense", "dólares canadenses"), "AUD": ("dólar australiano", "dólares australianos"),
            "BRL": ("real", "reais"), "PLN": ("zloty", "zlotys"),
        },
        percent="por cento",
        minus="menos",
        up_to="a",
        number="número",
        months=_months("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        date="{day} de {month} de {year}",
        at=" às ",
        ordinals=(
            "Primeiro", "Segundo", "Terceiro", "Quarto", "Quinto", "Sexto", "Sétimo", "Oitavo", "Nono", "Décimo",
        ),
        scales={"k": "mil", "m": "milhões de", "b": "bilhões de"},
        times="vezes",
        bounds=("menos de", "mais de"),
    ),
    "nl": Language(
        offer="Wilt u meer details?",
        currencies={
            "USD": ("dollar",), "EUR": ("euro",), "GBP": ("pond",), "JPY": ("yen",), "INR": ("roepie",),
            "CHF": ("Zwitserse frank",), "CAD": ("Canadese dollar",), "AUD": ("Australische dollar",),
            "BRL": ("real",), "PLN": ("zloty",),
        },
        percent="procent",
        minus="min",
        up_to="tot",
        number="nummer",
        months=_months("januari februari maart april mei juni juli augustus september oktober november december"),
        date="{day} {month} {year}",
        at=" om ",
        ordinals=(
            "Ten eerste", "Ten tweede", "Ten derde", "Ten vierde", "Ten vijfde", "Ten zesde", "Ten zevende",
            "Ten achtste", "Ten negende", "Ten tiende",
        ),
        scales={"k": "duizend", "m": "miljoen", "b": "miljard"},
        times="keer",
        bounds=("minder dan", "meer dan"),
    ),
    "pl": Language(
        offer="Czy chcesz poznać więcej szczegółów?",
        currencies={
            "USD": ("dolar", "dolary", "dolarów"), "EUR": ("euro",), "GBP": ("funt", "funty", "funtów"),
            "JPY": ("jen", "jeny", "jenów"), "INR": ("rupia", "rupie", "rupii"),
            "CHF": ("frank szwajcarski", "franki szwajcarskie", "franków szwajcarskich"),
            "CAD": ("dolar kanadyjski", "dolary kanadyjskie", "dolarów kanadyjskich"),
            "AUD": ("dolar australijski", "dolary australijskie", "dolarów australijskich"),
            "BRL": ("real", "reale", "reali"), "PLN": ("złoty", "złote", "złotych"),
        },
        percent="procent",
        minus="minus",
        up_to="do",
        number="numer",
        months=_months(
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
        ),
        date="{day} {month} {year}",
        at=" o ",
        ordinals=(
            "Po pierwsze", "Po drugie", "Po trzecie", "Po czwarte", "Po piąte", "Po szóste", "Po siódme", "Po ósme",
            "Po dziewiąte", "Po dziesiąte",
        ),
        scales={"k": "tysięcy", "m": "milionów", "b": "miliardów"},
        numbered=True,
        times="razy",
        bounds=("poniżej", "ponad"),
    ),
    "ja": Language(
        offer="詳しくお聞きになりますか？",
        currencies={
            "USD": ("ドル",), "EUR": ("ユーロ",), "GBP": ("ポンド",), "JPY": ("円",), "INR": ("ルピー",),
            "CHF": ("スイスフラン",), "CAD": ("カナダドル",), "AUD": ("オーストラリアドル",), "BRL": ("レアル",),
            "PLN": ("ズウォティ",),
        },
        percent="パーセント",
        minus="マイナス",
        up_to="から",
        number="番号",
        months=tuple(f"{month}月" for month in range(1, 13)),
        date="{year}年{month}{day}日",
        at="",
        ordinals=tuple(f"{place}番目" for place in "一二三四五六七八九十"),
        scales={"k": "千", "m": "百万", "b": "十億"},
        after_scale="",
        gap="",
        joint="",
        stop="。",
        times="かける",
    ),
}  # fmt: skip
