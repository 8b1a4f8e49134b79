"""Decide how far an ask is understood: run it, confirm it first, or say what was not understood."""

import itertools
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.conditions import CONDITIONS, OPENINGS, POLITE
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, MAIL_ACTS, VALUE_TAGS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, read
from aisha.domain.language.tokens import Token, stem, tokenize

MIN_PROBABILITY = 0.25
"""An act less probable than this was not understood. See `assets/reader/training.json` for the figures."""
MIN_MEANT = 0.1
"""An act of this probability is considered where the most probable one can't be meant."""
SURE_PROBABILITY = 0.6
"""A write runs without a question from this probability of its act on."""
NOT_DONE = "Your last request has not been carried out"
"""The doubt about an undo after an order that was asked about."""
ASKED_BEFORE = "That was my question before the last one"
DENIED_CHANGE = "That seems to be wrong"
"""The doubt about an undo of what the user says is not so."""
WAITED = "You wanted that once this has happened"
"""The doubt about an order that waited for what is now told."""
MAX_NAMED_WORDS = 4
UNSURE = "I'm not sure I understood you"
"""The doubt about an order as a whole."""
DENIALS = frozenset("not don't never no without unless if wouldn't won't can't shouldn't might maybe perhaps".split())
"""Words that deny an order or make it conditional, unless they stand in a slot."""
# Words that stand between what is not to be done, or a condition, and an order.
_BEFORE_ORDERS = frozenset(", ; - – but just only instead rather so then".split())
# First words of questions that order something.
_REQUESTS = frozenset("can could would will please may mind cld pls let's".split())
# Last words that make a statement a question: "Ann is warm, right".
_TAG_QUESTIONS = frozenset("right yeah yes huh eh innit".split())
# Words of sentences that order something though they begin with "I".
_WISHES = frozenset("want need like love must wanna wish gotta have has appreciate hope should going".split())
_WISHES |= {"mean", "meant"}  # "I meant the 13th."
# Tags of slots of which two are set against each other: "Tuesday, not Monday".
_CONTRASTED = frozenset("value owner amount when".split())
_SAME_TAGS = {"amount": "value"}
_PERSONS = frozenset("name owner ref".split())
_PAUSES = lexicon.PAUSES | {"so", "please"}
_SUBJECTS = frozenset("he she they".split())
_ADVERBS = frozenset("already also just has have had now".split())
# Words that begin a clause on why something is ordered, or, with "so", the order after its reason.
_REASONS = lexicon.REASON_WORDS | {"so", "hence", "therefore", "thus"}
_BEFORE_ORDER_VERBS = frozenset("please can could would will you just now then and also kindly let's to".split())
# Words before what shall be done to something: "the type may be changed", "Ann can go to lost".
_WISHED = frozenset("can may should must be".split())
# Words of clauses beside which an order may be none.
_FANCIED = lexicon.JOKING | {"wish", "wishful", "dream", "dreaming", "dreamt", "pretend"}
# Denials that begin no order: "can't make it today, move it".
_UNABLE = frozenset("won't can't shouldn't".split())
# Words that, denied, leave an order open.
_UNDECIDED = frozenset("sure certain think know decide decided convinced".split())
_CHANGES = FIELD_CHANGE_ACTS | {"change_activity", "complete_activity", "convert", "delete"}
_CLEFT_SUBJECTS = [[word] for word in "i it we he she they you".split()]
UNREAL = _FANCIED | frozenset(
    (
        "someday soon eventually later tomorrow wrong mistake accident accidentally almost nearly already himself "
        "herself themselves myself ourselves yet"
    ).split()
)
"""Words of clauses after which an order may be none, or done by another."""
_DENYING_NOTHING = {("no", word) for word in lexicon.NO_HURRY} | {
    (word, "forget") for word in ("don't", "not", "never")
}
"""Words that deny no order together: "don't forget to remind me"."""
_FREE = (
    lexicon.SELF_WORDS | lexicon.INTERJECTIONS | lexicon.PLURAL_WORDS | lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS
)
"""Words that need no explanation: persons, pronouns, exclamations."""


def is_understood(ask: Ask) -> bool:
    return ask.segment.probability >= MIN_PROBABILITY


def is_sure(ask: Ask) -> bool:
    """Return whether the act, or one of two that do the same to a record or an email, is sure and undisputed."""
    same = sum(share for act, share in ask.segment.others if {act, ask.act} in (FIELD_CHANGE_ACTS, MAIL_ACTS))
    # An email is shown before it is sent, so a model that takes it for something else does no harm.
    is_disputed = ask.segment.is_disputed and ask.act not in MAIL_ACTS
    return not is_disputed and ask.segment.probability + same >= SURE_PROBABILITY


def start_of_order(text: str) -> int:
    """Return the place of the order after what is not to be done, or after a condition; 0 if none is set apart."""
    pairs = pairwise(tokenize(text))
    return next((two.start for one, two in pairs if one.word in _BEFORE_ORDERS and two.word in lexicon.ORDER_VERBS), 0)


def is_question(ask: Ask) -> bool:
    """Return whether an ask begins as a question that orders nothing: "what did you undo"."""
    first = next((one.word for one in ask.tokens if one.kind != "mark" and one.word not in OPENINGS), "")
    is_ordered = any(one.kind == "mark" and two.word in lexicon.ORDER_VERBS for one, two in pairwise(ask.tokens))
    # "Had the call, tick it off", "what I want is a note on Ann" tell something.
    words = [one.word for one in ask.tokens if one.word not in OPENINGS]
    is_told = first == "had" or (first == "what" and words[words.index(first) + 1 :][:1] in _CLEFT_SUBJECTS)
    is_told = is_told and not ask.text.rstrip().endswith("?")
    return first in lexicon.QUESTION_STARTS - {"have", "do", "shall"} and not (is_ordered or is_told)


def wished_change(segment: Segment) -> Segment | None:
    """Return the order that news of somebody's wish may be: "Ann wants the renewal moved to won"; None for none."""
    orders = [(act, share) for act, share in segment.others if act in FIELD_CHANGE_ACTS and share >= MIN_PROBABILITY]
    words = {token.word for token in tokenize(segment.text)}
    has_value = any(span.tag in VALUE_TAGS for span in segment.spans)
    if segment.act != "report" or not (orders and has_value and words & {"wants", "want", "wanted"}):
        return None
    return replace(segment, act=orders[0][0], probability=orders[0][1])


def asks_why(ask: Ask) -> bool:
    """Return whether an ask is for a reason: "why did we lose Globex", "how come it is stuck"."""
    words = [one.word for one in ask.tokens if one.kind != "mark" and one.word not in OPENINGS][:2]
    return words[:1] in (["why"], ["why's"], ["whys"]) or words == ["how", "come"]


def is_asked_back(ask: Ask) -> bool:
    """Return whether a sentence asks whether something is so, rather than orders it: "Ann is warm?"."""
    words = _told_words(ask)
    is_asked = bool(words) and (ask.text.rstrip().endswith("?") or words[-1] in _TAG_QUESTIONS)
    # "I met Ann. Add her to the contacts?", "Bo wants her marked as warm, could you do that?"
    is_ordered = any(_orders(ask, one) or _is_request(one) for one in _clauses(ask)[1:])
    return is_asked and not is_ordered and words[0] not in _REQUESTS | lexicon.ORDER_VERBS and words[-1] not in POLITE


def _is_request(clause: Sequence[Token]) -> bool:
    return len(clause) > 1 and clause[0].word in _REQUESTS and clause[1].word == "you"


def is_told(ask: Ask) -> bool:
    """Return whether a sentence tells or asks something rather than orders it: "I set Ann to warm", "Ann is warm?"."""
    words = _told_words(ask)
    if is_asked_back(ask):
        return True
    if _is_of_another(ask):
        return True
    is_teller = bool(words) and words[0] in lexicon.TELLERS
    return is_teller and _WISHES.isdisjoint(words[1:4]) and lexicon.ORDER_VERBS.isdisjoint(words[4:])


def _names_nothing(ask: Ask) -> bool:
    """Return whether what is done, planned, or whom to add, is only told of: "it's done", "Got a card from Ann Lee"."""
    words = {one.word for one in ask.tokens}
    has_verb = bool(words & lexicon.ORDER_VERBS)
    if ask.act == "complete_activity":
        is_named = bool(ask.activity_types or ask.kinds) or any(
            one.tag not in ("ref", "value") for one in ask.segment.spans
        )
        return not (has_verb or is_named)
    if ask.act == "create_activity":
        return len(ask.tokens) == 1  # "call" says neither with whom nor when.
    is_new = bool(ask.kinds or words & {"new", "enter", "register"})
    return ask.act == "create_record" and not (has_verb or is_new)


def _told_words(ask: Ask) -> list[str]:
    # "… yes" is the answer to whether to do it.
    end = next((span.start for span in ask.segment.spans if span.tag == "confirmed"), len(ask.text))
    return [one.word for one in ask.tokens if one.start < end and one.kind != "mark" and one.word not in OPENINGS]


def _is_of_another(ask: Ask) -> bool:
    """Return whether somebody else changes a record, or says what to change: "Bob set Ann to warm", "Bo said to …"."""
    subject = next((one for one in ask.segment.spans if one.tag in _PERSONS), None)
    if subject is None or (subject.tag == "ref" and subject.text.lower() not in _SUBJECTS):
        return False
    before = [one.word for one in ask.loose if one.end <= subject.start]
    rest = [one for one in ask.tokens if one.start >= subject.end and one.word not in _ADVERBS]
    if not rest or not OPENINGS.issuperset(before):
        return False
    if rest[0].word in lexicon.REPORTING_VERBS and ask.act in _CHANGES:
        return not any(one.word in _PAUSES and two.word in lexicon.ORDER_VERBS for one, two in pairwise(rest))
    named = [one for one in ask.segment.spans if one.tag in ("name", "new") and one.start > rest[0].start]
    return bool(named) and rest[0].stem in _order_stems()


@cache
def _order_stems() -> frozenset[str]:
    return frozenset(map(stem, lexicon.ORDER_VERBS))


def _denies(ask: Ask, token: Token, after: Token | None) -> bool:
    """Return whether a word denies an order.

    "No" before a mark answers something, and "customer, not prospect" only denies another value.
    """
    if token.word not in DENIALS or (token.word == "no" and (after is None or after.kind == "mark")):
        return False
    if after is not None and (token.word, after.word) in _DENYING_NOTHING:
        return False
    spans = ask.segment.spans
    denied = next((one for one in spans if one.start - token.end == 1), None)
    if token.word == "no" and _corrects(ask, token):
        return False
    if token.word in ("maybe", "perhaps") and ask.act == "create_record" and denied and denied.tag == "amount":
        return False  # "maybe 25 thousand"
    if token.start in _told_beside(ask):
        return False  # "She can't make it today, move it to Friday."
    before = {one.tag for one in spans if one.end <= token.start}
    # "Customer, not prospect", "not 18, it should be 16"
    others = {_SAME_TAGS.get(one.tag, one.tag) for one in spans if one != denied}
    is_other = denied is not None and denied.tag in _CONTRASTED and _SAME_TAGS.get(denied.tag, denied.tag) in others
    return not (token.word == "not" and (is_other or (after is not None and after.word == "me" and "owner" in before)))


def _corrects(ask: Ask, token: Token) -> bool:
    """Return whether an order goes on right after a "no" without a mark: "no make that Thursday"."""
    after = [one.word for one in ask.tokens if one.start > token.start][:2]
    pointing = lexicon.THING_PRONOUNS | lexicon.PERSON_PRONOUNS
    return len(after) > 1 and after[0] in lexicon.ORDER_VERBS and after[1] in pointing


def names_field_alone(ask: Ask) -> bool:
    """Return whether an ask names only a field or a rate, and gives it no value: "so win rate", "win chance?"."""
    tokens = [one for one in ask.outside if one.kind != "mark" and one.word not in _FREE | OPENINGS]
    placed = [place for table in ("rates", "fields") for place in lexicon.placed_in(tokens, table)]
    nouns = [first for _, first, last in placed if last == len(tokens)]
    # "Phone 212 555 0199": the number is in a slot.
    has_value = any(span.tag in ("phone", "email", "url") for span in ask.segment.spans)
    return bool(nouns) and not has_value and all(lexicon.says_value(one) for one in tokens[: min(nouns)])


def doubt(ask: Ask) -> str:
    """Return the reason why a write must be confirmed first, in words for the user; empty for none."""
    if ask.act not in WRITES:
        return ""
    if not is_sure(ask) or is_told(ask) or _names_nothing(ask):
        return UNSURE
    if ask.act == "draft_email":
        return ""  # A draft is only shown, and sent after a yes.
    if denials := [
        one.text for one, after in zip(ask.loose, [*ask.loose[1:], None], strict=False) if _denies(ask, one, after)
    ]:
        return unclear(denials[:1])
    if words := unexplained(ask):
        return unclear(words)
    return ""


def unclear(words: Sequence[str]) -> str:
    """Return the reason that some words of an ask are not explained."""
    return f"I'm not sure what you mean by {_quoted(words)}"


def is_confirmed(ask: Ask) -> bool:
    """Return whether the user has agreed to what an ask does to several records."""
    answer = ask.first("confirmed")
    return bool(answer) and read(answer or "").segments[0].act in ("yes", "take_up")


def doubt_after(before: str, ask: Ask, reread: Ask) -> str:
    """Return the reason to confirm a write when its act found slots that were not tagged: `before` is that of `ask`."""
    return doubt(reread) if before == doubt(ask) else before


def unexplained(ask: Ask) -> list[str]:
    """Return the words that neither the act, nor a slot, nor a closed list of fillers explains, in order."""
    placed = [one for table in ("fields", "values") for one in lexicon.placed_in(ask.loose, table)]
    known = {token.start for _, first, last in placed for token in ask.loose[first:last]} | _told_beside(ask)
    known |= {two.start for one, two in pairwise(ask.loose) if one.word == "no" and two.word in lexicon.NO_HURRY}
    unknown = (one.text for one in ask.loose if one.start not in known and not is_explained(ask, one))
    return [*unread_time(ask), *unknown]


def unread_time(ask: Ask) -> list[str]:
    """Return the words of its times that are not understood, but for those of a reason: "11 is taken, make it 2"."""
    beside = _told_beside(ask)
    return [one.text for one in ask.unread_time if one.start not in beside]


def _told_beside(ask: Ask) -> set[int]:
    """Return where the words stand of clauses that only tell why something is ordered.

    Examples: "the quote went out from the parking lot, tick it off", "add Ann as a lead, she filled in the form".
    """
    place = _place_of_order(ask)
    if place is None or ask.act not in WRITES:
        return set()
    after = (one for one in _clauses(ask)[place + 1 :] if _is_reason(one) and not _is_hedged(one))
    return {one.start for clause in (*_reasons_before(ask), *after) for one in clause}


def _reasons_before(ask: Ask) -> list[list[Token]]:
    """Return the clauses before that of the order which leave no doubt about it."""
    clauses = _clauses(ask)[: _place_of_order(ask) or 0]
    return [one for one in clauses if not _is_open(one)]


def reason_starts(ask: Ask) -> set[int]:
    """Return where the words stand of the clauses before that of the order which only tell its reason."""
    return {one.start for clause in _reasons_before(ask) for one in clause}


def without_told(ask: Ask) -> Ask:
    """Return an order with a value of its own without the owners and days of clauses before it.

    Example: "Nina erred yesterday, make it 81k".
    """
    starts = reason_starts(ask)
    spans = ask.segment.spans
    has_field = any(span.tag == "field" and span.start in starts for span in spans)
    # "The renewal closes on the 30th, not the 23rd, can you fix that?"
    has_field |= any(lexicon.fields_in(one.word) for one in ask.loose if one.start in starts)
    has_value = any(span.tag in VALUE_TAGS and span.start not in starts for span in spans)
    if has_field or not has_value:
        return ask
    return ask.with_spans(span for span in spans if span.tag not in ("owner", "when") or span.start not in starts)


def told_before(ask: Ask) -> str:
    """Return the words of an ask before the clause that orders something."""
    place = _place_of_order(ask)
    return ask.text[: _clauses(ask)[place][0].start].strip(" ,;:–-") if place else ""


def told_after(ask: Ask) -> str:
    """Return the last clause of an ask, if it tells of somebody: ", he wants two weeks to think"; else empty."""
    clauses = _clauses(ask)
    first_word = clauses[-1][0].word if len(clauses) > 1 else ""
    return ask.text[clauses[-1][0].start :].strip(" .!") if first_word in _SUBJECTS else ""


def _place_of_order(ask: Ask) -> int | None:
    return next((at for at, clause in enumerate(_clauses(ask)) if _orders(ask, clause)), None)


def _clauses(ask: Ask) -> list[list[Token]]:
    """Return the clauses of an ask; a mark within a slot parts none."""
    clauses, loose = [list[Token]()], {one.start for one in ask.loose}
    for token in ask.tokens:
        is_bound = token.start in loose and (token.word in lexicon.PAUSES or token.word in _REASONS)
        if is_bound and clauses[-1]:
            clauses.append([])
        if token.kind != "mark":
            clauses[-1].append(token)
    return [clause for clause in clauses if clause]


def _orders(ask: Ask, clause: Sequence[Token]) -> bool:
    """Return whether a clause begins with a verb of orders, or says what shall be done to something."""
    first = next((one.word for one in clause if one.word not in OPENINGS | _BEFORE_ORDER_VERBS | _REASONS), "")
    if first in lexicon.ORDER_VERBS or ask.act in lexicon.acts_of_verb(first):
        return True
    wished = list(itertools.dropwhile(lambda one: one.word not in _WISHED, clause))
    values = {span.start for span in ask.segment.spans if span.tag in _CONTRASTED}
    is_wished = any(one.stem in _order_stems() or one.start in values for one in wished)
    return is_wished or (first == "new" and ask.act == "create_record")


def _is_reason(clause: Sequence[Token]) -> bool:
    return clause[0].word in _REASONS or clause[0].word.partition("'")[0] in lexicon.SUBJECT_PRONOUNS


def _is_open(clause: Sequence[Token]) -> bool:
    """Return whether a clause makes the order after it a mere possibility, or is what somebody else says."""
    words = {one.word for one in clause}
    first_word = next((one.word for one in clause if one.word not in OPENINGS), "")
    is_denied = bool(words & DENIALS) and (first_word in DENIALS - _UNABLE or bool(words & _UNDECIDED))
    return is_denied or bool(words & (_FANCIED | CONDITIONS | lexicon.HEDGE_WORDS | lexicon.REPORTING_VERBS))


def _is_hedged(clause: Sequence[Token]) -> bool:
    """Return whether a clause after an order may take it back, or is what somebody else says."""
    words = {one.word for one in clause}
    # "…, she can't make it" tells a reason; "…, I can't decide" and "…, they won't mind" leave the order open.
    words -= {"can't"} if clause[0].word in _SUBJECTS else set()
    return bool(
        words & (UNREAL | DENIALS | CONDITIONS | lexicon.HEDGE_WORDS | lexicon.NEGATIONS | lexicon.REPORTING_VERBS)
    )


def is_explained(ask: Ask, token: Token) -> bool:
    """Return whether the act of an ask, or a closed list of fillers and fields, explains a word."""
    if token.kind == "mark" or len(token.word) == 1 or token.word in _FREE:
        return True
    if ask.act in WRITES and token.word in lexicon.order_words():
        return True
    if vocabulary.explains(ask.act, token.stem) or token.stem in _name_stems(ask.act):
        return True
    is_noun = any(lexicon.kind_of(form) or lexicon.activity_type_of(form) for form in (token.word, token.stem))
    is_value = bool(lexicon.fields_in(token.word) or lexicon.values_in(token.word))
    return is_noun or is_value or lexicon.number_in(token.word) is not None


@cache
def _name_stems(act: str) -> frozenset[str]:
    """Return the stems of an act's name: "create" and "note" say no more than `create_note`."""
    return frozenset(map(stem, act.split("_")))


def _quoted(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in dict.fromkeys(words)][:MAX_NAMED_WORDS]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
