(** * The checkers as programs

    [check] with the reroll game's process, as OCaml, for which extracted/main.ml reads certificates;
    and [check_game], for which extracted/values.ml reads certificates of values. *)

From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From ExactDice Require Import Statements Checker Games Reroll.

Extract Inlined Constant Nat.ltb => "(<)".
Extract Inlined Constant Nat.leb => "(<=)".

Definition check_reroll : certificate reroll_state -> bool := check same reroll.

Extraction "extracted/checker.ml" check_reroll check_game Z.add Z.mul.
