"""Games written down, what can be asked about them, and how it is answered; knows no game.

`game` and `turns` are the words in which rules are written, `questions`, `asking`, `laws` and
`endless` what can be asked; `exactdice.models` has their public names. Below them are `arena`, the
same games in flat arrays, and what solves those: `turn_games`, `concurrent`, `bounds` and others.
"""
