"""Tell about records: profiles, fields, columns, history."""
