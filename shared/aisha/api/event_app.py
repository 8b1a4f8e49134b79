"""The edge of the functions that get other events than HTTP requests: queues, schedules, the authorizer."""

from aisha.bootstrap import Services, default_services


class EventApp:
    """What such a function works with."""

    def __init__(self, services: Services | None = None) -> None:
        self.services = services or default_services()
