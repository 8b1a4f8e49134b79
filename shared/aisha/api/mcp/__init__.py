"""The Model Context Protocol over Streamable HTTP: messages, revisions, sessions, elicitation, results."""
