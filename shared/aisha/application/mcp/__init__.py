"""Tools for clients of the Model Context Protocol (MCP): offers by client, and calls (K-006)."""
