"""A chain of models is a model: the next one answers when one can't."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic

from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk
from aisha.domain.ports import ChatModel


class FailoverModel:
    """`models` are `(name, model)` in the order in which they are asked; the names are for warnings and errors."""

    def __init__(self, models: Sequence[tuple[str, ChatModel]]) -> None:
        if not models:
            raise ValueError("a chain needs at least one model")
        self._models = tuple(models)

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Text of the first that answers, then its end, `degraded` with a warning when it is not the first of the chain.

        Once text was given out nobody else is asked: the user would read two beginnings. Raises `ModelUnavailableError`
        (when all failed, the last one's, with each one's reason in `detail`) and `DeadlineExceededError`.
        """
        failures: list[tuple[str, ModelUnavailableError]] = []
        for name, model in self._models:
            if failures and monotonic() >= request.deadline:
                raise DeadlineExceededError("The assistant ran out of time; try again") from failures[-1][1]
            has_text = False
            try:
                # A model asked for by name is one of the first's: the others would not know it.
                for event in model.stream(replace(request, model=None) if failures else request):
                    has_text = has_text or isinstance(event, TextChunk)
                    yield _degraded(event, failures) if failures and isinstance(event, ModelFinished) else event
                return
            except ModelUnavailableError as error:
                if has_text:
                    raise
                failures.append((name, error))
        raise _all_failed(failures) from failures[-1][1]


def _degraded(finished: ModelFinished, failures: Sequence[tuple[str, ModelUnavailableError]]) -> ModelFinished:
    warnings = tuple(f"{error.message}; {finished.provider} answered instead." for _, error in failures)
    return replace(finished, degraded=True, warnings=(*warnings, *finished.warnings))


def _all_failed(failures: Sequence[tuple[str, ModelUnavailableError]]) -> ModelUnavailableError:
    reasons = [{"provider": name, "reason": error.message} for name, error in failures]
    return ModelUnavailableError(failures[-1][1].message, detail={"providers": reasons}, suggestion="Try again soon.")
