(** * The software-engineering game, round by round

    Upwards from the last round each table of the weights that can come up gets a line above its
    value; and the policy that takes the first move each time earns what its own lines say. At the
    start both are the same number. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Backward Swe SweLines.
Import ListNotations.
Open Scope Q_scope.

Lemma Some_injective {X} (x y : X) : Some x = Some y -> x = y.
Proof. congruence. Qed.

Lemma in_all_some {X Y} (f : X -> option Y) l : forall found, all_some (map f l) = Some found ->
  forall y, In y found -> exists x, In x l /\ f x = Some y.
Proof.
  induction l as [|a l IH]; intros found H y Hy; simpl in H; [injection H as <-; contradiction|].
  destruct (f a) as [b|] eqn:E; [|discriminate].
  destruct (all_some (map f l)) as [rest|]; [|discriminate]. injection H as <-.
  destruct Hy as [<- | Hy]; [exists a; simpl; auto|].
  destruct (IH rest eq_refl y Hy) as (x & Hx & Hin). exists x. simpl. auto.
Qed.

Section Solve.
  Context (faces : list nat) (unit : Z) (rounds : nat).

  (** The highest score with [n] of all rounds left, and a line by table for each [n]. *)

  Definition cap (n : nat) : nat := let p := (rounds - n)%nat in Nat.div2 (p * S p).

  Definition rule := nat -> lines -> table -> option line.

  Definition upper_rule : rule := fun n known t =>
    match all_some (map (move_line faces unit (cap (S n)) (cap n) known) (after_moves t)) with
    | Some l => above_all (cap (S n)) l
    | None => None
    end.

  Definition first_rule : rule := fun n known t =>
    match after_moves t with
    | t' :: _ => move_line faces unit (cap (S n)) (cap n) known t'
    | [] => None
    end.

  (** The line of one move, that is best at the score 1: below the value. *)

  Definition lower_rule : rule := fun n known t =>
    match all_some (map (move_line faces unit (cap (S n)) (cap n) known) (after_moves t)) with
    | Some (first :: others) =>
        Some (fold_left (fun x y => if (at_line x 1 <? at_line y 1)%Z then y else x) others first)
    | _ => None
    end.

  Fixpoint solve (by_rule : rule) (tables : nat -> list table) (n : nat) : lines :=
    match n with
    | O => fun _ => Some (0, 1)%Z
    | S n =>
        let known := solve by_rule tables n in
        let found := store (by_rule n known) (tables (rounds - S n)%nat) in
        lookup found
    end.

  Hypothesis faces_ladder : ladder faces.
  Hypothesis unit_positive : (0 < unit)%Z.

  Lemma upper_bounds tables : forall n,
    bounds faces unit Qle (swe_value faces n) n (cap n) (solve upper_rule tables n).
  Proof.
    induction n as [|n IH]; intros t l H Ht s Hs.
    - injection H as <-. rewrite swe_value_end. unfold at_line. cbn [fst snd].
      change (unit ^ Z.of_nat 0)%Z with 1%Z. rewrite <- inject_Z_mult, <- Zle_Qle. lia.
    - cbn [solve] in H. cbv zeta in H. apply lookup_store in H. unfold upper_rule in H.
      destruct (all_some _) as [found|] eqn:E; [|discriminate].
      pose proof (above_all_means _ _ _ H) as above. rewrite swe_value_step.
      assert (In (highest (map (fun t' => swe_worth faces n t' s) (after_moves t)))
                (map (fun t' => swe_worth faces n t' s) (after_moves t))) as Hin.
      { apply highest_in. destruct (after_moves t) eqn:M; [now destruct (after_moves_some t)|].
        discriminate. }
      apply in_map_iff in Hin as (t' & <- & Hin).
      destruct (all_some_in _ _ _ E t' Hin) as (l' & Hl' & Hfound).
      apply Qle_trans with (inject_Z (at_line l' s)).
      + apply (move_line_bounds faces unit Qle) with (cap := cap (S n)) (cap' := cap n)
          (known := solve upper_rule tables n) (t' := t') (f := swe_value faces n); auto.
        * apply Qle_refl.
        * intros. apply Qplus_le_compat; assumption.
        * intros w x y Hw Hxy. rewrite !(Qmult_comm w). apply Qmult_le_compat_r; assumption.
        * intros x y x' y' E1 E2. rewrite E1, E2. auto.
        * exact (after_moves_on_ladder faces t t' Ht Hin).
      + rewrite <- Zle_Qle. exact (above l' Hfound s Hs).
  Qed.

  Lemma one_of (test : line -> line -> bool) : forall others first,
    In (fold_left (fun x y => if test x y then y else x) others first) (first :: others).
  Proof.
    induction others as [|y others IH]; intros first; [now left|]. simpl.
    destruct (test first y); [right; apply IH|].
    destruct (IH first) as [H | H]; [left; exact H | right; right; exact H].
  Qed.

  Lemma lower_bounds tables : forall n,
    bounds faces unit (fun x y => y <= x) (swe_value faces n) n (cap n) (solve lower_rule tables n).
  Proof.
    induction n as [|n IH]; intros t l H Ht s Hs.
    - injection H as <-. rewrite swe_value_end. unfold at_line. cbn [fst snd].
      change (unit ^ Z.of_nat 0)%Z with 1%Z. rewrite <- inject_Z_mult, <- Zle_Qle. lia.
    - cbn [solve] in H. cbv zeta in H. apply lookup_store in H. unfold lower_rule in H.
      destruct (all_some _) as [[|first others]|] eqn:E; try discriminate.
      apply Some_injective in H.
      pose proof (one_of (fun x y => (at_line x 1 <? at_line y 1)%Z) others first) as Hin.
      cbv beta in Hin. rewrite H in Hin. apply (in_all_some _ _ _ E) in Hin as (t' & Hin & Hl).
      rewrite swe_value_step.
      assert (0 <= inject_Z (unit ^ Z.of_nat (S n))) as scale
        by (rewrite <- (Zle_Qle 0); apply Z.pow_nonneg; lia).
      apply Qle_trans with (swe_worth faces n t' s * inject_Z (unit ^ Z.of_nat (S n))).
      + apply (move_line_bounds faces unit (fun x y => y <= x)) with (cap := cap (S n))
          (cap' := cap n) (known := solve lower_rule tables n) (t' := t') (f := swe_value faces n);
          auto.
        * apply Qle_refl.
        * intros. apply Qplus_le_compat; assumption.
        * intros w x y Hw Hxy. rewrite !(Qmult_comm w). apply Qmult_le_compat_r; assumption.
        * intros x y x' y' E1 E2. rewrite E1, E2. auto.
        * exact (after_moves_on_ladder faces t t' Ht Hin).
      + apply Qmult_le_compat_r; [|exact scale]. apply highest_is_upper.
        exact (in_map (fun t' => swe_worth faces n t' s) _ _ Hin).
  Qed.

  Definition first_total (n : nat) (h : list swe_state) (t : table) (s : nat) : Q :=
    total (swe faces) (stationary (fun _ => O)) (S n) h (Playing n t s).

  Lemma first_total_step n h t t' others s : after_moves t = t' :: others ->
    first_total (S n) h t s == mean_after faces (first_total n (Playing (S n) t s :: h)) t' s.
  Proof.
    intros M. unfold first_total, mean_after. remember (S n) as n'. cbn [total].
      subst n'. cbn [swe].
    rewrite M. cbn [map taken stationary nth]. unfold worth, mean. cbn [rolling reward denominator moves].
    rewrite sum_map. cbn [fst snd].
    setoid_replace (0 # all_ways faces (revenue t')) with 0 by reflexivity.
    rewrite Qplus_0_l. reflexivity.
  Qed.

  Lemma first_exact tables : forall n h,
    bounds faces unit Qeq (first_total n h) n (cap n) (solve first_rule tables n).
  Proof.
    induction n as [|n IH]; intros h t l H Ht s Hs.
    - injection H as <-. unfold at_line. cbn [fst snd]. change (unit ^ Z.of_nat 0)%Z with 1%Z.
      unfold first_total. cbn [total swe taken stationary nth]. unfold worth, mean.
      cbn [reward denominator moves sum fold_right fst snd total].
      rewrite Z.add_0_l, Z.mul_1_l. change (Z.of_nat s # 1) with (inject_Z (Z.of_nat s)).
      change (inject_Z 1) with 1. ring.
    - cbn [solve] in H. cbv zeta in H. apply lookup_store in H. unfold first_rule in H.
      destruct (after_moves t) as [|t' others] eqn:M; [discriminate|].
      assert (In t' (after_moves t)) as Hin by (rewrite M; now left).
      rewrite (first_total_step n h t t' others s M).
      apply (move_line_bounds faces unit Qeq) with (cap := cap (S n)) (cap' := cap n)
          (known := solve first_rule tables n); auto.
      + reflexivity.
      + intros x y x' y' E1 E2. rewrite E1, E2. reflexivity.
      + intros w x y _ E. rewrite E. reflexivity.
      + intros x y x' y' E1 E2. rewrite E1, E2. auto.
      + exact (after_moves_on_ladder faces t t' Ht Hin).
  Qed.
End Solve.

(** ** Tables of a weight, and the check *)

Fixpoint pools (unit rungs most : nat) : list (list nat * nat) :=
  match rungs with
  | O => [([], most)]
  | S rungs =>
      flat_map (fun n => map (fun pool => (n :: fst pool, snd pool))
                           (pools (S unit) rungs (most - unit * n)))
        (seq 0 (S (most / unit)))
  end.

Definition tables (rungs most : nat) : list table :=
  flat_map (fun up => map (fun down => Table (fst up) (fst down)) (pools 1 rungs (snd up)))
    (pools 1 rungs most).

(** Tables with dice on the lowest rung alone. *)

Definition low_tables (rungs most : nat) : list table :=
  map (fun t => Table (revenue t ++ repeat 0 (rungs - 1)) (legacy t ++ repeat 0 (rungs - 1)))%nat
    (tables 1 most).

(** The scaled value at the start that either rule gives. *)

Definition start_line (by_rule : list nat -> Z -> nat -> rule) (listing : nat -> nat -> list table)
    (unit : Z) (rounds : nat) : option line :=
  solve rounds (by_rule standard unit rounds) (listing 5%nat) rounds (empty_table standard).

Definition agree (unit : Z) (rounds : nat) : option Z :=
  match start_line upper_rule tables unit rounds, start_line first_rule low_tables unit rounds with
  | Some (A, _), Some (A', _) => if (A =? A')%Z then Some A else None
  | _, _ => None
  end.

Lemma standard_ladder : ladder standard.
Proof.
  split; [discriminate|]. unfold standard. intros f Hf. simpl in Hf.
  repeat destruct Hf as [<- | Hf]; try lia.
Qed.

Lemma start_on_ladder : on_ladder standard (empty_table standard).
Proof. split; reflexivity. Qed.

Lemma value_at_least_total n s :
  total (swe standard) (stationary (fun _ => O)) (S n) [] (Playing n (empty_table standard) s)
  <= swe_value standard n (empty_table standard) s.
Proof.
  exact (proj1 (backward_induction _ _ _ (swe_closed standard standard_ladder) (S n)
    (Playing n (empty_table standard) s) start_on_ladder) _ []).
Qed.

Lemma first_start unit rounds A B :
  start_line first_rule low_tables unit rounds = Some (A, B) ->
  total (swe standard) (stationary (fun _ => O)) (S rounds) [] (Playing rounds (empty_table
    standard) 0)
    * inject_Z (unit ^ Z.of_nat rounds) == inject_Z A.
Proof.
  intros H.
  pose proof (first_exact standard unit rounds standard_ladder (low_tables 5) rounds [] _ _ H
    start_on_ladder 0%nat (Nat.le_0_l _)) as E.
  unfold first_total, at_line in E. cbn [fst snd] in E.
  change (Z.of_nat 0) with 0%Z in E. rewrite Z.mul_0_r, Z.add_0_r in E. exact E.
Qed.

Lemma upper_start unit rounds A B :
  start_line upper_rule tables unit rounds = Some (A, B) ->
  swe_value standard rounds (empty_table standard) 0 * inject_Z (unit ^ Z.of_nat rounds) <=
    inject_Z A.
Proof.
  intros H.
  pose proof (upper_bounds standard unit rounds standard_ladder (tables 5) rounds _ _ H
    start_on_ladder 0%nat (Nat.le_0_l _)) as E.
  unfold at_line in E. cbn [fst snd] in E.
  change (Z.of_nat 0) with 0%Z in E. rewrite Z.mul_0_r, Z.add_0_r in E. exact E.
Qed.

Lemma agree_means unit rounds A : (0 < unit)%Z -> agree unit rounds = Some A ->
  let created := total (swe standard) (stationary (fun _ => O)) (S rounds) []
                   (Playing rounds (empty_table standard) 0) in
  swe_value standard rounds (empty_table standard) 0 == created /\
  created * inject_Z (unit ^ Z.of_nat rounds) == inject_Z A.
Proof.
  intros positive H created. unfold agree in H.
  destruct (start_line upper_rule tables unit rounds) as [[U B]|] eqn:E; [|discriminate].
  destruct (start_line first_rule low_tables unit rounds) as [[L B']|] eqn:E'; [|discriminate].
  destruct (U =? L)%Z eqn:S; [|discriminate]. injection H as <-. apply Z.eqb_eq in S. subst L.
  pose proof (first_start unit rounds U B' E') as low. fold created in low.
  pose proof (upper_start unit rounds U B E) as high.
  pose proof (value_at_least_total rounds 0) as least. fold created in least.
  split; [|exact low].
  assert (0 < inject_Z (unit ^ Z.of_nat rounds)) as scale
    by (rewrite <- (Zlt_Qlt 0); apply Z.pow_pos_nonneg; lia).
  apply Qle_antisym; [|exact least].
  apply (Qmult_le_r _ _ (inject_Z (unit ^ Z.of_nat rounds)) scale). rewrite low. exact high.
Qed.

Definition unit : Z := (2 ^ 22 * 3 ^ 5 * 5 ^ 2)%Z.

Theorem ten_rounds : ten_rounds_statement.
Proof.
  assert (match agree unit 10 with
          | Some A => A * 1298074214633706907132624082305024
                      =? 26589235523517983373148508703705849 * unit ^ Z.of_nat 10
          | None => false end = true)%Z as H by (vm_compute; reflexivity).
  destruct (agree unit 10) as [A|] eqn:E; [|discriminate]. apply Z.eqb_eq in H.
  destruct (agree_means unit 10 A ltac:(reflexivity) E) as [value created].
  unfold ten_rounds_statement, worth_of_rounds.
  match goal with |- _ /\ ?c == _ => assert (c == 26589235523517983373148508703705849
    # 1298074214633706907132624082305024) as R; [|split; [rewrite value; exact R | exact R]] end.
  set (c := total _ _ _ _ _) in *. clearbody c. clear -H created.
  set (scale := (unit ^ Z.of_nat 10)%Z) in *.
  assert (0 < scale)%Z as positive by reflexivity. clearbody scale.
  apply (Qmult_inj_r _ _ (inject_Z scale));
    [intros zero; unfold Qeq in zero; simpl in zero; lia|].
  rewrite created. unfold Qeq. cbn [Qnum Qden inject_Z Qmult]. lia.
Qed.

Theorem standard_dice : standard_dice_statement.
Proof. repeat (constructor; [vm_compute; reflexivity|]). constructor. Qed.
