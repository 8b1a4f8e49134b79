"""Read what the user reports: of a deal it is a change of its stage, of an activity a part of the order to log it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import dropwhile, pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.activities.logs import type_logged
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, BEFORE_VERBS
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.doing import tells_doing
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_NEWS = frozenset(("report", "context", "create_activity", "complete_activity"))
"""Acts that sentences such as "had a call with Ann" are read as."""
_LOGGING = _NEWS | {"create_note", "take_up"}
_OUTCOMES = dict.fromkeys(("closed", "won", "landed", "signed", "bagged"), "closed won") | {"lost": "closed lost"}
_SUBJECTS = frozenset("i we i've we've we have finally today great good news update quick".split())
_HAVING = frozenset("did have had could".split())
# Verbs with which "I didn't" takes an order back.
_WITHDRAWING_VERBS = frozenset("mean want ask asked say said tell told order need decided decide wanted meant".split())
_READ_AS = BACKGROUND | {"update_record", "create_activity", "complete_activity", "impossible", "correct"}
"""Acts that such reports are read as, beside a change of the stage."""
_UNDONE = frozenset(f"{word}n't" for word in _HAVING)
# Verbs that, denied, order something: a flag of a record, or what must not be forgotten.
_NOT_DENIED = frozenset("call email mail contact phone forget remind hesitate bother".split())
_BEFORE_OTHERS = frozenset(", ; : - – . but and just only instead then".split())
_TAKEN_BACK = WRITES | {"negated", "no", "goals", "context"}


def with_outcome(segment: Segment) -> Segment:
    """Return a report of a deal's outcome as a change of its stage, which the user has to confirm."""
    stage = _outcome_of(segment) if segment.act in _READ_AS else None
    if stage is None:
        return segment
    change = Segment(stage, "advance_stage", spans=(Span("value", stage, 0),))
    spans = tuple(span for span in segment.spans if span.tag != "value")
    changed = replace(segment, act="advance_stage", probability=1.0, spans=spans, others=(), is_disputed=True)
    return changed.followed_by(change)


def with_news(segment: Segment) -> Segment:
    """Return what the user has not done, or is doing, as news, which orders nothing and takes no order back.

    Examples: "I didn't get to call Ann yesterday", "calling him in 2 min".
    """
    tokens = tokenize(segment.text)
    is_doing = tells_doing(tokens) and not any(one.word in lexicon.ORDER_VERBS for one in tokens)
    if segment.act in WRITES and _is_denied(segment):
        return replace(segment, act="negated")
    is_news = segment.act in _TAKEN_BACK and (is_doing or _tells_undone(segment))
    return replace(segment, act="report") if is_news else segment


def _is_denied(segment: Segment) -> bool:
    """Return whether the only verb of an order is denied: "as discussed, do not close the deal as won"."""
    tokens, verbs = tokenize(segment.text), lexicon.ORDER_VERBS - _NOT_DENIED
    orders = [place for place, one in enumerate(tokens) if one.word in verbs]
    place = orders[0] if orders else 0
    before = [one.word for one in tokens[max(place - 2, 0) : place]]
    is_denied = before[-1:] in (["don't"], ["never"]) or before == ["do", "not"]
    later = tokens[place + 1 :]
    is_other = any(one.word in _BEFORE_OTHERS and two.word in verbs for one, two in pairwise(later))
    return is_denied and len(segment.spans) > 0 and not is_other


def _tells_undone(segment: Segment) -> bool:
    """Return whether a sentence denies something of the user's past, on somebody or on an activity."""
    words = [one.word for one in tokenize(segment.text) if one.kind != "mark"]
    words = list(dropwhile(lambda word: word in BEFORE_VERBS | lexicon.INTERJECTIONS | _SUBJECTS - _HAVING, words))
    if words[:1] and words[0] in _HAVING and words[1:2] == ["not"]:
        words = [f"{words[0]}n't", *words[2:]]
    is_asked = segment.text.rstrip().endswith("?") or words[1:2] == ["you"] or lexicon.SELF_WORDS & {*words[1:2]}
    is_meant = not _WITHDRAWING_VERBS.isdisjoint(words[1:3])
    is_of_person = any(span.tag == "name" for span in segment.spans) or lexicon.PERSON_PRONOUNS & {*words[1:]}
    is_of_crm = bool(is_of_person) or any(map(lexicon.activity_type_of, words))
    return bool(_UNDONE & {*words[:1]}) and is_of_crm and not (is_asked or is_meant)


def _outcome_of(segment: Segment) -> str | None:
    """Return the stage that a sentence tells whose verb is followed by the deal's name; None without any."""
    tokens = [one for one in tokenize(segment.text) if one.kind != "mark"]
    around = BEFORE_VERBS | lexicon.INTERJECTIONS | _SUBJECTS
    place = next((place for place, one in enumerate(tokens) if one.word not in around), len(tokens))
    stage = _OUTCOMES.get(tokens[place].word) if place < len(tokens) else None
    after = next((one.start for one in tokens[place + 1 :] if one.word not in lexicon.DETERMINERS), -1)
    name = next((span for span in segment.spans if span.tag in ("name", "org", "new") and span.start == after), None)
    is_owner = name is not None and segment.text[name.end :].startswith(("'s", "’s"))  # "lost Ann's number"
    is_asked = segment.text.rstrip().endswith("?")
    return stage if name is not None and not (is_owner or is_asked) else None


def with_logs(segments: Sequence[Segment], now: datetime) -> Iterator[Segment]:
    """Yield the segments; an order to log an activity is one with what was told of that before it."""
    waiting: Segment | None = None
    for segment in segments:
        joined = waiting.followed_by(segment) if waiting is not None and _is_news(waiting) else segment
        is_bare = not any(one.tag in ("name", "org", "new") for one in segment.spans)
        whole = joined if is_bare else segment
        if segment.act in _LOGGING and type_logged(Ask(whole, now)):
            waiting = waiting if whole is segment else None
            # The verb and what it is about say more than a reading as a note.
            sure = max(segment.probability, policy.SURE_PROBABILITY)
            segment = replace(whole, act="create_activity", probability=sure, others=(), is_disputed=False)
        if waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _is_news(segment: Segment) -> bool:
    return segment.act in _NEWS and not begins_as_order(segment)
