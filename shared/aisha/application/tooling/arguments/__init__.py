"""The arguments of tools: their types, their schemas, and what a tenant adds to them."""
