"""Training of the model that weighs whether a message orders a call."""
