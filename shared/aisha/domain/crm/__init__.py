"""Records of the CRM, queries and changes of them, and pages of results."""
