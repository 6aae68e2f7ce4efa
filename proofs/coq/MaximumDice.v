(** * Maximum dice, up to 30 units a side

    In the table of integers each round of the most dice against any is worth at least the value to
    the attacker, and each round of any against the most at most that. Soundness of Bellman's
    inequalities does the rest; a battle is over within [a + d + 1] choices. *)

From Coq Require Import List ZArith QArith Bool Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Risk RiskScaled Monotone.
Import ListNotations.
Open Scope Q_scope.

(** ** A saddle point in every state *)

Definition saddle (n : nat) (t : list (list Z)) : bool :=
  everywhere n (fun a d =>
    forallb (fun j => cell t (S a) (S d) <=? cell_after t (S a) (S d) (min (S a) 3) j)%Z
      (seq 1 (min (S d) 2))
    && forallb (fun i => cell_after t (S a) (S d) i (min (S d) 2) <=? cell t (S a) (S d))%Z
      (seq 1 (min (S a) 3))).

Lemma table_accepted : let t := scaled_table 30 in solves 30 t && saddle 29 t = true.
Proof. vm_compute. reflexivity. Qed.

Lemma scaled_comparison x y n a b : inject_Z a == x * scale n -> inject_Z b == y * scale n ->
  (a <= b)%Z -> x <= y.
Proof.
  intros Ha Hb H. rewrite Zle_Qle, Ha, Hb in H. pose proof (scale_positive n).
  apply Qmult_le_r in H; assumption.
Qed.

Lemma saddle_point a d : (1 <= a <= 30)%nat -> (1 <= d <= 30)%nat ->
  (forall j, (1 <= j <= min d 2)%nat -> win a d <= after_round win a d (min a 3) j) /\
  (forall i, (1 <= i <= min a 3)%nat -> after_round win a d i (min d 2) <= win a d).
Proof.
  intros Ha Hd. pose proof table_accepted as H. cbv zeta in H.
  revert H. generalize (scaled_table 30). intros t H. apply andb_true_iff in H as [solved H].
  pose proof (everywhere_means 29 _ H (a - 1) (d - 1)) as S. specialize (S ltac:(lia) ltac:(lia)).
  cbv beta in S. replace (Datatypes.S (a - 1)) with a in S
    by lia. replace (Datatypes.S (d - 1)) with d in S by lia.
  apply andb_true_iff in S as [attack defence]. rewrite forallb_forall in attack, defence.
  split; intros k Hk.
  - apply scaled_comparison with (a + d)%nat (cell t a d) (cell_after t a d (min a 3) k).
    + apply (cell_is_product 30 t solved); lia.
    + apply (after_is_product 30 t solved); lia.
    + apply Z.leb_le, attack, in_seq. lia.
  - apply scaled_comparison with (a + d)%nat (cell_after t a d k (min d 2)) (cell t a d).
    + apply (after_is_product 30 t solved); lia.
    + apply (cell_is_product 30 t solved); lia.
    + apply Z.leb_le, defence, in_seq. lia.
Qed.

(** ** The process *)

Definition within (s : battle) : Prop :=
  match s with Over => True | Fight a d => (a <= 30)%nat /\ (d <= 30)%nat end.

Definition chance_of (s : battle) : Q := match s with Over => 0 | Fight a d => win a d end.

Lemma fight_choices a d c : (1 <= a)%nat -> (1 <= d)%nat -> In c (risk (Fight a d)) ->
  exists i j, (1 <= i <= min a 3)%nat /\ (1 <= j <= min d 2)%nat /\ c = round a d i j.
Proof.
  intros Ha Hd H. destruct a as [|a], d as [|d]; try lia. cbv beta iota delta [risk] in H.
  apply in_map_iff in H as ([i j] & <- & Hij). apply in_prod_iff in Hij as [Hi Hj].
  apply in_seq in Hi, Hj. exists i, j. repeat split; lia.
Qed.

Lemma round_moves a d i j w t : In (w, t) (moves (round a d i j)) ->
  exists k, (k <= min i j)%nat /\ w = lost 6 i j k /\ t = Fight (a - k) (d - (min i j - k)).
Proof.
  intros H. apply in_map_iff in H as (k & [= <- <-] & Hk). apply in_seq in Hk.
  exists k. repeat split. lia.
Qed.

Lemma round_lawful a d i j : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> lawful (round a d i j).
Proof.
  intros Hi Hj. split.
  - intros w t H. apply round_moves in H as (k & Hk & -> & _). unfold lost.
    induction (list_prod _ _) as [|x l IH]; simpl; [lia|]. destruct (_ =? _)%nat; lia.
  - unfold round, moves, denominator.
    assert (forall l, total_weight (map (fun k => (lost 6 i j k,
      Fight (a - k) (d - (min i j - k)))) l)
                      = total_of (lost 6 i j) l) as ->
      by (induction l as [|k l IH]; simpl; congruence).
    assert (total_of (lost 6 i j) (seq 0 (S (min i j))) = total_of (lost_of i j) (seq 0 (S (min i
      j))))
      as ->.
    { assert (forall k, In k (seq 0 (S (min i j))) -> lost 6 i j k = lost_of i j k) as H
        by (intros k Hk; apply in_seq in Hk; apply lost_enumerated; lia).
      induction (seq 0 (S (min i j))) as [|k l IH]; [reflexivity|]. simpl.
      rewrite H by now left. rewrite IH by (intros; apply H; now right). reflexivity. }
    destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|j]]]; try lia; reflexivity.
Qed.

Lemma risk_closed : closed risk within.
Proof.
  intros [a d|] c Hs Hc; [|contradiction]. destruct Hs as [Ha Hd].
  destruct d as [|d]; [|destruct a as [|a]; [contradiction|]].
  - destruct Hc as [<- | []]. split.
    + split; [|reflexivity]. intros w t [[= <- <-] | []]. lia.
    + intros w t [[= <- <-] | []]. exact I.
  - apply fight_choices in Hc as (i & j & Hi & Hj & ->); [|lia..]. split.
    + apply round_lawful; lia.
    + intros w t H. apply round_moves in H as (k & _ & _ & ->). split; lia.
Qed.

Lemma risk_vanishes : vanishes risk within chance_of.
Proof.
  intros [a [|d]|] _ H; [discriminate | | reflexivity].
  destruct a as [|a]; [apply Qeq_refl | discriminate].
Qed.

Lemma round_worth a d i j : worth (round a d i j) chance_of == after_round win a d i j.
Proof.
  unfold worth, mean, round, after_round, reward, moves, denominator.
  rewrite sum_map, Qmult_comm, <- sum_scaled.
  setoid_replace (0 # all_rolls i j) with 0 by reflexivity. rewrite Qplus_0_l.
  apply sum_equal. intros k _. unfold chance. cbn [fst snd chance_of].
  assert (lost 6 i j k # all_rolls i j == (1 # all_rolls i j) * inject_Z (lost 6 i j k)) as ->
    by (unfold Qeq, Qmult, inject_Z; cbn [Qnum Qden]; rewrite Pos.mul_1_r; ring).
  ring.
Qed.

Lemma won_worth : worth (Choice 1 1 [(1%Z, Over)]) chance_of == 1.
Proof. reflexivity. Qed.

(** Each choice lowers the number of units, and the last one ends the battle. *)

Definition units (s : battle) : nat := match s with Over => 0 | Fight a d => S (a + d) end.

Lemma battle_is_over pi : forall n h s, within s -> (units s <= n)%nat -> alive risk pi n h s == 0.
Proof.
  induction n as [|n IH]; intros h s Hs Hn.
  - destruct s; [simpl in Hn; lia | reflexivity].
  - simpl. destruct (taken _ _) as [c|] eqn:E; [|reflexivity]. apply taken_in in E.
    destruct (risk_closed s c Hs E) as [law goes].
    rewrite <- (mean_constant c 0 law). apply mean_equal. intros w t Hin.
    apply IH; [exact (goes w t Hin)|].
    destruct s as [a d|]; [|contradiction].
    destruct d as [|d]; [|destruct a as [|a]; [contradiction|]].
    + destruct E as [<- | []]. destruct Hin as [[= <- <-] | []]. simpl. lia.
    + apply fight_choices in E as (i & j & Hi & Hj & ->); [|lia..].
      apply round_moves in Hin as (k & Hk & _ & ->). cbn [units] in *. lia.
Qed.

Lemma some_injective {X} (x y : X) : Some x = Some y -> x = y.
Proof. congruence. Qed.

Theorem maximum_dice : maximum_dice_statement.
Proof.
  intros a d Ha Hd. assert (within (Fight a d)) as Hs by (split; assumption). split.
  - intros pi n h most Hn.
    assert (chance_of (Fight a d) - 1 * alive risk pi n h (Fight a d) <= total risk pi n h (Fight a
      d))
      as H.
    { apply lower_bound with (inside := within);
        [exact risk_closed | exact risk_vanishes | | lra | | exact Hs].
      - intros h' [x y|] c Hin E; [destruct Hin as [Hx Hy] | discriminate].
        destruct y as [|y]; [|destruct x as [|x]; [discriminate|]].
        + apply taken_in in E. destruct E as [<- | []].
          rewrite won_worth. simpl. rewrite win_no_defender. lra.
        + destruct (most h' (S x) (S y)) as (j & Hj & E'); [lia..|]. rewrite E' in E.
          apply some_injective in E. subst c. rewrite round_worth.
          cbn [chance_of]. apply (proj1 (saddle_point (S x) (S y) ltac:(lia) ltac:(lia))). exact Hj.
      - intros [x y|] _; simpl; [apply chance_to_win | lra]. }
    rewrite battle_is_over in H by (assumption || simpl; lia). simpl chance_of in H. lra.
  - intros pi n h most.
    assert (total risk pi n h (Fight a d) <= chance_of (Fight a d) + 0 * alive risk pi n h (Fight a
      d))
      as H.
    { apply upper_bound with (inside := within);
        [exact risk_closed | exact risk_vanishes | | lra | | exact Hs].
      - intros h' [x y|] c Hin E; [destruct Hin as [Hx Hy] | discriminate].
        destruct y as [|y]; [|destruct x as [|x]; [discriminate|]].
        + apply taken_in in E. destruct E as [<- | []].
          rewrite won_worth. simpl. rewrite win_no_defender. lra.
        + destruct (most h' (S x) (S y)) as (i & Hi & E'); [lia..|]. rewrite E' in E.
          apply some_injective in E. subst c. rewrite round_worth.
          cbn [chance_of]. apply (proj2 (saddle_point (S x) (S y) ltac:(lia) ltac:(lia))). exact Hi.
      - intros [x y|] _; simpl; [pose proof (chance_to_win x y); lra | lra]. }
    simpl chance_of in H. lra.
Qed.
