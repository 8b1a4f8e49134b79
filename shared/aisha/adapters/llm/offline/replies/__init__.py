"""The wording of replies."""
