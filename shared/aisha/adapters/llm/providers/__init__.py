"""Providers of language models, one a module, found by being here. A module declares `PROVIDER`."""
