(** * The software-engineering game in whole numbers, rounded up or down

    The dice that stand on a table, revenue and legacy together, are a block. Only a creation or a
    promotion leaves it, from the table without legacy. So heavier blocks come first, each through
    all rounds. A cube holds, for each number of revenue dice, rung by rung, a list by score:
      bounds,
    times [scale], of what play is worth. A roll goes die by die: with one more die of [g + 1] faces
    to roll, a number is the mean of that where it fails and of [g] times that where it survives.
    Divisions are rounded up, or all are rounded down. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import
  Statements Sums Backward Swe Reachable SweDice NeverSkip Robust SweLines SweRounds.
Import ListNotations.
Open Scope Q_scope.

(** ** The program *)

Section Zip.
  Context {X Y : Type} (f : X -> X -> Y).

  Fixpoint zip (l m : list X) : list Y :=
    match l, m with x :: l, y :: m => f x y :: zip l m | _, _ => [] end.
End Zip.

Inductive cube := Scores (numbers : list N) | Axis (parts : list cube).

Section Program.
  Context (up : bool).

  (** One die, that fails into the first cube and survives into the second. *)

  Definition one_die (g : N) (x y : N) : N := ((x + g * y + if up then g else 0) / (g + 1))%N.

  Fixpoint throw (g : N) (x y : cube) : cube :=
    match x, y with
    | Scores l, Scores m => Scores (zip (one_die g) l m)
    | Axis l, Axis m => Axis (zip (throw g) l m)
    | _, _ => Scores []
    end.

  (** From cubes by how many dice stand to cubes by how many are rolled. *)

  Fixpoint throws (most : nat) (g : N) (l : list cube) : list cube :=
    match l, most with
    | x :: rest, S most => x :: throws most g (zip (throw g) l rest)
    | _, _ => []
    end.

  Fixpoint roll (faces : list nat) (x : cube) : cube :=
    match faces, x with
    | f :: faces, Axis l => Axis (throws (length l) (N.of_nat (pred f)) (map (roll faces) l))
    | _, _ => x
    end.

  (** What follows a roll, by the score before it: [stand] dice survived so far. *)

  Fixpoint after (stand : nat) (x : cube) : cube :=
    match x with
    | Scores l =>
        Scores (match stand, l with
                | S _, _ => skipn stand l
                | O, none :: _ => map (fun _ => none) l
                | O, [] => [] end)
    | Axis l =>
        Axis ((fix each (stand : nat) (l : list cube) :=
          match l with [] => [] | x :: l => after stand x :: each (S stand) l end) stand l)
    end.

  (** Where all dice are in revenue; and before that the highest die is fixed. *)

  Fixpoint full (x : cube) : list N :=
    match x with Scores l => l | Axis l => (fix final (l : list cube) :=
      match l with [] => [] | [x] => full x | _ :: l => final l end) l end.

  Fixpoint fix_first (x : cube) (next : list N) : cube :=
    match x with
    | Scores _ => Scores next
    | Axis l => Axis ((fix each (l : list cube) :=
        match l with
        | [] => []
        | x :: rest => fix_first x (match rest with [] => next | y :: _ => full y end) :: each rest
        end) l)
    end.

  (** What rolling all dice of a block is worth, by the number of rounds left then. *)

  Fixpoint play (faces : list nat) (x : cube) (nexts : list (list N)) : list (list N) :=
    let rolled := roll faces (after 0 x) in
    full rolled ::
      match nexts with [] => [] | next :: nexts => play faces (fix_first rolled next) nexts end.

  Definition known := list (list nat * list (list N)).

  Definition after_move (have : known) (dice : list nat) : list (list N) :=
    let each := map (fun t => match find (fun entry => same_dice (fst entry) (revenue t)) have with
                              | Some entry => snd entry | None => [] end)
                  (after_moves (Table dice (map (fun _ => O) dice))) in
    match each with [] => [] | first :: others => fold_left (zip (zip N.max)) others first end.

  Fixpoint cube_of (dice : list nat) (start : list N) : cube :=
    match dice with [] => Scores start | n :: dice => Axis (repeat (cube_of dice start) (S n)) end.

  (** No more can be scored in all rounds than with so many dice, of which a round adds one at
    most. *)

  Definition at_end (scale : positive) (rounds : nat) (dice : list nat) : list N :=
    let count := list_sum dice in
    map (fun s => N.of_nat s * Npos scale)%N
      (seq 0 (S (fold_right (fun j n => Nat.min j count + n) 0 (seq 1 rounds))))%nat.

  Definition of_weight (rungs weight : nat) : list (list nat) :=
    map fst (filter (fun pool => snd pool =? 0)%nat (pools 1 rungs weight)).

  Fixpoint down (faces : list nat) (scale : positive) (rounds weight : nat) (have : known) : known
    :=
    match weight with
    | O => have
    | S less => down faces scale rounds less
        (map (fun dice => (dice, play faces (cube_of dice (at_end scale rounds dice)) (after_move
          have dice)))
          (of_weight (length faces) weight))
    end.

  Definition bound (faces : list nat) (scale : positive) (rounds : nat) : option N :=
    let start := after_move (down faces scale rounds rounds []) (map (fun _ => O) faces) in
    match nth_error start (pred rounds) with Some (first :: _) => Some first | _ => None end.
End Program.

Definition swe_bounds (faces : list nat) (scale : positive) (rounds : nat) : option (N * N) :=
  match bound false faces scale rounds, bound true faces scale rounds with
  | Some low, Some high => Some (low, high)
  | _, _ => None
  end.

(** ** What it computes are bounds *)

Lemma zip_nth {X Y} (f : X -> X -> Y) : forall l m k z, nth_error (zip f l m) k = Some z ->
  exists x y, nth_error l k = Some x /\ nth_error m k = Some y /\ z = f x y.
Proof.
  induction l as [|x l IH]; intros [|y m] [|k] z H; try discriminate.
  - injection H as <-. now exists x, y.
  - exact (IH m k z H).
Qed.

Lemma length_zip {X Y} (f : X -> X -> Y) : forall l m, length (zip f l m) = Nat.min (length l)
  (length m).
Proof. induction l as [|x l IH]; intros [|y m]; simpl; auto. Qed.

Lemma nth_error_skip {X} n : forall (l : list X) k, nth_error (skipn n l) k = nth_error l (n + k).
Proof. induction n as [|n IH]; intros [|x l] k; try reflexivity; [now destruct k | apply IH]. Qed.

Lemma inside_length {X} (l : list X) n k x : length l = S n -> nth_error l k = Some x -> (k <=
  n)%nat.
Proof. intros L H. assert (nth_error l k <> None) as some by congruence. apply nth_error_Some in
  some. lia. Qed.

Lemma nth_error_of_seq n : forall first k x, nth_error (seq first n) k = Some x -> x = (first +
  k)%nat.
Proof.
  induction n as [|n IH]; intros first [|k] x H; try discriminate; [injection H as <-; lia|].
  apply IH in H. lia.
Qed.

(** What is left in legacy of a block. *)

Fixpoint less (dice kept : list nat) : list nat :=
  match dice, kept with n :: dice, k :: kept => (n - k)%nat :: less dice kept | _, _ => [] end.

Definition standing (dice kept : list nat) : table := Table kept (less dice kept).

Lemma less_itself dice : less dice dice = map (fun _ => O) dice.
Proof. induction dice as [|n dice IH]; [reflexivity|]. simpl. now rewrite IH, Nat.sub_diag. Qed.

Lemma length_less dice : forall kept, length kept = length dice -> length (less dice kept) = length
  dice.
Proof. induction dice as [|n dice IH]; intros [|k kept] L; try discriminate; [reflexivity|]. simpl.
  auto. Qed.

Lemma fallen_less dice : forall rolls kept, Forall2 le rolls dice -> Forall2 le kept rolls ->
  fallen rolls kept (less dice rolls) = less dice kept.
Proof.
  induction dice as [|n dice IH]; intros rolls kept H H'; inversion H; subst; inversion H'; subst;
    [reflexivity|]. cbn [less fallen]. rewrite IH by assumption. f_equal. lia.
Qed.

(** The numbers of revenue dice once the highest legacy die is fixed; None if there is none. *)

Fixpoint step_up (dice kept : list nat) : option (list nat) :=
  match dice, kept with
  | n :: dice, k :: kept =>
      match step_up dice kept with
      | Some kept => Some (k :: kept)
      | None => if (k <? n)%nat then Some (S k :: dice) else None
      end
  | _, _ => None
  end.

Lemma none_to_fix dice : forall kept, Forall2 le kept dice -> step_up dice kept = None -> kept =
  dice.
Proof.
  induction dice as [|n dice IH]; intros kept H E; inversion H as [|k n' rest dice' Hk Hrest];
    subst; [reflexivity|].
  cbn [step_up] in E. destruct (step_up dice rest) eqn:Up; [discriminate|].
  rewrite (IH rest Hrest Up). destruct (k <? n)%nat eqn:L; [discriminate|]. apply Nat.ltb_ge in L.
  f_equal. lia.
Qed.

Lemma one_to_fix dice : forall kept next, Forall2 le kept dice -> step_up dice kept = Some next ->
  Forall2 le next dice /\
  exists rung, most_robust rung (standing dice kept) /\ fixed rung (standing dice kept) = standing
    dice next.
Proof.
  induction dice as [|n dice IH]; intros kept next H E; inversion H as [|k n' rest dice' Hk Hrest];
    subst;
    [discriminate|].
  cbn [step_up] in E. destruct (step_up dice rest) as [above|] eqn:Up.
  - injection E as <-. destruct (IH rest above Hrest Up) as (most & rung & [full highest] & same).
    split; [now constructor|]. exists (S rung). split; [split|].
    + exact full.
    + intros [|i] Hi; [lia|]. apply (highest i). lia.
    + unfold fixed, standing in *. cbn [less revenue legacy bump drop] in *. injection same as ->
      ->. reflexivity.
  - destruct (k <? n)%nat eqn:L; [|discriminate]. injection E as <-. apply Nat.ltb_lt in L.
    rewrite (none_to_fix dice rest Hrest Up). split; [constructor; [lia | apply le_itself]|].
    exists O. split; [split|].
    + unfold occupied, standing. cbn [less legacy nth]. apply Nat.ltb_lt. lia.
    + intros [|i] Hi; [lia|]. unfold occupied, standing. cbn [less legacy nth].
      rewrite less_itself, zeros_of, nth_repeat. reflexivity.
    + unfold fixed, standing. cbn [less revenue legacy bump drop]. f_equal. f_equal. lia.
Qed.

Section Sound.
  Context (up : bool) (scale : positive).

  Definition holds (a : N) (q : Q) : Prop :=
    let number := inject_Z (Z.of_N a) in
    let scaled := q * inject_Z (Zpos scale) in
    if up then scaled <= number else number <= scaled.

  Lemma holds_equal a q r : q == r -> holds a q -> holds a r.
  Proof. unfold holds. intros E. destruct up; rewrite E; auto. Qed.

  Lemma one_die_holds f a b x y : (1 <= f)%nat -> holds a x -> holds b y ->
    let fail := 1 # Pos.of_nat f in
    holds (one_die up (N.of_nat (pred f)) a b) (fail * x + (1 - fail) * y).
  Proof.
    intros Hf Ha Hb fail. unfold one_die. set (g := N.of_nat (pred f)). set (d := ((a + g * b + (if
      up then g else 0)) / (g + 1))%N).
    set (G := inject_Z (Z.of_N g)). set (D := inject_Z (Z.of_N d)).
    set (A := inject_Z (Z.of_N a)). set (B := inject_Z (Z.of_N b)).
    assert (fail * (G + 1) == 1) as whole.
    { assert (G + 1 == inject_Z (Zpos (Pos.of_nat f))) as ->
        by (subst G g; unfold Qeq, Qplus, inject_Z; cbn [Qnum Qden]; lia).
      subst fail. unfold Qeq. simpl. lia. }
    assert (0 <= fail) as positive by (subst fail; discriminate).
    assert (0 <= G) as some by (subst G; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
    apply holds_equal with (fail * (x + G * y)); [setoid_replace (1 - fail) with (fail * G) by lra;
      ring|].
    assert (D == fail * ((G + 1) * D)) as E by (rewrite Qmult_assoc, whole; ring).
    pose proof (N.div_mod (a + g * b + (if up then g else 0)) (g + 1) ltac:(lia)) as parts.
    pose proof (N.mod_lt (a + g * b + (if up then g else 0)) (g + 1) ltac:(lia)) as small.
    fold d in parts. set (rest := (_ mod _)%N) in *. clearbody rest d g. unfold holds in *. cbv
      zeta in *. fold A in Ha. fold B in Hb. fold D.
    set (S := inject_Z (Zpos scale)) in *. clearbody S.
    destruct up; rewrite E.
    - assert (Z.of_N a + Z.of_N g * Z.of_N b <= (Z.of_N g + 1) * Z.of_N d)%Z as whole_numbers by
      lia.
      assert (A + G * B <= (G + 1) * D) as lower
        by (subst A B G D; unfold Qle, Qplus, Qmult, inject_Z; cbn [Qnum Qden]; lia).
      setoid_replace (fail * (x + G * y) * S) with (fail * (x * S + G * (y * S))) by ring.
      rewrite !(Qmult_comm fail). apply Qmult_le_compat_r; [|exact positive].
      assert (G * (y * S) <= G * B) by (rewrite !(Qmult_comm G); apply Qmult_le_compat_r;
        assumption).
      clearbody A B G D. clear -Ha H lower. lra.
    - assert ((Z.of_N g + 1) * Z.of_N d <= Z.of_N a + Z.of_N g * Z.of_N b)%Z as whole_numbers by
      lia.
      assert ((G + 1) * D <= A + G * B) as upper
        by (subst A B G D; unfold Qle, Qplus, Qmult, inject_Z; cbn [Qnum Qden]; lia).
      setoid_replace (fail * (x + G * y) * S) with (fail * (x * S + G * (y * S))) by ring.
      rewrite !(Qmult_comm fail). apply Qmult_le_compat_r; [|exact positive].
      assert (G * B <= G * (y * S)) by (rewrite !(Qmult_comm G); apply Qmult_le_compat_r;
        assumption).
      clearbody A B G D. clear -Ha H upper. lra.
  Qed.

  (** A list bounds a function of the score; a cube bounds one of the revenue dice of a block too.
    *)

  Definition list_bounds (l : list N) (v : nat -> Q) : Prop :=
    forall s a, nth_error l s = Some a -> holds a (v s).

  Fixpoint cube_bounds (dice : list nat) (x : cube) (v : list nat -> nat -> Q) : Prop :=
    match dice, x with
    | [], Scores l => list_bounds l (v [])
    | n :: dice, Axis l => length l = S n /\
        forall k x, nth_error l k = Some x -> cube_bounds dice x (fun kept => v (k :: kept))
    | _, _ => False
    end.

  Lemma list_bounds_equal l v w : (forall s, v s == w s) -> list_bounds l v -> list_bounds l w.
  Proof. intros E H s a Ha. exact (holds_equal a _ _ (E s) (H s a Ha)). Qed.

  Lemma bounds_equal dice : forall x v w,
    (forall kept s, Forall2 le kept dice -> v kept s == w kept s) ->
    cube_bounds dice x v -> cube_bounds dice x w.
  Proof.
    induction dice as [|n dice IH]; intros [l|l] v w E H; try contradiction.
    - refine (list_bounds_equal l _ _ _ H). intros s. apply E. constructor.
    - destruct H as [L each]. split; [exact L|]. intros k x Hk.
      refine (IH x _ _ _ (each k x Hk)). intros kept s most. apply E.
      constructor; [exact (inside_length l n k x L Hk) | exact most].
  Qed.

  Lemma throw_bounds f dice : (1 <= f)%nat -> forall x y v w,
    cube_bounds dice x v -> cube_bounds dice y w ->
    let fail := 1 # Pos.of_nat f in
    cube_bounds dice (throw up (N.of_nat (pred f)) x y)
      (fun kept s => fail * v kept s + (1 - fail) * w kept s).
  Proof.
    intros Hf. induction dice as [|n dice IH]; intros [l|l] [m|m] v w H H' fail; try contradiction.
    - intros s a Ha. apply zip_nth in Ha as (b & c & Hb & Hc & ->).
      apply one_die_holds; [exact Hf | exact (H s b Hb) | exact (H' s c Hc)].
    - destruct H as [L each], H' as [L' each']. cbn [throw cube_bounds]. split.
      + rewrite length_zip, L, L'. lia.
      + intros k z Hz. apply zip_nth in Hz as (x & y & Hx & Hy & ->).
        exact (IH x y _ _ (each k x Hx) (each' k y Hy)).
  Qed.

  Lemma throws_bounds f dice (W : nat -> nat -> list nat -> nat -> Q) : (1 <= f)%nat ->
    (forall m k kept s, let fail := 1 # Pos.of_nat f in
      W (S m) k kept s == fail * W m k kept s + (1 - fail) * W m (S k) kept s) ->
    forall most l level, (length l <= most)%nat ->
    (forall k x, nth_error l k = Some x -> cube_bounds dice x (W level k)) ->
    length (throws up most (N.of_nat (pred f)) l) = length l /\
    forall m x, nth_error (throws up most (N.of_nat (pred f)) l) m = Some x ->
      cube_bounds dice x (W (level + m)%nat O).
  Proof.
    intros Hf step. induction most as [|most IH]; intros [|x l] level L H; simpl in L; try lia;
      [split; [reflexivity | intros [|m]; discriminate] .. |].
    cbn [throws]. set (next := zip _ _ _).
    destruct (IH next (S level)) as [same each].
    - subst next. rewrite length_zip. cbn [length]. lia.
    - intros k z Hz. subst next. apply zip_nth in Hz as (y & y' & Hy & Hy' & ->).
      refine (bounds_equal _ _ _ _ _ (throw_bounds f dice Hf y y' _ _ (H k y Hy) (H (S k) y' Hy'))).
      intros kept s _. symmetry. apply step.
    - split; [subst next; cbn [length]; rewrite same, length_zip; cbn [length]; lia|].
      intros [|m] y Hy.
      + injection Hy as <-. rewrite Nat.add_0_r. now apply (H O).
      + rewrite <- Nat.add_succ_comm. exact (each m y Hy).
  Qed.

  (** *** Rolls *)

  Fixpoint rolled_by (faces dice : list nat) (v : list nat -> Q) : Q :=
    match faces, dice with
    | f :: faces, n :: dice =>
        after_throw (1 # Pos.of_nat f) n (fun k => rolled_by faces dice (fun kept => v (k :: kept)))
    | _, _ => v []
    end.

  Lemma after_throw_equal p n : forall f g, (forall k, f k == g k) -> after_throw p n f ==
    after_throw p n g.
  Proof.
    induction n as [|n IH]; intros f g E; cbn [after_throw]; [apply E|].
    rewrite (IH f g E), (IH (fun k => f (S k)) (fun k => g (S k))) by (intros; apply E).
      reflexivity.
  Qed.

  Lemma throw_of_dice f n : (1 <= f)%nat -> forall h,
    after_throw (1 # Pos.of_nat f) n h
    == binomial_sum (Z.of_nat f - 1) n h * (1 # Z.to_pos (Z.of_nat f ^ Z.of_nat n)).
  Proof.
    intros Hf. induction n as [|n IH]; intros h.
    - unfold binomial_sum, powers. cbn. change (1 # 1) with 1. ring.
    - cbn [after_throw]. rewrite !IH, binomial_sum_more.
      set (x := inject_Z (Z.of_nat f - 1)).
      rewrite (binomial_sum_equal (Z.of_nat f - 1) n (fun k => h k + x * h (S k))
        (fun k => 1 * h k + x * h (S k))) by (intros; ring).
      rewrite binomial_sum_linear.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z2Pos.inj_mul by (try apply Z.pow_pos_nonneg; lia).
      set (w := Z.to_pos (Z.of_nat f ^ Z.of_nat n)).
      assert (1 # Z.to_pos (Z.of_nat f) * w == (1 # Pos.of_nat f) * (1 # w)) as ->.
      { replace (Z.to_pos (Z.of_nat f)) with (Pos.of_nat f) by lia. reflexivity. }
      assert (1 - (1 # Pos.of_nat f) == (1 # Pos.of_nat f) * x) as ->.
      { subst x. replace (Z.of_nat f) with (Zpos (Pos.of_nat f)) by lia.
        unfold Qeq, Qminus, Qplus, Qopp, Qmult, inject_Z; cbn [Qnum Qden]; lia. }
      ring.
  Qed.

  Lemma rolled_by_outcomes faces : (forall f, In f faces -> (1 <= f)%nat) -> forall dice v,
    length dice = length faces ->
    rolled_by faces dice v == outcomes faces dice v * (1 # all_ways faces dice).
  Proof.
    induction faces as [|f faces IH]; intros one [|n dice] v L; try discriminate.
    - unfold outcomes. cbn. change (1 # 1) with 1. ring.
    - cbn [rolled_by all_ways]. pose proof (one f (or_introl eq_refl)) as Hf.
      rewrite outcomes_step, throw_of_dice by exact Hf.
      set (w := Z.to_pos _). set (u := all_ways faces dice).
      assert (1 # w * u == (1 # w) * (1 # u)) as -> by reflexivity.
      rewrite (binomial_sum_equal (Z.of_nat f - 1) n (fun k => rolled_by faces dice (fun kept => v
        (k :: kept)))
        (fun k => (1 # u) * outcomes faces dice (fun kept => v (k :: kept))
                  + 0 * outcomes faces dice (fun kept => v (k :: kept)))).
      + rewrite binomial_sum_linear. ring.
      + intros k. rewrite IH by (try (intros; apply one; now right); now injection L). fold u. ring.
  Qed.

  Lemma roll_bounds faces : (forall f, In f faces -> (1 <= f)%nat) -> forall dice x v,
    length dice = length faces -> cube_bounds dice x v ->
    cube_bounds dice (roll up faces x) (fun rolls s => rolled_by faces rolls (fun kept => v kept
      s)).
  Proof.
    induction faces as [|f faces IH]; intros one [|n dice] x v L H; try discriminate; [exact H|].
    destruct x as [l|l]; [contradiction|]. destruct H as [Ll each]. cbn [roll cube_bounds].
    pose (W := fun m k rolls s => after_throw (1 # Pos.of_nat f) m
      (fun j => rolled_by faces rolls (fun kept => v ((k + j)%nat :: kept) s))).
    destruct (throws_bounds f dice W (one f (or_introl eq_refl))) with
      (most := length l) (l := map (roll up faces) l) (level := O) as [same bounded].
    - intros m k rolls s fail. unfold W. cbn [after_throw]. fold fail.
      apply Qplus_comp; [reflexivity|]. apply Qmult_comp; [reflexivity|].
      apply after_throw_equal. intros j. now rewrite Nat.add_succ_r.
    - now rewrite map_length.
    - intros k y Hy. rewrite nth_error_map in Hy. destruct (nth_error l k) as [x|] eqn:E;
      [|discriminate].
      injection Hy as <-. unfold W. cbn [after_throw].
      refine (bounds_equal _ _ _ _ _ (IH (fun f Hf => one f (or_intror Hf)) dice x _
        ltac:(now injection L) (each k x E))).
      intros rolls s _. now rewrite Nat.add_0_r.
    - split; [now rewrite same, map_length|]. intros m y Hy. exact (bounded m y Hy).
  Qed.

  (** *** After a roll, before it, and the table where nothing is legacy *)

  Definition arrived (s stand : nat) : nat := match stand with O => O | survive => (s +
    survive)%nat end.

  Lemma after_each : forall l stand k y,
    nth_error ((fix each (stand : nat) (l : list cube) :=
      match l with [] => [] | x :: l => after stand x :: each (S stand) l end) stand l) k = Some y
        ->
    exists x, nth_error l k = Some x /\ y = after (stand + k) x.
  Proof.
    induction l as [|x l IH]; intros stand [|k] y H; try discriminate.
    - injection H as <-. exists x. now rewrite Nat.add_0_r.
    - destruct (IH (S stand) k y H) as (z & Hz & ->). exists z.
      now rewrite Nat.add_succ_r.
  Qed.

  Lemma after_length : forall l stand,
    length ((fix each (stand : nat) (l : list cube) :=
      match l with [] => [] | x :: l => after stand x :: each (S stand) l end) stand l) = length l.
  Proof. induction l as [|x l IH]; intros stand; simpl; auto. Qed.

  Lemma after_bounds dice : forall x v stand, cube_bounds dice x v ->
    cube_bounds dice (after stand x) (fun kept s => v kept (arrived s (stand + list_sum kept))).
  Proof.
    induction dice as [|n dice IH]; intros [l|l] v stand H; try contradiction.
    - intros s a Ha. cbn [list_sum fold_right]. rewrite Nat.add_0_r.
      destruct stand as [|stand]; cbn [arrived].
      + destruct l as [|none l]; [now destruct s|]. rewrite nth_error_map in Ha.
        destruct (nth_error _ s); [injection Ha as <-|discriminate]. now apply (H O).
      + rewrite nth_error_skip, Nat.add_comm in Ha. now apply H.
    - destruct H as [L each]. cbn [after cube_bounds]. rewrite after_length. split; [exact L|].
      intros k y Hy. apply after_each in Hy as (x & Hx & ->).
      refine (bounds_equal _ _ _ _ _ (IH x _ (stand + k)%nat (each k x Hx))).
      intros kept s _. change (list_sum (k :: kept)) with (k + list_sum kept)%nat.
      now rewrite Nat.add_assoc.
  Qed.

  Lemma final_is l : forall n, length l = S n -> exists x, nth_error l n = Some x /\
    full (Axis l) = full x.
  Proof.
    induction l as [|x l IH]; intros n L; [discriminate|].
    destruct l as [|y l]; [destruct n; [now exists x | discriminate]|].
    destruct n as [|n]; [discriminate|]. destruct (IH n) as (z & Hz & E); [cbn [length] in *; lia|].
    exists z. split; [exact Hz | exact E].
  Qed.

  Lemma full_bounds dice : forall x v, cube_bounds dice x v -> list_bounds (full x) (v dice).
  Proof.
    induction dice as [|n dice IH]; intros [l|l] v H; try contradiction; [exact H|].
    destruct H as [L each]. destruct (final_is l n L) as (x & Hx & ->).
    exact (IH x _ (each n x Hx)).
  Qed.

  Definition stepped (dice : list nat) (v : list nat -> nat -> Q) (u : nat -> Q) (kept : list nat)
    : nat -> Q :=
    match step_up dice kept with Some next => v next | None => u end.

  Lemma fix_each next : forall l k y,
    nth_error ((fix each (l : list cube) :=
      match l with
      | [] => []
      | x :: rest =>
          fix_first x (match rest with [] => next | y :: _ => full y end) :: each rest
      end) l) k = Some y ->
    exists x, nth_error l k = Some x /\
      y = fix_first x (match nth_error l (S k) with None => next | Some z => full z end).
  Proof.
    induction l as [|x l IH]; intros [|k] y H; try discriminate.
    - injection H as <-. exists x. split; [reflexivity|]. now destruct l.
    - exact (IH k y H).
  Qed.

  Lemma fix_length next : forall l,
    length ((fix each (l : list cube) :=
      match l with
      | [] => []
      | x :: rest =>
          fix_first x (match rest with [] => next | y :: _ => full y end) :: each rest
      end) l) = length l.
  Proof. induction l as [|x l IH]; simpl; auto. Qed.

  Lemma fix_bounds dice : forall x v next u, cube_bounds dice x v -> list_bounds next u ->
    cube_bounds dice (fix_first x next) (stepped dice v u).
  Proof.
    induction dice as [|n dice IH]; intros [l|l] v next u H Hu; try contradiction; [exact Hu|].
    destruct H as [L each]. cbn [fix_first cube_bounds]. rewrite fix_length. split; [exact L|].
    intros k y Hy. apply fix_each in Hy as (x & Hx & ->).
    pose proof (inside_length l n k x L Hx) as Hk.
    refine (bounds_equal _ _ _ _ _ (IH x (fun kept => v (k :: kept)) _
      (if (k <? n)%nat then v (S k :: dice) else u) (each k x Hx) _)).
    - intros kept s _. unfold stepped. cbn [step_up].
      destruct (step_up dice kept); [reflexivity|]. now destruct (k <? n)%nat.
    - destruct (Nat.ltb_spec k n) as [less|more].
      + destruct (nth_error l (S k)) as [z|] eqn:E; [|apply nth_error_None in E; lia].
        exact (full_bounds dice z _ (each (S k) z E)).
      + destruct (nth_error l (S k)) as [z|] eqn:E; [|exact Hu].
        pose proof (inside_length l n (S k) z L E). lia.
  Qed.

  (** *** All rounds of a block *)

  Context (faces : list nat).
  Hypothesis is_ladder : ladder faces.
  Hypothesis rises : rising faces.

  Lemma one_at_least f : In f faces -> (1 <= f)%nat.
  Proof. intros H. pose proof (proj2 is_ladder f H). lia. Qed.

  Lemma standing_on dice kept : length dice = length faces -> Forall2 le kept dice ->
    on_ladder faces (standing dice kept).
  Proof.
    intros L most. pose proof (same_length _ _ _ most). split; cbn [standing revenue legacy];
      rewrite ?length_less; congruence.
  Qed.

  Lemma worth_of_roll n dice rolls s : length dice = length faces -> Forall2 le rolls dice ->
    rolled_by faces rolls (fun kept => swe_value faces n (standing dice kept) (arrived s (0 +
      list_sum kept)))
    == swe_worth faces n (standing dice rolls) s.
  Proof.
    intros L most. pose proof (same_length _ _ _ most) as same.
    rewrite (rolled_by_outcomes faces one_at_least) by congruence.
    unfold swe_worth, outcomes. cbn [standing revenue].
    apply Qmult_comp; [|reflexivity]. apply sum_equal. intros [w kept] Hin. cbn [fst snd].
    destruct (survivors_kept faces rolls w kept ltac:(congruence) Hin) as (_ & few & _).
    unfold after_roll, standing. cbn [revenue legacy]. rewrite fallen_less by assumption.
    unfold arrived, score_after. now destruct (list_sum kept).
  Qed.

  Lemma value_of_fix n dice kept s : length dice = length faces -> Forall2 le kept dice ->
    stepped dice (fun rolls => swe_worth faces n (standing dice rolls))
      (swe_value faces (S n) (standing dice dice)) kept s
    == swe_value faces (S n) (standing dice kept) s.
  Proof.
    intros L most. unfold stepped. destruct (step_up dice kept) as [next|] eqn:E.
    - destruct (one_to_fix dice kept next most E) as (_ & rung & highest & same).
      rewrite <- (fix_most_robust faces n (standing dice kept) s rung is_ladder rises
        (standing_on dice kept L most) highest), same.
      unfold worth, mean, swe_worth. cbn [rolling reward denominator moves].
      rewrite sum_map. cbn [fst snd].
      setoid_replace (0 # all_ways faces (revenue (standing dice next))) with 0 by reflexivity.
      rewrite Qplus_0_l. reflexivity.
    - now rewrite (none_to_fix dice kept most E).
  Qed.

  Lemma play_bounds dice : length dice = length faces -> forall nexts x n,
    cube_bounds dice x (fun kept => swe_value faces n (standing dice kept)) ->
    (forall j next, nth_error nexts j = Some next ->
      list_bounds next (swe_value faces (S (n + j)) (standing dice dice))) ->
    forall m c, nth_error (play up faces x nexts) m = Some c ->
      list_bounds c (swe_worth faces (n + m) (standing dice dice)).
  Proof.
    intros L. induction nexts as [|next nexts IH]; intros x n Hx Hnext m c Hc;
      cbn [play] in Hc; set (rolled := roll up faces (after 0 x)) in Hc;
      assert (cube_bounds dice rolled (fun rolls => swe_worth faces n (standing dice rolls))) as
        bounded
        by (refine (bounds_equal _ _ _ _ _ (roll_bounds faces one_at_least dice _ _ L
              (after_bounds dice x _ 0 Hx))); intros; now apply worth_of_roll);
      (destruct m as [|m]; [injection Hc as <-; rewrite Nat.add_0_r; exact (full_bounds dice _ _
        bounded)|]).
    - destruct m; discriminate.
    - rewrite <- Nat.add_succ_comm. apply (IH (fix_first rolled next) (S n)); [| |exact Hc].
      + refine (bounds_equal _ _ _ _ _ (fix_bounds dice rolled _ next
          (swe_value faces (S n) (standing dice dice)) bounded _)).
        * intros kept s most. now apply value_of_fix.
        * specialize (Hnext O next eq_refl). now rewrite Nat.add_0_r in Hnext.
      + intros j next' H. rewrite Nat.add_succ_comm. exact (Hnext (S j) next' H).
  Qed.

  (** *** From block to block *)

  Definition right (have : known) : Prop :=
    forall dice list, In (dice, list) have -> length dice = length faces ->
    forall m c, nth_error list m = Some c -> list_bounds c (swe_worth faces m (standing dice dice)).

  Definition number_at (list : list (list N)) (m s : nat) (a : N) : Prop :=
    exists c, nth_error list m = Some c /\ nth_error c s = Some a.

  Lemma greatest_of m s : forall others first a,
    number_at (fold_left (zip (zip N.max)) others first) m s a ->
    (forall list, In list (first :: others) -> exists b, number_at list m s b /\ (b <= a)%N) /\
    exists list, In list (first :: others) /\ number_at list m s a.
  Proof.
    induction others as [|other others IH]; intros first a H.
    - split; [intros list [<- | []]; exists a; split; [exact H | apply N.le_refl]|].
      exists first. split; [now left | exact H].
    - cbn [fold_left] in H. destruct (IH _ _ H) as [above (list & Hin & Hlist)].
      assert (forall b, number_at (zip (zip N.max) first other) m s b ->
        exists x y, number_at first m s x /\ number_at other m s y /\ b = N.max x y) as of_two.
      { intros b (c & Hc & Hb). apply zip_nth in Hc as (c1 & c2 & H1 & H2 & ->).
        apply zip_nth in Hb as (x & y & Hx & Hy & ->). exists x, y. repeat split; eexists; eauto. }
      split.
      + intros l Hl.
        assert (In l (first :: other :: nil) \/ In l others) as [Hl' | Hl'] by (simpl in *; tauto);
          [|apply above; now right].
        destruct (above _ (or_introl eq_refl)) as (b & Hb & less).
        apply of_two in Hb as (x & y & Hx & Hy & ->).
        destruct Hl' as [<- | [<- | []]]; [exists x | exists y]; split; try assumption; lia.
      + destruct Hin as [<- | Hin]; [|exists list; simpl; auto].
        apply of_two in Hlist as (x & y & Hx & Hy & ->).
        destruct (N.max_spec x y) as [[_ ->] | [_ ->]]; [exists other | exists first]; simpl; auto.
  Qed.

  Lemma after_move_bounds have dice : right have -> length dice = length faces ->
    forall m next, nth_error (after_move have dice) m = Some next ->
    list_bounds next (swe_value faces (S m) (standing dice dice)).
  Proof.
    intros Hhave L m next Hnext s a Ha. unfold after_move in Hnext.
    assert (standing dice dice = Table dice (map (fun _ => O) dice)) as E
      by (unfold standing; now rewrite less_itself).
    set (entry := fun t => match find _ have with Some e => snd e | None => [] end) in Hnext.
    set (t0 := Table dice (map (fun _ => O) dice)) in *.
    assert (on_ladder faces t0) as on by (split; cbn [t0 revenue legacy]; rewrite ?map_length;
      exact L).
    assert (forall t, In t (after_moves t0) -> forall b, number_at (entry t) m s b ->
      holds b (swe_worth faces m t s)) as each.
    { intros t Ht b (c & Hc & Hb). subst entry. cbv beta in Hc.
      destruct (find _ have) as [[dice' list]|] eqn:F; [|destruct m; discriminate].
      apply find_some in F as [Hin same]. cbn [fst snd] in *. apply same_dice_means in same. subst
        dice'.
      pose proof (after_moves_on_ladder faces t0 t on Ht) as [Lup Ldown].
      assert (t = standing (revenue t) (revenue t)) as ->.
      { unfold standing. rewrite less_itself, zeros_of, Lup. unfold t0, after_moves in Ht.
        rewrite zeros_of, zeros_unoccupied in Ht.
        destruct Ht as [<- | Ht]; [|apply in_map_iff in Ht as (i & <- & _)]; cbn [revenue legacy];
          now rewrite L. }
      cbn [standing revenue] in *. exact (Hhave _ list Hin Lup m c Hc s b Hb). }
    refine (holds_equal a _ _ _ _); [rewrite E; symmetry; apply swe_value_step|].
    destruct (map entry (after_moves t0)) as [|first others] eqn:M; [destruct m; discriminate|].
    destruct (greatest_of m s others first a) as [above (list & Hin & Hlist)]; [now exists next|].
    rewrite <- M in above, Hin. apply in_map_iff in Hin as (t & <- & Ht).
    pose proof (each t Ht a Hlist) as exact_one. unfold holds in *. cbv zeta in *.
    destruct up.
    - assert (In (highest (map (fun t' => swe_worth faces m t' s) (after_moves t0)))
                (map (fun t' => swe_worth faces m t' s) (after_moves t0))) as Hh
        by (apply highest_in; destruct (after_moves t0); discriminate).
      apply in_map_iff in Hh as (t' & <- & Ht').
      destruct (above (entry t')) as (b & Hb & less); [now apply in_map|].
      apply Qle_trans with (inject_Z (Z.of_N b)); [exact (each t' Ht' b Hb)|].
      rewrite <- Zle_Qle. lia.
    - apply Qle_trans with (1 := exact_one). apply Qmult_le_compat_r; [|discriminate].
      apply highest_is_upper. exact (in_map (fun t' => swe_worth faces m t' s) _ _ Ht).
  Qed.

  Lemma cube_of_bounds rounds dice all : length all = length faces ->
    cube_bounds dice (cube_of dice (at_end scale rounds all)) (fun _ s => inject_Z (Z.of_nat s)).
  Proof.
    intros _. induction dice as [|n dice IH].
    - intros s a Ha. unfold at_end in Ha. cbv zeta in Ha. rewrite nth_error_map in Ha.
      destruct (nth_error (seq 0 _) s) as [s'|] eqn:E; [injection Ha as <-|discriminate].
      apply nth_error_of_seq in E. simpl in E. subst s'.
      unfold holds. rewrite <- inject_Z_mult.
      replace (Z.of_N (N.of_nat s * N.pos scale)) with (Z.of_nat s * Zpos scale)%Z by lia.
      destruct up; apply Qle_refl.
    - split; [apply repeat_length|]. intros k x Hx. apply nth_error_In, repeat_spec in Hx. subst.
      exact IH.
  Qed.

  Lemma down_right rounds : forall weight have, right have -> right (down up faces scale rounds
    weight have).
  Proof.
    induction weight as [|weight IH]; intros have H; [exact H|]. cbn [down]. apply IH.
    intros dice list Hin L m c Hc. apply in_map_iff in Hin as (dice' & [= -> <-] & _).
    apply (play_bounds dice L (after_move have dice) _ O) with (3 := Hc).
    - refine (bounds_equal _ _ _ _ _ (cube_of_bounds rounds dice dice L)).
      intros kept s _. symmetry. apply swe_value_end.
    - intros j next Hn. exact (after_move_bounds have dice H L j next Hn).
  Qed.

  Lemma bound_holds rounds a : (1 <= rounds)%nat -> bound up faces scale rounds = Some a ->
    holds a (swe_value faces rounds (empty_table faces) 0).
  Proof.
    intros some H. unfold bound in H. set (none := map (fun _ => O) faces) in H.
    destruct (nth_error _ (pred rounds)) as [[|first rest]|] eqn:E; try discriminate. injection H
      as <-.
    assert (right []) as start by (intros dice list []).
    pose proof (after_move_bounds _ none (down_right rounds rounds [] start) (map_length _ faces)
      (pred rounds) _ E O first eq_refl) as H.
    replace (S (pred rounds)) with rounds in H by lia.
    unfold standing in H. rewrite less_itself in H. unfold none in H. rewrite map_map in H. exact H.
  Qed.
End Sound.

Theorem swe_bounds_hold : swe_bounds_statement swe_bounds.
Proof.
  intros faces scale rounds low high is_ladder rises some H. unfold swe_bounds in H.
  destruct (bound false faces scale rounds) as [l|] eqn:L; [|discriminate].
  destruct (bound true faces scale rounds) as [h|] eqn:U; [|discriminate]. injection H as <- <-.
  pose proof (bound_holds false scale faces is_ladder rises rounds l some L) as lower.
  pose proof (bound_holds true scale faces is_ladder rises rounds h some U) as upper.
  unfold holds in *. cbv zeta in *. set (v := swe_value _ _ _ _) in *. clearbody v.
  unfold Qle in *. cbn [Qnum Qden Qmult inject_Z] in *. split; lia.
Qed.
