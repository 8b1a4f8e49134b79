"""Notifications: what is due, settings, delivery, reminders."""
