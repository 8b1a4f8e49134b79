"""The form of a CRM's mapping file, and what is wrong with one."""
