"""Turn after turn towards a target, for a player who looks at no opponent."""
