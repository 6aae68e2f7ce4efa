(** * Long-run averages: gain and bias bound the total of any number of moves

    By induction on the number of moves: a move changes the gain and the bias as their conditions
    say, and the rest is the bound after it. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness.
Import ListNotations.
Open Scope Q_scope.

Lemma one_more n : inject_Z (Z.of_nat (S n)) == inject_Z (Z.of_nat n) + 1.
Proof. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. Qed.

Section Gains.
  Context {state : Type} (p : process state) (inside : state -> Prop) (pi : policy state).
  Context (g h : state -> Q) (M : Q).
  Hypothesis is_closed : closed p inside.
  Hypothesis no_gain : vanishes p inside g.
  Hypothesis no_bias : vanishes p inside h.
  Hypothesis bounded : forall s, inside s -> - M <= h s <= M.

  Lemma never_more : gains_below p inside g h pi ->
    forall n past s, inside s -> total p pi n past s <= inject_Z (Z.of_nat n) * g s + h s + M.
  Proof.
    intros falls n. induction n as [|n IH]; intros past s Hs; simpl total.
    - pose proof (bounded s Hs). change (inject_Z (Z.of_nat 0)) with 0. lra.
    - destruct (taken _ _) as [c|] eqn:E.
      + destruct (falls past s c Hs E) as [gain bias]. apply taken_in in E.
        destruct (is_closed s c Hs E) as [lawful goes]. rewrite one_more. unfold worth in *.
        set (k := inject_Z (Z.of_nat n)) in *.
        assert (0 <= k) as positive by (unfold k; rewrite <- (Zle_Qle 0); lia).
        assert (mean c (total p pi n (s :: past)) <= k * mean c g + mean c h + M) as H.
        { apply Qle_trans with (mean c (fun t => 1 * (k * g t + 1 * h t) + M * 1)).
          - apply mean_monotone; [exact lawful|]. intros w t Hin.
            specialize (IH (s :: past) t (goes w t Hin)). lra.
          - rewrite mean_linear, mean_linear, mean_one by exact lawful. lra. }
        nra.
      + pose proof (taken_none _ _ E) as none. pose proof (bounded s Hs).
        rewrite (no_gain s Hs none), (no_bias s Hs none) in *. lra.
  Qed.

  Lemma never_less : gains_above p inside g h pi ->
    forall n past s, inside s -> inject_Z (Z.of_nat n) * g s + h s - M <= total p pi n past s.
  Proof.
    intros rises n. induction n as [|n IH]; intros past s Hs; simpl total.
    - pose proof (bounded s Hs). change (inject_Z (Z.of_nat 0)) with 0. lra.
    - destruct (taken _ _) as [c|] eqn:E.
      + destruct (rises past s c Hs E) as [gain bias]. apply taken_in in E.
        destruct (is_closed s c Hs E) as [lawful goes]. rewrite one_more. unfold worth in *.
        set (k := inject_Z (Z.of_nat n)) in *.
        assert (0 <= k) as positive by (unfold k; rewrite <- (Zle_Qle 0); lia).
        assert (k * mean c g + mean c h - M <= mean c (total p pi n (s :: past))) as H.
        { apply Qle_trans with (mean c (fun t => 1 * (k * g t + 1 * h t) + - M * 1)).
          - rewrite mean_linear, mean_linear, mean_one by exact lawful. lra.
          - apply mean_monotone; [exact lawful|]. intros w t Hin.
            specialize (IH (s :: past) t (goes w t Hin)). lra. }
        nra.
      + pose proof (taken_none _ _ E) as none. pose proof (bounded s Hs).
        rewrite (no_gain s Hs none), (no_bias s Hs none) in *. lra.
  Qed.
End Gains.

Theorem average : average_statement.
Proof.
  intros state p inside pi g h M is_closed no_gain no_bias bounded n past s Hs. split; intros H.
  - exact (never_more p inside pi g h M is_closed no_gain no_bias bounded H n past s Hs).
  - exact (never_less p inside pi g h M is_closed no_gain no_bias bounded H n past s Hs).
Qed.
