"""The gate that every call passes: may it run, on which records, and what is kept of it."""
