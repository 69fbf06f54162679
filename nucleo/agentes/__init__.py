"""Agents: who they are, what they may do, the tools offered to them and the record of every call."""
