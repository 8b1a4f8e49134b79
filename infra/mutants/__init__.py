"""Mutation tests of the code that decides about writes: they count the planted faults that the tests notice."""
