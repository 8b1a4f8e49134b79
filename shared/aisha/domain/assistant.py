"""The assistant's names."""

_FULL_NAMES = {"AiSHA": "AiSHA (AI Sales & Help Assistant)"}
"""The name written out, by the short name."""


def full_name(name: str) -> str:
    """Return a name with what it stands for, where that is known."""
    return _FULL_NAMES.get(name, name)
