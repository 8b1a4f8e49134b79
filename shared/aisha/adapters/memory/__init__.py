"""Where memory is kept: OpenSearch, or a SQLite file on a laptop."""
