(** * The checkers as programs

    [check] with the reroll game's process, as OCaml, for which extracted/main.ml reads certificates;
    and [check_side], for which extracted/values.ml reads certificates of values. *)

From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From ExactDice Require Import Statements Checker Bounds Reroll.

Definition check_reroll : certificate reroll_state -> bool := check same reroll.

Extraction "extracted/checker.ml" check_reroll check_side Z.mul.
