"""Google's Gemini models, by their OpenAI-compatible endpoint."""

from aisha.adapters.llm.apis.openai_compatible import openai_compatible
from aisha.adapters.llm.provider import Provider

PROVIDER = Provider(
    "GEMINI_API_KEY", openai_compatible("gemini", "https://generativelanguage.googleapis.com/v1beta/openai")
)
