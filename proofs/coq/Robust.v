(** * Theorem 9 (c) to (f): fixing the most robust die is optimal, and nothing else is

    Two tables that differ in two dice alone, of which the lower is in revenue at the first and the
    higher at the second, are rolled die by die: where one of the two stands it is more often the
    higher, and that leaves a table with a survivor more. A survivor more is worth at least the chance
    that a die of revenue survives all rolls. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Backward Swe Reachable SweDice NeverSkip.
Import ListNotations.
Open Scope Q_scope.

Section Game.
  Context (faces : list nat).
  Hypothesis is_ladder : ladder faces.
  Hypothesis rises : rising faces.

  Notation on := (on_ladder faces).
  Notation value := (relaxed faces).
  Notation after n s t := (rolled faces t (scored (relaxed faces n) s)).

  Let one := one_face faces is_ladder.

  (** ** What a higher score is worth *)

  Lemma higher_score n : forall i t s s', on t -> (i < length faces)%nat -> (s < s')%nat ->
    value n (put i true t) s + power (1 # 2) n <= value n (put i true t) s'.
  Proof.
    induction n as [|n IH]; intros i t s s' Ht Hi Hs.
    - rewrite !relaxed_zero. simpl. change 1 with (inject_Z 1). rewrite <- inject_Z_plus, <- Zle_Qle.
      lia.
    - assert (on (put i true t)) as Hwhole by now apply put_on_ladder.
      destruct (best_step faces n (put i true t) s Hwhole) as (t' & Hstep & ->).
      apply Qle_trans with (after n s' t'); [|now apply at_least].
      assert (exists j rest, (j < length faces)%nat /\ t' = put j true rest) as (j & rest & Hj & ->).
      { destruct Hstep as [-> | M]; [now exists i, t|].
        destruct M as [j u Hj | u _ | j u _ Hj].
        - now exists j, u.
        - exists O, u. split; [exact (some_rung faces is_ladder) | reflexivity].
        - now exists (S j), u. }
      pose proof (step_on faces _ _ Hwhole Hstep) as Hrest. apply put_on_ladder in Hrest.
      rewrite !(rolled_put faces one) by assumption.
      pose proof (fails_at_most_half faces is_ladder j Hj). cbn [power].
      pose proof (power_positive (1 # 2) n ltac:(reflexivity)).
      assert (rolled faces rest (fun u => scored (value n) s (put j false u))
              <= rolled faces rest (fun u => scored (value n) s' (put j false u))) as failed.
      { apply (rolled_monotone faces one); [assumption|]. intros kept _ still.
        apply better_table; [assumption.. | now apply put_on_ladder | constructor |].
        apply score_monotone; lia. }
      assert (rolled faces rest (fun u => scored (value n) s (put j true u)) + power (1 # 2) n
              <= rolled faces rest (fun u => scored (value n) s' (put j true u))) as stood.
      { rewrite <- (rolled_shift faces one). apply (rolled_monotone faces one); [assumption|].
        intros kept _ still. apply IH; [assumption..|].
        destruct still as [L _]. unfold put, score_after. cbn [revenue].
        rewrite list_sum_bump by lia. lia. }
      nra.
  Qed.

  (** ** (c) and (f): two dice *)

  Lemma rolled_swap n i j t s : on t -> (i < j < length faces)%nat ->
    (forall u s, on u ->
       value n (put i true (put j false u)) s <= value n (put i false (put j true u)) s) ->
    after n s (put i true (put j false t)) + (fails faces i - fails faces j) * power (1 # 2) n
    <= after n s (put i false (put j true t)).
  Proof.
    intros Ht Hij swap.
    pose proof (fails_less faces is_ladder rises i j ltac:(lia)).
    pose proof (fails_at_most_half faces is_ladder i ltac:(lia)).
    pose proof (fails_at_most_half faces is_ladder j ltac:(lia)).
    rewrite !(rolled_put faces one) by (rewrite ?put_on_ladder; assumption || lia).
    set (F b c := rolled faces t (fun u => scored (value n) s (put i b (put j c u)))).
    assert (F true false <= F false true) as swapped.
    { apply (rolled_monotone faces one); [exact Ht|]. intros kept _ still.
      unfold scored.
      replace (score_after s (revenue (put i true (put j false (after_roll t kept)))))
        with (score_after s (revenue (put i false (put j true (after_roll t kept))))).
      - now apply swap.
      - destruct still as [L _]. unfold put, score_after. cbn [revenue].
        rewrite !list_sum_bump by lia. reflexivity. }
    assert (F false false + power (1 # 2) n <= F false true) as stood.
    { unfold F. rewrite <- (rolled_shift faces one).
      apply (rolled_monotone faces one); [exact Ht|]. intros kept _ still.
      pose proof still as [L _]. unfold scored.
      apply Qle_trans with (value n (put j true (put i false (after_roll t kept)))
          (score_after s (revenue (put i false (put j false (after_roll t kept)))))
        + power (1 # 2) n).
      - apply Qplus_le_l, better_table; [assumption | assumption | now rewrite !put_on_ladder | |].
        + rewrite (put_put i false j false). constructor; [constructor | lia | auto].
        + apply Nat.le_refl.
      - rewrite (put_put i false j true). apply higher_score; [now apply put_on_ladder | lia |].
        unfold put, score_after. cbn [revenue]. rewrite list_sum_bump by lia.
        destruct (list_sum (revenue _)); lia. }
    fold (F true false). fold (F false true). fold (F false false).
    nra.
  Qed.

  Lemma swap n : forall i j t s, on t -> (i < j < length faces)%nat ->
    value n (put i true (put j false t)) s <= value n (put i false (put j true t)) s.
  Proof.
    induction n as [|n IH]; intros i j t s Ht Hij.
    - rewrite !relaxed_zero. apply Qle_refl.
    - assert (forall u, on u -> after n s (put i true (put j false u))
                                <= after n s (put i false (put j true u))) as rolled_pair.
      { intros u Hu. pose proof (rolled_swap n i j u s Hu Hij (fun u s Hu => IH i j u s Hu Hij)).
        pose proof (fails_less faces is_ladder rises i j ltac:(lia)).
        pose proof (power_nonnegative (1 # 2) n ltac:(discriminate)). nra. }
      apply answered; [now rewrite !put_on_ladder.. |]. intros t' [-> | M].
      + exists (put i false (put j true t)). split; [now left | now apply rolled_pair].
      + assert (~ no_legacy (put i true (put j false t))) as some.
        { intros none. specialize (none j).
          rewrite !(occupied_put faces), Nat.eqb_refl in none by (rewrite ?put_on_ladder; auto; lia).
          discriminate. }
        remember (put i true (put j false t)) as whole eqn:E.
        destruct M as [k u Hk | u none | k u none Hk]; try (contradiction (some none)).
        assert (on u) as Hu by (apply (put_on_ladder faces k false); rewrite E, !put_on_ladder; exact Ht).
        destruct (put_exchange faces k false i true u _ Hu Hk ltac:(lia) E)
          as [(_ & differ & _) | (rest & -> & E')]; [discriminate|].
        destruct (put_exchange faces j false k false t rest Ht ltac:(lia) Hk E')
          as [(<- & _ & <-) | (left_over & -> & ->)].
        * exists (put i true (put j true t)). split; [right; constructor; lia|].
          rewrite (put_put j). apply Qle_refl.
        * rewrite put_on_ladder in Ht.
          exists (put k true (put i false (put j true left_over))). split.
          -- right. rewrite (put_put j true k), (put_put i false k). now constructor.
          -- rewrite (put_put k true i true), (put_put k true j false), (put_put k true i false),
               (put_put k true j true). apply rolled_pair. now rewrite put_on_ladder.
  Qed.

  Lemma swap_after n i j t s : on t -> (i < j < length faces)%nat ->
    after n s (put i true (put j false t)) + (fails faces i - fails faces j) * power (1 # 2) n
    <= after n s (put i false (put j true t)).
  Proof. intros Ht Hij. apply rolled_swap; auto. intros u s' Hu. now apply swap. Qed.

  (** ** The highest rung that has legacy *)

  Lemma fix_cases rung t t' : on t -> most_robust rung t -> move faces t t' ->
    t' = fixed rung t \/ exists i rest, (i < rung < length faces)%nat /\ on rest /\
      t' = put i true (put rung false rest) /\ fixed rung t = put i false (put rung true rest).
  Proof.
    intros Ht [full highest] M.
    assert (~ no_legacy t) as some by (intros none; rewrite none in full; discriminate).
    destruct M as [i u Hi | u none | i u none _]; try contradiction.
    apply put_on_ladder in Ht as Hu.
    pose proof (occupied_inside _ _ full) as inside. rewrite (proj2 Ht) in inside.
    destruct (taken_out rung false _ full) as (t & E).
    destruct (put_exchange faces i false rung false u t Hu Hi inside E)
      as [(-> & _ & ->) | (rest & -> & ->)].
    - left. unfold fixed, put. cbn [revenue legacy]. now rewrite drop_bump.
    - rewrite put_on_ladder in Hu.
      assert (fixed rung (put i false (put rung false rest)) = put rung true (put i false rest)) as ->.
      { rewrite put_put. unfold fixed, put. cbn [revenue legacy]. now rewrite drop_bump. }
      destruct (Nat.lt_trichotomy i rung) as [less | [-> | more]].
      + right. exists i, rest. repeat split; try assumption; try apply Hu; apply put_put.
      + now left.
      + exfalso. specialize (highest i more).
        rewrite (occupied_put faces), Nat.eqb_refl in highest by (rewrite ?put_on_ladder; assumption).
        discriminate.
  Qed.

  Lemma other_fix n rung t t' s : on t -> most_robust rung t -> move faces t t' ->
    t' = fixed rung t \/ exists i, (i < rung < length faces)%nat /\
      after n s t' + (fails faces i - fails faces rung) * power (1 # 2) n
      <= after n s (fixed rung t).
  Proof.
    intros Ht H M.
    destruct (fix_cases rung t t' Ht H M) as [-> | (i & rest & Hi & Hrest & -> & ->)]; [now left|].
    right. exists i. split; [exact Hi | now apply swap_after].
  Qed.

  Lemma fixed_is_move rung t : on t -> most_robust rung t -> move faces t (fixed rung t).
  Proof.
    intros Ht [full _]. pose proof (occupied_inside _ _ full) as inside. rewrite (proj2 Ht) in inside.
    destruct (taken_out rung false _ full) as (rest & ->).
    assert (fixed rung (put rung false rest) = put rung true rest) as ->
      by (unfold fixed, put; cbn [revenue legacy]; now rewrite drop_bump).
    now constructor.
  Qed.

  Lemma best_fix n rung t s : on t -> most_robust rung t ->
    value (S n) t s == after n s (fixed rung t).
  Proof.
    intros Ht H. pose proof (fixed_is_move rung t Ht H) as fix_it. apply Qle_antisym.
    - assert (forall t', move faces t t' -> after n s t' <= after n s (fixed rung t)) as best_move.
      { intros t' M. destruct (other_fix n rung t t' s Ht H M) as [-> | (i & Hi & less)];
          [apply Qle_refl|].
        pose proof (fails_less faces is_ladder rises i rung ltac:(lia)).
        pose proof (power_nonnegative (1 # 2) n ltac:(discriminate)). nra. }
      destruct (best_step faces n t s Ht) as (t' & [-> | M] & ->); [|now apply best_move].
      destruct (good_move faces is_ladder rises t Ht) as (t' & M & no_worse).
      apply Qle_trans with (1 := no_worse n s). now apply best_move.
    - apply at_least; [exact Ht | now right].
  Qed.

  Lemma some_most_robust t : on t -> no_legacy t \/ exists rung, most_robust rung t.
  Proof.
    intros [_ Ht]. unfold most_robust, no_legacy.
    assert (forall k, (forall i, (k <= i)%nat -> occupied (legacy t) i = false) \/
      exists rung, occupied (legacy t) rung = true /\
        forall i, (rung < i)%nat -> occupied (legacy t) i = false) as H.
    { assert (forall d k, (length faces <= k + d)%nat ->
        (forall i, (k <= i)%nat -> occupied (legacy t) i = false) \/
        exists rung, occupied (legacy t) rung = true /\
          forall i, (rung < i)%nat -> occupied (legacy t) i = false) as H.
      { induction d as [|d IH]; intros k Hk.
        - left. intros i Hi. unfold occupied. rewrite nth_overflow by lia. reflexivity.
        - destruct (IH (S k) ltac:(lia)) as [none | some]; [|now right].
          destruct (occupied (legacy t) k) eqn:E.
          + right. exists k. split; [exact E | exact none].
          + left. intros i Hi. destruct (Nat.eq_dec i k) as [-> |]; [exact E | apply none; lia]. }
      intros k. apply (H (length faces)). lia. }
    destruct (H O) as [none | some]; [left; intros i; apply none; lia | now right].
  Qed.

  (** ** (d) A legacy die more on the lowest rung *)

  Lemma useless n : forall t s, on t -> value n (put 0 false t) s <= value n t s.
  Proof.
    pose proof (some_rung faces is_ladder) as K.
    induction n as [|n IH]; intros t s Ht.
    - rewrite !relaxed_zero. apply Qle_refl.
    - assert (on (put 0 false t)) as Hmore by now apply put_on_ladder.
      destruct (some_most_robust t Ht) as [none | (rung & full & highest)].
      + rewrite (best_fix n 0 (put 0 false t) s Hmore).
        * unfold fixed, put. cbn [revenue legacy]. rewrite drop_bump.
          apply (at_least faces n t s (put 0 true t)); [exact Ht | right; now constructor].
        * split; [|intros i Hi]; rewrite (occupied_put faces) by assumption.
          -- reflexivity.
          -- rewrite (none i). now destruct i; [lia|].
      + assert (most_robust rung (put 0 false t)) as most.
        { split; [|intros i Hi]; rewrite (occupied_put faces) by assumption.
          - rewrite full. apply orb_true_r.
          - rewrite (highest i Hi). now destruct i; [lia|]. }
        rewrite (best_fix n rung (put 0 false t) s Hmore most).
        apply Qle_trans with (after n s (fixed rung t));
          [|apply at_least; [exact Ht | right; now apply fixed_is_move]].
        destruct (taken_out rung false t full) as (rest & ->). rewrite put_on_ladder in Ht.
        assert (fixed rung (put 0 false (put rung false rest)) = put 0 false (put rung true rest)) as ->
          by (rewrite put_put; unfold fixed, put; cbn [revenue legacy]; now rewrite drop_bump).
        assert (fixed rung (put rung false rest) = put rung true rest) as ->
          by (unfold fixed, put; cbn [revenue legacy]; now rewrite drop_bump).
        rewrite (rolled_put faces one) by (rewrite ?put_on_ladder; assumption).
        apply (rolled_monotone faces one); [now rewrite put_on_ladder|].
        intros kept _ still. now apply IH.
  Qed.

  (** ** (e) A round more *)

  Lemma empty_on : on (empty_table faces).
  Proof. split; apply map_length. Qed.

  Lemma empty_rolled f : rolled faces (empty_table faces) f == f (empty_table faces).
  Proof.
    transitivity (rolled faces (empty_table faces) (fun _ => 0 + f (empty_table faces))).
    - apply (rolled_equal faces one); [exact empty_on|]. intros kept most _.
      enough (after_roll (empty_table faces) kept = empty_table faces) as -> by ring.
      revert kept most. unfold after_roll, empty_table. cbn [revenue legacy]. clear.
      induction faces as [|f l IH]; intros kept most; inversion most as [|k n rest m Hk Hrest]; subst;
        [reflexivity|].
      specialize (IH rest Hrest). injection IH as E F. simpl. rewrite F, E.
      now replace k with O by lia.
    - rewrite (rolled_shift faces one).
      setoid_replace (rolled faces (empty_table faces) (fun _ => 0)) with 0; [ring|].
      unfold rolled. rewrite sum_zero; [ring | intros; ring].
  Qed.

  Lemma a_round_more n : value n (empty_table faces) 0 <= value (S n) (empty_table faces) 0.
  Proof.
    apply Qle_trans with (after n 0%nat (empty_table faces));
      [|apply at_least; [exact empty_on | now left]].
    rewrite empty_rolled. unfold scored, score_after.
    assert (list_sum (revenue (empty_table faces)) = O) as ->; [|apply Qle_refl].
    unfold empty_table. cbn [revenue]. clear. induction faces; [reflexivity | assumption].
  Qed.

  Lemma worth_without_skips n t s : on t ->
    worth (rolling faces n s t) (best (swe faces) (S n)) == after n s t.
  Proof.
    intros Ht. rewrite rolling_worth. apply (rolled_equal faces one); [exact Ht|].
    intros kept _ still. symmetry. now apply relaxed_is_value.
  Qed.
End Game.

Theorem better_tables : better_table_statement.
Proof.
  intros faces n is_ladder rises. pose proof (empty_on faces).
  split; [|split]; intros; rewrite <- !(relaxed_is_value faces) by
    (rewrite ?put_on_ladder; try assumption; eapply paired_on; eassumption).
  - now apply better_table.
  - now apply useless.
  - now apply a_round_more.
Qed.

Theorem fix_most_robust : fix_statement.
Proof.
  intros faces n t s rung is_ladder rises Ht H.
  pose proof (move_on_ladder faces _ _ Ht (fixed_is_move faces rung t Ht H)).
  rewrite worth_without_skips, <- relaxed_is_value by assumption. symmetry. now apply best_fix.
Qed.

Theorem unique_fix : unique_fix_statement.
Proof.
  intros faces n t s rung t' is_ladder strictly Ht H Hin differ.
  assert (rising faces) as rises.
  { intros i j Hij. destruct (Nat.eq_dec i j) as [-> |]; [lia|].
    apply Nat.lt_le_incl, strictly. lia. }
  apply (moves_are faces t t' Ht) in Hin.
  rewrite worth_without_skips, <- relaxed_is_value, (best_fix faces is_ladder rises n rung)
    by (try assumption; eapply move_on_ladder; eassumption).
  destruct (other_fix faces is_ladder rises n rung t t' s Ht H Hin) as [-> | (i & Hi & less)];
    [contradiction|].
  assert (fails faces rung < fails faces i).
  { unfold fails. pose proof (strictly i rung Hi).
    assert (2 <= nth i faces 0)%nat by (apply is_ladder, nth_In; lia). unfold Qlt; simpl; lia. }
  pose proof (power_positive (1 # 2) n ltac:(reflexivity)). nra.
Qed.
