"""Audio that was made before: in the process, and in a folder where there is one."""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from aisha.domain.ports import SpeechSynthesizer

_SUFFIX = ".mp3"


class AudioCache:
    """The audio used last, up to `most_bytes` in memory and `folder_bytes` in `folder`, which outlives the process.

    Any number of threads, and of processes on one folder, may use it.
    """

    def __init__(self, most_bytes: int, folder: Path | None = None, folder_bytes: int = 0) -> None:
        self._most, self._folder, self._folder_bytes = most_bytes, folder, folder_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        """The audio, or None."""
        with self._lock:
            if (audio := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return audio
        audio = self._read(key)
        if audio is not None:
            self._keep(key, audio)
        return audio

    def put(self, key: str, audio: bytes) -> None:
        """Keeps it for as long as there is room. A folder that can't be written to is no error: audio can be made anew."""
        self._keep(key, audio)
        if self._folder is not None and len(audio) <= self._folder_bytes:
            with suppress(OSError):
                self._write(self._folder, key, audio)

    def _keep(self, key: str, audio: bytes) -> None:
        if len(audio) > self._most:
            return
        with self._lock:
            self._size += len(audio) - len(self._kept.pop(key, b""))
            self._kept[key] = audio
            while self._size > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._size -= len(oldest)

    def _read(self, key: str) -> bytes | None:
        if self._folder is None:
            return None
        file = self._folder / f"{key}{_SUFFIX}"
        with suppress(OSError):
            audio = file.read_bytes()
            os.utime(file)
            return audio
        return None

    def _write(self, folder: Path, key: str, audio: bytes) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(audio)
        Path(file.name).replace(folder / f"{key}{_SUFFIX}")
        self._prune(folder)

    def _prune(self, folder: Path) -> None:
        files = sorted(((file.stat(), file) for file in folder.glob(f"*{_SUFFIX}")), key=lambda one: -one[0].st_mtime)
        size = 0
        for state, file in files:
            size += state.st_size
            if size > self._folder_bytes:
                file.unlink(missing_ok=True)


class CachedSynthesizer:
    """A `SpeechSynthesizer` that says a text anew only when its audio is no longer there."""

    def __init__(self, synthesizer: SpeechSynthesizer, cache: AudioCache) -> None:
        self._synthesizer, self._cache = synthesizer, cache

    @property
    def name(self) -> str:
        return self._synthesizer.name

    def speak(self, text: str, voice: str | None = None) -> Iterator[bytes]:
        """The kept audio in one piece, or new audio as it comes, which is kept when it came whole."""
        key = hashlib.sha256("\0".join((self.name, voice or "", text)).encode("utf-8", "replace")).hexdigest()
        if (audio := self._cache.get(key)) is not None:
            yield audio
            return
        pieces = []
        for piece in self._synthesizer.speak(text, voice):
            pieces.append(piece)
            yield piece
        self._cache.put(key, b"".join(pieces))
