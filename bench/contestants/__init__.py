"""Implementations of one conversation: the product's turn, hand-written loops, agents of two frameworks."""
