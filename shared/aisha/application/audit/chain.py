"""Checks a tenant's audit log: what was edited, deleted, put in another order or cut off."""

from collections.abc import Iterator

from msgspec import Struct, field

from aisha.domain.audit import BEGINNING, AuditHead, AuditLink
from aisha.domain.ports import AuditLog


class ChainReport(Struct, frozen=True):
    """`entries` were found; `head` is where the chain should end. `problems` says what is wrong, in order; none: it is whole."""

    entries: int
    head: AuditHead
    problems: tuple[str, ...]


class _Walk(Struct):
    """How far a chain was followed."""

    known: AuditHead | None
    last: AuditHead = field(default_factory=AuditHead)
    entries: int = 0
    problems: list[str] = field(default_factory=list)

    def take(self, link: AuditLink) -> None:
        self.entries += 1
        self.problems += self._wrong_with(link)
        self.last = AuditHead(link.sequence, link.hash)

    def _wrong_with(self, link: AuditLink) -> Iterator[str]:
        expected = self.last.sequence + 1
        if link.sequence < expected:
            yield f"Something that is no entry of the log stands after entry {self.last.sequence}."
            return
        if link.sequence > expected:
            yield f"{_entries(expected, link.sequence - 1)} missing: deleted."
        if not link.is_sealed:
            yield f"Entry {link.sequence} was edited, or belongs to another place."
        elif link.sequence == expected and link.previous_hash != self.last.hash:
            yield f"Entry {link.sequence} does not follow entry {self.last.sequence}: one of them was replaced."
        if self.known and link.sequence == self.known.sequence and link.hash != self.known.hash:
            yield f"Entry {link.sequence} is not the one that was known: the chain was written anew."


def verify(log: AuditLog, tenant: str, known: AuditHead | None = None) -> ChainReport:
    """Follows the chain from its beginning to its end, while others may append.

    Who can write to the storage could write a whole chain anew, head and all. `known` is a head that an earlier check
    gave and that was kept elsewhere: against it, that shows too. Raises `UnavailableError`.
    """
    walk = _Walk(known, AuditHead(0, BEGINNING))
    head = _followed(log, tenant, walk)
    if head.sequence > walk.last.sequence:
        walk.problems.append(f"{_entries(walk.last.sequence + 1, head.sequence)} missing at the end: cut off.")
    elif head.sequence < walk.last.sequence:
        walk.problems.append(f"The log ends with entry {head.sequence}, but entries stand after it.")
    elif head.hash != walk.last.hash:
        walk.problems.append(f"Entry {head.sequence} is not the one that the log ended with.")
    if known is not None and known.sequence > walk.last.sequence:
        walk.problems.append(f"There was an entry {known.sequence}: the log was cut off, head and all.")
    return ChainReport(walk.entries, head, tuple(walk.problems))


def _followed(log: AuditLog, tenant: str, walk: _Walk) -> AuditHead:
    """The head, once nothing more was appended while the chain was followed."""
    while True:
        before = walk.last.sequence
        for link in log.links(tenant, before):
            walk.take(link)
        head = log.head(tenant)
        if head.sequence <= walk.last.sequence or walk.last.sequence == before:
            return head


def _entries(first: int, last: int) -> str:
    return f"Entry {first} is" if first == last else f"Entries {first} to {last} are"
