"""FateStones: a duel of dice chosen in secret, and which die beats which, exactly.

Examples
--------
>>> from exactdice.games import fatestones
>>> row, column = map(fatestones.decode_hand, ("111666,123456", "114456,333336"))
>>> duel = fatestones.solve_duel(row, column)
>>> duel.value, duel.row
(mpq(0,1), (mpq(1,7), mpq(6,7)))
"""

from exactdice.games.fatestones.beats import (
    PairTable,
    beats_graph,
    dominance_graph,
    dominates,
    even_pairs,
    pair_table,
    three_cycles,
)
from exactdice.games.fatestones.best_response import (
    BestResponse,
    RandomPlay,
    best_response,
    random_play,
)
from exactdice.games.fatestones.census import RESOLUTION, Census, census, sample_census
from exactdice.games.fatestones.confidence import (
    chance_interval,
    check_test,
    games_needed,
    least_edge_seen,
    power,
)
from exactdice.games.fatestones.counting import (
    balanced_three_cycles,
    count_nontransitive_triples,
    nontransitive_coefficients,
    nontransitive_polynomial,
)
from exactdice.games.fatestones.cycles import longest_cycle
from exactdice.games.fatestones.dice_sets import (
    all_dice,
    balanced_dice,
    count_balanced_dice,
    dice_from_text,
    dice_text,
)
from exactdice.games.fatestones.exact import (
    AnswerToRandom,
    DuelSolution,
    answer_to_random,
    duel_value,
    random_value,
    scratch_chance,
    solve_duel,
)
from exactdice.games.fatestones.players import (
    BestResponsePlayer,
    EquilibriumPlayer,
    HumanPlayer,
    Player,
    RandomPlayer,
    TreeSearchPlayer,
    player,
)
from exactdice.games.fatestones.rankings import RANKINGS, Ranking, rank_dice
from exactdice.games.fatestones.rules import (
    Die,
    Hand,
    bag,
    check_hands,
    deal,
    decode_die,
    decode_hand,
    encode_die,
    encode_hand,
)
from exactdice.games.fatestones.simulation import (
    LOG_COLUMNS,
    Roll,
    Score,
    check_log,
    log_lines,
    play_duel,
    read_log,
    score,
    simulate,
)

__all__ = [
    "LOG_COLUMNS",
    "RANKINGS",
    "RESOLUTION",
    "AnswerToRandom",
    "BestResponse",
    "BestResponsePlayer",
    "Census",
    "Die",
    "DuelSolution",
    "EquilibriumPlayer",
    "Hand",
    "HumanPlayer",
    "PairTable",
    "Player",
    "RandomPlay",
    "RandomPlayer",
    "Ranking",
    "Roll",
    "Score",
    "TreeSearchPlayer",
    "all_dice",
    "answer_to_random",
    "bag",
    "balanced_dice",
    "balanced_three_cycles",
    "beats_graph",
    "best_response",
    "census",
    "chance_interval",
    "check_hands",
    "check_log",
    "check_test",
    "count_balanced_dice",
    "count_nontransitive_triples",
    "deal",
    "decode_die",
    "decode_hand",
    "dice_from_text",
    "dice_text",
    "dominance_graph",
    "dominates",
    "duel_value",
    "encode_die",
    "encode_hand",
    "even_pairs",
    "games_needed",
    "least_edge_seen",
    "log_lines",
    "longest_cycle",
    "nontransitive_coefficients",
    "nontransitive_polynomial",
    "pair_table",
    "play_duel",
    "player",
    "power",
    "random_play",
    "random_value",
    "rank_dice",
    "read_log",
    "sample_census",
    "score",
    "scratch_chance",
    "simulate",
    "solve_duel",
    "three_cycles",
]
