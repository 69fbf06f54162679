"""The MCP endpoint: agents come in with a token and find the tools that they may use."""
