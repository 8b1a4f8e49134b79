"""Tools for what the assistant knows, keeps for the user and does to the page, and for taking back a change."""
