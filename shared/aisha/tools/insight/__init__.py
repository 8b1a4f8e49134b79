"""Tools that count, rate and judge what the records say, and suggest what to do next."""
