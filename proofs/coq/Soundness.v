(** * Soundness of Bellman's inequalities

    Both bounds go by induction on the number of choices: the reward of one step and what is to
    come after it is at most the value, by [below], and the mean of [M * alive] after a step is
    [M * alive] before it. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums.
Import ListNotations.
Open Scope Q_scope.

Lemma taken_in {state} (choices : list (choice state)) i c : taken choices i = Some c ->
  In c choices.
Proof.
  unfold taken. destruct choices as [|first others]; [discriminate|]. intros E.
  assert (c = nth i (first :: others) first) as -> by congruence.
  destruct (nth_in_or_default i (first :: others) first) as [H | ->]; [exact H | now left].
Qed.

Lemma taken_none {state} (choices : list (choice state)) i : taken choices i = None -> choices = [].
Proof. destruct choices; [reflexivity | discriminate]. Qed.

Section Process.
  Context {state : Type} (p : process state) (inside : state -> Prop) (pi : policy state).
  Hypothesis is_closed : closed p inside.

  Lemma alive_is_chance n : forall h s, inside s -> 0 <= alive p pi n h s <= 1.
  Proof.
    induction n as [|n IH]; intros h s Hs; simpl; destruct (taken _ _) as [c|] eqn:E; try lra.
    apply taken_in in E. destruct (is_closed s c Hs E) as [lawful goes].
    rewrite <- (mean_constant c 0 lawful) at 1. rewrite <- (mean_constant c 1 lawful).
    split; apply mean_monotone; try assumption; intros w t Hin; apply IH; eauto.
  Qed.

  Lemma upper v M :
    vanishes p inside v -> below p inside v pi ->
    0 <= M -> (forall s, inside s -> - M <= v s) ->
    forall n h s, inside s -> total p pi n h s <= v s + M * alive p pi n h s.
  Proof.
    intros ends falls HM low n. induction n as [|n IH]; intros h s Hs; simpl;
      destruct (taken _ _) as [c|] eqn:E.
    - specialize (low s Hs). lra.
    - rewrite (ends s Hs (taken_none _ _ E)). lra.
    - pose proof (falls h s c Hs E) as step. apply taken_in in E.
      destruct (is_closed s c Hs E) as [lawful goes]. unfold worth in *.
      assert (mean c (total p pi n (s :: h))
              <= mean c (fun t => 1 * v t + M * alive p pi n (s :: h) t)) as H.
      { apply mean_monotone; [exact lawful|]. intros w t Hin.
        specialize (IH (s :: h) t (goes w t Hin)). lra. }
      rewrite mean_linear in H. lra.
    - rewrite (ends s Hs (taken_none _ _ E)). lra.
  Qed.

  Lemma lower v M :
    vanishes p inside v -> above p inside v pi ->
    0 <= M -> (forall s, inside s -> v s <= M) ->
    forall n h s, inside s -> v s - M * alive p pi n h s <= total p pi n h s.
  Proof.
    intros ends rises HM high n. induction n as [|n IH]; intros h s Hs; simpl;
      destruct (taken _ _) as [c|] eqn:E.
    - specialize (high s Hs). lra.
    - rewrite (ends s Hs (taken_none _ _ E)). lra.
    - pose proof (rises h s c Hs E) as step. apply taken_in in E.
      destruct (is_closed s c Hs E) as [lawful goes]. unfold worth in *.
      assert (mean c (fun t => 1 * v t + - M * alive p pi n (s :: h) t)
              <= mean c (total p pi n (s :: h))) as H.
      { apply mean_monotone; [exact lawful|]. intros w t Hin.
        specialize (IH (s :: h) t (goes w t Hin)). lra. }
      rewrite mean_linear in H. lra.
    - rewrite (ends s Hs (taken_none _ _ E)). lra.
  Qed.

  (** ** Play ends *)

  Section Ranks.
    Context (rank : state -> nat) (k : nat) (D : positive).
    Hypothesis falls : lowers p inside rank pi.
    Hypothesis ranks : forall s, inside s -> (rank s <= k)%nat.
    Hypothesis bounded : forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive.

    (** One move to [t] of weight at least 1 lowers the mean of [f <= 1] by its share. *)

    Lemma mean_with_one_lower (c : choice state) (f : state -> Q) w t gap :
      lawful c -> (denominator c <= D)%positive -> In (w, t) (moves c) -> (0 < w)%Z ->
      0 <= gap -> (forall w u, In (w, u) (moves c) -> f u <= 1) -> f t <= 1 - gap ->
      mean c f <= 1 - (1 # D) * gap.
    Proof.
      intros [positive whole] small Hin Hw Hgap ones Ht. unfold mean.
      assert (sum (fun move => inject_Z (fst move) * f (snd move)) (moves c)
              <= inject_Z (total_weight (moves c)) - gap) as H.
      { clear whole. induction (moves c) as [|[x u] l IH]; [contradiction|].
        cbn [sum fold_right total_weight fst snd]. fold (total_weight l).
        fold (sum (fun move => inject_Z (fst move) * f (snd move)) l).
        rewrite inject_Z_plus.
        assert (0 <= inject_Z x) by (rewrite <- (Zle_Qle 0); apply (positive x u); now left).
        assert (inject_Z x * f u <= inject_Z x)
          by (pose proof (ones x u (or_introl eq_refl)); nra).
        destruct Hin as [[= -> ->] | Hin].
        - assert (1 <= inject_Z w) by (rewrite <- (Zle_Qle 1); lia).
          assert (sum (fun move => inject_Z (fst move) * f (snd move)) l
                  <= inject_Z (total_weight l)).
          { rewrite <- sum_weights. apply sum_monotone. intros [y a] Hy. cbn.
            assert (0 <= inject_Z y) by (rewrite <- (Zle_Qle 0); apply (positive y a); now right).
            pose proof (ones y a (or_intror Hy)). nra. }
          nra.
        - specialize (IH (fun w u H => positive w u (or_intror H)) Hin
                         (fun w u H => ones w u (or_intror H))). lra. }
      rewrite whole in H.
      assert (inject_Z (Zpos (denominator c)) * (1 # denominator c) == 1)
        by (unfold Qeq; simpl; lia).
      assert (1 # D <= 1 # denominator c) by (unfold Qle; simpl; lia).
      pose proof (unit_positive c). nra.
    Qed.

    Lemma ends_within r : forall h s, inside s -> (rank s <= r)%nat ->
      alive p pi r h s <= 1 - power (1 # D) r.
    Proof.
      induction r as [|r IH]; intros h s Hs Hr; simpl; destruct (taken _ _) as [c|] eqn:E.
      - destruct (falls h s c Hs E) as (w & t & _ & _ & H). lia.
      - lra.
      - destruct (falls h s c Hs E) as (w & t & Hin & Hw & Ht). apply taken_in in E.
        destruct (is_closed s c Hs E) as [law goes].
        apply mean_with_one_lower with (w := w) (t := t); eauto.
        + apply power_nonnegative. discriminate.
        + intros x u Hu. apply alive_is_chance; eauto.
        + apply IH; [eauto | lia].
      - pose proof (power_at_most_one (1 # D) (S r)) as H. simpl in H.
        assert (0 <= 1 # D <= 1) as unit by (unfold Qle; simpl; lia). specialize (H unit). lra.
    Qed.

    (** If play survives [r] choices with chance at most [b] from everywhere, it survives [r] more
        after any [m] with at most [b] times the chance of those. *)

    Lemma alive_later r b : (forall h s, inside s -> alive p pi r h s <= b) ->
      forall m h s, inside s -> alive p pi (m + r) h s <= b * alive p pi m h s.
    Proof.
      intros H. induction m as [|m IH]; intros h s Hs.
      - simpl. destruct (taken _ _) as [c|] eqn:E; [specialize (H h s Hs); lra|].
        destruct r; simpl; rewrite E; lra.
      - simpl. destruct (taken _ _) as [c|] eqn:E; [|lra]. apply taken_in in E.
        destruct (is_closed s c Hs E) as [law goes].
        assert (mean c (alive p pi (m + r) (s :: h))
                <= mean c (fun t => b * alive p pi m (s :: h) t + 0 * 0)) as step.
        { apply mean_monotone; [exact law|]. intros w t Hin.
          specialize (IH (s :: h) t (goes w t Hin)). lra. }
        rewrite mean_linear in step. lra.
    Qed.

    Lemma ends : forall m h s, inside s ->
      alive p pi (k * m) h s <= power (1 - power (1 # D) k) m.
    Proof.
      assert (0 <= power (1 # D) k <= 1) as unit.
      { split; [apply power_nonnegative | apply power_at_most_one]; unfold Qle; simpl; lia. }
      induction m as [|m IH]; intros h s Hs.
      - rewrite Nat.mul_0_r. apply alive_is_chance. exact Hs.
      - rewrite Nat.mul_succ_r. simpl.
        pose proof (alive_later k _ (fun h s Hs => ends_within k h s Hs (ranks s Hs)) (k * m) h s
          Hs).
        specialize (IH h s Hs). nra.
    Qed.
  End Ranks.
End Process.

Theorem upper_bound : upper_bound_statement.
Proof. intros state p inside v pi M is_closed. apply upper. exact is_closed. Qed.

Theorem lower_bound : lower_bound_statement.
Proof. intros state p inside v pi M is_closed. apply lower. exact is_closed. Qed.

Theorem play_ends : play_ends_statement.
Proof.
  intros state p inside rank pi k D is_closed falls ranks bounded.
  exact (ends p inside pi is_closed rank k D falls ranks bounded).
Qed.
