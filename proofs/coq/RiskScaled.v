(** * Risk in integers

    [win 6 a d] times 6^(5 (a + d)) is an integer: a round of [i] dice against [j] takes [min i j]
    units, and [i + j] is at most 5 times that. A table of integers in which each cell satisfies
    the equation of the game holds these products. *)

From Coq Require Import List ZArith QArith Bool Lqa Lia.
From ExactDice Require Import Statements Sums AnySides Risk.
Import ListNotations.
Open Scope Q_scope.

Definition sixes (n : nat) : Z := (6 ^ Z.of_nat n)%Z.

Definition cell (t : list (list Z)) (a d : nat) : Z := nth d (nth a t []) 0%Z.

(** The cell that a round of [i] dice against [j] gives. *)

Definition cell_after (t : list (list Z)) (a d i j : nat) : Z :=
  let pairs := min i j in
  (sixes (5 * pairs - (i + j))
   * total_of (fun k => lost_of i j k * cell t (a - k) (d - (pairs - k))) (seq 0 (S pairs)))%Z.

Definition cell_by_equation (t : list (list Z)) (a d : nat) : Z :=
  match d, a with
  | O, _ => sixes (5 * a)
  | _, O => 0
  | _, _ => cell_after t a d (min a 3) (min d 2)
  end.

(** The table for up to [n] units a side, and the check of it. *)

Definition scaled_table (n : nat) : list (list Z) :=
  fold_left (fun t a =>
    t ++ [fold_left (fun row d => row ++ [cell_by_equation (t ++ [row]) a d]) (seq 0 (S n)) []])
    (seq 0 (S n)) [].

Definition everywhere (n : nat) (test : nat -> nat -> bool) : bool :=
  forallb (fun a => forallb (test a) (seq 0 (S n))) (seq 0 (S n)).

Definition solves (n : nat) (t : list (list Z)) : bool :=
  everywhere n (fun a d => cell t a d =? cell_by_equation t a d)%Z.

Lemma everywhere_means n test : everywhere n test = true ->
  forall a d, (a <= n)%nat -> (d <= n)%nat -> test a d = true.
Proof.
  intros H a d Ha Hd. unfold everywhere in H. rewrite forallb_forall in H.
  specialize (H a). rewrite forallb_forall in H. apply H; apply in_seq; lia.
Qed.

(** ** Cells are products *)

Definition scale (n : nat) : Q := inject_Z (sixes (5 * n)).

Lemma sixes_sum m n : sixes (m + n) = (sixes m * sixes n)%Z.
Proof. unfold sixes. rewrite Nat2Z.inj_add. apply Z.pow_add_r; lia. Qed.

Lemma sixes_positive n : (0 < sixes n)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

Lemma scale_positive n : 0 < scale n.
Proof. unfold scale. rewrite <- (Zlt_Qlt 0). apply sixes_positive. Qed.

Section Table.
  Context (n : nat) (t : list (list Z)).

  Lemma cell_after_is_product a d i j :
    (1 <= i <= min a 3)%nat -> (1 <= j <= min d 2)%nat ->
    (forall a' d', (a' <= a)%nat -> (d' <= d)%nat -> (a' + d' < a + d)%nat ->
      inject_Z (cell t a' d') == win 6 a' d' * scale (a' + d')) ->
    inject_Z (cell_after t a d i j) == after_round 6 (win 6) a d i j * scale (a + d).
  Proof.
    intros Hi Hj H. unfold cell_after, after_round.
    rewrite inject_Z_mult, total_of_sum, <- sum_scaled, (Qmult_comm (sum _ _)), <- sum_scaled.
    apply sum_equal. intros k Hk. apply in_seq in Hk.
    rewrite inject_Z_mult, H by lia.
    replace (a - k + (d - (min i j - k)))%nat with (a + d - min i j)%nat by lia.
    unfold chance. rewrite lost_counted by lia.
    replace (a + d)%nat with ((a + d - min i j) + min i j)%nat at 2 by lia.
    unfold scale. rewrite Nat.mul_add_distr_l, sixes_sum, inject_Z_mult.
    replace (5 * min i j)%nat with ((5 * min i j - (i + j)) + (i + j))%nat at 2 by lia.
    rewrite sixes_sum, inject_Z_mult.
    change (sixes (i + j)) with (Z.of_nat 6 ^ Z.of_nat (i + j))%Z. rewrite <- all_rolls_power by lia.
    rewrite (fraction (lost_of i j k)). pose proof (unit_fraction (all_rolls 6 i j)) as one.
    set (x := inject_Z (Zpos (all_rolls 6 i j))) in *. set (y := 1 # all_rolls 6 i j) in *.
    setoid_replace
      (inject_Z (sixes (5 * (a + d - min i j)))
       * (inject_Z (sixes (5 * min i j - (i + j))) * x)
       * (inject_Z (lost_of i j k) * y * win 6 (a - k) (d - (min i j - k))))
      with
      ((x * y) * (inject_Z (sixes (5 * (a + d - min i j)))
       * inject_Z (sixes (5 * min i j - (i + j)))
       * (inject_Z (lost_of i j k) * win 6 (a - k) (d - (min i j - k))))) by ring.
    rewrite one. ring.
  Qed.

  Hypothesis solved : solves n t = true.

  Lemma cell_is_product : forall a d, (a <= n)%nat -> (d <= n)%nat ->
    inject_Z (cell t a d) == win 6 a d * scale (a + d).
  Proof.
    intros a d. remember (a + d)%nat as size. revert a d Heqsize.
    induction size as [size IH] using (well_founded_induction lt_wf). intros a d -> Ha Hd.
    pose proof (everywhere_means n _ solved a d Ha Hd) as H. apply Z.eqb_eq in H. rewrite H.
    destruct d as [|d].
    - rewrite win_no_defender, Nat.add_0_r. unfold scale. cbn [cell_by_equation]. ring.
    - destruct a as [|a].
      + rewrite win_no_attacker. cbn [cell_by_equation]. ring.
      + cbn [cell_by_equation]. rewrite win_equation by lia.
        apply cell_after_is_product; [lia..|]. intros a' d' ? ? Hless.
        apply (IH (a' + d')%nat); lia.
  Qed.
End Table.
