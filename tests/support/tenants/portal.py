"""A fake HubSpot portal of a team with its own stages, for browser tests: `python -m tests.support.tenants.portal`.

Prints its address, and serves until it is interrupted.
"""

import signal
from contextlib import suppress

from aisha.adapters.clock import SystemClock
from tests.fakes.systems import hubspot

STAGES = [
    ("s1", "Discovery call", "0.2"),
    ("s2", "Technical fit", "0.4"),
    ("s3", "Legal review", "0.6"),
    ("s4", "Procurement", "0.8"),
    ("s5", "Signed", "1.0"),
    ("s6", "Walked away", "0.0"),
]
DEALS = [
    ("Globex pilot", "9000", "s1", "71"),
    ("Initech rollout", "24000", "s2", "72"),
    ("Hooli renewal", "18500", "s3", "71"),
    ("Vandelay import", "7200", "s5", "71"),
]


def main() -> None:
    """Serve the portal."""
    hubspot.STAGES = STAGES
    hubspot.ENUMS["deals"] = {"dealstage": [key for key, _, _ in STAGES]}
    with hubspot.HubSpot(SystemClock()) as portal:
        for name, amount, stage, owner in DEALS:
            portal.add(
                "deals", dealname=name, amount=amount, dealstage=stage, hubspot_owner_id=owner, closedate="2027-03-31"
            )
        print(portal.url, flush=True)
        with suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
