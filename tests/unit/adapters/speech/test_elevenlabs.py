"""Speech by ElevenLabs: requests, streaming, refusals, and the cache of audio."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aisha.adapters.speech.audio_cache import AudioCache, CachedSynthesizer
from aisha.adapters.speech.elevenlabs import ElevenLabsSettings, ElevenLabsSynthesizer
from aisha.domain.errors import (
    AishaError,
    DeadlineExceededError,
    InvalidInputError,
    SpeechUnavailableError,
    UnavailableError,
)
from tests.fakes.models.elevenlabs import KEY, VOICES, ElevenLabs


def synthesizer(
    server: ElevenLabs, *, key: str = KEY, seconds: float = 5.0, max_bytes: int = 1000
) -> ElevenLabsSynthesizer:
    return ElevenLabsSynthesizer(
        key,
        ElevenLabsSettings(server.url, "eleven_flash_v2_5", VOICES[0], 0.5, 0.75, "mp3_44100_128", seconds, max_bytes),
    )


@pytest.fixture
def server() -> Iterator[ElevenLabs]:
    with ElevenLabs() as fake:
        yield fake


def test_the_documented_request(server: ElevenLabs) -> None:
    assert b"".join(synthesizer(server).speak("Guten Tag, Zoë.")) == server.audio
    assert server.requests == [
        {
            "voice": VOICES[0],
            "query": {"output_format": ["mp3_44100_128"]},
            "body": {
                "text": "Guten Tag, Zoë.",
                "model_id": "eleven_flash_v2_5",
                "voice_settings": {"stability": 0.5, "similarity_boost": 0.75},
            },
        }
    ]


def test_audio_is_streamed_before_it_is_complete(server: ElevenLabs) -> None:
    server.paused.clear()
    pieces = synthesizer(server).speak("Hello")
    assert next(pieces) == server.pieces[0]
    server.paused.set()
    assert b"".join(pieces) == b"".join(server.pieces[1:])


def test_another_voice_by_its_id(server: ElevenLabs) -> None:
    list(synthesizer(server).speak("Hello", VOICES[1]))
    assert server.requests[0]["voice"] == VOICES[1]


def test_an_unknown_voice_is_an_invalid_input(server: ElevenLabs) -> None:
    with pytest.raises(InvalidInputError) as raised:
        list(synthesizer(server).speak("Hello", "nobody"))
    assert raised.value.pointer == "/voiceId"


def test_a_key_that_is_refused_leaves_no_voice(server: ElevenLabs) -> None:
    with pytest.raises(SpeechUnavailableError) as raised:
        list(synthesizer(server, key="wrong").speak("Hello"))
    assert "wrong" not in str(raised.value.members())


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, SpeechUnavailableError),
        (402, SpeechUnavailableError),
        (429, UnavailableError),
        (500, UnavailableError),
        (503, UnavailableError),
    ],
)
def test_refusals(status: int, kind: type[AishaError]) -> None:
    with ElevenLabs(status=status) as server, pytest.raises(kind) as raised:
        list(synthesizer(server).speak("Hello"))
    assert KEY not in str(raised.value.members())


def test_a_provider_that_hangs_is_left_at_the_deadline() -> None:
    with ElevenLabs(hangs=True) as server, pytest.raises(DeadlineExceededError):
        list(synthesizer(server, seconds=0.2).speak("Hello"))


def test_audio_that_stops_in_between_ends_at_the_deadline(server: ElevenLabs) -> None:
    server.paused.clear()
    pieces = synthesizer(server, seconds=0.3).speak("Hello")
    assert next(pieces)
    with pytest.raises(DeadlineExceededError):
        list(pieces)


def test_audio_that_breaks_off_is_an_error() -> None:
    with ElevenLabs(cut_after=1) as server:
        pieces = synthesizer(server).speak("Hello")
        assert next(pieces) == server.pieces[0]
        with pytest.raises(UnavailableError):
            list(pieces)


def test_audio_has_a_limit(server: ElevenLabs) -> None:
    with pytest.raises(UnavailableError, match="longer than 6 bytes"):
        list(synthesizer(server, max_bytes=6).speak("Hello"))


def test_a_missing_server_is_unavailable() -> None:
    with ElevenLabs() as server:
        gone = synthesizer(server)
    with pytest.raises(UnavailableError):
        list(gone.speak("Hello"))


# --- the cache


def cached(server: ElevenLabs, cache: AudioCache) -> CachedSynthesizer:
    return CachedSynthesizer(synthesizer(server), cache)


def test_the_same_text_in_the_same_voice_is_synthesized_once(server: ElevenLabs) -> None:
    voice = cached(server, AudioCache(1000))
    audio = [b"".join(voice.speak("Hello")) for _ in range(3)]
    assert audio == [server.audio] * 3
    assert len(server.requests) == 1


@pytest.mark.parametrize(("text", "voice"), [("Hello!", None), ("Hello", VOICES[1])])
def test_another_text_or_voice_is_synthesized_again(server: ElevenLabs, text: str, voice: str | None) -> None:
    speaker = cached(server, AudioCache(1000))
    list(speaker.speak("Hello"))
    list(speaker.speak(text, voice))
    assert len(server.requests) == 2


def test_the_audio_used_longest_ago_goes_first(server: ElevenLabs) -> None:
    speaker = cached(server, AudioCache(2 * len(server.audio)))
    for text in ("one", "two", "one", "three", "one", "two"):
        list(speaker.speak(text))
    assert [asked["body"]["text"] for asked in server.requests] == ["one", "two", "three", "two"]


def test_incomplete_audio_is_not_cached() -> None:
    with ElevenLabs(cut_after=1) as server:
        speaker = cached(server, AudioCache(1000))
        with pytest.raises(UnavailableError):
            list(speaker.speak("Hello"))
        server.cut_after = None
        assert b"".join(speaker.speak("Hello")) == server.audio
        left = speaker.speak("Bye")
        next(left)
        left.close()  # type: ignore[attr-defined]
        assert b"".join(speaker.speak("Bye")) == server.audio
        assert len(server.requests) == 4


def test_a_folder_outlives_the_process(server: ElevenLabs, tmp_path: Path) -> None:
    folder = tmp_path / "audio"
    for _ in range(2):
        assert b"".join(cached(server, AudioCache(0, folder, 1000)).speak("Hello")) == server.audio
    assert len(server.requests) == 1


def test_a_folder_has_a_limit_too(server: ElevenLabs, tmp_path: Path) -> None:
    speaker = cached(server, AudioCache(0, tmp_path, 2 * len(server.audio)))
    for number in range(5):
        list(speaker.speak(f"text {number}"))
    assert len(list(tmp_path.iterdir())) == 2


def test_a_read_only_folder_does_not_prevent_speech(server: ElevenLabs, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    speaker = cached(server, AudioCache(0, tmp_path / "file" / "audio", 1000))
    assert b"".join(speaker.speak("Hello")) == server.audio
