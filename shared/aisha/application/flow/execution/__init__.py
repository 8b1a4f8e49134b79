"""The execution of single steps, dry or for good. `flow.confirmed_plan` executes a whole plan."""
