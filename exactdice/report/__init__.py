"""Reports: the model of a result, and its writers and readers."""
