"""Email drafts and meeting invitations."""
