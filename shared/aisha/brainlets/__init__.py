"""The brainlets of AiSHA, small steps before and after a turn: each module has one function marked `@brainlet`."""
