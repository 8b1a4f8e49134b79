"""Find candidates for the words of a search: entries by prefix, and entries of words one edit away."""

from collections.abc import Iterable, Sequence

from aisha.adapters.dynamodb.records.index import FIRST, LAST, Key, Range, id_of, partition, word_partition
from aisha.adapters.dynamodb.records.items import RecordItems
from aisha.domain.search.words import FUZZY_TYPES, MIN_FUZZY_LENGTH, word_matches

MAX_CANDIDATES = 100
"""Candidates that are fetched in one request, sorted in memory and counted exactly."""
FEW_CANDIDATES = 10
"""Candidates that are fetched, in one request, rather than narrowed down by the entries of further words."""
MAX_ENTRIES = 1000
"""Entries of one word when several words narrow each other down: keys of about 100 bytes, one request."""
MAX_SIMILAR_WORDS = 10
VARIANT_LENGTH = 7
"""Variants are made of a word's first letters alone, as SymSpell's prefix filtering does (Garbe 2012)."""


class NameIndex:
    """The words of the records of one table."""

    def __init__(self, items: RecordItems):
        self._items = items

    def ranges(self, tenant: str, entity_type: str, word: str, *, fuzzy: bool) -> list[Range]:
        """Return where the entries of a word are: those that begin with it, then those of each similar word."""
        ranges = [Range(word_partition(tenant, entity_type, word), word, word + LAST)]
        if fuzzy and len(word) >= MIN_FUZZY_LENGTH and entity_type in FUZZY_TYPES:
            for similar in self._similar_words(tenant, entity_type, word):
                pk = word_partition(tenant, entity_type, similar)
                # `#` ends a word: a similar one counts as a whole only, not as the beginning of others.
                ranges.append(Range(pk, f"{similar}#", f"{similar}#{LAST}"))
        return ranges

    def _similar_words(self, tenant: str, entity_type: str, word: str) -> list[str]:
        """Return stored words one edit away that do not begin with the word, at most `MAX_SIMILAR_WORDS`."""
        stored: set[str] = set()
        for variant in sorted(variants(word)):
            bucket = partition(tenant, entity_type, "vocab", variant)
            stored.update(item.sk for item in self._items.query(bucket, FIRST, LAST, limit=MAX_ENTRIES))
        similar = (
            stored_word
            for stored_word in stored
            if not stored_word.startswith(word) and word_matches(word, stored_word, fuzzy=True)
        )
        return sorted(similar, key=lambda stored_word: (stored_word[0] != word[0], stored_word))[:MAX_SIMILAR_WORDS]

    def candidates(
        self, tenant: str, entity_type: str, words: Sequence[str], ids_in: dict[Range, list[str]], *, fuzzy: bool
    ) -> set[str] | None:
        """Return the ids of all records that may match every word; None when no word is rare enough to list them.

        `ids_in` has the ids of the ranges that this search has read already, and receives those that are read now.
        """
        limit = MAX_ENTRIES if len(words) > 1 else MAX_CANDIDATES
        common: set[str] | None = None
        # The records are matched against every word afterwards, and a short one has fewer variants to look up.
        for word in sorted(words, key=len):
            ids = self._ids(self.ranges(tenant, entity_type, word, fuzzy=fuzzy), limit, ids_in)
            # A common word is skipped here.
            if ids is not None:
                common = ids if common is None else common & ids
            if common is not None and len(common) <= FEW_CANDIDATES:
                break
        return common

    def _ids(self, ranges: Sequence[Range], limit: int, ids_in: dict[Range, list[str]]) -> set[str] | None:
        """Return the record ids in these ranges, None when they are more than `limit`."""
        ids: set[str] = set()
        for key_range in ranges:
            if key_range not in ids_in:
                ids_in[key_range] = [id_of(item.sk) for item in self._items.query(*key_range, limit=limit + 1)]
            ids.update(ids_in[key_range])
            if len(ids) > limit:
                return None
        return ids

    def add_words(self, tenant: str, entity_type: str, words: Iterable[str]) -> None:
        """Add words to the vocabulary, except those that it has already."""
        # A stored word one letter shorter than the shortest fuzzy query can still match it.
        keys = [vocabulary_keys(tenant, entity_type, word) for word in words if len(word) >= MIN_FUZZY_LENGTH - 1]
        if entity_type not in FUZZY_TYPES or not keys:
            return
        stored = self._items.get_many(word_keys[-1] for word_keys in keys)
        added = [word_keys for word_keys in keys if word_keys[-1] not in stored]
        # A batch has no order and may be cut off. The item that says that a word is there comes after all others of it.
        self._items.put_all(key for word_keys in added for key in word_keys[:-1])
        self._items.put_all(word_keys[-1] for word_keys in added)


def variants(word: str) -> frozenset[str]:
    """Return the word's first letters, whole and with each one left out.

    Two words one edit apart (a letter more, less, other, or two swapped) always share a variant.
    """
    start = word[:VARIANT_LENGTH]
    return frozenset((start, *(start[:i] + start[i + 1 :] for i in range(len(start)))))


def vocabulary_keys(tenant: str, entity_type: str, word: str) -> list[Key]:
    """Return a word's vocabulary items, last the one that shows `add_words` that the word is stored already."""
    start = word[:VARIANT_LENGTH]
    ordered = (*sorted(variants(word) - {start}), start)
    return [Key(partition(tenant, entity_type, "vocab", variant), word) for variant in ordered]
