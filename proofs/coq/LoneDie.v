(** * Theorem 3 (c): the lone die

    In the first round the only move is to create. While the die is broken the only move is to fix
    it. So it may fail in all rounds but the last and survive there, whatever the policy. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Swe Reachable.
Import ListNotations.
Open Scope Q_scope.

(** ** Chances carry over *)

Section Chances.
  Context {state : Type} (p : process state) (inside : state -> Prop) (pi : policy state).
  Context (f : state -> Q).
  Hypothesis is_closed : closed p inside.
  Hypothesis nonnegative : forall s, 0 <= f s.

  Lemma later_nonnegative n : forall h s, inside s -> 0 <= later p pi f n h s.
  Proof.
    induction n as [|n IH]; intros h s Hs; simpl; [apply nonnegative|].
    destruct (taken _ _) as [c|] eqn:E; [|apply nonnegative]. apply taken_in in E.
    destruct (is_closed s c Hs E) as [law goes]. rewrite <- (mean_constant c 0 law).
    apply mean_monotone; [exact law|]. intros w t Hin. apply IH. exact (goes w t Hin).
  Qed.

  Lemma later_positive n h s c w t : inside s -> (forall i, taken (p s) i = Some c) ->
    In (w, t) (moves c) -> (0 < w)%Z -> 0 < later p pi f n (s :: h) t ->
    0 < later p pi f (S n) h s.
  Proof.
    intros Hs only Hin Hw Ht. simpl. rewrite only.
    pose proof (taken_in _ _ _ (only O)) as Hc. destruct (is_closed s c Hs Hc) as [law goes].
    unfold mean. apply Qmult_lt_0_compat; [|reflexivity].
    assert (0 < inject_Z w) as Hw' by (rewrite <- (Zlt_Qlt 0); exact Hw).
    assert (0 < inject_Z w * later p pi f n (s :: h) t) as one by (apply Qmult_lt_0_compat;
      assumption).
    assert (forall v u, In (v, u) (moves c) -> 0 <= inject_Z v * later p pi f n (s :: h) u) as each.
    { intros v u Hu. apply Qmult_le_0_compat; [|apply later_nonnegative; exact (goes v u Hu)].
      rewrite <- (Zle_Qle 0). exact (proj1 law v u Hu). }
    clear -Hin one each. induction (moves c) as [|[v u] l IH]; [contradiction|].
    cbn [sum fold_right fst snd].
    fold (sum (fun move => inject_Z (fst move) * later p pi f n (s :: h) (snd move)) l).
    assert (0 <= sum (fun move => inject_Z (fst move) * later p pi f n (s :: h) (snd move)) l) as
      rest.
    { rewrite <- (sum_zero (fun _ => 0) l (fun _ _ => Qeq_refl 0)). apply sum_monotone.
      intros [v' u'] Hu'. apply each. now right. }
    pose proof (each v u (or_introl eq_refl)).
    destruct Hin as [[= -> ->] | Hin]; [lra|].
    specialize (IH Hin (fun v u Hu => each v u (or_intror Hu))). lra.
  Qed.
End Chances.

(** ** Moves without a choice *)

Lemma only_create k : after_moves (Table (repeat 0 (S k)) (repeat 0 (S k)))%nat
  = [Table (1 :: repeat 0 k) (repeat 0 (S k))]%nat.
Proof. unfold after_moves. rewrite !zeros_unoccupied. reflexivity. Qed.

Lemma only_fix k : after_moves (Table (repeat 0 (S k)) (1 :: repeat 0 k))%nat
  = [Table (1 :: repeat 0 k) (repeat 0 (S k))]%nat.
Proof.
  unfold after_moves. rewrite repeat_length. cbn [seq rev]. rewrite filter_app.
  assert (filter (occupied (1 :: repeat 0 k)%nat) (rev (seq 1 k)) = []) as ->; [|reflexivity].
  assert (forall l, (forall i, In i l -> (1 <= i)%nat) -> filter (occupied (1 :: repeat 0 k)%nat) l
    = [])
    as H.
  { induction l as [|i l IH]; intros H; [reflexivity|]. simpl.
    destruct i as [|i]; [specialize (H 0%nat (or_introl eq_refl)); lia|].
    unfold occupied at 1. cbn [nth]. rewrite nth_repeat. apply IH. intros; apply H; now right. }
  apply H. intros i Hi. apply in_rev in Hi. apply in_seq in Hi. lia.
Qed.

(** ** The rounds *)

Lemma none_of m : list_sum (repeat 0 m)%nat = 0%nat.
Proof. induction m as [|m IH]; [reflexivity | exact IH]. Qed.

Section Rounds.
  Context (faces : list nat) (k : nat) (pi : policy swe_state) (f : swe_state -> Q).
  Hypothesis is_ladder : ladder faces.
  Hypothesis rungs : length faces = S k.
  Hypothesis nonnegative : forall s, 0 <= f s.

  Definition zeros : list nat := repeat O (S k).
  Definition alone : table := Table (1 :: repeat 0 k)%nat zeros.
  Definition broken : table := Table zeros (1 :: repeat 0 k)%nat.

  (** A round in which the only move leads to the lone die, and the roll leaves [kept]. *)

  Lemma forced n left h t s kept : on_ladder faces t -> after_moves t = [alone] ->
    Forall2 le kept (1 :: repeat 0 k)%nat ->
    0 < later (swe faces) pi f n (Playing (S left) t s :: h)
          (Playing left (after_roll alone kept) (score_after s kept)) ->
    0 < later (swe faces) pi f (S n) h (Playing (S left) t s).
  Proof.
    intros Ht only most H.
    destruct (every_outcome faces (proj2 is_ladder) (1 :: repeat 0 k)%nat kept) as (w & Hw & Hin);
      [simpl; rewrite repeat_length; congruence | exact most |].
    refine (later_positive (swe faces) (swe_inside faces) pi f (swe_closed faces is_ladder)
      nonnegative n h (Playing (S left) t s) _ w _ Ht _ _ Hw H).
    - intros i. cbn [swe]. rewrite only. cbn [map taken]. destruct i as [|[|i]]; reflexivity.
    - cbn [moves]. apply in_map_iff. exists (w, kept). split; [reflexivity | exact Hin].
  Qed.

  Lemma zeros_below : Forall2 le zeros (1 :: repeat 0 k)%nat.
  Proof. constructor; [lia | apply le_itself]. Qed.

  Lemma survives : after_roll alone (1 :: repeat 0 k)%nat = alone.
  Proof.
    unfold after_roll, alone. cbn [revenue legacy]. f_equal.
    apply all_survive. simpl. now rewrite repeat_length.
  Qed.

  Lemma fails : after_roll alone zeros = broken.
  Proof.
    unfold after_roll, alone, broken. cbn [revenue legacy]. f_equal. unfold zeros.
    cbn [repeat fallen]. f_equal. apply all_survive, repeat_length.
  Qed.

  Lemma one_survivor : score_after 0 (1 :: repeat 0 k)%nat = 1%nat.
  Proof.
    unfold score_after. simpl. rewrite none_of. reflexivity.
  Qed.

  Lemma no_survivor : score_after 0 zeros = 0%nat.
  Proof.
    unfold score_after, zeros. simpl.
    rewrite none_of. reflexivity.
  Qed.

  Lemma on_it : on_ladder faces (Table zeros zeros) /\ on_ladder faces broken.
  Proof.
    unfold on_ladder, broken, zeros. cbn [revenue legacy length]. rewrite !repeat_length,
      rungs. auto.
  Qed.

  Lemma rounds_of t : on_ladder faces t -> after_moves t = [alone] ->
    forall n left h, 0 < f (Playing left alone 1) ->
      0 < later (swe faces) pi f (S n) h (Playing (S n + left) t 0).
  Proof.
    intros Ht only n. revert t Ht only. induction n as [|n IH]; intros t Ht only left h Hf.
    - apply forced with (1 :: repeat 0 k)%nat; [exact Ht | exact only | apply le_itself |].
      rewrite survives, one_survivor. exact Hf.
    - apply (forced (S n) (S n + left) h t 0 zeros Ht only zeros_below).
      rewrite fails, no_survivor. apply IH; [apply on_it | apply only_fix | exact Hf].
  Qed.
End Rounds.

Theorem lone_die_met : lone_die_statement.
Proof.
  intros faces rounds n pi f is_ladder Hn nonnegative Hf.
  destruct n as [|n]; [lia|]. destruct (length faces) as [|k] eqn:L.
  { destruct faces; [now destruct (proj1 is_ladder) | discriminate]. }
  unfold lone_table, empty_table in *. rewrite !zeros_of, L in *.
  replace rounds with (S n + (rounds - S n))%nat at 1 by lia.
  apply (rounds_of faces k pi f is_ladder L nonnegative).
  - apply (on_it faces k L).
  - apply only_create.
  - exact Hf.
Qed.
