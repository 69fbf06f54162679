"""Phase 2: the company profile, in code, says which tenders are worth a look and why."""
