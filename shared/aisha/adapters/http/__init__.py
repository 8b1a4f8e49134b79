"""HTTP requests to checked addresses, and server-sent events."""
