"""Cache of synthesized audio: in the process, and in a folder where one is set."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock

from cachetools import LRUCache

from aisha.domain.ports import SpeechSynthesizer

_SUFFIX = ".mp3"


class AudioCache:
    """The audio used last, up to `max_bytes` in memory and `folder_bytes` in `folder`, which outlives the process.

    Safe for threads, and for several processes with one folder.
    """

    def __init__(self, max_bytes: int, folder: Path | None = None, folder_bytes: int = 0) -> None:
        self._folder, self._folder_bytes = folder, folder_bytes
        self._entries: LRUCache[str, bytes] = LRUCache(max_bytes, getsizeof=len)
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            audio = self._entries.get(key)
        if audio is None and (audio := self._read(key)) is not None:
            self._keep(key, audio)
        return audio

    def put(self, key: str, audio: bytes) -> None:
        """Store audio while there is room. A failed write to the folder is ignored: audio can be synthesized again."""
        self._keep(key, audio)
        if self._folder is not None and len(audio) <= self._folder_bytes:
            with suppress(OSError):
                self._write(self._folder, key, audio)

    def _keep(self, key: str, audio: bytes) -> None:
        # LRUCache raises ValueError for what is larger than the whole cache.
        with self._lock, suppress(ValueError):
            self._entries[key] = audio

    def _read(self, key: str) -> bytes | None:
        if self._folder is None:
            return None
        file = self._folder / f"{key}{_SUFFIX}"
        with suppress(OSError):
            audio = file.read_bytes()
            # `_prune` removes the files with the oldest times first.
            os.utime(file)
            return audio
        return None

    def _write(self, folder: Path, key: str, audio: bytes) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # Renamed once it is complete, which is atomic within a folder: no other process reads half a file.
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(audio)
        Path(file.name).replace(folder / f"{key}{_SUFFIX}")
        self._prune(folder)

    def _prune(self, folder: Path) -> None:
        files = sorted(((file.stat(), file) for file in folder.glob(f"*{_SUFFIX}")), key=lambda item: -item[0].st_mtime)
        size = 0
        for status, file in files:
            size += status.st_size
            if size > self._folder_bytes:
                file.unlink(missing_ok=True)


class CachedSynthesizer:
    """A `SpeechSynthesizer` that asks another one only for audio that is not cached."""

    def __init__(self, synthesizer: SpeechSynthesizer, cache: AudioCache) -> None:
        self._synthesizer, self._cache = synthesizer, cache

    @property
    def name(self) -> str:
        return self._synthesizer.name

    def cost(self, text: str, voice: str | None = None) -> float:
        """Return the other's cost; cached audio costs nothing."""
        return 0.0 if self._cache.get(self._key(text, voice)) is not None else self._synthesizer.cost(text, voice)

    def _key(self, text: str, voice: str | None) -> str:
        return hashlib.sha256("\0".join((self.name, voice or "", text)).encode("utf-8", "replace")).hexdigest()

    def speak(self, text: str, voice: str | None = None) -> Iterator[bytes]:
        """Yield cached audio in one piece, or new audio as it comes, which is cached when it came whole."""
        key = self._key(text, voice)
        if (audio := self._cache.get(key)) is not None:
            yield audio
            return
        pieces = []
        for piece in self._synthesizer.speak(text, voice):
            pieces.append(piece)
            yield piece
        self._cache.put(key, b"".join(pieces))
