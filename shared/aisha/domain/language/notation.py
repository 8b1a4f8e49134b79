"""Spell out what is written like a form, "Lead Ann Lee: source = web", and tell what is pasted from own words."""

import re
import tomllib
from calendar import month_name
from collections.abc import Iterator, Sequence
from importlib.resources import files

from msgspec import Struct

from aisha.domain.language import lexicon
from aisha.domain.language.tokens import stem

_FORMS = tomllib.loads(files("aisha").joinpath("assets", "reader", "forms.toml").read_text(encoding="utf-8"))
PATTERNS = {name: re.compile(pattern) for name, pattern in _FORMS["patterns"].items()}
_FOR_DIGITS = [(re.compile(pattern), word) for pattern, word in _FORMS["words"]["for_digits"]]
UNCHANGED, _LINKED, _FLAGS, _SET, _APPLYING, _ACTIVITY_STATES = (
    frozenset(_FORMS["words"][name]) for name in "unchanged linked flags set applying activity_states".split()
)
_DIGITS = {word: str(place) for place, word in enumerate(_FORMS["words"]["digits"])}


def spelled_out(message: str) -> list[str]:
    """Return the sentences that a message stands for which is a form; the message itself if it is none.

    Fields without values are a question, and fields with a sign between them and their values orders.
    """
    message = written_out(message)
    points = _points(message)
    if len(points) > 1:
        return [sentence for point in points for sentence in spelled_out(point)]
    plain = message if "@" in message or "/" in message else PATTERNS["underscore"].sub(" ", message)
    form = _rows(plain) or _wanted(plain) or _with_columns(plain) or _form(plain)
    before, _, last = plain.rstrip(" .?").rpartition(". ")
    if not form and before and (question := _form(last)) and question[0].startswith("What"):
        return [before, *question]  # "Thanks. Lead Ann Lee: phone."
    return form or [_plain_order(plain)]


def _points(message: str) -> list[str]:
    """Return the numbered points that a message begins with and consists of: "a. … b. …", "1) … 2) …"."""
    marks = list(PATTERNS["point"].finditer(message.strip()))
    counted = "".join(one[1].lower() for one in marks)
    if len(marks) < 2 or marks[0].start() or counted not in ("123456789"[: len(marks)], "abcdefgh"[: len(marks)]):
        return []
    ends = [*(one.start() for one in marks[1:]), len(message.strip())]
    return [message.strip()[one.end() : end].strip(" ,;\n") for one, end in zip(marks, ends, strict=True)]


def _form(text: str) -> list[str]:
    """Return the orders or the question of a form: each of its units has a field, the first one may name the record."""
    units = [one.strip(" .,-•*\t") for one in PATTERNS["units"].split(text) if one.strip(" .,-•*\t")]
    opened = PATTERNS["opened"].fullmatch(units[0]) if units else None
    alone = PATTERNS["subject"].fullmatch(units[0]) if len(units) > 1 else None
    named = ""
    if opened is not None and (named := _named(opened)):
        units[0] = opened["rest"].strip(" .!?")
    elif alone is not None and alone["kind"] and (named := _named(alone)):
        del units[0]
    fields = [field for unit in units for field in _split(unit)]
    if opened is not None and (opened["kind"] or "").lower() == "activity":
        value = opened["rest"].strip(" .!?")
        return [f'Mark the activity "{opened["name"].strip()}" as {value}.'] * (value in _ACTIVITY_STATES)
    if named and _are_fields(fields, _LINKED):
        return [_question(fields, named)]
    pairs = [pair for unit in units if (pair := _pair(unit, is_named=bool(named))) is not None]
    if not pairs or len(pairs) < len(units) or not _are_fields([field for field, _ in pairs]):
        return []
    if not named and any(field.lower().endswith("name") or value.endswith("?") for field, value in pairs):
        return []
    return list(_orders(pairs, named))


def _pair(text: str, *, is_named: bool) -> tuple[str, str] | None:
    """Return a field and its value; without a sign between them, which only a name goes before, a clear value."""
    if re.search(r"\w[.?!] ", text):
        return None  # A sentence, and more after it.
    if (assigned := PATTERNS["assigned"].fullmatch(text)) is not None:
        return assigned["field"].strip().lower(), PATTERNS["please"].sub("", assigned["value"].strip())
    field, _, value = text.rpartition(" ")
    is_clear = any(letter.isdecimal() for letter in value) or lexicon.phrase_key(value, "values") is not None
    return (field, value) if is_named and lexicon.is_field(field.lower()) and is_clear else None


def _named(subject: re.Match[str]) -> str:
    """Return the kind and the name of a subject; empty if what stands in the place of the kind is none."""
    kind, name = (subject["kind"] or "").lower(), PATTERNS["due_end"].sub("", subject["name"]).strip()
    first, _, others = name.removeprefix("And ").removeprefix("Also ").partition(" ")
    name = f"{first.lower() if first.lower() in lexicon.DETERMINERS else first} {others}".strip()
    is_field = lexicon.is_field(f"{kind} {name}".strip().lower())
    is_kind = not kind or lexicon.kind_of(kind) in lexicon.KINDS
    is_sentence = re.search(r"\w{4}\. |\bnot\b", name) is not None
    return f"{kind} {name}".strip() if is_kind and not (is_field or is_sentence) else ""


def _orders(pairs: Sequence[tuple[str, str]], named: str) -> Iterator[str]:
    of = f" of {named}" if named else ""
    for field, value in pairs:
        if field.lower() in _FLAGS:
            yield f"Mark {named or 'it'} as {field}." if value.lower() in _SET else f"Take {field} off {named or 'it'}."
        elif value.lower() not in UNCHANGED:
            yield f"Set the {field}{of} to {value}."


def _question(fields: Sequence[str], named: str) -> str:
    *first, last = [one.removeprefix("the ") for one in fields if one]
    return f"What {'are' if first else 'is'} the {', '.join(first)}{' and ' * bool(first)}{last} of {named}?"


def _are_fields(texts: Sequence[str], also: frozenset[str] = frozenset(("type",))) -> bool:
    names = [text.lower().removeprefix("the ") for text in texts]
    return bool(names) and all(lexicon.is_field(one) or one in also | _FLAGS for one in names)


def _wanted(text: str) -> list[str]:
    """Return the question that a list of fields is: "Required: owner, industry of account Globex."."""
    request = PATTERNS["told_of"].fullmatch(text.strip())
    if request is not None and _are_fields(fields := _split(request["fields"]), _LINKED):
        return [_question(fields, "").replace("the ", f"{request['whose'].lower()} ", 1).replace(" of ?", "?")]
    wish = PATTERNS["wanted"].fullmatch(text.strip())
    named = (wish["names"] or wish["name"]) if wish is not None else None
    if not wish or not named or not _are_fields(fields := _split(wish["fields"]), _LINKED):
        return []
    return [_question(fields, " and ".join(_split(named)))]


def _split(text: str) -> list[str]:
    return [one.strip() for one in PATTERNS["enumerating"].split(text) if one.strip()]


def _rows(text: str) -> list[str]:
    """Return the orders of a table whose head names a kind of record and fields, under or over an order to apply it."""
    lines = text.splitlines()
    for mark in (one for one in ";|\t," if sum(one in line for line in lines) > 1):
        rows = [[cell.strip() for cell in line.strip(f" {mark}").split(mark)] for line in lines if mark in line]
        rest = " ".join(line for line in lines if mark not in line).lower()
        is_order = "?" not in rest and not _APPLYING.isdisjoint(re.findall(r"[a-z]+", rest))
        head = [cell.lower() for cell in rows[0]]
        is_head = (lexicon.kind_of(head[0]) in lexicon.KINDS or head[0] == "name") and _are_fields(head[1:])
        if is_head and all(len(row) == len(head) for row in rows) and (not rest.strip() or is_order):
            kind = "" if head[0] == "name" else f"{head[0]} "
            cells = (row for row in rows[1:] if any(letter.isalnum() for letter in row[0]))
            return [one for row in cells for one in _orders(list(zip(head, row, strict=True))[1:], kind + row[0])]
    return []


def _with_columns(text: str) -> list[str]:
    """Return the question for a list with what it shall show; empty for any other message."""
    columns = PATTERNS["columns"].fullmatch(text.strip())
    if columns is None or not _are_fields(fields := _split(columns["fields"])):
        return []
    words = re.findall(r"[a-z]+", columns["ask"].lower())
    is_of_many = any(one == "opportunities" or (one.endswith("s") and lexicon.kind_of(stem(one))) for one in words)
    names = " and ".join(one for one in fields if one.lower() != "name")
    return [f"{columns['ask']}, with their {names}"] * (is_of_many and words[0] not in lexicon.ORDER_VERBS)


def _plain_order(text: str) -> str:
    """Return an order or an email in the style of clerks as a sentence of its own."""
    if (reminder := PATTERNS["reminder"].fullmatch(text.strip())) is not None:
        about = f"about the {reminder['about']}:" if reminder["about"] else "to"
        return f"Remind me on {reminder['when']} {about} {reminder['what']}"
    return _mail(text) or PATTERNS["draft_only"].sub("Draft an ", PATTERNS["commanded"].sub(r"\g<verb> \g<what>", text))


def _mail(text: str) -> str:
    """Return the order for an email whose parts are labelled: "Email to be sent. To: …. Subject: …. Text: …"."""
    opening, *rest = PATTERNS["mail_labels"].split(text)
    parts = dict(zip((one.lower() for one in rest[::2]), (one.strip().rstrip(".;") for one in rest[1::2]), strict=True))
    body = next((parts[one] for one in ("text", "body", "message") if one in parts), "")
    if not parts.get("to") or not body or "mail" not in opening.lower():
        return ""
    verb = "Draft" if {"draft", "not"} & set(re.findall(r"[a-z]+", opening.lower())) else "Send"
    subject = f' with the subject "{parts["subject"]}"' if "subject" in parts else ""
    return f"{verb} an email to {parts['to']}{subject} saying: {body}"


def written_out(text: str) -> str:
    """Return a message with the words for which digits stand, and with the numbers and addresses that words spell."""
    text = PATTERNS["stop"].sub(".", text) if text.isupper() else text
    for pattern, word in _FOR_DIGITS:
        text = pattern.sub(word, text)
    text = PATTERNS["iso_month"].sub(lambda month: f"in {month_name[int(month[2])]} {month[1]}", text)
    text = PATTERNS["spoken_number"].sub(lambda spoken: _digits(spoken.group()), text)
    return str(PATTERNS["spoken_address"].sub(lambda address: "@".join(address.groups()).replace(" dot ", "."), text))


def _digits(text: str) -> str:
    digits = "".join(_DIGITS.get(word, "0") for word in text.split())
    return f"{digits[:-7]} {digits[-7:-4]} {digits[-4:]}".strip()


class PastedText(Struct, frozen=True):
    """The user's own words, and the text that the message pastes before or after them."""

    own: str
    text: str

    @property
    def names(self) -> list[str]:
        """The records that lines of the text are labelled with: "Account: Globex", "From: Ann Lee"."""
        labelled = (re.match(r"([A-Za-z]{4,12}): ([^<\n]{2,80})", line) for line in self.text.splitlines())
        return [one[2].strip() for one in labelled if one and (one[1] == "From" or lexicon.kind_of(one[1].lower()))]


def pasted_text(message: str) -> PastedText | None:
    """Return the parts of a message that pastes a text; None for one in the user's own words alone."""
    quoted, opening, rule = PATTERNS["quoted_line"], PATTERNS["opening"], PATTERNS["rule"]
    lines = PATTERNS["forwarded"].sub("", message).strip().splitlines()
    if any(map(quoted.match, lines)):
        own = "\n".join(line for line in lines if not quoted.match(line)).strip()
        return PastedText(own, "\n".join(quoted.sub("", line, count=1) for line in lines if quoted.match(line)))
    if place := next((at for at, line in enumerate(lines) if at and opening.fullmatch(line)), 0):
        first = place + (rule.fullmatch(lines[place]) is not None)
        return PastedText("\n".join(lines[:place]).strip(), "\n".join(lines[first:]).strip())
    paragraphs = re.split(r"\n[ \t]{0,20}\n", message.strip())
    orders = [at for at in {0, len(paragraphs) - 1} if PATTERNS["for_note"].fullmatch(paragraphs[at].strip())]
    if len(paragraphs) < 2 or len(orders) != 1:
        return None
    return PastedText(paragraphs.pop(orders[0]).strip(), "\n\n".join(paragraphs).strip())
