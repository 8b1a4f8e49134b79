"""Tenants: profile, plan, limits, access, preferences."""
