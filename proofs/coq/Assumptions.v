(** * What each theorem rests on

    Compiling this file prints, for each named theorem, its statement's name and then "Closed under
    the global context" or the axioms that its proof uses. *)

From ExactDice Require Import Soundness Checker TurnBased Matrix.

Check upper_bound. Print Assumptions upper_bound.
Check lower_bound. Print Assumptions lower_bound.
Check play_ends. Print Assumptions play_ends.
Check check_sound. Print Assumptions check_sound.
Check two_player. Print Assumptions two_player.
Check matrix_game. Print Assumptions matrix_game.
