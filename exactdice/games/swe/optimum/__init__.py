"""The optimum: expected final score under optimal play, exact, enclosed, or for other aims."""
