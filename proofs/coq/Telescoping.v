(** * Theorem 1: telescoping *)

From Coq Require Import List ZArith QArith Lqa.
From ExactDice Require Import Statements Sums.
Open Scope Q_scope.

(** The mean of [x^k] over the survivors [k] of a throw is a power, as the dice are independent. *)

Lemma after_throw_of_power p x y n : forall f, (forall k, f k == y * power x k) ->
  after_throw p n f == y * power (p + (1 - p) * x) n.
Proof.
  revert y. induction n as [|n IH]; intros y f H; simpl.
  - rewrite H. reflexivity.
  - rewrite (IH y f H), (IH (y * x) (fun k => f (S k))).
    + ring.
    + intros k. rewrite H. simpl. ring.
Qed.

Theorem telescoping : telescoping_statement.
Proof.
  intros p n t q. split.
  - revert n. induction t as [|t IH]; intros n.
    + destruct n; simpl; [reflexivity | ring].
    + simpl. rewrite (after_throw_of_power p (1 - power q t) 1) by (intros; rewrite IH; ring).
      rewrite Qmult_1_l. apply power_equal. unfold q. ring.
  - rewrite <- power_product. apply power_equal.
    induction t as [|t IH]; simpl; [ring|].
    setoid_replace (p * (1 + q * brackets q t)) with (p + q * (p * brackets q t)) by ring.
    rewrite IH. unfold q. ring.
Qed.
