(** * The software-engineering game, die by die

    [put] adds a die to a table. What a roll leaves, and what the moves lead to, is said here of a die
    and the rest of the table, so that proofs may follow dice without counting outcomes. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Swe Reachable.
Import ListNotations.
Open Scope Q_scope.

(** ** Lists of counts *)

Lemma bump_bump i : forall j l, bump i (bump j l) = bump j (bump i l).
Proof.
  induction i as [|i IH]; intros [|j] [|n l]; try reflexivity. simpl. now rewrite IH.
Qed.

Lemma drop_bump i : forall l, drop i (bump i l) = l.
Proof. induction i as [|i IH]; intros [|n l]; try reflexivity. simpl. now rewrite IH. Qed.

Lemma bump_drop i : forall l, occupied l i = true -> bump i (drop i l) = l.
Proof.
  unfold occupied. induction i as [|i IH]; intros [|n l] H; try discriminate; simpl in *.
  - destruct n; [discriminate | reflexivity].
  - now rewrite IH.
Qed.

Lemma nth_bump i : forall j l, (i < length l)%nat ->
  nth j (bump i l) O = (nth j l O + if (j =? i)%nat then 1 else 0)%nat.
Proof.
  induction i as [|i IH]; intros [|j] [|n l] H; simpl in *; try lia. apply IH. lia.
Qed.

Lemma occupied_bump i j l : (i < length l)%nat ->
  occupied (bump i l) j = ((j =? i)%nat || occupied l j)%bool.
Proof.
  intros H. unfold occupied. rewrite nth_bump by exact H.
  destruct (j =? i)%nat; simpl; [apply Nat.ltb_lt; lia | now rewrite Nat.add_0_r].
Qed.

Lemma bump_exchange i : forall j l m, (i < length l)%nat -> (j < length l)%nat ->
  bump i l = bump j m -> i = j /\ l = m \/ exists rest, l = bump j rest /\ m = bump i rest.
Proof.
  induction i as [|i IH]; intros [|j] [|n l] [|n' m] Hi Hj E; simpl in *; try lia; try discriminate.
  - left. injection E as -> ->. auto.
  - right. injection E as <- ->. now exists (n :: m).
  - right. injection E as -> <-. now exists (n' :: l).
  - injection E as -> E.
    destruct (IH j l m ltac:(lia) ltac:(lia) E) as [[-> ->] | (rest & -> & ->)]; [now left|].
    right. now exists (n' :: rest).
Qed.

(** ** Tables *)

Lemma put_put i b j c t : put i b (put j c t) = put j c (put i b t).
Proof. destruct b, c; unfold put; cbn [revenue legacy]; now rewrite ?(bump_bump i j). Qed.

Lemma all_dice_put i b t : length (revenue t) = length (legacy t) ->
  all_dice (put i b t) = bump i (all_dice t).
Proof.
  destruct t as [up down], b; unfold put, all_dice; cbn [revenue legacy].
  - revert i down. induction up as [|n up IH]; intros [|i] [|o down] L; try discriminate;
      try reflexivity. simpl in *. now rewrite IH by lia.
  - revert i down. induction up as [|n up IH]; intros [|i] [|o down] L; try discriminate;
      try reflexivity; simpl in *; [f_equal; lia | now rewrite IH by lia].
Qed.

Section Ladder.
  Context (faces : list nat).

  Lemma put_on_ladder i b t : on_ladder faces (put i b t) <-> on_ladder faces t.
  Proof.
    unfold on_ladder, put. destruct b; cbn [revenue legacy]; rewrite length_bump; reflexivity.
  Qed.

  Lemma put_exchange i b j c t u : on_ladder faces t -> (i < length faces)%nat ->
    (j < length faces)%nat -> put i b t = put j c u ->
    i = j /\ b = c /\ t = u \/ exists rest, t = put j c rest /\ u = put i b rest.
  Proof.
    destruct t as [up down], u as [up' down']. intros [Hup Hdown] Hi Hj. cbn [revenue legacy] in *.
    rewrite <- Hup in Hi. pose proof Hj as Hj'. rewrite <- Hup in Hj. rewrite <- Hdown in Hj'.
    assert (i < length down)%nat as Hi' by congruence.
    destruct b, c; unfold put; cbn [revenue legacy]; intros [= E F].
    - destruct (bump_exchange i j up up' Hi Hj E) as [[-> ->] | (rest & -> & ->)];
        [left; subst; auto | right; exists (Table rest down); subst; auto].
    - right. exists (Table up down'). subst. auto.
    - right. exists (Table up' down). subst. auto.
    - destruct (bump_exchange i j down down' Hi' Hj' F) as [[-> ->] | (rest & -> & ->)];
        [left; subst; auto | right; exists (Table up rest); subst; auto].
  Qed.

  (** *** Moves: a fix; or, without legacy, a creation or a promotion. *)

  Definition no_legacy (t : table) : Prop := forall i, occupied (legacy t) i = false.

  Inductive move : table -> table -> Prop :=
    | fix_one i t : (i < length faces)%nat -> move (put i false t) (put i true t)
    | create t : no_legacy t -> move t (put 0 true t)
    | promote i t : no_legacy t -> (S i < length faces)%nat ->
        move (put i true t) (put (S i) true t).

  Lemma taken_out i (b : bool) t :
    occupied (if b then revenue t else legacy t) i = true -> exists rest, t = put i b rest.
  Proof.
    destruct t as [up down], b; cbn [revenue legacy]; intros H.
    - exists (Table (drop i up) down). unfold put. cbn. now rewrite bump_drop.
    - exists (Table up (drop i down)). unfold put. cbn. now rewrite bump_drop.
  Qed.

  Lemma none_in_legacy up down : length up = length down ->
    filter (occupied down) (rev (seq 0 (length up))) = [] <-> no_legacy (Table up down).
  Proof.
    intros L. split; intros H.
    - intros i. cbn [legacy]. destruct (occupied down i) eqn:E; [|reflexivity].
      pose proof (occupied_inside down i E).
      assert (In i (filter (occupied down) (rev (seq 0 (length up))))) as Hin.
      { apply filter_In. split; [apply -> in_rev; apply in_seq; lia | exact E]. }
      rewrite H in Hin. contradiction.
    - destruct (filter _ _) as [|i l] eqn:E; [reflexivity|].
      assert (In i (filter (occupied down) (rev (seq 0 (length up))))) as Hin
        by (rewrite E; now left).
      apply filter_In in Hin as [_ Hin]. specialize (H i). cbn [legacy] in H. congruence.
  Qed.

  Lemma moves_are t t' : on_ladder faces t -> (In t' (after_moves t) <-> move t t').
  Proof.
    intros on. split.
    - destruct t as [up down]. destruct on as [Hup Hdown]. unfold after_moves.
      cbn [revenue legacy] in *.
      pose proof (none_in_legacy up down ltac:(congruence)) as none.
      destruct (filter _ _) as [|first broken] eqn:E.
      + destruct none as [none _]. specialize (none eq_refl).
        intros [<- | Hin]; [exact (create _ none)|].
        apply in_map_iff in Hin as (i & <- & Hi). apply filter_In in Hi as [Hi full].
        apply in_seq in Hi. rewrite <- (bump_drop i up full) at 1.
        apply (promote i (Table (drop i up) down)); [exact none | lia].
      + intros Hin. rewrite <- E in Hin. apply in_map_iff in Hin as (i & <- & Hi).
        apply filter_In in Hi as [_ full]. pose proof (occupied_inside down i full).
        rewrite <- (bump_drop i down full) at 1.
        apply (fix_one i (Table up (drop i down))). congruence.
    - intros H. destruct H as [i [up down] Hi | [up down] none | i [up down] none Hi];
        destruct on as [Hup Hdown]; unfold put, after_moves in *; cbn [revenue legacy] in *;
        rewrite ?length_bump in *.
      + assert (In i (filter (occupied (bump i down)) (rev (seq 0 (length up))))) as Hin.
        { apply filter_In. split; [apply -> in_rev; apply in_seq; lia|].
          rewrite occupied_bump, Nat.eqb_refl by lia. reflexivity. }
        destruct (filter _ _) as [|first broken]; [contradiction|].
        apply in_map_iff. exists i. split; [now rewrite drop_bump | exact Hin].
      + apply none_in_legacy in none; [|congruence]. rewrite none. now left.
      + apply none_in_legacy in none; [|congruence]. rewrite none. right.
        apply in_map_iff. exists i. split; [now rewrite drop_bump|].
        apply filter_In. split; [apply in_seq; lia|].
        rewrite occupied_bump, Nat.eqb_refl by lia. reflexivity.
  Qed.

  Lemma move_on_ladder t t' : on_ladder faces t -> move t t' -> on_ladder faces t'.
  Proof. intros on H. apply moves_are in H; [|exact on]. exact (after_moves_on_ladder _ t t' on H). Qed.
End Ladder.

(** ** Rolls *)

Definition rolled (faces : list nat) (t : table) (f : table -> Q) : Q :=
  sum (fun wk => inject_Z (fst wk) * f (after_roll t (snd wk))) (survivors faces (revenue t))
  * (1 # all_ways faces (revenue t)).

Definition fails (faces : list nat) (i : nat) : Q := 1 # Pos.of_nat (nth i faces O).

(** The sum over outcomes, with a die more on some rung. *)

Definition outcomes (faces dice : list nat) (f : list nat -> Q) : Q :=
  sum (fun wk => inject_Z (fst wk) * f (snd wk)) (survivors faces dice).

Lemma sum_flat_map {X Y} (f : Y -> Q) (g : X -> list Y) l :
  sum f (flat_map g l) == sum (fun x => sum f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. rewrite sum_app, IH. reflexivity. Qed.

Definition powers (x : Z) (k : nat) : Q := inject_Z (x ^ Z.of_nat k).

Definition binomial_sum (x : Z) (n : nat) (f : nat -> Q) : Q :=
  sum (fun k => inject_Z (binomial n k) * powers x k * f k) (seq 0 (S n)).

Lemma outcomes_step g faces n dice f :
  outcomes (g :: faces) (n :: dice) f
  == binomial_sum (Z.of_nat g - 1) n (fun k => outcomes faces dice (fun kept => f (k :: kept))).
Proof.
  unfold outcomes, binomial_sum. cbn [survivors]. rewrite sum_flat_map. apply sum_equal.
  intros k _. rewrite sum_map. cbn [fst snd].
  rewrite <- sum_scaled. apply sum_equal. intros [w kept] _. cbn [fst snd]. unfold powers.
  rewrite !inject_Z_mult. ring.
Qed.

Lemma sum_seq_last (f : nat -> Q) n : sum f (seq 0 (S n)) == sum f (seq 0 n) + f n.
Proof. rewrite seq_S, sum_app. simpl. ring. Qed.

Lemma sum_seq_first (f : nat -> Q) n : sum f (seq 0 (S n)) == f O + sum (fun k => f (S k)) (seq 0 n).
Proof. cbn [seq]. rewrite <- seq_shift. simpl. rewrite sum_map. reflexivity. Qed.

Lemma binomial_sum_more x n f :
  binomial_sum x (S n) f == binomial_sum x n (fun k => f k + inject_Z x * f (S k)).
Proof.
  unfold binomial_sum. rewrite sum_seq_first.
  rewrite (sum_equal (fun k => inject_Z (binomial (S n) (S k)) * powers x (S k) * f (S k))
    (fun k => 1 * (inject_Z (binomial n k) * powers x k * (inject_Z x * f (S k)))
              + 1 * (inject_Z (binomial n (S k)) * powers x (S k) * f (S k)))).
  2: { intros k _. cbn [binomial]. unfold powers. rewrite inject_Z_plus, Nat2Z.inj_succ,
         Z.pow_succ_r, inject_Z_mult by lia. ring. }
  rewrite sum_linear, !binomial_zero.
  pose proof (sum_seq_first (fun k => inject_Z (binomial n k) * powers x k * f k) (S n)) as first.
  pose proof (sum_seq_last (fun k => inject_Z (binomial n k) * powers x k * f k) (S n)) as last.
  cbv beta in first, last. rewrite (binomial_above n (S n)) in last by lia. rewrite binomial_zero in first.
  rewrite (sum_equal (fun k => inject_Z (binomial n k) * powers x k * (f k + inject_Z x * f (S k)))
    (fun k => 1 * (inject_Z (binomial n k) * powers x k * f k)
              + 1 * (inject_Z (binomial n k) * powers x k * (inject_Z x * f (S k)))))
    by (intros; ring).
  rewrite sum_linear. revert first last. generalize (seq 0 (S n)) (seq 0 (S (S n))). intros l m.
  change (inject_Z 0) with 0. intros first last. lra.
Qed.

Lemma binomial_sum_linear x n f g a b :
  binomial_sum x n (fun k => a * f k + b * g k) == a * binomial_sum x n f + b * binomial_sum x n g.
Proof.
  unfold binomial_sum. rewrite <- sum_linear. apply sum_equal. intros; ring.
Qed.

Lemma binomial_sum_equal x n f g : (forall k, f k == g k) -> binomial_sum x n f == binomial_sum x n g.
Proof. intros H. apply sum_equal. intros k _. rewrite H. reflexivity. Qed.

Lemma outcomes_bump faces : forall i dice f, length dice = length faces -> (i < length faces)%nat ->
  outcomes faces (bump i dice) f == outcomes faces dice f
    + inject_Z (Z.of_nat (nth i faces O) - 1) * outcomes faces dice (fun kept => f (bump i kept)).
Proof.
  induction faces as [|g faces IH]; intros i [|n dice] f L Hi; simpl in Hi, L; try lia.
  destruct i as [|i]; cbn [bump nth].
  - rewrite !outcomes_step, binomial_sum_more.
    set (F := fun k => outcomes faces dice (fun kept => f (k :: kept))).
    transitivity (binomial_sum (Z.of_nat g - 1) n
      (fun k => 1 * F k + inject_Z (Z.of_nat g - 1) * F (S k)));
      [apply binomial_sum_equal; intros; unfold F; ring|].
    rewrite binomial_sum_linear. unfold F. ring.
  - rewrite !outcomes_step. set (x := inject_Z (Z.of_nat (nth i faces O) - 1)).
    transitivity (binomial_sum (Z.of_nat g - 1) n
      (fun k => 1 * outcomes faces dice (fun kept => f (k :: kept))
                + x * outcomes faces dice (fun kept => f (k :: bump i kept)))).
    + apply binomial_sum_equal. intros k. rewrite IH by lia. fold x. ring.
    + rewrite binomial_sum_linear. ring.
Qed.

Lemma all_ways_bump faces : forall i dice, (forall f, In f faces -> (1 <= f)%nat) ->
  length dice = length faces -> (i < length faces)%nat ->
  all_ways faces (bump i dice) = (Pos.of_nat (nth i faces O) * all_ways faces dice)%positive.
Proof.
  induction faces as [|g faces IH]; intros i [|n dice] one L Hi; simpl in Hi, L; try lia.
  pose proof (one g (or_introl eq_refl)).
  destruct i as [|i]; cbn [bump nth all_ways].
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z2Pos.inj_mul by (try apply Z.pow_pos_nonneg; lia).
    rewrite <- Pos.mul_assoc. f_equal. lia.
  - rewrite IH by first [lia | intros f Hf; apply one; now right].
    rewrite !Pos.mul_assoc. f_equal. apply Pos.mul_comm.
Qed.

(** What a roll leaves of a die more, if it fails and if it survives. *)

Lemma fallen_bump i : forall up kept down, Forall2 le kept up -> length down = length up ->
  fallen (bump i up) kept down = bump i (fallen up kept down) /\
  fallen (bump i up) (bump i kept) down = fallen up kept down.
Proof.
  induction i as [|i IH]; intros up kept down most L;
    destruct most as [|k n kept up Hk most], down as [|o down]; try discriminate; simpl in *; auto.
  - split; [f_equal; destruct k; lia | reflexivity].
  - destruct (IH up kept down most ltac:(lia)) as [-> ->]. auto.
Qed.

Section Rolls.
  Context (faces : list nat).
  Hypothesis one : forall f, In f faces -> (1 <= f)%nat.

  Lemma kept_of t wk : on_ladder faces t -> In wk (survivors faces (revenue t)) ->
    Forall2 le (snd wk) (revenue t) /\ 0 <= inject_Z (fst wk) /\
    on_ladder faces (after_roll t (snd wk)).
  Proof.
    destruct wk as [w kept]. intros on H.
    pose proof (after_roll_on_ladder faces t w kept on H) as still.
    apply survivors_kept in H as (L & most & weight); [|apply on].
    split; [exact most | split; [|exact still]]. rewrite <- (Zle_Qle 0). exact (weight one).
  Qed.

  Lemma rolled_monotone t f g : on_ladder faces t ->
    (forall kept, Forall2 le kept (revenue t) -> on_ladder faces (after_roll t kept) ->
       f (after_roll t kept) <= g (after_roll t kept)) -> rolled faces t f <= rolled faces t g.
  Proof.
    intros on H. unfold rolled. apply Qmult_le_compat_r; [|discriminate].
    apply sum_monotone. intros wk Hin. destruct (kept_of t wk on Hin) as (most & weight & still).
    rewrite !(Qmult_comm (inject_Z _)). apply Qmult_le_compat_r; [|exact weight]. now apply H.
  Qed.

  Lemma rolled_equal t f g : on_ladder faces t ->
    (forall kept, Forall2 le kept (revenue t) -> on_ladder faces (after_roll t kept) ->
       f (after_roll t kept) == g (after_roll t kept)) -> rolled faces t f == rolled faces t g.
  Proof.
    intros on H. apply Qle_antisym; apply rolled_monotone; try assumption;
      intros kept most still; rewrite (H kept most still); apply Qle_refl.
  Qed.

  Lemma rolled_shift t f c : rolled faces t (fun u => f u + c) == rolled faces t f + c.
  Proof.
    unfold rolled.
    rewrite (sum_equal _ (fun wk => 1 * (inject_Z (fst wk) * f (after_roll t (snd wk)))
                                   + c * (inject_Z (fst wk) * 1))) by (intros; ring).
    rewrite sum_linear, sum_weights, (survivors_whole faces one).
    rewrite Qmult_plus_distr_l, !Qmult_1_l. apply Qplus_comp; [reflexivity|].
    unfold Qeq. simpl. lia.
  Qed.

  Lemma rolled_put i b t f : on_ladder faces t -> (i < length faces)%nat ->
    rolled faces (put i b t) f ==
      if b then fails faces i * rolled faces t (fun u => f (put i false u))
                + (1 - fails faces i) * rolled faces t (fun u => f (put i true u))
      else rolled faces t (fun u => f (put i false u)).
  Proof.
    intros on Hi. pose proof on as [Hup Hdown]. destruct b.
    - assert (forall f, sum (fun wk => inject_Z (fst wk) * f (snd wk)) (survivors faces (revenue t))
        == outcomes faces (revenue t) f) as fold by reflexivity.
      unfold rolled, put. cbn [revenue legacy].
      rewrite all_ways_bump by (assumption || congruence).
      pose proof (outcomes_bump faces i (revenue t)
        (fun kept => f (after_roll (Table (bump i (revenue t)) (legacy t)) kept)) Hup Hi) as split.
      unfold outcomes in split. rewrite split. clear split.
      rewrite (sum_equal _ (fun wk => inject_Z (fst wk)
        * f (put i false (after_roll t (snd wk)))) (survivors faces (revenue t))).
      2: { intros wk Hin. destruct (kept_of t wk on Hin) as (most & _ & _).
           destruct (fallen_bump i _ _ (legacy t) most ltac:(congruence)) as [fell _].
           unfold after_roll, put. cbn [revenue legacy]. rewrite fell. reflexivity. }
      rewrite (sum_equal (fun wk => inject_Z (fst wk)
          * f (after_roll (Table (bump i (revenue t)) (legacy t)) (bump i (snd wk))))
        (fun wk => inject_Z (fst wk) * f (put i true (after_roll t (snd wk))))
        (survivors faces (revenue t))).
      2: { intros wk Hin. destruct (kept_of t wk on Hin) as (most & _ & _).
           destruct (fallen_bump i _ _ (legacy t) most ltac:(congruence)) as [_ stood].
           unfold after_roll, put. cbn [revenue legacy]. rewrite stood. reflexivity. }
      unfold put. cbn [revenue legacy]. unfold fails.
      assert (1 <= nth i faces 0)%nat as H by (apply one, nth_In; exact Hi).
      generalize dependent (nth i faces O). intros n H.
      set (A := sum _ _). set (B := sum _ _).
      assert (1 # Pos.of_nat n * all_ways faces (revenue t)
              == (1 # Pos.of_nat n) * (1 # all_ways faces (revenue t))) as -> by reflexivity.
      assert (inject_Z (Z.of_nat n - 1) * (1 # Pos.of_nat n) == 1 - (1 # Pos.of_nat n)) as E
        by (replace (Z.of_nat n) with (Zpos (Pos.of_nat n)) by lia; unfold Qeq, Qminus, Qplus,
              Qopp, Qmult, inject_Z; cbn [Qnum Qden]; lia).
      rewrite <- E. ring.
    - unfold rolled, put. cbn [revenue legacy].
      apply Qmult_comp; [|reflexivity]. apply sum_equal. intros wk Hin.
      destruct (kept_of t wk on Hin) as (most & _ & _).
      unfold after_roll. cbn [revenue legacy].
      assert (forall n kept up down, Forall2 le kept up ->
        fallen up kept (bump n down) = bump n (fallen up kept down)) as ->; [|reflexivity|exact most].
      clear. induction n as [|n IH]; intros kept up down most;
        destruct most, down; simpl; try reflexivity; now rewrite IH.
  Qed.
End Rolls.
