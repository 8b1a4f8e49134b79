"""Tools for accounts, contacts, leads, opportunities and goals."""
