"""Laws of the final score under a policy: exact, enclosed from below, and simulated."""
