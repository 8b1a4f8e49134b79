"""Fakes of model providers, models and embedders."""
