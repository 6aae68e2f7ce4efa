(** * Theorem 7: Risk is monotone, with dice of any number of sides

    By induction on [a + d]. Where both battles roll the same dice it goes term by term; elsewhere five
    comparisons between chances of rounds do, which hold from two sides on (theorem 27). With one side
    the attacker loses all rounds. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums AnySides Risk Coefficients.
Import ListNotations.
Open Scope Q_scope.

(** ** Chances lie between 0 and 1 *)

Lemma win_is_chance s : (1 <= s)%nat -> forall size a d, (a + d <= size)%nat -> 0 <= win s a d <= 1.
Proof.
  intros sided. induction size as [|size IH]; intros a d H;
    (destruct d as [|d]; [rewrite win_no_defender; lra|]);
    (destruct a as [|a]; [rewrite win_no_attacker; lra|]); [lia|].
  rewrite win_equation by lia.
  split;
    [rewrite <- (after_round_constant s 0 (S a) (S d) (min (S a) 3) (min (S d) 2)) by lia
    |rewrite <- (after_round_constant s 1 (S a) (S d) (min (S a) 3) (min (S d) 2)) by lia];
    apply after_round_monotone; intros k Hk; apply IH; lia.
Qed.

Lemma chance_to_win s a d : (1 <= s)%nat -> 0 <= win s a d <= 1.
Proof. intros sided. exact (win_is_chance s sided (a + d) a d (le_n _)). Qed.

(** ** One side *)

Lemma round_one_side f a d i j : (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat ->
  after_round 1 f a d i j == f (a - min i j)%nat d.
Proof.
  intros Hi Hj. unfold after_round.
  each_round i j Hi Hj; cbn [Nat.min seq sum fold_right Nat.sub]; rewrite ?Nat.sub_0_r;
    repeat match goal with |- context [chance ?s ?i ?j ?k] =>
      let c := eval vm_compute in (chance s i j k) in change (chance s i j k) with c end; ring.
Qed.

Lemma one_side : forall a d, win 1 a (S d) == 0.
Proof.
  induction a as [a IH] using (well_founded_induction lt_wf). intros d.
  destruct a as [|a]; [now rewrite win_no_attacker|].
  rewrite win_equation, round_one_side by lia. apply IH. lia.
Qed.

(** ** Two sides and more *)

Lemma weighed c x y : 0 <= c -> x <= y -> 0 <= c * (y - x).
Proof. intros. apply Qmult_le_0_compat; lra. Qed.

Ltac at_least_zero :=
  solve [apply chance_positive | apply chance_to_win; lia | lra
        | apply Qmult_le_0_compat; at_least_zero].

Tactic Notation "weigh" constr(c) "with" constr(H) :=
  pose proof (weighed c _ _ ltac:(at_least_zero) H).

Tactic Notation "weigh" constr(c) constr(x) constr(y) :=
  pose proof (weighed c x y ltac:(at_least_zero) ltac:(at_least_zero)).

(** Puts what an equation says into the goal and all that is known, where its left side stands there: a
    search by conversion would compute chances. *)

Ltac use equation :=
  let E := fresh in
  pose proof equation as E; cbn [Nat.add] in *; revert E;
  match goal with |- ?left == _ -> _ =>
    intros E; try match goal with |- context [left] => rewrite E end;
    repeat match goal with H : context [left] |- _ =>
      lazymatch H with E => fail | _ => rewrite E in H end
    end; clear E
  end.

Section Sides.
  Variable s : nat.
  Hypothesis two : (2 <= s)%nat.
  Lemma sided : (1 <= s)%nat.
  Proof. lia. Qed.

  Local Notation V := (win s).
  Local Notation p := (chance s 1 2 0).
  Local Notation q2 := (chance s 2 1 0).
  Local Notation q3 := (chance s 3 1 0).
  Local Notation w0 := (chance s 2 2 0).
  Local Notation w1 := (chance s 2 2 1).
  Local Notation u0 := (chance s 3 2 0).
  Local Notation u1 := (chance s 3 2 1).

  Lemma one_attacker_falls d : V 1 (1 + d) <= V 1 d.
  Proof.
    destruct d as [|d]; [rewrite win_no_defender; apply chance_to_win, sided|].
    pose proof (one_two s sided d) as E. cbn [Nat.add] in *. rewrite E.
    pose proof (chance_between s sided 1 2 0 ltac:(lia) ltac:(lia) ltac:(simpl; lia)).
    weigh (V 1 (S d)) p 1. lra.
  Qed.

  (** ** More attackers *)

  Lemma more_attackers : forall size a d, (a + d <= size)%nat -> V a d <= V (S a) d.
  Proof.
    induction size as [|size IH]; intros a d H;
      (destruct d as [|d]; [rewrite !win_no_defender; lra|]); [lia|].
    destruct a as [|[|[|a]]].
    - rewrite win_no_attacker. apply chance_to_win, sided.
    - destruct d as [|d].
      + rewrite two_one by exact sided. weigh q2 (V 1 1) 1. lra.
      + pose proof (one_two s sided d) as E. pose proof (two_two s sided d) as E'.
        cbn [Nat.add] in *. rewrite E, E'.
        assert (p <= w1) by by_coefficients two. weigh w0 0 (V 2 d). weigh (V 1 (S d)) p w1. lra.
    - destruct d as [|d].
      + pose proof (three_one s sided 0) as E. cbn [Nat.add] in E. rewrite E.
        weigh q3 (V 2 1) 1. lra.
      + pose proof (three_two s sided 0 d) as E. pose proof (two_two s sided d) as E'.
        cbn [Nat.add] in *. rewrite E, E'.
        pose proof (two_pairs s sided 3 2 ltac:(lia) ltac:(lia) eq_refl).
        pose proof (chance_positive s 3 2 2).
        assert (w0 <= u0) by by_coefficients two.
        assert (w0 + w1 <= u0 + u1) by by_coefficients two.
        assert (V 2 d <= V 3 d) by (apply IH; lia).
        assert (V 1 (S d) <= V 2 (S d)) by (apply IH; lia).
        assert (V 1 d <= V 2 d) by (apply IH; lia).
        pose proof (one_attacker_falls d). cbn [Nat.add] in *.
        weigh u0 (V 2 d) (V 3 d). weigh u1 (V 1 (S d)) (V 2 (S d)).
        weigh (1 - u0 - u1) 0 (V 1 (S (S d))). weigh (u0 - w0) (V 1 (S d)) (V 2 d).
        weigh (V 1 (S d)) (w0 + w1) (u0 + u1). lra.
    - rewrite !win_equation, !(Nat.min_r _ 3) by lia.
      apply after_round_monotone. intros k Hk.
      replace (S (S (S (S a))) - k)%nat with (S (S (S (S a)) - k)) by lia. apply IH. lia.
  Qed.

  (** ** More defenders *)

  Lemma more_defenders : forall size a d, (a + d <= size)%nat -> V a (S d) <= V a d.
  Proof.
    induction size as [|size IH]; intros a d H;
      (destruct d as [|d]; [rewrite win_no_defender; apply chance_to_win, sided|]); [lia|].
    destruct a as [|a]; [rewrite !win_no_attacker; lra|]. destruct d as [|d].
    - destruct a as [|[|a]]; [apply one_attacker_falls | |].
      + pose proof (two_two s sided 0) as E. cbn [Nat.add] in E.
        rewrite E, two_one, win_no_defender by exact sided.
        pose proof (two_pairs s sided 2 2 ltac:(lia) ltac:(lia) eq_refl).
        pose proof (chance_positive s 2 2 2).
        assert (w0 <= q2) by by_coefficients two. pose proof (chance_to_win s 1 1 sided).
        weigh (1 - V 1 1) w0 q2. weigh (V 1 1) (w0 + w1) 1. lra.
      + pose proof (three_two s sided a 0) as E. pose proof (three_one s sided a) as E'.
        cbn [Nat.add] in *. rewrite E, E', win_no_defender.
        pose proof (two_pairs s sided 3 2 ltac:(lia) ltac:(lia) eq_refl).
        pose proof (chance_positive s 3 2 2).
        assert (u0 <= q3) by by_coefficients two. pose proof (chance_to_win s (2 + a) 1 sided).
        assert (V (1 + a)%nat 2 <= V (1 + a)%nat 1) by (apply IH; lia).
        assert (V (1 + a)%nat 1 <= V (2 + a)%nat 1) by (apply (more_attackers (1 + a + 1)); lia).
        cbn [Nat.add] in *.
        weigh (1 - V (S (S a)) 1) u0 q3. weigh (1 - u0 - u1) (V (S a) 2) (V (S (S a)) 1). lra.
    - rewrite !win_equation, !(Nat.min_r _ 2) by lia.
      apply after_round_monotone. intros k Hk.
      replace (S (S (S d)) - (min (min (S a) 3) 2 - k))%nat
        with (S (S (S d) - (min (min (S a) 3) 2 - k))) by lia. apply IH. lia.
  Qed.
End Sides.

Lemma more_attack s a d : (1 <= s)%nat -> win s a d <= win s (S a) d.
Proof.
  intros sided. assert (s = 1 \/ 2 <= s)%nat as [-> | two] by lia.
  - destruct d; [rewrite !win_no_defender | rewrite !one_side]; lra.
  - exact (more_attackers s two (a + d) a d (le_n _)).
Qed.

Lemma more_defence s a d : (1 <= s)%nat -> win s a (S d) <= win s a d.
Proof.
  intros sided. assert (s = 1 \/ 2 <= s)%nat as [-> | two] by lia.
  - rewrite one_side. now apply chance_to_win.
  - exact (more_defenders s two (a + d) a d (le_n _)).
Qed.

Theorem monotone : monotone_statement.
Proof.
  intros s a d sided. rewrite !Nat.add_1_r. split; [now apply more_attack | now apply more_defence].
Qed.
