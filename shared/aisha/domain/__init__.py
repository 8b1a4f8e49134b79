"""The words of the house: records, conversations, tools, events, ports. Imports no SDK and nothing else of ours."""
