"""Requests to a CRM and its webhooks: sign-in, limits, errors, signatures."""
