"""The company: what it is, does and can prove, in versions, and what its profile still lacks."""
