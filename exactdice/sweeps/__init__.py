"""Long runs: checks over many sizes, resumable searches, work shared among processes."""
