"""Tell what a colon introduces: the user's own order after a heading, or a text of somebody else."""

from collections.abc import Sequence

from aisha.application.orders.asking.commands import OPENING_WORDS
from aisha.application.orders.asking.marks import Marks, has_mark
from aisha.application.orders.reading.clauses import TEXT_NOUNS, introduces_order, is_name, is_verb
from aisha.domain.language import lexicon
from aisha.domain.language.models.order_form import FIELD, OTHER_NAME, TARGET, VALUE
from aisha.domain.language.sentences import Clause

_HEADING_WORDS = (
    lexicon.DETERMINERS
    | OPENING_WORDS
    | frozenset(
        "for from per on re regarding about before as with quick one two three four five short small urgent important "
        "action result data todo task tasks request another more once thing things voice".split()
    )
)
"""A heading of the user's own begins with one of these: "quick one before lunch: …"."""
_SPEAKERS = frozenset("i we i've we've i'm".split())
_NOUNS_OF_ORDERS = frozenset("task tasks todo reminder thing things note title order orders subject message".split())
_FOREIGN_TEXT_NOUNS = TEXT_NOUNS - _NOUNS_OF_ORDERS
_MIN_QUOTED = 4
"""Blanks that stand for a quotation: see `without_quotations`."""


def is_introduced_as_text(clauses: Sequence[Clause], place: int, marks: Marks) -> bool:
    """Return whether a colon before a clause of a sentence introduces it as what others say or do, or as an example.

    A heading of the user's own names the call's record, field or value, or is one of a few forms: "one more thing: …".
    """
    colon = next((at for at, one in enumerate(clauses[:place]) if ":" in one.marks), None)
    if colon is None or " " * _MIN_QUOTED in clauses[colon].marks:
        return False
    words = [token for clause in clauses[: colon + 1] for token in clause.words]
    head = [token for token in words if token.word not in lexicon.INTERJECTIONS]
    plain = {token.word for token in head}
    if not head:
        return False
    if not plain.isdisjoint(lexicon.REPORTING_VERBS | _FOREIGN_TEXT_NOUNS):
        return True
    # A pronoun is marked as the record where nothing names it.
    named = [one for one in head if one.word not in lexicon.BACK_REFERENCES]
    is_about_call = has_mark(named, marks, TARGET, FIELD)
    if has_mark(head, marks, OTHER_NAME) or any(one.start not in marks and is_name(one) for one in head):
        # As in "Bob's on it: …".
        return not is_about_call
    is_counted = head[0].word in _HEADING_WORDS or head[0].kind == "number"
    is_heading = is_counted or lexicon.kind_named(head[0]) is not None or is_verb(head[0].word)
    if is_about_call or has_mark(head, marks, VALUE) or is_heading or not _SPEAKERS.isdisjoint(plain):
        return False
    return not introduces_order([*head, head[-1], *clauses[colon + 1].words], len(head))
