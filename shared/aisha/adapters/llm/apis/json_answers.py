"""Answers that are one JSON object, from models whose API can't demand it."""

from pydantic_core import from_json

JSON_ONLY = "Answer with one JSON object and nothing else: no words around it, no code fence."


def json_object_in(text: str) -> str | None:
    """Return the answer without the code fence that some models put around it; None for anything but a JSON object."""
    json_text = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    try:
        return json_text if isinstance(from_json(json_text), dict) else None
    except ValueError:
        return None
