(** * Theorem 9 (a), (b): skipping never helps

    Two tables whose dice are paired, the second's being no worse, are rolled die by die: of each pair
    the better die fails no more often, and whatever it does the tables that are left are paired too.
    So by induction on the rounds the second table is worth no less, and what may be done at the first
    has an answer at the second, which may be a skip. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Backward Swe Reachable Blocks SweDice.
Import ListNotations.
Open Scope Q_scope.

(** ** Survivors and scores *)

Lemma list_sum_bump i : forall l, (i < length l)%nat -> list_sum (bump i l) = S (list_sum l).
Proof. induction i as [|i IH]; intros [|n l] H; simpl in *; try lia. rewrite IH; lia. Qed.

Lemma score_monotone s s' kept kept' : (s <= s')%nat -> (list_sum kept <= list_sum kept')%nat ->
  (score_after s kept <= score_after s' kept')%nat.
Proof. unfold score_after. destruct (list_sum kept), (list_sum kept'); lia. Qed.

Section Game.
  Context (faces : list nat).
  Hypothesis is_ladder : ladder faces.

  Lemma some_rung : (0 < length faces)%nat.
  Proof. destruct is_ladder as [some _]. destruct faces; simpl; [contradiction | lia]. Qed.

  Lemma one_face f : In f faces -> (1 <= f)%nat.
  Proof. intros H. apply (proj2 is_ladder) in H. lia. Qed.

  Lemma fails_at_most_half i : (i < length faces)%nat -> 0 <= fails faces i <= 1 # 2.
  Proof.
    intros H. unfold fails. assert (2 <= nth i faces 0)%nat by (apply is_ladder, nth_In, H).
    split; [discriminate | unfold Qle; simpl; lia].
  Qed.

  Hypothesis rises : rising faces.

  Lemma fails_less i j : (i <= j < length faces)%nat -> fails faces j <= fails faces i.
  Proof.
    intros H. unfold fails. pose proof (rises i j H).
    assert (2 <= nth i faces 0)%nat by (apply is_ladder, nth_In; lia).
    unfold Qle; simpl; lia.
  Qed.

  (** ** Paired tables *)

  Notation on := (on_ladder faces).
  Notation paired_with := (no_better (length faces)).

  Lemma paired_on t u : paired_with t u -> on t -> on u.
  Proof.
    intros H. induction H as [|i j b c t u _ IH _ _]; [auto|]. rewrite !put_on_ladder. exact IH.
  Qed.

  Lemma paired_survivors t u : paired_with t u -> on t ->
    (list_sum (revenue t) <= list_sum (revenue u))%nat.
  Proof.
    intros H. induction H as [|i j b c t u H IH Hij Hbc]; [auto|]. rewrite put_on_ladder. intros Ht.
    pose proof (paired_on _ _ H Ht) as Hu. specialize (IH Ht).
    destruct Ht as [Ht _], Hu as [Hu _].
    destruct b; [rewrite Hbc by reflexivity | destruct c]; unfold put; cbn [revenue];
      rewrite ?list_sum_bump by lia; lia.
  Qed.

  Lemma occupied_put i b t k : on t -> (i < length faces)%nat ->
    occupied (legacy (put i b t)) k = (negb b && (k =? i)%nat || occupied (legacy t) k)%bool.
  Proof.
    intros [_ Ht] Hi. destruct b; [reflexivity|]. unfold put. cbn [legacy].
    now rewrite occupied_bump by lia.
  Qed.

  Lemma paired_no_legacy t u : paired_with t u -> on t -> no_legacy t -> no_legacy u.
  Proof.
    intros H. induction H as [|i j b c t u H IH Hij Hbc]; [auto|].
    rewrite put_on_ladder. intros Ht none k. pose proof (paired_on _ _ H Ht) as Hu.
    rewrite occupied_put by (assumption || lia).
    assert (forall k, negb b && (k =? i)%nat = false /\ occupied (legacy t) k = false) as each.
    { intros k'. specialize (none k'). rewrite occupied_put in none by (assumption || lia).
      now apply orb_false_iff in none. }
    rewrite IH by (assumption || intros k'; apply each).
    destruct b; [now rewrite Hbc|]. destruct (each i) as [bad _]. rewrite Nat.eqb_refl in bad.
    discriminate.
  Qed.

  (** The partner of a die. *)

  Lemma partner k b t u : paired_with (put k b t) u -> on t -> (k < length faces)%nat ->
    exists j c rest, u = put j c rest /\ (k <= j < length faces)%nat /\ (b = true -> c = true) /\
      paired_with t rest.
  Proof.
    intros H. remember (put k b t) as whole eqn:E. revert t E.
    induction H as [x|i j b' c t' u H IH Hij Hbc]; intros t E Ht Hk.
    - subst x. exists k, b, t. repeat split; auto. constructor.
    - assert (on t') as Ht' by (apply (put_on_ladder faces i b'); rewrite E, put_on_ladder; exact Ht).
      destruct (put_exchange faces i b' k b t' t Ht' ltac:(lia) Hk E)
        as [(-> & -> & ->) | (rest & -> & ->)].
      + exists j, c, u. auto.
      + destruct (IH rest eq_refl) as (j' & c' & rest' & -> & Hj' & Hb & Hp);
          [now apply put_on_ladder in Ht' | exact Hk |].
        exists j', c', (put j c rest'). repeat split; [apply put_put | lia.. | exact Hb |].
        now constructor.
  Qed.

  (** ** Rolled die by die

      What is known of all that a roll of the first table may leave may be used. *)

  Lemma less_of_pair p p' a b c d : 0 <= p' <= p -> p <= 1 -> a <= c -> a <= d -> b <= d ->
    p * a + (1 - p) * b <= p' * c + (1 - p') * d.
  Proof. intros. nra. Qed.

  Lemma compare_rolls t u : paired_with t u -> on t -> forall f g,
    (forall t' u', paired_with t' u' -> on t' -> all_dice t' = all_dice t -> f t' <= g u') ->
    rolled faces t f <= rolled faces u g.
  Proof.
    intros H. induction H as [t|i j b c t u H IH Hij Hbc]; intros Ht f g Hfg.
    - apply (rolled_monotone faces one_face); [exact Ht|]. intros kept most still.
      apply Hfg; [constructor | exact still |].
      destruct Ht. apply together_roll; [exact most | congruence].
    - rewrite put_on_ladder in Ht. pose proof (paired_on _ _ H Ht) as Hu.
      assert (forall b' c', (b' = true -> c' = true) ->
        rolled faces t (fun x => f (put i b' x)) <= rolled faces u (fun x => g (put j c' x))) as part.
      { intros b' c' Hbc'. apply IH; [exact Ht|]. intros t' u' H' Ht' same. apply Hfg.
        - now constructor.
        - now rewrite put_on_ladder.
        - destruct Ht, Ht'. rewrite !all_dice_put by congruence. now rewrite same. }
      rewrite !(rolled_put faces one_face) by (assumption || lia).
      pose proof (fails_at_most_half i ltac:(lia)). pose proof (fails_at_most_half j ltac:(lia)).
      pose proof (fails_less i j Hij).
      pose proof (part false false ltac:(auto)). pose proof (part false true ltac:(auto)).
      pose proof (part true true ltac:(auto)).
      destruct b; [rewrite Hbc by reflexivity; apply less_of_pair; auto; lra |].
      destruct c; [|assumption]. nra.
  Qed.

  (** ** The game with skips *)

  Definition relaxed (n : nat) (t : table) (s : nat) : Q :=
    best (swe_skipping faces) (S n) (Playing n t s).

  Definition scored (v : table -> nat -> Q) (s : nat) (t : table) : Q := v t (score_after s (revenue t)).

  Lemma rolling_worth p n t s :
    worth (rolling faces n s t) (best p (S n))
    == rolled faces t (scored (fun u s => best p (S n) (Playing n u s)) s).
  Proof.
    unfold worth, mean, rolled. cbn [rolling reward denominator moves]. rewrite sum_map.
    cbn [fst snd]. setoid_replace (0 # all_ways faces (revenue t)) with 0 by reflexivity.
    rewrite Qplus_0_l. reflexivity.
  Qed.

  Definition step (t t' : table) : Prop := t' = t \/ move faces t t'.

  Lemma relaxed_zero t s : relaxed 0 t s == inject_Z (Z.of_nat s).
  Proof. exact (swe_value_end faces t s). Qed.

  Lemma relaxed_choices n t s : best (swe_skipping faces) (S (S n)) (Playing (S n) t s)
    = highest (map (fun c => worth c (best (swe_skipping faces) (S n)))
        (map (rolling faces n s) (t :: after_moves t))).
  Proof. reflexivity. Qed.

  Lemma step_in t t' : on t -> (step t t' <-> In t' (t :: after_moves t)).
  Proof.
    intros Ht. unfold step. rewrite <- (moves_are faces t t' Ht). simpl.
    split; intros [-> | H]; auto.
  Qed.

  Lemma step_on t t' : on t -> step t t' -> on t'.
  Proof. intros Ht [-> | H]; [exact Ht | exact (move_on_ladder faces t t' Ht H)]. Qed.

  Lemma at_least n t s t' : on t -> step t t' ->
    rolled faces t' (scored (relaxed n) s) <= relaxed (S n) t s.
  Proof.
    intros Ht H. apply step_in in H; [|exact Ht]. unfold relaxed at 2. rewrite relaxed_choices.
    apply Qle_trans with (worth (rolling faces n s t') (best (swe_skipping faces) (S n)));
      [apply Qle_lteq; right; symmetry; apply rolling_worth|].
    rewrite map_map.
    apply highest_is_upper.
    exact (in_map (fun t => worth (rolling faces n s t) (best (swe_skipping faces) (S n))) _ _ H).
  Qed.

  Lemma best_step n t s : on t -> exists t', step t t' /\
    relaxed (S n) t s == rolled faces t' (scored (relaxed n) s).
  Proof.
    intros Ht. unfold relaxed at 1. rewrite relaxed_choices, map_map.
    pose proof (highest_in (map (fun t => worth (rolling faces n s t)
      (best (swe_skipping faces) (S n))) (t :: after_moves t)) ltac:(discriminate)) as H.
    apply in_map_iff in H as (t' & E & Hin). apply step_in in Hin; [|exact Ht].
    exists t'. split; [exact Hin|]. rewrite <- E. apply rolling_worth.
  Qed.

  Lemma answered n t u s s' : on t -> on u ->
    (forall t', step t t' -> exists u', step u u' /\
      rolled faces t' (scored (relaxed n) s) <= rolled faces u' (scored (relaxed n) s')) ->
    relaxed (S n) t s <= relaxed (S n) u s'.
  Proof.
    intros Ht Hu H. destruct (best_step n t s Ht) as (t' & Hstep & ->).
    destruct (H t' Hstep) as (u' & Hu' & less). apply Qle_trans with (1 := less).
    now apply at_least.
  Qed.

  (** ** (b) *)

  Definition holds_for (n : nat) : Prop := forall t u s s', on t -> paired_with t u ->
    (s <= s')%nat -> relaxed n t s <= relaxed n u s'.

  Lemma rolled_paired n t u s s' : holds_for n -> on t -> paired_with t u -> (s <= s')%nat ->
    rolled faces t (scored (relaxed n) s) <= rolled faces u (scored (relaxed n) s').
  Proof.
    intros IH Ht H Hs. apply compare_rolls; [assumption..|]. intros t' u' H' Ht' _.
    apply IH; [assumption..|]. apply score_monotone; [exact Hs|]. now apply paired_survivors.
  Qed.

  Lemma better_table n : holds_for n.
  Proof.
    induction n as [|n IH]; intros t u s s' Ht H Hs.
    - rewrite !relaxed_zero. rewrite <- Zle_Qle. lia.
    - pose proof (paired_on _ _ H Ht) as Hu. apply answered; [assumption..|].
      assert (forall t' u', step t t' -> step u u' -> paired_with t' u' -> exists u', step u u' /\
        rolled faces t' (scored (relaxed n) s) <= rolled faces u' (scored (relaxed n) s')) as answer.
      { intros t' u' Ht' Hu' H'. exists u'. split; [exact Hu'|].
        apply rolled_paired; try assumption. exact (step_on t t' Ht Ht'). }
      intros t' Hstep. pose proof Hstep as [-> | M].
      + apply (answer t u); [exact Hstep | now left | exact H].
      + destruct M as [i t Hi | t none | i t none Hi]; rewrite ?put_on_ladder in Ht.
        * destruct (partner i false t u H Ht Hi) as (j & c & rest & -> & Hj & _ & H').
          apply (answer (put i true t) (put j true rest)); [exact Hstep | | now constructor].
          destruct c; [now left | right; constructor; lia].
        * apply (answer (put 0 true t) (put 0 true u)); [exact Hstep | |].
          -- right. constructor. exact (paired_no_legacy _ _ H Ht none).
          -- constructor; [exact H | pose proof some_rung; lia | auto].
        * destruct (partner i true t u H Ht ltac:(lia)) as (j & c & rest & -> & Hj & Hc & H').
          rewrite Hc in * by reflexivity.
          assert (no_legacy (put j true rest)) as none'.
          { apply (paired_no_legacy _ _ H); [now rewrite put_on_ladder | exact none]. }
          destruct (Nat.eq_dec i j) as [<- | differ].
          -- apply (answer (put (S i) true t) (put (S i) true rest)); [exact Hstep | |].
             ++ right. constructor; [exact none' | exact Hi].
             ++ constructor; [exact H' | lia | auto].
          -- apply (answer (put (S i) true t) (put j true rest)); [exact Hstep | now left |].
             constructor; [exact H' | lia | auto].
  Qed.

  (** ** (a)

      Where all dice are on the highest rung, one die more is no worse: so to create is as good as to
      skip. *)

  Definition on_top (t : table) : Prop :=
    forall i, (S i < length faces)%nat -> nth i (all_dice t) O = O.

  Definition more_holds_for (n : nat) : Prop := forall t u b s s', on t -> on_top t ->
    paired_with t u -> (s <= s')%nat -> relaxed n t s <= relaxed n (put 0 b u) s'.

  Lemma rolled_more n t u b s s' : more_holds_for n -> on t -> on_top t -> paired_with t u ->
    (s <= s')%nat ->
    rolled faces t (scored (relaxed n) s) <= rolled faces (put 0 b u) (scored (relaxed n) s').
  Proof.
    intros IH Ht top H Hs. pose proof (paired_on _ _ H Ht) as Hu. pose proof some_rung as K.
    assert (forall c, rolled faces t (scored (relaxed n) s)
      <= rolled faces u (fun x => scored (relaxed n) s' (put 0 c x))) as part.
    { intros c. apply compare_rolls; [assumption..|]. intros t' u' H' Ht' same.
      apply IH; [assumption | unfold on_top; now rewrite same | assumption |].
      apply score_monotone; [exact Hs|]. pose proof (paired_survivors _ _ H' Ht').
      pose proof (paired_on _ _ H' Ht') as [L _].
      destruct c; unfold put; cbn [revenue]; rewrite ?list_sum_bump by lia; lia. }
    rewrite (rolled_put faces one_face) by assumption.
    pose proof (part true). pose proof (part false). pose proof (fails_at_most_half 0 K).
    destruct b; [nra | assumption].
  Qed.

  Lemma one_die_more n : more_holds_for n.
  Proof.
    induction n as [|n IH]; intros t u b s s' Ht top H Hs.
    - rewrite !relaxed_zero. rewrite <- Zle_Qle. lia.
    - pose proof (paired_on _ _ H Ht) as Hu. pose proof some_rung as K.
      apply answered; [exact Ht | now rewrite put_on_ladder|].
      intros t' Hstep. pose proof Hstep as [-> | M].
      + exists (put 0 b u). split; [now left|]. now apply rolled_more.
      + destruct M as [i t Hi | t none | i t none Hi]; rewrite ?put_on_ladder in Ht.
        * destruct (partner i false t u H Ht Hi) as (j & c & rest & -> & Hj & _ & H').
          exists (put 0 b (put j true rest)). split.
          -- destruct c; [now left|]. rewrite !(put_put 0 b). right. constructor. lia.
          -- apply rolled_more; [assumption | now rewrite put_on_ladder | | now constructor | exact Hs].
             destruct Ht. intros k Hk. specialize (top k Hk).
             now rewrite !all_dice_put in * by congruence.
        * exists (put 0 true u). split.
          -- destruct b; [now left | right; now constructor].
          -- apply (rolled_paired n); [apply better_table | now rewrite put_on_ladder | | exact Hs].
             constructor; [exact H | lia | auto].
        * exfalso. specialize (top i Hi). destruct Ht as [Lup Ldown].
          rewrite all_dice_put, nth_bump, Nat.eqb_refl in top; [lia | | congruence].
          unfold all_dice. enough (length (together (revenue t) (legacy t)) = length faces) by lia.
          rewrite <- Lup. assert (length (legacy t) = length (revenue t)) as L by congruence.
          revert L. clear. generalize (legacy t). induction (revenue t) as [|a l IH];
            intros [|b m] L; simpl in *; try lia. rewrite IH; lia.
  Qed.

  Lemma as_good_as_a_skip n t t' s : on t -> move faces t t' -> (t' = put 0 true t -> on_top t) ->
    rolled faces t (scored (relaxed n) s) <= rolled faces t' (scored (relaxed n) s).
  Proof.
    intros Ht M created. destruct M as [i t Hi | t none | i t none Hi].
    - apply (rolled_paired n); [apply better_table | exact Ht | | lia].
      constructor; [constructor | lia | discriminate].
    - apply rolled_more; [apply one_die_more | exact Ht | now apply created | constructor | lia].
    - apply (rolled_paired n); [apply better_table | exact Ht | | lia].
      constructor; [constructor | lia | auto].
  Qed.

  Lemma fix_or_none t : on t ->
    no_legacy t \/ exists i rest, (i < length faces)%nat /\ t = put i false rest.
  Proof.
    intros [_ Ht].
    destruct (existsb (occupied (legacy t)) (seq 0 (length faces))) eqn:E.
    - right. apply existsb_exists in E as (i & Hi & full). apply in_seq in Hi.
      destruct (taken_out i false t full) as (rest & ->). exists i, rest. split; [lia | reflexivity].
    - left. intros i. destruct (occupied (legacy t) i) eqn:full; [|reflexivity].
      pose proof (occupied_inside _ _ full).
      assert (existsb (occupied (legacy t)) (seq 0 (length faces)) = true); [|congruence].
      apply existsb_exists. exists i. split; [apply in_seq; lia | exact full].
  Qed.

  Lemma promotion_or_top t : on t -> no_legacy t ->
    on_top t \/ exists i rest, (S i < length faces)%nat /\ t = put i true rest.
  Proof.
    intros Ht none.
    destruct (existsb (occupied (revenue t)) (seq 0 (length faces - 1))) eqn:E.
    - right. apply existsb_exists in E as (i & Hi & full). apply in_seq in Hi.
      destruct (taken_out i true t full) as (rest & ->). exists i, rest. split; [lia | reflexivity].
    - left. intros i Hi. unfold all_dice.
      assert (occupied (revenue t) i = false) as empty.
      { destruct (occupied (revenue t) i) eqn:full; [|reflexivity].
        assert (existsb (occupied (revenue t)) (seq 0 (length faces - 1)) = true); [|congruence].
        apply existsb_exists. exists i. split; [apply in_seq; lia | exact full]. }
      specialize (none i). destruct Ht as [Lup Ldown]. unfold occupied in *.
      apply Nat.ltb_ge in empty, none. revert i Hi empty none.
      assert (length (legacy t) = length (revenue t)) as L by congruence. revert L. clear.
      generalize (legacy t). induction (revenue t) as [|a l IH]; intros [|b m] L [|i] Hi; simpl in *;
        try lia. apply IH; lia.
  Qed.

  Lemma good_move t : on t -> exists t', move faces t t' /\ forall n s,
    rolled faces t (scored (relaxed n) s) <= rolled faces t' (scored (relaxed n) s).
  Proof.
    intros Ht. destruct (fix_or_none t Ht) as [none | (i & rest & Hi & ->)].
    - destruct (promotion_or_top t Ht none) as [top | (i & rest & Hi & ->)].
      + exists (put 0 true t). assert (move faces t (put 0 true t)) as M by now constructor.
        split; [exact M|]. intros n s. now apply as_good_as_a_skip.
      + assert (move faces (put i true rest) (put (S i) true rest)) as M by now constructor.
        exists (put (S i) true rest). split; [exact M|]. intros n s.
        apply (rolled_paired n); [apply better_table | exact Ht | | lia].
        constructor; [constructor | lia | auto].
    - assert (move faces (put i false rest) (put i true rest)) as M by now constructor.
      exists (put i true rest). split; [exact M|]. intros n s.
      apply (rolled_paired n); [apply better_table | exact Ht | | lia].
      constructor; [constructor | lia | discriminate].
  Qed.

  (** So the values are those without skips. *)

  Lemma relaxed_is_value n : forall t s, on t -> relaxed n t s == swe_value faces n t s.
  Proof.
    induction n as [|n IH]; intros t s Ht.
    - rewrite relaxed_zero. symmetry. apply swe_value_end.
    - assert (forall t', on t' -> rolled faces t' (scored (relaxed n) s) == swe_worth faces n t' s)
        as same.
      { intros t' Ht'. apply (rolled_equal faces one_face t' (scored (relaxed n) s)
          (scored (swe_value faces n) s) Ht'). intros kept _ still. now apply IH. }
      rewrite swe_value_step. apply Qle_antisym.
      + assert (exists t', move faces t t' /\
          relaxed (S n) t s <= rolled faces t' (scored (relaxed n) s)) as (t' & M & H).
        { destruct (best_step n t s Ht) as (t' & [-> | M] & E).
          - destruct (good_move t Ht) as (t' & M & H). exists t'. rewrite E. auto.
          - exists t'. rewrite E. split; [exact M | apply Qle_refl]. }
        pose proof (move_on_ladder faces t t' Ht M) as Ht'. rewrite (same t' Ht') in H.
        apply Qle_trans with (1 := H). apply highest_is_upper, (in_map (fun t => swe_worth faces n t s)).
        now apply (moves_are faces t t' Ht).
      + pose proof (highest_in (map (fun t' => swe_worth faces n t' s) (after_moves t))) as H.
        assert (after_moves t <> []) as some by apply after_moves_some.
        specialize (H ltac:(destruct (after_moves t); [contradiction | discriminate])).
        apply in_map_iff in H as (t' & <- & Hin). apply (moves_are faces t t' Ht) in Hin.
        rewrite <- (same t') by exact (move_on_ladder faces t t' Ht Hin).
        apply at_least; [exact Ht | now right].
  Qed.
End Game.

Theorem never_skip : never_skip_statement.
Proof.
  intros faces rounds t score is_ladder rises Ht value. split.
  - exact (relaxed_is_value faces is_ladder rises rounds t score Ht).
  - intros t' Hin created. unfold value. rewrite !rolling_worth.
    pose proof Hin as M. apply (moves_are faces t t' Ht) in M.
    apply as_good_as_a_skip; [assumption..|]. intros ->. specialize (created eq_refl).
    assert (no_legacy t) as none.
    { destruct (fix_or_none faces t Ht) as [none | (i & rest & Hi & ->)]; [exact none|].
      exfalso. assert (move faces (put i false rest) (put i true rest)) as fix_it by now constructor.
      apply (moves_are faces _ _ Ht) in fix_it. rewrite created in fix_it.
      destruct fix_it as [[= _ E] | []]. apply (f_equal (fun l => nth i l O)) in E.
      destruct Ht as [_ Ht]. unfold put in Ht. cbn [legacy] in Ht. rewrite length_bump in Ht.
      rewrite nth_bump, Nat.eqb_refl in E; lia. }
    destruct (promotion_or_top faces t Ht none) as [top | (i & rest & Hi & ->)]; [exact top|].
    exfalso. assert (move faces (put i true rest) (put (S i) true rest)) as M' by now constructor.
    apply (moves_are faces _ _ Ht) in M'. rewrite created in M'.
    destruct M' as [E | []]. apply (f_equal (fun u => list_sum (revenue u))) in E.
    destruct Ht as [Ht _]. unfold put in *. cbn [revenue] in *. rewrite length_bump in Ht.
    rewrite !list_sum_bump in E; rewrite ?length_bump; lia.
Qed.
