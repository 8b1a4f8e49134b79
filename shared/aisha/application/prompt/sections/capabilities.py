"""The prompt section on the assistant's capabilities."""

order = 20
TEXT = """CAPABILITIES OVERVIEW
- Find and summarise records: leads, contacts, accounts, opportunities, activities, notes, goals.
- Create and change them: new records, updates, lead conversion, scheduling, completing, notes, drafts of emails.
- Advise: next actions for a record or the whole pipeline, what is due or overdue, exact counts and sums."""
