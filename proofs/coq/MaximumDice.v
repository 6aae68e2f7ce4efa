(** * Maximum dice, for all armies

    Each round of the most dice against any is worth at least the value to the attacker, and each round
    of any against the most at most that (Saddle.v). Soundness of Bellman's inequalities does the rest;
    a battle is over within [a + d + 1] choices. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Risk Monotone Saddle.
Import ListNotations.
Open Scope Q_scope.

(** ** The process *)

Definition within (s : battle) : Prop := True.

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
  intros [a d|] c _ Hc; [|contradiction].
  destruct d as [|d]; [|destruct a as [|a]; [contradiction|]].
  - destruct Hc as [<- | []]. split.
    + split; [|reflexivity]. intros w t [[= <- <-] | []]. lia.
    + intros w t [[= <- <-] | []]. exact I.
  - apply fight_choices in Hc as (i & j & Hi & Hj & ->); [|lia..]. split.
    + apply round_lawful; lia.
    + intros; exact I.
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
  intros a d. assert (within (Fight a d)) as Hs by exact I. split; [|split].
  - intros pi n h most Hn.
    assert (chance_of (Fight a d) - 1 * alive risk pi n h (Fight a d) <= total risk pi n h (Fight a
      d))
      as H.
    { apply lower_bound with (inside := within);
        [exact risk_closed | exact risk_vanishes | | lra | | exact Hs].
      - intros h' [x y|] c Hin E; [|discriminate].
        destruct y as [|y]; [|destruct x as [|x]; [discriminate|]].
        + apply taken_in in E. destruct E as [<- | []].
          rewrite won_worth. simpl. rewrite win_no_defender. lra.
        + destruct (most h' (S x) (S y)) as (j & Hj & E'); [lia..|]. rewrite E' in E.
          apply some_injective in E. subst c. rewrite round_worth.
          cbn [chance_of]. rewrite (win_equation (S x) (S y)) by lia.
          apply best_defence; lia.
      - intros [x y|] _; simpl; [apply chance_to_win | lra]. }
    rewrite battle_is_over in H by (assumption || simpl; lia). simpl chance_of in H. lra.
  - intros pi n h most.
    assert (total risk pi n h (Fight a d) <= chance_of (Fight a d) + 0 * alive risk pi n h (Fight a
      d))
      as H.
    { apply upper_bound with (inside := within);
        [exact risk_closed | exact risk_vanishes | | lra | | exact Hs].
      - intros h' [x y|] c Hin E; [|discriminate].
        destruct y as [|y]; [|destruct x as [|x]; [discriminate|]].
        + apply taken_in in E. destruct E as [<- | []].
          rewrite won_worth. simpl. rewrite win_no_defender. lra.
        + destruct (most h' (S x) (S y)) as (i & Hi & E'); [lia..|]. rewrite E' in E.
          apply some_injective in E. subst c. rewrite round_worth.
          cbn [chance_of]. apply best_attack; lia.
      - intros [x y|] _; simpl; [pose proof (chance_to_win x y); lra | lra]. }
    simpl chance_of in H. lra.
  - intros i j Hi Hj. split; [apply best_defence; lia | apply best_attack; lia].
Qed.
