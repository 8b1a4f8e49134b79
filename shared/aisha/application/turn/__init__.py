"""One turn: load, settle a confirmation, converse, conclude, save. `run.run_turn` is the entry."""
