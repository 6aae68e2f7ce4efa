(** * Risk: the equation of the battle

    [win_within] does not depend on the number of rounds once it is at least [a + d], for a round
    takes at least one unit. So [win] satisfies the equation of the game, from which all else
    follows. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums.
Import ListNotations.
Open Scope Q_scope.

Lemma after_round_equal f g a d i j : (1 <= i <= a)%nat -> (1 <= j <= d)%nat ->
  (forall a' d', (a' <= a)%nat -> (d' <= d)%nat -> (a' + d' < a + d)%nat -> f a' d' == g a' d') ->
  after_round f a d i j == after_round g a d i j.
Proof.
  intros Hi Hj H. unfold after_round. apply sum_equal. intros k Hk. apply in_seq in Hk.
  rewrite H; [reflexivity | lia..].
Qed.

Lemma win_within_enough n : forall a d, (a + d <= n)%nat -> win_within n a d == win a d.
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
  split; [|split].
  - intros a. unfold win. destruct (a + 0)%nat; reflexivity.
  - intros [|d] H; [lia | reflexivity].
  - intros [|a] [|d] Ha Hd; try lia. unfold win at 1. cbn [Nat.add win_within].
    apply after_round_equal; [lia..|]. intros a' d' _ _ Hless. apply win_within_enough. lia.
Qed.

Lemma win_no_defender a : win a 0 = 1.
Proof. apply risk_equation. Qed.

Lemma win_no_attacker d : win 0 (S d) = 0.
Proof. apply risk_equation. lia. Qed.

Lemma win_equation a d : (1 <= a)%nat -> (1 <= d)%nat ->
  win a d == after_round win a d (min a 3) (min d 2).
Proof. apply risk_equation. Qed.

(** The counts of all six rounds, by enumeration. *)

Definition lost_of (i j k : nat) : Z :=
  nth k match i, j with
        | 1, 1 => [15; 21]%Z | 1, 2 => [55; 161]%Z
        | 2, 1 => [125; 91]%Z | 2, 2 => [295; 420; 581]%Z
        | 3, 1 => [855; 441]%Z | 3, 2 => [2890; 2611; 2275]%Z
        | _, _ => []
        end%nat 0%Z.

Lemma lost_enumerated i j k : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> (k <= min i j)%nat ->
  lost 6 i j k = lost_of i j k.
Proof.
  assert (forallb (fun ij => forallb (fun k =>
            (lost 6 (fst ij) (snd ij) k =? lost_of (fst ij) (snd ij) k)%Z)
            (seq 0 (S (min (fst ij) (snd ij))))) (list_prod (seq 1 3) (seq 1 2)) = true) as H
    by (vm_compute; reflexivity).
  intros Hi Hj Hk. rewrite forallb_forall in H. specialize (H (i, j)).
  rewrite forallb_forall in H. apply Z.eqb_eq. apply H.
  - apply in_prod; apply in_seq; lia.
  - apply in_seq. simpl. lia.
Qed.

Theorem one_against_one : one_against_one_statement.
Proof. repeat split. Qed.
