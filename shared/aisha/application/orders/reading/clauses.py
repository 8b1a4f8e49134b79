"""Find the clauses of a segment: where orders begin in it, and the words that make a request of them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token
from aisha.domain.language.words import first_names, is_common

JOINING_WORDS = frozenset("and then & + also please , ;".split())
SPEAKER_PRONOUNS = frozenset("you u we i".split())
MODAL_VERBS = frozenset("can could would will won't can't couldn't may".split())
POLITE_OPENING_WORDS = lexicon.INTERJECTIONS | frozenset(
    "please can could would will you i want need like i'd to let's just now so then ok kindly also and go ahead us "
    "i'll we we'll have get mind".split()
)
CLAUSE_MARKS = frozenset(".,;!?-–")
_AUXILIARIES = frozenset(("has", "have", "had", "is", "was", "were"))
_EXTRA_CHANGE_VERBS = frozenset("replace overwrite adjust amend fill type insert".split())
"""Verbs of orders that the reader of messages does not know as such."""
_SECOND_PERSON = frozenset("you u".split())
_REQUEST_FRAME_WORDS = POLITE_OPENING_WORDS | frozenset(
    "may might u it is it's was am i'm be been were do if whether that wondering wonder ask so kind as able possible "
    "possibly perhaps maybe think any chance appreciate grateful glad great nice love hoping hope of help for me us "
    "manage".split()
)
"""Words before the verb of an indirect request."""
_REQUEST_FORMS = re.compile(
    r"(?:.{0,60}\b(?:would|i'd|we'd) .{0,40}if (?:you|u) (?:could|would|can|might)(?: please| kindly)?"
    r"|is it possible (?:that (?:you|u)|for (?:you|u) to)"
    r"|(?:can|could|will|would) (?:you|u) be [a-z ]{1,30} (?:to|and)"
    r"|(?:please |kindly )?(?:see to it|make sure|ensure)(?: for)?(?: that)?"
    r"|(?:i|we)(?:'d|'ll| would| hereby)? (?!forbid|hate|dread)[a-z]+ (?:you|u)(?: therefore| kindly| please)? to"
    r"|(?:it (?:is|'s) )?(?:necessary|required|needed|(?:about |high )?time) to|thank (?:you|u) to"
    r"|(?:i|we)(?:'d| would)? (?:like|need|request|require|want|wish) that (?:you|u)"
    r"|(?:can|could|may|might) (?:i|we) [a-z]+ (?:you|u) to|you have my [a-z]+ to|let us"
    r"|(?:(?:can|could|will|would) (?:you|u) )?(?:please |kindly )?do me (?:a|the) (?:[a-z]+ )?favou?r and"
    r"|(?:please |kindly )?be (?:so|as|a|good) [a-z]+ (?:as to|to|and)"
    r"|it would be (?:kind|nice|good|great|lovely) (?:of (?:you|u) )?to)"
)
"""Words that make a request of the verb after them, whatever their own verb or adjective is."""
_PASSIVE_MODALS = frozenset("can could would may".split())
_WORDS_BEFORE_GERUND = frozenset(("mind", "of", "be"))
_WORDS_BEFORE_QUOTED_TEXT = frozenset("is was are were do does this that these those it following follows like".split())
"""Before a colon they announce the text after it."""
TEXT_NOUNS = frozenset(
    "idea ideas option options plan plans proposal suggestion question advice rule thought thoughts thinking "
    "alternative dream joke example story case choice wish order orders instruction instructions message note text "
    "email mail subject title goal target task tasks todo reminder thing things line motto quote post tweet comment "
    "scenario".split()
)
"""Nouns before a colon whose content follows it: "Bob had an idea: …"."""
_OPENING_WORDS = frozenset(
    "the a for once again more time one another last next first quick short small urgent important update correction "
    "request and now ok so also please favour favor thanks".split()
) | {*lexicon.ORDINALS}
"""Words of an opening without a statement: "for the third time: …"."""
_HEADING_STARTS = frozenset("quick short small urgent one two three another".split())
"""A heading of the user's own begins with one of these: "quick one before lunch: …"."""
_FINITE_VERBS = frozenset(
    "need is isn't was wasn't are aren't were weren't has hasn't have haven't had hadn't will won't i'm he's she's "
    "it's we're they're i've we've they've can can't cannot could couldn't would wouldn't does doesn't did didn't do "
    "don't came met went got left bought sold won lost paid quit said gave took made found rang spoke told felt fell "
    "grew knew kept sent put let saw ran signed needs".split()
)
PASTS = frozenset(
    "was were had did came met went got left bought sold won paid quit said gave took made found rang spoke told felt "
    "fell grew knew kept sent saw ran wrote broke began lost fed "
    "caught held sat stood led heard brought thought".split()
)
_WORDS_BEFORE_PARTICIPLE = frozenset("has have is are be been gets he's she's it's they've we've i've you've".split())
_PERSONAL_PRONOUNS = frozenset("i we he she it they".split())
_IRREGULAR_PARTICIPLES = {
    **{word: word for word in ("put", "set")},
    **{"brought": "bring", "given": "give", "made": "make", "sent": "send", "taken": "take", "written": "write"},
}
_WORDS_THAT_ARE_NO_NAME = frozenset("i i'm i've i'd we we're we've so now ok okay and but".split())
_FIRST_PERSON_OBJECTS = frozenset("my me our us".split())
_INVERTED_VERBS = frozenset("is isn't are aren't was wasn't were weren't do don't does doesn't did didn't".split())
"""They begin a question."""
_CONJUNCTIONS = frozenset(("and", "but", "so"))


def is_verb(word: str) -> bool:
    """Return whether a word is a verb of orders."""
    return word in lexicon.ORDER_VERBS or word in _EXTRA_CHANGE_VERBS


def acts_of(word: str) -> frozenset[str]:
    """Return the acts whose orders a verb begins."""
    return frozenset(("update_record",)) if word in _EXTRA_CHANGE_VERBS else lexicon.acts_of_verb(word)


def base_of(word: str) -> str:
    """Return the verb of orders of which a word is a participle or a gerund: "moved", "setting"; empty for others."""
    if word in _IRREGULAR_PARTICIPLES:
        return _IRREGULAR_PARTICIPLES[word]
    ending = next((one for one in ("ed", "ing") if word.endswith(one)), "")
    stem = word.removesuffix(ending)
    bases = (stem, f"{stem}e", stem[:-1], f"{stem[:-1]}y") if ending else ()
    return next((base for base in bases if is_verb(base) or lexicon.acts_of_verb(base)), "")


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
    content = [token for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    if not content:
        return ()
    verb_place = next((place for place, token in enumerate(content) if is_verb(token.word)), 0)
    before = content[:verb_place]
    comma = max((one.end for one in tokens if one.word == "," and one.end < content[verb_place].end), default=0)
    # "As we agreed, I would ask you to set it": what comes before the clause may be anything.
    for lead in (before, [one for one in before if one.start >= comma]) if before else ():
        if _REQUEST_FORMS.fullmatch(" ".join(token.word for token in lead)):
            return lead
    if is_passive_request(content):
        return content[:1]
    outside = (place for place, token in enumerate(content) if not _may_frame(token.word))
    place = next(outside, len(content))
    if place in (0, len(content)):
        return ()
    frame, verb = content[:place], content[place].word
    words = [token.word for token in frame]
    if words[-1] == "have":
        # "Would you have set it?"
        return ()
    is_gerund = words[-1] in _WORDS_BEFORE_GERUND
    is_order = verb.endswith("ing") and is_verb(base_of(verb)) if is_gerund else is_verb(verb) or bool(acts_of(verb))
    return frame if is_order and _asks_assistant(words, is_gerund=is_gerund) else ()


def is_passive_request(tokens: Sequence[Token]) -> bool:
    """Return whether words ask for something to be done to a record: "could her score be changed to 80?"."""
    words = [token.word for token in tokens]
    if words[:1] == [] or words[0] not in _PASSIVE_MODALS or "by" in words or words[1:2] in (["i"], ["we"]):
        return False
    passives = ((two, words[at + 2 : at + 5]) for at, (one, two) in enumerate(pairwise(words)) if one == "be")
    return any(bool(base_of(verb)) and "to" in later for verb, later in passives)


def _may_frame(word: str) -> bool:
    """Return whether a word may stand in an indirect request before its verb, also as an adverb: "kindly"."""
    return word in _REQUEST_FRAME_WORDS or word == "already" or word.endswith("ly")


def _asks_assistant(words: Sequence[str], *, is_gerund: bool) -> bool:
    """Return whether the words before a verb ask the assistant for it: "could you", "may I ask you to"."""
    is_addressed = bool(_SECOND_PERSON & set(words))
    if is_addressed and (is_gerund or "ask" in words):
        return True
    if "possible" in words and MODAL_VERBS & set(words[:2]):
        return True
    return any({one, other} & _SECOND_PERSON and {one, other} & MODAL_VERBS for one, other in pairwise(words))


def has_request_tag(tokens: Sequence[Token]) -> bool:
    """Return whether an order ends in a question that asks for its being done: "set …, would you?"."""
    words = [token.word for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    is_tagged = len(words) > 3 and words[-2] in MODAL_VERBS and words[-1] in _SECOND_PERSON
    return is_tagged and is_verb(next((word for word in words if word not in POLITE_OPENING_WORDS), ""))


def question_tag(tokens: Sequence[Token]) -> str:
    """Return the word of a question of one word at the end: "…, correct?"; empty if there is none."""
    words = [token.word for token in tokens if token.word not in ("?", "!", ".")]
    return words[-1] if len(words) > 2 and words[-2] == "," else ""


def is_request(tokens: Sequence[Token]) -> bool:
    """Return whether words are an order in the form of a question or a wish: "could you set …", "set …, would you?"."""
    return bool(request_frame(tokens)) or has_request_tag(tokens)


def introduces_order(tokens: Sequence[Token], colon: int) -> bool:
    """Return whether the clause before a colon gives the reason of an order after it, and does not introduce a text.

    "He signed: mark him …" orders, "Bob's idea: mark him …" does not.
    """
    head = list(_clause_before(tokens[:colon]))
    words = [token.word for token in head if token.word not in lexicon.INTERJECTIONS]
    if words and _is_speech_of_subject(head, tokens[colon + 1 :]):
        return False
    if not words or words[-1] in _WORDS_BEFORE_QUOTED_TEXT or (TEXT_NOUNS | lexicon.REPORTING_VERBS) & set(words):
        return False
    is_heading = words[0] in _HEADING_STARTS and not any(map(is_name, head))
    if is_heading or set(words) <= _OPENING_WORDS:
        return True
    if words[0] in _INVERTED_VERBS:
        # "Is this correct: …", "Did I say: …".
        return False
    is_subject = head[0].is_capital or words[0] in _PERSONAL_PRONOUNS | lexicon.PERSON_PRONOUNS | lexicon.DETERMINERS
    verbs = (token.word for token in head[1:] if token.kind == "word")
    return words[0] in _FINITE_VERBS or (is_subject and any(_is_finite(verb) for verb in verbs))


def _is_speech_of_subject(head: Sequence[Token], following: Sequence[Token]) -> bool:
    """Return whether what follows a colon is what the subject before it says: "Carol is adamant: mark Jack …"."""
    names = {token.word for token in head if is_name(token)}
    is_third = is_name(head[0])
    words = {token.word for token in following}
    if not any(is_verb(token.word) for token in following[:2]):
        return False
    if (is_third or head[0].word in lexicon.PERSON_PRONOUNS) and words & _FIRST_PERSON_OBJECTS:
        return True
    is_named = any(map(is_name, following[1:]))
    return is_third and is_named and not words & (names | lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS)


def is_name(token: Token) -> bool:
    """Return whether a word is written as a name, also at the beginning of a sentence."""
    is_known = token.word in first_names() or not is_common(token.word)
    return token.is_capital and token.word not in _WORDS_THAT_ARE_NO_NAME and (token.start > 0 or is_known)


def _is_finite(word: str) -> bool:
    """Return whether a word is likely to be a finite verb: "signed", "loves"."""
    return word in _FINITE_VERBS or (len(word) > 4 and word.endswith(("ed", "es", "ves")))


def tells_past(tokens: Sequence[Token]) -> bool:
    """Return whether a clause tells what was: "he declined", and not "he has declined" or "approved"."""
    return any(
        (verb.word in PASTS or (len(verb.word) > 4 and verb.word.endswith("ed")))
        and before.word not in _WORDS_BEFORE_PARTICIPLE
        for before, verb in pairwise(tokens)
    )


def _clause_before(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words of the last clause of some tokens."""
    starts = [place + 1 for place, token in enumerate(tokens) if token.word in ",.;!?" or token.word in _CONJUNCTIONS]
    clause = tokens[starts[-1] if starts else 0 :]
    return [token for token in clause if token.kind != "mark"]


def is_clause_end(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a clause ends at a token."""
    word = tokens[place].word
    return word in CLAUSE_MARKS or (word == ":" and introduces_order(tokens, place))


def has_own_order(tokens: Sequence[Token], reporting_verb: Token) -> bool:
    """Return whether an order of the user's follows the news: "Jack wants a demo on Friday, book it"."""
    for place, (before, token) in enumerate(pairwise(tokens)):
        following = tokens[place + 2].word if place + 2 < len(tokens) else ""
        is_of_it = following in lexicon.THING_PRONOUNS
        # "…, call it Product demo" names what is spoken of.
        is_order = (is_of_it and token.word in ("use", "take")) or (
            is_verb(token.word) and not (is_of_it and token.word == "call")
        )
        # Of "he said, set it" the order is his.
        is_speech = place > 0 and tokens[place - 1] is reporting_verb
        # "… a task, Send the contract": the title of the task.
        is_title = before.word == "," and token.is_capital
        if before.start <= reporting_verb.start or not is_order or is_speech or is_title:
            continue
        # "I asked Bob to please set it" orders nothing.
        is_passed_on = before.word == "please" and place > 0 and tokens[place - 1].word == "to"
        opens = before.word in (",", ";", "-", "–", "so", "please", ".")
        if (opens and not is_passed_on) or (before.word == ":" and introduces_order(tokens, place)):
            return True
    return False


def clause_verbs(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the first words of the clauses, after words of politeness; of a request the verb that it asks for."""
    frame = request_frame(tokens)
    is_start = True
    for place, token in enumerate(tokens):
        if token in frame:
            continue
        if token.kind == "mark":
            is_start = is_start or is_clause_end(tokens, place)
        elif is_start and token.word not in POLITE_OPENING_WORDS:
            is_gerund = bool(frame) and frame[-1].word in _WORDS_BEFORE_GERUND
            yield (base_of(token.word) if is_gerund else "") or token.word
            is_start = False
        if token.word in ("and", "then", "please", "so"):
            is_start = True


def order_clause(tokens: Sequence[Token], acts: frozenset[str]) -> Sequence[Token]:
    """Return the words from the first verb on that begins a clause and orders one of some acts."""
    verbs = [verb for verb in clause_verbs(tokens) if acts & acts_of(verb)]
    place = next((place for place, token in enumerate(tokens) if token.word in verbs), len(tokens))
    return tokens[place:]


def verbs_of_pronouns(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the verbs before a pronoun that order, as in "…, enter it", without those of "she has put it"."""
    pronouns = lexicon.THING_PRONOUNS | lexicon.PERSON_PRONOUNS
    before = [None, *(token.word for token in tokens)]
    for auxiliary, (verb, object_) in zip(before, pairwise(tokens), strict=False):
        if object_.word in pronouns and auxiliary not in _AUXILIARIES:
            yield verb.word


def is_order_verb(token: Token) -> bool:
    """Return whether a word is a verb of orders, in any form."""
    return token.word in lexicon.ORDER_VERBS or bool(acts_in_any_form(token))


def acts_in_any_form(token: Token) -> frozenset[str]:
    """Return the acts whose orders a verb begins, in any form."""
    return acts_of(token.word) | lexicon.acts_of_verb(token.stem) | acts_of(base_of(token.word))


def is_hurry(tokens: Iterable[Token]) -> bool:
    """Return whether words begin with a clause that says why an order is to be done now: "before I forget, …".

    "Before I change it" puts it off.
    """
    clause = list(takewhile(lambda token: token.word not in CLAUSE_MARKS | {":"}, tokens))
    is_own = [token.word for token in clause[:1]] == ["before"] and clause[1:2] != [] and clause[1].word in ("i", "my")
    return is_own and not any(FIELD_CHANGE_ACTS & acts_in_any_form(token) for token in clause[2:])
