(** * Theorems 10 and 27: the most dice are a saddle point, for all armies

    Two inequalities say how much a unit more or less is worth. Inside, with three dice against two,
    both sides of them satisfy the equation of the battle and so inherit them from smaller armies; on
    the edges, two or three attackers and one or two defenders, they follow by induction with
    comparisons of chances that hold from two sides on. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums AnySides Risk Coefficients Monotone.
Import ListNotations.
Open Scope Q_scope.

Local Opaque win chance.  (* or else rewriting computes the chances *)

Lemma two_steps (P : nat -> Prop) : P 0%nat -> P 1%nat -> (forall n, P n -> P (S (S n))) ->
  forall n, P n.
Proof.
  intros zero one step. enough (forall n, P n /\ P (S n)) as H by (intros n; apply H).
  induction n as [|n [H H']]; auto.
Qed.

Lemma divided c x : 0 < c -> 0 <= c * x -> 0 <= x.
Proof. intros. destruct (Qlt_le_dec x 0); [nra | assumption]. Qed.

Section Sides.
  Variable s : nat.
  Hypothesis two : (2 <= s)%nat.
  Lemma sided : (1 <= s)%nat.
  Proof. lia. Qed.

  Local Notation V := (win s).
  Local Notation p := (chance s 1 2 0).
  Local Notation q1 := (chance s 1 1 0).
  Local Notation q2 := (chance s 2 1 0).
  Local Notation q3 := (chance s 3 1 0).
  Local Notation w0 := (chance s 2 2 0).
  Local Notation w1 := (chance s 2 2 1).
  Local Notation u0 := (chance s 3 2 0).
  Local Notation u1 := (chance s 3 2 1).
  Local Notation u2 := (1 - u0 - u1).
  Local Notation theta := ((1 # 2) - (5 # 8) * (1 # Pos.of_nat s)).

  (** A unit of the defender is worth at least so much: three dice against one make no more. *)

  Definition one_less (a d : nat) : Prop := V (S a) (S d) <= q3 * V (S a) d + (1 - q3) * V a (S d).

  Definition one_more (a d : nat) : Prop :=
    theta * V (S a) d + (1 - theta) * V a (S d) <= V (S a) (S d).

  Lemma u2_positive : 0 <= u2.
  Proof. rewrite <- two_pairs by (lia || reflexivity). apply chance_positive. Qed.

  (** ** The edges *)

  Lemma two_attackers : forall d, one_less 1 d /\ one_more 1 d.
  Proof.
    unfold one_less, one_more. apply two_steps; [split; by_coefficients two..|].
    intros d [G H]. use (two_two s sided (1 + d)). use (one_two s sided (1 + d)).
    use (two_two s sided d). use (one_two s sided d).
    assert (0 <= q3 * w1 + (1 - q3) * (p * p - w0) - w1 * p) as g by by_coefficients two.
    assert (0 <= w1 * p - theta * w1 - (1 - theta) * (p * p - w0)) as h by by_coefficients two.
    weigh (V 1 (S d)) with g. weigh (V 1 (S d)) with h. weigh w0 with G. weigh w0 with H.
    split; lra.
  Qed.

  Lemma two_attackers_fall : forall d, V 2 4 * V 2 (4 + d) <= V 2 5 * V 2 (3 + d).
  Proof.
    apply two_steps; [by_coefficients two..|].
    intros d H. use (two_two s sided (4 + d)). use (two_two s sided (3 + d)).
    use (one_two s sided (3 + d)).
    assert (p * V 2 4 <= V 2 5) as less by by_coefficients two.
    weigh w0 with H. weigh (w1 * V 1 (4 + d)%nat) with less. cbn [Nat.add] in *. lra.
  Qed.

  Lemma three_attackers_less : forall d,
    V 3 (2 + d) + (1 # 12) * V 2 (2 + d) <= q3 * V 3 (1 + d) + (1 - q3) * V 2 (2 + d).
  Proof.
    intros [|d]; [by_coefficients two|]. revert d. apply two_steps; [by_coefficients two..|].
    intros d F. pose proof (two_attackers_fall d) as falls.
    use (three_two s sided 0 (3 + d)). use (three_two s sided 0 (2 + d)).
    use (two_two s sided (3 + d)). use (one_two s sided (3 + d)).
    assert (u1 * V 2 5 <= (q3 * u1 - (1 - q3 - (1 # 12)) * (u0 - w0)) * V 2 4) as alpha
      by by_coefficients two.
    assert (0 <= (1 - q3) * w1 + u2 * (q3 - p) - (1 # 12) * w1) as beta by by_coefficients two.
    assert ((1 # 65536) <= V 2 4) by by_coefficients two.
    weigh (V 2 (3 + d)%nat) with alpha. weigh u1 with falls.
    pose proof (divided (V 2 4) ((q3 * u1 - (1 - q3 - (1 # 12)) * (u0 - w0)) * V 2 (3 + d)%nat
      - u1 * V 2 (4 + d)%nat) ltac:(lra) ltac:(cbn [Nat.add] in *; lra)).
    weigh (V 1 (4 + d)%nat) with beta. weigh u0 with F. cbn [Nat.add] in *. lra.
  Qed.

  Lemma three_attackers_more : forall d, one_more 2 d.
  Proof.
    unfold one_more. apply two_steps; [by_coefficients two..|].
    intros d H. destruct (two_attackers (1 + d)) as [_ M]. unfold one_more in M.
    pose proof (more_defence s 1 (1 + d) sided). pose proof (more_attack s 1 (1 + d) sided).
    use (three_two s sided 0 (1 + d)). use (three_two s sided 0 d).
    use (two_two s sided (1 + d)). use (one_two s sided (1 + d)).
    assert (0 <= (1 - theta) * (u0 - w0)) as rises by by_coefficients two.
    assert ((theta - p) * u2 + (1 - theta) * (w1 - u1) <= (1 - theta) * (u0 - w0)) as gamma
      by by_coefficients two.
    weigh u0 with H. weigh u1 with M. weigh (V 1 (2 + d)%nat) with gamma.
    pose proof (weighed _ (V 1 (2 + d)%nat) (V 2 (1 + d)%nat) rises ltac:(cbn [Nat.add] in *; lra)).
    cbn [Nat.add] in *. lra.
  Qed.

  Lemma one_defender a : one_less (2 + a) 0 /\ one_more (2 + a) 0.
  Proof.
    unfold one_less, one_more. rewrite !win_no_defender. use (three_one s sided a).
    assert (theta <= q3) as less by by_coefficients two.
    pose proof (chance_to_win s (2 + a) 1 sided). cbn [Nat.add] in *.
    weigh (1 - V (S (S a)) 1) with less. split; lra.
  Qed.

  Lemma two_defenders : forall a, one_less (1 + a) 1 /\ one_more (1 + a) 1.
  Proof.
    apply two_steps.
    - apply two_attackers.
    - split; [unfold one_less; by_coefficients two | apply three_attackers_more].
    - unfold one_less, one_more. intros a [G H].
      use (three_two s sided (1 + a) 0). use (three_two s sided a 0).
      use (three_one s sided (1 + a)). use (three_one s sided a). rewrite !win_no_defender in *.
      assert (0 <= q3 * (u2 - (1 - q3) * (1 - q3))) as g by by_coefficients two.
      assert (0 <= ((1 - theta) - (1 - q3)) * u1 - theta * (u2 - (1 - q3) * (1 - q3))) as h
        by by_coefficients two.
      pose proof u2_positive. pose proof (chance_to_win s (2 + a) 1 sided). cbn [Nat.add] in *.
      weigh (1 - V (S (S a)) 1) with g. weigh (1 - V (S (S a)) 1) with h.
      weigh u2 with G. weigh u2 with H. split; lra.
  Qed.

  (** ** All armies *)

  Lemma a_unit : forall size a d, (a + d <= size)%nat -> one_less (1 + a) d /\ one_more (1 + a) d.
  Proof.
    induction size as [|size IH]; intros a d Hsize.
    - replace a with O by lia. exact (two_attackers d).
    - destruct a as [|[|a]]; [exact (two_attackers d) | |].
      + split; [|exact (three_attackers_more d)].
        destruct d as [|d]; [exact (proj1 (one_defender 0))|].
        unfold one_less. pose proof (three_attackers_less d).
        pose proof (chance_to_win s 2 (2 + d) sided). cbn [Nat.add] in *. lra.
      + destruct d as [|[|d]]; [exact (one_defender (1 + a)) | exact (two_defenders (2 + a)) |].
        destruct (IH (2 + a)%nat d ltac:(lia)) as [G H].
        destruct (IH (1 + a)%nat (1 + d)%nat ltac:(lia)) as [G' H'].
        destruct (IH a (2 + d)%nat ltac:(lia)) as [G'' H''].
        unfold one_less, one_more in *. pose proof u2_positive.
        use (three_two s sided (1 + a) (1 + d)).
        use (three_two s sided (1 + a) d). use (three_two s sided a (1 + d)).
        weigh u0 with G. weigh u1 with G'. weigh u2 with G''.
        weigh u0 with H. weigh u1 with H'. weigh u2 with H''.
        split; lra.
  Qed.
  (** ** One round of other dice, then the most *)

  Local Notation E := (after_round s V).

  Lemma w2_positive : 0 <= 1 - w0 - w1.
  Proof. rewrite <- two_pairs by (exact sided || lia || reflexivity). apply chance_positive. Qed.

  (** Of the attacker's dice the most are best against the most of the defender's. *)

  Lemma most_attack_best a d i : (1 <= a)%nat -> (1 <= d)%nat -> (1 <= i <= min a 3)%nat ->
    E a d i (min d 2) <= V a d.
  Proof.
    intros Ha Hd Hi. destruct (Nat.eq_dec i (min a 3)) as [-> | fewer].
    { rewrite (win_equation s a d) by assumption. apply Qle_refl. }
    destruct a as [|[|a]]; [lia.. |]. destruct d as [|[|d]]; [lia | |].
    - pose proof (chance_to_win s (1 + a) 1 sided).
      assert (i = 1 \/ i = 2 /\ 1 <= a)%nat as [-> | [-> Ha']] by lia; cbn [Nat.min].
      + use (round_one_one s sided V (1 + a) 0). rewrite win_no_defender. destruct a as [|a].
        * use (two_one s sided). assert (q1 <= q2) by by_coefficients two.
          weigh (1 - V 1 1) q1 q2. lra.
        * use (three_one s sided a). assert (q1 <= q3) by by_coefficients two.
          weigh (1 - V (S (S a)) 1) q1 q3. lra.
      + destruct a as [|a]; [lia|]. use (round_two_one s sided V (1 + a) 0).
        use (three_one s sided a). rewrite win_no_defender.
        assert (q2 <= q3) by by_coefficients two. weigh (1 - V (S (S a)) 1) q2 q3. lra.
    - replace (min (S (S d)) 2) with 2%nat by lia.
      assert (i = 1 \/ i = 2 /\ 1 <= a)%nat as [-> | [-> Ha']] by lia.
      + use (round_one_two s sided V (1 + a) d). destruct (a_unit _ a (1 + d) (le_n _)) as [_ H].
        unfold one_more in H. pose proof (more_attack s (1 + a) (1 + d) sided).
        pose proof (more_defence s (1 + a) (1 + d) sided).
        assert (p <= theta) by by_coefficients two. cbn [Nat.add] in *.
        weigh (V (S (S a)) (S d) - V (S a) (S (S d))) p theta. lra.
      + destruct a as [|a]; [lia|]. use (round_two_two s sided V (1 + a) d).
        use (three_two s sided a d). pose proof (more_attack s (1 + a) (2 + d) sided).
        pose proof (more_defence s (2 + a) (1 + d) sided).
        pose proof (more_attack s (2 + a) d sided). pose proof (more_defence s (2 + a) d sided).
        pose proof (more_defence s (1 + a) (1 + d) sided).
        pose proof (more_attack s (1 + a) (1 + d) sided).
        assert (w0 <= u0) by by_coefficients two.
        assert (w0 + w1 <= u0 + u1) by by_coefficients two. cbn [Nat.add] in *.
        weigh (V (S (S (S a))) d - V (S (S a)) (S d)) w0 u0.
        weigh (V (S (S a)) (S d) - V (S a) (S (S d))) (w0 + w1) (u0 + u1). lra.
  Qed.

  (** And the most are the defender's best answer to any number of the attacker's. *)

  Lemma most_defence_best a d i j : (1 <= a)%nat -> (1 <= d)%nat -> (1 <= i <= min a 3)%nat ->
    (1 <= j <= min d 2)%nat -> E a d i (min d 2) <= E a d i j.
  Proof.
    intros Ha Hd Hi Hj. destruct (Nat.eq_dec j (min d 2)) as [-> | fewer]; [apply Qle_refl|].
    destruct d as [|[|d]]; [lia.. |]. assert (j = 1%nat) as -> by lia.
    replace (min (S (S d)) 2) with 2%nat by lia.
    assert (i = 1 \/ i = 2 \/ i = 3)%nat as [-> | [-> | ->]] by lia.
    - destruct a as [|a]; [lia|]. use (round_one_two s sided V a d).
      use (round_one_one s sided V a (1 + d)). assert (p <= q1) by by_coefficients two.
      pose proof (more_attack s a (1 + d) sided). pose proof (more_defence s a (1 + d) sided).
      cbn [Nat.add] in *. weigh (V (S a) (S d) - V a (S (S d))) p q1. lra.
    - destruct a as [|[|a]]; [lia.. |]. use (round_two_two s sided V a d).
      use (round_two_one s sided V a (1 + d)).
      destruct (a_unit _ a d (le_n _)) as [_ H]. unfold one_more in H.
      pose proof (more_attack s (1 + a) (1 + d) sided). pose proof (more_attack s (1 + a) d sided).
      pose proof (more_defence s (1 + a) d sided). pose proof (more_attack s a (2 + d) sided).
      pose proof (more_defence s (1 + a) (1 + d) sided).
      pose proof (more_attack s a (1 + d) sided). pose proof (more_defence s a (1 + d) sided).
      assert (w0 <= theta * q2) by by_coefficients two.
      assert (1 - q2 <= 1 - w0 - w1) by by_coefficients two.
      pose proof (chance_between s sided 2 1 0 ltac:(lia) ltac:(lia) ltac:(simpl; lia)).
      cbn [Nat.add] in *. weigh q2 with H. weigh (1 - q2) (V a (S (S d))) (V (S a) (S (S d))).
      weigh (V (S (S a)) d - V (S a) (S d)) w0 (theta * q2).
      weigh (V (S a) (S d) - V a (S (S d))) (1 - q2) (1 - w0 - w1). lra.
    - destruct a as [|[|[|a]]]; [lia.. |]. use (round_three_one s sided V a (1 + d)).
      destruct (a_unit _ (1 + a) (1 + d) (le_n _)) as [H _]. unfold one_less in H.
      pose proof (win_equation s (3 + a) (2 + d) ltac:(lia) ltac:(lia)) as most.
      rewrite (Nat.min_r _ 3), (Nat.min_r _ 2) in most by lia. cbn [Nat.add] in *. lra.
  Qed.
End Sides.

Lemma best_attack s a d i : (1 <= s)%nat -> (1 <= a)%nat -> (1 <= d)%nat ->
  (1 <= i <= min a 3)%nat -> after_round s (win s) a d i (min d 2) <= win s a d.
Proof.
  intros sided Ha Hd Hi. assert (s = 1 \/ 2 <= s)%nat as [-> | two] by lia.
  - destruct d; [lia|]. rewrite round_one_side, !one_side by lia. apply Qle_refl.
  - now apply most_attack_best.
Qed.

Lemma best_defence s a d i j : (1 <= s)%nat -> (1 <= a)%nat -> (1 <= d)%nat ->
  (1 <= i <= min a 3)%nat -> (1 <= j <= min d 2)%nat ->
  after_round s (win s) a d i (min d 2) <= after_round s (win s) a d i j.
Proof.
  intros sided Ha Hd Hi Hj. assert (s = 1 \/ 2 <= s)%nat as [-> | two] by lia.
  - destruct d; [lia|]. rewrite !round_one_side, !one_side by lia. apply Qle_refl.
  - now apply most_defence_best.
Qed.
