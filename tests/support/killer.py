"""A process that ends at a step of its own choosing: before a request, before its answer is seen, or at a call."""

from collections.abc import Callable
from typing import Any

from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest


class KilledError(BaseException):
    """The process ends here."""


class Killer:
    """Ends the process right before the step `number`; afterwards nothing of it runs any more."""

    def __init__(self, number: int) -> None:
        self.left = number

    def step(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise KilledError

    def around(self, target: Any, *names: str) -> None:
        for name in names:
            original = getattr(target, name)

            def stepped(*args: Any, original: Callable[..., Any] = original, **options: Any) -> Any:
                self.step()
                return original(*args, **options)

            setattr(target, name, stepped)


class SteppedHttp(HttpClient):
    """Each request is two steps: one before it is sent, one before its answer is seen."""

    def __init__(self, killer: Killer) -> None:
        super().__init__()
        self._killer = killer

    def send(self, request: HttpRequest) -> HttpAnswer:
        self._killer.step()
        answer = super().send(request)
        self._killer.step()
        return answer
