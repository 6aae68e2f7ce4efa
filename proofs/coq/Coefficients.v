(** * Comparisons by coefficients

    The chances of a round with dice of [s] sides are polynomials in the inverse of [s] (AnySides.v), and
    so are the chances to win. One that, times a power of [s], has no coefficient below 0 by powers of
    [s] - 2 is at least 0 from two sides on. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums AnySides Risk.
Import ListNotations.
Open Scope Q_scope.

(** ** Polynomials *)

(** A polynomial is a list of its coefficients, constant first. *)

Fixpoint evaluate (f : list Q) (x : Q) : Q :=
  match f with [] => 0 | c :: f => c + x * evaluate f x end.

Fixpoint added (f g : list Q) : list Q :=
  match f, g with
  | [], _ => g
  | _, [] => f
  | a :: f, b :: g => Qred (a + b) :: added f g
  end.

Definition scaled (a : Q) : list Q -> list Q := map (fun c => Qred (a * c)).

Fixpoint multiplied (f g : list Q) : list Q :=
  match f with [] => [] | a :: f => added (scaled a g) (0 :: multiplied f g) end.

Lemma evaluate_added x : forall f g, evaluate (added f g) x == evaluate f x + evaluate g x.
Proof.
  induction f as [|a f IH]; intros [|b g]; cbn [added evaluate]; try ring.
  rewrite Qred_correct, IH. ring.
Qed.

Lemma evaluate_scaled x a f : evaluate (scaled a f) x == a * evaluate f x.
Proof.
  induction f as [|c f IH]; cbn [scaled map evaluate]; [ring|].
  unfold scaled in IH. rewrite Qred_correct, IH. ring.
Qed.

Lemma evaluate_multiplied x f g : evaluate (multiplied f g) x == evaluate f x * evaluate g x.
Proof.
  induction f as [|a f IH]; cbn [multiplied evaluate]; [ring|].
  rewrite evaluate_added, evaluate_scaled. cbn [evaluate]. rewrite IH. ring.
Qed.

(** Times a power of [s], with [s] = 2 + [t]. *)

Definition from_two (f : list Q) : list Q :=
  fold_left (fun g c => added (multiplied [2; 1] g) [c]) f [].

Definition downwards (f : list Q) (s start : Q) : Q :=
  fold_left (fun rest c => rest * s + c) f start.

Lemma downwards_evaluate s x : s * x == 1 -> forall f start,
  downwards f s start * s == power s (length f) * (start * s + evaluate f x).
Proof.
  intros one. induction f as [|c f IH]; intros start; cbn [downwards fold_left length power evaluate].
  - ring.
  - unfold downwards in IH. rewrite IH.
    setoid_replace (s * power s (length f) * (start * s + (c + x * evaluate f x)))
      with (power s (length f) * ((start * s + c) * s + (s * x) * evaluate f x)) by ring.
    rewrite one. ring.
Qed.

Lemma from_two_downwards t : forall f g h, evaluate g t == h ->
  evaluate (fold_left (fun g c => added (multiplied [2; 1] g) [c]) f g) t == downwards f (2 + t) h.
Proof.
  induction f as [|c f IH]; intros g h H; [exact H|]. cbn [fold_left downwards]. apply IH.
  rewrite evaluate_added, evaluate_multiplied, H. cbn [evaluate]. ring.
Qed.

Lemma evaluate_nonnegative t f : 0 <= t -> forallb (Qle_bool 0) f = true -> 0 <= evaluate f t.
Proof.
  intros Ht. induction f as [|c f IH]; cbn [forallb evaluate]; intros H; [lra|].
  apply andb_true_iff in H as [Hc Hf]. apply Qle_bool_iff in Hc.
  pose proof (Qmult_le_0_compat t _ Ht (IH Hf)). lra.
Qed.

Lemma nonnegative t x f : (2 + t) * x == 1 -> 0 <= t ->
  forallb (Qle_bool 0) (from_two f) = true -> 0 <= evaluate f x.
Proof.
  intros one Ht H. pose proof (downwards_evaluate (2 + t) x one f 0) as E.
  apply (evaluate_nonnegative t) in H; [|exact Ht]. unfold from_two in H.
  rewrite (from_two_downwards t f [] 0) in H by reflexivity.
  pose proof (power_positive (2 + t) (length f) ltac:(lra)).
  destruct (Qlt_le_dec (evaluate f x) 0) as [less|]; [|assumption]. nra.
Qed.

(** ** Chances *)

Definition in_inverse (i j k : nat) : list Q := map (fun c => Qred (c # 60)) (law i j k).

Lemma powers_downwards s : forall f start,
  inject_Z (fold_left (fun rest c => rest * s + c)%Z f start)
  == 60 * downwards (map (fun c => Qred (c # 60)) f) (inject_Z s) (inject_Z start * (1 # 60)).
Proof.
  induction f as [|c f IH]; intros start; cbn [fold_left map downwards].
  - ring.
  - rewrite IH. unfold downwards. apply Qmult_comp; [reflexivity|].
    assert (inject_Z (start * s + c) * (1 # 60)
            == inject_Z start * (1 # 60) * inject_Z s + Qred (c # 60)) as E.
    { rewrite Qred_correct, inject_Z_plus, inject_Z_mult.
      rewrite (fraction c). ring. }
    revert E. generalize (inject_Z (start * s + c) * (1 # 60)).
    generalize (inject_Z start * (1 # 60) * inject_Z s + Qred (c # 60)).
    generalize (map (fun c => Qred (c # 60)) f). clear.
    induction l as [|c l IH]; intros g h E; [exact E|]. apply IH. now rewrite E.
Qed.

Lemma inverse s : (1 <= s)%nat -> inject_Z (Z.of_nat s) * (1 # Pos.of_nat s) == 1.
Proof.
  destruct s as [|s]; [lia|]. intros _. rewrite <- Pos.of_nat_succ.
  unfold Qeq. cbn [Z.of_nat Qmult inject_Z Qnum Qden]. lia.
Qed.

Lemma chance_evaluated s i j k : (1 <= s)%nat ->
  (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> (k <= min i j)%nat ->
  chance s i j k == evaluate (in_inverse i j k) (1 # Pos.of_nat s).
Proof.
  intros Hs Hi Hj Hk. pose proof (lost_law s i j k Hi Hj Hk) as L.
  pose proof (inverse s Hs) as one.
  assert (length (in_inverse i j k) = S (i + j)) as size.
  { unfold in_inverse. rewrite map_length.
    destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|j]]]; try lia;
      destruct k as [|[|[|k]]]; simpl in Hk; try lia; reflexivity. }
  pose proof (downwards_evaluate _ _ one (in_inverse i j k) 0) as D. rewrite size in D.
  assert (inject_Z (lost s i j k) == downwards (in_inverse i j k) (inject_Z (Z.of_nat s)) 0) as E.
  { pose proof (powers_downwards (Z.of_nat s) (law i j k) 0) as P.
    fold (powers (law i j k) (Z.of_nat s)) in P. rewrite <- L, inject_Z_mult in P.
    fold (in_inverse i j k) in P. change (inject_Z 0 * (1 # 60)) with (0 * (1 # 60)) in P.
    assert (inject_Z 60 == 60) as sixty by reflexivity. rewrite sixty in P.
    assert (forall f g h, g == h -> downwards f (inject_Z (Z.of_nat s)) g
      == downwards f (inject_Z (Z.of_nat s)) h) as same.
    { clear. induction f as [|c f IH]; intros g h E; [exact E|]. apply IH. now rewrite E. }
    rewrite (same _ (0 * (1 # 60)) 0) in P by reflexivity. lra. }
  assert (chance s i j k * power (inject_Z (Z.of_nat s)) (i + j) == inject_Z (lost s i j k)) as C.
  { assert (forall n, power (inject_Z (Z.of_nat s)) n
      == inject_Z (Z.of_nat s ^ Z.of_nat n)) as whole.
    { induction n as [|n IH]; [reflexivity|]. cbn [power]. rewrite IH, <- inject_Z_mult.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. }
    rewrite whole. unfold chance, all_rolls, Qeq. cbn [Qnum Qden Qmult inject_Z].
    rewrite Pos.mul_1_r, Z.mul_1_r, Pos2Z.inj_pow.
    rewrite <- (positive_nat_Z (Pos.of_nat s)), <- (positive_nat_Z (Pos.of_nat (i + j))).
    rewrite !Nat2Pos.id by lia. ring. }
  set (x := inject_Z (Z.of_nat s)) in *.
  assert (0 < x) as positive by (unfold x; rewrite <- (Zlt_Qlt 0); lia).
  pose proof (power_positive x (i + j) positive).
  apply Qmult_inj_r with (power x (i + j)); [lra|]. rewrite C, E.
  apply Qmult_inj_r with x; [lra|]. rewrite D. cbn [power]. ring.
Qed.

Fixpoint won_within (rounds a d : nat) : list Q :=
  match d, a, rounds with
  | O, _, _ => [1]
  | _, O, _ => []
  | _, _, O => []
  | _, _, S n =>
      let i := min a 3 in let j := min d 2 in let pairs := min i j in
      fold_right added [] (map (fun k =>
        multiplied (in_inverse i j k) (won_within n (a - k) (d - (pairs - k)))) (seq 0 (S pairs)))
  end.

Lemma won_evaluated s : (1 <= s)%nat -> forall n a d,
  win_within s n a d == evaluate (won_within n a d) (1 # Pos.of_nat s).
Proof.
  intros Hs. induction n as [|n IH]; intros [|a] [|d]; try (cbn [win_within won_within evaluate]; ring).
  cbn [win_within won_within]. set (i := min (S a) 3). set (j := min (S d) 2). cbv zeta.
  unfold after_round. assert (forall k, In k (seq 0 (S (min i j))) -> (k <= min i j)%nat) as small
    by (intros k Hk; apply in_seq in Hk; lia).
  induction (seq 0 (S (min i j))) as [|k l IHl]; [reflexivity|].
  cbn [sum map fold_right]. rewrite evaluate_added, evaluate_multiplied, <- IH.
  rewrite chance_evaluated by (try apply small; try (now left); lia).
  apply Qplus_comp; [reflexivity|]. apply IHl. intros; apply small; now right.
Qed.

(** ** Expressions in chances, by which Coq reads a comparison *)

Inductive expression :=
  | Constant (c : Q) | Inverse | Chance (i j k : nat) | Won (a d : nat)
  | Plus (a b : expression) | Minus (a b : expression) | Times (a b : expression).

Fixpoint denoted (s : nat) (e : expression) : Q :=
  match e with
  | Constant c => c
  | Inverse => 1 # Pos.of_nat s
  | Chance i j k => chance s i j k
  | Won a d => win s a d
  | Plus a b => denoted s a + denoted s b
  | Minus a b => denoted s a - denoted s b
  | Times a b => denoted s a * denoted s b
  end.

Fixpoint polynomial (e : expression) : list Q :=
  match e with
  | Constant c => [c]
  | Inverse => [0; 1]
  | Chance i j k => in_inverse i j k
  | Won a d => won_within (a + d) a d
  | Plus a b => added (polynomial a) (polynomial b)
  | Minus a b => added (polynomial a) (scaled (- (1)) (polynomial b))
  | Times a b => multiplied (polynomial a) (polynomial b)
  end.

Fixpoint of_rounds (e : expression) : bool :=
  match e with
  | Chance i j k => ((1 <=? i) && (i <=? 3) && (1 <=? j) && (j <=? 2) && (k <=? min i j))%nat
  | Plus a b | Minus a b | Times a b => of_rounds a && of_rounds b
  | _ => true
  end.

Lemma denoted_evaluated s e : (1 <= s)%nat -> of_rounds e = true ->
  denoted s e == evaluate (polynomial e) (1 # Pos.of_nat s).
Proof.
  intros Hs. induction e; cbn [of_rounds denoted polynomial]; intros H;
    try (apply andb_true_iff in H as [Ha Hb]; rewrite IHe1, IHe2 by assumption);
    try (cbn [evaluate]; ring).
  - repeat (apply andb_true_iff in H as [H ?]).
    repeat match goal with H : (_ <=? _)%nat = true |- _ => apply Nat.leb_le in H end.
    apply chance_evaluated; lia.
  - now apply won_evaluated.
  - now rewrite evaluate_added.
  - rewrite evaluate_added, evaluate_scaled. ring.
  - now rewrite evaluate_multiplied.
Qed.

Definition never_more (e f : expression) : bool :=
  of_rounds e && of_rounds f && forallb (Qle_bool 0) (from_two (polynomial (Minus f e))).

Lemma at_most s e f : (2 <= s)%nat -> never_more e f = true -> denoted s e <= denoted s f.
Proof.
  intros Hs H. apply andb_true_iff in H as [fits H]. apply andb_true_iff in fits as [He Hf].
  apply (nonnegative (inject_Z (Z.of_nat s) - 2) (1 # Pos.of_nat s)) in H.
  - rewrite <- denoted_evaluated in H by (lia || (cbn [of_rounds]; now rewrite He, Hf)).
    cbn [denoted] in H. lra.
  - setoid_replace (2 + (inject_Z (Z.of_nat s) - 2)) with (inject_Z (Z.of_nat s)) by ring.
    apply inverse. lia.
  - assert (2 <= inject_Z (Z.of_nat s)) by (unfold Qle; cbn; lia). lra.
Qed.

Ltac expression_of e :=
  match e with
  | ?a + ?b => let x := expression_of a in let y := expression_of b in constr:(Plus x y)
  | ?a - ?b => let x := expression_of a in let y := expression_of b in constr:(Minus x y)
  | ?a * ?b => let x := expression_of a in let y := expression_of b in constr:(Times x y)
  | chance _ ?i ?j ?k => constr:(Chance i j k)
  | win _ ?a ?d => constr:(Won a d)
  | 1 # Pos.of_nat _ => constr:(Inverse)
  | ?c => constr:(Constant c)
  end.

(** Proves a comparison between chances, given that the sides are two at least. *)

Ltac by_coefficients two :=
  match goal with |- ?a <= ?b =>
    let x := expression_of a in let y := expression_of b in
    exact (at_most _ x y two ltac:(vm_compute; reflexivity))
  end.
