"""OpenAI's models. AISHA_OPENAI_BASE_URL may name another server that speaks the same protocol."""

from aisha.adapters.llm.apis.openai_compatible import openai_compatible
from aisha.adapters.llm.provider import Provider

PROVIDER = Provider(
    "OPENAI_API_KEY",
    openai_compatible("openai", "https://api.openai.com/v1", address="AISHA_OPENAI_BASE_URL"),
    settings=("AISHA_OPENAI_BASE_URL",),
)
