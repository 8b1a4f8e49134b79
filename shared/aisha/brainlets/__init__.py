"""Small steps before and after a turn: a file here with a function marked `@brainlet` is one."""
