"""The games, one room each, all furnished alike."""
