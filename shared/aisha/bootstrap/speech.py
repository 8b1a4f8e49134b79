"""Speech synthesis and spoken conversations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from aisha.bootstrap.models import provider_key

if TYPE_CHECKING:
    from aisha.bootstrap.services import Services
    from aisha.domain.ports import SpeechSynthesizer, VoiceSessions


def speech(services: Services) -> SpeechSynthesizer | None:
    """Return the speech synthesizer with its cache; None without a key."""
    if (key := provider_key("elevenlabs_api_key", services)) is None:
        return None
    from aisha.adapters.speech.audio_cache import AudioCache, CachedSynthesizer
    from aisha.adapters.speech.elevenlabs import ElevenLabsSettings, ElevenLabsSynthesizer

    settings = services.settings
    voice = ElevenLabsSettings(
        base_url=settings.elevenlabs_base_url,
        model=settings.elevenlabs_model,
        voice=settings.elevenlabs_voice,
        stability=settings.elevenlabs_stability,
        similarity=settings.elevenlabs_similarity,
        output_format=settings.elevenlabs_format,
        seconds=settings.speech_seconds,
        max_bytes=settings.speech_bytes,
        usd_per_character=settings.speech_usd_per_1000_characters / 1000,
    )
    folder = Path(settings.speech_cache_folder) if settings.speech_cache_folder else None
    audio = AudioCache(settings.speech_cache_bytes, folder, settings.speech_cache_folder_bytes)
    return CachedSynthesizer(ElevenLabsSynthesizer(key, voice), audio)


def voice_sessions(services: Services) -> VoiceSessions | None:
    """Return the client that opens realtime sessions; None without a key or without a model.

    The model is the OpenAI model of the chain `realtime_voice` in the models file.
    """
    model = next((ref.model for ref in services.catalog.chain("realtime_voice") if ref.provider == "openai"), None)
    key = provider_key("openai_api_key", services)
    # Both are optional: without them pages use the browser's own voice.
    if key is None or model is None:
        return None
    from aisha.adapters.llm.apis.openai_realtime import OpenAIRealtimeSettings, OpenAIVoiceSessions

    settings = OpenAIRealtimeSettings(model, services.settings.realtime_transcriber, voice_url(services))
    return OpenAIVoiceSessions(key, settings)


def voice_url(services: Services) -> str:
    """Return the base URL of OpenAI's API."""
    from aisha.adapters.llm.apis.openai_realtime import BASE_URL

    return services.settings.openai_base_url or services.catalog.base_urls.get("openai") or BASE_URL
