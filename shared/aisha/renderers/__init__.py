"""How what happened is shown: one file a form."""
