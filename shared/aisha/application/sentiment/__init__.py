"""Sentiment of texts, by a lexicon or a model."""
