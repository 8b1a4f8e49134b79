"""From the words of a search to the entries that may match: by prefix, or by words one edit away."""

from collections.abc import Sequence

from aisha.adapters.dynamodb.record_index import (
    FIRST,
    FUZZY_TYPES,
    LAST,
    Key,
    Range,
    id_of,
    partition,
    vocabulary,
    word_partition,
)
from aisha.adapters.dynamodb.record_items import RecordItems
from aisha.domain.search.conditions import FUZZY_LETTERS, word_matches
from aisha.domain.search.words import variants

FEW = 100
"""Candidates that are fetched in one request, sorted in memory and counted exactly."""
ONE_QUERY = 1000
"""Entries of one word when several words narrow each other down: keys of about 100 bytes, one request."""
SIMILAR_WORDS = 10


class RecordNames:
    """The words of one table's records."""

    def __init__(self, items: RecordItems):
        self._items = items

    def ranges(self, tenant: str, entity_type: str, word: str, fuzzy: bool) -> list[Range]:
        """Where the entries of a word lie: its prefix, then each similar word."""
        found = [Range(word_partition(tenant, entity_type, word), word, word + LAST)]
        if fuzzy and len(word) >= FUZZY_LETTERS and entity_type in FUZZY_TYPES:
            for similar in self._similar(tenant, entity_type, word):
                where = word_partition(tenant, entity_type, similar)
                found.append(Range(where, f"{similar}#", f"{similar}#{LAST}"))
        return found

    def _similar(self, tenant: str, entity_type: str, word: str) -> list[str]:
        """Known words one edit away that the word is no prefix of, at most `SIMILAR_WORDS`."""
        known: set[str] = set()
        for variant in sorted(variants(word)):
            bucket = partition(tenant, entity_type, "vocab", variant)
            known.update(item.sk for item in self._items.query(bucket, FIRST, LAST, limit=ONE_QUERY))
        near = (one for one in known if not one.startswith(word) and word_matches(word, one, fuzzy=True))
        return sorted(near, key=lambda one: (one[0] != word[0], one))[:SIMILAR_WORDS]

    def candidates(self, tenant: str, entity_type: str, asked: Sequence[str], fuzzy: bool) -> set[str] | None:
        """Ids of all records that may match every word; None when no word is rare enough to list them."""
        limit = ONE_QUERY if len(asked) > 1 else FEW
        common: set[str] | None = None
        for word in asked:
            ids = self._ids(self.ranges(tenant, entity_type, word, fuzzy), limit)
            if ids is not None:
                common = ids if common is None else common & ids
        return common

    def _ids(self, ranges: Sequence[Range], limit: int) -> set[str] | None:
        """Ids of the entries in these ranges, None when they are more than `limit`."""
        ids: set[str] = set()
        for where in ranges:
            ids.update(id_of(item.sk) for item in self._items.query(*where, limit=limit + 1))
            if len(ids) > limit:
                return None
        return ids

    def learn(self, tenant: str, entity_type: str, new: set[str]) -> None:
        """Adds words to the vocabulary, those that it does not have yet."""
        keys = {word: vocabulary(tenant, entity_type, word) for word in new if len(word) >= FUZZY_LETTERS - 1}
        if entity_type not in FUZZY_TYPES or not keys:
            return
        known = self._items.get_many(own[-1] for own in keys.values())
        missing: list[Key] = [key for own in keys.values() if own[-1] not in known for key in own]
        self._items.put_all(missing)
