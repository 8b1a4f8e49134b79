"""The reading of a CRM's records and definitions, by its mapping file."""
