(** * Theorem 7: Risk is monotone

    By induction on [a + d], with the five comparisons between chances of rounds that stand below
    as differences of their numerators. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Risk.
Import ListNotations.
Open Scope Q_scope.

(** ** The equation, case by case *)

Ltac expand :=
  rewrite win_equation by lia;
  rewrite ?(Nat.min_r _ 3), ?(Nat.min_r _ 2) by lia;
  unfold after_round, chance; cbn [Nat.min seq sum fold_right];
  rewrite !lost_enumerated by (simpl; lia);
  cbn [lost_of nth Nat.add Nat.sub Nat.min]; rewrite ?Nat.sub_0_r;
  change (all_rolls 1 1) with 36%positive; change (all_rolls 1 2) with 216%positive;
  change (all_rolls 2 1) with 216%positive; change (all_rolls 2 2) with 1296%positive;
  change (all_rolls 3 1) with 1296%positive; change (all_rolls 3 2) with 7776%positive;
  rewrite ?win_no_defender, ?win_no_attacker; ring.

Lemma one_one : win 1 1 == 15 # 36.
Proof. expand. Qed.

Lemma two_one : win 2 1 == (125 # 216) + (91 # 216) * win 1 1.
Proof. expand. Qed.

Lemma three_one a : win (3 + a) 1 == (855 # 1296) + (441 # 1296) * win (2 + a) 1.
Proof. expand. Qed.

Lemma one_two d : win 1 (2 + d) == (55 # 216) * win 1 (1 + d).
Proof. expand. Qed.

Lemma two_two d : win 2 (2 + d) == (295 # 1296) * win 2 d + (420 # 1296) * win 1 (1 + d).
Proof. expand. Qed.

Lemma three_two a d : win (3 + a) (2 + d) ==
  (2890 # 7776) * win (3 + a) d + (2611 # 7776) * win (2 + a) (1 + d)
  + (2275 # 7776) * win (1 + a) (2 + d).
Proof. expand. Qed.

(** ** Chances lie between 0 and 1 *)

Ltac arms a d :=
  destruct d as [|[|d]]; [rewrite ?win_no_defender; try lra | |];
  (destruct a as [|[|[|a]]]; [rewrite ?win_no_attacker; try lra | | |]).

Lemma win_is_chance : forall size a d, (a + d <= size)%nat -> 0 <= win a d <= 1.
Proof.
  induction size as [|size IH]; intros a d H.
  - replace d with 0%nat by lia. rewrite win_no_defender. lra.
  - arms a d.
    + rewrite one_one. lra.
    + rewrite two_one. assert (0 <= win 1 1 <= 1) by (apply IH; lia). lra.
    + rewrite (three_one a). assert (0 <= win (2 + a) 1 <= 1) by (apply IH; lia). lra.
    + rewrite (one_two d). assert (0 <= win 1 (1 + d) <= 1) by (apply IH; lia). lra.
    + rewrite (two_two d). assert (0 <= win 1 (1 + d) <= 1) by (apply IH; lia).
      assert (0 <= win 2 d <= 1) by (apply IH; lia). lra.
    + rewrite (three_two a d). assert (0 <= win (2 + a) (1 + d) <= 1) by (apply IH; lia).
      assert (0 <= win (3 + a) d <= 1) by (apply IH; lia).
      assert (0 <= win (1 + a) (2 + d) <= 1) by (apply IH; lia). lra.
Qed.

Lemma chance_to_win a d : 0 <= win a d <= 1.
Proof. exact (win_is_chance (a + d) a d (le_n _)). Qed.

(** ** More attackers *)

Lemma more_attackers : forall size a d, (a + d <= size)%nat -> win a d <= win (S a) d.
Proof.
  induction size as [|size IH]; intros a d H.
  - replace d with 0%nat by lia. rewrite !win_no_defender. lra.
  - arms a d.
    + apply chance_to_win.
    + rewrite two_one. pose proof (chance_to_win 1 1). lra.
    + rewrite (three_one 0). rewrite two_one.
      assert (win 1 1 <= win 2 1) by (apply IH; lia). pose proof (chance_to_win 1 1).
        cbn [Nat.add]. lra.
    + rewrite (three_one a), (three_one (S a)).
      assert (win (2 + a) 1 <= win (3 + a) 1) by (apply IH; lia). cbn [Nat.add] in *. lra.
    + apply chance_to_win.
    + rewrite (one_two d), (two_two d). pose proof (chance_to_win 1 (1 + d)).
      pose proof (chance_to_win 2 d). lra.
    + rewrite (two_two d), (three_two 0 d).
      assert (win 2 d <= win 3 d) by (apply IH; lia).
      assert (win 1 (1 + d) <= win 2 (1 + d)) by (apply IH; lia).
      pose proof (chance_to_win 1 (2 + d)). pose proof (chance_to_win 1 (1 + d)).
      pose proof (chance_to_win 2 d). cbn [Nat.add] in *. lra.
    + rewrite (three_two a d), (three_two (S a) d).
      assert (win (3 + a) d <= win (4 + a) d) by (apply IH; lia).
      assert (win (2 + a) (1 + d) <= win (3 + a) (1 + d)) by (apply IH; lia).
      assert (win (1 + a) (2 + d) <= win (2 + a) (2 + d)) by (apply IH; lia).
      cbn [Nat.add] in *. lra.
Qed.

(** ** More defenders *)

Lemma more_defenders : forall size a d, (a + d <= size)%nat -> win a (S d) <= win a d.
Proof.
  induction size as [|size IH]; intros a d H.
  - replace d with 0%nat by lia. rewrite !win_no_defender. apply chance_to_win.
  - destruct d as [|[|d]]; [rewrite win_no_defender; apply chance_to_win | |];
      (destruct a as [|[|[|a]]]; [rewrite !win_no_attacker; lra | | |]).
    + rewrite (one_two 0). pose proof (chance_to_win 1 1). cbn [Nat.add]. lra.
    + rewrite (two_two 0), two_one, win_no_defender. pose proof (chance_to_win 1 1).
      cbn [Nat.add]. lra.
    + rewrite (three_two a 0), (three_one a), win_no_defender.
      assert (win (1 + a) 2 <= win (1 + a) 1) by (apply IH; lia).
      assert (win (1 + a) 1 <= win (2 + a) 1) by (apply (more_attackers (1 + a + 1)); lia).
      pose proof (chance_to_win (2 + a) 1). cbn [Nat.add] in *. lra.
    + rewrite (one_two d), (one_two (S d)).
      assert (win 1 (2 + d) <= win 1 (1 + d)) by (apply IH; lia). cbn [Nat.add] in *. lra.
    + rewrite (two_two d), (two_two (S d)).
      assert (win 1 (2 + d) <= win 1 (1 + d)) by (apply IH; lia).
      assert (win 2 (1 + d) <= win 2 d) by (apply IH; lia). cbn [Nat.add] in *. lra.
    + rewrite (three_two a d), (three_two a (S d)).
      assert (win (3 + a) (1 + d) <= win (3 + a) d) by (apply IH; lia).
      assert (win (2 + a) (2 + d) <= win (2 + a) (1 + d)) by (apply IH; lia).
      assert (win (1 + a) (3 + d) <= win (1 + a) (2 + d)) by (apply IH; lia).
      cbn [Nat.add] in *. lra.
Qed.

Theorem monotone : monotone_statement.
Proof.
  intros a d. rewrite !Nat.add_1_r.
  split; [eapply more_attackers | eapply more_defenders]; apply le_n.
Qed.
