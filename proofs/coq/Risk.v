(** * Risk: the equation of the battle, and its rounds

    [win_within] does not depend on the number of rounds once it is at least [a + d], for a round
    takes at least one unit. So [win] satisfies the equation of the game, from which all else
    follows. The chances of a round are those of AnySides.v, and sum to 1. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums AnySides.
Import ListNotations.
Open Scope Q_scope.

Lemma after_round_equal s f g a d i j : (1 <= i <= a)%nat -> (1 <= j <= d)%nat ->
  (forall a' d', (a' <= a)%nat -> (d' <= d)%nat -> (a' + d' < a + d)%nat -> f a' d' == g a' d') ->
  after_round s f a d i j == after_round s g a d i j.
Proof.
  intros Hi Hj H. unfold after_round. apply sum_equal. intros k Hk. apply in_seq in Hk.
  rewrite H; [reflexivity | lia..].
Qed.

Lemma win_within_enough s n : forall a d, (a + d <= n)%nat -> win_within s n a d == win s a d.
Proof.
  induction n as [n IH] using (well_founded_induction lt_wf). intros a d Hn.
  unfold win. destruct d as [|d]; [destruct n, (a + 0)%nat; reflexivity|].
  destruct a as [|a]; [destruct n; reflexivity|].
  destruct n as [|n]; [lia|]. cbn [Nat.add win_within].
  apply after_round_equal; [lia..|]. intros a' d' _ _ Hless.
  rewrite (IH n) by lia. symmetry. apply IH; lia.
Qed.

Theorem risk_equation : risk_equation_statement.
Proof.
  intros s. split; [|split].
  - intros a. unfold win. destruct (a + 0)%nat; reflexivity.
  - intros [|d] H; [lia | reflexivity].
  - intros [|a] [|d] Ha Hd; try lia. unfold win at 1. cbn [Nat.add win_within].
    apply after_round_equal; [lia..|]. intros a' d' _ _ Hless. apply win_within_enough. lia.
Qed.

Lemma win_no_defender s a : win s a 0 = 1.
Proof. apply risk_equation. Qed.

Lemma win_no_attacker s d : win s 0 (S d) = 0.
Proof. apply risk_equation. lia. Qed.

Lemma win_equation s a d : (1 <= a)%nat -> (1 <= d)%nat ->
  win s a d == after_round s (win s) a d (min a 3) (min d 2).
Proof. apply risk_equation. Qed.

(** The counts of all six rounds with dice of six sides. *)

Definition lost_of (i j k : nat) : Z := (powers (law i j k) 6 / 60)%Z.

Lemma lost_counted i j k : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> (k <= min i j)%nat ->
  lost 6 i j k = lost_of i j k.
Proof.
  intros Hi Hj Hk. unfold lost_of. change 6%Z with (Z.of_nat 6).
  rewrite <- lost_law by assumption. rewrite Z.mul_comm. symmetry. now apply Z.div_mul.
Qed.

Theorem one_against_one : one_against_one_statement.
Proof. repeat split. Qed.

(** ** Chances *)

Ltac each_round i j Hi Hj :=
  destruct i as [|[|[|[|i]]]]; try (exfalso; lia); destruct j as [|[|[|j]]]; try (exfalso; lia);
  clear Hi Hj.

Lemma lost_sum s i j : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat ->
  total_of (lost s i j) (seq 0 (S (min i j))) = (Z.of_nat s ^ Z.of_nat (i + j))%Z.
Proof.
  intros Hi Hj. apply (Z.mul_reg_l _ _ 60); [lia|].
  transitivity (total_of (fun k => powers (law i j k) (Z.of_nat s)) (seq 0 (S (min i j)))).
  - transitivity (total_of (fun k => 60 * lost s i j k + 0 * 0)%Z (seq 0 (S (min i j)))).
    + rewrite (total_of_linear (lost s i j) (fun _ => 0%Z)). ring.
    + apply total_of_equal. intros k Hk. apply in_seq in Hk. rewrite <- lost_law by lia. ring.
  - each_round i j Hi Hj; cbn [Nat.min Nat.add seq total_of fold_right law nth powers fold_left];
      cbn [Z.of_nat Pos.of_succ_nat Pos.succ]; ring.
Qed.

Lemma lost_positive s i j k : (0 <= lost s i j k)%Z.
Proof.
  unfold lost. induction (list_prod _ _) as [|x l IH]; simpl; [lia|]. destruct (_ =? _)%nat; lia.
Qed.

Lemma chance_positive s i j k : 0 <= chance s i j k.
Proof. pose proof (lost_positive s i j k). unfold chance, Qle. cbn [Qnum Qden]. lia. Qed.

Lemma all_rolls_power s i j : (1 <= s)%nat -> (1 <= i + j)%nat ->
  Zpos (all_rolls s i j) = (Z.of_nat s ^ Z.of_nat (i + j))%Z.
Proof.
  intros Hs H. unfold all_rolls. rewrite Pos2Z.inj_pow. f_equal;
    rewrite <- positive_nat_Z, Nat2Pos.id; lia.
Qed.

Lemma chance_sum s i j : (1 <= s)%nat -> (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat ->
  sum (chance s i j) (seq 0 (S (min i j))) == 1.
Proof.
  intros Hs Hi Hj.
  transitivity (inject_Z (total_of (lost s i j) (seq 0 (S (min i j)))) * (1 # all_rolls s i j)).
  - rewrite total_of_sum, Qmult_comm, <- sum_scaled. apply sum_equal. intros k _.
    unfold chance. rewrite fraction. apply Qmult_comm.
  - rewrite lost_sum, <- all_rolls_power by lia. apply unit_fraction.
Qed.

(** A round is the better the more each of its ends is worth. *)

Lemma after_round_monotone s f g a a' d d' i j :
  (forall k, (k <= min i j)%nat ->
    f (a - k)%nat (d - (min i j - k))%nat <= g (a' - k)%nat (d' - (min i j - k))%nat) ->
  after_round s f a d i j <= after_round s g a' d' i j.
Proof.
  intros H. apply sum_monotone. intros k Hk. apply in_seq in Hk.
  rewrite !(Qmult_comm (chance _ _ _ _)).
  apply Qmult_le_compat_r; [apply H; lia | apply chance_positive].
Qed.

Lemma after_round_constant s c a d i j : (1 <= s)%nat -> (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat ->
  after_round s (fun _ _ => c) a d i j == c.
Proof.
  intros Hs Hi Hj. unfold after_round.
  rewrite (sum_equal _ (fun k => c * chance s i j k)) by (intros; ring).
  rewrite sum_scaled, chance_sum by assumption. ring.
Qed.

(** ** The six rounds *)

Section Rounds.
  Variable s : nat.
  Hypothesis sided : (1 <= s)%nat.

  Lemma one_pair i j : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> min i j = 1%nat ->
    chance s i j 1 == 1 - chance s i j 0.
  Proof.
    intros Hi Hj one. pose proof (chance_sum s i j sided Hi Hj) as sums. rewrite one in sums.
    cbn [seq sum fold_right] in sums. lra.
  Qed.

  Lemma two_pairs i j : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> min i j = 2%nat ->
    chance s i j 2 == 1 - chance s i j 0 - chance s i j 1.
  Proof.
    intros Hi Hj two. pose proof (chance_sum s i j sided Hi Hj) as sums. rewrite two in sums.
    cbn [seq sum fold_right] in sums. lra.
  Qed.

  Lemma chance_between i j k : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> (k <= min i j)%nat ->
    0 <= chance s i j k <= 1.
  Proof.
    intros Hi Hj Hk. pose proof (chance_sum s i j sided Hi Hj) as sums.
    assert (min i j = 1 \/ min i j = 2)%nat as [E | E] by lia; rewrite E in *;
      cbn [seq sum fold_right] in sums; pose proof (chance_positive s i j 0);
      pose proof (chance_positive s i j 1); pose proof (chance_positive s i j 2);
      destruct k as [|[|[|k]]]; try lia; lra.
  Qed.

  Variable f : nat -> nat -> Q.

  Ltac one_round :=
    unfold after_round; cbn [Nat.min seq sum fold_right Nat.add Nat.sub]; rewrite ?Nat.sub_0_r;
    rewrite ?one_pair, ?two_pairs by (reflexivity || lia); ring.

  Lemma round_one_one a d : after_round s f (1 + a) (1 + d) 1 1
    == chance s 1 1 0 * f (1 + a)%nat d + (1 - chance s 1 1 0) * f a (1 + d)%nat.
  Proof. one_round. Qed.

  Lemma round_one_two a d : after_round s f (1 + a) (2 + d) 1 2
    == chance s 1 2 0 * f (1 + a)%nat (1 + d)%nat + (1 - chance s 1 2 0) * f a (2 + d)%nat.
  Proof. one_round. Qed.

  Lemma round_two_one a d : after_round s f (2 + a) (1 + d) 2 1
    == chance s 2 1 0 * f (2 + a)%nat d + (1 - chance s 2 1 0) * f (1 + a)%nat (1 + d)%nat.
  Proof. one_round. Qed.

  Lemma round_two_two a d : after_round s f (2 + a) (2 + d) 2 2
    == chance s 2 2 0 * f (2 + a)%nat d + chance s 2 2 1 * f (1 + a)%nat (1 + d)%nat
       + (1 - chance s 2 2 0 - chance s 2 2 1) * f a (2 + d)%nat.
  Proof. one_round. Qed.

  Lemma round_three_one a d : after_round s f (3 + a) (1 + d) 3 1
    == chance s 3 1 0 * f (3 + a)%nat d + (1 - chance s 3 1 0) * f (2 + a)%nat (1 + d)%nat.
  Proof. one_round. Qed.

  Lemma round_three_two a d : after_round s f (3 + a) (2 + d) 3 2
    == chance s 3 2 0 * f (3 + a)%nat d + chance s 3 2 1 * f (2 + a)%nat (1 + d)%nat
       + (1 - chance s 3 2 0 - chance s 3 2 1) * f (1 + a)%nat (2 + d)%nat.
  Proof. one_round. Qed.
End Rounds.

(** The equation, case by case *)

Section Equations.
  Variable s : nat.
  Hypothesis sided : (1 <= s)%nat.

  Ltac most round :=
    rewrite win_equation by lia; rewrite ?(Nat.min_r _ 3), ?(Nat.min_r _ 2) by lia;
    cbn [Nat.min]; rewrite round by assumption; cbn [Nat.add];
    rewrite ?win_no_defender, ?win_no_attacker; ring.

  Lemma one_one : win s 1 1 == chance s 1 1 0.
  Proof. most (round_one_one s sided (win s) 0 0). Qed.

  Lemma two_one : win s 2 1 == chance s 2 1 0 + (1 - chance s 2 1 0) * win s 1 1.
  Proof. most (round_two_one s sided (win s) 0 0). Qed.

  Lemma three_one a :
    win s (3 + a) 1 == chance s 3 1 0 + (1 - chance s 3 1 0) * win s (2 + a) 1.
  Proof. most (round_three_one s sided (win s) a 0). Qed.

  Lemma one_two d : win s 1 (2 + d) == chance s 1 2 0 * win s 1 (1 + d).
  Proof. most (round_one_two s sided (win s) 0 d). Qed.

  Lemma two_two d :
    win s 2 (2 + d) == chance s 2 2 0 * win s 2 d + chance s 2 2 1 * win s 1 (1 + d).
  Proof. most (round_two_two s sided (win s) 0 d). Qed.

  Lemma three_two a d : win s (3 + a) (2 + d)
    == chance s 3 2 0 * win s (3 + a) d + chance s 3 2 1 * win s (2 + a) (1 + d)
       + (1 - chance s 3 2 0 - chance s 3 2 1) * win s (1 + a) (2 + d).
  Proof. most (round_three_two s sided (win s) a d). Qed.
End Equations.
