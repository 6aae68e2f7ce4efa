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

Lemma vanishing_shifted n : forall f, vanishing n f -> vanishing n (fun s => f (S s)).
Proof.
  induction n as [|n IH]; intros f Hf; [intros s; apply Hf|]. exact (IH (difference f) Hf).
Qed.

Lemma vanishing_times n : forall f, vanishing n f -> vanishing (S n) (fun s => f s * Z.of_nat s).
Proof.
  induction n as [|n IH]; intros f Hf.
  - intros s. unfold difference. rewrite !Hf. ring.
  - change (vanishing (S n) (difference (fun s => f s * Z.of_nat s))).
    apply (vanishing_equal _ (fun s => 1 * (difference f s * Z.of_nat s) + 1 * f (S s))).
    + intros s. unfold difference. rewrite Nat2Z.inj_succ. unfold Z.succ. ring.
    + apply (vanishing_linear (S n)); [exact (IH (difference f) Hf)|].
      now apply (vanishing_shifted (S n)).
Qed.

Lemma vanishing_powers l : forall n f, vanishing n f ->
  vanishing (length l + n) (fun s => fold_left (fun rest c => rest * Z.of_nat s + c) l (f s)).
Proof.
  induction l as [|c l IH]; intros n f Hf; [exact Hf|]. cbn [length fold_left Nat.add].
  rewrite <- Nat.add_succ_r. apply IH.
  apply (vanishing_equal _ (fun s => 1 * (f s * Z.of_nat s) + c * 1)); [intros; ring|].
  apply vanishing_linear; [now apply vanishing_times|].
  apply (vanishing_later 1); [lia | intros s; reflexivity].
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
    + replace (S (i + j)) with (length (law i j k) + 0)%nat
        by (destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|j]]]; try lia;
            destruct k as [|[|[|k]]]; simpl in Hk; try lia; reflexivity).
      apply vanishing_powers. intros s. reflexivity.
  - destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|j]]]; try lia;
      destruct k as [|[|[|k]]]; simpl in Hk; try lia; clear; cbn [Nat.add]; intros s Hs;
      do 6 (destruct s as [|s]; [vm_compute; reflexivity|]); lia.
Qed.
