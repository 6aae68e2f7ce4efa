(** * Theorem 25: fixing the most robust first clears the legacy soonest

    As in theorem 9, tables whose dice are paired are rolled die by die, and so are two that differ in
    two dice alone; here what follows is the chance that no legacy is left in time. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Swe Reachable SweDice NeverSkip Robust.
Import ListNotations.
Open Scope Q_scope.

Section Repair.
  Context (faces : list nat).
  Hypothesis is_ladder : ladder faces.
  Hypothesis rises : rising faces.

  Notation on := (on_ladder faces).
  Notation paired_with := (no_better (length faces)).
  Let one := one_face faces is_ladder.

  (** The chance if each time the first move is taken. *)

  Fixpoint clear (n : nat) (t : table) : Q :=
    match n with
    | O => 0
    | S n => if (list_sum (legacy t) =? 0)%nat then 1
             else rolled faces (hd t (after_moves t)) (clear n)
    end.

  Lemma sum_of_none t : on t -> ((list_sum (legacy t) =? 0)%nat = true <-> no_legacy t).
  Proof.
    intros [_ _]. unfold no_legacy, occupied. rewrite Nat.eqb_eq. generalize (legacy t).
    induction l as [|n l IH]; [split; [intros _ [|i]; reflexivity | reflexivity]|].
    simpl. split.
    - intros H [|i]; simpl; [apply Nat.ltb_ge; lia | apply IH; lia].
    - intros H. pose proof (H O) as first. simpl in first. apply Nat.ltb_ge in first.
      assert (list_sum l = 0)%nat; [|lia]. apply IH. intros i. exact (H (S i)).
  Qed.

  Lemma first_is_most_robust t rung : on t -> most_robust rung t ->
    hd t (after_moves t) = fixed rung t.
  Proof.
    intros [Lup Ldown] [full highest]. pose proof (occupied_inside _ _ full) as inside.
    destruct t as [up down]. unfold after_moves. cbn [revenue legacy] in *.
    assert (forall k, (rung < k)%nat -> exists others,
      filter (occupied down) (rev (seq 0 k)) = rung :: others) as H.
    { induction k as [|k IH]; intros Hk; [lia|]. rewrite seq_S, rev_app_distr. simpl.
      destruct (Nat.eq_dec rung k) as [<- | differ]; [rewrite full; eauto|].
      rewrite highest by lia. apply IH. lia. }
    destruct (H (length up) ltac:(lia)) as (others & ->). reflexivity.
  Qed.

  Lemma clear_step n t rung : on t -> most_robust rung t ->
    clear (S n) t = rolled faces (fixed rung t) (clear n).
  Proof.
    intros Ht H. cbn [clear]. rewrite (first_is_most_robust t rung Ht H).
    destruct (list_sum (legacy t) =? 0)%nat eqn:E; [|reflexivity].
    apply (sum_of_none t Ht) in E. destruct H as [full _]. rewrite E in full. discriminate.
  Qed.

  Lemma clear_without n t : on t -> no_legacy t -> clear (S n) t = 1.
  Proof. intros Ht H. apply (sum_of_none t Ht) in H. cbn [clear]. now rewrite H. Qed.

  Lemma rolled_constant t c : rolled faces t (fun _ => c) == c.
  Proof.
    transitivity (rolled faces t (fun _ => 0 + c)).
    - unfold rolled. apply Qmult_comp; [apply sum_equal; intros; ring | reflexivity].
    - rewrite (rolled_shift faces one t (fun _ => 0) c). unfold rolled.
      rewrite sum_zero; [ring | intros; ring].
  Qed.

  Lemma clear_at_most_one n : forall t, on t -> clear n t <= 1.
  Proof.
    induction n as [|n IH]; intros t Ht; [discriminate|].
    destruct (some_most_robust faces t Ht) as [none | (rung & H)].
    - rewrite clear_without by assumption. apply Qle_refl.
    - rewrite (clear_step n t rung Ht H), <- (rolled_constant (fixed rung t) 1).
      pose proof (move_on_ladder faces _ _ Ht (fixed_is_move faces rung t Ht H)).
      apply (rolled_monotone faces one); [assumption|]. intros kept _ still. now apply IH.
  Qed.

  (** What is shown together by induction on the rounds. *)

  Definition paired_holds n := forall t u, on t -> paired_with t u -> clear n t <= clear n u.

  Definition swap_holds n := forall i j t, on t -> (i < j < length faces)%nat ->
    clear n (put i true (put j false t)) <= clear n (put i false (put j true t)).

  Lemma rolled_paired_clear n t u : paired_holds n -> on t -> paired_with t u ->
    rolled faces t (clear n) <= rolled faces u (clear n).
  Proof. intros IH Ht H. apply compare_rolls; auto. Qed.

  Lemma rolled_swap_clear n i j t : paired_holds n -> swap_holds n -> on t ->
    (i < j < length faces)%nat ->
    rolled faces (put i true (put j false t)) (clear n)
    <= rolled faces (put i false (put j true t)) (clear n).
  Proof.
    intros pairing swapping Ht Hij.
    rewrite !(rolled_put faces one) by (rewrite ?put_on_ladder; assumption || lia).
    pose proof (fails_less faces is_ladder rises i j ltac:(lia)).
    pose proof (fails_at_most_half faces is_ladder i ltac:(lia)).
    pose proof (fails_at_most_half faces is_ladder j ltac:(lia)).
    set (F b c := rolled faces t (fun u => clear n (put i b (put j c u)))).
    assert (F true false <= F false true) as swapped.
    { apply (rolled_monotone faces one); [exact Ht|]. intros kept _ still. now apply swapping. }
    assert (F false false <= F false true) as stood.
    { apply (rolled_monotone faces one); [exact Ht|]. intros kept _ still.
      apply pairing; [now rewrite !put_on_ladder|]. rewrite (put_put i false j false),
        (put_put i false j true). constructor; [constructor | lia | discriminate]. }
    fold (F true false). fold (F false true). fold (F false false). nra.
  Qed.

  Lemma best_first n t t' rung : paired_holds n -> swap_holds n -> on t -> most_robust rung t ->
    t' = t \/ move faces t t' -> rolled faces t' (clear n) <= clear (S n) t.
  Proof.
    intros pairing swapping Ht H M. rewrite (clear_step n t rung Ht H).
    assert (forall u, move faces t u ->
      rolled faces u (clear n) <= rolled faces (fixed rung t) (clear n)) as best_move.
    { intros u Mu. destruct (fix_cases faces rung t u Ht H Mu)
        as [-> | (i & rest & Hi & Hrest & -> & ->)]; [apply Qle_refl|].
      now apply rolled_swap_clear. }
    destruct M as [-> | M]; [|now apply best_move].
    apply Qle_trans with (2 := best_move _ (fixed_is_move faces rung t Ht H)).
    destruct H as [full _]. pose proof (occupied_inside _ _ full) as inside.
    rewrite (proj2 Ht) in inside. destruct (taken_out rung false t full) as (rest & ->).
    apply rolled_paired_clear; [assumption..|].
    unfold fixed. unfold put at 2 3. cbn [revenue legacy]. rewrite drop_bump.
    change (Table (bump rung (revenue rest)) (legacy rest)) with (put rung true rest).
    constructor; [constructor | lia | discriminate].
  Qed.

  Lemma both_hold n : paired_holds n /\ swap_holds n.
  Proof.
    induction n as [|n [pairing swapping]]; [split; intros ? *; intros; apply Qle_refl|]. split.
    - intros t u Ht H. pose proof (paired_on faces _ _ H Ht) as Hu.
      destruct (some_most_robust faces u Hu) as [none | (top & Htop)].
      { rewrite (clear_without n u) by assumption. now apply clear_at_most_one. }
      destruct (some_most_robust faces t Ht) as [none | (rung & Hrung)].
      { exfalso. destruct Htop as [full _].
        rewrite (paired_no_legacy faces _ _ H Ht none) in full. discriminate. }
      rewrite (clear_step n t rung Ht Hrung).
      destruct Hrung as [full _]. pose proof (occupied_inside _ _ full) as inside.
      rewrite (proj2 Ht) in inside. destruct (taken_out rung false t full) as (rest & ->).
      rewrite put_on_ladder in Ht.
      assert (fixed rung (put rung false rest) = put rung true rest) as ->
        by (unfold fixed, put; cbn [revenue legacy]; now rewrite drop_bump).
      destruct (partner faces rung false rest u H Ht inside) as (j & c & others & -> & Hj & _ & H').
      apply Qle_trans with (rolled faces (put j true others) (clear n)).
      + apply rolled_paired_clear; [assumption | now rewrite put_on_ladder | now constructor].
      + apply (best_first n _ _ top); try assumption.
        destruct c; [now left | right; constructor; lia].
    - intros i j t Ht Hij.
      assert (on (put i true (put j false t))) as Hx by now rewrite !put_on_ladder.
      assert (on (put i false (put j true t))) as Hy by now rewrite !put_on_ladder.
      destruct (some_most_robust faces _ Hy) as [none | (top & Htop)].
      { rewrite (clear_without n _ Hy none). now apply clear_at_most_one. }
      destruct (some_most_robust faces _ Hx) as [none | (rung & Hrung)].
      { exfalso. specialize (none j).
        rewrite !(occupied_put faces), Nat.eqb_refl in none by (rewrite ?put_on_ladder; auto; lia).
        discriminate. }
      rewrite (clear_step n _ rung Hx Hrung).
      pose proof (fixed_is_move faces rung _ Hx Hrung) as M.
      destruct Hrung as [full _]. pose proof (occupied_inside _ _ full) as inside.
      rewrite (proj2 Hx) in inside. destruct (taken_out rung false _ full) as (u & E).
      assert (on u) as Hu by (apply (put_on_ladder faces rung false); rewrite <- E; exact Hx).
      assert (fixed rung (put i true (put j false t)) = put rung true u) as ->
        by (rewrite E; unfold fixed, put; cbn [revenue legacy]; now rewrite drop_bump).
      destruct (put_exchange faces rung false i true u _ Hu inside ltac:(lia) (eq_sym E))
        as [(_ & differ & _) | (rest & -> & E')]; [discriminate|].
      destruct (put_exchange faces j false rung false t rest Ht ltac:(lia) inside E')
        as [(<- & _ & <-) | (left_over & -> & ->)].
      + rewrite (put_put j). apply (best_first n _ _ top); try assumption. right. constructor. lia.
      + rewrite put_on_ladder in Ht.
        apply Qle_trans with (rolled faces (put rung true (put i false (put j true left_over)))
          (clear n)).
        * rewrite (put_put rung true i true), (put_put rung true j false),
            (put_put rung true i false), (put_put rung true j true).
          apply rolled_swap_clear; try assumption. now rewrite put_on_ladder.
        * apply (best_first n _ _ top); try assumption. right.
          rewrite (put_put j true rung), (put_put i false rung). now constructor.
  Qed.

  (** The process. *)

  Lemma repairing_round t' f :
    worth (Choice 0 (all_ways faces (revenue t'))
      (map (fun wk => (fst wk, Some (after_roll t' (snd wk)))) (survivors faces (revenue t')))) f
    == rolled faces t' (fun u => f (Some u)).
  Proof.
    unfold worth, mean, rolled. cbn [reward denominator moves]. rewrite sum_map. cbn [fst snd].
    setoid_replace (0 # all_ways faces (revenue t')) with 0 by reflexivity.
    rewrite Qplus_0_l. reflexivity.
  Qed.

  Lemma done_worth n pi h : worth (Choice 1 1 [(1%Z, None)]) (total (repairing faces) pi n h) == 1.
  Proof. unfold worth, mean. destruct n; reflexivity. Qed.

  Lemma first_is_clear n : forall t h, on t ->
    total (repairing faces) (stationary (fun _ => O)) n h (Some t) == clear n t.
  Proof.
    induction n as [|n IH]; intros t h Ht; [reflexivity|].
    cbn [total repairing stationary clear]. destruct (list_sum (legacy t) =? 0)%nat.
    - cbn [taken nth]. apply done_worth.
    - pose proof (after_moves_on_ladder faces t) as each. pose proof (after_moves_some t) as some.
      destruct (after_moves t) as [|t' others]; [contradiction|]. cbn [map taken nth hd].
      etransitivity; [apply repairing_round|].
      apply (rolled_equal faces one); [apply each; [exact Ht | now left]|].
      intros kept _ still. now apply IH.
  Qed.

  Lemma none_sooner n : forall pi t h, on t ->
    total (repairing faces) pi n h (Some t) <= clear n t.
  Proof.
    induction n as [|n IH]; intros pi t h Ht; [apply Qle_refl|].
    destruct (some_most_robust faces t Ht) as [none | (rung & H)].
    - rewrite clear_without by assumption. cbn [total repairing].
      apply (sum_of_none t Ht) in none. rewrite none. cbn [taken].
      destruct (pi h (Some t)) as [|[|i]]; cbn [nth]; apply Qle_lteq; right; apply done_worth.
    - cbn [total]. destruct (taken _ _) as [c|] eqn:E.
      + apply taken_in in E. cbn [repairing] in E.
        destruct (list_sum (legacy t) =? 0)%nat eqn:Z.
        { exfalso. apply (sum_of_none t Ht) in Z. destruct H as [full _].
          rewrite Z in full. discriminate. }
        apply in_map_iff in E as (t' & <- & Hin).
        apply (moves_are faces t t' Ht) in Hin. pose proof (move_on_ladder faces _ _ Ht Hin) as Ht'.
        rewrite repairing_round. destruct (both_hold n) as [pairing swapping].
        apply Qle_trans with (rolled faces t' (clear n)).
        * apply (rolled_monotone faces one); [exact Ht'|]. intros kept _ still. now apply IH.
        * apply (best_first n t t' rung); auto.
      + apply taken_none in E. cbn [repairing] in E.
        destruct (list_sum (legacy t) =? 0)%nat; [discriminate|].
        apply map_eq_nil in E. now apply after_moves_some in E.
  Qed.
End Repair.

Theorem sooner : sooner_statement.
Proof.
  intros faces t is_ladder rises Ht. split.
  - intros rung. exact (first_is_most_robust faces t rung Ht).
  - intros n pi h. rewrite (first_is_clear faces is_ladder n t h Ht). now apply none_sooner.
Qed.
