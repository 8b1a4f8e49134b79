"""AiSHA, an AI assistant for CRM systems. CONTRIBUTING.md has a map of the packages."""

import gc
import os

# A start creates some hundred thousand objects that all stay alive. At Python's default threshold the cycle collector
# walks them dozens of times, a tenth of a cold start (bench/startup.py). A turn leaves far fewer objects behind.
gc.set_threshold(200_000, 20, 100)

# Before its first validator Pydantic searches every installed package for plugins; the layer has none.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
