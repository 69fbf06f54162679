"""Phase 1: published entries become tenders with versions, changes and tombstones."""
