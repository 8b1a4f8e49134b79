"""The words of a message that order nothing: denials, news, questions, and asides within an order."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import (
    JOINING,
    MODALS,
    YOU,
    announces,
    clause_verbs,
    ends_in_question,
    has_own_order,
    has_tag,
    is_request,
    is_verb,
    request_frame,
    tag_of,
)
from aisha.application.orders.reading.reasons import reasons_of
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

SURE_READ = 0.5
"""A segment that asks for information with this probability orders no change."""
CONTENT_ACTS = frozenset("create_note create_activity remind remember instruct draft_email send_email invite".split())
"""Acts that carry a text."""
TOLD = ("you only spoke of it", "you told me what somebody else said")
"""The reasons of segments that tell something, and neither deny it nor make it conditional."""
_TAKING_BACK = frozenset(("negated", "no"))
_MIN_TAKEN_BACK = 0.6
_REACHING = frozenset("email mail call phone ring text message contact notify invite".split())


def taken_back(ask: Ask, later: Sequence[Ask]) -> str:
    """Return why a segment orders nothing any more if one of the later ones takes it back; empty otherwise."""
    own = named_in(ask)
    for place, other in enumerate(later):
        words = [token.word for token in other.tokens if token.word not in lexicon.INTERJECTIONS]
        if place == 0 and words[:1] and words[0] in _STOPPING_SHORT and not _has_value(other):
            # "No wait, that's the score of Ann."
            return "you took it back in the same message"
        if _retracts(other.tokens):
            # "Scratch that, Ann told me otherwise": whoever else is named.
            return "you took it back in the same message"
        if _OTHERS & {token.word for token in other.tokens}:
            # "… and leave the rest."
            continue
        is_no = other.act in _TAKING_BACK and other.segment.probability >= _MIN_TAKEN_BACK
        # "Set Jack to warm, don't touch Ann" takes nothing back.
        verbs = {token.word for token in other.tokens if is_verb(token.word)}
        # Nor does "… and do not email him".
        is_apart = bool(verbs) and verbs <= _REACHING and ask.act in ("update_record", "advance_stage")
        if is_no and not is_apart and (not named_in(other) or own & named_in(other)):
            return "you took it back in the same message"
    return ""


_OTHERS = frozenset("rest else others other".split())


def _has_value(ask: Ask) -> bool:
    """Return whether a segment has a value, or an order of its own."""
    tags = ("value", "amount", "when", "owner", "text", "email", "phone", "url", "new", "org")
    return any(span.tag in tags for span in ask.segment.spans) or any(is_verb(one.word) for one in ask.tokens)


_STOPPING_SHORT = frozenset(("no", "nope", "wait"))


def _retracts(tokens: Sequence[Token]) -> bool:
    """Return whether a clause takes back what was said before it: "scratch that", "oh no, forget it", "never mind"."""
    is_start = True
    for place, token in enumerate(tokens):
        following = [one.word for one in tokens[place + 1 : place + 3]]
        is_that = following[:1] and following[0] in _WHAT_WAS_SAID
        is_whole = len(following) < 2 or not following[1][:1].isalpha() or following[1] in _AFTER_RETRACTION
        if is_start and token.word in _RETRACTING and is_that and is_whole:
            return True
        if is_start and token.word in ("nevermind", "never") and (token.word != "never" or following[:1] == ["mind"]):
            return True
        is_start = token.kind == "mark" or (is_start and token.word in _BEFORE_RETRACTION)
    return False


_RETRACTING = frozenset("forget ignore scratch cancel undo leave skip drop disregard scrap revert withdraw".split())
_WHAT_WAS_SAID = frozenset(("it", "that", "this", "everything", "all"))
_AFTER_RETRACTION = frozenset("please again for then as completely altogether all entirely i and".split())
_BEFORE_RETRACTION = lexicon.INTERJECTIONS | frozenset(
    "no nope wait actually and but just rather better then well".split()
)


def named_in(ask: Ask) -> set[str]:
    """Return the words of the names that a segment has, in lower case."""
    return {word.lower() for tag in ("name", "new") for text in ask.texts(tag) for word in text.split()}


def denial_of(ask: Ask) -> str:
    """Return why a segment orders nothing, in words for the user; empty for none."""
    words = _Words(ask)
    return _refused(words) or _on_condition(words) or _asked(words) or _told(words)


class _Words:
    """The words of a segment without its reasons, the frame of a request, and named flags.

    `own` are its tokens but for marks, `loose` the words outside of slots, `first` is the first word that is no
    interjection.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.frame = request_frame(ask.tokens)
        apart = {token.start for token in (*self.frame, *reasons_of(ask.tokens), *_flag_words(ask.tokens))}
        self.own = [token for token in ask.tokens if token.kind != "mark" and token.start not in apart]
        self.loose_tokens = [token for token in ask.loose if token.kind != "mark" and token.start not in apart]
        self.loose = [token.word for token in self.loose_tokens]
        self.first = next((token.word for token in self.own if token.word not in lexicon.INTERJECTIONS), "")
        self.changes = ask.act in _CHANGING_ACTS

    @property
    def second(self) -> str:
        place = self.loose.index(self.first) + 1 if self.first in self.loose else len(self.loose)
        return next(iter(self.loose[place:]), "")


def _refused(words: _Words) -> str:
    ask = words.ask
    is_imagined = ask.act == "hypothetical" and not is_request(ask.tokens)
    if (ask.act == "negated" or is_imagined) and ask.segment.probability >= SURE_READ:
        return "you said not to" if ask.act == "negated" else TOLD[0]
    for word, following in pairwise((*words.loose, "")):
        if word in lexicon.NEGATIONS and (following in lexicon.DO_WORDS or is_verb(following)):
            return "you said not to"
    if _is_kept_from([token.word for token in words.own]):
        return "you said not to"
    if _takes_itself_back(ask.tokens):
        return "you took it back in the same message"
    which = _makes_light(ask.tokens)
    return f"you said “{which}”" if which else ""


def _on_condition(words: _Words) -> str:
    ask, loose = words.ask, words.loose_tokens
    for place, token in enumerate(loose):
        following = [one.word for one in loose[place + 1 : place + 3]]
        is_able = following[:1] == ["you"] and (len(following) < 2 or following[1] in _ABLE)
        is_thanked = following[:1] == ["you"] and bool(_THANKING & {one.word for one in loose[:place]})
        is_polite = token.word == "if" and (following[:1] == ["possible"] or is_able or is_thanked)
        if token.word in lexicon.HEDGES and not is_polite:
            return f"you said “{token.text}”"
    spoken = words.loose if ask.act in CONTENT_ACTS else [token.word for token in words.own]
    if condition := _CONDITIONAL.search(f" {' '.join(spoken)} "):
        return f"you said “{condition.group().strip()}”"
    if ask.act in _DOING and (delay := next((word for word in words.loose[1:] if word in _SUBORDINATE), "")):
        return f"you said “{delay}”"
    is_again = words.first == "once" and [token.word for token in words.own[1:2]] in (["again"], ["more"])
    is_put_off = words.first in _SUBORDINATE and not is_again and not ends_in_question(ask.text)
    return f"you said “{words.first}”" if is_put_off else ""


def _asked(words: _Words) -> str:
    ask, first = words.ask, words.first
    if first in lexicon.TEXT_VERBS:
        return "you asked about a text"
    place = words.loose.index(first) + 1 if first in words.loose else 1
    is_how = first in _HOW and any(word in _HOW_TO for word in words.loose[place : place + 2])
    is_checked = first in _CHECKING and words.changes and words.second not in ("off", "to")
    is_shown = first in _SHOWING or (first in JOINING | {"but"} and words.loose[1:2] and words.loose[1] in _SHOWING)
    # "See to it that it is changed."
    is_shown = is_shown and "to it that" not in " ".join(token.word for token in words.own)
    is_asking = ends_in_question(ask.text) and not words.frame and _is_asking(ask.tokens)
    is_question = first in lexicon.QUESTION_STARTS and ends_in_question(ask.text)
    if is_how or is_checked or (is_shown and ask.act not in CONTENT_ACTS) or is_asking or is_question:
        return "you asked about it"
    return ""


def _told(words: _Words) -> str:
    ask = words.ask
    tokens = [token for token in ask.tokens if token.kind != "mark"]
    is_unsaid = "was" in [token.word for token in words.frame] and "but" in words.loose
    verb = next((place for place, word in enumerate(words.loose) if is_verb(word)), len(words.loose))
    is_learned = words.changes and any(one == "to" and two in _LEARNING for one, two in pairwise(words.loose[:verb]))
    is_purpose = [token.word for token in words.own[:1]] == ["to"] and is_verb(words.second)
    if words.first in _IMAGINING or is_unsaid or is_learned or is_purpose:
        return TOLD[0]
    said = [token.word for token in words.own if token.word not in lexicon.INTERJECTIONS]
    is_news = (not words.frame and _is_statement(said)) or _is_narrated(ask.loose) or _has_noun_subject(ask)
    if is_news and not has_own_order(ask.tokens, tokens[0]):
        return TOLD[0]
    if _is_state(ask, tokens) or _is_told_event(ask):
        return TOLD[0]
    if _is_passed_on(ask, words.own):
        return "you told me what you asked somebody else"
    is_spoken = (ask.act not in CONTENT_ACTS and announces(ask.tokens)) or _is_spoken_by(ask)
    return TOLD[1] if is_spoken or _is_reported(ask, tokens) else ""


_CONDITIONAL = re.compile(
    r" (?:in case|in the event|(?:as|so) long as|as soon as(?! (?:possible|you can))|on (?:the )?condition"
    r"|depending on|subject to|only when"
    r"|the (?:moment|minute|instant|day) (?:he|she|it|they|we|i|you|the|that|his|her)) "
)
"""Phrases that make an order conditional."""


_IMAGINING = frozenset("consider picture say pretend assume guess think compare".split())
_CHECKING = frozenset("check verify confirm see look".split())
_CHANGING_ACTS = frozenset(("update_record", "advance_stage"))
_LEARNING = frozenset("see hear know learn understand".split())
_DOING = frozenset(("complete_activity", "change_activity"))


def _makes_light(tokens: Sequence[Token]) -> str:
    """Return the words by which a clause after the order makes it none: ", which is the last thing I'd do"."""
    for place, (mark, token) in enumerate(pairwise(tokens)):
        later = tokens[place + 1 :]
        end = next((at for at, one in enumerate(later) if one.word in (".", ";", "!", "?")), len(later))
        words = [one.word for one in later[:end]]
        if mark.word == "," and token.word == "which" and set(words) & (_UNREAL | lexicon.NEGATIONS):
            return " ".join(words[:4])
    return ""


_UNREAL = frozenset("i'd would he'd she'd they'd we'd nobody none could joke nonsense".split())


def _flag_words(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of flags that are named, as in "flag her as do not call": they deny nothing."""
    for place in range(1, len(tokens) - 2):
        flag = tokens[place : place + 3]
        is_flag = flag[0].word == "do" and flag[1].word in ("not", "-") and flag[2].word in _REACHING
        if is_flag and (tokens[place - 1].word in _BEFORE_FLAG or is_verb(tokens[place - 1].word)):
            yield from flag


_BEFORE_FLAG = frozenset("as to on the a check flag under off is".split())


def _takes_itself_back(tokens: Sequence[Token]) -> bool:
    """Return whether a segment takes back what it orders: "set Ann to warm... cancel that"."""
    ordered = next((place for place, token in enumerate(tokens) if is_verb(token.word)), len(tokens))
    breaks = [
        place for place in range(ordered + 1, len(tokens)) if tokens[place].word in (".", ",", ";", "-", "–", "!")
    ]
    return any(_retracts(tokens[place:]) for place in breaks[:1])


def _is_told_event(ask: Ask) -> bool:
    """Return whether a segment tells what somebody else has planned: "Ann is calling me on Friday"."""
    if ask.act not in _TIMED or any(is_verb(verb) for verb in clause_verbs(ask.tokens)) or is_request(ask.tokens):
        return False
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS]
    names = [span for span in ask.segment.spans if span.tag in ("name", "new", "org", "owner", "ref")]
    subject = next((span for span in names if tokens and span.start <= tokens[0].start < span.end), None)
    later = [token for token in tokens if subject is not None and token.start >= subject.end]
    while len(later) > 1 and (later[0].word == "and" or any(one.start <= later[0].start < one.end for one in names)):
        # "Ann and Bob are meeting."
        later = later[1:]
    if not later or later[0].text in ("'s", "’s"):
        return False
    return later[0].word in _PLANNING or (later[0].word.endswith("s") and is_verb(later[0].word[:-1]))


_TIMED = frozenset(("create_activity", "invite", "remind"))
_PLANNING = frozenset("is are was were has had have will would isn't wasn't plans meets visits comes".split())


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
_REQUESTING = frozenset("should must needs need to be can could would will please let has have had get gets".split())


def _has_noun_subject(ask: Ask) -> bool:
    """Return whether something does what the verb says to a record: "our import set Ann's score to 15"."""
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS]
    if not tokens or tokens[0].word not in lexicon.DETERMINERS:
        return False
    for place in range(2, len(tokens)):
        token, before = tokens[place], tokens[place - 1]
        if token.kind == "mark" or token.word in _REQUESTING:
            return False
        if is_verb(token.word) and before.word not in lexicon.DETERMINERS and token in ask.loose:
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
    if before[:1] == ["i"] and before[1:2] in (["want"], ["need"]) and not _TO_LEARN & set(before):
        # "I want that he is put to lost."
        return False
    if before and before[-1] in _PROMISES:
        return True
    if len(before) > 1 and before[-1] in _STATING:
        return before[-2] not in _INVERTED
    is_subject = bool(before) and before[-1] in _SUBJECTS
    return is_subject and not (len(before) > 1 and before[-2] in _INVERTED)


_TO_LEARN = frozenset("know see hear learn understand check who what when why how whether".split())
_PROMISES = frozenset("i'll he'll she'll they'll".split())
_STATING = frozenset("is was were will".split())


def _is_state(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment says in which state a record is, and orders nothing: "Jack is lost"."""
    words = [token.word for token in tokens]
    if ask.texts("field") or _TO_BE_DONE & set(words) or any(lexicon.acts_of_verb(word) for word in words):
        return False
    values = (span for span in ask.segment.spans if span.tag == "owner" or lexicon.values_in(span.text))
    starts = {span.start for span in values if span.tag in ("value", "owner")}
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
    if not words or "please" in words or "pls" in words or has_tag(tokens):
        return False
    # The last word of "…, correct?" orders nothing.
    verbs = list(clause_verbs(tokens))
    verbs = verbs[:-1] if verbs[-1:] == [tag_of(tokens)] else verbs
    if words[0] not in YOU and any(map(is_verb, verbs)):
        return False
    pairs = zip(words, words[1:], (*words[2:], ""), strict=False)
    return not any({one, other} & YOU and {one, other} & MODALS and verb not in _THINKING for one, other, verb in pairs)


_THINKING = frozenset(
    "say think believe know guess imagine agree recommend suggest advise tell explain ever consider reckon call".split()
)
"""Verbs of what the assistant may think: "would you say that …" asks."""


_SUBJECTS = frozenset("i we he she they who".split())
_ADVERBS = frozenset("just already also then now have had has 've usually always often never only".split())
_INVERTED = frozenset("can could shall should may might will would must do did let if before after when once".split())
COPULAS = frozenset("is was are were isn't wasn't seems looks sounds works worked has had".split())
_HOW = frozenset(("how", "where", "when", "why"))
_HOW_TO = frozenset("do does did can could would should to is are will".split())


def _is_reported(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment begins with somebody else who says or wants something: "Jack said we should …"."""
    for place, token in enumerate(tokens[:6]):
        if token.word in lexicon.REPORTING:
            before = [one for one in tokens[:place] if one.word not in lexicon.INTERJECTIONS]
            is_own = any(one.word in ("i", "we", "i'd", "we'd", "please", "i'll") for one in before)
            if before and not is_own and not is_verb(before[0].word) and ask.act not in TELLING:
                return not has_own_order(ask.tokens, token)
    return False


def _is_passed_on(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether somebody else was asked to do it: "I asked Bob to set …"; "I told you to set …" is an order."""
    for (one, teller), other in zip(pairwise(tokens), (*tokens[2:], None), strict=False):
        is_other = other is not None and other.word not in ("you", "u")
        if one.word in ("i", "we", "i've", "we've") and teller.word in _ASKING and is_other:
            return ask.act not in CONTENT_ACTS | TELLING and not has_own_order(ask.tokens, teller)
    return False


_ASKING = frozenset("asked told instructed ordered begged reminded".split())


def _is_spoken_by(ask: Ask) -> bool:
    """Return whether a segment is what somebody says, as in a thread: "Bob: set Ann to lost"."""
    spans = sorted(
        (span for span in ask.segment.spans if span.tag in ("name", "new", "owner")), key=lambda one: one.start
    )
    if len(spans) < 2 or spans[0].start > 0:
        return False
    later = [token for token in ask.tokens if token.start >= spans[0].end]
    is_label = len(later) > 1 and later[0].word == ":" and is_verb(later[1].word)
    words = {word.lower() for word in spans[0].text.split()}
    return is_label and any(one.tag != "owner" and not words & {*one.text.lower().split()} for one in spans[1:])


TELLING = frozenset("create_note report remember".split())
"""Acts whose orders are often news: "Jack said he likes it, note that"."""


_THANKING = frozenset("grateful appreciate great nice lovely glad thankful".split())
_ABLE = frozenset("can could please would wouldn't don't have get want like may will might".split())
"""After "if you" these words make an order polite; "if you read this" is a condition."""
