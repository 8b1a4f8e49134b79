"""What of a request does not fit a model, as the one who sent it is told."""

from msgspec import Struct
from pydantic import ValidationError

from aisha.domain.errors import InvalidInputError


class Misfit(Struct, frozen=True):
    """One place that is wrong, by the names and indexes that lead to it, and why."""

    path: tuple[int | str, ...]
    reason: str

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer (RFC 6901); empty for the whole."""
        return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in self.path)


def misfits(error: ValidationError) -> list[Misfit]:
    """All of them, without what was sent."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return [Misfit(one["loc"], one["msg"].removeprefix("Value error, ")) for one in found]


def check_length(text: str, max_chars: int, pointer: str) -> None:
    """Raises `InvalidInputError`, which calls the text as its member is called, for more than `max_chars` characters."""
    if len(text) > max_chars:
        name = "message" if pointer.startswith("/messages/") else pointer[1:]
        raise InvalidInputError(
            f"The {name} has {len(text)} characters, at most {max_chars} are read. Shorten it.", pointer=pointer
        )
