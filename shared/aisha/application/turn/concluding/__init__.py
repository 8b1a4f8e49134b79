"""The end of a turn: its answer, follow-up suggestions, memory and log line."""
