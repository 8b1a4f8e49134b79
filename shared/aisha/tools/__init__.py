"""The tools: one toolkit a file, found by being here. A new tool is one decorated function; see README.md."""
