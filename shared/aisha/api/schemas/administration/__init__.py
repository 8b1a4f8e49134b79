"""Settings, usage, logs and health of a tenant and of the deployment, for admins."""
