"""Chat models: one file a provider, and the offline planner."""
