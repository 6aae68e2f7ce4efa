(** * Theorem 10: the most dice are a saddle point, for all armies

    Two inequalities say how much a unit more or less is worth. Inside, with three dice against two,
    both sides of them satisfy the equation of the battle and so inherit them from smaller armies; on
    the edges, two or three attackers and one or two defenders, they follow by induction with numbers
    that [lra] compares. The chances of all rounds are those of Risk.v. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Risk Monotone.
Import ListNotations.
Open Scope Q_scope.

(** A unit of the defender is worth at least so much: three dice against one make no more. *)

Definition one_less (a d : nat) : Prop :=
  win (S a) (S d) <= (855 # 1296) * win (S a) d + (441 # 1296) * win a (S d).

Definition one_more (a d : nat) : Prop :=
  (13 # 33) * win (S a) d + (20 # 33) * win a (S d) <= win (S a) (S d).

(** ** The edges *)

Lemma two_steps (P : nat -> Prop) : P 0%nat -> P 1%nat -> (forall n, P n -> P (S (S n))) ->
  forall n, P n.
Proof.
  intros zero one step. enough (forall n, P n /\ P (S n)) as H by (intros n; apply H).
  induction n as [|n [H H']]; auto.
Qed.

Ltac first_values :=
  pose proof one_one; pose proof two_one; pose proof (three_one 0); pose proof (one_two 0);
  pose proof (one_two 1); pose proof (two_two 0); pose proof (two_two 1); pose proof (one_two 2);
  pose proof (three_two 0 0); pose proof (three_two 0 1);
  pose proof (win_no_defender 2) as E2; pose proof (win_no_defender 3) as E3;
  cbn [Nat.add] in *; rewrite ?E2, ?E3 in *; lra.

Lemma two_attackers : forall d, one_less 1 d /\ one_more 1 d.
Proof.
  unfold one_less, one_more. apply two_steps.
  - rewrite win_no_defender. first_values.
  - first_values.
  - intros d [G H]. pose proof (one_two d). pose proof (one_two (1 + d)).
    pose proof (two_two d). pose proof (two_two (1 + d)). pose proof (chance_to_win 1 (1 + d)).
    cbn [Nat.add] in *. lra.
Qed.

Lemma two_attackers_fall : forall d, win 2 (2 + d) <= (4 # 7) * win 2 (1 + d).
Proof.
  apply two_steps; [first_values..|].
  intros d H. pose proof (one_two d). pose proof (two_two (1 + d)). pose proof (two_two (2 + d)).
  pose proof (one_two (1 + d)). pose proof (chance_to_win 1 (1 + d)). cbn [Nat.add] in *. lra.
Qed.

Lemma three_attackers_less : forall d,
  win 3 (2 + d) + (1 # 7) * win 2 (2 + d)
  <= (855 # 1296) * win 3 (1 + d) + (441 # 1296) * win 2 (2 + d).
Proof.
  apply two_steps; [first_values..|].
  intros d H. pose proof (two_attackers_fall (1 + d)).
  pose proof (three_two 0 (1 + d)). pose proof (three_two 0 (2 + d)).
  pose proof (two_two (1 + d)). pose proof (two_two (2 + d)). pose proof (one_two (1 + d)).
  pose proof (one_two (2 + d)). pose proof (one_two d).
  pose proof (chance_to_win 1 (2 + d)). pose proof (chance_to_win 2 (2 + d)).
  pose proof (chance_to_win 1 (3 + d)). cbn [Nat.add] in *. lra.
Qed.

Lemma three_attackers_more : forall d, one_more 2 d.
Proof.
  unfold one_more. apply two_steps.
  - rewrite win_no_defender. first_values.
  - first_values.
  - intros d H. destruct (two_attackers (1 + d)) as [_ M]. unfold one_more in M.
    pose proof (three_two 0 d). pose proof (three_two 0 (1 + d)).
    pose proof (two_two d). pose proof (two_two (1 + d)). pose proof (one_two d).
    pose proof (one_two (1 + d)). pose proof (more_defenders _ 2 (1 + d) (le_n _)).
    pose proof (more_attackers _ 1 (2 + d) (le_n _)).
    pose proof (more_attackers _ 1 (1 + d) (le_n _)).
    pose proof (chance_to_win 1 (1 + d)). cbn [Nat.add] in *. lra.
Qed.

Lemma one_defender a : one_less (2 + a) 0 /\ one_more (2 + a) 0.
Proof.
  unfold one_less, one_more. rewrite win_no_defender. pose proof (three_one a).
  pose proof (chance_to_win (2 + a) 1). cbn [Nat.add] in *. lra.
Qed.

Lemma two_defenders : forall a, one_less (2 + a) 1 /\ one_more (2 + a) 1.
Proof.
  assert (forall a, one_less (1 + a) 1 /\ one_more (1 + a) 1) as H; [|intros a; apply (H (1 + a)%nat)].
  apply two_steps.
  - apply two_attackers.
  - split; [|apply three_attackers_more]. unfold one_less.
    pose proof (three_attackers_less 0). pose proof (chance_to_win 2 2). cbn [Nat.add] in *. lra.
  - unfold one_less, one_more. intros a [G H]. destruct a as [|a].
    + pose proof (three_two 0 0). pose proof (three_two 1 0). pose proof (three_one 0).
      pose proof (three_one 1). rewrite !win_no_defender in *.
      pose proof (chance_to_win 2 1). cbn [Nat.add] in *. lra.
    + pose proof (three_two (1 + a) 0). pose proof (three_two (2 + a) 0).
      pose proof (three_one (1 + a)). pose proof (three_one (2 + a)). pose proof (three_one a).
      rewrite !win_no_defender in *. pose proof (chance_to_win (2 + a) 1).
      pose proof (chance_to_win (3 + a) 1). cbn [Nat.add] in *. lra.
Qed.

(** ** All armies *)

Lemma a_unit : forall size a d, (a + d <= size)%nat -> one_less (1 + a) d /\ one_more (1 + a) d.
Proof.
  induction size as [|size IH]; intros a d Hsize.
  - replace a with O by lia. exact (two_attackers d).
  - destruct a as [|[|a]]; [exact (two_attackers d) | |].
    + split; [|exact (three_attackers_more d)].
      destruct d as [|d]; [exact (proj1 (one_defender 0))|].
      unfold one_less. pose proof (three_attackers_less d). pose proof (chance_to_win 2 (2 + d)).
      cbn [Nat.add] in *. lra.
    + destruct d as [|[|d]]; [exact (one_defender (1 + a)) | exact (two_defenders (1 + a)) |].
      destruct (IH (2 + a)%nat d ltac:(lia)) as [G H].
      destruct (IH (1 + a)%nat (1 + d)%nat ltac:(lia)) as [G' H'].
      destruct (IH a (2 + d)%nat ltac:(lia)) as [G'' H''].
      unfold one_less, one_more in *. pose proof (three_two (1 + a) (1 + d)).
      pose proof (three_two (1 + a) d). pose proof (three_two a (1 + d)).
      cbn [Nat.add] in *. lra.
Qed.

(** ** One round of other dice, then the most *)

Ltac one_round :=
  unfold after_round, chance; cbn [Nat.min seq sum fold_right];
  rewrite !lost_enumerated by (simpl; lia);
  cbn [lost_of nth Nat.add Nat.sub Nat.min]; rewrite ?Nat.sub_0_r;
  change (all_rolls 1 1) with 36%positive; change (all_rolls 1 2) with 216%positive;
  change (all_rolls 2 1) with 216%positive; change (all_rolls 2 2) with 1296%positive;
  change (all_rolls 3 1) with 1296%positive; ring.

Lemma round_one_one a d : after_round win (1 + a) (1 + d) 1 1
  == (15 # 36) * win (1 + a) d + (21 # 36) * win a (1 + d).
Proof. one_round. Qed.

Lemma round_one_two a d : after_round win (1 + a) (2 + d) 1 2
  == (55 # 216) * win (1 + a) (1 + d) + (161 # 216) * win a (2 + d).
Proof. one_round. Qed.

Lemma round_two_one a d : after_round win (2 + a) (1 + d) 2 1
  == (125 # 216) * win (2 + a) d + (91 # 216) * win (1 + a) (1 + d).
Proof. one_round. Qed.

Lemma round_two_two a d : after_round win (2 + a) (2 + d) 2 2
  == (295 # 1296) * win (2 + a) d + (420 # 1296) * win (1 + a) (1 + d)
     + (581 # 1296) * win a (2 + d).
Proof. one_round. Qed.

Lemma round_three_one a d : after_round win (3 + a) (1 + d) 3 1
  == (855 # 1296) * win (3 + a) d + (441 # 1296) * win (2 + a) (1 + d).
Proof. one_round. Qed.

Lemma more_attack a d : win a d <= win (S a) d.
Proof. exact (more_attackers (a + d) a d (le_n _)). Qed.

Lemma more_defence a d : win a (S d) <= win a d.
Proof. exact (more_defenders (a + d) a d (le_n _)). Qed.

(** Of the attacker's dice the most are best against the most of the defender's. *)

Lemma best_attack a d i : (1 <= a)%nat -> (1 <= d)%nat -> (1 <= i <= min a 3)%nat ->
  after_round win a d i (min d 2) <= win a d.
Proof.
  intros Ha Hd Hi. destruct (Nat.eq_dec i (min a 3)) as [-> | fewer].
  { rewrite (win_equation a d) by assumption. apply Qle_refl. }
  destruct a as [|[|a]]; [lia.. |]. destruct d as [|[|d]]; [lia | |].
  - assert (i = 1 \/ i = 2 /\ 1 <= a)%nat as [-> | [-> Ha']] by lia; cbn [Nat.min].
    + rewrite (round_one_one (1 + a) 0), win_no_defender.
      pose proof (chance_to_win (1 + a) 1). destruct a as [|a].
      * pose proof two_one. cbn [Nat.add] in *. lra.
      * pose proof (three_one a). cbn [Nat.add] in *. lra.
    + destruct a as [|a]; [lia|]. rewrite (round_two_one (1 + a) 0), win_no_defender.
      pose proof (chance_to_win (2 + a) 1). pose proof (three_one a). cbn [Nat.add] in *. lra.
  - replace (min (S (S d)) 2) with 2%nat by lia.
    assert (i = 1 \/ i = 2 /\ 1 <= a)%nat as [-> | [-> Ha']] by lia.
    + rewrite (round_one_two (1 + a) d). destruct (a_unit _ a (1 + d) (le_n _)) as [_ H].
      unfold one_more in H. pose proof (more_attack (1 + a) (2 + d)).
      pose proof (more_defence (2 + a) (1 + d)). pose proof (more_defence (1 + a) (1 + d)).
      pose proof (more_attack (1 + a) (1 + d)). cbn [Nat.add] in *. lra.
    + destruct a as [|a]; [lia|]. rewrite (round_two_two (1 + a) d), (three_two a d).
      pose proof (more_attack (1 + a) (2 + d)). pose proof (more_defence (2 + a) (1 + d)).
      pose proof (more_attack (2 + a) d). pose proof (more_defence (2 + a) d).
      cbn [Nat.add] in *. lra.
Qed.

(** And the most are the defender's best answer to any number of the attacker's. *)

Lemma best_defence a d i j : (1 <= a)%nat -> (1 <= d)%nat -> (1 <= i <= min a 3)%nat ->
  (1 <= j <= min d 2)%nat -> after_round win a d i (min d 2) <= after_round win a d i j.
Proof.
  intros Ha Hd Hi Hj. destruct (Nat.eq_dec j (min d 2)) as [-> | fewer]; [apply Qle_refl|].
  destruct d as [|[|d]]; [lia.. |]. assert (j = 1%nat) as -> by lia.
  replace (min (S (S d)) 2) with 2%nat by lia.
  assert (i = 1 \/ i = 2 \/ i = 3)%nat as [-> | [-> | ->]] by lia.
  - destruct a as [|a]; [lia|]. rewrite (round_one_two a d), (round_one_one a (1 + d)).
    pose proof (more_attack a (1 + d)). pose proof (more_defence a (1 + d)).
    cbn [Nat.add] in *. lra.
  - destruct a as [|[|a]]; [lia.. |]. rewrite (round_two_two a d), (round_two_one a (1 + d)).
    destruct (a_unit _ a d (le_n _)) as [_ H]. unfold one_more in H.
    pose proof (more_attack (1 + a) (1 + d)). pose proof (more_attack (1 + a) d).
    pose proof (more_defence (1 + a) d). pose proof (more_attack a (2 + d)).
    pose proof (more_defence (1 + a) (1 + d)). cbn [Nat.add] in *. lra.
  - destruct a as [|[|[|a]]]; [lia.. |]. rewrite (round_three_one a (1 + d)).
    destruct (a_unit _ (1 + a) (1 + d) (le_n _)) as [H _]. unfold one_less in H.
    pose proof (win_equation (3 + a) (2 + d) ltac:(lia) ltac:(lia)) as E.
    rewrite (Nat.min_r _ 3), (Nat.min_r _ 2) in E by lia. cbn [Nat.add] in *. lra.
Qed.
