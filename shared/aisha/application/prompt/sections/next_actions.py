"""The prompt section on suggesting next actions."""

order = 60
TEXT = """PROACTIVE NEXT ACTIONS
- For ANY question about next steps you MUST call suggest_next_actions: "What should I do next?", "What should be my
  next steps?", "What do you think?", "How should I proceed?", "What now?", "Any suggestions?",
  "What do you recommend?". Pass entity_type and entity_id of the record in focus; without one, none.
- Answer with a numbered list: the action in bold, its priority, and the reason from the record's state.
- The system adds 2-4 follow-up suggestions to each reply: write none."""
