(** * Claims about the software-engineering game that listing and theorem 3 refute *)

From Coq Require Import List ZArith QArith Lia.
From ExactDice Require Import Statements LoneDie SweRounds.
Import ListNotations.
Open Scope Q_scope.

Theorem in_game : in_game_statement.
Proof. repeat split; vm_compute; reflexivity. Qed.

Theorem last_round : last_round_statement.
Proof.
  split; [|split; [vm_compute; reflexivity|]].
  - intros rounds pi f H positive here. apply lone_die_met.
    + exact standard_ladder.
    + lia.
    + exact positive.
    + replace (rounds - (rounds - 1))%nat with 1%nat by lia. exact here.
  - eexists _, _. split; [reflexivity | vm_compute; reflexivity].
Qed.
