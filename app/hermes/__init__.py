"""A scripted stand-in for Hermes: the real runs contract and real MCP calls, with simple rules instead of a model."""
