"""The judge of writes: does what the user said order this call, on this record, with these values."""
