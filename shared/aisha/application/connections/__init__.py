"""Connections of tenants to other CRMs: the local copy of their records, and its synchronisation."""
