"""The sweep: scheduled scans over all open records of a tenant, in pages that several workers process in parallel.

`start_sweep` stores the state of a tenant's sweep and sends its first messages; `process_partition` does the work of
one message. The state is one versioned entry, so a message that is delivered twice, late, or to two workers changes
nothing twice.
"""

from aisha.application.sweep.dispatching import dispatch, handle_message, parse_schedule_event
from aisha.application.sweep.state import QUEUE, SweepLimits, SweepState, current_sweep
from aisha.application.sweep.working import SweepDependencies, abandon_message, process_partition, start_sweep

__all__ = [
    "QUEUE",
    "SweepDependencies",
    "SweepLimits",
    "SweepState",
    "abandon_message",
    "current_sweep",
    "dispatch",
    "handle_message",
    "parse_schedule_event",
    "process_partition",
    "start_sweep",
]
