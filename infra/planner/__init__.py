"""Training of the offline planner's reader: labelled sentences, their parser, and the making of the shipped arrays."""
