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

Theorem reachable : reachable_statement.
Proof.
  intros rungs n [up down] some Hn Lup Ldown. cbn [revenue legacy] in *. split.
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
