"""Other languages are told from English, and answered in themselves; names, typos and chat are English."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.domain.language.languages import ENGLISH, Language, detect, mixed_reply, mixture, reply

CONVERSATIONS = Path(__file__).parents[3] / "conversations"
FOREIGN = [
    ("de", "Zeig mir meine warmen Leads"),
    ("de", "Wann ist mein nächster Termin?"),
    ("de", "Entschuldigung, kannst du mir sagen, welche Kunden gefährdet sind?"),
    ("de", "koennen sie mir bitte helfen"),
    ("de", "ZEIG MIR MEINE OFFENEN AUFGABEN"),
    ("fr", "Pourriez-vous me dire combien d'affaires se concluent en avril ?"),
    ("fr", "Montre-moi mes prospects chauds"),
    ("fr", "tu peux me sortir la liste des clients a Lyon"),
    ("es", "oye cuantos leads tengo en austin"),
    ("es", "¿Quién es Jack Russel?"),
    ("es", "cual es el estado de Jack Russel?"),
    ("es", "Llama a Jack mañana a las 10"),
    ("it", "Mostrami i miei lead"),
    ("it", "quanti clienti abbiamo a Milano"),
    ("pt", "Mostre meus leads"),
    ("pt", "quais são as minhas tarefas de hoje?"),
    ("nl", "Laat mijn warme leads zien"),
    ("nl", "hoeveel klanten hebben we in Utrecht"),
    ("pl", "Dodaj proszę nowego klienta: Piotr Zieliński, firma Zieliński Meble"),
    ("pl", "pokaz mi wszystkie firmy z ohio"),
    ("sv", "hur många kunder har vi i Malmö"),
    ("sv", "jag vill skapa en ny kontakt"),
    ("da", "hvad skal jeg lave i dag"),
    ("da", "Slet denne kontakt"),
    ("no", "Vis meg mine varme leads"),
    ("no", "hva skal jeg gjøre i dag"),
    ("fi", "kuinka monta asiakasta meillä on"),
    ("fi", "haluan luoda uuden kontaktin"),
    ("cs", "Zavolej Jackovi zítra v 10"),
    ("cs", "chci vytvořit nový kontakt"),
    ("sk", "chcem vytvoriť nový kontakt"),
    ("hr", "koliko imamo kupaca"),
    ("tr", "yeni bir kişi oluşturmak istiyorum"),
    ("tr", "bugün ne yapmam lazım"),
    ("ro", "câți clienți avem în Cluj"),
    ("ro", "vreau să creez un contact nou"),
    ("hu", "Hívd fel Jacket holnap 10-kor"),
    ("hu", "szeretnék egy új kapcsolatot létrehozni"),
    ("id", "berapa banyak pelanggan kita"),
    ("vi", "Cho tôi xem các khách hàng của tôi"),
    ("hi-Latn", "mujhe mere leads dikhao"),
    ("ru", "Покажи мои тёплые лиды"),
    ("ru", "Позвони Джеку завтра в 10"),
    ("ru", "Привет"),
    ("uk", "Покажи мої теплі ліди"),
    ("bg", "Покажи ми моите клиенти"),
    ("el", "Κάλεσε τον Jack αύριο στις 10"),
    ("ar", "أرني العملاء المحتملين"),
    ("fa", "مشتریان من را نشان بده"),
    ("he", "הראה לי את הלידים שלי"),
    ("hi", "Jack Russel कौन है?"),
    ("zh", "显示我的潜在客户"),
    ("zh", "我們在俄亥俄有多少客戶"),
    ("ja", "Jack Russelは誰ですか"),
    ("ja", "明日10時にジャックに電話して"),
    ("ko", "내 리드를 보여줘"),
    ("th", "แสดงลูกค้าของฉัน"),
    ("und", "მაჩვენე ჩემი კლიენტები"),
]
FOREIGN_NAMES = [
    "call José Núñez tomorrow",
    "schedule a demo with Müller GmbH",
    "create a contact for maria de la cruz at ibérica de cables",
    "show me deals of société générale and crédit agricole",
    "call ludwig van der beek and anna von der leyen",
    "note for l'oréal: they want a new quote",
    "new lead günther groß, fa. grün und söhne kg",
    "who is jörg müller-lüdenscheidt",
    "meeting w/ françois lefèvre @ hôtel de ville 3pm",
    "leads in los angeles",
    "show me the deals in São Paulo",
    "El Dorado deal to won",
    "add das haus as an account",
    "call Иван Петрович Сидоров tomorrow",
    "add account 株式会社東京電力",
    "create a lead for 田中太郎",
    "Juan de la Cruz",
    "juan de la cruz",
    "Zsófia",
    "Иван Петров",
    "Nuestra Familia",
    "add a lead, sam keller from keller and sons, met him at the trade show",
]
SHORTHAND = [
    "cll jck tmrw at 3",
    "shwo me my wrm leds pls",
    "shcedule a cal wth Jak Russel tomorow",
    "hw mny opn dls do i hav",
    "pls updt acct w new addr",
    "all contacts w/o email and w/o phone pls",
    "gimme da hot leads yo",
    "thx, til mon",
    "i may yet hand wren & co to lucinda",
    "SHOW ME MY LEADS",
    "send an email to pat.lee@example.com",
]
SINGLE = ["hola", "gracias", "Danke", "merci", "si", "ja", "da", "Hilfe", "leads", "ok", "", "42", "👍"]
QUOTING = [
    "danke, show me my leads",
    "muchas gracias! now show me my tasks",
    "c'est la vie, delete the task",
    'set next step to "llamar a Juan mañana por la tarde"',
    "note that she said “je ne peux pas venir demain”",
    "log a note for Priya: er möchte kein Angebot mehr, bitte nicht anrufen",
]
MIXED = [
    ("Please rufe Jack morgen an", "de", "Please", "rufe Jack morgen an"),
    ("Show me los leads de Ohio", "es", "Show me", "los leads de Ohio"),
    ("show me les clients de Lyon", "fr", "show me", "les clients de Lyon"),
    ("quiero ver my warm leads please", "es", "my warm leads please", "quiero ver"),
    ("please dodaj nowy lead Piotr", "pl", "please", "dodaj nowy lead Piotr"),
    ("show me 我的线索", "zh", "show me", "我的线索"),
    ("покажи my leads", "ru", "my leads", "покажи"),
]


@pytest.mark.parametrize(("code", "text"), FOREIGN)
def test_another_language_is_recognised(code: str, text: str) -> None:
    assert detect(text).code == code


@pytest.mark.parametrize("text", [text for code, text in FOREIGN if code not in ("da", "no")])
def test_capital_letters_lost_change_no_language(text: str) -> None:
    assert detect(text.lower()).code == detect(text).code


@pytest.mark.parametrize("text", FOREIGN_NAMES)
def test_english_with_a_foreign_name_is_english(text: str) -> None:
    assert (detect(text).code, mixture(text)) == ("en", None)


@pytest.mark.parametrize("text", SHORTHAND)
def test_typos_and_chat_shorthand_are_english(text: str) -> None:
    assert (detect(text).code, mixture(text)) == ("en", None)


@pytest.mark.parametrize("text", SINGLE)
def test_a_single_word_is_no_other_language(text: str) -> None:
    assert (detect(text).code, mixture(text)) == ("en", None)


@pytest.mark.parametrize("text", QUOTING)
def test_greetings_and_what_is_quoted_do_not_count(text: str) -> None:
    assert (detect(text).code, mixture(text)) == ("en", None)


@pytest.mark.parametrize(("text", "code", "english", "other"), MIXED)
def test_a_mixed_message_is_parted_into_english_and_the_other_language(
    text: str, code: str, english: str, other: str
) -> None:
    parts = mixture(text)
    assert parts is not None
    assert (parts.language.code, parts.english, parts.other) == (code, english, other)


def test_a_message_in_one_language_is_not_mixed() -> None:
    assert mixture("Zeig mir meine warmen Leads") is None
    assert mixture("Show me my warm leads") is None


def test_hardly_a_turn_of_the_written_conversations_is_taken_for_another_language() -> None:
    turns = [
        turn["say"]
        for path in sorted(CONVERSATIONS.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        for turn in json.loads(line)["turns"]
        if turn.get("say")
    ][::5]
    assert sum(detect(text).code != "en" or mixture(text) is not None for text in turns) <= len(turns) / 200


def test_certainty_is_less_where_english_words_stand_beside() -> None:
    assert detect("Zeig mir meine warmen Leads").certainty == 1
    assert 0 < detect("ich brauche the email of Jack").certainty < 1
    assert detect("Show me my leads") == ENGLISH


@pytest.mark.parametrize("code", sorted({code for code, _ in FOREIGN} | {"en"}))
def test_each_reply_has_two_english_examples_and_the_name_asked_for(code: str) -> None:
    text = reply(Language(code, "", 1), "Jack Russel")
    assert "“Show me my warm leads”" in text
    assert "“Schedule a call with Jack Russel tomorrow”" in text
    assert "{" not in text


def test_the_reply_is_in_the_language_itself() -> None:
    assert "Englisch" in reply(detect("Zeig mir meine Leads"))
    assert "anglais" in reply(detect("Montre-moi mes prospects chauds"))
    assert "英語" in reply(detect("私のリードを見せて"))
    assert "English" in reply(detect("მაჩვენე ჩემი კლიენტები"))


def test_the_reply_to_a_mixed_message_names_what_was_not_understood() -> None:
    parts = mixture("Please rufe Jack morgen an")
    assert parts is not None
    text = mixed_reply(parts, "Jack")
    assert "“rufe Jack morgen an”" in text
    assert "German" in text
    assert "Schedule a call with Jack tomorrow" in text


@pytest.mark.parametrize(
    "text",
    [
        "zeig mir bitte alle meine Kunden in Köln und dann den Termin ",
        "show me the leads and schedule a call with Jack, then ",
        "a:",
        "A ",
        "l'",
        "“",
        '"',
        "客户",
        "покажи мне ",
        "a-",
        "é",
        "show 客 ",
        "que sera ",
        "\n",
    ],
)
def test_the_longest_message_is_read_at_once(text: str) -> None:
    message = (text * 8_000)[:8_000]
    detect("warm up")
    spent = []
    for ending in "xyz":
        begun = time.process_time()
        detect(f"hi{message[:-4]}({ending}")
        spent.append(time.process_time() - begun)
    assert min(spent) < 0.05


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_a_language_and_a_reply(text: str) -> None:
    language = detect(text)
    assert language.code
    assert 0 <= language.certainty <= 1
    assert reply(language)
    parts = mixture(text)
    assert parts is None or parts.other
