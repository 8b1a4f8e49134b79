"""Tools for those who run the deployment: the audit trail, background jobs and issues."""
