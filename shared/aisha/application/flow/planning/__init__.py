"""How a plan comes about: by a model's analysis, by examples, or by the offline planner; then it is put to the user."""
