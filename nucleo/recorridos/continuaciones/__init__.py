"""Texts that a person may send to who coordinates a run, once there is something to go on with."""
