"""The sweep: every tenant's open records scanned by themselves, page by page, by as many workers as are allowed.

`begin` starts one for a tenant and sends its first messages; `work` does what one message says. The state of a tenant's
sweep is one entry, so that a message that comes twice, late or to two workers changes nothing twice.
"""

from aisha.application.sweep.dispatching import abandon, dispatch, handle, started_of
from aisha.application.sweep.state import QUEUE, SweepLimits, SweepState, current_sweep
from aisha.application.sweep.working import SweepDependencies, begin, give_up, work

__all__ = [
    "QUEUE",
    "SweepDependencies",
    "SweepLimits",
    "SweepState",
    "abandon",
    "begin",
    "current_sweep",
    "dispatch",
    "give_up",
    "handle",
    "started_of",
    "work",
]
