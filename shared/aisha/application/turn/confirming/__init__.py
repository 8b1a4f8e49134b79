"""Judge the writes of a turn, and ask, store and settle what waits for the user's yes."""
