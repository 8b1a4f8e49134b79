"""Tell the names of new records, and whether a name is a person's or a company's."""

from aisha.adapters.llm.planner.acts.asks import word_before, writing_words
from aisha.adapters.llm.planner.acts.writing.values import capitalised
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import tokenize
from aisha.domain.language.words import first_names

BRINGING_IN = frozenset("by through via with thanks".split())
"""Words before whom a sentence only mentions."""


def names_of_new(plan: Plan, ask: Ask) -> list[str]:
    """Return the names of new records: no pronouns, fields and other words that are no names."""
    # Whom "by" or "through" brings in is no new record: "she came through a referral by Ann".
    spans = [one for one in ask.segment.spans if not is_no_name(one.text) and word_before(ask, one) not in BRINGING_IN]
    given = [[one.text for one in spans if one.tag == tag] for tag in ("new", "name")]
    people = [name for name in plan.spoken if _is_name(name)] if ask.words & lexicon.PERSON_PRONOUNS else []
    texts = given[0] or given[1] or people[-1:]
    names = [capitalised(name) for name in texts]
    if len(names) > 1 and not any(" " in name for name in names):
        # "Kwabena, last name Asante" is one person.
        return [" ".join(names)]
    return [one for one in names if not any(one in other for other in names if other != one)]


def is_no_name(text: str) -> bool:
    """Return whether all words are pronouns, fields and other words that name nothing."""
    return all(
        word in writing_words("no_names")
        or lexicon.fields_in(word)
        or lexicon.kind_of(word)
        or lexicon.activity_type_of(word)
        for word in text.lower().split()
    )


def is_person(name: str) -> bool:
    """Return whether a name is surely a person's: a first name and a word that is none of companies."""
    words = [token.word for token in tokenize(name)]
    return len(words) == 2 and words[0] in first_names() and not is_company(name)


def _is_name(name: str) -> bool:
    """Return whether a name said before can be a person's: neither a company's nor a job."""
    return not is_company(name) and not any(lexicon.placed_in(tokenize(name), "jobs"))


def is_company(name: str) -> bool:
    """Return whether a name has a word of companies: "Ltd", "Labs"."""
    return any(token.word in writing_words("company_forms") for token in tokenize(name))
