"""Injected orders and honest ones, through every door, with the gate and without it: `make attack`."""
