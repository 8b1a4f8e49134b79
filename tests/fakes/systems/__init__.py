"""Fakes of other systems: CRMs, MCP servers, mail, webhooks."""
