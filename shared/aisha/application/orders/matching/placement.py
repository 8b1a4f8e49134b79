"""Decide whether a value was said for a field of a record: as the object of the order, or beside the field's name.

"Set Jack to warm and write to ann@x.example" says no address of Jack's, "I met him with carol" no new owner, and
"email him" no source.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import POLITE_STARTS, is_verb, order_clause
from aisha.application.orders.reading.part import Part
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token, tokenize

CHANGES = frozenset(("update_record", "advance_stage"))
"""Acts that change fields of a record."""
_BEFORE_OWNER = frozenset("to owner is as : = - > by".split())
_BEFORE_CHOICE = frozenset("to is as into = :".split())
_SENTENCE_WORDS = lexicon.SELF | lexicon.THING | lexicon.PERSON | lexicon.PLURAL | {"a", "an", "i", "us", "no", "in"}
_TOLD = frozenset(("context", "report"))
"""Acts of segments that tell something."""
_MAX_DENIED = 4
"""Words from a negation to what it denies: "not to be called"."""
_DENYING = frozenset("not no never don't stop without".split())
_OF_THE_PAST = frozenset("could did does have has had was were is are would will".split())
"""Before a negation they tell, and order nothing: "I could not call him"."""
_HAPPENED = frozenset("came come was were went got happened had did arrived reached today yesterday".split())
"""After a negation they tell: "no calls to her came through"."""
_PERMITTING = frozenset("opted opts agreed agrees consented consents allowed allows permitted lifted".split())
_LIFTING = frozenset("off false no unset clear remove lift drop reset".split())


def orders_another(part: Part, acts: Iterable[str]) -> bool:
    """Return whether a segment orders something else than the acts, and names no field: its values go elsewhere."""
    wanted = frozenset(acts)
    if part.denial or not part.is_order or part.orders(wanted) or wanted & part.verb_acts:
        return False
    rest = " ".join(token.text for token in part.ask.tokens if not is_verb(token.word))
    return not part.ask.texts("field") and not lexicon.fields_in(rest)


def is_told(part: Part) -> bool:
    """Return whether a segment only tells something, and holds no order of its own."""
    return part.ask.act in _TOLD and not CHANGES & part.verb_acts


def is_object(name: str, value: str, parts: Sequence[Part]) -> bool:
    """Return whether a text that was said, without its field's name, is what an order changes something to."""
    found = [(part, place) for part in parts if not part.denial for place in _places(part, value)]
    if not found:
        return True
    if all(is_told(part) for part, _ in found) and not any(part.takes_it_up for part in parts):
        # "He wrote from x@acme.example. Save the attachment."
        return False
    if name == "owner":
        return any(_is_new_owner(part, place) for part, place in found)
    return not all(_is_of_other_act(part, place) or _is_owner(part, place) for part, place in found)


def is_choice_said(value: str, acts: Iterable[str], parts: Iterable[Part]) -> bool:
    """Return whether an enumerated value is one of a segment that orders the change: "mark Jack as lost".

    The verb of another order is none: "email him" says no source.
    """
    return any(
        lexicon.means_value(tokens, value) or _are_said(value, tokens)
        for part in parts
        if not part.denial and not orders_another(part, acts) and not is_told(part)
        for tokens in [[token for token in _own_words(part) if _is_of_order(part, token, value)]]
    )


def is_own_choice_said(name: str, value: str, parts: Iterable[Part]) -> bool:
    """Return whether a value that only this field has is said whole, and not as one that is no longer, or not, meant.

    One that reads as a word of the sentence, such as "A" or "US", must stand behind the field's name or what gives it.
    """
    wanted = [token.word for token in tokenize(value) if token.kind != "mark"]
    field = {token.word for token in tokenize(name.replace("_", " "))}
    for part in parts:
        tokens = [] if part.denial else [token for token in part.ask.tokens if not part.is_aside_token(token)]
        for place in range(len(tokens) - len(wanted) + 1):
            before = tokens[max(0, place - 2) : place]
            if [token.word for token in tokens[place : place + len(wanted)]] != wanted:
                continue
            is_given = bool(before) and before[-1].word in _BEFORE_CHOICE | field
            if is_given or not _SENTENCE_WORDS.issuperset(wanted):
                denied = (last for _, _, last in lexicon.placed_in(before, "denied_values") if last == len(before))
                if next(denied, None) is None:
                    return True
    return False


def _own_words(part: Part) -> Sequence[Token]:
    """Return the words of a segment; of one that tells something only those of the order at its end."""
    return order_clause(part.ask.tokens, CHANGES) if part.ask.act in _TOLD else part.ask.tokens


def is_switched_on(name: str, tokens: Sequence[Token]) -> bool:
    """Return whether a flag such as do_not_call is ordered: a denial stands before what is no longer to be done."""
    wanted = {token.stem for word in name.split("_") if word not in ("do", "not") for token in tokenize(word)}
    words = [token for token in tokens if token.kind != "mark" or token.text == "-"]
    for place, token in enumerate(words):
        before = [one.word for one in words[max(0, place - 2) : place]]
        is_told = bool(before) and (before[-1] in _OF_THE_PAST or before[0] in ("i", "we"))
        pairs = pairwise(words[place : place + 1 + _MAX_DENIED])
        after = {two.stem for one, two in pairs if one.word not in lexicon.DETERMINERS}
        clause = itertools.takewhile(lambda one: one.text != ",", words[place + 1 :])
        is_told = is_told or any(one.word in _HAPPENED for one in clause)
        if token.word in _DENYING and not is_told and wanted <= after:
            return True
    return False


def is_switched_off(name: str, parts: Iterable[Part]) -> bool:
    """Return whether a segment lifts a flag such as do_not_call: "he may be called again", "clear do not call"."""
    wanted = {token.stem for word in name.split("_") if word not in ("do", "not") for token in tokenize(word)}
    for part in parts:
        tokens = [token for token in part.ask.tokens if token.kind != "mark"]
        if part.denial or not wanted <= {token.stem for token in tokens}:
            continue
        words = {token.word for token in tokens}
        is_passive = any(one.word == "be" and other.stem in wanted for one, other in pairwise(tokens))
        is_named = is_switched_on(name, tokens) and bool(words & _LIFTING)
        if is_named or ((is_passive or words & _PERMITTING) and not is_switched_on(name, tokens)):
            return True
    return False


def _places(part: Part, value: str) -> Iterator[int]:
    """Yield the places in a segment's text at which a value begins."""
    text, wanted = part.ask.text.lower(), value.lower()
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _is_new_owner(part: Part, place: int) -> bool:
    """Return whether who stands at a place is to have the record: "give him to bob", "bob takes over", "assign bob"."""
    before = [token for token in part.ask.tokens if token.end <= place and token.word not in POLITE_STARTS - {"to"}]
    if not before:
        return True
    return before[-1].word in _BEFORE_OWNER or is_verb(before[-1].word)


def _is_owner(part: Part, place: int) -> bool:
    owners = (span for span in part.ask.segment.spans if span.tag == "owner")
    return any(span.start <= place < span.end for span in owners) and _is_new_owner(part, place)


def _is_of_other_act(part: Part, place: int) -> bool:
    """Return whether the verb before a place orders no change of a field: "write to ann@x.example"."""
    verbs = [token for token in part.ask.loose if token.end <= place and lexicon.acts_of_verb(token.word)]
    return bool(verbs) and not CHANGES & lexicon.acts_of_verb(verbs[-1].word)


def _is_of_order(part: Part, token: Token, value: str) -> bool:
    """Return whether a word is no aside and no verb of another order, such as an "email" to be sent."""
    is_loose = token in part.ask.loose
    acts = lexicon.acts_of_verb(token.word) if is_loose else frozenset()
    is_verb_of_it = is_loose and is_verb(token.word) and token.word == value
    # "Cancel the call" orders the value itself.
    is_order_of_it = token.word != value and lexicon.means_value([token], value)
    is_other = is_verb_of_it or (bool(acts) and not CHANGES & acts and not is_order_of_it)
    return not is_other and not part.is_aside_token(token)


def _are_said(value: str, tokens: Sequence[Token]) -> bool:
    return {token.stem for token in tokenize(value.replace("_", " "))} <= {token.stem for token in tokens}
