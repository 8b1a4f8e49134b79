"""The words of a message that ask for a call: imperatives, requests, wishes, and changes that are stated alone."""
