"""Find the company that "there" and "them" mean."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from aisha.adapters.llm.planner.plan import Plan, at_once
from aisha.adapters.llm.planner.resolve import pointed_at
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask

MAX_READ = 3
"""Records of an answer whose accounts are looked up."""
_BELONGING = frozenset("at for from on to under with".split())
_HAVING = frozenset("have has had".split())
_POINTING = frozenset("that this same said".split())


def points_at_company(ask: Ask) -> bool:
    """Return whether an ask means the company spoken of: "there", "under the same account", "a contact for them"."""
    return "there" in ask.words or any(
        (one.word in _POINTING and lexicon.kind_of(two.word) == "account")
        or (one.word in _BELONGING and two.word in lexicon.THEY_PRONOUNS | lexicon.POINTERS)
        for one, two in pairwise(ask.outside)
    )


def points_at_them(ask: Ask) -> bool:
    """Return whether an ask means a company, or several, by a pronoun: "with them", "do they have"."""
    return any(
        (one.word in _BELONGING and two.word in lexicon.THEY_PRONOUNS)
        or (one.word in lexicon.THEY_PRONOUNS and two.word in _HAVING)
        or (one.word in _HAVING and two.word in lexicon.THEY_PRONOUNS)
        or one.word == "their"
        for one, two in pairwise(ask.outside)
    )


def points_at_owner(ask: Ask) -> bool:
    """Return whether an ask means whose records they are by a pronoun: "deals with her", not "of them"."""
    return bool(ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS) or points_at_them(ask)


def company_spoken_of(plan: Plan, ask: Ask) -> Ref | None:
    """Return the account spoken of last: that of the last answer, else an earlier one."""
    return company_of(plan, plan.topic.refs) or pointed_at(plan, ask, ("account",))


def company_of(plan: Plan, refs: Sequence[Ref]) -> Ref | None:
    """Return the one account among records, or the one that all of them belong to."""
    records = [ref for ref in refs if ref.type in lexicon.KINDS]
    accounts = {ref.id: ref for ref in records if ref.type == "account"}
    if records and not accounts:
        read_records = at_once(partial(plan.record, ref) for ref in records[:MAX_READ])
        owners = [
            Ref("account", str(one["account_id"]), str(one.get("company") or ""))
            for one in read_records
            if one.get("account_id")
        ]
        accounts = {ref.id: ref for ref in sorted(owners, key=lambda one: one.name)}
    if len(accounts) != 1:
        return None
    (account,) = accounts.values()
    return account if account.name else ref_of(plan.record(account))  # A deal tells only the id.
