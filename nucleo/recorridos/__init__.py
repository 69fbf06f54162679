"""Guided runs: a plan of steps that machines, agents and people take in turn, with its evidence and its rules."""
