"""The edge of the functions whose events are no HTTP requests: queues, schedules, the authorizer."""

from aisha.bootstrap import Services, default_services


class EventApp:
    """The base of such a function: its services."""

    def __init__(self, services: Services | None = None) -> None:
        self.services = services or default_services()
