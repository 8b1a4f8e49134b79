"""Plan, choose, change and list activities."""
