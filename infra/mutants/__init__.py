"""Mutation runs over the code that decides about writes: which small faults in it do the tests notice?"""
