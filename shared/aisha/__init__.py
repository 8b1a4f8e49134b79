"""AiSHA: an AI executive assistant over any CRM. See README.md for the house, `domain/` for its words."""

import gc
import os

# A start makes some hundred thousand objects that all stay. At Python's own threshold the cycle collector walks them
# dozens of times, a tenth of a cold start (bench/startup.py); a turn leaves behind far fewer than this.
gc.set_threshold(200_000, 20, 100)

# Pydantic looks through every installed package for plugins before it makes its first validator; the layer has none.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
