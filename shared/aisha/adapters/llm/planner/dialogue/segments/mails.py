"""Join what belongs to one email: the order, all that it is to tell, and what the email shall be like."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.mail_words import with_message
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, name_words, names_in
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, SOCIAL
from aisha.adapters.llm.planner.policy import DENIALS
from aisha.application.email.message import is_clause, is_of_manner, starts_point
from aisha.domain.language.acts import MAIL_ACTS, WRITES
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_OF_RECORDS = frozenset("invite inviting update updating add adding note write follow following".split())
_JOINTS = frozenset("and , then also plus but please to".split())
_LETTING_KNOW = re.compile(r"(?:,|\band\b)\s+(?P<order>let (?P<whom>him|her|them) know\W*)\Z", re.IGNORECASE)
_TEXT_ACTS = frozenset(("create_note", "remind", "remember", "instruct"))
_AFTER_MESSAGE = SOCIAL | {"take_up", "undo", "send_email", "draft_email"}


def with_messages(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; an order for an email and what goes on with it are one, with a text."""
    order: Segment | None = None
    for segment in (part for one in segments for part in _with_news_apart(one)):
        if order is not None and _belongs_to(order, segment):
            order = joined(order, segment)
            continue
        if order is not None:
            yield with_message(order)
        order = segment if segment.act in MAIL_ACTS else None
        if order is None:
            yield segment
    if order is not None:
        yield with_message(order)


def _with_news_apart(segment: Segment) -> Iterator[Segment]:
    """Yield an order and the email that it asks for beside it apart: "change his number and let him know"."""
    match = _LETTING_KNOW.search(segment.text) if segment.act in WRITES - MAIL_ACTS - _TEXT_ACTS else None
    if match is None:
        yield segment
        return
    yield segment.part(0, match.start())
    whom = Span("ref", match["whom"], match.start("whom") - match.start("order"))
    yield Segment(match["order"], "send_email", spans=(whom,))


def joined(order: Segment, segment: Segment, gap: str = " ") -> Segment:
    """Return an order for an email with another segment after it."""
    head = order.text.rstrip() + gap
    spans = (Span(one.tag, one.text, one.start + len(head)) for one in segment.spans)
    return replace(order, text=head + segment.text, spans=(*order.spans, *spans))


def _belongs_to(order: Segment, segment: Segment) -> bool:
    """Return whether a segment goes on with the email ordered before it, and orders nothing else."""
    tokens = [one for one in tokenize(segment.text) if one.word not in _JOINTS]
    if not tokens or is_of_manner(segment.text):
        return True
    named = next((one for one in segment.spans if one.tag in ("name", "new", "org", "owner")), None)
    is_of_other = named is not None and named.start == (tokens[1].start if len(tokens) > 1 else -1)
    if starts_point(segment.text, is_first=False) or (segment.act in MAIL_ACTS and starts_point(segment.text)):
        is_sure = segment.act in MAIL_ACTS or tokens[0].word not in _OF_RECORDS
        return is_sure and not (is_of_other and name_words(segment) - name_words(order))
    text = next((one for one in with_message(order).spans if one.tag == "text"), None)
    is_sent = tokens[0].word in DENIALS and any(one.word == "send" for one in tokens[:3])
    if text is None or begins_as_order(segment) or is_sent or segment.act in _AFTER_MESSAGE:
        return False
    others = {word for name in names_in(segment) for word in name.lower().split()} - name_words(order)
    is_dictated = ":" in order.text[: order.text.find(text.text) + 1]
    is_told = is_clause(segment.text) and "?" not in segment.text and segment.act not in BACKGROUND
    is_rest = segment.act == "again" and not order.text.rstrip().endswith((".", "!", "?"))
    return not others and (is_dictated or is_told or is_rest)
