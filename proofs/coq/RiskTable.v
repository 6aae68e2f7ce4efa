(** * The table of Risk *)

From Coq Require Import List ZArith QArith Bool Lqa Lia.
From ExactDice Require Import Statements Sums Risk RiskScaled RiskCertificate.
Import ListNotations.
Open Scope Q_scope.

(** A cell and a rational agree by cross multiplication. *)

Definition agrees (t : list (list Z)) (table : list (list Q)) (row d : nat) : bool :=
  let chance := nth d (nth row table []) 0 in
  (cell t (row + 1) (d + 1) * Zpos (Qden chance)
   =? Qnum chance * sixes (5 * (row + 1 + (d + 1))))%Z.

Definition check_table (table : list (list Q)) : bool :=
  let t := scaled_table 10 in
  solves 10 t && (length table =? 9)%nat && forallb (fun row => length row =? 10)%nat table
  && forallb (fun row => forallb (agrees t table row) (seq 0 10)) (seq 0 9).

Lemma agrees_means t row d chance :
  inject_Z (cell t row d) == win 6 row d * scale (row + d) ->
  (cell t row d * Zpos (Qden chance) = Qnum chance * sixes (5 * (row + d)))%Z ->
  win 6 row d == chance.
Proof.
  intros product whole.
  assert (win 6 row d * scale (row + d) * inject_Z (Zpos (Qden chance))
          == inject_Z (Qnum chance) * scale (row + d)) as equal.
  { rewrite <- product. unfold scale. rewrite <- !inject_Z_mult, whole. reflexivity. }
  pose proof (scale_positive (row + d)) as positive.
  apply Qmult_inj_r with (scale (row + d)); [lra|].
  apply Qmult_inj_r with (inject_Z (Zpos (Qden chance))); [discriminate|].
  rewrite equal. destruct chance as [p q]. cbn [Qnum Qden].
  rewrite (fraction p). pose proof (unit_fraction q) as one.
  setoid_replace (inject_Z p * (1 # q) * scale (row + d) * inject_Z (Zpos q))
    with (inject_Z (Zpos q) * (1 # q) * (inject_Z p * scale (row + d))) by ring.
  rewrite one. ring.
Qed.

Lemma check_table_sound table : check_table table = true -> risk_table_statement table.
Proof.
  unfold check_table. generalize (scaled_table 10). intros t H.
  apply andb_true_iff in H as [H cells]. apply andb_true_iff in H as [H columns].
  apply andb_true_iff in H as [solved size].
  rewrite forallb_forall in columns, cells.
  split; [now apply Nat.eqb_eq | split].
  - intros row Hrow. apply Nat.eqb_eq. auto.
  - intros total d Htotal Hd.
    specialize (cells (total - 2)%nat). rewrite forallb_forall in cells.
    assert (agrees t table (total - 2) (d - 1) = true) as H
      by (apply cells; apply in_seq; lia).
    unfold agrees in H. apply Z.eqb_eq in H.
    replace (total - 2 + 1)%nat with (total - 1)%nat in H by lia.
    replace (d - 1 + 1)%nat with d in H by lia.
    apply agrees_means with (t := t); [|exact H].
    apply (cell_is_product 10 t solved); lia.
Qed.

Theorem risk_table_right : risk_table_statement risk_table.
Proof. apply check_table_sound. vm_compute. reflexivity. Qed.

Theorem risk_four_two : risk_four_two_statement.
Proof.
  assert (win 6 (4 - 1) 2 == 6610505 # 10077696) as H; [|exact H].
  destruct risk_table_right as (_ & _ & ->); [reflexivity | lia | lia].
Qed.
