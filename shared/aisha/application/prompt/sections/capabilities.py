"""The prompt section on the assistant's capabilities."""

order = 20
TEXT = """CAPABILITIES OVERVIEW
- Find and summarise records: leads, contacts, accounts, opportunities, activities, notes, goals.
- Create and change them, convert leads, schedule and complete activities, draft emails.
- Advise: next actions, what is due, exact counts and sums."""
