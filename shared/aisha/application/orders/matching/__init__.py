"""The matching of a call with the user's words: its record and its values have to be said, and said together."""
