"""Runs every bench; 1 when one is over its bound."""

import sys

from bench import turn_cpu

sys.exit(turn_cpu.main())
