(** * Theorem 2: convexity in the score

    A function of the score is [peaked b] if it is a maximum of finitely many lines A + B s with
    A >= 0 and 0 <= B <= b. Constants are, and shifts, multiples, sums and maxima of such functions;
    a sum of maxima is the maximum of all sums. So the value is, by induction on the rounds: what
    survives a roll shifts the score, and a catastrophe makes it a constant. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Backward Swe.
Import ListNotations.
Open Scope Q_scope.

Definition at_score (s : nat) (line : Q * Q) : Q := fst line + snd line * inject_Z (Z.of_nat s).

Definition peak (l : list Q) (m : Q) : Prop :=
  (forall x, In x l -> x <= m) /\ exists x, In x l /\ x == m.

Definition peaked (b : Q) (f : nat -> Q) : Prop :=
  exists lines, (forall A B, In (A, B) lines -> 0 <= A /\ 0 <= B <= b) /\
    forall s, peak (map (at_score s) lines) (f s).

Lemma peaked_equal b c f g : peaked b f -> b <= c -> (forall s, f s == g s) -> peaked c g.
Proof.
  intros (lines & bounds & peaks) Hb H. exists lines. split.
  - intros A B Hin. specialize (bounds A B Hin). lra.
  - intros s. destruct (peaks s) as [upper (x & Hin & Hx)]. split.
    + intros y Hy. rewrite <- H. auto.
    + exists x. split; [exact Hin | now rewrite Hx].
Qed.

Lemma peaked_line a b : 0 <= a -> 0 <= b -> peaked b (fun s => a + b * inject_Z (Z.of_nat s)).
Proof.
  intros Ha Hb. exists [(a, b)]. split.
  - intros A B [[= <- <-] | []]. lra.
  - intros s. split; [intros x [<- | []]; apply Qle_refl|].
    exists (at_score s (a, b)). split; [now left | reflexivity].
Qed.

Lemma peaked_shift b k f : peaked b f -> peaked b (fun s => f (s + k)%nat).
Proof.
  intros (lines & bounds & peaks).
  pose (moved := fun line : Q * Q => (fst line + snd line * inject_Z (Z.of_nat k), snd line)).
  assert (forall s line, at_score (s + k) line == at_score s (moved line)) as same.
  { intros s [A B]. unfold at_score, moved. cbn [fst snd]. rewrite Nat2Z.inj_add,
      inject_Z_plus. ring. }
  exists (map moved lines). split.
  - intros A B Hin. apply in_map_iff in Hin as ([A' B'] & [= <- <-] & Hin).
    specialize (bounds A' B' Hin).
    assert (0 <= inject_Z (Z.of_nat k)) by (rewrite <- (Zle_Qle 0); lia). split; [nra | lra].
  - intros s. destruct (peaks (s + k)%nat) as [upper (x & Hin & Hx)]. split.
    + intros y Hy. rewrite map_map in Hy. apply in_map_iff in Hy as (line & <- & Hline).
      rewrite <- same. apply upper, in_map, Hline.
    + apply in_map_iff in Hin as (line & <- & Hline). exists (at_score s (moved line)). split.
      * apply in_map, in_map, Hline.
      * rewrite <- same. exact Hx.
Qed.

Lemma peaked_scaled b w f : 0 <= w -> peaked b f -> peaked (w * b) (fun s => w * f s).
Proof.
  intros Hw (lines & bounds & peaks).
  pose (times := fun line : Q * Q => (w * fst line, w * snd line)).
  assert (forall s line, at_score s (times line) == w * at_score s line) as same
    by (intros s [A B]; unfold at_score, times; cbn [fst snd]; ring).
  exists (map times lines). split.
  - intros A B Hin. apply in_map_iff in Hin as ([A' B'] & [= <- <-] & Hin).
    specialize (bounds A' B' Hin). split; [nra | split; nra].
  - intros s. destruct (peaks s) as [upper (x & Hin & Hx)]. split.
    + intros y Hy. rewrite map_map in Hy. apply in_map_iff in Hy as (line & <- & Hline).
      rewrite same. specialize (upper _ (in_map (at_score s) _ _ Hline)). nra.
    + apply in_map_iff in Hin as (line & <- & Hline). exists (at_score s (times line)). split.
      * apply in_map, in_map, Hline.
      * rewrite same, Hx. reflexivity.
Qed.

Lemma peaked_plus b c f g : peaked b f -> peaked c g -> peaked (b + c) (fun s => f s + g s).
Proof.
  intros (lines & bounds & peaks) (others & bounds' & peaks').
  pose (plus := fun pair : (Q * Q) * (Q * Q) =>
    (fst (fst pair) + fst (snd pair), snd (fst pair) + snd (snd pair))).
  assert (forall s line other, at_score s (plus (line, other)) == at_score s line + at_score s
    other)
    as same by (intros s [A B] [C D]; unfold at_score, plus; cbn [fst snd]; ring).
  exists (map plus (list_prod lines others)). split.
  - intros A B Hin. apply in_map_iff in Hin as ([[A' B'] [C D]] & [= <- <-] & Hin).
    apply in_prod_iff in Hin as [H1 H2]. specialize (bounds A' B' H1). specialize (bounds' C D H2).
    cbn [fst snd]. split; [lra | split; lra].
  - intros s. destruct (peaks s) as [upper (x & Hx & Ex)].
    destruct (peaks' s) as [upper' (y & Hy & Ey)]. split.
    + intros z Hz. rewrite map_map in Hz. apply in_map_iff in Hz as ([line other] & <- & Hin).
      apply in_prod_iff in Hin as [H1 H2]. rewrite same.
      specialize (upper _ (in_map (at_score s) _ _ H1)).
      specialize (upper' _ (in_map (at_score s) _ _ H2)). lra.
    + apply in_map_iff in Hx as (line & <- & Hline). apply in_map_iff in Hy as (other & <- &
        Hother).
      exists (at_score s (plus (line, other))). split.
      * apply in_map, in_map, in_prod; assumption.
      * rewrite same, Ex, Ey. reflexivity.
Qed.

(** A mean of peaked functions, with weights that sum to the denominator. *)

Lemma peaked_sum {X} (f : X -> nat -> Q) l :
  (forall w x, In (w, x) l -> (0 <= w)%Z) -> (forall w x, In (w, x) l -> peaked 1 (f x)) ->
  peaked (inject_Z (total_weight l)) (fun s => sum (fun wx => inject_Z (fst wx) * f (snd wx) s) l).
Proof.
  induction l as [|[w x] l IH]; intros positive each.
  - apply peaked_equal with 0 (fun s => 0 + 0 * inject_Z (Z.of_nat s)).
    + apply peaked_line; lra.
    + apply Qle_refl.
    + intros s. simpl. ring.
  - eapply peaked_equal.
    + apply (peaked_plus (inject_Z w * 1) (inject_Z (total_weight l)));
        [apply peaked_scaled; [rewrite <- (Zle_Qle 0); eapply positive; now left | eapply each;
          now left]
        |apply IH; intros; [eapply positive | eapply each]; right; eassumption].
    + simpl. rewrite inject_Z_plus. lra.
    + intros s. reflexivity.
Qed.

(** The highest of peaked functions. *)

Lemma peaked_highest b : forall l : list (nat -> Q), l <> [] ->
  (forall f, In f l -> peaked b f) -> peaked b (fun s => highest (map (fun f => f s) l)).
Proof.
  intros l nonempty each.
  assert (exists lines, (forall A B, In (A, B) lines -> 0 <= A /\ 0 <= B <= b) /\
    (forall s f, In f l -> exists x, In x (map (at_score s) lines) /\ x == f s) /\
    (forall s x, In x (map (at_score s) lines) -> exists f, In f l /\ x <= f s))
    as (lines & bounds & there & back).
  { clear nonempty. induction l as [|f l IH].
    - exists []. repeat split; contradiction.
    - destruct (each f (or_introl eq_refl)) as (some & bounds & peaks).
      destruct (IH (fun g Hg => each g (or_intror Hg))) as (rest & bounds' & there & back).
      exists (some ++ rest). split; [|split].
      + intros A B Hin. apply in_app_or in Hin as [H | H]; auto.
      + intros s g [<- | Hg]; rewrite map_app.
        * destruct (peaks s) as [_ (x & Hin & Hx)]. exists x. split; [apply in_or_app;
            now left | exact Hx].
        * destruct (there s g Hg) as (x & Hin & Hx). exists x. split; [apply in_or_app;
            now right | exact Hx].
      + intros s x. rewrite map_app. intros Hin. apply in_app_or in Hin as [H | H].
        * exists f. split; [now left | now apply (peaks s)].
        * destruct (back s x H) as (g & Hg & Hx). exists g. split; [now right | exact Hx]. }
  exists lines. split; [exact bounds|]. intros s. split.
  - intros x Hin. destruct (back s x Hin) as (f & Hf & Hx).
    apply Qle_trans with (f s); [exact Hx|]. apply highest_is_upper.
    exact (in_map (fun f => f s) _ _ Hf).
  - assert (In (highest (map (fun f => f s) l)) (map (fun f => f s) l)) as H
      by (apply highest_in; destruct l; [contradiction | discriminate]).
    apply in_map_iff in H as (f & Hf & Hin). destruct (there s f Hin) as (x & Hx & Ex).
    exists x. split; [exact Hx | rewrite Ex, Hf; reflexivity].
Qed.

(** ** The value *)

Lemma value_peaked faces : ladder faces ->
  forall rounds t, on_ladder faces t -> peaked 1 (swe_value faces rounds t).
Proof.
  intros [_ two]. assert (forall f, In f faces -> (1 <= f)%nat) as one
    by (intros f Hf; specialize (two f Hf); lia).
  induction rounds as [|rounds IH]; intros t Ht.
  - apply peaked_equal with 1 (fun s => 0 + 1 * inject_Z (Z.of_nat s)).
    + apply peaked_line; lra.
    + apply Qle_refl.
    + intros s. rewrite swe_value_end. ring.
  - apply peaked_equal with 1
      (fun s => highest (map (fun f => f s) (map (swe_worth faces rounds) (after_moves t)))).
    + apply peaked_highest.
      * destruct (after_moves t) eqn:E; [now destruct (after_moves_some t) | discriminate].
      * intros f Hf. apply in_map_iff in Hf as (t' & <- & Hin).
        pose proof (after_moves_on_ladder faces t t' Ht Hin) as Ht'.
        pose (law := survivors faces (revenue t')).
        assert (peaked (inject_Z (total_weight law)) (fun s => sum (fun wk => inject_Z (fst wk) *
            swe_value faces rounds (after_roll t' (snd wk)) (score_after s (snd wk))) law)) as H.
        { apply (peaked_sum (fun kept s =>
            swe_value faces rounds (after_roll t' kept) (score_after s kept))).
          - intros w kept Hk. now apply (survivors_kept faces (revenue t') w kept (proj1 Ht') Hk).
          - intros w kept Hk.
            pose proof (IH _ (after_roll_on_ladder faces t' w kept Ht' Hk)) as P.
            unfold score_after. destruct (list_sum kept) as [|n].
            + destruct P as (lines & bounds & peaks).
              destruct (peaks 0%nat) as [_ (x & Hx & Ex)].
              apply in_map_iff in Hx as ([A B] & <- & Hline). specialize (bounds A B Hline).
              unfold at_score in Ex. cbn [fst snd] in Ex.
              apply peaked_equal with 1 (fun s => A + 0 * inject_Z (Z.of_nat s)).
              * apply peaked_equal with 0 (fun s => A + 0 * inject_Z (Z.of_nat s));
                  [apply peaked_line; lra | lra | reflexivity].
              * apply Qle_refl.
              * intros s. rewrite <- Ex. change (inject_Z (Z.of_nat 0)) with 0. ring.
            + exact (peaked_shift 1 (S n) _ P). }
        subst law. rewrite (survivors_whole faces one) in H.
        set (D := all_ways faces (revenue t')) in *.
        eapply peaked_equal; [refine (peaked_scaled _ (1 # D) _ _ H) | |].
        -- unfold Qle. simpl. lia.
        -- unfold Qle. simpl. lia.
        -- intros s. unfold swe_worth. fold D. apply Qmult_comm.
    + apply Qle_refl.
    + intros s. rewrite map_map. rewrite <- swe_value_step. reflexivity.
Qed.

Theorem convex : convex_statement.
Proof.
  intros faces rounds t Hfaces Ht value.
  destruct (value_peaked faces Hfaces rounds t Ht) as (lines & bounds & peaks).
  fold value in peaks.
  assert (forall s A B, In (A, B) lines -> A + B * inject_Z (Z.of_nat s) <= value s) as upper.
  { intros s A B Hin. apply (peaks s). exact (in_map (at_score s) _ _ Hin). }
  assert (forall s, exists A B, In (A, B) lines /\ A + B * inject_Z (Z.of_nat s) == value s) as
    reached.
  { intros s. destruct (peaks s) as [_ (x & Hx & Ex)].
    apply in_map_iff in Hx as ([A B] & <- & Hin). exists A, B. auto. }
  assert (forall s k, inject_Z (Z.of_nat (s + k)) == inject_Z (Z.of_nat s) + inject_Z (Z.of_nat k))
    as plus by (intros; rewrite Nat2Z.inj_add, inject_Z_plus; reflexivity).
  split; [|split].
  - exists lines. split; [exact bounds|]. intros s x.
    split; [exact (upper s) | exact (reached s)].
  - intros s. destruct (reached (s + 1)%nat) as (A & B & Hin & E).
    pose proof (upper s A B Hin). pose proof (upper (s + 2)%nat A B Hin) as H2.
    rewrite plus in E, H2. change (inject_Z (Z.of_nat 1)) with 1 in E.
    change (inject_Z (Z.of_nat 2)) with 2 in H2. lra.
  - intros s. destruct (reached s) as (A & B & Hin & E).
    destruct (reached (s + 1)%nat) as (A' & B' & Hin' & E').
    pose proof (upper s A' B' Hin') as H'. pose proof (upper (s + 1)%nat A B Hin) as H1.
    pose proof (bounds A B Hin). pose proof (bounds A' B' Hin').
    rewrite plus in E', H1. change (inject_Z (Z.of_nat 1)) with 1 in E', H1. lra.
Qed.
