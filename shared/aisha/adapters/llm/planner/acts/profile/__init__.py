"""Tell about records: profiles, fields, history, comparisons."""
