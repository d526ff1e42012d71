"""Programs that rules run: found, told apart by version, and given a folder of their own."""
