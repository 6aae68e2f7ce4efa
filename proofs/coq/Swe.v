(** * The software-engineering game: its process is lawful, and the equation of its value *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Backward.
Import ListNotations.
Open Scope Q_scope.

(** ** Moves keep to the ladder *)

Lemma zeros_of faces : map (fun _ : nat => O) faces = repeat O (length faces).
Proof. induction faces as [|a l IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma length_bump i : forall l, length (bump i l) = length l.
Proof. induction i as [|i IH]; intros [|n l]; simpl; auto. Qed.

Lemma length_drop i : forall l, length (drop i l) = length l.
Proof. induction i as [|i IH]; intros [|n l]; simpl; auto. Qed.

Lemma after_moves_on_ladder faces t t' :
  on_ladder faces t -> In t' (after_moves t) -> on_ladder faces t'.
Proof.
  destruct t as [up down]. unfold on_ladder, after_moves. cbn [revenue legacy]. intros [Hup Hdown].
  destruct (filter _ _) as [|first broken].
  - intros [<- | Hin]; [cbn [revenue legacy]; now rewrite length_bump|].
    apply in_map_iff in Hin as (i & <- & _). cbn [revenue legacy]. now rewrite length_bump,
      length_drop.
  - intros Hin. apply in_map_iff in Hin as (i & <- & _). cbn [revenue legacy].
    now rewrite length_bump, length_drop.
Qed.

Lemma after_moves_some t : after_moves t <> [].
Proof. destruct t as [up down]. unfold after_moves. destruct (filter _ _); discriminate. Qed.

(** ** Rolls are lawful: the binomial theorem *)

Lemma binomial_above n : forall k, (n < k)%nat -> binomial n k = 0%Z.
Proof.
  induction n as [|n IH]; intros [|k] H; try lia; [reflexivity|].
  simpl. rewrite !IH by lia. reflexivity.
Qed.

Lemma binomial_nonnegative n : forall k, (0 <= binomial n k)%Z.
Proof.
  induction n as [|n IH]; intros [|k]; simpl; try lia. pose proof (IH k). pose proof (IH (S k)).
    lia.
Qed.

Lemma binomial_zero n : binomial n 0 = 1%Z.
Proof. destruct n; reflexivity. Qed.

Lemma binomial_theorem x n : forall m, (n <= m)%nat ->
  total_of (fun k => binomial n k * x ^ Z.of_nat k)%Z (seq 0 (S m)) = ((x + 1) ^ Z.of_nat n)%Z.
Proof.
  induction n as [|n IH]; intros m Hm.
  - cbn [seq]. rewrite <- seq_shift. cbn [total_of fold_right].
    fold (total_of (fun k => binomial 0 k * x ^ Z.of_nat k)%Z (map S (seq 0 m))).
    rewrite total_of_map, (total_of_equal _ (fun _ => 0%Z)) by reflexivity.
    change (x ^ Z.of_nat 0)%Z with 1%Z. change ((x + 1) ^ Z.of_nat 0)%Z with 1%Z.
    assert (forall l : list nat, total_of (fun _ => 0%Z) l = 0%Z) as -> by (induction l; auto).
    reflexivity.
  - destruct m as [|m]; [lia|].
    pose proof (IH m) as below. pose proof (IH (S m)) as above.
    specialize (below ltac:(lia)). specialize (above ltac:(lia)).
    rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.mul_add_distr_r by lia.
    rewrite <- below at 1. rewrite <- above.
    replace (seq 0 (S (S m))) with (0 :: map S (seq 0 (S m)))%nat by (rewrite seq_shift;
      reflexivity).
    assert (forall f : nat -> Z, total_of f (0%nat :: map S (seq 0 (S m)))
              = (f 0%nat + total_of (fun k => f (S k)) (seq 0 (S m)))%Z) as head
      by (intros f; rewrite <- (total_of_map f S); reflexivity).
    rewrite !head, !binomial_zero.
    rewrite (total_of_equal _ (fun k => x * (binomial n k * x ^ Z.of_nat k)
                                       + 1 * (binomial n (S k) * x ^ Z.of_nat (S k)))%Z).
    + rewrite total_of_linear. lia.
    + intros k _. cbn [binomial]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Lemma total_weight_is_total {X} (l : list (Z * X)) : total_weight l = total_of fst l.
Proof. reflexivity. Qed.

Lemma total_of_app {X} (f : X -> Z) l m : total_of f (l ++ m) = (total_of f l + total_of f m)%Z.
Proof. induction l; simpl; lia. Qed.

Lemma survivors_kept faces : forall dice w kept, length dice = length faces ->
  In (w, kept) (survivors faces dice) ->
  length kept = length faces /\ Forall2 le kept dice /\
  ((forall f, In f faces -> (1 <= f)%nat) -> (0 <= w)%Z).
Proof.
  induction faces as [|f faces IH]; intros [|n dice] w kept L H; try discriminate.
  - destruct H as [[= <- <-] | []]. repeat split; [constructor | lia].
  - cbn [survivors] in H. apply in_flat_map in H as (k & Hk & H). apply in_seq in Hk.
    apply in_map_iff in H as ([w' kept'] & [= <- <-] & H).
    destruct (IH dice w' kept') as (L' & most & positive); [now injection L | exact H|].
    repeat split.
    + simpl. congruence.
    + constructor; [lia | exact most].
    + intros each. cbn [fst]. apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg|].
      * apply binomial_nonnegative.
      * apply Z.pow_nonneg. specialize (each f (or_introl eq_refl)). lia.
      * apply positive. intros g Hg. apply each. now right.
Qed.

Lemma survivors_whole faces : (forall f, In f faces -> (1 <= f)%nat) -> forall dice,
  total_weight (survivors faces dice) = Zpos (all_ways faces dice).
Proof.
  induction faces as [|f faces IH]; intros each [|n dice]; try reflexivity.
  cbn [survivors all_ways]. rewrite Pos2Z.inj_mul, <- (IH (fun g Hg => each g (or_intror Hg)) dice).
  rewrite Z2Pos.id by (apply Z.pow_pos_nonneg; [specialize (each f (or_introl eq_refl)) |]; lia).
  pose proof (binomial_theorem (Z.of_nat f - 1) n n (le_n n)) as B.
  replace (Z.of_nat f - 1 + 1)%Z with (Z.of_nat f) in B by lia. rewrite <- B.
  clear B. generalize (survivors faces dice). intros rest.
  induction (seq 0 (S n)) as [|k l IHl]; [reflexivity|].
  cbn [flat_map]. rewrite total_weight_is_total, total_of_app, total_of_map.
  rewrite <- total_weight_is_total, IHl. cbn [total_of fold_right].
  fold (total_of (fun k => binomial n k * (Z.of_nat f - 1) ^ Z.of_nat k)%Z l).
  rewrite Z.mul_add_distr_r. f_equal. cbn [fst].
  rewrite (total_of_equal _ (fun x => (binomial n k * (Z.of_nat f - 1) ^ Z.of_nat k) * fst x
                                     + 0 * fst x)%Z) by (intros; ring).
  rewrite total_of_linear, total_weight_is_total. ring.
Qed.

Lemma length_fallen : forall dice kept down, length kept = length dice ->
  length down = length dice ->
  length (fallen dice kept down) = length dice.
Proof.
  induction dice as [|n dice IH]; intros [|k kept] [|o down]; simpl; try discriminate; auto.
Qed.

Lemma after_roll_on_ladder faces t w kept : on_ladder faces t ->
  In (w, kept) (survivors faces (revenue t)) -> on_ladder faces (after_roll t kept).
Proof.
  intros [Hup Hdown] H. apply survivors_kept in H as (L & _); [|exact Hup].
  split; [exact L|]. cbn [after_roll legacy]. rewrite length_fallen; congruence.
Qed.

(** ** Every outcome has a positive weight *)

Lemma binomial_positive n : forall k, (k <= n)%nat -> (0 < binomial n k)%Z.
Proof.
  induction n as [|n IH]; intros [|k] H; simpl; try lia.
  specialize (IH k ltac:(lia)). pose proof (binomial_nonnegative n (S k)). lia.
Qed.

Lemma every_outcome faces : (forall f, In f faces -> (2 <= f)%nat) -> forall dice kept,
  length dice = length faces -> Forall2 le kept dice ->
  exists w, (0 < w)%Z /\ In (w, kept) (survivors faces dice).
Proof.
  induction faces as [|f faces IH]; intros two [|n dice] kept L most; try discriminate;
    inversion most as [|k n' rest dice' Hk Hrest]; subst.
  - exists 1%Z. split; [lia | now left].
  - destruct (IH (fun g Hg => two g (or_intror Hg)) dice rest) as (w & Hw & Hin);
      [now injection L | exact Hrest |].
    pose proof (two f (or_introl eq_refl)).
    exists (binomial n k * (Z.of_nat f - 1) ^ Z.of_nat k * w)%Z. split.
    + apply Z.mul_pos_pos; [apply Z.mul_pos_pos|exact Hw];
        [apply binomial_positive; exact Hk | apply Z.pow_pos_nonneg; lia].
    + cbn [survivors]. apply in_flat_map. exists k. split; [apply in_seq; lia|].
      apply in_map_iff. exists (w, rest). split; [reflexivity | exact Hin].
Qed.

(** ** The process is closed on the ladder *)

Definition swe_inside (faces : list nat) (s : swe_state) : Prop :=
  match s with Playing _ t _ => on_ladder faces t | Finished => True end.

Lemma swe_closed faces : ladder faces -> closed (swe faces) (swe_inside faces).
Proof.
  intros [_ two] [[|rounds] t score|] c Hs Hc; [| |contradiction].
  - destruct Hc as [<- | []]. repeat split; [intros w t' [[= <- <-] | []];
      lia | intros w t' [[= <- <-] | []]; exact I].
  - cbn [swe] in Hc. apply in_map_iff in Hc as (t' & <- & Ht').
    pose proof (after_moves_on_ladder faces t t' Hs Ht') as H'.
    assert (forall f, In f faces -> (1 <= f)%nat) as one by (intros f Hf; specialize (two f Hf);
      lia).
    split; [split|]; cbn [rolling moves denominator].
    + intros w u Hin. apply in_map_iff in Hin as ([w' kept] & [= <- <-] & Hin).
      now apply (survivors_kept faces (revenue t') w' kept (proj1 H') Hin).
    + rewrite total_weight_is_total, total_of_map. rewrite <- (survivors_whole faces one).
      reflexivity.
    + intros w u Hin. apply in_map_iff in Hin as ([w' kept] & [= <- <-] & Hin).
      eapply after_roll_on_ladder; eassumption.
Qed.

(** ** The equation of the value *)

Lemma swe_value_end faces t score : swe_value faces 0 t score == inject_Z (Z.of_nat score).
Proof. unfold swe_value, worth, mean. cbn. unfold worth, mean. cbn. unfold Qeq. simpl. lia. Qed.

(** What a move is worth, that leads to the table [t'] before the roll. *)

Definition swe_worth (faces : list nat) (rounds : nat) (t' : table) (score : nat) : Q :=
  sum (fun wk => inject_Z (fst wk)
         * swe_value faces rounds (after_roll t' (snd wk)) (score_after score (snd wk)))
      (survivors faces (revenue t')) * (1 # all_ways faces (revenue t')).

Lemma highest_equal {X} (f g : X -> Q) l : (forall x, In x l -> f x == g x) ->
  highest (map f l) == highest (map g l).
Proof.
  intros H. destruct l as [|x l]; [reflexivity|].
  assert (forall f g : X -> Q, (forall y, In y (x :: l) -> f y == g y) ->
    highest (map f (x :: l)) <= highest (map g (x :: l))) as half.
  { clear. intros f g H.
    assert (In (highest (map f (x :: l))) (map f (x :: l))) as Hin by (apply highest_in;
      discriminate).
    apply in_map_iff in Hin as (y & <- & Hy). rewrite (H y Hy). apply highest_is_upper.
    exact (in_map g _ _ Hy). }
  apply Qle_antisym; apply half; [exact H|]. intros y Hy. symmetry. exact (H y Hy).
Qed.

Lemma swe_value_step faces rounds t score :
  swe_value faces (S rounds) t score
  == highest (map (fun t' => swe_worth faces rounds t' score) (after_moves t)).
Proof.
  unfold swe_value. remember (S rounds) as n. cbn [best]. subst n. cbn [swe]. rewrite map_map.
  apply highest_equal. intros t' _. unfold worth, mean, swe_worth. cbn [rolling reward denominator moves].
  rewrite sum_map. cbn [fst snd]. setoid_replace (0 # all_ways faces (revenue t')) with 0
    by reflexivity.
  rewrite Qplus_0_l. reflexivity.
Qed.
