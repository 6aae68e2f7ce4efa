(** * Backward induction *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness.
Import ListNotations.
Open Scope Q_scope.

Lemma highest_cons x y l : highest (x :: y :: l) =
  if Qle_bool x (highest (y :: l)) then highest (y :: l) else x.
Proof. reflexivity. Qed.

Lemma highest_is_upper x : forall l, In x l -> x <= highest l.
Proof.
  induction l as [|y [|z l] IH]; [contradiction| |].
  - intros [<- | []]. apply Qle_refl.
  - rewrite highest_cons. set (m := highest (z :: l)) in *.
    destruct (Qle_bool y m) eqn:E.
    + apply Qle_bool_iff in E. intros [<- | H]; [exact E | exact (IH H)].
    + assert (m <= y) as below.
      { apply Qnot_lt_le. intros less. apply Qlt_le_weak, Qle_bool_iff in less. congruence. }
      intros [<- | H]; [apply Qle_refl|]. specialize (IH H). lra.
Qed.

Lemma highest_in : forall l, l <> [] -> In (highest l) l.
Proof.
  induction l as [|y [|z l] IH]; [contradiction|now left|]. intros _.
  rewrite highest_cons.
  destruct (Qle_bool y (highest (z :: l))); [right; apply IH; discriminate | now left].
Qed.

Fixpoint place (l : list Q) : nat :=
  match l with
  | [] | [_] => O
  | x :: rest => if Qle_bool x (highest rest) then S (place rest) else O
  end.

Lemma nth_place d : forall l, l <> [] -> nth (place l) l d = highest l.
Proof.
  induction l as [|y [|z l] IH]; [contradiction|reflexivity|]. intros _.
  rewrite highest_cons.
  change (place (y :: z :: l)) with (if Qle_bool y (highest (z :: l)) then S (place (z :: l)) else
    O).
  destruct (Qle_bool y (highest (z :: l))); [apply IH; discriminate | reflexivity].
Qed.

Section Game.
  Context {state : Type} (p : process state) (inside : state -> Prop).
  Hypothesis is_closed : closed p inside.

  Lemma best_is_upper n : forall s, inside s -> forall pi h, total p pi n h s <= best p n s.
  Proof.
    induction n as [|n IH]; intros s Hs pi h; simpl; [apply Qle_refl|].
    destruct (taken _ _) as [c|] eqn:E.
    - apply taken_in in E. destruct (is_closed s c Hs E) as [law goes].
      apply Qle_trans with (worth c (best p n)).
      + unfold worth. apply Qplus_le_r. apply mean_monotone; [exact law|].
        intros w t Hin. apply IH. exact (goes w t Hin).
      + apply highest_is_upper. exact (in_map (fun c => worth c (best p n)) _ _ E).
    - apply taken_none in E. rewrite E. apply Qle_refl.
  Qed.

  (** The policy that takes a choice of the highest worth, with [n] choices in all. *)

  Definition foresight (n : nat) : policy state := fun h s =>
    place (map (fun c => worth c (best p (n - S (length h)))) (p s)).

  Lemma best_is_earned n m : forall h s, inside s -> n = (length h + m)%nat ->
    total p (foresight n) m h s == best p m s.
  Proof.
    induction m as [|m IH]; intros h s Hs Hn; [reflexivity|]. simpl.
    destruct (p s) as [|first others] eqn:E; [reflexivity|].
    cbn [taken]. set (c := nth _ _ _).
    assert (worth c (best p m) = highest (map (fun c => worth c (best p m)) (first :: others))) as
      <-.
    { rewrite <- (nth_place (worth first (best p m))) by discriminate.
      subst c. unfold foresight. rewrite E. replace (n - S (length h))%nat with m by lia.
      symmetry. exact (map_nth (fun c => worth c (best p m)) _ _ _). }
    assert (In c (p s)) as Hc.
    { rewrite E. subst c.
      destruct (nth_in_or_default (foresight n h s) (first :: others) first) as [H | ->];
        [exact H | now left]. }
    destruct (is_closed s c Hs Hc) as [_ goes]. unfold worth. apply Qplus_inj_l.
    apply mean_equal. intros w t Hin. apply IH; [exact (goes w t Hin) | simpl; lia].
  Qed.
End Game.

Theorem backward_induction : backward_induction_statement.
Proof.
  intros state p inside is_closed n s Hs. split.
  - intros pi h. exact (best_is_upper p inside is_closed n s Hs pi h).
  - exists (foresight p n). apply (best_is_earned p inside is_closed); auto.
Qed.
