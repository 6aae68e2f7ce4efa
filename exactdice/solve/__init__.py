"""Models of games and the questions to them; this subpackage contains no game.

`game` and `turns` define how rules are written. `questions`, `asking`, `laws` and `endless` answer
questions; `exactdice.models` has their public names. They use `arena`, the same games in flat
arrays, and its solvers: `turn_games`, `concurrent`, `lifting` and others.
"""
