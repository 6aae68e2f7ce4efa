(** * Theorem 6: the reachable tables

    A move adds 0 or 1 to the weight, and a roll nothing. Conversely the lone die of the first round
    may fail and be fixed as long as one likes; then a round with survivors alone makes each table
    of revenue dice from one that is lighter by 1; and in the last roll the legacy dice fail. *)

From Coq Require Import List ZArith QArith Bool Arith Lia.
From ExactDice Require Import Statements Sums Backward Swe.
Import ListNotations.
Open Scope nat_scope.

(** ** Weights *)

Lemma weigh_bump i : forall u l, i < length l -> weigh u (bump i l) = u + i + weigh u l.
Proof.
  induction i as [|i IH]; intros u [|n l] H; simpl in *; try lia. rewrite IH by lia. lia.
Qed.

Lemma weigh_drop i : forall u l, occupied l i = true -> weigh u l = u + i + weigh u (drop i l).
Proof.
  unfold occupied. induction i as [|i IH]; intros u [|n l] H; try discriminate;
    simpl in *; apply Nat.ltb_lt in H.
  - destruct n; simpl; lia.
  - rewrite (IH (S u) l) by now apply Nat.ltb_lt. lia.
Qed.

Lemma occupied_inside l i : occupied l i = true -> i < length l.
Proof.
  unfold occupied. intros H. apply Nat.ltb_lt in H.
  destruct (Nat.lt_ge_cases i (length l)) as [|G]; [assumption|].
  rewrite nth_overflow in H by exact G. lia.
Qed.

Lemma weigh_fallen : forall dice kept down u, Forall2 le kept dice -> length down = length dice ->
  weigh u kept + weigh u (fallen dice kept down) = weigh u dice + weigh u down.
Proof.
  induction dice as [|n dice IH]; intros kept down u most L;
    inversion most as [|k n' rest dice' Hk Hrest]; subst.
  - destruct down; [reflexivity | discriminate].
  - destruct down as [|o down]; [discriminate|]. simpl in *.
    specialize (IH rest down (S u) Hrest ltac:(lia)).
    assert (u * k + u * (o + (n - k)) = u * n + u * o)
      by (rewrite <- !Nat.mul_add_distr_l; f_equal; lia).
    lia.
Qed.

Lemma same_length {X Y} (R : X -> Y -> Prop) l m : Forall2 R l m -> length l = length m.
Proof. induction 1; simpl; congruence. Qed.

Lemma weightless dice : forall u, 1 <= u -> weigh u dice = 0 -> dice = repeat 0 (length dice).
Proof.
  induction dice as [|n dice IH]; intros u Hu H; [reflexivity|]. simpl in *.
  rewrite <- (IH (S u)) by lia. destruct n; [reflexivity | nia].
Qed.

Lemma weigh_zeros k : forall u, weigh u (repeat 0 k) = 0.
Proof. induction k as [|k IH]; intros u; simpl; [reflexivity|]. rewrite IH. lia. Qed.

Lemma zeros_unoccupied k l : filter (occupied (repeat 0 k)) l = [].
Proof.
  induction l as [|i l IH]; [reflexivity|]. simpl. unfold occupied at 1. rewrite nth_repeat. exact
    IH.
Qed.

(** ** What a process leads to, round by round *)

Inductive reached (rungs : nat) : nat -> table -> Prop :=
  | begun : reached rungs 0 (Table (repeat 0 rungs) (repeat 0 rungs))
  | played n t t' kept : reached rungs n t -> In t' (after_moves t) ->
      Forall2 le kept (revenue t') -> reached rungs (S n) (after_roll t' kept).

Lemma round_leads faces s n k t score t' kept : ladder faces -> on_ladder faces t ->
  may_be (swe faces) s n (Playing (S k) t score) -> In t' (after_moves t) ->
  Forall2 le kept (revenue t') ->
  may_be (swe faces) s (S n) (Playing k (after_roll t' kept) (score_after score kept)).
Proof.
  intros is_ladder Ht H Hmove most.
  destruct (after_moves_on_ladder faces t t' Ht Hmove) as [Lup _].
  destruct (every_outcome faces (proj2 is_ladder) (revenue t') kept Lup most) as (w & Hw & Hin).
  apply further with (1 := H) (c := rolling faces k score t') (w := w); [| |exact Hw].
  - apply in_map. exact Hmove.
  - cbn [rolling moves]. apply in_map_iff. now exists (w, kept).
Qed.

(** Whatever holds at the start and is kept by a move with a roll holds as long as rounds are left. *)

Lemma leads_rounds faces (P : nat -> table -> Prop) rounds t0 score0 : ladder faces ->
  on_ladder faces t0 -> P 0 t0 ->
  (forall n t t' kept, on_ladder faces t -> P n t -> In t' (after_moves t) ->
     Forall2 le kept (revenue t') -> P (S n) (after_roll t' kept)) ->
  forall n u, may_be (swe faces) (Playing rounds t0 score0) n u -> n <= rounds ->
    exists t score, u = Playing (rounds - n) t score /\ on_ladder faces t /\ P n t.
Proof.
  intros is_ladder Ht0 zero step n u H. induction H as [|n s c w u _ IH Hc Hu Hw]; intros Hn.
  - exists t0, score0. rewrite Nat.sub_0_r. auto.
  - destruct IH as (t & score & -> & Ht & HP); [lia|].
    replace (rounds - n) with (S (rounds - S n)) in Hc by lia.
    cbn [swe] in Hc. apply in_map_iff in Hc as (t' & <- & Hmove).
    cbn [rolling moves] in Hu. apply in_map_iff in Hu as ([w' kept] & [= <- <-] & Hin).
    pose proof (after_moves_on_ladder faces t t' Ht Hmove) as Ht'.
    exists (after_roll t' kept), (score_after score kept). split; [reflexivity | split].
    + exact (after_roll_on_ladder faces t' w' kept Ht' Hin).
    + apply survivors_kept in Hin as (_ & most & _); [|apply Ht'].
      exact (step n t t' kept Ht HP Hmove most).
Qed.

Lemma reached_is_led_to faces rounds n t : ladder faces -> reached (length faces) n t -> n <= rounds ->
  on_ladder faces t /\
  exists score, may_be (swe faces) (Playing rounds (empty_table faces) 0) n (Playing (rounds - n) t score).
Proof.
  intros is_ladder H. induction H as [|n t t' kept _ IH Hmove most]; intros Hn.
  - split; [split; apply repeat_length|]. exists 0. rewrite Nat.sub_0_r. unfold empty_table.
    rewrite zeros_of. constructor.
  - destruct IH as (Ht & score & H); [lia|].
    pose proof (after_moves_on_ladder faces t t' Ht Hmove) as Ht'. split.
    + destruct Ht' as [Lup Ldown]. pose proof (same_length _ _ _ most) as L.
      split; cbn [after_roll revenue legacy]; rewrite ?length_fallen; congruence.
    + exists (score_after score kept). replace (rounds - n) with (S (rounds - S n)) in H by lia.
      exact (round_leads faces _ n _ t score t' kept is_ladder Ht H Hmove most).
Qed.

(** A move adds at most 1, and it adds 1 to a table without legacy. *)

Lemma weight_of_move t t' : 1 <= length (revenue t) -> length (legacy t) = length (revenue t) ->
  In t' (after_moves t) ->
  weight t <= weight t' <= S (weight t) /\
  (legacy t = repeat 0 (length (revenue t)) -> weight t' = S (weight t)).
Proof.
  destruct t as [up down]. unfold after_moves, weight. cbn [revenue legacy]. intros some L.
  destruct (filter _ _) as [|first broken] eqn:E.
  - intros [<- | Hin].
    + cbn [revenue legacy]. rewrite weigh_bump by lia. lia.
    + apply in_map_iff in Hin as (i & <- & Hi). apply filter_In in Hi as [Hi full].
      apply in_seq in Hi. cbn [revenue legacy].
      rewrite weigh_bump by (rewrite length_drop; lia). pose proof (weigh_drop i 1 up full). lia.
  - intros Hin. rewrite <- E in Hin. apply in_map_iff in Hin as (i & <- & Hi).
    apply filter_In in Hi as [_ full]. cbn [revenue legacy].
    pose proof (occupied_inside down i full). rewrite weigh_bump by lia.
    pose proof (weigh_drop i 1 down full). split; [lia|].
    intros zero. rewrite zero in E. rewrite zeros_unoccupied in E. discriminate.
Qed.

Lemma reached_weight rungs n t : 1 <= rungs -> reached rungs n t ->
  length (revenue t) = rungs /\ length (legacy t) = rungs /\ weight t <= n /\ (1 <= n ->
    1 <= weight t).
Proof.
  intros some H. induction H as [|n t t' kept _ IH Hmove most].
  - cbn [revenue legacy]. unfold weight. rewrite !repeat_length. cbn [revenue legacy].
    rewrite weigh_zeros. lia.
  - destruct IH as (Lup & Ldown & atmost & atleast).
    assert (on_ladder (repeat 2 rungs) t) as Ht by (split; rewrite repeat_length; assumption).
    destruct (after_moves_on_ladder _ t t' Ht Hmove) as [Lup' Ldown'].
    rewrite repeat_length in Lup', Ldown'.
    destruct (weight_of_move t t') as [bounds one]; [lia | lia | exact Hmove |].
    pose proof (weigh_fallen _ _ (legacy t') 1 most) as same. specialize (same ltac:(congruence)).
    pose proof (same_length _ _ _ most) as Lkept.
    cbn [revenue legacy after_roll]. unfold weight in *. cbn [revenue legacy after_roll].
    rewrite length_fallen by congruence. repeat split; try lia.
    intros _. destruct n as [|n]; [|lia].
    assert (legacy t = repeat 0 (length (revenue t))) as zero.
    { rewrite Lup, <- Ldown. apply (weightless _ 1); lia. }
    specialize (one zero). lia.
Qed.

(** ** Every table of weight 1 to n *)

Definition ready (rungs n : nat) (dice : list nat) : Prop :=
  exists t, reached rungs n t /\ In (Table dice (repeat 0 rungs)) (after_moves t).

Lemma all_survive dice : forall k, length dice = k -> fallen dice dice (repeat 0 k) = repeat 0 k.
Proof.
  induction dice as [|n dice IH]; intros [|k] L; try discriminate; [reflexivity|].
  simpl. rewrite IH by (now injection L). f_equal. lia.
Qed.

Lemma le_itself dice : Forall2 le dice dice.
Proof. induction dice; constructor; auto. Qed.

(** The lone die, which fails each time. *)

Lemma lone_die k n : ready (S k) n (1 :: repeat 0 k).
Proof.
  induction n as [|n (t & Ht & Hin)].
  - exists (Table (repeat 0 (S k)) (repeat 0 (S k))). split; [constructor|].
    unfold after_moves. rewrite zeros_unoccupied. now left.
  - exists (after_roll (Table (1 :: repeat 0 k) (repeat 0 (S k))) (repeat 0 (S k))). split.
    + apply played with t; [exact Ht | exact Hin |]. cbn [revenue repeat]. constructor;
        [lia | apply le_itself].
    + unfold after_roll. cbn [revenue legacy repeat fallen]. rewrite (all_survive (repeat 0 k) k)
        by apply repeat_length.
      unfold after_moves.
      destruct (filter _ _) as [|first broken] eqn:E.
      * assert (In 0 (filter (occupied (0 + (1 - 0) :: repeat 0 k)) (rev (seq 0 (length (0 ::
          repeat 0 k))))))
          as H by (apply filter_In; split; [rewrite <- in_rev; apply in_seq; simpl;
            lia | reflexivity]).
        rewrite E in H. contradiction.
      * rewrite <- E. apply in_map_iff. exists 0. split; [reflexivity|].
        apply filter_In; split; [rewrite <- in_rev; apply in_seq; simpl; lia | reflexivity].
Qed.

(** A table of revenue dice of weight at least 2 comes from one that is lighter by 1. *)

Lemma lift_back i : forall l, occupied l (S i) = true ->
  bump (S i) (drop i (bump i (drop (S i) l))) = l /\ occupied (bump i (drop (S i) l)) i = true.
Proof.
  induction i as [|i IH]; intros [|a l] H; try discriminate.
  - destruct l as [|b l]; [discriminate|]. destruct b; [discriminate|]. split; reflexivity.
  - destruct (IH l H) as [same full]. split; [|exact full].
    cbn [bump drop] in *. f_equal. exact same.
Qed.

Lemma some_occupied l : forall u, 0 < weigh u l -> exists i, occupied l i = true.
Proof.
  induction l as [|n l IH]; intros u H; simpl in H; [lia|].
  destruct n as [|n]; [|exists 0; reflexivity].
  destruct (IH (S u)) as (i & Hi); [lia|]. exists (S i). exact Hi.
Qed.

Lemma lighter k dice : length dice = k -> 2 <= weigh 1 dice ->
  exists before, length before = k /\ weigh 1 dice = S (weigh 1 before) /\
    In (Table dice (repeat 0 k)) (after_moves (Table before (repeat 0 k))).
Proof.
  intros L W. destruct dice as [|[|n] rest]; [simpl in W; lia | |].
  - destruct (some_occupied rest 2) as (i & Hi); [simpl in W; lia|].
    set (dice := 0 :: rest) in *.
    assert (occupied dice (S i) = true) as full by exact Hi.
    pose proof (occupied_inside dice (S i) full) as Hlen.
    destruct (lift_back i dice full) as [same there].
    exists (bump i (drop (S i) dice)). split; [|split].
    + rewrite length_bump, length_drop. exact L.
    + rewrite weigh_bump by (rewrite length_drop; lia). pose proof (weigh_drop (S i) 1 dice full).
        lia.
    + unfold after_moves. rewrite zeros_unoccupied. right. apply in_map_iff.
      exists i. split; [now rewrite same|]. apply filter_In. split; [|exact there].
      apply in_seq. rewrite length_bump, length_drop. lia.
  - exists (n :: rest). split; [|split].
    + exact L.
    + simpl. lia.
    + unfold after_moves. rewrite zeros_unoccupied. now left.
Qed.

Lemma heavy_ready k w : forall n dice, length dice = S k -> weigh 1 dice = S w -> w <= n ->
  ready (S k) n dice.
Proof.
  induction w as [|w IH]; intros n dice L W Hn.
  - assert (dice = 1 :: repeat 0 k) as ->; [|apply lone_die].
    destruct dice as [|[|[|m]] rest]; try discriminate; simpl in L, W.
    + assert (weigh 2 rest = 1) as one by lia. clear -one. exfalso.
      assert (forall u l, 2 <= u -> weigh u l <> 1) as H; [|exact (H 2 rest (le_n _) one)].
      intros u l. revert u. induction l as [|n l IH]; intros u Hu; simpl; [lia|].
      specialize (IH (S u) ltac:(lia)). destruct n as [|n]; [lia | nia].
    + f_equal. rewrite (weightless rest 2) by lia. f_equal. lia.
  - destruct n as [|n]; [lia|].
    destruct (lighter (S k) dice L) as (before & Lb & Wb & Hin); [lia|].
    destruct (IH n before Lb) as (t & Ht & Hmove); [lia | lia |].
    exists (after_roll (Table before (repeat 0 (S k))) before). split.
    + apply played with t; [exact Ht | exact Hmove | apply le_itself].
    + unfold after_roll. cbn [revenue legacy]. rewrite all_survive by exact Lb. exact Hin.
Qed.

Lemma together_facts : forall up down, length down = length up ->
  length (together up down) = length up /\ Forall2 le up (together up down) /\
  (forall u, weigh u (together up down) = weigh u up + weigh u down) /\
  fallen (together up down) up (repeat 0 (length up)) = down.
Proof.
  induction up as [|a up IH]; intros [|b down] L; try discriminate.
  - repeat split; constructor.
  - destruct (IH down) as (L' & most & sums & falls); [now injection L|].
    cbn [together]. repeat split.
    + simpl. congruence.
    + constructor; [lia | exact most].
    + intros u. simpl. rewrite sums. lia.
    + cbn [length repeat fallen]. rewrite falls. f_equal. lia.
Qed.

Lemma reached_by_weight rungs n t : 1 <= rungs -> 1 <= n ->
  length (revenue t) = rungs -> length (legacy t) = rungs ->
  (reached rungs n t <-> 1 <= weight t <= n).
Proof.
  destruct t as [up down]. intros some Hn Lup Ldown. cbn [revenue legacy] in *. split.
  - intros H. destruct (reached_weight rungs n _ some H) as (_ & _ & atmost & atleast). lia.
  - intros W. unfold weight in W. cbn [revenue legacy] in W.
    destruct rungs as [|k]; [lia|]. destruct n as [|n]; [lia|].
    destruct (together_facts up down) as (L & most & sums & falls); [congruence|].
    destruct (heavy_ready k (weigh 1 (together up down) - 1) n (together up down)) as (t & Ht &
      Hmove);
      [congruence | rewrite sums; lia | rewrite sums; lia |].
    replace (Table up down) with (after_roll (Table (together up down) (repeat 0 (S k))) up).
    + apply played with t; assumption.
    + unfold after_roll. cbn [revenue legacy]. rewrite <- Lup at 1. rewrite falls. reflexivity.
Qed.

Theorem reachable : reachable_statement.
Proof.
  intros faces rounds n t is_ladder Hn Ht.
  assert (1 <= length faces) as some by (destruct is_ladder, faces; simpl; [contradiction | lia]).
  rewrite <- (reached_by_weight (length faces)) by (apply Ht || lia). split.
  - intros (score & H).
    destruct (leads_rounds faces (reached (length faces)) rounds (empty_table faces) 0 is_ladder)
      with (n := n) (u := Playing (rounds - n) t score) as (u & score' & [= -> _] & _ & R);
      try assumption; try lia.
    + split; apply map_length.
    + unfold empty_table. rewrite zeros_of. constructor.
    + intros m u u' kept _ Hu Hmove most. now apply played with u.
  - intros H. apply (reached_is_led_to faces rounds n t is_ladder H). lia.
Qed.
