"""Answer who wants, said or prefers something by what the notes say: "who wants a quote over three years?"."""

from collections import Counter
from math import ceil

from aisha.adapters.llm.planner.acts.activities.selection import MAX_PAGE
from aisha.adapters.llm.planner.acts.search.kinds import tool_of
from aisha.adapters.llm.planner.acts.search.words import WHO
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import formats, profiles
from aisha.adapters.llm.planner.results import items_of
from aisha.adapters.llm.planner.state import Ref, Search, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.ask import Ask

# Verbs of what is known from notes alone.
_SAYING = frozenset(
    (
        "want wants wanted need needs needed prefer prefers preferred like likes liked said says say mentioned "
        "waiting awaiting interested mentions asked asks expect expects expected told wrote promised met"
    ).split()
)
_NO_SUBJECTS = frozenset("over about with from that they them their this have hear have been would will very".split())
_ASKING = WHO | {"which", "anyone", "anybody", "somebody", "someone"}
_SMALL = _NO_SUBJECTS | lexicon.LINK_WORDS | lexicon.INTERJECTIONS | lexicon.PERSON_PRONOUNS
_MIN_TELLING, MAX_WORDS = 3, 4
"""Letters up to which a word tells nothing; words that are looked for, the longest ones."""
_MIN_SHARE = 0.6
"""The share of the words that a note has to have."""


def noted(plan: Plan, ask: Ask) -> Answer | None:
    """Return the notes that say what a question is about, with whom it is true of; None where no note says it."""
    tokens = [one for one in ask.tokens if one.kind != "mark"]
    verb = next((place for place, one in enumerate(tokens) if one.word in _SAYING), 0)
    is_asked = any(one.word in _ASKING for one in tokens[:verb]) and tokens[0].word not in lexicon.ORDER_VERBS
    is_named = any(ask.texts(tag) for tag in ("name", "owner", "org"))
    if not (verb and is_asked and plan.has("search_notes")) or ask.act in WRITES or is_named or ask.orders:
        return None
    words = dict.fromkeys(one.word for one in tokens[verb + 1 :] if len(one.word) > _MIN_TELLING)
    words_meant = sorted(words.keys() - _SMALL, key=len, reverse=True)[:MAX_WORDS]
    if not words_meant:
        return None
    if len(words_meant) > 1:
        words_meant.append(tokens[verb].stem)  # "Who prefers calls in the morning?": "Prefers short calls".
    outcomes = plan.need_all([plan.planned("search_notes", query=one, limit=MAX_PAGE) for one in words_meant])
    notes = {item["id"]: item for outcome in outcomes for item in items_of(outcome)}
    hits = Counter(item["id"] for outcome in outcomes for item in items_of(outcome))
    kinds = {*ask.kinds} & {*lexicon.KINDS} or ({"lead", "contact"} if ask.words & WHO else {*lexicon.KINDS})
    least = max(1, ceil(_MIN_SHARE * len(words_meant)))
    matching = [one for key, one in notes.items() if hits[key] >= least and one["related"]["type"] in kinds]
    if not matching:
        return None
    refs = [
        Ref(one["related"]["type"], one["related"]["id"], str(one["related"].get("name") or "")) for one in matching
    ]
    types, texts = {ref.type for ref in refs}, [str(one["content"]).lower() for one in matching]
    shared_words = " ".join(word for word in words if all(word in text for text in texts))
    text = f"with a note mentioning “{shared_words}”"
    search = Search(tool_of(refs[0].type), within=(text, tuple(ref.id for ref in refs))) if len(types) == 1 else None
    head = "There is 1 note" if len(matching) == 1 else f"There are {len(matching)} notes"
    lines = formats.numbered([profiles.format_note(one, plan.now, is_about=True) for one in matching])
    return Answer(f"{head} mentioning “{shared_words}”:\n\n{lines}", topic=Topic(tuple(dict.fromkeys(refs)), search))
