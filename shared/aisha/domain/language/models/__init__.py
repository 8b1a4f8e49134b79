"""Trained models of messages, and the features that they score."""
