"""The words of the answers."""
