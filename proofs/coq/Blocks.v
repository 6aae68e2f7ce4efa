(** * Theorem 3: blocks

    To raise the number of dice from a rung on, the rung below must hold a die, or it is the lowest.
    If it holds none, as many dice stand from there on as from the rung itself, and the same number
    is wanted or more; so one goes down until a move is possible. *)

From Coq Require Import List ZArith Bool Arith Lia.
From ExactDice Require Import Statements Swe Reachable.
Import ListNotations.
Open Scope nat_scope.

Definition one_if (b : bool) : nat := if b then 1 else 0.

Lemma from_rung_bump i : forall j l, i < length l ->
  from_rung j (bump i l) = from_rung j l + one_if (j <=? i).
Proof.
  unfold from_rung. induction i as [|i IH]; intros [|j] [|n l] H; simpl in *; try lia.
  - specialize (IH 0 l ltac:(lia)). simpl in IH. lia.
  - apply IH. lia.
Qed.

Lemma from_rung_drop i : forall j l, occupied l i = true ->
  from_rung j l = from_rung j (drop i l) + one_if (j <=? i).
Proof.
  unfold from_rung, occupied. induction i as [|i IH]; intros [|j] [|n l] H; try discriminate;
    simpl in *.
  - apply Nat.ltb_lt in H. lia.
  - lia.
  - specialize (IH 0 l H). simpl in IH. lia.
  - apply IH. exact H.
Qed.

Lemma from_rung_step i : forall l, from_rung i l = nth i l 0 + from_rung (S i) l.
Proof.
  unfold from_rung. induction i as [|i IH]; intros [|n l]; try reflexivity. exact (IH l).
Qed.

Lemma from_rung_end l i : length l <= i -> from_rung i l = 0.
Proof. intros H. unfold from_rung. rewrite skipn_all2 by exact H. reflexivity. Qed.

(** ** What a roll and a move do *)

Lemma together_roll : forall dice kept down, Forall2 le kept dice -> length down = length dice ->
  together kept (fallen dice kept down) = together dice down.
Proof.
  induction dice as [|n dice IH]; intros kept down most L;
    inversion most as [|k n' rest dice' Hk Hrest]; subst; [reflexivity|].
  destruct down as [|o down]; [discriminate|]. simpl. rewrite IH by (auto; simpl in L; lia).
  f_equal. lia.
Qed.

Lemma together_fix i : forall up down, length down = length up -> occupied down i = true ->
  together (bump i up) (drop i down) = together up down.
Proof.
  unfold occupied. induction i as [|i IH]; intros [|a up] [|b down] L H; try discriminate;
    simpl in *.
  - apply Nat.ltb_lt in H. f_equal. lia.
  - f_equal. apply IH; [lia | exact H].
Qed.

Lemma together_zeros up : together up (repeat 0 (length up)) = up.
Proof. induction up as [|a up IH]; [reflexivity|]. simpl. rewrite IH, Nat.add_0_r. reflexivity. Qed.

Lemma no_legacy rungs down : length down = rungs ->
  filter (occupied down) (rev (seq 0 rungs)) = [] -> down = repeat 0 rungs.
Proof.
  intros L H. apply nth_ext with (d := 0) (d' := 0); [now rewrite repeat_length|].
  intros i Hi. rewrite nth_repeat. destruct (occupied down i) eqn:E.
  - assert (In i (filter (occupied down) (rev (seq 0 rungs)))) as Hin
      by (apply filter_In; split; [rewrite <- in_rev; apply in_seq; lia | exact E]).
    rewrite H in Hin. contradiction.
  - unfold occupied in E. apply Nat.ltb_ge in E. lia.
Qed.

(** Without legacy a move raises one number by 1. *)

Lemma move_without_legacy up t' : 1 <= length up ->
  In t' (after_moves (Table up (repeat 0 (length up)))) ->
  legacy t' = repeat 0 (length up) /\ length (revenue t') = length up /\
  exists i, i < length up /\ forall j, from_rung j (revenue t') = from_rung j up + one_if (j =? i).
Proof.
  intros some. unfold after_moves. rewrite zeros_unoccupied. intros [<- | Hin].
  - cbn [revenue legacy]. split; [reflexivity | split; [apply length_bump|]].
    exists 0. split; [lia|]. intros j. rewrite from_rung_bump by lia.
    destruct j; reflexivity.
  - apply in_map_iff in Hin as (i & <- & Hi). apply filter_In in Hi as [Hi full].
      apply in_seq in Hi.
    cbn [revenue legacy]. split; [reflexivity | split; [rewrite length_bump; apply length_drop|]].
    exists (S i). split; [lia|]. intros j.
    rewrite from_rung_bump by (rewrite length_drop; lia). rewrite (from_rung_drop i j up full).
    unfold one_if. destruct (Nat.leb_spec j i), (Nat.leb_spec j (S i)), (Nat.eqb_spec j (S i)); lia.
Qed.

(** ** Domination is enough *)

Lemma same_numbers dice later : length dice = length later ->
  (forall i, from_rung i dice = from_rung i later) -> dice = later.
Proof.
  intros L H. apply nth_ext with (d := 0) (d' := 0); [exact L|]. intros i _.
  pose proof (from_rung_step i dice). pose proof (from_rung_step i later).
  pose proof (H i). pose proof (H (S i)). lia.
Qed.

(** Some number that is too small can be raised. *)

Lemma can_raise dice later : (forall i, from_rung i dice <= from_rung i later) ->
  forall i, from_rung i dice < from_rung i later ->
    exists j, from_rung j dice < from_rung j later /\
      match j with O => True | S k => occupied dice k = true end.
Proof.
  intros H i. induction i as [|i IH]; intros less; [exists 0; auto|].
  destruct (occupied dice i) eqn:E; [exists (S i); auto|].
  apply IH. unfold occupied in E. apply Nat.ltb_ge in E.
  rewrite (from_rung_step i dice), (from_rung_step i later). lia.
Qed.

Lemma raise dice j : match j with O => 1 <= length dice | S k => S k < length dice /\
  occupied dice k = true end ->
  exists after, length after = length dice /\
    In (Table after (repeat 0 (length dice))) (after_moves (Table dice (repeat 0 (length dice)))) /\
    forall i, from_rung i after = from_rung i dice + one_if (i =? j).
Proof.
  intros H. unfold after_moves. rewrite zeros_unoccupied. destruct j as [|k].
  - exists (bump 0 dice). split; [apply length_bump | split; [now left|]].
    intros i. rewrite from_rung_bump by lia. destruct i; reflexivity.
  - destruct H as [Hk full]. exists (bump (S k) (drop k dice)).
    split; [rewrite length_bump; apply length_drop | split].
    + right. apply in_map_iff. exists k. split; [reflexivity|].
      apply filter_In. split; [apply in_seq; lia | exact full].
    + intros i. rewrite from_rung_bump by (rewrite length_drop; lia).
      rewrite (from_rung_drop k i dice full). unfold one_if.
      destruct (Nat.leb_spec i k), (Nat.leb_spec i (S k)), (Nat.eqb_spec i (S k)); lia.
Qed.

Inductive follows (dice : list nat) : list nat -> Prop :=
  | unchanged : follows dice dice
  | grown before after : follows dice before ->
      In (Table after (repeat 0 (length before))) (after_moves (Table before (repeat 0 (length before)))) ->
      follows dice after.

Lemma follows_first dice after later : 
  In (Table after (repeat 0 (length dice))) (after_moves (Table dice (repeat 0 (length dice)))) ->
  follows after later -> follows dice later.
Proof.
  intros Hin H. induction H as [|before last H IH Hlast].
  - apply grown with dice; [constructor | exact Hin].
  - exact (grown dice before last IH Hlast).
Qed.

Definition missing (dice later : list nat) : nat :=
  list_sum (map (fun i => from_rung i later - from_rung i dice) (seq 0 (length dice))).

Lemma smaller_sum {X} (f g : X -> nat) l x : (forall y, f y <= g y) -> In x l -> f x < g x ->
  list_sum (map f l) < list_sum (map g l).
Proof.
  intros H. assert (forall l, list_sum (map f l) <= list_sum (map g l)) as atmost.
  { induction l0 as [|y l0 IH]; simpl; [lia|]. pose proof (H y). lia. }
  induction l as [|y l IH]; intros Hin Hx; [contradiction|]. simpl.
  destruct Hin as [-> | Hin]; [pose proof (atmost l); lia|]. pose proof (H y).
    specialize (IH Hin Hx). lia.
Qed.

Lemma domination_is_enough size : forall dice later, length dice = length later ->
  missing dice later <= size -> (forall i, from_rung i dice <= from_rung i later) ->
  follows dice later.
Proof.
  induction size as [|size IH]; intros dice later L few H.
  - assert (dice = later) as ->; [|constructor]. apply same_numbers; [exact L|]. intros i.
    destruct (Nat.lt_ge_cases i (length dice)) as [Hi | Hi];
      [|rewrite !from_rung_end by lia; reflexivity].
    destruct (Nat.eq_dec (from_rung i dice) (from_rung i later)) as [|differ]; [assumption|].
    assert (list_sum (map (fun _ => 0) (seq 0 (length dice))) < missing dice later) as some.
    { apply smaller_sum with i; [lia | apply in_seq; lia |]. pose proof (H i). lia. }
    lia.
  - destruct (list_eq_dec Nat.eq_dec dice later) as [-> | differ]; [constructor|].
    assert (exists i, from_rung i dice < from_rung i later) as (i & Hi).
    { destruct (existsb (fun i => from_rung i dice <? from_rung i later) (seq 0 (length dice)))
        eqn:E.
      - apply existsb_exists in E as (i & _ & Hi). exists i. now apply Nat.ltb_lt.
      - exfalso. apply differ, same_numbers; [exact L|]. intros i.
        destruct (Nat.lt_ge_cases i (length dice)) as [Hi | Hi];
          [|rewrite !from_rung_end by lia; reflexivity].
        pose proof (H i). destruct (Nat.eq_dec (from_rung i dice) (from_rung i later)) as [|less];
          [assumption|]. exfalso.
        assert (existsb (fun i => from_rung i dice <? from_rung i later) (seq 0 (length dice)) =
          true)
          as contra by (apply existsb_exists; exists i; split; [apply in_seq;
            lia | apply Nat.ltb_lt; lia]).
        congruence. }
    destruct (can_raise dice later H i Hi) as (j & Hj & possible).
    assert (j < length dice) as inside.
    { destruct (Nat.lt_ge_cases j (length dice)); [assumption|].
      rewrite (from_rung_end later j) in Hj by lia. lia. }
    destruct (raise dice j) as (after & La & Hmove & numbers); [destruct j; [lia | auto]|].
    apply follows_first with after; [exact Hmove|].
    assert (forall i, from_rung i after <= from_rung i later) as still.
    { intros k. rewrite numbers. pose proof (H k). unfold one_if. destruct (Nat.eqb_spec k j);
        subst; lia. }
    apply IH; [lia | | exact still].
    assert (missing after later < missing dice later); [|lia].
    unfold missing. rewrite La. apply smaller_sum with j; [| apply in_seq; lia |].
    + intros k. rewrite numbers. lia.
    + rewrite numbers. unfold one_if. rewrite Nat.eqb_refl. lia.
Qed.

(** A round keeps the dice, or adds 1 to one of these numbers. *)

Definition stays_or_grows (rungs : nat) (t t' : table) : Prop :=
  all_dice t' = all_dice t \/
  legacy t = repeat O rungs /\ legacy t' = repeat O rungs /\
  exists i, i < rungs /\ forall j,
    from_rung j (all_dice t') = from_rung j (all_dice t) + one_if (j =? i).

Lemma a_move rungs t t' : 1 <= rungs -> length (revenue t) = rungs -> length (legacy t) = rungs ->
  In t' (after_moves t) -> stays_or_grows rungs t t'.
Proof.
  destruct t as [up down]. intros some Lup Ldown Hin. cbn [revenue legacy] in *.
  destruct (filter (occupied down) (rev (seq 0 rungs))) as [|first broken] eqn:E.
  + right. pose proof (no_legacy rungs down Ldown E) as ->. rewrite <- Lup in Hin.
    destruct (move_without_legacy up t' ltac:(lia) Hin) as (none & L & i & Hi & numbers).
    split; [reflexivity | split; [congruence|]]. exists i. split; [lia|]. intros j.
    unfold all_dice. cbn [revenue legacy]. rewrite none, <- L, together_zeros.
    rewrite <- Lup, together_zeros. exact (numbers j).
  + left. unfold after_moves in Hin. rewrite Lup, E in Hin.
    rewrite <- E in Hin. apply in_map_iff in Hin as (i & <- & Hi).
      apply filter_In in Hi as [_ full].
    unfold all_dice. cbn [revenue legacy]. apply together_fix; [congruence | exact full].
Qed.

Lemma a_roll t kept : length (legacy t) = length (revenue t) -> Forall2 le kept (revenue t) ->
  all_dice (after_roll t kept) = all_dice t.
Proof. intros L most. apply together_roll; assumption. Qed.

(** A process may go wherever dice can grow, all of them surviving. *)

Lemma follows_in_play faces dice later : ladder faces -> length dice = length faces ->
  follows dice later -> length later = length faces /\ exists n, forall k score, exists score',
    may_be (swe faces) (Playing (n + k) (Table dice (repeat 0 (length faces))) score) n
      (Playing k (Table later (repeat 0 (length faces))) score').
Proof.
  intros is_ladder L H. induction H as [|before after _ (Lb & n & IH) Hin].
  - split; [exact L|]. exists 0. intros k score. exists score. constructor.
  - rewrite Lb in Hin.
    assert (on_ladder faces (Table before (repeat 0 (length faces)))) as Hb
      by (split; cbn [revenue legacy]; rewrite ?repeat_length; auto).
    pose proof (after_moves_on_ladder faces _ _ Hb Hin) as [La _]. cbn [revenue] in La.
    split; [exact La|]. exists (S n). intros k score. destruct (IH (S k) score) as (score' & H).
    exists (score_after score' after). replace (S n + k) with (n + S k) by lia.
    pose proof (round_leads faces _ n k _ score' _ after is_ladder Hb H Hin (le_itself after)) as R.
    unfold after_roll in R. cbn [revenue legacy] in R. now rewrite all_survive in R.
Qed.

Theorem blocks : blocks_statement.
Proof.
  intros rungs some. split; [|split].
  - intros t kept Lup Ldown most. apply a_roll; [congruence | exact most].
  - intros t t' Lup Ldown Hin. exact (a_move rungs t t' some Lup Ldown Hin).
  - intros faces dice later is_ladder Lf L L'. split.
    + intros (rounds & t & score & n & t' & score' & Ht & <- & H & Hn & <-).
      destruct (leads_rounds faces (fun _ u => forall i,
          from_rung i (all_dice t) <= from_rung i (all_dice u)) rounds t score is_ladder Ht)
        with (n := n) (u := Playing (rounds - n) t' score') as (u & s & [= -> _] & _ & R);
        try assumption; [auto|].
      intros m u u' kept Hu IH Hmove most i. destruct (after_moves_on_ladder faces u u' Hu Hmove).
      rewrite a_roll by congruence. specialize (IH i).
      destruct (a_move rungs u u') as [-> | (_ & _ & j & _ & numbers)]; destruct Hu; try lia;
        try assumption; try congruence.
      rewrite numbers. lia.
    + intros H. subst rungs.
      destruct (follows_in_play faces dice later is_ladder L) as (_ & n & play).
      { apply (domination_is_enough (missing dice later)); [congruence | lia | exact H]. }
      destruct (play 0 0) as (score & Hplay). rewrite Nat.add_0_r in Hplay.
      exists n, (Table dice (repeat 0 (length faces))), 0, n,
        (Table later (repeat 0 (length faces))), score.
      rewrite Nat.sub_diag. unfold all_dice, on_ladder. cbn [revenue legacy].
      repeat split; [exact L | apply repeat_length | | exact Hplay | lia |].
      * rewrite <- L. apply together_zeros.
      * rewrite <- L'. apply together_zeros.
Qed.
