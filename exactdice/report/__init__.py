"""Reports: the one model of a result, its writers and readers, and where it came from."""
