"""From text to a reading: normalise, split into clauses, parse, and find times, amounts and concepts."""
