(** * Sums, powers and means

    What the other proofs need of them: means are linear and monotone, and the mean of a constant
    is that constant. *)

From Coq Require Import List ZArith QArith Qfield Lqa Lia.
From ExactDice Require Import Statements.
Import ListNotations.
Open Scope Q_scope.

(** ** Sums *)

Lemma sum_monotone {X} (f g : X -> Q) l :
  (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lra|].
  pose proof (H x (or_introl eq_refl)). pose proof (IH (fun y Hy => H y (or_intror Hy))). lra.
Qed.

Lemma sum_equal {X} (f g : X -> Q) l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof.
  intros H. assert (sum f l <= sum g l /\ sum g l <= sum f l) as [? ?]; [|lra].
  split; apply sum_monotone; intros x Hx; rewrite (H x Hx); lra.
Qed.

Lemma sum_linear {X} (f g : X -> Q) a b l :
  sum (fun x => a * f x + b * g x) l == a * sum f l + b * sum g l.
Proof. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.

Lemma sum_scaled {X} (f : X -> Q) a l : sum (fun x => a * f x) l == a * sum f l.
Proof. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.

Lemma sum_zero {X} (f : X -> Q) l : (forall x, In x l -> f x == 0) -> sum f l == 0.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lra|].
  rewrite (H x), IH; [lra| |]; auto.
Qed.

Lemma sum_swap {X Y} (f : X -> Y -> Q) l m :
  sum (fun x => sum (f x) m) l == sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH]; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH. clear. induction m; simpl; [ring|]. rewrite <- IHm. ring.
Qed.

Lemma sum_map {X Y} (f : Y -> Q) (g : X -> Y) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma sum_app {X} (f : X -> Q) l m : sum f (l ++ m) == sum f l + sum f m.
Proof. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.

Lemma sum_weights {X} (l : list (Z * X)) :
  sum (fun move => inject_Z (fst move) * 1) l == inject_Z (total_weight l).
Proof.
  induction l as [|[w x] l IH]; simpl; [reflexivity|].
  rewrite IH, inject_Z_plus. ring.
Qed.

(** Fractions as products. *)

Lemma fraction n d : n # d == inject_Z n * (1 # d).
Proof. unfold Qeq. cbn [Qnum Qden Qmult inject_Z]. lia. Qed.

Lemma unit_fraction d : inject_Z (Zpos d) * (1 # d) == 1.
Proof. unfold Qeq. cbn [Qnum Qden Qmult inject_Z]. lia. Qed.

(** Sums of integers. *)

Definition total_of {X} (f : X -> Z) (l : list X) : Z := fold_right (fun x n => f x + n)%Z 0%Z l.

Lemma total_of_sum {X} (f : X -> Z) l : inject_Z (total_of f l) == sum (fun k => inject_Z (f k)) l.
Proof.
  induction l as [|k l IH]; simpl; [reflexivity|]. rewrite inject_Z_plus, IH. reflexivity.
Qed.

Lemma total_of_map {X Y} (f : Y -> Z) (g : X -> Y) l : total_of f (map g l) = total_of (fun x => f
  (g x)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma total_of_equal {X} (f g : X -> Z) l : (forall x, In x l -> f x = g x) ->
  total_of f l = total_of g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite H, IH; auto.
Qed.

Lemma total_of_linear {X} (f g : X -> Z) a b l :
  total_of (fun x => a * f x + b * g x)%Z l = (a * total_of f l + b * total_of g l)%Z.
Proof. induction l; simpl; lia. Qed.

(** ** Powers *)

Lemma power_nonnegative q n : 0 <= q -> 0 <= power q n.
Proof. intros H. induction n; simpl; [lra|]. apply Qmult_le_0_compat; auto. Qed.

Lemma power_positive q n : 0 < q -> 0 < power q n.
Proof. intros H. induction n; simpl; [lra|]. apply Qmult_lt_0_compat; auto. Qed.

Lemma power_at_most_one q n : 0 <= q <= 1 -> power q n <= 1.
Proof.
  intros H. induction n; simpl; [lra|].
  pose proof (power_nonnegative q n (proj1 H)). nra.
Qed.

Lemma power_equal q r n : q == r -> power q n == power r n.
Proof. intros H. induction n; simpl; [reflexivity|]. rewrite IHn, H. reflexivity. Qed.

Lemma power_product q r n : power (q * r) n == power q n * power r n.
Proof. induction n; simpl; [ring|]. rewrite IHn. ring. Qed.

(** ** Means *)

Section Means.
  Context {state : Type} (c : choice state).

  Lemma unit_positive : 0 < 1 # denominator c.
  Proof. reflexivity. Qed.

  Lemma mean_monotone f g :
    lawful c -> (forall w t, In (w, t) (moves c) -> f t <= g t) -> mean c f <= mean c g.
  Proof.
    intros [positive _] H. unfold mean. pose proof unit_positive.
    apply Qmult_le_compat_r; [|lra].
    apply sum_monotone. intros [w t] Hin. simpl.
    assert (0 <= inject_Z w) by (rewrite <- (Zle_Qle 0); eauto).
    rewrite (Qmult_comm _ (f t)), (Qmult_comm _ (g t)).
    apply Qmult_le_compat_r; eauto.
  Qed.

  Lemma mean_linear f g a b : mean c (fun s => a * f s + b * g s) == a * mean c f + b * mean c g.
  Proof.
    unfold mean.
    rewrite (sum_equal _ (fun move => a * (inject_Z (fst move) * f (snd move))
                                      + b * (inject_Z (fst move) * g (snd move))))
      by (intros; ring).
    rewrite sum_linear. ring.
  Qed.

  Lemma mean_equal f g : (forall w t, In (w, t) (moves c) -> f t == g t) -> mean c f == mean c g.
  Proof.
    intros H. unfold mean. apply Qmult_comp; [|reflexivity].
    apply sum_equal. intros [w t] Hin. simpl. rewrite (H w t Hin). reflexivity.
  Qed.

  Lemma mean_one : lawful c -> mean c (fun _ => 1) == 1.
  Proof.
    intros [_ H]. unfold mean. rewrite sum_weights, H.
    unfold Qeq. simpl. lia.
  Qed.

  Lemma mean_constant a : lawful c -> mean c (fun _ => a) == a.
  Proof.
    intros H.
    rewrite (mean_equal _ (fun _ => a * 1 + 0 * 1)) by (intros; ring).
    rewrite mean_linear, mean_one by assumption. ring.
  Qed.
End Means.
