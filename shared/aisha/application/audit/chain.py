"""Verification of a tenant's audit log: edited, deleted, reordered and cut-off entries."""

from collections.abc import Iterator

from msgspec import Struct, field

from aisha.domain.audit import BEGINNING, AuditHead, AuditLink
from aisha.domain.ports import AuditLog


class ChainReport(Struct, frozen=True):
    """The result of a verification: the number of entries, the stored end of the chain, and the problems in order."""

    entries: int
    head: AuditHead
    problems: tuple[str, ...]


class _Walk(Struct):
    """The state of the verification after an entry."""

    trusted: AuditHead | None
    last: AuditHead = field(default_factory=AuditHead)
    entries: int = 0
    problems: list[str] = field(default_factory=list)

    def take(self, link: AuditLink) -> None:
        self.entries += 1
        self.problems += self._find_problems(link)
        self.last = AuditHead(link.sequence, link.hash)

    def _find_problems(self, link: AuditLink) -> Iterator[str]:
        expected = self.last.sequence + 1
        if link.sequence < expected:
            yield f"Something that is no entry of the log stands after entry {self.last.sequence}."
            return
        if link.sequence > expected:
            # The numbers have no gaps: an entry gets the next one in the transaction that stores it.
            yield f"{_format_range(expected, link.sequence - 1)} missing: deleted."
        if not link.is_sealed:
            yield f"Entry {link.sequence} was edited, or belongs to another place."
        elif link.sequence == expected and link.previous_hash != self.last.hash:
            yield f"Entry {link.sequence} does not follow entry {self.last.sequence}: one of them was replaced."
        if self.trusted and link.sequence == self.trusted.sequence and link.hash != self.trusted.hash:
            yield f"Entry {link.sequence} is not the one that was known: the chain was written anew."


def verify(log: AuditLog, tenant: str, trusted: AuditHead | None = None) -> ChainReport:
    """Verify the chain from its beginning to its end, while others may append.

    An attacker with access to the storage could replace the whole chain with its head. `trusted` is the head of an
    earlier report that was stored elsewhere: compared with it, such a replacement shows too. Raises `UnavailableError`.
    """
    walk = _Walk(trusted, AuditHead(0, BEGINNING))
    head = _follow(log, tenant, walk)
    if head.sequence > walk.last.sequence:
        walk.problems.append(f"{_format_range(walk.last.sequence + 1, head.sequence)} missing at the end: cut off.")
    elif head.sequence < walk.last.sequence:
        walk.problems.append(f"The log ends with entry {head.sequence}, but entries stand after it.")
    elif head.hash != walk.last.hash:
        walk.problems.append(f"Entry {head.sequence} is not the one that the log ended with.")
    if trusted is not None and trusted.sequence > walk.last.sequence:
        walk.problems.append(f"There was an entry {trusted.sequence}: the log was cut off, head and all.")
    return ChainReport(walk.entries, head, tuple(walk.problems))


def _follow(log: AuditLog, tenant: str, walk: _Walk) -> AuditHead:
    """Follow the chain until nothing more is appended meanwhile, and return its head."""
    while True:
        before = walk.last.sequence
        for link in log.links(tenant, before):
            walk.take(link)
        head = log.head(tenant)
        # Nothing was read although the head is further on: the last entries are missing, and the loop would not end.
        if head.sequence <= walk.last.sequence or walk.last.sequence == before:
            return head


def _format_range(first: int, last: int) -> str:
    return f"Entry {first} is" if first == last else f"Entries {first} to {last} are"
