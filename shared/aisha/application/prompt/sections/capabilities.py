"""The prompt section on the assistant's capabilities."""

order = 20
TEXT = """CAPABILITIES OVERVIEW
- Find and summarise records: leads, contacts, accounts, opportunities, activities, notes, goals.
- Create and change them, convert leads, schedule and complete activities, write notes and draft emails.
- Advise: next actions for a record or the pipeline, what is due, exact counts and sums."""
