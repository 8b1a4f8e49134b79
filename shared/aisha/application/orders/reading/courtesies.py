"""Take greetings, thanks, apologies and wishes out of a message: with them it orders neither more nor less."""

from collections.abc import Mapping, Sequence
from itertools import dropwhile, groupby, takewhile

from msgspec import Struct

from aisha.application.orders.reading.clauses import POLITE_OPENING_WORDS, is_verb
from aisha.application.orders.reading.conditions import condition_in, is_courtesy
from aisha.application.orders.reading.sentences import SENTENCE_MARKS, Clause, clauses_in
from aisha.domain.language.tokens import Token

ASSISTANTS = frozenset("aisha ai assistant bot chatbot copilot".split())
_WORDS_BEFORE = frozenset("oh ah ok okay many again well".split())
_OPEN_MARKS = frozenset(":,-–—")
"""Marks that hold a courtesy and what follows together: "one more thing: …"."""
_QUOTATION_MARKS = frozenset("\"'“”„«»‘’「」>`<[")
_POLITE_CONJUNCTIONS = frozenset(("if", "when", "whenever"))
_MAX_CONDITION = 7
"""Words of a condition that only makes an order polite: "when you have a minute"."""
_TIMES_OF_DAY = "morning afternoon evening day night".split()
_HAPPY_WORDS = "nice good great lovely wonderful pleasant relaxing"


class _Form(Struct, frozen=True):
    """A courtesy begins with one of `first`, has a word of `core` if there are any, and no others than these."""

    first: frozenset[str]
    others: frozenset[str]
    core: frozenset[str] = frozenset()


def _form(first: str, others: str, core: str = "") -> _Form:
    return _Form(frozenset(first.split()), frozenset(f"{others} {core}".split()) | ASSISTANTS, frozenset(core.split()))


_FORMS: Mapping[str, _Form] = {
    "greeting": _form("hi hello hey hiya howdy greetings dear g'day", "there again all dear my friend to you"),
    "time of day": _form(f"good {' '.join(_TIMES_OF_DAY)}", "to you all again dear", " ".join(_TIMES_OF_DAY)),
    "thanks": _form(
        "thanks thank thx cheers ta ty",
        "you u very much so a lot million tons again for your the all quick help support time patience work reply "
        "answer that this yesterday today earlier in advance everything mate kindly it already",
    ),
    "apology": _form(
        "sorry apologies excuse pardon forgive",
        "to for the you again me my i a have with so late keep",
        "bother bothering trouble disturb disturbing interrupt interrupting interruption pester pestering delay",
    ),
    "wish": _form(
        f"have hope hoping enjoy wishing happy merry i {_HAPPY_WORDS}",
        f"you you're your are is it all i i'm a an had slept sleep rest of the this trip one time {_HAPPY_WORDS}",
        "hope hoping weekend evening day night week well fine christmas birthday holiday holidays",
    ),
    "praise": _form(
        "great good nice excellent brilliant amazing awesome fantastic superb",
        "as always today yesterday so far keep it up the",
        "work job",
    ),
    "farewell": _form("bye goodbye see take talk", "u soon later tomorrow then to for now", "bye goodbye you care"),
    "end": _form("that's that thats", "is it for now today then", "it all everything"),
    "closing": _form("best kind warm kindest many with", "best kind warm kindest many and", "regards wishes"),
    "opening": _form(
        "right so anyway well now another one quick just last next also oh final",
        "right so anyway well now another one more just last small little short final please before i go for today",
        "thing favour favor request quick",
    ),
    "filler": _form("right well anyway so now um uh uhm er erm hm hmm", ""),
}  # fmt: skip
_NEEDS_MARK = frozenset(("opening", "filler"))
"""Forms that are none unless what follows is set off: "one more thing: …"."""


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
        is_first = not pieces or "\n" in pieces[-1][-2:] or bool(SENTENCE_MARKS.intersection(pieces[-1].rstrip()[-1:]))
        if keeps:
            start = _after_address(clause.words) if is_first else clause.words[0].start
            pieces.append((clause.before if clause is clauses[0] else "") + message[start : clause.end])
        elif not is_first:
            # "…, thanks!" ends with the mark alone.
            pieces[-1] = pieces[-1].rstrip(" ,-–—\t") + clause.marks
    return "".join(pieces)


def _is_courtesy(clause: Clause) -> bool:
    """Return whether a clause is nothing but courtesies, joined by "and", or the assistant's name."""
    words = [one.word for one in clause.words]
    if len(words) == 1 and words[0] in ASSISTANTS:
        return True
    if _QUOTATION_MARKS.intersection(clause.before + clause.marks):
        return False
    if words[0] in _POLITE_CONJUNCTIONS and len(words) <= _MAX_CONDITION and is_courtesy(words[1:]):
        return True
    is_set_off = bool(_OPEN_MARKS.intersection(clause.marks))
    parts = [list(part) for is_and, part in groupby(words, "and".__eq__) if not is_and]
    return bool(parts) and all(_is_one_courtesy(part, is_set_off=is_set_off) for part in parts)


def _is_one_courtesy(words: Sequence[str], *, is_set_off: bool) -> bool:
    """Return whether words are of one form of courtesy."""
    words = [*dropwhile(_WORDS_BEFORE.__contains__, words[:-1]), *words[-1:]]
    return any(
        words[0] in form.first
        and form.others.issuperset(words[1:])
        and (not form.core or not form.core.isdisjoint(words))
        and (name not in _NEEDS_MARK or is_set_off)
        for name, form in _FORMS.items()
    )


def _is_at_edge(clauses: Sequence[Clause], is_mere: Sequence[bool], place: int) -> bool:
    """Return whether only courtesies stand before a clause in its sentence, or after it."""
    before = [*takewhile(lambda at: not clauses[at].ends_sentence, range(place - 1, -1, -1))]
    if all(is_mere[at] for at in before):
        return True
    rest = range(place, len(clauses))
    last = next((at for at in rest if clauses[at].ends_sentence), len(clauses) - 1)
    # What stands after a colon may be a text; after a condition it is what is to be done then.
    is_own = not any(":" in clauses[at].marks for at in before) and not condition_in(clauses[before[-1]].words)
    return is_own and all(is_mere[at] for at in range(place, last + 1))


def _after_address(words: Sequence[Token]) -> int:
    """Return where a sentence begins after a greeting and the assistant's name without a comma: "hi AiSHA set …"."""
    lead = 1 if words[0].word in _FORMS["greeting"].first else 0
    named = words[lead : lead + 1]
    rest = words[lead + 1 :]
    is_addressed = bool(named) and named[0].word in ASSISTANTS and bool(rest)
    is_order = is_addressed and (rest[0].word in POLITE_OPENING_WORDS or is_verb(rest[0].word))
    return rest[0].start if is_order else words[0].start
