"""Bind what an ask says of several records of a list: "the rest", "the other two", "both of them"."""

from collections.abc import Iterator

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.profile.picking import PAIR, last_two
from aisha.adapters.llm.planner.acts.search.fetching import MAX_LISTED
from aisha.adapters.llm.planner.acts.search.kinds import tool_of
from aisha.adapters.llm.planner.choices import VERBATIM, group_after
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.planner.replies import listings
from aisha.adapters.llm.planner.state import Ref, Search, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

WHICH_OTHERS = "I'm not sure which of them you mean. Please tell me their names."
PARTLY_SHOWN = "The list had more than I showed"
"""The doubt about an order for the rest of a list of which only a part was shown."""
PAIRED = frozenset(("count", "search"))
"""Acts of questions that "both" and "neither" make questions about two records."""
_AMONG, _OF_THOSE = "among the others", "among those"
_ALL = "all of them"
_FIRST = frozenset("first top last".split())
_OTHERS = frozenset("others rest remainder".split())
_OTHER = lexicon.word_set("choosing", "other")
_BEFORE = lexicon.POINTING | frozenset("these those my all".split())
_ON_ACTIVITIES = frozenset(("change_activity", "complete_activity"))
# Acts of asks that say nothing but whom they are about: "and the others?"
_BARE = frozenset("more again choose about search list_activities next_steps".split())


def with_others(plan: Plan, ask: Ask) -> tuple[Plan, Ask] | None:
    """Return the plan with the others of the last list in mind, and the ask with "all of them" for their words.

    None for an ask without such words, or after no list. Raises `EarlyAnswer` where they are more, or fewer, than said.
    """
    phrase = phrase_of_others(ask)
    others = _others_of(plan.topic, ask) if phrase is not None and not plan.bindings else ()
    if phrase is None or not others:
        return None
    start, end, number = phrase
    if number not in (0, len(others)) and number == len(plan.topic.refs):
        others = plan.topic.refs  # "Take the lost one out." - "Give the other two to me."
    if number not in (0, len(others)):
        raise plan.refuse(WHICH_OTHERS)
    search = plan.topic.search
    is_partly_shown = ask.act in WRITES and search is not None and search.cursor is not None
    plan = replace(plan, doubt=plan.doubt or (PARTLY_SHOWN if is_partly_shown else ""))
    plan, ask = _about_all(plan, ask, others, (start, end), _AMONG)
    if ask.act in _BARE and {span.tag for span in ask.segment.spans} <= {"ref"} and others[0].type in KINDS:
        head = f"The {len(others)} others" if len(others) > 1 else "The other one"
        records = plan.records(others)[:MAX_LISTED]
        text = listings.format_list(head, records, len(others), plan.now, has_more=False)
        raise EarlyAnswer(Answer(text, topic=Topic(others, plan.topic.search)))
    return plan, ask


def with_first(plan: Plan, ask: Ask) -> tuple[Plan, Ask] | None:
    """Return the plan with the first records of the last list in mind, and the ask with "all of them" for their words.

    None for an ask without such words, or one that ranks anew: "the top three deals".
    """
    tokens, is_time = ask.tokens, time_tokens(ask.tokens, ask.now)
    lists = list(_lists(plan.topic)) if ask.act in READS | WRITES and not plan.bindings else []
    for (article, first, number), timed in zip(
        zip(tokens, tokens[1:], tokens[2:], strict=False), is_time[2:], strict=True
    ):
        size = lexicon.number_in(number.word) or 0
        is_part = bool(lists) and article.word in _BEFORE and first.word in _FIRST and size > 1
        is_part = is_part and (ask.act in ACTS_ABOUT_ONE | WRITES or _is_pointed_at(ask, first))
        after = [one for one in tokens if one.start >= number.end]
        has_noun = bool(after) and _is_plural(after[0].word)
        if is_part and not timed and not (has_noun and lexicon.kind_named(after[0]) != lists[0][0].type):
            group = next((one for one in lists if size <= len(one)), ())
            if not group:
                raise plan.refuse(WHICH_OTHERS)
            refs = group[-size:] if first.word == "last" else group[:size]
            return _about_all(plan, ask, refs, (article.start, after[0].end if has_noun else number.end), _OF_THOSE)
    return None


def _is_pointed_at(ask: Ask, token: Token) -> bool:
    """Return whether a word stands in a reference: "contacts for the first two", not "show me the top two deals"."""
    return any(one.tag == "ref" and one.start <= token.start < one.end for one in ask.segment.spans)


def _lists(topic: Topic) -> Iterator[tuple[Ref, ...]]:
    """Yield the list in mind, and those of which it is a part; of activities and whom they are about, the former."""
    for refs in (topic.refs, topic.listed, topic.whole):
        activities = tuple(ref for ref in refs if ref.type == "activity")
        group = activities if len(activities) > 1 else refs
        if len(group) > 1 and len({ref.type for ref in group}) == 1:
            yield group


def _about_all(plan: Plan, ask: Ask, refs: tuple[Ref, ...], words: tuple[int, int], label: str) -> tuple[Plan, Ask]:
    """Return the plan with some records in mind, and the ask with "all of them" in the place of the words for them.

    `label` says in answers which records they are.
    """
    start, end = words
    tool = "list_activities" if refs[0].type == "activity" else tool_of(refs[0].type)
    last = plan.topic.search
    # "Show me my warm leads." - "Plan a call with the first two." - "And with the remaining leads."
    arguments = last.arguments if last is not None and last.tool == tool else {}
    search = Search(tool, arguments, within=(label, tuple(ref.id for ref in refs)))
    topic = replace(plan.topic, refs=refs, search=search)
    slots = [one for one in ask.segment.spans if one.tag != "ref" or not start <= one.start < end]
    segment = ask.with_spans(slots).segment.with_words(start, end, _ALL)
    pointing = Span("ref", _ALL, start)
    return replace(plan, topic=topic), Ask(segment, ask.now).with_spans((*segment.spans, pointing))


def phrase_of_others(ask: Ask) -> tuple[int, int, int] | None:
    """Return where "the rest" or "the other two" begins and ends in an ask, and the number said; 0 for none."""
    verbatim = [span for span in ask.segment.spans if span.tag in VERBATIM]
    tokens = [one for one in ask.tokens if not any(span.start <= one.start < span.end for span in verbatim)]
    for at, token in enumerate(tokens):
        is_pointing = at > 0 and tokens[at - 1].word in _BEFORE
        noun = tokens[at + 1] if token.word in _OTHER and at + 1 < len(tokens) else None
        number = lexicon.number_in(noun.word) if noun is not None and noun.word != "one" else None
        is_plural = noun is not None and (number or noun.word == "ones" or _is_plural(noun.word))
        if not is_pointing or not (token.word in _OTHERS or is_plural):
            continue
        last = at + (noun is not None)
        after = tokens[last + 1 :]
        size = group_after(after)
        if after[:1] and after[0].word == "of" and not size:
            return None  # "The rest of the week"
        first = tokens[at - 2] if at > 1 and tokens[at - 2].word == "all" else tokens[at - 1]
        return first.start, [tokens[last], *after[:size]][-1].end, number or 0
    return None


def _is_plural(word: str) -> bool:
    return word.endswith("s") and lexicon.kind_of(word.removesuffix("s")) in (*KINDS, "activity")


def _others_of(topic: Topic, ask: Ask) -> tuple[Ref, ...]:
    """Return the records of the last whole list that the last answers were not about; none of another kind."""
    if topic.search is not None and topic.search.within is not None and topic.search.within[0] == _AMONG:
        return topic.refs  # "And the rest?" - "Set the rest to warm."
    taken = {ref.id for ref in topic.refs} | ({*topic.passed} if len(topic.refs) < 2 else set())
    planned = tuple(ref for ref in topic.earlier if ref.type == "activity")
    whole = planned if planned and ask.act in _ON_ACTIVITIES else topic.whole
    others = tuple(ref for ref in whole if ref.id not in taken)
    kinds = {kind for kind in ask.kinds if kind in KINDS}
    is_other = any(ask.texts(tag) for tag in ("name", "org", "owner")) and ask.act not in WRITES
    return () if is_other or (kinds and not kinds & {ref.type for ref in others}) else others


def last_pair(plan: Plan, ask: Ask) -> Topic | None:
    """Return the topic in which "both" are the two records of the last list, or the two spoken of last; else None."""
    is_asked = ask.act in PAIRED and bool(ask.words & (PAIR | {"either", "neither"}))
    is_ordered = ask.act in WRITES and "both" in ask.words and not plan.bindings
    topic = plan.topic
    if not (is_asked or is_ordered) or ask.texts("name") or ask.texts("org") or (is_ordered and plan.spoken):
        return None
    group = topic.refs if len(topic.refs) > 1 else topic.group
    refs = group if len(group) == len(PAIR) else () if is_asked and group else last_two(plan)
    if len(refs) < len(PAIR) or len({ref.type for ref in refs}) > 1 or refs[0].type not in KINDS:
        return None
    return replace(
        topic, refs=refs, search=Search(tool_of(refs[0].type), within=("of those two", tuple(ref.id for ref in refs)))
    )
