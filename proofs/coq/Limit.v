(** * Theorem 8: the limit of equal armies, with dice of six sides

    The chance to fail is at most [bound a d], by induction on [a + d]: with two attackers or fewer
    the bound is at least 1, and from three on it does not rise on average in a round. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Risk Monotone.
Open Scope Q_scope.

Definition bound (a d : nat) : Q := (2304 # 2209) * (power (47 # 48) a * power (51 # 50) d).

Lemma power_at_least_one q n : 1 <= q -> 1 <= power q n.
Proof. intros H. induction n; simpl; [lra | nra]. Qed.

Lemma three_one_six a : win 6 (3 + a) 1 == (855 # 1296) + (441 # 1296) * win 6 (2 + a) 1.
Proof.
  rewrite three_one by lia. unfold chance. rewrite !lost_counted by (simpl; lia).
  change (lost_of 3 1 0) with 855%Z. change (all_rolls 6 3 1) with 1296%positive. ring.
Qed.

Lemma three_two_six a d : win 6 (3 + a) (2 + d) ==
  (2890 # 7776) * win 6 (3 + a) d + (2611 # 7776) * win 6 (2 + a) (1 + d)
  + (2275 # 7776) * win 6 (1 + a) (2 + d).
Proof.
  rewrite three_two by lia. unfold chance. rewrite !lost_counted by (simpl; lia).
  change (lost_of 3 2 0) with 2890%Z. change (lost_of 3 2 1) with 2611%Z.
  change (all_rolls 6 3 2) with 7776%positive. ring.
Qed.

Lemma fails_at_most : forall size a d, (a + d <= size)%nat -> 1 - win 6 a d <= bound a d.
Proof.
  induction size as [|size IH]; intros a d H; unfold bound in *;
    pose proof (power_at_least_one (51 # 50) d) as beta; specialize (beta ltac:(lra));
    pose proof (power_positive (47 # 48) a) as alpha; specialize (alpha ltac:(lra)).
  - replace d with 0%nat in * by lia. rewrite win_no_defender. nra.
  - destruct a as [|[|[|a]]];
      [pose proof (chance_to_win 6 0 d ltac:(lia)); cbn [power]; lra
      |pose proof (chance_to_win 6 1 d ltac:(lia)); cbn [power]; lra
      |pose proof (chance_to_win 6 2 d ltac:(lia)); cbn [power]; lra
      |].
    destruct d as [|[|d]].
    + rewrite win_no_defender. nra.
    + rewrite (three_one_six a).
      assert (1 - win 6 (2 + a) 1 <= (2304 # 2209) * (power (47 # 48) (2 + a) * power (51 # 50) 1))
        by (apply IH; lia).
      cbn [power Nat.add] in *. lra.
    + rewrite (three_two_six a d).
      assert (1 - win 6 (3 + a) d <= (2304 # 2209) * (power (47 # 48) (3 + a) * power (51 # 50) d))
        by (apply IH; lia).
      assert (1 - win 6 (2 + a) (1 + d)
              <= (2304 # 2209) * (power (47 # 48) (2 + a) * power (51 # 50) (1 + d)))
        by (apply IH; lia).
      assert (1 - win 6 (1 + a) (2 + d)
              <= (2304 # 2209) * (power (47 # 48) (1 + a) * power (51 # 50) (2 + d)))
        by (apply IH; lia).
      assert (0 <= power (47 # 48) a * power (51 # 50) d)
        by (apply Qmult_le_0_compat; apply power_nonnegative; lra).
      cbn [power Nat.add] in *. lra.
Qed.

Theorem limit : limit_statement.
Proof.
  intros n Hn. pose proof (fails_at_most (n + n) n n (le_n _)) as H. unfold bound in H.
  replace n with (2 + (n - 2))%nat in H at 3 by lia.
  eapply Qle_trans; [exact H|]. cbn [power Nat.add]. lra.
Qed.
