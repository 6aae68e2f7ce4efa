(** * What each theorem rests on

    Compiling this file prints, for each named theorem, its statement's name and then "Closed under
    the global context" or the axioms that its proof uses. *)

From ExactDice Require Import
  Soundness
  Average
  Bounds
  Endless
  Games
  Checker
  TurnBased
  Matrix
  Backward
  Reroll
  Risk
  RiskTable
  MaximumDice
  AnySides
  LiarsDice
  Monotone
  Limit
  Duel
  SureChoice
  Scratches
  Telescoping
  Convex
  Reachable
  Blocks
  LoneDie
  NeverSkip
  Robust
  Sooner
  SweBounds
  SweRounds
  SweLonger
  SweClaims
  Farkle
  FarkleEnds.

Check against_free. Print Assumptions against_free.
Check average. Print Assumptions average.
Check reaching. Print Assumptions reaching.
Check endless. Print Assumptions endless.
Check check_game_sound. Print Assumptions check_game_sound.
Check upper_bound. Print Assumptions upper_bound.
Check lower_bound. Print Assumptions lower_bound.
Check play_ends. Print Assumptions play_ends.
Check check_sound. Print Assumptions check_sound.
Check two_player. Print Assumptions two_player.
Check matrix_game. Print Assumptions matrix_game.
Check backward_induction. Print Assumptions backward_induction.
Check reroll_value. Print Assumptions reroll_value.
Check states. Print Assumptions states.
Check best_score. Print Assumptions best_score.
Check risk_equation. Print Assumptions risk_equation.
Check one_against_one. Print Assumptions one_against_one.
Check risk_four_two. Print Assumptions risk_four_two.
Check risk_table_right. Print Assumptions risk_table_right.
Check maximum_dice. Print Assumptions maximum_dice.
Check lost_law. Print Assumptions lost_law.
Check monotone. Print Assumptions monotone.
Check limit. Print Assumptions limit.
Check mixed_duel. Print Assumptions mixed_duel.
Check sure_choice. Print Assumptions sure_choice.
Check scratches. Print Assumptions scratches.
Check telescoping. Print Assumptions telescoping.
Check convex. Print Assumptions convex.
Check reachable. Print Assumptions reachable.
Check blocks. Print Assumptions blocks.
Check lone_die_met. Print Assumptions lone_die_met.
Check never_skip. Print Assumptions never_skip.
Check better_tables. Print Assumptions better_tables.
Check fix_most_robust. Print Assumptions fix_most_robust.
Check unique_fix. Print Assumptions unique_fix.
Check sooner. Print Assumptions sooner.
Check ten_rounds. Print Assumptions ten_rounds.
Check standard_dice. Print Assumptions standard_dice.
Check create_until_eleven. Print Assumptions create_until_eleven.
Check in_game. Print Assumptions in_game.
Check last_round. Print Assumptions last_round.
Check farkle_first. Print Assumptions farkle_first.
Check farkle_next. Print Assumptions farkle_next.
Check swe_bounds_hold. Print Assumptions swe_bounds_hold.
Check farkle_ends. Print Assumptions farkle_ends.
Check farkle_thresholds. Print Assumptions farkle_thresholds.
Check one_die_each. Print Assumptions one_die_each.
