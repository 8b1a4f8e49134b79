"""The clauses of a segment: where orders begin in it, and the frames that make a request of them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token
from aisha.domain.language.words import first_names, is_common

JOINING = frozenset("and then & + also please , ;".split())
YOU = frozenset("you u we i".split())
MODALS = frozenset("can could would will won't can't couldn't may".split())
POLITE_STARTS = lexicon.INTERJECTIONS | frozenset(
    "please can could would will you i want need like i'd to let's just now so then ok kindly also and go ahead us "
    "i'll we we'll have get mind".split()
)
_CLAUSE_MARKS = frozenset(".,;!?-–")
_CHANGING = frozenset("replace overwrite adjust amend fill type insert".split())
"""Verbs of orders that the reader of messages does not know as such."""
_ADDRESSED = frozenset("you u".split())
_FRAME = POLITE_STARTS | frozenset(
    "may might u it is it's was am i'm be been were do if whether that wondering wonder ask so kind as able possible "
    "possibly perhaps maybe think any chance appreciate grateful glad great nice love hoping hope of help for me us "
    "manage".split()
)
"""Words before the verb of an indirect request."""
_BEFORE_GERUND = frozenset(("mind", "of", "be"))
_TELLING_ENDS = frozenset("is was are were do does this that these those it following follows like".split())
"""Before a colon they announce the text after it."""
_ANNOUNCING = frozenset(
    "idea ideas option options plan plans proposal suggestion question advice rule thought thoughts thinking "
    "alternative dream joke example story case choice wish order orders instruction instructions message note text "
    "email mail subject title goal target task tasks todo reminder thing things line motto quote post tweet comment "
    "scenario".split()
)
"""Nouns before a colon whose content follows it: "Bob had an idea: …"."""
_OPENERS = frozenset(
    "the a for once again more time one another last next first quick short small urgent important update correction "
    "request and now ok so also please favour favor thanks".split()
) | {*lexicon.ORDINALS}
"""Words of an opening without a statement: "for the third time: …"."""
_FINITE = frozenset(
    "need is isn't was wasn't are aren't were weren't has hasn't have haven't had hadn't will won't i'm he's she's "
    "it's we're they're i've we've they've can can't cannot could couldn't would wouldn't does doesn't did didn't do "
    "don't came met went got left bought sold won lost paid quit said gave took made found rang spoke told felt fell "
    "grew knew kept sent put let saw ran signed needs".split()
)
_PERSONS = frozenset("i we he she it they".split())


def is_verb(word: str) -> bool:
    """Return whether a word is a verb of orders."""
    return word in lexicon.ORDER_VERBS or word in _CHANGING


def acts_of(word: str) -> frozenset[str]:
    """Return the acts whose orders a verb begins."""
    return frozenset(("update_record",)) if word in _CHANGING else lexicon.acts_of_verb(word)


def base_of(word: str) -> str:
    """Return the verb of orders of which a word is a participle or a gerund: "moved", "setting"; empty for others."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    ending = next((one for one in ("ed", "ing") if word.endswith(one)), "")
    stem = word.removesuffix(ending)
    bases = (stem, f"{stem}e", stem[:-1], f"{stem[:-1]}y") if ending else ()
    return next((base for base in bases if is_verb(base) or lexicon.acts_of_verb(base)), "")


_IRREGULAR = {
    **{word: word for word in ("put", "set")},
    **{"brought": "bring", "given": "give", "made": "make", "sent": "send", "taken": "take", "written": "write"},
}


def first_word(ask: Ask) -> str:
    """Return the first word of a segment after interjections; empty if it has none."""
    tokens = (token for token in ask.tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS)
    return next((token.word for token in tokens), "")


def ends_in_question(text: str) -> bool:
    """Return whether a question mark is among the marks at the end of a text: "lost?!"."""
    bare = text.rstrip(" \n\t?!.…)\"'”’")
    return "?" in text[len(bare) :]


def request_frame(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words that make a request of the verb after them: "I was wondering if you could", "would you mind".

    Empty for all others, as for those of a question: "when could you", "do you".
    """
    said = [token for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    place = next((place for place, token in enumerate(said) if token.word not in _FRAME), len(said))
    if place in (0, len(said)):
        return ()
    frame, verb = said[:place], said[place].word
    words = [token.word for token in frame]
    is_gerund = words[-1] in _BEFORE_GERUND
    if words[-1] == "have":
        # "Would you have set it?"
        return ()
    if not (is_verb(base_of(verb)) and verb.endswith("ing") if is_gerund else is_verb(verb) or acts_of(verb)):
        return ()
    is_asked = any({one, other} & _ADDRESSED and {one, other} & MODALS for one, other in pairwise(words))
    is_asked = (
        is_asked
        or ("ask" in words and bool(_ADDRESSED & set(words)))
        or ("possible" in words and bool(MODALS & set(words[:2])))
    )
    return frame if is_asked or (is_gerund and bool(_ADDRESSED & set(words))) else ()


def has_tag(tokens: Sequence[Token]) -> bool:
    """Return whether an order ends in a question that asks for its being done: "set …, would you?"."""
    words = [token.word for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    is_tagged = len(words) > 3 and words[-2] in MODALS and words[-1] in _ADDRESSED
    return is_tagged and is_verb(next((word for word in words if word not in POLITE_STARTS), ""))


def tag_of(tokens: Sequence[Token]) -> str:
    """Return the word of a question of one word at the end: "…, correct?"; empty if there is none."""
    kept = [token for token in tokens if token.word not in ("?", "!", ".")]
    return kept[-1].word if len(kept) > 2 and kept[-2].word == "," else ""


def is_request(tokens: Sequence[Token]) -> bool:
    """Return whether words are an order in the form of a question or a wish: "could you set …", "set …, would you?"."""
    return bool(request_frame(tokens)) or has_tag(tokens)


def opens_order(tokens: Sequence[Token], colon: int) -> bool:
    """Return whether the clause before a colon gives the reason of an order after it, and does not announce a text.

    "He signed: mark him …" orders, "Bob's idea: mark him …" does not.
    """
    head = list(_clause_before(tokens[:colon]))
    words = [token.word for token in head if token.word not in lexicon.INTERJECTIONS]
    if words and _is_of_speaker(head, tokens[colon + 1 :]):
        return False
    if not words or words[-1] in _TELLING_ENDS or (_ANNOUNCING | lexicon.REPORTING) & set(words):
        return False
    if set(words) <= _OPENERS:
        return True
    is_subject = head[0].is_capital or words[0] in _PERSONS | lexicon.PERSON | lexicon.DETERMINERS
    verbs = (token.word for token in head[1:] if token.kind == "word")
    return words[0] in _FINITE or (is_subject and any(_is_finite(verb) for verb in verbs))


def _is_of_speaker(head: Sequence[Token], said: Sequence[Token]) -> bool:
    """Return whether what follows a colon is what the subject before it says: "Carol is adamant: mark Jack …"."""
    names = {token.word for token in head if _is_name(token)}
    is_third = _is_name(head[0])
    words = {token.word for token in said}
    if not any(is_verb(token.word) for token in said[:2]):
        return False
    if (is_third or head[0].word in lexicon.PERSON) and words & _OWN:
        return True
    is_named = any(map(_is_name, said[1:]))
    return is_third and is_named and not words & (names | lexicon.PERSON | lexicon.THING)


def _is_name(token: Token) -> bool:
    """Return whether a word is written as a name, also at the beginning of a sentence."""
    is_known = token.word in first_names() or not is_common(token.word)
    return token.is_capital and token.word not in _OWN_STARTS and (token.start > 0 or is_known)


_OWN_STARTS = frozenset("i i'm i've i'd we we're we've so now ok okay and but".split())
_OWN = frozenset("my me our us".split())


def announces(tokens: Sequence[Token]) -> bool:
    """Return whether somebody else's words follow a colon: "he texted me one line: change my phone"."""
    for place, token in enumerate(tokens):
        head = _clause_before(tokens[:place]) if token.word == ":" else ()
        is_third = bool(head) and (head[0].word in lexicon.PERSON or _is_name(head[0]))
        if is_third and any(_is_finite(one.word) for one in head[1:]) and head[0].word not in _OWN_STARTS:
            return not opens_order(tokens, place)
    return False


def _is_finite(word: str) -> bool:
    return word in _FINITE or (len(word) > 4 and word.endswith(("ed", "es", "ves")))


def _clause_before(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words of the last clause of some tokens."""
    starts = [place + 1 for place, token in enumerate(tokens) if token.word in ",.;!?" or token.word in _JOINTS]
    clause = tokens[starts[-1] if starts else 0 :]
    return [token for token in clause if token.kind != "mark"]


_JOINTS = frozenset(("and", "but", "so"))


def is_clause_end(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a clause ends at a token."""
    word = tokens[place].word
    return word in _CLAUSE_MARKS or (word == ":" and opens_order(tokens, place))


def has_own_order(tokens: Sequence[Token], teller: Token) -> bool:
    """Return whether an order of the user's follows the news: "Jack wants a demo on Friday, book it"."""
    for place, (before, token) in enumerate(pairwise(tokens)):
        following = tokens[place + 2].word if place + 2 < len(tokens) else ""
        is_order = (
            is_verb(token.word) or _flags(token) or (token.word in ("use", "take") and following in lexicon.THING)
        )
        # Of "he said, set it" the order is his.
        is_speech = place > 0 and tokens[place - 1] is teller
        if before.start <= teller.start or not is_order or is_speech:
            continue
        # "I asked Bob to please set it" orders nothing.
        is_passed_on = before.word == "please" and place > 0 and tokens[place - 1].word == "to"
        opens = before.word in (",", ";", "-", "–", "so", "please", ".")
        if (opens and not is_passed_on) or (before.word == ":" and opens_order(tokens, place)):
            return True
    return False


def _flags(token: Token) -> bool:
    return "update_record" in lexicon.acts_of_verb(token.word)


def clause_verbs(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the first words of the clauses, after words of politeness; of a request the verb that it asks for."""
    frame = request_frame(tokens)
    is_start = True
    for place, token in enumerate(tokens):
        if token in frame:
            continue
        if token.kind == "mark":
            is_start = is_start or is_clause_end(tokens, place)
        elif is_start and token.word not in POLITE_STARTS:
            yield base_of(token.word) or token.word if frame and frame[-1].word in _BEFORE_GERUND else token.word
            is_start = False
        if token.word in ("and", "then", "please", "so"):
            is_start = True


def order_clause(tokens: Sequence[Token], acts: frozenset[str]) -> Sequence[Token]:
    """Return the words from the first verb on that begins a clause and orders one of some acts."""
    verbs = [verb for verb in clause_verbs(tokens) if acts & acts_of(verb)]
    place = next((place for place, token in enumerate(tokens) if token.word in verbs), len(tokens))
    return tokens[place:]


def verbs_of_pronouns(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the verbs that order something of what was said: "…, enter it"."""
    pronouns = lexicon.THING | lexicon.PERSON
    yield from (one.word for one, other in pairwise(tokens) if other.word in pronouns)
