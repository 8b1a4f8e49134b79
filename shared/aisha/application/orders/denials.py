"""The words of a message that order nothing: denials, news, questions, and asides within an order."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token, tokenize

SURE_READ = 0.5
"""A segment that asks for information with this probability orders no change."""
CONTENT_ACTS = frozenset("create_note create_activity remind remember instruct draft_email send_email invite".split())
"""Acts that carry a text."""
_TAKING_BACK = frozenset(("negated", "no"))
_MIN_TAKEN_BACK = 0.6
_REACHING = frozenset("email mail call phone ring text message contact notify invite".split())
JOINING = frozenset("and then & + also please , ;".split())


def taken_back(ask: Ask, later: Sequence[Ask]) -> str:
    """Return why a segment orders nothing any more if one of the later ones takes it back; empty otherwise."""
    own = named_in(ask)
    for other in later:
        is_no = other.act in _TAKING_BACK and other.segment.probability >= _MIN_TAKEN_BACK
        # "Set Jack to warm, don't touch Ann" takes nothing back.
        verbs = {token.word for token in other.tokens if is_verb(token.word)}
        # Nor does "… and do not email him".
        is_apart = bool(verbs) and verbs <= _REACHING and ask.act in ("update_record", "advance_stage")
        if is_no and not is_apart and (not named_in(other) or own & named_in(other)):
            return "you took it back in the same message"
    return ""


def named_in(ask: Ask) -> set[str]:
    """Return the words of the names that a segment has, in lower case."""
    return {word.lower() for tag in ("name", "new") for text in ask.texts(tag) for word in text.split()}


def first_word(ask: Ask) -> str:
    """Return the first word of a segment after interjections; empty if it has none."""
    tokens = (token for token in ask.tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS)
    return next((token.word for token in tokens), "")


def is_request(tokens: Sequence[Token]) -> bool:
    """Return whether words begin as a request: "could you set …"."""
    words = [token.word for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    return len(words) > 2 and words[0] in _MODALS and words[1] in ("you", "u") and is_verb(words[2])


def denial_of(ask: Ask) -> str:
    """Return why a segment orders nothing, in words for the user; empty for none."""
    loose = [token for token in ask.loose if token.kind != "mark"]
    words = [token.word for token in loose]
    tokens = [token for token in ask.tokens if token.kind != "mark"]
    is_imagined = ask.act == "hypothetical" and not is_request(tokens)
    if (ask.act == "negated" or is_imagined) and ask.segment.probability >= SURE_READ:
        return "you said not to" if ask.act == "negated" else "you only spoke of it"
    for word, following in pairwise((*words, "")):
        if word in lexicon.NEGATIONS and (following in lexicon.DO_WORDS or is_verb(following)):
            return "you said not to"
    if _is_kept_from([token.word for token in tokens]):
        return "you said not to"
    for place, token in enumerate(loose):
        is_polite = token.word == "if" and bool(_POLITE & set(words[place + 1 : place + 2]))
        if token.word in lexicon.HEDGES and not is_polite:
            return f"you said “{token.text}”"
    first = first_word(ask)
    if first in lexicon.TEXT_VERBS:
        return "you asked about a text"
    if first in _HOW and any(word in _HOW_TO for word in words[1:3]):
        return "you asked about it"
    is_news = _is_statement([token.word for token in tokens if token.word not in lexicon.INTERJECTIONS])
    if (is_news or _is_narrated(ask.loose) or _has_noun_subject(ask)) and not has_own_order(ask.tokens, tokens[0]):
        return "you only spoke of it"
    if _is_state(ask, tokens):
        return "you only spoke of it"
    is_shown = first in _SHOWING or (first in JOINING | {"but"} and words[1:2] and words[1] in _SHOWING)
    is_shown = is_shown and "to it that" not in " ".join(words)  # "See to it that it is changed."
    if is_shown and ask.act not in CONTENT_ACTS:
        return "you asked about it"
    if first in _SUBORDINATE and not ask.text.rstrip().endswith("?"):
        return f"you said “{tokens[0].text.lower()}”"
    if ask.text.rstrip().endswith("?") and _is_asking(ask.tokens):
        return "you asked about it"
    if first in lexicon.QUESTION_STARTS and ask.text.rstrip().endswith("?"):
        return "you asked about it"
    return "you told me what somebody else said" if _is_reported(ask, tokens) else ""


def _is_kept_from(words: Sequence[str]) -> bool:
    """Return whether words forbid what they name: "under no circumstances", "stop changing", "keep this out of it"."""
    text = f" {' '.join(words)} "
    if _FORBIDDING.search(text):
        return True
    # "Stop calling her" is an order of its own.
    return any(one in _STOPPING and other.endswith("ing") and _changes(other) for one, other in pairwise(words))


def _changes(gerund: str) -> bool:
    bases = (gerund[:-3], f"{gerund[:-3]}e", gerund[:-4])
    return any(lexicon.acts_of_verb(base) for base in bases)


_FORBIDDING = re.compile(
    r" (?:under|on|in|by|at) no (?:circumstances?|account|way|means|event|case|condition|time) "
    r"| (?:keep|leave) (?:\w+ ){1,4}out of | off the record "
    r"| (?:keep|kept|leave|left) .{1,60} as (?:it|they|he|she) (?:is|are) "
)
_STOPPING = frozenset("stop quit cease avoid without".split())
_DETERMINERS = frozenset("the our my his her their your this that a an some".split())
_REQUESTING = frozenset("should must needs need to be can could would will please let has have had get gets".split())


def _has_noun_subject(ask: Ask) -> bool:
    """Return whether something does what the verb says to a record: "our import set Ann's score to 15"."""
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS]
    if not tokens or tokens[0].word not in _DETERMINERS:
        return False
    for place in range(2, len(tokens)):
        token, before = tokens[place], tokens[place - 1]
        if token.kind == "mark" or token.word in _REQUESTING:
            return False
        if is_verb(token.word) and before.word not in _DETERMINERS and token in ask.loose:
            names = [span for span in ask.segment.spans if span.tag in ("name", "ref")]
            return any(span.start > token.start for span in names) and not any(span.end < token.start for span in names)
    return False


def _is_narrated(loose: Sequence[Token]) -> bool:
    """Return whether somebody has done what the verb says: "yesterday I moved it"."""
    words = [token.word for token in loose]
    return any(
        one in _SUBJECTS and _is_done(other) and loose[place].end + 1 == loose[place + 1].start
        for place, (one, other) in enumerate(pairwise(words))
        if not (place and words[place - 1] in _INVERTED)
    )


def _is_done(word: str) -> bool:
    """Return whether a word is the past of a verb of orders: "moved"."""
    return word in _IRREGULAR or (word.endswith("ed") and any(is_verb(word[:-cut]) for cut in (1, 2, 3)))


_IRREGULAR = frozenset("gave put set made sent wrote took".split())


def _is_statement(words: Sequence[str]) -> bool:
    """Return whether words say what somebody does, did or will do, or what something is: "yesterday I set …",
    "undo is …", "I will mark …", "his advice was mark …"."""
    if len(words) > 1 and is_verb(words[0]) and words[1] in COPULAS:
        return True
    place = next((place for place, word in enumerate(words) if is_verb(word)), 0)
    before = [word for word in words[:place] if word not in _ADVERBS]
    if before and before[-1] in _PROMISES:
        return True
    if len(before) > 1 and before[-1] in _STATING:
        return before[-2] not in _INVERTED
    is_subject = bool(before) and before[-1] in _SUBJECTS
    return is_subject and not (len(before) > 1 and before[-2] in _INVERTED)


_PROMISES = frozenset("i'll he'll she'll they'll".split())
_STATING = frozenset("is was were will".split())


def _is_state(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment says in which state a record is, and orders nothing: "Jack is lost"."""
    words = [token.word for token in tokens]
    if ask.texts("field") or _TO_BE_DONE & set(words) or any(lexicon.acts_of_verb(word) for word in words):
        return False
    starts = {span.start for span in ask.segment.spans if span.tag == "value" and lexicon.values_in(span.text)}
    return any(one.word in _STATING and other.start in starts for one, other in pairwise(tokens))


_TO_BE_DONE = frozenset("please pls now should must needs".split())
_SHOWING = frozenset("show display list view see".split())
"""Verbs that only ask for information."""
_SUBORDINATE = frozenset("once when whenever after until till before".split())
"""At the beginning they put an order off until something else has happened."""


def _is_asking(tokens: Sequence[Token]) -> bool:
    """Return whether words that end in a question mark are no request: those have "can you", "please" or a verb first.

    "You set Jack to lost?" and "wasn't Jack set to lost?" ask.
    """
    words = [token.word for token in tokens if token.word not in lexicon.INTERJECTIONS]
    if not words or "please" in words or "pls" in words:
        return False
    if words[0] not in _YOU and any(is_verb(verb) for verb in clause_verbs(tokens)):
        return False
    return not any({one, other} & _YOU and {one, other} & _MODALS for one, other in pairwise(words))


_YOU = frozenset("you u we i".split())
_MODALS = frozenset("can could would will won't can't couldn't may".split())
_SUBJECTS = frozenset("i we he she they who".split())
_ADVERBS = frozenset("just already also then now have had has 've usually always often never only".split())
_INVERTED = frozenset("can could shall should may might will would must do did let if before after when once".split())
COPULAS = frozenset("is was are were isn't wasn't seems looks sounds works worked has had".split())
_HOW = frozenset(("how", "where", "when", "why"))
_HOW_TO = frozenset("do does did can could would should to is are will".split())


def is_verb(word: str) -> bool:
    """Return whether a word is a verb of orders."""
    return word in lexicon.ORDER_VERBS or word in _CHANGING


_CHANGING = frozenset("replace overwrite adjust amend".split())
"""Verbs of orders that the reader of messages does not know as such."""


def _is_reported(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment begins with somebody else who says or wants something: "Jack said we should …"."""
    for place, token in enumerate(tokens[:6]):
        if token.word in lexicon.REPORTING:
            before = [one for one in tokens[:place] if one.word not in lexicon.INTERJECTIONS]
            is_own = any(one.word in ("i", "we", "i'd", "we'd", "please", "i'll") for one in before)
            if before and not is_own and not is_verb(before[0].word) and ask.act not in TELLING:
                return not has_own_order(ask.tokens, token)
    return False


def has_own_order(tokens: Sequence[Token], teller: Token) -> bool:
    """Return whether an order of the user's follows the news: "Jack wants a demo on Friday, book it"."""
    later = [token for token in tokens if token.start > teller.start]
    return any(
        before.word in (",", ";", "-", "–", "so", "please", ".") and is_verb(token.word)
        for before, token in pairwise(later)
    )


TELLING = frozenset("create_note report remember".split())
"""Acts whose orders are often news: "Jack said he likes it, note that"."""


def clause_verbs(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the first words of the clauses, after words of politeness."""
    is_start = True
    for token in tokens:
        if token.kind == "mark":
            is_start = is_start or token.word in _CLAUSE_MARKS
        elif is_start and token.word not in POLITE_STARTS:
            yield token.word
            is_start = False
        if token.word in ("and", "then", "please"):
            is_start = True


def verbs_of_pronouns(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the verbs that order something of what was said: "…, enter it"."""
    pronouns = lexicon.THING | lexicon.PERSON
    yield from (one.word for one, other in pairwise(tokens) if other.word in pronouns)


_CLAUSE_MARKS = frozenset(".,;!?-–")
POLITE_STARTS = lexicon.INTERJECTIONS | frozenset(
    "please can could would will you i want need like i'd to let's just now so then ok kindly also and go ahead us "
    "i'll we we'll have get mind".split()
)
_POLITE = frozenset("you possible".split())
"""After "if" these words make an order polite: "if you please", "if possible"."""


@lru_cache(maxsize=64)
def asides_of(text: str, *, is_new: bool = False) -> tuple[str, ...]:
    """Return the pieces of a segment that order no value.

    They are what something is no longer ("from warm to lost", "was lost, …", "not a@x but b@x", "it used to be …"),
    what somebody else wants ("…, bob asked for it"), and what only tells records apart ("the lost one"). A new record
    has no old values: "add Ann from Acme to my leads".
    """
    return tuple(_asides(text, is_new=is_new))


def _asides(text: str, *, is_new: bool) -> Iterator[str]:
    tokens = tokenize(text)
    for place, token in enumerate(tokens):
        ends = () if is_new else _OLD.get(token.word, ())
        later = tokens[place + 1 : place + 2 + _MAX_OLD]
        end = next((one for one in later if one.word in ends), None)
        if end is not None and later[0] is not end:
            yield text[later[0].start : end.start]
        words = tuple(one.word for one in tokens[place : place + 2])
        if words in _FORMERLY or words[:1] in _FORMERLY:
            stop = _clause_end(tokens, place)
            yield text[token.start : stop.start if stop else len(text)]
        if token.word in _OUTDATED and not is_new:
            stop = next((one for one in tokens[place + 1 :] if one.word in _AFTER_OUTDATED), None)
            yield text[token.start : stop.start if stop else len(text)]
        if token.word in _DEFINITE and len(later) > 1 and lexicon.values_in(later[0].word) and _is_noun(later[1]):
            yield text[later[0].start : later[0].end]
    yield from _reported_clauses(text, tokens)


def _reported_clauses(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the later clauses in which somebody else says or wants something, without an order of the user's own."""
    for place, token in enumerate(tokens):
        if token.word not in (",", ";", "as", "because", "since", "although", "but"):
            continue
        clause = tokens[place + 1 : place + 2 + _MAX_TELLER]
        teller = next((one for one in clause if one.word in lexicon.REPORTING), None)
        own = any(one.word in ("i", "we", "please", ",", ";") or is_verb(one.word) for one in clause[:1])
        if teller is None or teller is clause[0] or own or has_own_order(tokens, teller):
            continue
        end = _clause_end(tokens, tokens.index(teller))
        yield text[clause[0].start : end.start if end else len(text)]


def _clause_end(tokens: Sequence[Token], place: int) -> Token | None:
    return next((one for one in tokens[place + 1 :] if one.word in _CLAUSE_ENDS), None)


def _is_noun(token: Token) -> bool:
    return token.word in ("one", "ones") or lexicon.kind_named(token) is not None


_MAX_TELLER = 3
_CLAUSE_ENDS = frozenset(",;.")
_DEFINITE = frozenset("the my our all these those which".split())
_FORMERLY = frozenset(
    (("used", "to"), ("formerly",), ("previously",), ("instead", "of"), ("rather", "than"), ("no", "longer"))
)
"""Words before an old value."""
_OUTDATED = frozenset("old previous former outdated".split())
_AFTER_OUTDATED = frozenset(", ; . with by to into and but".split())
_MAX_OLD = 8
"""Words of an old value."""
_OLD = {
    "from": ("to", "into"),
    "was": (",", "but", ";"),
    "were": (",", "but", ";"),
    "not": (",", "but", ";"),
    "replace": ("by", "with"),
}
"""The words that an old value stands between."""
