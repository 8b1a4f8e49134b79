"""Webhooks to addresses of users."""
