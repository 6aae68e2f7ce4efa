(** * The checker of games in files, and that it is sound

    One pass over the states. A choice is looked at if one side is free to take it while the other
    does what the file says; the four questions differ only in the choices that must lower the rank. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Bounds Endless.
Import ListNotations.
Open Scope Q_scope.

(** Rationals are mostly over one denominator, which is then left alone. *)

Definition add (x y : Q) : Q :=
  if (Qden x =? Qden y)%positive then (Qnum x + Qnum y) # Qden x else x + y.

Definition times (w : Z) (x : Q) : Q := (w * Qnum x) # Qden x.

Definition at_most (x y : Q) : bool :=
  if (Qden x =? Qden y)%positive then (Qnum x <=? Qnum y)%Z else Qle_bool x y.

Fixpoint all_below (n : nat) (f : nat -> bool) : bool :=
  match n with O => true | S m => if f m then all_below m f else false end.

Section Game.
  Context (g : game).

  Definition is_alone : bool :=
    match asks g with Total => negb (players g =? 2) | _ => false end.

  (** ** What the format asks of a state *)

  Definition move_fits (m : move) : bool :=
    forallb (fun wt => snd wt <? size g) (leads m)
    && match asks g with Total => true | _ => (Qnum (pays m) =? 0)%Z end.

  Definition fits (s : nat) : bool :=
    match node_at g s, does (entry_at g s) with
    | Ended q, _ => match asks g with Reach => Qeq_bool q 0 || Qeq_bool q 1 | _ => true end
    | Drawn m, _ => move_fits m
    | First l, _ | Second l, _ => forallb move_fits l
    | AtOnce table, Mix x y =>
        match asks g with Draws => false | _ => players g =? 2 end
        && (length x =? length table)
        && forallb (fun row => (length row =? length y) && forallb move_fits row) table
    | AtOnce _, _ => false
    end.

  Definition is_first (s : nat) : bool := match node_at g s with First _ => true | _ => false end.
  Definition is_second (s : nat) : bool := match node_at g s with Second _ => true | _ => false end.

  Definition bounds_fit (s : nat) : bool :=
    at_most (low (entry_at g s)) (high (entry_at g s))
    && match asks g with Reach => at_most 0 (low (entry_at g s)) | _ => true end.

  (** ** One side *)

  Definition ranked (first_free : bool) (s : nat) : nat :=
    if s <? size g
    then S ((if first_free then rank_first_free else rank_second_free) (entry_at g s)) else O.

  Definition falls (first_free : bool) (s : nat) (c : choice nat) : bool :=
    existsb (fun wt => (0 <? fst wt)%Z && (ranked first_free (snd wt) <? ranked first_free s))
      (moves c).

  Definition after (b : nat -> Q) (c : choice nat) : Q :=
    fold_right (fun wt rest => add (times (fst wt) (b (snd wt))) rest) 0 (moves c).

  (** Whether rank is asked of a choice that returns just the bound, or not. *)

  Definition is_asked (first_free : bool) (bound : Q) (is_just : bool) : bool :=
    let above := negb (at_most (if first_free then - bound else bound) 0) in
    match asks g with
    | Total => negb is_alone
    | Reach => negb first_free && above
    | Draws => above && is_just
    end.

  Definition check_choice (first_free : bool) (s : nat) (c : choice nat) : bool :=
    let b := bound_of (negb first_free) g in
    forallb (fun wt => (0 <=? fst wt)%Z && (snd wt <=? size g)) (moves c)
    && (total_weight (moves c) =? Zpos (denominator c))%Z
    && match asks g, node_at g s with
       | Total, _ => true
       | Reach, Ended _ => (0 <=? reward c)%Z
       | Draws, Ended _ => forallb (fun wt => snd wt =? size g) (moves c)
       | _, _ => (reward c =? 0)%Z
       end
    && let returned := add (reward c # 1) (after b c) in
       let due := times (Zpos (denominator c)) (b s) in
       let keeps := if first_free then at_most returned due else at_most due returned in
       let is_just := if first_free then at_most due returned else at_most returned due in
       keeps && (negb (is_asked first_free (b s) is_just) || falls first_free s c).

  Definition check_choices (first_free : bool) (s : nat) : bool :=
    match left_to first_free g s with
    | [] => false
    | l => forallb (check_choice first_free s) l
    end.

  Definition check_state (s : nat) : bool :=
    bounds_fit s && fits s && check_choices false s && check_choices true s
    && (negb is_alone
        || forallb (fun c => falls true s c && falls false s c) (following g s)).

  Definition check_game : bool :=
    (players g <=? 2) && (initial g <? size g)
    && at_most (claimed_low g) (bound_of true g (initial g))
    && at_most (bound_of false g (initial g)) (claimed_high g)
    && ((players g =? 2)
        || all_below (size g) (fun s => negb (is_first s))
        || all_below (size g) (fun s => negb (is_second s)))
    && all_below (size g) check_state.
End Game.

(** ** Soundness *)

Lemma all_below_is n f : all_below n f = true -> forall s, (s < n)%nat -> f s = true.
Proof.
  induction n as [|n IH]; intros H s Hs; [lia|]. simpl in H.
  destruct (f n) eqn:E; [|discriminate].
  destruct (Nat.eq_dec s n) as [-> | N]; [exact E|]. apply IH; [exact H | lia].
Qed.

Lemma add_is x y : add x y == x + y.
Proof.
  unfold add. destruct (Pos.eqb_spec (Qden x) (Qden y)) as [E|_]; [|reflexivity].
  destruct x as [a d], y as [b e]. simpl in *. subst. unfold Qeq, Qplus. simpl.
  rewrite Pos2Z.inj_mul. ring.
Qed.

Lemma times_is w x : times w x == inject_Z w * x.
Proof. destruct x. unfold times, Qeq. simpl. ring. Qed.

Lemma at_most_is x y : at_most x y = true <-> x <= y.
Proof.
  unfold at_most. destruct (Pos.eqb_spec (Qden x) (Qden y)) as [E|_]; [|apply Qle_bool_iff].
  rewrite Z.leb_le. unfold Qle. rewrite E. split; intros H.
  - apply Z.mul_le_mono_nonneg_r; [lia | exact H].
  - apply Z.mul_le_mono_pos_r in H; [exact H | lia].
Qed.

(** What a side's checked choices say of the process that is left to it. *)

Section Side.
  Context (g : game) (free : bool).
  Let n := size g.
  Let p := left_to free g.
  Let b := bound_of (negb free) g.
  Let inside s := (s <= n)%nat.
  Hypothesis checked : forall s, (s < n)%nat -> check_choices g free s = true.

  Lemma ended : p n = [] /\ b n == 0.
  Proof.
    unfold p, b, left_to, bound_of, n. rewrite Nat.ltb_irrefl. split; reflexivity.
  Qed.

  Lemma goes_on s : (s < n)%nat -> p s <> [].
  Proof.
    intros Hs. specialize (checked s Hs). unfold check_choices in checked. unfold p.
    destruct (left_to free g s); discriminate.
  Qed.

  Lemma at_choice s c : inside s -> In c (p s) -> (s < n)%nat /\ check_choice g free s c = true.
  Proof.
    intros Hs Hc. destruct (Nat.eq_dec s n) as [-> | N].
    - destruct ended as [none _]. rewrite none in Hc. contradiction.
    - assert (s < n)%nat as H by (unfold inside in Hs; lia). split; [exact H|].
      specialize (checked s H). unfold check_choices in checked. unfold p in Hc.
      destruct (left_to free g s); [discriminate|]. rewrite forallb_forall in checked. auto.
  Qed.

  Lemma after_is c : after b c == sum (fun wt => inject_Z (fst wt) * b (snd wt)) (moves c).
  Proof.
    unfold after. induction (moves c) as [|wt l IH]; [reflexivity|].
    cbn [fold_right sum]. rewrite add_is, times_is, IH. reflexivity.
  Qed.

  (** What is compared is the worth and the bound, times the denominator. *)

  Lemma returned_is c : add (reward c # 1) (after b c) == inject_Z (Zpos (denominator c)) * worth c b.
  Proof.
    rewrite add_is, after_is. unfold worth, mean.
    set (x := sum _ _). set (D := denominator c).
    assert (inject_Z (Zpos D) * (reward c # D) == reward c # 1) as E1
      by (unfold Qeq, Qmult, inject_Z; cbn [Qnum Qden]; rewrite !Pos2Z.inj_mul; ring).
    assert (inject_Z (Zpos D) * (1 # D) == 1) as E2
      by (unfold Qeq, Qmult, inject_Z; cbn [Qnum Qden]; rewrite !Pos2Z.inj_mul; ring).
    rewrite <- E1. setoid_replace x with (x * (inject_Z (Zpos D) * (1 # D))) at 1
      by (rewrite E2; ring). ring.
  Qed.

  Lemma scaled_at_most (c : choice nat) x y : inject_Z (Zpos (denominator c)) * x <= inject_Z (Zpos (denominator c)) * y
    <-> x <= y.
  Proof.
    split; intros H.
    - apply Qmult_lt_0_le_reg_r with (z := inject_Z (Zpos (denominator c))); [reflexivity|].
      rewrite !(Qmult_comm _ (inject_Z _)). exact H.
    - rewrite !(Qmult_comm (inject_Z _)). apply Qmult_le_compat_r; [exact H|].
      unfold Qle. simpl. lia.
  Qed.

  Lemma choice_is s c : inside s -> In c (p s) ->
    lawful c /\ (forall w t, In (w, t) (moves c) -> inside t) /\
    (asks g <> Total -> reward c = 0%Z \/ (exists q, node_at g s = Ended q) /\
      (asks g = Reach -> (0 <= reward c)%Z) /\
      (asks g = Draws -> forall w t, In (w, t) (moves c) -> p t = [])) /\
    (if free then worth c b <= b s else b s <= worth c b) /\
    (is_asked g free (b s) (Qeq_bool (worth c b) (b s)) = true -> nearer (ranked g free) s c).
  Proof.
    intros Hs Hc. destruct (at_choice s c Hs Hc) as [lt H]. unfold check_choice in H.
    fold b in H. rewrite !andb_true_iff in H. destruct H as [[[fit whole] paid'] [keeps rank']].
    rewrite forallb_forall in fit. apply Z.eqb_eq in whole.
    assert (lawful c) as law.
    { split; [|exact whole]. intros w t Hin. specialize (fit _ Hin).
      apply andb_true_iff in fit as [fit _]. now apply Z.leb_le in fit. }
    assert (forall x y, at_most x y = true <-> x <= y) as A by apply at_most_is.
    set (returned := add _ _) in *. set (due := times _ _) in *.
    assert (at_most returned due = true <-> worth c b <= b s) as down.
    { rewrite A. unfold returned, due. rewrite returned_is, times_is. apply scaled_at_most. }
    assert (at_most due returned = true <-> b s <= worth c b) as up.
    { rewrite A. unfold returned, due. rewrite returned_is, times_is. apply scaled_at_most. }
    assert (if free then worth c b <= b s else b s <= worth c b) as holds
      by (destruct free; [now apply down | now apply up]).
    repeat split.
    - apply law.
    - exact whole.
    - intros w t Hin. specialize (fit _ Hin). apply andb_true_iff in fit as [_ fit].
      now apply Nat.leb_le in fit.
    - intros N. destruct (asks g) eqn:Q; [contradiction| |];
        destruct (node_at g s) eqn:E;
        try (left; apply Z.eqb_eq; exact paid'); right;
        (split; [eexists; reflexivity|]; split; intros W; [|try discriminate]).
      + apply Z.leb_le. exact paid'.
      + discriminate.
      + rewrite forallb_forall in paid'. intros w t Hin. specialize (paid' _ Hin).
        apply Nat.eqb_eq in paid'. cbn in paid'. subst t. apply ended.
    - exact holds.
    - intros asked. apply orb_true_iff in rank' as [no | falls'].
      + exfalso. apply negb_true_iff in no.
        assert (is_asked g free (b s) (Qeq_bool (worth c b) (b s)) = false); [|congruence].
        rewrite <- no. f_equal.
        destruct (Qeq_bool (worth c b) (b s)) eqn:J.
        * apply Qeq_bool_iff in J. destruct free; symmetry; [apply up | apply down]; lra.
        * apply Qeq_bool_neq in J. destruct free.
          -- destruct (at_most due returned) eqn:U; [|reflexivity]. exfalso. apply J.
             pose proof (proj1 up eq_refl). lra.
          -- destruct (at_most returned due) eqn:U; [|reflexivity]. exfalso. apply J.
             pose proof (proj1 down eq_refl). lra.
      + unfold falls in falls'. apply existsb_exists in falls' as ([w t] & Hin & H).
        apply andb_true_iff in H as [pos less]. apply Z.ltb_lt in pos. apply Nat.ltb_lt in less.
        now exists w, t.
  Qed.

  Lemma inside_listed s : inside s -> In s (seq 0 (S n)).
  Proof. intros H. apply in_seq. unfold inside in H. lia. Qed.

  Lemma listed_inside s : In s (seq 0 (S n)) -> inside s.
  Proof. intros H. apply in_seq in H. unfold inside. lia. Qed.

  Lemma is_closed : closed p inside.
  Proof. intros s c Hs Hc. destruct (choice_is s c Hs Hc) as (law & goes & _). split; assumption. Qed.

  Lemma ends_there : vanishes p inside b.
  Proof.
    intros s Hs none. destruct (Nat.eq_dec s n) as [-> | N]; [apply ended|].
    exfalso. apply (goes_on s); [unfold inside in Hs; lia | exact none].
  Qed.

  Lemma constants : exists k D M, 0 <= M /\ (forall s, inside s -> (ranked g free s <= k)%nat) /\
    (forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive) /\
    (forall s, inside s -> - M <= b s <= M).
  Proof.
    destruct (listed_maximum (ranked g free) (seq 0 (S n))) as [k ranks].
    destruct (listed_bound b (seq 0 (S n))) as (M & HM & within).
    destruct (listed_denominator p (seq 0 (S n))) as [D small].
    exists k, D, M. repeat split; [exact HM | | | |]; intros; try apply within; eauto using inside_listed.
  Qed.

  Lemma step s c : inside s -> In c (p s) -> if free then worth c b <= b s else b s <= worth c b.
  Proof. intros Hs Hc. apply (choice_is s c Hs Hc). Qed.

  Lemma in_time : side_in_time n p b (negb free).
  Proof.
    destruct constants as (_ & _ & M & HM & _ & _ & bounded). pose proof is_closed as cl.
    pose proof ends_there as en. pose proof step as st.
    exists M. split; [exact HM|]. intros pi m h s Hs.
    destruct (bool_dec free true) as [F | F]; [|apply not_true_is_false in F]; rewrite F in *;
      simpl; unfold gap.
    - apply upper_bound with (inside := inside);
        [exact cl | exact en | | exact HM | intros; now apply bounded | exact Hs].
      intros h' t c Ht Hc. apply taken_in in Hc. exact (st t c Ht Hc).
    - assert (b s - M * alive p pi m h s <= total p pi m h s); [|lra].
      apply lower_bound with (inside := inside);
        [exact cl | exact en | | exact HM | intros; now apply bounded | exact Hs].
      intros h' t c Ht Hc. apply taken_in in Hc. exact (st t c Ht Hc).
  Qed.

  (** The same of a process with some of these choices. *)

  Lemma sure (q : process nat) : (forall s c, In c (q s) -> In c (p s)) ->
    (forall s, inside s -> q s = [] -> p s = []) ->
    (forall s c, inside s -> In c (q s) -> nearer (ranked g free) s c) ->
    side_is_sure n q b (negb free).
  Proof.
    intros part none near. destruct constants as (k & D & M & HM & ranks & small & bounded).
    pose proof is_closed as cl. pose proof ends_there as en. pose proof step as st.
    exists k, (power (1 # D) k), M.
    split; [apply power_positive; reflexivity|]. split; [exact HM|]. intros pi m h s Hs.
    assert (closed q inside) as clq by (intros t c Ht Hc; exact (cl t c Ht (part t c Hc))).
    assert (vanishes q inside b) as enq by (intros t Ht Hn; exact (en t Ht (none t Ht Hn))).
    assert (forall t c, inside t -> In c (q t) -> (denominator c <= D)%positive) as smallq
      by (intros t c Ht Hc; exact (small t c Ht (part t c Hc))).
    destruct (against_free nat q inside b (ranked g free) k D M clq enq ranks smallq HM bounded near)
      as [low high].
    destruct (bool_dec free true) as [F | F]; [|apply not_true_is_false in F]; rewrite F in *;
      simpl; unfold gap.
    - apply high; [|exact Hs]. intros t c Ht Hc. exact (st t c Ht (part t c Hc)).
    - assert (b s - M * power (1 - power (1 # D) k) m <= total q pi (k * m) h s); [|lra].
      apply low; [|exact Hs]. intros t c Ht Hc. exact (st t c Ht (part t c Hc)).
  Qed.

  Lemma sure_here : (forall s c, inside s -> In c (p s) -> nearer (ranked g free) s c) ->
    side_is_sure n p b (negb free).
  Proof. apply sure; auto. Qed.
End Side.

(** The process of the other side's losses. *)

Section Negated.
  Context {state : Type} (p : process state).

  Definition lost_by (c : choice state) : choice state :=
    Choice (- reward c) (denominator c) (moves c).

  Definition losses : process state := fun s => map lost_by (p s).

  Lemma losses_taken s i : taken (losses s) i = option_map lost_by (taken (p s) i).
  Proof.
    unfold losses, taken. destruct (p s) as [|c l]; [reflexivity|].
    cbn [map option_map]. f_equal. change (lost_by c :: map lost_by l) with (map lost_by (c :: l)).
    apply map_nth.
  Qed.

  Lemma worth_lost c f v : (forall t, f t == - v t) -> worth (lost_by c) f == - worth c v.
  Proof.
    intros H. unfold worth, mean. cbn [reward denominator moves lost_by].
    rewrite (sum_equal _ (fun move => (-1) * (inject_Z (fst move) * v (snd move))))
      by (intros; rewrite H; ring).
    rewrite sum_scaled. assert ((- reward c # denominator c) == - (reward c # denominator c)) as ->
      by reflexivity. ring.
  Qed.

  Lemma total_lost pi n : forall h s, total losses pi n h s == - total p pi n h s.
  Proof.
    induction n as [|n IH]; intros h s; cbn [total]; [reflexivity|].
    rewrite losses_taken. destruct (taken (p s) (pi h s)) as [c|]; [|reflexivity].
    cbn [option_map]. apply worth_lost. intros t. apply IH.
  Qed.

  Lemma paid_lost pi n h s : paid losses pi n h s == - paid p pi n h s.
  Proof. induction n as [|n IH]; cbn [paid]; [reflexivity|]. rewrite IH, total_lost. ring. Qed.
End Negated.

Section Draws.
  Context (g : game).
  Let n := size g.
  Hypothesis asks_draws : asks g = Draws.

  Lemma draws_below : (forall s, (s < n)%nat -> check_choices g false s = true) ->
    side_in_the_mean n (left_to false g) (bound_of true g) true.
  Proof.
    intros checked. pose proof (choice_is g false checked) as is.
    destruct (endless nat (left_to false g) (seq 0 (S n)) (bound_of true g) (ranked g false))
      as [C HC].
    - intros s c Hs Hc. apply listed_inside in Hs. destruct (is s c Hs Hc) as (law & goes & _).
      split; [exact law|]. intros w t Hin. apply inside_listed. eauto.
    - intros s Hs. apply (ends_there g false checked). now apply listed_inside.
    - intros s c Hs Hc. apply listed_inside in Hs. destruct (is s c Hs Hc) as (_ & _ & H & _).
      destruct H as [Z | (_ & _ & over)]; [congruence | now left | right; now apply over].
    - intros s c Hs Hc. apply listed_inside in Hs. now destruct (is s c Hs Hc) as (_ & _ & _ & H & _).
    - intros s c Hs Hc up just. apply listed_inside in Hs.
      destruct (is s c Hs Hc) as (_ & _ & _ & _ & H). apply H. unfold is_asked. rewrite asks_draws.
      cbn [negb]. apply Qeq_bool_iff in just. unfold bound_of in *. cbn [negb] in *. rewrite just, andb_true_r.
      apply negb_true_iff. apply not_true_is_false. intros A. apply at_most_is in A. lra.
    - exists C. intros pi m h s Hs. simpl. unfold gap.
      specialize (HC pi m h s (inside_listed g s Hs)). lra.
  Qed.

  Lemma draws_above : (forall s, (s < n)%nat -> check_choices g true s = true) ->
    side_in_the_mean n (left_to true g) (bound_of false g) false.
  Proof.
    intros checked. pose proof (choice_is g true checked) as is.
    assert (forall c, worth (lost_by c) (fun t => - bound_of false g t) == - worth c (bound_of false g))
      as W by (intros; apply worth_lost; reflexivity).
    destruct (endless nat (losses (left_to true g)) (seq 0 (S n)) (fun s => - bound_of false g s)
      (ranked g true)) as [C HC].
    - intros s c Hs Hc. apply listed_inside in Hs. apply in_map_iff in Hc as (e & <- & Hc).
      destruct (is s e Hs Hc) as (law & goes & _).
      split; [exact law|]. intros w t Hin. apply inside_listed. eauto.
    - intros s Hs none. apply map_eq_nil in none.
      rewrite (ends_there g true checked s (listed_inside g s Hs) none). reflexivity.
    - intros s c Hs Hc. apply listed_inside in Hs. apply in_map_iff in Hc as (e & <- & Hc).
      destruct (is s e Hs Hc) as (_ & _ & H & _).
      destruct H as [Z | (_ & _ & over)]; [congruence | left; cbn; lia | right].
      intros w t Hin. unfold losses. rewrite (over asks_draws w t Hin). reflexivity.
    - intros s c Hs Hc. apply listed_inside in Hs. apply in_map_iff in Hc as (e & <- & Hc).
      destruct (is s e Hs Hc) as (_ & _ & _ & H & _). rewrite W. cbn [negb] in H. lra.
    - intros s c Hs Hc up just. apply listed_inside in Hs. apply in_map_iff in Hc as (e & <- & Hc).
      destruct (is s e Hs Hc) as (_ & _ & _ & _ & H). apply H. rewrite W in just.
      unfold is_asked. rewrite asks_draws. cbn [negb] in *.
      assert (worth e (bound_of false g) == bound_of false g s) as J by lra.
      apply Qeq_bool_iff in J. rewrite J, andb_true_r.
      apply negb_true_iff. apply not_true_is_false. intros A. apply at_most_is in A. lra.
    - exists C. intros pi m h s Hs. simpl. unfold gap.
      specialize (HC pi m h s (inside_listed g s Hs)). rewrite paid_lost in HC. lra.
  Qed.
End Draws.

(** Of a player alone both sides look at what is done. *)

Lemma following_in g free s c : (players g =? 2) = false -> fits g s = true ->
  In c (following g s) -> In c (left_to free g s).
Proof.
  intros alone fit. unfold following, left_to, fits in *.
  destruct (s <? size g); [|now destruct (node_at g s)].
  destruct (node_at g s) as [q|m|l|l|table]; destruct (does (entry_at g s)) as [|i|x y];
    cbn [against]; auto; destruct free; auto.
  - intros H. apply in_map_iff in H as (m & <- & H). apply in_map.
    destruct (skipn i l) as [|m' l'] eqn:E; [contradiction|]. destruct H as [-> | []].
    rewrite <- (firstn_skipn i l), E. apply in_app_iff. right. now left.
  - intros H. apply in_map_iff in H as (m & <- & H). apply in_map.
    destruct (skipn i l) as [|m' l'] eqn:E; [contradiction|]. destruct H as [-> | []].
    rewrite <- (firstn_skipn i l), E. apply in_app_iff. right. now left.
  - rewrite alone in fit. destruct (asks g); discriminate.
Qed.

Theorem check_game_sound : checker_statement check_game.
Proof.
  intros g H n lower upper. unfold check_game in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[_ start] claims_low] claims_high] _] states].
  apply Nat.ltb_lt in start. apply at_most_is in claims_low, claims_high.
  pose proof (all_below_is _ _ states) as each. clear states.
  assert (forall s, (s < n)%nat -> bounds_fit g s = true /\ fits g s = true /\
    check_choices g false s = true /\ check_choices g true s = true /\
    (is_alone g = true -> forall c, In c (following g s) ->
      falls g true s c = true /\ falls g false s c = true)) as at_state.
  { intros s Hs. specialize (each s Hs). unfold check_state in each. rewrite !andb_true_iff in each.
    destruct each as [[[[bf ft] cf] ct] alone]. split; [exact bf|]. split; [exact ft|].
    split; [exact cf|]. split; [exact ct|]. intros A c Hc. rewrite A in alone. cbn [negb orb] in alone.
    rewrite forallb_forall in alone. apply andb_true_iff. exact (alone c Hc). }
  assert (forall free s, (s < n)%nat -> check_choices g free s = true) as checked
    by (intros [] s Hs; apply (at_state s Hs)).
  assert (forall free s c, falls g free s c = true -> nearer (ranked g free) s c) as near.
  { intros free s c F. unfold falls in F. apply existsb_exists in F as ([w t] & Hin & F).
    apply andb_true_iff in F as [pos less]. apply Z.ltb_lt in pos. apply Nat.ltb_lt in less.
    now exists w, t. }
  split; [exact start|]. split; [exact claims_low|]. split; [exact claims_high|]. split.
  { intros N free s c Hs Hc.
    destruct (choice_is g free (checked free) s c (Nat.lt_le_incl _ _ Hs) Hc) as (_ & _ & Z & _).
    destruct (Z N) as [Z' | (Q & _)]; auto. }
  destruct (asks g) eqn:Q.
  - destruct (players g =? 2) eqn:P.
    + split.
      * apply (sure_here g false (checked false)). intros s c Hs Hc.
        apply (choice_is g false (checked false) s c Hs Hc). unfold is_asked, is_alone. now rewrite Q, P.
      * apply (sure_here g true (checked true)). intros s c Hs Hc.
        apply (choice_is g true (checked true) s c Hs Hc). unfold is_asked, is_alone. now rewrite Q, P.
    + assert (forall s, (n <= s)%nat -> forall free, left_to free g s = []) as none.
      { intros s Hs free. unfold left_to. destruct (Nat.ltb_spec s (size g)); [unfold n in Hs; lia|].
        reflexivity. }
      assert (forall s, following g s = [] -> (n <= s)%nat) as ended'.
      { intros s E. destruct (le_lt_dec n s) as [|Hs]; [assumption|]. exfalso. unfold following in E.
        destruct (node_at g s);
          (eapply (goes_on g true); [apply checked | exact Hs | exact E]) ||
          (eapply (goes_on g false); [apply checked | exact Hs | exact E]). }
      assert (forall free, side_is_sure n (following g) (bound_of (negb free) g) (negb free)) as both.
      { intros free. apply (sure g free (checked free)).
        - intros s c Hc. destruct (le_lt_dec n s) as [Hs|Hs].
          + exfalso. unfold following in Hc. rewrite !none in Hc by exact Hs.
            destruct (node_at g s); contradiction.
          + apply following_in; [exact P | apply (at_state s Hs) | exact Hc].
        - intros s _ E. apply none. now apply ended'.
        - intros s c Hs Hc. destruct (le_lt_dec n s) as [Hs'|Hs'].
          + exfalso. unfold following in Hc. rewrite !none in Hc by exact Hs'.
            destruct (node_at g s); contradiction.
          + apply near. destruct (at_state s Hs') as (_ & _ & _ & _ & F).
            assert (is_alone g = true) as A by (unfold is_alone; now rewrite Q, P).
            destruct (F A c Hc). now destruct free. }
      split; [exact (in_time g false (checked false))|].
      split; [exact (in_time g true (checked true))|].
      split; [exact (both false) | exact (both true)].
  - assert (forall free s c, (s <= n)%nat -> In c (left_to free g s) -> (0 <= reward c)%Z) as pays'.
    { intros free s c Hs Hc. destruct (choice_is g free (checked free) s c Hs Hc) as (_ & _ & Z & _).
      destruct Z as [Z | (_ & Z & _)]; [congruence | lia | now apply Z]. }
    assert (forall s, (s < n)%nat -> 0 <= low (entry_at g s) <= high (entry_at g s)) as positive.
    { intros s Hs. destruct (at_state s Hs) as (B & _). unfold bounds_fit in B. rewrite Q in B.
      apply andb_true_iff in B as [B1 B2]. apply at_most_is in B1, B2. lra. }
    assert (forall way s, 0 <= bound_of way g s) as above.
    { intros way s. unfold bound_of. destruct (Nat.ltb_spec s (size g)) as [Hs|]; [|lra].
      specialize (positive s Hs). destruct way; lra. }
    assert (forall free, exists k D M, 0 <= M /\
      (forall s, (s <= n)%nat -> (ranked g free s <= k)%nat) /\
      (forall s c, (s <= n)%nat -> In c (left_to free g s) -> (denominator c <= D)%positive) /\
      (forall s, (s <= n)%nat -> 0 <= bound_of (negb free) g s <= M)) as within.
    { intros free. destruct (constants g free) as (k & D & M & HM & r & s & B).
      exists k, D, M. split; [exact HM|]. split; [exact r|]. split; [exact s|]. intros t Ht.
      specialize (B t Ht). specialize (above (negb free) t). lra. }
    split.
    + destruct (within false) as (k & D & M & HM & r & sm & B).
      destruct (reaching nat (left_to false g) (fun s => (s <= n)%nat) lower (ranked g false) k D M
        (is_closed g false (checked false)) (ends_there g false (checked false)) (pays' false) r sm HM B)
        as [L _].
      exists k, (power (1 # D) k), M. split; [apply power_positive; reflexivity|]. split; [exact HM|].
      intros pi m h s Hs. simpl. unfold gap.
      assert (lower s - M * power (1 - power (1 # D) k) m <= total (left_to false g) pi (k * m) h s);
        [|lra].
      apply L; [| |exact Hs].
      * intros t c Ht up Hc. apply (choice_is g false (checked false) t c Ht Hc). unfold is_asked.
        rewrite Q. cbn [negb andb]. apply negb_true_iff. apply not_true_is_false. intros A.
        apply at_most_is in A. unfold lower in up. cbn [negb] in A. lra.
      * intros t c Ht _ Hc. exact (step g false (checked false) t c Ht Hc).
    + destruct (within true) as (k & D & M & HM & r & sm & B).
      destruct (reaching nat (left_to true g) (fun s => (s <= n)%nat) upper (ranked g true) k D M
        (is_closed g true (checked true)) (ends_there g true (checked true)) (pays' true) r sm HM B)
        as [_ U].
      apply U. intros t c Ht Hc. exact (step g true (checked true) t c Ht Hc).
  - split; [apply draws_below | apply draws_above]; auto.
Qed.
