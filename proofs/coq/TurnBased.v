(** * Two players who take turns

    Against the action in [best] every other of the same player is Bellman's inequality of that
    player, so whichever the opponent takes, each step is on the right side of the value. The two
    bounds for single policies do the rest. *)

From Coq Require Import List ZArith QArith Lqa.
From ExactDice Require Import Statements Sums Soundness.
Open Scope Q_scope.

Theorem two_player : two_player_statement.
Proof.
  intros state p inside first v best M is_closed ends most least exact HM bounds n h s Hs.
  split.
  - intros rho pi. apply lower_bound with (inside := inside); auto; [|intros; now apply bounds].
    intros h' t c Ht Hc. unfold pi, joint, stationary in Hc. destruct (first t) eqn:E.
    + rewrite (exact t c Ht Hc). lra.
    + apply least; eauto using taken_in.
  - intros pi rho. apply upper_bound with (inside := inside); auto; [|intros; now apply bounds].
    intros h' t c Ht Hc. unfold rho, joint, stationary in Hc. destruct (first t) eqn:E.
    + apply most; eauto using taken_in.
    + rewrite (exact t c Ht Hc). lra.
Qed.
