(** * Rounds of dice with any number of sides

    Who loses how much hangs on the order of the dice alone. So the count of rolls with some loss, as a
    function of the number of sides, is a polynomial of at most as high a degree as there are dice: if
    a side is added below, the dice that show it no longer matter. A polynomial is settled by its
    first values, which are enumerated. Chances are polynomials in the inverse of
    the number of sides, and one that, times a power of the number of sides, has no coefficient
    below 0 by powers of the number of sides less two is at least 0 from two sides on. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums.
Import ListNotations.

(** ** Differences *)

Open Scope Z_scope.

Definition difference (f : nat -> Z) (s : nat) : Z := f (S s) - f s.

Fixpoint vanishing (n : nat) (f : nat -> Z) : Prop :=
  match n with O => forall s, f s = 0 | S n => vanishing n (difference f) end.

Lemma vanishing_equal n : forall f g, (forall s, f s = g s) -> vanishing n f -> vanishing n g.
Proof.
  induction n as [|n IH]; simpl; intros f g H; [intros E s; now rewrite <- H|].
  apply IH. intros s. unfold difference. now rewrite !H.
Qed.

Lemma vanishing_next n : forall f, vanishing n f -> vanishing (S n) f.
Proof.
  induction n as [|n IH]; intros f Hf; [intros s; unfold difference; now rewrite !Hf|].
  exact (IH (difference f) Hf).
Qed.

Lemma vanishing_later m n : (m <= n)%nat -> forall f, vanishing m f -> vanishing n f.
Proof. intros H f Hf. induction H; [exact Hf | now apply vanishing_next]. Qed.

Lemma vanishing_linear n a b : forall f g, vanishing n f -> vanishing n g ->
  vanishing n (fun s => a * f s + b * g s).
Proof.
  induction n as [|n IH]; simpl; intros f g Hf Hg; [intros s; rewrite Hf, Hg; ring|].
  eapply vanishing_equal; [|apply (IH _ _ Hf Hg)]. intros s. unfold difference. ring.
Qed.

Lemma vanishing_sum {X} n (f : X -> nat -> Z) l : (forall x, In x l -> vanishing n (f x)) ->
  vanishing n (fun s => total_of (fun x => f x s) l).
Proof.
  induction l as [|x l IH]; intros H.
  - apply (vanishing_later 0); [lia | intros s; reflexivity].
  - eapply vanishing_equal;
      [|apply (vanishing_linear n 1 1); [apply (H x); now left | apply IH; intros; apply H; now right]].
    intros s. unfold total_of. cbn [fold_right]. ring.
Qed.

Lemma settled n : forall f, vanishing n f -> (forall s, (s < n)%nat -> f s = 0) -> forall s, f s = 0.
Proof.
  induction n as [|n IH]; intros f Hf H s; [apply Hf|].
  assert (forall s, difference f s = 0) as flat
    by (apply IH; [exact Hf | intros; unfold difference; rewrite !H; lia]).
  induction s as [|s IHs]; [apply H; lia|]. specialize (flat s). unfold difference in flat. lia.
Qed.

(** ** What hangs on the order of the dice alone *)

Definition order_free (f : list nat -> Z) : Prop :=
  forall h, h O = O -> (forall x y, (x < y)%nat -> (h x < h y)%nat) -> forall l, f (map h l) = f l.

(** A new lowest side: some dice show it, the others what they did, a side higher. *)

Definition up (x : nat) : nat := match x with O => O | S x => S (S x) end.

Fixpoint patterns (n : nat) : list (list bool) :=
  match n with O => [[]] | S n => map (cons false) (patterns n) ++ map (cons true) (patterns n) end.

Fixpoint free (pattern : list bool) : nat :=
  match pattern with [] => O | true :: p => S (free p) | false :: p => free p end.

Fixpoint fill (pattern : list bool) (l : list nat) : list nat :=
  match pattern, l with
  | false :: p, _ => 1%nat :: fill p l
  | true :: p, x :: l => up x :: fill p l
  | _, _ => []
  end.

Lemma total_of_app {X} (f : X -> Z) l m : total_of f (l ++ m) = total_of f l + total_of f m.
Proof. induction l; simpl; lia. Qed.

Lemma total_of_flat_map {X Y} (f : Y -> Z) (g : X -> list Y) l :
  total_of f (flat_map g l) = total_of (fun x => total_of f (g x)) l.
Proof. induction l; simpl; [reflexivity|]. rewrite total_of_app. congruence. Qed.

Lemma total_of_plus {X} (f g : X -> Z) l :
  total_of (fun x => f x + g x) l = total_of f l + total_of g l.
Proof. induction l; simpl; lia. Qed.

Lemma total_of_swap {X Y} (f : X -> Y -> Z) l m :
  total_of (fun x => total_of (f x) m) l = total_of (fun y => total_of (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH]; simpl.
  - induction m; simpl; congruence.
  - now rewrite IH, <- total_of_plus.
Qed.

Lemma rolls_more f s n : total_of f (rolls s (S n))
  = total_of (fun roll => total_of (fun face => f (face :: roll)) (seq 1 s)) (rolls s n).
Proof.
  cbn [rolls]. rewrite total_of_flat_map. apply total_of_equal. intros roll _. apply total_of_map.
Qed.

Lemma sides_more s : seq 1 (S s) = 1%nat :: map up (seq 1 s).
Proof.
  cbn [seq]. f_equal. rewrite <- seq_shift. apply map_ext_in. intros x Hx. apply in_seq in Hx.
  destruct x; [lia | reflexivity].
Qed.

Lemma rolls_split n : forall f s, total_of f (rolls (S s) n)
  = total_of (fun p => total_of (fun l => f (fill p l)) (rolls s (free p))) (patterns n).
Proof.
  induction n as [|n IH]; intros f s; [simpl; ring|].
  rewrite rolls_more, IH. cbn [patterns]. rewrite total_of_app, !total_of_map, <- total_of_plus.
  apply total_of_equal. intros p _. cbn [free].
  rewrite rolls_more, <- total_of_plus. apply total_of_equal. intros l _.
  rewrite sides_more. cbn [total_of fold_right fill].
  f_equal. exact (total_of_map (fun face => f (face :: fill p l)) up (seq 1 s)).
Qed.

Lemma patterns_last n : exists rest, patterns n = rest ++ [repeat true n] /\
  forall p, In p rest -> (free p < n)%nat.
Proof.
  induction n as [|n (rest & E & less)]; [exists []; split; [reflexivity | intros p []]|].
  exists (map (cons false) (patterns n) ++ map (cons true) rest). split.
  - cbn [patterns]. rewrite E at 2. rewrite map_app, app_assoc. reflexivity.
  - assert (free (repeat true n) = n) as all by (clear; induction n; simpl; congruence).
    intros p Hp. apply in_app_or in Hp as [Hp|Hp]; apply in_map_iff in Hp as (q & <- & Hq); simpl.
    + rewrite E in Hq. apply in_app_or in Hq as [Hq | [<- | []]]; [apply less in Hq|]; lia.
    + apply less in Hq. lia.
Qed.

Lemma free_all n : free (repeat true n) = n.
Proof. induction n; simpl; congruence. Qed.

Lemma rolls_length s n : forall l, In l (rolls s n) -> length l = n.
Proof.
  induction n as [|n IH]; intros l H; [destruct H as [<- | []]; reflexivity|].
  apply in_flat_map in H as (roll & Hroll & H). apply in_map_iff in H as (face & <- & _).
  simpl. now rewrite (IH roll).
Qed.

Lemma fill_all n : forall l, length l = n -> fill (repeat true n) l = map up l.
Proof. induction n; intros [|x l] H; simpl in *; try lia; f_equal; auto. Qed.

Lemma order_free_filled f p : order_free f -> order_free (fun l => f (fill p l)).
Proof.
  intros Hf h zero rises l.
  transitivity (f (map (fun y => match y with O => O | S z => S (h z) end) (fill p l)));
    [|apply Hf; [reflexivity | intros [|x] [|y]; try lia; intros; pose proof (rises x y); lia]].
  f_equal. revert l. induction p as [|[] p IH]; intros l; [reflexivity | |].
  - destruct l as [|x l]; [reflexivity|]. simpl. f_equal; [|apply IH].
    destruct x as [|x]; [now rewrite zero|]. simpl.
    pose proof (rises O (S x)). destruct (h (S x)); [lia | reflexivity].
  - simpl. rewrite zero. f_equal. apply IH.
Qed.

Lemma counts_are_polynomials n : forall f, order_free f ->
  vanishing (S n) (fun s => total_of f (rolls s n)).
Proof.
  induction n as [n IH] using (well_founded_induction lt_wf). intros f Hf. cbn [vanishing].
  destruct (patterns_last n) as (rest & E & less).
  apply (vanishing_equal n (fun s =>
    total_of (fun p => total_of (fun l => f (fill p l)) (rolls s (free p))) rest)).
  - intros s. unfold difference. rewrite rolls_split, E, total_of_app. cbn [total_of fold_right].
    rewrite free_all.
    rewrite (total_of_equal (fun l => f (fill (repeat true n) l)) f); [ring|].
    intros l Hl. rewrite fill_all by exact (rolls_length _ _ _ Hl).
    apply Hf; [reflexivity | intros [|x] [|y]; simpl; lia].
  - apply vanishing_sum. intros p Hp. apply less in Hp.
    apply (vanishing_later (S (free p))); [lia|]. apply IH; [exact Hp|].
    apply order_free_filled, Hf.
Qed.

(** ** Losses *)

Section Rising.
  Variable h : nat -> nat.
  Hypothesis rises : forall x y, (x < y)%nat -> (h x < h y)%nat.

  Lemma same_order x y : (h x <=? h y)%nat = (x <=? y)%nat.
  Proof.
    destruct (Nat.leb_spec x y) as [le | lt]; [|apply Nat.leb_gt; auto].
    apply Nat.leb_le. destruct (Nat.eq_dec x y) as [->|]; [lia|]. pose proof (rises x y). lia.
  Qed.

  Lemma ascending_map l : ascending (map h l) = map h (ascending l).
  Proof.
    induction l as [|x l IH]; [reflexivity|]. cbn. unfold ascending in IH. rewrite IH. clear IH.
    induction (fold_right insert [] l) as [|y m IH]; [reflexivity|].
    cbn. rewrite same_order. destruct (x <=? y)%nat; [reflexivity|]. cbn. now rewrite IH.
  Qed.

  Lemma loses_map a d : attacker_loses (map h a) (map h d) = attacker_loses a d.
  Proof.
    unfold attacker_loses. rewrite !ascending_map, <- !map_rev. generalize (rev (ascending d)).
    induction (rev (ascending a)) as [|x l IH]; intros [|y m]; try reflexivity.
    cbn. rewrite same_order. destruct (x <=? y)%nat; cbn; now rewrite IH.
  Qed.
End Rising.

Definition losing (i k : nat) (dice : list nat) : Z :=
  if (attacker_loses (firstn i dice) (skipn i dice) =? k)%nat then 1 else 0.

Lemma losing_order_free i k : order_free (losing i k).
Proof.
  intros h _ rises l. unfold losing. now rewrite firstn_map, skipn_map, loses_map.
Qed.

Lemma rolls_together s j f : forall i, total_of f (rolls s (i + j))
  = total_of (fun r => total_of (fun q => f (r ++ q)) (rolls s j)) (rolls s i).
Proof.
  intros i. revert f. induction i as [|i IH]; intros f;
    [cbn [Nat.add rolls]; unfold total_of; cbn [fold_right app]; ring|].
  cbn [Nat.add]. rewrite !rolls_more, IH. apply total_of_equal. intros r _. apply total_of_swap.
Qed.

Lemma count_total {X} (f : X -> bool) l : count f l = total_of (fun x => if f x then 1 else 0) l.
Proof.
  unfold count, total_of. induction l as [|x l IH]; [reflexivity|]. cbn [fold_right].
  rewrite IH. destruct (f x); lia.
Qed.

Lemma total_of_prod {X Y} (f : X * Y -> Z) l m :
  total_of f (list_prod l m) = total_of (fun x => total_of (fun y => f (x, y)) m) l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [list_prod].
  rewrite total_of_app, total_of_map, IH. reflexivity.
Qed.

Lemma lost_total s i j k : lost s i j k = total_of (losing i k) (rolls s (i + j)).
Proof.
  rewrite rolls_together. unfold lost. rewrite count_total, total_of_prod.
  apply total_of_equal. intros r Hr. apply total_of_equal. intros q _. unfold losing.
  apply rolls_length in Hr. subst i. cbn [fst snd].
  now rewrite firstn_app, Nat.sub_diag, firstn_all, app_nil_r, skipn_app, Nat.sub_diag, skipn_all.
Qed.

Theorem lost_law : lost_law_statement.
Proof.
  intros s i j k Hi Hj Hk.
  enough (60 * lost s i j k + -1 * powers (law i j k) (Z.of_nat s) = 0) by lia.
  revert s. apply (settled (S (i + j))).
  - apply vanishing_linear.
    + apply (vanishing_equal _ (fun s => total_of (losing i k) (rolls s (i + j))));
        [intros; symmetry; apply lost_total|].
      apply counts_are_polynomials, losing_order_free.
    + destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|j]]]; try lia;
        destruct k as [|[|[|k]]]; simpl in Hk; try lia; clear; cbn [Nat.add vanishing];
        intros s; unfold difference; cbn [law nth powers fold_left];
        rewrite !Nat2Z.inj_succ; unfold Z.succ; ring.
  - destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|j]]]; try lia;
      destruct k as [|[|[|k]]]; simpl in Hk; try lia; clear; cbn [Nat.add]; intros s Hs;
      do 6 (destruct s as [|s]; [vm_compute; reflexivity|]); lia.
Qed.

(** ** Comparisons, by coefficients *)

Open Scope Q_scope.

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

(** Chances are polynomials in the inverse of the number of sides. *)

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
      assert (c # 60 == inject_Z c * (1 # 60)) as -> by (unfold Qeq; simpl; lia). ring. }
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
  chance_with s i j k == evaluate (in_inverse i j k) (1 # Pos.of_nat s).
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
  assert (chance_with s i j k * power (inject_Z (Z.of_nat s)) (i + j) == inject_Z (lost s i j k)) as C.
  { unfold chance_with. assert (forall n, power (inject_Z (Z.of_nat s)) n
      == inject_Z (Z.of_nat s ^ Z.of_nat n)) as whole.
    { induction n as [|n IH]; [reflexivity|]. cbn [power]. rewrite IH, <- inject_Z_mult.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. }
    rewrite whole. unfold Qeq. cbn [Qnum Qden Qmult inject_Z].
    rewrite Pos.mul_1_r, Z.mul_1_r, Pos2Z.inj_pow.
    rewrite <- (positive_nat_Z (Pos.of_nat s)), <- (positive_nat_Z (Pos.of_nat (i + j))).
    rewrite !Nat2Pos.id by lia. ring. }
  set (x := inject_Z (Z.of_nat s)) in *.
  assert (0 < x) as positive by (unfold x; rewrite <- (Zlt_Qlt 0); lia).
  pose proof (power_positive x (i + j) positive).
  apply Qmult_inj_r with (power x (i + j)); [lra|]. rewrite C, E.
  apply Qmult_inj_r with x; [lra|]. rewrite D. cbn [power]. ring.
Qed.

(** Expressions in chances, by which Coq reads a comparison. *)

Inductive expression :=
  | Constant (c : Q) | Inverse | Chance (i j k : nat)
  | Plus (a b : expression) | Minus (a b : expression) | Times (a b : expression).

Fixpoint denoted (s : nat) (e : expression) : Q :=
  match e with
  | Constant c => c
  | Inverse => 1 # Pos.of_nat s
  | Chance i j k => chance_with s i j k
  | Plus a b => denoted s a + denoted s b
  | Minus a b => denoted s a - denoted s b
  | Times a b => denoted s a * denoted s b
  end.

Fixpoint polynomial (e : expression) : list Q :=
  match e with
  | Constant c => [c]
  | Inverse => [0; 1]
  | Chance i j k => in_inverse i j k
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
  - now rewrite evaluate_added.
  - rewrite evaluate_added, evaluate_scaled. ring.
  - now rewrite evaluate_multiplied.
Qed.

Lemma never_negative s e : (2 <= s)%nat ->
  of_rounds e && forallb (Qle_bool 0) (from_two (polynomial e)) = true -> 0 <= denoted s e.
Proof.
  intros Hs H. apply andb_true_iff in H as [fits H].
  rewrite denoted_evaluated by (lia || assumption).
  apply (nonnegative (inject_Z (Z.of_nat s) - 2)); [| |exact H].
  - setoid_replace (2 + (inject_Z (Z.of_nat s) - 2)) with (inject_Z (Z.of_nat s)) by ring.
    apply inverse. lia.
  - assert (2 <= inject_Z (Z.of_nat s)) by (unfold Qle; cbn; lia). lra.
Qed.

Ltac expression_of e :=
  match e with
  | ?a + ?b => let x := expression_of a in let y := expression_of b in constr:(Plus x y)
  | ?a - ?b => let x := expression_of a in let y := expression_of b in constr:(Minus x y)
  | ?a * ?b => let x := expression_of a in let y := expression_of b in constr:(Times x y)
  | chance_with _ ?i ?j ?k => constr:(Chance i j k)
  | 1 # Pos.of_nat _ => constr:(Inverse)
  | ?c => constr:(Constant c)
  end.

Ltac by_coefficients s two :=
  match goal with |- 0 <= ?e =>
    let x := expression_of e in
    exact (never_negative s x two ltac:(vm_compute; reflexivity))
  end.

Theorem comparisons : comparisons_statement.
Proof.
  intros s two difference c H. subst c. cbv beta delta [compared] in H. cbv zeta in H.
  repeat (destruct H as [<- | H]; [by_coefficients s two|]). destruct H.
Qed.
