"""The tools for clients of the Model Context Protocol: what each is offered, and how its calls run (K-006)."""
