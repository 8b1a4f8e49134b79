"""Take greetings, thanks, apologies and wishes out of a message: with them it asks for neither more nor less."""

from collections.abc import Sequence
from itertools import dropwhile, groupby, takewhile

from msgspec import Struct, convert

from aisha.domain.language import lexicon
from aisha.domain.language.sentences import SENTENCE_MARKS, Clause, clauses_in
from aisha.domain.language.tokens import Token

ASSISTANTS = frozenset("aisha ai assistant bot chatbot copilot".split())
_WORDS_BEFORE = frozenset("oh ah ok okay many again well".split())
_OPEN_MARKS = frozenset(":,-–—")
"""Marks that hold a courtesy and what follows together: "one more thing: …"."""
_QUOTATION_MARKS = frozenset("\"'“”„«»‘’「」>`<[")
_CONDITIONS = frozenset("if unless when once after assuming provided".split())
_GREETINGS = frozenset(("hi", "hey", "hello"))
_WORDS_AFTER_ADDRESS = frozenset("please pls can could would will i you kindly".split())


class _Form(Struct, frozen=True):
    """A courtesy begins with one of `first`, has a word of `core` if there are any, and no others than these.

    `is_set_off` is True for one that is none unless what follows is set off: "one more thing: …".
    """

    first: frozenset[str]
    others: frozenset[str]
    core: frozenset[str]
    is_set_off: bool = False

    def has(self, words: Sequence[str]) -> bool:
        """Return whether words are of this form."""
        is_whole = words[0] in self.first and (self.others | self.core | ASSISTANTS).issuperset(words[1:])
        return is_whole and (not self.core or not self.core.isdisjoint(words))


_FORMS = convert(lexicon.entries("courtesies"), dict[str, _Form])


def without_courtesies(message: str) -> str:
    """Return a message without the clauses at the beginnings and ends of its sentences that are mere courtesies.

    What stands after a colon stays: it may be the text of a note. So does a message that has nothing else.
    """
    clauses = list(clauses_in(message))
    is_mere = [_is_courtesy(one) for one in clauses]
    is_kept = [not (mere and _is_at_edge(clauses, is_mere, place)) for place, mere in enumerate(is_mere)]
    if not any(is_kept):
        return message
    pieces: list[str] = []
    for clause, keeps in zip(clauses, is_kept, strict=True):
        end = pieces[-1].rstrip(" \t")[-1:] if pieces else "\n"
        is_first = end == "\n" or end in SENTENCE_MARKS
        if keeps:
            start = _after_address(clause.words) if is_first else clause.words[0].start
            piece = (clause.before if clause is clauses[0] else "") + message[start : clause.end]
            # "Note for Ann: call when you have time": it is a part of the text.
            is_text = ":" in "".join(pieces) or any(one.word == "that" for one in clause.words)
            condition = None if is_text else _condition_at_end(clause.words)
            pieces.append(piece if condition is None else message[start:condition].rstrip() + clause.marks)
        elif not is_first:
            # "…, thanks!" ends with the mark alone.
            pieces[-1] = pieces[-1].rstrip(" ,-–—\t") + clause.marks
    return "".join(pieces) if is_kept[-1] else "".join(pieces).rstrip()


def _condition_at_end(words: Sequence[Token]) -> int | None:
    """Return where a condition begins that only makes what is before it polite: "… when you have a second"."""
    form = _FORMS["condition"]
    places = (at for at in range(1, len(words)) if words[at].word in form.first)
    return next((words[at].start for at in places if form.has([one.word for one in words[at:]])), None)


def _is_courtesy(clause: Clause) -> bool:
    """Return whether a clause is nothing but courtesies, joined by "and", or the assistant's name."""
    words = [one.word for one in clause.words]
    if _QUOTATION_MARKS.intersection(clause.before + clause.marks):
        return False
    is_set_off = bool(_OPEN_MARKS.intersection(clause.marks))
    parts = [list(part) for is_and, part in groupby(words, "and".__eq__) if not is_and]
    return bool(parts) and all(_is_one_courtesy(part, is_set_off=is_set_off) for part in parts)


def _is_one_courtesy(words: Sequence[str], *, is_set_off: bool) -> bool:
    """Return whether words are of one form of courtesy, or the assistant's name."""
    words = [*dropwhile(_WORDS_BEFORE.__contains__, words[:-1]), *words[-1:]]
    is_address = len(words) == 1 and words[0] in ASSISTANTS
    return is_address or any(form.has(words) and (is_set_off or not form.is_set_off) for form in _FORMS.values())


def _is_at_edge(clauses: Sequence[Clause], is_mere: Sequence[bool], place: int) -> bool:
    """Return whether only courtesies stand before a clause in its sentence, or after it."""
    before = [*takewhile(lambda at: not clauses[at].ends_sentence, range(place - 1, -1, -1))]
    if all(is_mere[at] for at in before):
        return True
    rest = range(place, len(clauses))
    last = next((at for at in rest if clauses[at].ends_sentence), len(clauses) - 1)
    # What stands after a colon may be a text; after a condition it is what is to be done then.
    is_text = any(":" in clauses[at].marks for at in before)
    is_own = not is_text and clauses[before[-1]].words[0].word not in _CONDITIONS
    return is_own and all(is_mere[at] for at in range(place, last + 1))


def _after_address(words: Sequence[Token]) -> int:
    """Return where a sentence begins after a greeting and the assistant's name without a comma: "hi AiSHA set …"."""
    lead = 1 if words[0].word in _GREETINGS else 0
    lead += lead == 1 and [one.word for one in words[1:2]] == ["there"]
    named, rest = words[lead : lead + 1], words[lead + 1 :]
    is_addressed = bool(named) and named[0].word in ASSISTANTS and bool(rest)
    is_order = is_addressed and (rest[0].word in _WORDS_AFTER_ADDRESS or rest[0].word in lexicon.ORDER_VERBS)
    start = lead + 1 if is_order or (is_addressed and lead) else lead
    return words[start].start if start < len(words) else words[0].start
