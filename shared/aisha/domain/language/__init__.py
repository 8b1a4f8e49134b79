"""English as salespeople write it: tokens, segments, acts and slots of a message, read once."""
