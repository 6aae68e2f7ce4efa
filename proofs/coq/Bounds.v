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

(** ** A checker of one side

    States are the numbers below [n]; [n] itself is where play has ended. Bounds are numerators over
    [common]; [from_below] says which side is checked. *)

Section Checker.
  Context (n : nat) (p : process nat) (numerators : nat -> Z) (common : positive)
    (rank : nat -> nat) (from_below : bool).

  Definition after_move (c : choice nat) : Z :=
    total_weight (map (fun wt => (fst wt * numerators (snd wt), snd wt)%Z) (moves c)).

  Definition check_move (s : nat) (c : choice nat) : bool :=
    let returned := (reward c * Zpos common + after_move c)%Z in
    let due := (numerators s * Zpos (denominator c))%Z in
    forallb (fun wt => (0 <=? fst wt)%Z && (snd wt <=? n)) (moves c)
    && (total_weight (moves c) =? Zpos (denominator c))%Z
    && (if from_below then (due <=? returned)%Z else (returned <=? due)%Z)
    && existsb (fun wt => (0 <? fst wt)%Z && (rank (snd wt) <? rank s)) (moves c).

  Definition check_side : bool :=
    (numerators n =? 0)%Z && match p n with [] => true | _ => false end
    && forallb (fun s => match p s with [] => false | cs => forallb (check_move s) cs end)
         (seq 0 n).

  Definition bound (s : nat) : Q := numerators s # common.

  Lemma after_move_is c : sum (fun wt => inject_Z (fst wt) * bound (snd wt)) (moves c)
    == (after_move c # common).
  Proof.
    unfold after_move. induction (moves c) as [|[w t] l IH]; [reflexivity|].
    cbn [sum fold_right map total_weight fst snd]. fold (sum (fun wt => inject_Z (fst wt) * bound (snd
      wt)) l). rewrite IH. unfold bound, Qeq, Qplus, Qmult, inject_Z. simpl.
    rewrite !Pos2Z.inj_mul. unfold total_weight. ring.
  Qed.

  Lemma check_move_sound s c : check_move s c = true ->
    lawful c /\ (forall w t, In (w, t) (moves c) -> (t <= n)%nat) /\ nearer rank s c /\
    (if from_below then bound s <= worth c bound else worth c bound <= bound s).
  Proof.
    unfold check_move. rewrite !andb_true_iff. intros [[[fit whole] holds] near].
    rewrite forallb_forall in fit. apply Z.eqb_eq in whole.
    assert (worth c bound == (reward c * Zpos common + after_move c # denominator c * common)) as W.
    { unfold worth, mean. rewrite after_move_is. unfold Qeq. simpl. rewrite !Pos2Z.inj_mul. ring. }
    repeat split.
    - intros w t Hin. specialize (fit _ Hin). apply andb_true_iff in fit as [fit _].
      now apply Z.leb_le in fit.
    - exact whole.
    - intros w t Hin. specialize (fit _ Hin). apply andb_true_iff in fit as [_ fit].
      now apply Nat.leb_le in fit.
    - apply existsb_exists in near as ([w t] & Hin & H). apply andb_true_iff in H as [pos less].
      apply Z.ltb_lt in pos. apply Nat.ltb_lt in less. now exists w, t.
    - destruct from_below; apply Z.leb_le in holds; rewrite W; unfold bound, Qle; simpl;
        rewrite Pos2Z.inj_mul; nia.
  Qed.

  Hypothesis accepted : check_side = true.

  Lemma accepted_ends : p n = [] /\ bound n == 0.
  Proof.
    unfold check_side in accepted. rewrite !andb_true_iff in accepted.
    destruct accepted as [[zero none] _]. apply Z.eqb_eq in zero. split.
    - destruct (p n); [reflexivity | discriminate].
    - unfold bound. rewrite zero. reflexivity.
  Qed.

  Lemma accepted_moves s : (s < n)%nat -> p s <> [] /\ forall c, In c (p s) -> check_move s c = true.
  Proof.
    intros Hs. unfold check_side in accepted. rewrite !andb_true_iff in accepted.
    destruct accepted as [_ all]. rewrite forallb_forall in all.
    specialize (all s (proj2 (in_seq n 0 s) ltac:(lia))). destruct (p s) as [|c l]; [discriminate|].
    split; [discriminate|]. rewrite forallb_forall in all. exact all.
  Qed.

  Lemma accepted_at s c : (s <= n)%nat -> In c (p s) -> check_move s c = true.
  Proof.
    intros Hs Hc. destruct (Nat.eq_dec s n) as [-> | N].
    - destruct accepted_ends as [none _]. rewrite none in Hc. contradiction.
    - now apply accepted_moves; [lia|].
  Qed.

  Lemma listed_maximum {X} (f : X -> nat) l : exists k, forall x, In x l -> (f x <= k)%nat.
  Proof.
    induction l as [|x l [k IH]]; [exists O; contradiction|]. exists (max (f x) k).
    intros y [-> | H]; [lia|]. specialize (IH y H). lia.
  Qed.

  Lemma side : side_is_sure n p bound from_below.
  Proof.
    destruct (listed_maximum rank (seq 0 (S n))) as [k ranks].
    destruct (listed_maximum (fun c => Pos.to_nat (denominator c)) (flat_map p (seq 0 (S n))))
      as [D small].
    destruct (listed_maximum (fun s => Z.to_nat (Z.abs (numerators s))) (seq 0 (S n))) as [m big].
    exists k, (power (1 # Pos.of_nat (S D)) k), (inject_Z (Z.of_nat m)).
    split; [apply power_positive; reflexivity|]. split; [unfold Qle; simpl; lia|].
    assert (forall s, (s <= n)%nat -> In s (seq 0 (S n))) as listed
      by (intros; apply in_seq; lia).
    destruct accepted_ends as [none zero].
    assert (closed p (fun s => (s <= n)%nat)) as is_closed.
    { intros s c Hs Hc. now destruct (check_move_sound s c (accepted_at s c Hs Hc)) as (? & ? & _). }
    assert (vanishes p (fun s => (s <= n)%nat) bound) as ends_there.
    { intros s Hs Hnone. destruct (Nat.eq_dec s n) as [-> | N]; [exact zero|].
      exfalso. now apply (proj1 (accepted_moves s ltac:(lia))). }
    assert (forall s c, (s <= n)%nat -> In c (p s) ->
              (denominator c <= Pos.of_nat (S D))%positive) as small'.
    { intros s c Hs Hc. specialize (small c). assert (In c (flat_map p (seq 0 (S n)))) as Hin
        by (apply in_flat_map; eauto). specialize (small Hin). lia. }
    assert (forall s, (s <= n)%nat -> - inject_Z (Z.of_nat m) <= bound s <= inject_Z (Z.of_nat m))
      as within.
    { intros s Hs. specialize (big s (listed s Hs)). unfold bound, Qle. simpl. nia. }
    assert (forall s c, (s <= n)%nat -> In c (p s) -> nearer rank s c) as near.
    { intros s c Hs Hc. now destruct (check_move_sound s c (accepted_at s c Hs Hc)) as (_ & _ & ? & _). }
    assert (forall s, (s <= n)%nat -> (rank s <= k)%nat) as ranks' by auto.
    assert (0 <= inject_Z (Z.of_nat m)) as HM by (unfold Qle; simpl; lia).
    destruct (against_free nat p (fun s => (s <= n)%nat) bound rank k (Pos.of_nat (S D)) _ is_closed
      ends_there ranks' small' HM within near) as [lower upper].
    destruct from_below eqn:way.
    - apply lower. intros s c Hs Hc.
      destruct (check_move_sound s c (accepted_at s c Hs Hc)) as (_ & _ & _ & H).
      rewrite way in H. exact H.
    - apply upper. intros s c Hs Hc.
      destruct (check_move_sound s c (accepted_at s c Hs Hc)) as (_ & _ & _ & H).
      rewrite way in H. exact H.
  Qed.
End Checker.

Theorem check_side_sound : check_side_statement check_side.
Proof. intros n p numerators common rank from_below. apply side. Qed.
