"""The modules of the CRM, which a user may use or not."""

import re
from difflib import get_close_matches

from aisha.domain.crm.records import RECORD_TYPES

MODULES = frozenset((*(record_type.MODULE for record_type in RECORD_TYPES.values()), "email"))
_MIN_LIKENESS = 0.75


def problem_of_module(name: str | None) -> str | None:
    """Return what is wrong with the module of a tool, or None.

    Tokens may name modules that the CRM does not have, such as "invoices"; a misspelt one would close the tool to all.
    """
    if name is None or name in MODULES:
        return None
    if not re.fullmatch(r"\S+", name):
        return f"{name!r} must be one word, such as 'leads'"
    # A name that is like none of ours is taken for a module of the tenant's own.
    if not (close := get_close_matches(name.casefold(), sorted(MODULES), 1, _MIN_LIKENESS)):
        return None
    return f"there is no module {name!r}: is it {close[0]!r}?"
