(** * Maximum dice, for all armies and any number of sides

    Each round of the most dice against any is worth at least the value to the attacker, and each round
    of any against the most at most that (Saddle.v). Soundness of Bellman's inequalities does the rest;
    a battle is over within [a + d + 1] choices. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness AnySides Risk Monotone Saddle.
Import ListNotations.
Open Scope Q_scope.

(** ** The process *)

Definition within (b : battle) : Prop := True.

Lemma some_injective {X} (x y : X) : Some x = Some y -> x = y.
Proof. congruence. Qed.

Section Sides.
Variable s : nat.
Hypothesis sided : (1 <= s)%nat.

Definition chance_of (b : battle) : Q := match b with Over => 0 | Fight a d => win s a d end.

Lemma fight_choices a d c : (1 <= a)%nat -> (1 <= d)%nat -> In c (risk s (Fight a d)) ->
  exists i j, (1 <= i <= min a 3)%nat /\ (1 <= j <= min d 2)%nat /\ c = round s a d i j.
Proof.
  intros Ha Hd H. destruct a as [|a], d as [|d]; try lia. cbv beta iota delta [risk] in H.
  apply in_map_iff in H as ([i j] & <- & Hij). apply in_prod_iff in Hij as [Hi Hj].
  apply in_seq in Hi, Hj. exists i, j. repeat split; lia.
Qed.

Lemma round_moves a d i j w t : In (w, t) (moves (round s a d i j)) ->
  exists k, (k <= min i j)%nat /\ w = lost s i j k /\ t = Fight (a - k) (d - (min i j - k)).
Proof.
  intros H. apply in_map_iff in H as (k & [= <- <-] & Hk). apply in_seq in Hk.
  exists k. repeat split. lia.
Qed.

Lemma round_lawful a d i j : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> lawful (round s a d i j).
Proof.
  intros Hi Hj. split.
  - intros w t H. apply round_moves in H as (k & _ & -> & _). apply lost_positive.
  - unfold round, moves, denominator. rewrite all_rolls_power, <- lost_sum by lia.
    induction (seq 0 (S (min i j))) as [|k l IH]; simpl; congruence.
Qed.

Lemma risk_closed : closed (risk s) within.
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

Lemma risk_vanishes : vanishes (risk s) within chance_of.
Proof.
  intros [a [|d]|] _ H; [discriminate | | reflexivity].
  destruct a as [|a]; [apply Qeq_refl | discriminate].
Qed.

Lemma round_worth a d i j : worth (round s a d i j) chance_of == after_round s (win s) a d i j.
Proof.
  unfold worth, mean, round, after_round, reward, moves, denominator.
  rewrite sum_map, Qmult_comm, <- sum_scaled.
  setoid_replace (0 # all_rolls s i j) with 0 by reflexivity. rewrite Qplus_0_l.
  apply sum_equal. intros k _. unfold chance. cbn [fst snd chance_of].
  rewrite (fraction (lost s i j k)). ring.
Qed.

Lemma won_worth : worth (Choice 1 1 [(1%Z, Over)]) chance_of == 1.
Proof. reflexivity. Qed.

(** Each choice lowers the number of units, and the last one ends the battle. *)

Definition units (b : battle) : nat := match b with Over => 0 | Fight a d => S (a + d) end.

Lemma battle_is_over pi : forall n h b, within b -> (units b <= n)%nat ->
  alive (risk s) pi n h b == 0.
Proof.
  induction n as [|n IH]; intros h b Hb Hn.
  - destruct b; [simpl in Hn; lia | reflexivity].
  - simpl. destruct (taken _ _) as [c|] eqn:E; [|reflexivity]. apply taken_in in E.
    destruct (risk_closed b c Hb E) as [law goes].
    rewrite <- (mean_constant c 0 law). apply mean_equal. intros w t Hin.
    apply IH; [exact (goes w t Hin)|].
    destruct b as [a d|]; [|contradiction].
    destruct d as [|d]; [|destruct a as [|a]; [contradiction|]].
    + destruct E as [<- | []]. destruct Hin as [[= <- <-] | []]. simpl. lia.
    + apply fight_choices in E as (i & j & Hi & Hj & ->); [|lia..].
      apply round_moves in Hin as (k & Hk & _ & ->). cbn [units] in *. lia.
Qed.

End Sides.

Theorem maximum_dice : maximum_dice_statement.
Proof.
  intros s a d sided. assert (within (Fight a d)) as Hs by exact I. split; [|split].
  - intros pi n h most Hn.
    assert (chance_of s (Fight a d) - 1 * alive (risk s) pi n h (Fight a d)
            <= total (risk s) pi n h (Fight a d)) as H.
    { apply lower_bound with (inside := within);
        [exact (risk_closed s sided) | exact (risk_vanishes s) | | lra | | exact Hs].
      - intros h' [x y|] c Hin E; [|discriminate].
        destruct y as [|y]; [|destruct x as [|x]; [discriminate|]].
        + apply taken_in in E. destruct E as [<- | []].
          rewrite won_worth. simpl. rewrite win_no_defender. lra.
        + destruct (most h' (S x) (S y)) as (j & Hj & E'); [lia..|]. rewrite E' in E.
          apply some_injective in E. subst c. rewrite round_worth.
          cbn [chance_of]. rewrite (win_equation s (S x) (S y)) by lia.
          apply best_defence; lia.
      - intros [x y|] _; simpl; [now apply chance_to_win | lra]. }
    rewrite battle_is_over in H by (assumption || simpl; lia). simpl chance_of in H. lra.
  - intros pi n h most.
    assert (total (risk s) pi n h (Fight a d)
            <= chance_of s (Fight a d) + 0 * alive (risk s) pi n h (Fight a d)) as H.
    { apply upper_bound with (inside := within);
        [exact (risk_closed s sided) | exact (risk_vanishes s) | | lra | | exact Hs].
      - intros h' [x y|] c Hin E; [|discriminate].
        destruct y as [|y]; [|destruct x as [|x]; [discriminate|]].
        + apply taken_in in E. destruct E as [<- | []].
          rewrite won_worth. simpl. rewrite win_no_defender. lra.
        + destruct (most h' (S x) (S y)) as (i & Hi & E'); [lia..|]. rewrite E' in E.
          apply some_injective in E. subst c. rewrite round_worth.
          cbn [chance_of]. apply best_attack; lia.
      - intros [x y|] _; simpl; [pose proof (chance_to_win s x y sided); lra | lra]. }
    simpl chance_of in H. lra.
  - intros i j Hi Hj. split; [apply best_defence; lia | apply best_attack; lia].
Qed.
