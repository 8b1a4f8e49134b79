"""What says texts aloud."""
