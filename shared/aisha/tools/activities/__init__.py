"""Tools for what people do about records: activities, meetings, email and notes."""
