"""Records, conversations, tools, events and ports. Imports no SDK and no other package of this project."""
