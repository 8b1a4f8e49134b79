"""The rounds of a turn: the model is asked, its tool calls run, until it answers."""
