"""Speech: plain sentences, short enough, with the offer in the listener's language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aisha.renderers.speech.languages import ENGLISH, LANGUAGES, language_of
from aisha.renderers.speech.sentences import word_count
from aisha.renderers.speech.speaking import MAX_WORDS, plain_speech, spoken, unspoken

MARKDOWN = set("*`#~|[]<>\\_\n")
MORE = ENGLISH.offer
LONG = " ".join(f"Sentence number {n} has six words." for n in range(40))


# --- Markdown


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("# Next steps\n\nDo **it** *now*.", "Next steps. Do it now."),
        ("1. **Call** Jack today\n2. Send the quote.", "First, Call Jack today. Second, Send the quote."),
        ("- Call Jack\n- Send the quote!\n  - with a price", "Call Jack. Send the quote! with a price."),
        ("* [ ] Call\n* [x] Mail", "Call. Mail."),
        ("See the [quote](https://a.example/x_y?d=2026-03-02) here.", "See the quote here."),
        ("Look: ![a chart](https://a.example/c.png)", "Look: a chart."),
        ("Read https://www.abc.example/x/y_z?q=1#top.", "Read abc.example."),
        ("The field `next_step` is empty.", "The field next step is empty."),
        ("Before.\n\n```python\nprint('no')\n```\n\nAfter.", "Before. After."),
        ("> quoted\n\n---\n\nplain", "quoted. plain."),
        ("<b>Jack</b> &amp; Ann<br>came.", "Jack & Ann came."),
        ("<div>Hello <b>there</b></div>\n\n<script>alert(1)</script>", "Hello there."),
        ("Name: Jack\nStatus: warm", "Name: Jack. Status: warm."),
        ("a line\nthat goes on", "a line that goes on."),
        ("Done ✅ 🎉 for 👨‍👩‍👧 and 1️⃣!", "Done for and 1!"),
        ("Lead → Qualified -> Won", "Lead, Qualified, Won."),
        ("half **open and `open", "half open and open."),
        ("~~Not~~ 2 * 3", "Not 2 times 3."),
        ("", ""),
        ("  \n", ""),
    ],
)
def test_markdown_is_read_as_sentences(text: str, speech: str) -> None:
    assert spoken(text) == speech


def test_a_row_of_a_table_is_a_sentence_with_the_names_of_its_columns() -> None:
    table = "| Name | Status | Amount |\n|---|:-:|--:|\n| Jack Russel | **warm** | $500 |\n| Ann | | $1 |"
    assert spoken(table) == "Jack Russel: Status warm, Amount 500 dollars. Ann: Amount 1 dollar."


def test_a_text_of_code_alone_leaves_only_the_offer() -> None:
    assert spoken("```\nx = 1\n```") == MORE


# --- figures


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("It is worth $12,500.", "It is worth 12,500 dollars."),
        ("It is worth **$12,500**.", "It is worth 12,500 dollars."),
        ("1 $ or $1", "1 dollar or 1 dollar."),
        ("€1.2M and £3k", "1.2 million euros and 3 thousand pounds."),
        ("$5-$10 or £5k–£10k", "5 to 10 dollars or 5 thousand pounds to 10 thousand pounds."),
        ("20 EUR, USD 3.50, $99.99 USD", "20 euros, 3.50 dollars, 99.99 dollars."),
        ("A loss of -$500", "A loss of minus 500 dollars."),
        ("Up 12.5%, or 10-20 %", "Up 12.5 percent, or 10 to 20 percent."),
        ("Due 2026-03-02", "Due March 2, 2026."),
        ("Due 2026-03-02T14:30:00Z", "Due March 2, 2026 at 2:30 PM."),
        ("Not a date: 2026-13-45", "Not a date: 2026-13-45."),
        ("Deals > $10,000 of #5", "Deals over 10,000 dollars of number 5."),
        ("Call +1 555-0100 or 555-12-34", "Call +1 555-0100 or 555-12-34."),
    ],
)
def test_figures_are_spoken_in_words(text: str, speech: str) -> None:
    assert spoken(text) == speech


@pytest.mark.parametrize(
    ("locale", "speech"),
    [
        ("de-DE", "Mehr als 5 %: über 12.500 €, 2 × 3."),
        ("fr", "Mehr als 5 %: plus de 12.500 €, 2 × 3."),
        ("ja-JP", "Mehr als 5 %: 12.500 €, 2 × 3。"),
    ],
)
def test_in_other_languages_figures_stay_and_only_signs_are_spoken(locale: str, speech: str) -> None:
    assert spoken("Mehr als 5 %: > 12.500 €, 2 * 3", locale) == speech


def test_a_numbered_list_of_another_language_has_its_numbers() -> None:
    assert spoken("1. Anrufen\n2. Angebot senden", "de") == "1, Anrufen. 2, Angebot senden."


# --- sentences and length


def test_a_long_text_is_cut_at_a_sentences_end() -> None:
    speech = spoken(LONG)
    assert speech.endswith(f"has six words. {MORE}")
    assert len(speech.split()) <= MAX_WORDS
    assert speech.startswith("Sentence number 0 has six words. Sentence number 1")


def test_a_text_of_75_words_is_whole() -> None:
    text = " ".join(["word"] * 74) + " end."
    assert spoken(text) == text


def test_a_sentence_that_is_too_long_is_cut_at_a_pause() -> None:
    speech = spoken(", ".join(f"lead number {n}" for n in range(40)))
    assert speech.endswith(f"lead number 22. {MORE}")
    assert len(spoken("word " * 200).split()) <= MAX_WORDS


@pytest.mark.parametrize(
    "phrase",
    [
        "Dr. J. R. Smith", "Mrs. Lee", "ABC Inc. and Initech Corp. Europe", "the U.S. office", "e.g. Jack", "i.e. Ann",
        "9 a.m. Monday", "at 5 p.m. Central", "about 3.5 points", "approx. 20", "vs. Globex", "No. 5", "St. Louis",
        "Jan. 5", "Prof. Dr. Meier", "J.R. Tolkien", "Nr. 7", "z.B. Jack", "(Dr. Lee)", "Wait... what",
    ],
)  # fmt: skip
def test_an_abbreviation_ends_no_sentence(phrase: str) -> None:
    """The cut never falls inside: either the whole phrase is there or nothing of its sentence."""
    for before in range(60, 76):
        text = f"{' '.join(['word'] * before)} now. We met {phrase} again today. {LONG}"
        speech = spoken(text)
        assert speech.endswith(MORE)
        beginning = speech.removesuffix(MORE).strip()
        assert f"We met {phrase} again today." in beginning or "We met" not in beginning


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("No. I will not do that at all", "No."),
        ("He sat. Then he left the room", "He sat."),
        ("We met in 2025. Then we left", "We met in 2025."),
        ("Is it so? Yes it is", "Is it so?"),
        ('He said "stop." Then he left', 'He said "stop."'),
        ("It is done! (Really.) Good for us", "It is done! (Really.)"),
    ],
)
def test_sentences_do_end(text: str, first: str) -> None:
    rest = " ".join(["word"] * 72)
    assert spoken(f"{text} {rest}.").removesuffix(f" {MORE}") == first


def test_a_german_day_ends_no_sentence() -> None:
    rest = " ".join(["Wort"] * 72)
    speech = spoken(f"Ja. Am 2. März {rest}.", "de")
    assert speech == f"Ja. {LANGUAGES['de'].offer}"


def test_an_announcement_without_its_list_is_not_spoken() -> None:
    rest = " ".join(["word"] * 72)
    assert spoken(f"You have 3 leads. Here they are:\n\n- {rest}") == f"You have 3 leads. {MORE}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offer_is_in_the_listeners_language(language: str) -> None:
    speech = spoken(LONG, f"{language}-XX")
    assert speech.endswith(LANGUAGES[language].offer)
    assert word_count(speech) <= MAX_WORDS


def test_the_eight_languages_have_offers_of_their_own() -> None:
    offers = {language_of(tag).offer for tag in ("en-US", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "ja")}
    assert len(offers) == 9
    assert language_of("xx").offer == language_of("").offer == MORE


def test_japanese_is_as_short_as_the_others() -> None:
    speech = spoken("これは長い文章です。" * 60, "ja")
    assert speech.endswith(LANGUAGES["ja"].offer)
    assert word_count(speech) <= MAX_WORDS
    assert speech.removesuffix(LANGUAGES["ja"].offer).endswith("。")


# --- whatever the text

PIECES = st.sampled_from(
    "# |## |- |* |1. |12. |> |**|*|_|__|`|```|~~|[|](http://a.example/b_c)|![|]|(|)|<b>|</b>|<|>|&lt;|&#42;|\\*|\\|"
    "| a | b |\n|---|---|\n|🎉|✅|\n|\n\n|  |    |\t|. |.|! |? |: |; |, |-|–|—|_x_|#5|Dr. |U.S. |$1,000|5 %|2026-03-02|"
    "word |Jack Russel |a.m. |e.g. |日本語|。|→|->|http://x.example/y#z|next_step|\u200d|\ufe0f|\x00|\ud7ff".split("|")
)
WILD = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=120).map("".join)
LOCALES = st.sampled_from(["en-US", "de-DE", "fr", "es", "it", "pt", "nl", "pl", "ja", "xx", ""])


@given(WILD, LOCALES)
def test_speech_is_short(text: str, locale: str) -> None:
    speech = spoken(text, locale)
    assert word_count(speech) <= MAX_WORDS
    assert len(speech.split()) <= MAX_WORDS


@given(WILD, LOCALES)
def test_speech_has_no_markdown(text: str, locale: str) -> None:
    assert not MARKDOWN & set(spoken(text, locale))


@given(WILD)
def test_there_is_something_to_say_about_every_text(text: str) -> None:
    speech = spoken(text)
    assert bool(speech) == bool(text.strip())
    assert not speech or speech[-1] in ".!?…:。！？\"'”’»)」"


@given(st.lists(st.sampled_from("alpha beta gamma delta".split()), min_size=1, max_size=300))
def test_plain_words_are_kept_in_order(words: list[str]) -> None:
    text = " ".join(words)
    speech = spoken(text).removesuffix(f" {MORE}").removesuffix(".")
    assert text.startswith(speech)
    assert speech == text or len(speech.split()) >= MAX_WORDS - len(MORE.split())


@pytest.mark.parametrize("text", [LONG, "word " * 200, f"Here they are:\n\n{LONG}", "Short.", ""])
def test_what_was_not_spoken_is_the_rest_of_the_text(text: str) -> None:
    offer, rest = unspoken(text)
    heard = spoken(text).removesuffix(offer)
    assert f"{heard} {rest}".replace(".", "").split() == plain_speech(text).replace(".", "").split()
