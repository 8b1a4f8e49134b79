"""Find out whether a segment only speaks of what could be done, is planned, or is for somebody else to do."""

from collections.abc import Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import (
    SPEAKER_PRONOUNS,
    acts_in_any_form,
    acts_of,
    base_of,
    ends_in_question,
    has_own_order,
    is_verb,
    request_frame,
)
from aisha.application.orders.wording import FOR_OTHER, OPTION, PLAN
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

_CAUSATIVE_VERBS = frozenset("have let make get tell ask remind want need like".split())
_MODALS = frozenset(("can", "could", "might", "may"))
_PRESENT_WORDS = frozenset("now today already".split())
"""With them a permission is an order: "Ann may now be moved"."""
_CONDITIONALS = frozenset("would it'd that'd might".split())
_WELCOMING_WORDS = frozenset("great good kind nice lovely best helpful wonderful".split())
_MAX_PREDICATE = 4
"""Words from "be" to the "to" of what would be so."""
_COPULAS = frozenset("is was be".split())
_ASKING_WORDS = frozenset("you your u please pls if whether hoping wondering need want request wish job ask".split())
DIRECTIONS = frozenset("to into from by up down on over back forward as".split())
_TAG_VERBS = frozenset(
    "did didn't have haven't has hasn't was wasn't were weren't is isn't are aren't do don't does doesn't".split()
)
_TAGS = (("huh",), ("really",), ("seriously",), ("what",), ("why",), ("how", "come"), ("yes", "or", "no"))
_TAG_PRONOUNS = lexicon.PERSON_PRONOUNS | SPEAKER_PRONOUNS | {"it"}
_MAX_TAG_WORDS = 4
_DOUBTING_STARTS = frozenset("who why what how since says".split())


def option_reason(ask: Ask) -> str:
    """Return why a segment with the verb of an order leaves it open or to another; empty if it does not."""
    if _is_for_other(ask):
        return FOR_OTHER
    tokens = [token for token in ask.tokens if token in ask.loose or token.kind == "mark"]
    if _is_evaluated(ask.tokens):
        return OPTION
    if _ASKING_WORDS & {token.word for token in tokens} or request_frame(ask.tokens):
        return ""
    for place, (token, following) in enumerate(pairwise(ask.tokens)):
        before = ask.tokens[:place]
        is_subject_before = bool(before) and before[-1].kind != "mark" and not _begins_with_verb(before)
        if token not in ask.loose or not is_subject_before or has_own_order(ask.tokens, token):
            continue
        if token.text in _MODALS and _is_done_by_modal(ask.tokens[place - 1 :], following):
            return OPTION
        if token.word in _COPULAS and not ask.texts("field") and _is_purpose(ask.tokens[place + 1 :]):
            return PLAN
    return ""


def _begins_with_verb(tokens: Sequence[Token]) -> bool:
    """Return whether words have the verb of an order, and not only its noun: "the plan", "a note"."""
    nouns = {noun.start for determiner, noun in pairwise(tokens) if determiner.word in lexicon.DETERMINERS}
    return any(is_verb(one.word) and one.start not in nouns for one in tokens)


def tag_question_in(text: str, tokens: Sequence[Token]) -> bool:
    """Return whether words end in a question about what is said before: "…, did you?", "…? Who said so?"."""
    marks = [place for place, token in enumerate(tokens[:-1]) if token.word in (",", ".", "?", "!", "-", "–")]
    if not marks or not ends_in_question(text):
        return False
    is_after_question = tokens[marks[-1]].word == "?"
    return is_tag_question(tokens[marks[-1] + 1 :], is_after_question=is_after_question)


def is_tag_question(tokens: Sequence[Token], *, is_after_question: bool) -> bool:
    """Return whether words are a question about what was said just before them."""
    words = [token.word for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    if not words or len(words) > _MAX_TAG_WORDS or "mind" in words:
        return False
    is_tag = words[0] in _TAG_VERBS and bool(_TAG_PRONOUNS.intersection(words[1:2]))
    return is_tag or tuple(words) in _TAGS or (is_after_question and words[0] in _DOUBTING_STARTS)


def _is_for_other(ask: Ask) -> bool:
    """Return whether a segment wants somebody else to do it: "have Bob set …"; not "have Jack set to lost"."""
    people = {span.start: span for span in ask.segment.spans if span.tag in ("name", "owner", "new")}
    for verb, after in pairwise(ask.tokens):
        span = people.get(after.start)
        if verb.word not in _CAUSATIVE_VERBS or span is None:
            continue
        rest = [token for token in ask.tokens if token.start >= span.end]
        has_to = [token.word for token in rest[:1]] == ["to"]
        rest = rest[has_to:]
        return (
            len(rest) > 1 and (has_to or verb.word in ("have", "let", "make")) and _is_own_act(ask, rest, has_to=has_to)
        )
    return False


def lets_other_act(ask: Ask) -> bool:
    """Return whether a segment leaves something to somebody else: "let Bob call her"; not "have Jack moved"."""
    tokens = [token for token in ask.tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    people = [span for span in ask.segment.spans if span.tag in ("name", "owner", "new")]
    if len(tokens) < 2 or tokens[0].word not in ("let", "have"):
        return False
    span = next((one for one in people if one.start == tokens[1].start), None)
    verb = next((token for token in tokens if span is not None and token.start >= span.end), None)
    if verb is None or verb.word.endswith("ed") or verb.word in DIRECTIONS | {"know"}:
        return False
    return not (lexicon.values_in(verb.word) or lexicon.fields_in(verb.word) or verb.word in lexicon.DETERMINERS)


def _is_own_act(ask: Ask, rest: Sequence[Token], *, has_to: bool) -> bool:
    """Return whether words begin with the verb of a segment's act and an object: "add a note", not "set to lost"."""
    acts = acts_of(rest[0].word)
    is_change_verb = FIELD_CHANGE_ACTS & acts_in_any_form(rest[0]) or [*lexicon.values_in(rest[0].word)]
    is_change = bool(is_change_verb) and ask.act in FIELD_CHANGE_ACTS
    is_intransitive = rest[1].kind == "mark" or rest[1].word in DIRECTIONS
    return (
        (is_change and not is_intransitive)
        or ask.act in acts
        or (has_to and rest[0].word == "have" and ask.act in WRITES)
    )


def _is_done_by_modal(tokens: Sequence[Token], following: Token) -> bool:
    """Return whether a modal verb has what could be done: "it could be set", "he could go to lost"; not "can we"."""
    subject, after = tokens[0].word, [token.word for token in tokens[3:4]]
    is_passive = following.word == "be" and bool(after) and bool(base_of(after[0]) or after[0] in ("set", "put"))
    if is_passive or after == ["to"]:
        return not _PRESENT_WORDS & {token.word for token in tokens}
    return subject in ("we", "one", "i") and is_verb(following.word)


def _is_evaluated(tokens: Sequence[Token]) -> bool:
    """Return whether words say what doing something would be: "it would be wrong to set him"; not "… be great to"."""
    words = [token.word for token in tokens]
    for place in range(1, len(words)):
        predicate = words[place + 1 : place + 1 + _MAX_PREDICATE]
        is_wish = bool(_WELCOMING_WORDS & {*predicate}) or "you" in words[:place]
        if words[place] == "be" and words[place - 1] in _CONDITIONALS and "to" in predicate and not is_wish:
            following = place + 2 + predicate.index("to")
            return is_verb(words[following]) if following < len(words) else False
    return False


def _is_purpose(tokens: Sequence[Token]) -> bool:
    """Return whether words are what is planned: "to move Jack to lost", "planned to set him"."""
    words = [token.word for token in tokens]
    if words[:1] and words[0].endswith("ed"):
        words = words[1:]
    is_infinitive = len(words) > 2 and words[0] == "to" and is_verb(words[1])
    return is_infinitive and words[2] not in DIRECTIONS
