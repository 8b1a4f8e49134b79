"""The making of a plan: by a model's analysis, by examples or by the offline planner, and its proposal to the user."""
