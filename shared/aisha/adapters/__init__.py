"""Adapters of the ports: one technology in each module or package."""
