"""What goes with a shipped archive: ledger, archives.lock, build/ship.json, reports, budgets."""
