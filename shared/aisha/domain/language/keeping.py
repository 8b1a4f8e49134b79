"""Tell what a clause leaves as it is: something beside an order, "the annual license stays as it is", or its record."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

_MODALS = frozenset("can may should must will shall could just".split())
_BEFORE = frozenset("and but then while so please just".split())
_ENDS = frozenset("as where alone out unchanged untouched how for at in on be".split())
_REST = frozenset("other others rest else remainder".split())
# Fields of values that do not.
_STATES = frozenset("stage status health type priority".split())
# Words that say no more than a pronoun.
_PLAIN = frozenset("one ones everything all anything thing things both exactly".split())
_CORRECTING = lexicon.NEGATIONS | lexicon.INTERJECTIONS | frozenset("wait actually hold hang rather correction".split())
_CORRECTING -= _BEFORE
"""Words of clauses that take something back."""
_OWN_FIELDS = {"amount": "amount", "when": "close_date", "owner": "owner", "email": "email", "phone": "phone"}
"""The fields of values that tell their field themselves."""
_DATES = frozenset(("close_date", "due_date"))
"""The fields that "the date" may mean."""
_OF_ACTIVITIES = frozenset(("complete_activity", "change_activity"))


def keeps_other(statement: Ask, orders: Sequence[Ask]) -> bool:
    """Return whether a clause leaves alone what none of the orders of its message changes, and takes none back.

    It names another thing, another field, or the rest of several. A person may be called by anything, so that "the
    buyer stays as he is" is not sure to be another one.
    """
    tokens = _tokens_of_kept(statement)
    words = {one.word for one in tokens}
    ordered_stems = {token.stem for order in orders for token in order.tokens}
    if tokens and all(one.act in _OF_ACTIVITIES for one in orders) and tokens[0].stem not in ordered_stems:
        return not words & _CORRECTING  # "Mark the call as done. The check-in with him stays as it is."
    if words & (_CORRECTING | _REST):
        return not words & _CORRECTING
    if not words or {one.word for one in statement.tokens} & (lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS):
        return False
    named_fields = {*lexicon.fields_in(" ".join(one.word for one in tokens))}
    if fields := named_fields or (_DATES if "date" in words else ()):
        changed = {field for order in orders for field in _fields_changed(order)}
        return bool(changed) and changed.isdisjoint(fields)
    ordered = [token.word for order in orders for token in order.tokens]
    if places := {lexicon.ORDINALS[word] for word in words if word in lexicon.ORDINALS}:
        others = {lexicon.ORDINALS[word] for word in ordered if word in lexicon.ORDINALS}
        return bool(others) and not places & others
    is_named = any(span.tag in NAME_TAGS for order in orders for span in order.segment.spans)
    return is_named and not {one.stem for one in tokens} & ordered_stems


def _tokens_of_kept(statement: Ask) -> list[Token]:
    """Return the words of what a clause leaves as it is, without those that say no more than a pronoun does."""
    tokens = list(statement.tokens)
    while tokens and (tokens[0].kind == "mark" or tokens[0].word in _BEFORE):
        tokens.pop(0)
    if tokens and tokens[0].word in lexicon.LEAVING:
        named: Iterable[Token] = takewhile(lambda one: one.kind != "mark" and one.word not in _ENDS, tokens[1:])
    else:
        subject = list(takewhile(lambda one: one.kind != "mark" and one.word not in lexicon.STAYING, tokens))
        is_staying = len(subject) < len(tokens) and tokens[len(subject)].word in lexicon.STAYING
        is_waiting = [one.word for one in subject[-2:]] == ["can", "wait"]
        named = subject if is_staying else subject[:-1] if is_waiting else ()
    return [one for one in named if not _says_nothing(one)]


def _says_nothing(token: Token) -> bool:
    word = token.word
    is_small = word in lexicon.DETERMINERS | lexicon.BACK_REFERENCES | lexicon.LINK_WORDS | _MODALS | _PLAIN
    return token.kind == "mark" or is_small or lexicon.kind_named(token) is not None


def _fields_changed(order: Ask) -> set[str]:
    """Return the fields that an order changes: those named, and those of its values."""
    own = {_OWN_FIELDS[span.tag] for span in order.segment.spans if span.tag in _OWN_FIELDS}
    has_state = not order.fields and (bool(order.values) or bool(order.texts("value")))
    return {*order.fields, *own, *(_STATES if has_state else ())}
