"""Records and documents, and what scans find in them."""
