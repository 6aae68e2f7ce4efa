(** * Theorem 16: scratches in FateStones

    What follows a scratch enters a duel through the chance of a scratch alone. Against a player who
    rolls each die left with equal chance that does not depend on the play: it is a permanent, which
    may be expanded along any row. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Matrix.
Import ListNotations.
Open Scope Q_scope.

(** ** Picks *)

Lemma picks_length {X} (l : list X) : length (picks l) = length l.
Proof. induction l; simpl; [reflexivity|]. now rewrite map_length, IHl. Qed.

Lemma picks_rest {X} (l : list X) : forall x r, In (x, r) (picks l) -> length l = S (length r).
Proof.
  induction l as [|y l IH]; intros x r; [intros []|]. intros [[= <- <-] | H]; [reflexivity|].
  apply in_map_iff in H as ([z q] & [= <- <-] & H). simpl. now rewrite (IH _ _ H).
Qed.

Lemma picks_by_place {X} (none : X) (l : list X) :
  map (fun i => (nth i l none, without i l)) (seq 0 (length l)) = picks l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length seq map picks]. f_equal.
  rewrite <- seq_shift, map_map, <- IH, map_map. reflexivity.
Qed.

Lemma sum_picks {X} (f : X * list X -> Q) x l :
  sum f (picks (x :: l)) = f (x, l) + sum (fun p => f (fst p, x :: snd p)) (picks l).
Proof. cbn [picks]. cbn [sum fold_right]. f_equal. apply sum_map. Qed.

Lemma picks_swap {X} (l : list X) : forall G : X -> X -> list X -> Q,
  sum (fun p => sum (fun q => G (fst p) (fst q) (snd q)) (picks (snd p))) (picks l)
  == sum (fun p => sum (fun q => G (fst q) (fst p) (snd q)) (picks (snd p))) (picks l).
Proof.
  induction l as [|x l IH]; intros G; [reflexivity|]. rewrite !sum_picks. cbn [fst snd].
  rewrite (sum_equal (fun p => sum (fun q => G (fst p) (fst q) (snd q)) (picks (x :: snd p)))
    (fun p => 1 * G (fst p) x (snd p)
      + 1 * sum (fun q => G (fst p) (fst q) (x :: snd q)) (picks (snd p))) (picks l))
    by (intros p _; rewrite sum_picks; cbn [fst snd]; ring).
  rewrite (sum_equal (fun p => sum (fun q => G (fst q) (fst p) (snd q)) (picks (x :: snd p)))
    (fun p => 1 * G x (fst p) (snd p)
      + 1 * sum (fun q => G (fst q) (fst p) (x :: snd q)) (picks (snd p))) (picks l))
    by (intros p _; rewrite sum_picks; cbn [fst snd]; ring).
  rewrite !sum_linear, (IH (fun y z r => G y z (x :: r))). ring.
Qed.

(** ** A scratch may be counted from any die *)

Lemma scratch_any : forall mine yours a rest,
  length mine = length yours -> In (a, rest) (picks mine) ->
  average (fun pick => tie_chance a (fst pick) * scratch rest (snd pick)) (picks yours)
  == scratch mine yours.
Proof.
  induction mine as [|x mine IH]; intros yours a rest L; [intros []|].
  intros [[= <- <-] | H]; [reflexivity|].
  apply in_map_iff in H as ([y r] & [= <- <-] & H). cbn [fst snd scratch].
  unfold average. apply Qmult_comp; [|reflexivity].
  set (c := 1 # Pos.of_nat (length mine)).
  set (both b d q := tie_chance y b * tie_chance x d * scratch r q).
  rewrite (sum_equal _
    (fun p => c * sum (fun q => both (fst p) (fst q) (snd q)) (picks (snd p)))).
  2:{ intros [b q] Hq. cbn [fst snd]. unfold average. rewrite picks_length.
      apply picks_rest in Hq. replace (length q) with (length mine) by (simpl in L; lia). fold c.
      rewrite (sum_equal (fun q => both b (fst q) (snd q))
        (fun q => tie_chance y b * (tie_chance x (fst q) * scratch r (snd q))))
        by (intros; unfold both; ring).
      rewrite sum_scaled. ring. }
  rewrite (sum_equal (fun p => tie_chance x (fst p) * scratch mine (snd p))
    (fun p => c * sum (fun q => both (fst q) (fst p) (snd q)) (picks (snd p)))).
  2:{ intros [d q] Hq. cbn [fst snd]. apply picks_rest in Hq.
      rewrite <- (IH q y r) by (assumption || (simpl in L; lia)). unfold average.
      rewrite picks_length. replace (length q) with (length mine) by (simpl in L; lia). fold c.
      rewrite (sum_equal (fun q => both (fst q) d (snd q))
        (fun q => tie_chance x d * (tie_chance y (fst q) * scratch r (snd q))))
        by (intros; unfold both; ring).
      rewrite sum_scaled. ring. }
  rewrite !sum_scaled, (picks_swap yours both). reflexivity.
Qed.

(** ** Duels as sums over the dice *)

Lemma dot_places g : forall x k,
  dot x (map g (seq k (length x))) == sum (fun i => nth i x 0 * g (k + i)%nat) (seq 0 (length x)).
Proof.
  induction x as [|a x IH]; intros k; [reflexivity|].
  cbn [length seq map]. rewrite dot_cons, IH. cbn [sum fold_right nth]. rewrite Nat.add_0_r.
  apply Qplus_comp; [reflexivity|]. rewrite <- seq_shift.
  change (sum (fun i => nth i x 0 * g (S k + i)%nat) (seq 0 (length x)) ==
    sum (fun i => nth i (a :: x) 0 * g (k + i)%nat) (map S (seq 0 (length x)))).
  rewrite sum_map. apply sum_equal. intros i _. cbn [nth]. now rewrite Nat.add_succ_r.
Qed.

Lemma sum_places x : sum (fun i => nth i x 0) (seq 0 (length x)) == sum (fun p => p) x.
Proof.
  induction x as [|a x IH]; [reflexivity|]. cbn [length seq sum fold_right nth].
  apply Qplus_comp; [reflexivity|]. rewrite <- IH, <- seq_shift.
  change (sum (fun i => nth i (a :: x) 0) (map S (seq 0 (length x))) ==
    sum (fun i => nth i x 0) (seq 0 (length x))).
  now rewrite sum_map.
Qed.

Definition at_stage (mine yours : hand) (rest : nat -> nat -> Q) i j : Q :=
  let a := nth i mine [] in let b := nth j yours [] in
  (margin a b # face_pairs a b) + tie_chance a b * rest i j.

Lemma stage_places mine yours rest x y : length x = length mine -> length y = length yours ->
  payoff (stage mine yours rest) x y
  == sum (fun i => nth i x 0 * sum (fun j => nth j y 0 * at_stage mine yours rest i j)
       (seq 0 (length yours))) (seq 0 (length mine)).
Proof.
  intros Lx Ly. unfold payoff, stage. rewrite map_map, <- Lx, dot_places.
  apply sum_equal. intros i _. apply Qmult_comp; [reflexivity|].
  rewrite dot_comm, <- Ly, dot_places. reflexivity.
Qed.

Lemma nth_positive x i : (forall p, In p x -> 0 <= p) -> 0 <= nth i x 0.
Proof.
  intros H. destruct (Nat.lt_ge_cases i (length x)) as [less | more].
  - apply H, nth_In, less.
  - rewrite nth_overflow by assumption. lra.
Qed.

Lemma ties_positive a b : (0 <= ties a b)%Z.
Proof.
  unfold ties, pairs. induction (list_prod a b) as [|[x y] l IH]; cbn [fold_right fst snd]; [lia|].
  destruct (x =? y)%nat; lia.
Qed.

Lemma tie_positive a b : 0 <= tie_chance a b.
Proof. pose proof (ties_positive a b). unfold tie_chance, Qle. cbn [Qnum Qden]. lia. Qed.

Lemma stage_monotone mine yours rest rest' x y :
  mixed (length mine) x -> mixed (length yours) y ->
  (forall i j, (i < length mine)%nat -> (j < length yours)%nat -> rest i j <= rest' i j) ->
  payoff (stage mine yours rest) x y <= payoff (stage mine yours rest') x y.
Proof.
  intros (Lx & Px & _) (Ly & Py & _) H. rewrite !stage_places by assumption.
  apply sum_monotone. intros i Hi. apply in_seq in Hi.
  rewrite !(Qmult_comm (nth i x 0)). apply Qmult_le_compat_r; [|now apply nth_positive].
  apply sum_monotone. intros j Hj. apply in_seq in Hj.
  rewrite !(Qmult_comm (nth j y 0)). apply Qmult_le_compat_r; [|now apply nth_positive].
  unfold at_stage. cbv zeta.
  pose proof (H i j ltac:(lia) ltac:(lia)) as less.
  pose proof (tie_positive (nth i mine []) (nth j yours [])) as positive.
  rewrite !(Qmult_comm (tie_chance _ _)). pose proof (Qmult_le_compat_r _ _ _ less positive). lra.
Qed.

Lemma without_length {X} (l : list X) i : (i < length l)%nat -> S (length (without i l)) = length l.
Proof. intros H. unfold without. rewrite app_length, firstn_length, skipn_length. lia. Qed.

Lemma nonempty {X} (l : list X) n : length l = S n -> l <> [].
Proof. destruct l; discriminate. Qed.

Lemma evenly_legal : legal evenly.
Proof.
  intros h mine yours some. unfold evenly, mixed. rewrite repeat_length. split; [reflexivity|]. split.
  - intros p Hp. apply repeat_spec in Hp as ->. unfold Qle. simpl. lia.
  - assert (forall n q, sum (fun p => p) (repeat q n) == inject_Z (Z.of_nat n) * q) as all.
    { clear. induction n as [|n IH]; intros q; cbn [repeat sum fold_right]; [reflexivity|].
      unfold sum in IH. rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring. }
    rewrite all. destruct mine as [|a mine]; [congruence|]. cbn [length].
    rewrite <- Pos.of_nat_succ. apply (unit_fraction (Pos.of_succ_nat (length mine))).
Qed.

Section Play.
  Variables sigma tau : strategy.
  Hypothesis mine_legal : legal sigma.

  Lemma duel_then_monotone after after' : legal tau -> (forall h, after h <= after' h) ->
    forall n h mine yours, length mine = n -> length yours = n ->
    duel_then after n sigma tau h mine yours <= duel_then after' n sigma tau h mine yours.
  Proof.
    intros legal_too less. induction n as [|n IH]; intros h mine yours Lm Ly; [apply less|].
    cbn [duel_then]. apply stage_monotone.
    - apply mine_legal. now apply nonempty in Lm.
    - apply legal_too. now apply nonempty in Ly.
    - intros i j Hi Hj. apply without_length in Hi, Hj. apply IH; lia.
  Qed.

  Lemma duel_stops n : forall h mine yours,
    duel n sigma tau h mine yours = duel_then (fun _ => 0) n sigma tau h mine yours.
  Proof.
    induction n as [|n IH]; intros h mine yours; [reflexivity|]. cbn [duel duel_then]. f_equal.
    unfold stage. apply map_ext. intros i. apply map_ext. intros j. now rewrite IH.
  Qed.

  Lemma scratch_after c : forall n h mine yours, length mine = n -> length yours = n ->
    duel_then (fun _ => c) n sigma evenly h mine yours
    == duel n sigma evenly h mine yours + scratch mine yours * c.
  Proof.
    induction n as [|n IH]; intros h mine yours Lm Ly.
    - destruct mine; [|discriminate]. cbn [duel_then duel scratch]. ring.
    - cbn [duel_then duel].
      set (later i j := duel_then _ n _ _ _ (without i mine) (without j yours)).
      set (here i j := duel n _ _ _ (without i mine) (without j yours)).
      pose proof (mine_legal h mine yours (nonempty _ _ Lm)) as (Lx & _ & one).
      pose proof (evenly_legal (map (fun m => (snd m, fst m)) h) yours mine (nonempty _ _ Ly))
        as (Le & _ & _).
      rewrite !stage_places by assumption. set (x := sigma h mine yours) in *.
      set (y := evenly _ _ _) in *.
      rewrite (sum_equal _ (fun i =>
        1 * (nth i x 0 * sum (fun j => nth j y 0 * at_stage mine yours here i j)
          (seq 0 (length yours))) + (scratch mine yours * c) * nth i x 0)).
      { rewrite sum_linear, <- Lx, sum_places, one. rewrite Qmult_1_l, Qmult_1_r. reflexivity. }
      intros i Hi. apply in_seq in Hi.
      rewrite <- (scratch_any mine yours (nth i mine []) (without i mine)).
      2:{ lia. }
      2:{ rewrite <- (picks_by_place ([] : die)). apply in_map_iff. exists i.
          split; [reflexivity|]. apply in_seq. lia. }
      unfold average. rewrite picks_length, <- (picks_by_place ([] : die)), sum_map.
      cbn [fst snd]. set (u := 1 # Pos.of_nat (length yours)).
      assert (forall j, In j (seq 0 (length yours)) -> nth j y 0 = u) as same.
      { intros j Hj. apply in_seq in Hj. unfold y, evenly. fold u.
        rewrite (nth_indep _ 0 u) by (rewrite repeat_length; lia). apply nth_repeat. }
      rewrite (sum_equal (fun j => nth j y 0 * at_stage mine yours later i j)
        (fun j => 1 * (nth j y 0 * at_stage mine yours here i j) + (u * c)
          * (tie_chance (nth i mine []) (nth j yours [])
             * scratch (without i mine) (without j yours)))).
      { rewrite sum_linear. ring. }
      intros j Hj. rewrite (same j Hj). apply in_seq in Hj. unfold at_stage, later, here. cbv zeta.
      rewrite IH.
      + ring.
      + pose proof (without_length mine i). lia.
      + pose proof (without_length yours j). lia.
  Qed.
End Play.

(** ** The whole_game game *)

Lemma average_monotone {X} (f g : X -> Q) l : (forall x, In x l -> f x <= g x) ->
  average f l <= average g l.
Proof.
  intros H. apply Qmult_le_compat_r; [now apply sum_monotone | unfold Qle; simpl; lia].
Qed.

Lemma average_linear {X} (f g : X -> Q) c l :
  average (fun x => f x + g x * c) l == average f l + average g l * c.
Proof.
  unfold average. rewrite (sum_equal _ (fun x => 1 * f x + c * g x)) by (intros; ring).
  rewrite sum_linear. ring.
Qed.

(** ** A scratch is not sure *)

Lemma ties_at_most a b : (ties a b <= Zpos (face_pairs a b))%Z.
Proof.
  assert (ties a b <= Z.of_nat (length (list_prod a b)))%Z as H.
  { unfold ties, pairs. induction (list_prod a b) as [|[x y] l IH]; [reflexivity|].
    cbn [fold_right fst snd length]. rewrite Nat2Z.inj_succ. destruct (x =? y)%nat; lia. }
  rewrite prod_length in H. unfold face_pairs. lia.
Qed.

Lemma tie_at_most_one a b : tie_chance a b <= 1.
Proof. pose proof (ties_at_most a b). unfold tie_chance, Qle. cbn [Qnum Qden]. lia. Qed.

Lemma average_constant {X} (l : list X) : l <> [] -> average (fun _ => 1) l == 1.
Proof.
  intros some. unfold average.
  assert (sum (fun _ => 1) l == inject_Z (Z.of_nat (length l))) as ->.
  { clear some. induction l as [|x l IH]; [reflexivity|]. cbn [sum fold_right length].
    unfold sum in IH. rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring. }
  destruct l as [|x l]; [congruence|]. cbn [length]. rewrite <- Pos.of_nat_succ.
  apply (unit_fraction (Pos.of_succ_nat (length l))).
Qed.

Lemma average_positive {X} (f : X -> Q) l : (forall x, In x l -> 0 <= f x) -> 0 <= average f l.
Proof.
  intros H. apply Qle_trans with (average (fun _ => 0) l); [|now apply average_monotone].
  unfold average. rewrite sum_zero by reflexivity. lra.
Qed.

Lemma average_below {X} (f : X -> Q) l : l <> [] -> (forall x, In x l -> f x < 1) ->
  average f l < 1.
Proof.
  intros some H. rewrite <- (average_constant l some).
  apply Qmult_lt_compat_r; [reflexivity|]. revert H.
  induction l as [|x [|y l] IH]; intros H; [congruence | |].
  - pose proof (H x (or_introl eq_refl)). cbn [sum fold_right]. lra.
  - pose proof (H x (or_introl eq_refl)).
    assert (sum f (y :: l) < sum (fun _ => 1) (y :: l)) by (apply IH; [discriminate | firstorder]).
    change (f x + sum f (y :: l) < 1 + sum (fun _ => 1) (y :: l)). lra.
Qed.

Lemma picks_in {X} (l : list X) : forall x r, In (x, r) (picks l) -> In x l.
Proof.
  induction l as [|y l IH]; intros x r; [intros []|]. intros [[= <- <-] | H]; [now left|].
  apply in_map_iff in H as ([z q] & [= <- <-] & H). right. exact (IH _ _ H).
Qed.

Lemma scratch_is_chance : forall mine yours,
  length mine = length yours -> 0 <= scratch mine yours <= 1.
Proof.
  induction mine as [|a mine IH]; intros yours L; [cbn; lra|]. cbn [scratch].
  assert (forall pick, In pick (picks yours) -> 0 <= scratch mine (snd pick) <= 1) as later.
  { intros [b r] H. apply IH. apply picks_rest in H. simpl in *. lia. }
  split.
  - apply average_positive. intros pick H.
    apply Qmult_le_0_compat; [apply tie_positive | now apply later].
  - rewrite <- (average_constant (picks yours)).
    + apply average_monotone. intros pick H. pose proof (later pick H).
      pose proof (tie_positive a (fst pick)). pose proof (tie_at_most_one a (fst pick)). nra.
    + destruct yours; discriminate.
Qed.

Lemma scratch_not_sure mine yours : length mine = length yours -> mine <> [] ->
  (forall a b, In a mine -> In b yours -> tie_chance a b < 1) -> scratch mine yours < 1.
Proof.
  intros L some H. destruct mine as [|a mine]; [congruence|]. cbn [scratch].
  apply average_below; [destruct yours; discriminate|].
  intros [b r] Hp. cbn [fst snd]. pose proof (picks_in _ _ _ Hp) as Hb.
  apply picks_rest in Hp.
  pose proof (scratch_is_chance mine r ltac:(simpl in L; lia)).
  pose proof (tie_positive a b). pose proof (H a b (or_introl eq_refl) Hb). nra.
Qed.

Lemma powers_more q n : sum (power q) (seq 0 (S n)) == 1 + q * sum (power q) (seq 0 n).
Proof.
  cbn [seq]. rewrite <- seq_shift.
  change (1 + sum (power q) (map S (seq 0 n)) == 1 + q * sum (power q) (seq 0 n)).
  rewrite sum_map. apply Qplus_comp; [reflexivity|]. rewrite <- sum_scaled. reflexivity.
Qed.

Lemma powers_sum q n : (1 - q) * sum (power q) (seq 0 n) == 1 - power q n.
Proof.
  induction n as [|n IH]; [cbn; ring|]. rewrite powers_more. cbn [power].
  setoid_replace ((1 - q) * (1 + q * sum (power q) (seq 0 n)))
    with ((1 - q) + q * ((1 - q) * sum (power q) (seq 0 n))) by ring.
  rewrite IH. ring.
Qed.

Theorem scratches : scratches_statement.
Proof.
  split; [|split; [|split]].
  - intros c n sigma h mine yours Hs Lm Ly. now apply scratch_after.
  - intros deals dice best most fits legal_best least attained gain again.
    set (bound n := gain * sum (power again) (seq 0 n)).
    assert (forall n, gain + again * bound n == bound (S n)) as step
      by (intros n; unfold bound; rewrite powers_more; ring).
    assert (forall sigma, legal sigma ->
      forall n h, whole_game deals dice n sigma evenly h <= bound n) as up.
    { intros sigma legal_sigma. induction n as [|n IH]; intros h; [unfold bound; cbn; lra|].
      rewrite <- step. unfold gain, again.
      rewrite <- average_linear. apply average_monotone. intros deal Hd. cbn beta.
      destruct (fits deal Hd) as [Lm Ly].
      apply Qle_trans with (duel_then (fun _ => bound n) dice sigma evenly h (fst deal) (snd deal)).
      - now apply duel_then_monotone; [|exact evenly_legal| | |].
      - rewrite scratch_after by assumption. apply Qplus_le_l. now apply least. }
    assert (forall n h, bound n <= whole_game deals dice n best evenly h) as down.
    { induction n as [|n IH]; intros h; [unfold bound; cbn; lra|].
      rewrite <- step. unfold gain, again.
      rewrite <- average_linear. apply average_monotone. intros deal Hd. cbn beta.
      destruct (fits deal Hd) as [Lm Ly].
      apply Qle_trans with (duel_then (fun _ => bound n) dice best evenly h (fst deal) (snd deal)).
      - rewrite scratch_after, attained by assumption. apply Qle_refl.
      - now apply duel_then_monotone; [|exact evenly_legal| | |]. }
    intros n h. split.
    + intros sigma legal_sigma. apply Qle_trans with (bound n); [now apply up | apply down].
    + rewrite (Qle_antisym _ _ (up best legal_best n h) (down n h)). unfold bound.
      rewrite Qmult_assoc, (Qmult_comm _ gain), <- Qmult_assoc, powers_sum. reflexivity.
  - intros deals dice fits positive some less.
    split.
    + apply average_positive. intros deal Hd. destruct (fits deal Hd) as [Lm Ly].
      apply scratch_is_chance. exact (eq_trans Lm (eq_sym Ly)).
    + apply average_below; [exact some|]. intros deal Hd. destruct (fits deal Hd) as [Lm Ly].
      apply scratch_not_sure; [exact (eq_trans Lm (eq_sym Ly)) | | intros; now apply (less deal)].
      intros none. apply (f_equal (@length die)) in none.
      pose proof (eq_trans (eq_sym Lm) none) as no_dice. cbn in no_dice. lia.
  - intros deals dice v fits sym anti.
    assert (average v deals == 0) as none.
    { assert (sum v deals == 0) as zero.
      { pose proof (sym v) as same.
        rewrite (sum_equal (fun d => v (snd d, fst d)) (fun d => (- (1)) * v d)) in same
          by (intros; rewrite anti; ring).
        rewrite sum_scaled in same. lra. }
      unfold average. rewrite zero. ring. }
    split.
    + intros sigma Hs good. induction n as [|n IH]; intros tau h Ht; [apply Qle_refl|].
      rewrite <- none. cbn [whole_game]. apply average_monotone. intros deal Hd.
      destruct (fits deal Hd) as [Lm Ly].
      apply Qle_trans with (duel dice sigma tau h (fst deal) (snd deal)); [now apply good|].
      rewrite duel_stops. apply duel_then_monotone; try assumption. intros h'. now apply IH.
    + intros tau Ht good. induction n as [|n IH]; intros sigma h Hs; [apply Qle_refl|].
      rewrite <- none. cbn [whole_game]. apply average_monotone. intros deal Hd.
      destruct (fits deal Hd) as [Lm Ly].
      apply Qle_trans with (duel dice sigma tau h (fst deal) (snd deal)); [|now apply good].
      rewrite duel_stops. apply duel_then_monotone; try assumption. intros h'. now apply IH.
Qed.
