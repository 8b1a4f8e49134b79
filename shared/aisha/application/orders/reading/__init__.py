"""The user's own words: their clauses, and what of them orders, denies, asks or only gives a reason."""
