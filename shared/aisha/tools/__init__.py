"""The tools, one toolkit in each module. The registry discovers them; a new tool is one decorated function."""
