"""What models, replies and logs must not show: masking, ids, sensitive fields, summaries of calls."""
