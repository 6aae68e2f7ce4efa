(** * Bounds against a free player

    The process is what is left when one side's strategy is fixed: each of its choices is one of the
    other side's, what the fixed side and chance do being mixed in. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness.
Import ListNotations.
Open Scope Q_scope.

Section Free.
  Context {state : Type} (p : process state) (inside : state -> Prop) (b : state -> Q)
    (rank : state -> nat) (k : nat) (D : positive) (M : Q).
  Hypothesis is_closed : closed p inside.
  Hypothesis ends_at_0 : vanishes p inside b.
  Hypothesis ranks : forall s, inside s -> (rank s <= k)%nat.
  Hypothesis small : forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive.
  Hypothesis positive : 0 <= M.
  Hypothesis bounded : forall s, inside s -> - M <= b s <= M.

  Lemma alive_bounded pi m h s : lowers p inside rank pi -> inside s ->
    M * alive p pi (k * m) h s <= M * power (1 - power (1 # D) k) m.
  Proof.
    intros falls Hs.
    pose proof (play_ends state p inside rank pi k D is_closed falls ranks small m h s Hs).
    nra.
  Qed.

  Lemma sure_below : (forall s c, inside s -> In c (p s) -> nearer rank s c) ->
    (forall s c, inside s -> In c (p s) -> b s <= worth c b) ->
    forall pi m h s, inside s ->
      b s - M * power (1 - power (1 # D) k) m <= total p pi (k * m) h s.
  Proof.
    intros near rises pi m h s Hs.
    assert (lowers p inside rank pi) as falls
      by (intros h' t c Ht Hc; apply taken_in in Hc; now apply near).
    pose proof (alive_bounded pi m h s falls Hs).
    assert (b s - M * alive p pi (k * m) h s <= total p pi (k * m) h s).
    { apply lower_bound with (inside := inside); auto.
      - intros h' t c Ht Hc. apply taken_in in Hc. now apply rises.
      - intros t Ht. now apply bounded. }
    lra.
  Qed.

  Lemma sure_above : (forall s c, inside s -> In c (p s) -> nearer rank s c) ->
    (forall s c, inside s -> In c (p s) -> worth c b <= b s) ->
    forall pi m h s, inside s ->
      total p pi (k * m) h s <= b s + M * power (1 - power (1 # D) k) m.
  Proof.
    intros near falling pi m h s Hs.
    assert (lowers p inside rank pi) as falls
      by (intros h' t c Ht Hc; apply taken_in in Hc; now apply near).
    pose proof (alive_bounded pi m h s falls Hs).
    assert (total p pi (k * m) h s <= b s + M * alive p pi (k * m) h s).
    { apply upper_bound with (inside := inside); auto.
      - intros h' t c Ht Hc. apply taken_in in Hc. now apply falling.
      - intros t Ht. now apply bounded. }
    lra.
  Qed.
End Free.

(** ** Reaching a goal: what is paid is never below 0, and no rank is asked where nothing is sure *)

Section Reaching.
  Context {state : Type} (p : process state) (inside : state -> Prop) (b : state -> Q).
  Hypothesis is_closed : closed p inside.
  Hypothesis pays : forall s c, inside s -> In c (p s) -> (0 <= reward c)%Z.

  Lemma total_positive pi n : forall h s, inside s -> 0 <= total p pi n h s.
  Proof.
    induction n as [|n IH]; intros h s Hs; simpl; [lra|].
    destruct (taken (p s) (pi h s)) as [c|] eqn:E; [|lra].
    apply taken_in in E. destruct (is_closed s c Hs E) as [law goes].
    assert (mean c (fun _ => 0) <= mean c (total p pi n (s :: h)))
      by (apply mean_monotone; [exact law | intros w t Hin; eauto]).
    rewrite mean_constant in H by exact law.
    pose proof (pays s c Hs E). unfold worth.
    assert (0 <= reward c # denominator c) by (unfold Qle; simpl; lia). lra.
  Qed.

  (** The same process, which stops where nothing is sure. *)

  Definition stopped : process state := fun s => if Qeq_bool (b s) 0 then [] else p s.

  Lemma stopped_in s c : In c (stopped s) -> In c (p s) /\ ~ b s == 0.
  Proof.
    unfold stopped. destruct (Qeq_bool (b s) 0) eqn:E; [contradiction|].
    intros H. split; [exact H|]. now apply Qeq_bool_neq.
  Qed.

  Lemma stopped_less pi n : forall h s, inside s -> total stopped pi n h s <= total p pi n h s.
  Proof.
    induction n as [|n IH]; intros h s Hs.
    - simpl. lra.
    - cbn [total]. unfold stopped at 1. destruct (Qeq_bool (b s) 0).
      + simpl. pose proof (total_positive pi (S n) h s Hs) as H. exact H.
      + destruct (taken (p s) (pi h s)) as [c|] eqn:E; [|lra].
        apply taken_in in E. destruct (is_closed s c Hs E) as [law goes]. unfold worth.
        assert (mean c (total stopped pi n (s :: h)) <= mean c (total p pi n (s :: h)))
          by (apply mean_monotone; [exact law | intros w t Hin; eauto]).
        lra.
  Qed.
End Reaching.

Lemma above_0 x : 0 <= x -> ~ x == 0 -> 0 < x.
Proof. intros H N. destruct (Qlt_le_dec 0 x); [assumption|]. exfalso. apply N. lra. Qed.

Theorem against_free : against_free_statement.
Proof.
  intros state p inside b rank k D M is_closed ends ranks small HM bounded near. split.
  - intros rises. now apply (sure_below p inside b rank).
  - intros falls. now apply (sure_above p inside b rank).
Qed.

Theorem reaching : reaching_statement.
Proof.
  intros state p inside b rank k D M is_closed ends pays ranks small HM bounded. split.
  - intros near rises pi m h s Hs.
    eapply Qle_trans; [|now apply (stopped_less p inside b is_closed pays)].
    apply (sure_below (stopped p b) inside b rank k D M); auto.
    + intros t c Ht Hc. apply stopped_in in Hc as [Hc _]. exact (is_closed t c Ht Hc).
    + intros t Ht Hnone. unfold stopped in Hnone. destruct (Qeq_bool (b t) 0) eqn:E.
      * now apply Qeq_bool_iff.
      * now apply ends.
    + intros t c Ht Hc. apply stopped_in in Hc as [Hc _]. eauto.
    + intros t Ht. specialize (bounded t Ht). lra.
    + intros t c Ht Hc. apply stopped_in in Hc as [Hc Hb].
      apply near; auto. apply above_0; [apply bounded; exact Ht | exact Hb].
    + intros t c Ht Hc. apply stopped_in in Hc as [Hc Hb].
      apply rises; auto. apply above_0; [apply bounded; exact Ht | exact Hb].
  - intros falls pi n h s Hs.
    assert (total p pi n h s <= b s + 0 * alive p pi n h s).
    { apply upper_bound with (inside := inside); auto; [|lra|].
      - intros h' t c Ht Hc. apply taken_in in Hc. now apply falls.
      - intros t Ht. specialize (bounded t Ht). lra. }
    lra.
Qed.
