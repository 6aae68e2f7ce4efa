(** * The checker as a program

    [check] with the reroll game's process, as OCaml; extracted/main.ml reads certificates
    for it. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From ExactDice Require Import Statements Checker Reroll.

Definition check_reroll : certificate reroll_state -> bool := check same reroll.

Extraction "extracted/checker.ml" check_reroll.
