"""Groq's models."""

from aisha.adapters.llm.apis.openai_compatible import openai_compatible
from aisha.adapters.llm.provider import Provider

PROVIDER = Provider("GROQ_API_KEY", openai_compatible("groq", "https://api.groq.com/openai/v1"))
