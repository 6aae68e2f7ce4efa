(** * Bounds for the software-engineering game that are lines in the score

    With [n] rounds left a line (A, B) bounds a function of the score [s] by (A + B s) / unit^n. A
    line for a table before the roll is the mean of lines for what a roll leaves; where no die
    survives, of their values at the score 0. Above several lines lies one that is not below any of
    them at either end of the range of scores. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia FMapPositive.
From ExactDice Require Import Statements Sums Backward Swe.
Import ListNotations.
Open Scope Q_scope.

Definition line := (Z * Z)%type.

Definition at_line (l : line) (s : nat) : Z := (fst l + snd l * Z.of_nat s)%Z.

(** ** Lines of tables, by table *)

Definition lines := table -> option line.

Fixpoint encode (dice : list nat) (acc : positive) : positive :=
  match dice with [] => acc | n :: rest => encode rest (xO (Nat.iter n xI acc)) end.

Definition key (t : table) : positive := encode (revenue t ++ legacy t) 1.

Fixpoint same_dice (l m : list nat) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => (x =? y)%nat && same_dice l m
  | _, _ => false
  end.

Definition same_table (t u : table) : bool :=
  same_dice (revenue t) (revenue u) && same_dice (legacy t) (legacy u).

Definition stored := PositiveMap.t (table * line).

Definition lookup (m : stored) : lines := fun t =>
  match PositiveMap.find (key t) m with
  | Some (u, l) => if same_table t u then Some l else None
  | None => None
  end.

Definition store (rule : table -> option line) (tables : list table) : stored :=
  fold_left (fun m t => match rule t with Some l => PositiveMap.add (key t) (t,
    l) m | None => m end)
    tables (PositiveMap.empty _).

Lemma same_dice_means : forall l m, same_dice l m = true -> l = m.
Proof.
  induction l as [|x l IH]; intros [|y m] H; try discriminate; [reflexivity|].
  simpl in H. apply andb_true_iff in H as [H1 H2]. apply Nat.eqb_eq in H1. subst. f_equal. auto.
Qed.

Lemma lookup_store rule tables t l : lookup (store rule tables) t = Some l -> rule t = Some l.
Proof.
  assert (forall m, (forall k u l, PositiveMap.find k m = Some (u, l) -> rule u = Some l) ->
    forall k u l, PositiveMap.find k (fold_left (fun m t => match rule t with
      | Some l => PositiveMap.add (key t) (t, l) m | None => m end) tables m) = Some (u, l) ->
      rule u = Some l) as kept.
  { induction tables as [|t' tables IH]; intros m Hm; [exact Hm|]. simpl. apply IH.
    destruct (rule t') as [l'|] eqn:E; [|exact Hm]. intros k u l0 H.
    rewrite PositiveMapAdditionalFacts.gsspec in H.
    destruct (PositiveMap.E.eq_dec k (key t')); [injection H as <- <-;
      exact E | exact (Hm k u l0 H)]. }
  unfold lookup. intros H. destruct (PositiveMap.find _ _) as [[u l']|] eqn:E; [|discriminate].
  destruct (same_table t u) eqn:S; [|discriminate]. injection H as <-.
  apply andb_true_iff in S as [S1 S2]. apply same_dice_means in S1, S2.
  destruct t, u. simpl in *. subst. refine (kept _ _ _ _ _ E).
  intros k u l0 H. rewrite PositiveMap.gempty in H. discriminate.
Qed.

(** ** The line of a table before the roll *)

Section Lines.
  Context (faces : list nat) (unit : Z).

  Definition part (cap cap' : nat) (known : lines) (t' : table) (times : Z)
      (wk : Z * list nat) : option line :=
    let survive := list_sum (snd wk) in
    match known (after_roll t' (snd wk)) with
    | Some (A, B) =>
        let w := (fst wk * times)%Z in
        if (cap + survive <=? cap')%nat then
          match survive with
          | O => Some (w * A, 0)%Z
          | _ => Some (w * (A + B * Z.of_nat survive), w * B)%Z
          end
        else None
    | None => None
    end.

  Fixpoint total_line (parts : list (option line)) : option line :=
    match parts with
    | [] => Some (0, 0)%Z
    | Some (A, B) :: rest =>
        match total_line rest with Some (A', B') => Some (A + A', B + B')%Z | None => None end
    | None :: _ => None
    end.

  Definition move_line (cap cap' : nat) (known : lines) (t' : table) : option line :=
    let ways := Zpos (all_ways faces (revenue t')) in
    let times := (unit / ways)%Z in
    if (times * ways =? unit)%Z && (0 <? times)%Z then
      total_line (map (part cap cap' known t' times) (survivors faces (revenue t')))
    else None.

  (** [R] is the way in which lines bound: at least, or exactly. *)

  Section Bounds.
    Context (R : Q -> Q -> Prop).
    Hypothesis R_zero : R 0 0.
    Hypothesis R_plus : forall x y x' y', R x y -> R x' y' -> R (x + x') (y + y').
    Hypothesis R_times : forall w x y, 0 <= w -> R x y -> R (w * x) (w * y).
    Hypothesis R_equal : forall x y x' y', x == x' -> y == y' -> R x y -> R x' y'.

    Definition bounds (f : table -> nat -> Q) (n cap : nat) (known : lines) : Prop :=
      forall t l, known t = Some l -> on_ladder faces t -> forall s, (s <= cap)%nat ->
        R (f t s * inject_Z (unit ^ Z.of_nat n)) (inject_Z (at_line l s)).

    Definition mean_after (f : table -> nat -> Q) (t' : table) (s : nat) : Q :=
      sum (fun wk => inject_Z (fst wk) * f (after_roll t' (snd wk)) (score_after s (snd wk)))
        (survivors faces (revenue t')) * (1 # all_ways faces (revenue t')).

    Hypothesis faces_ladder : ladder faces.

    Lemma move_line_bounds f n cap cap' known t' l :
      bounds f n cap' known -> on_ladder faces t' -> move_line cap cap' known t' = Some l ->
      forall s, (s <= cap)%nat ->
        R (mean_after f t' s * inject_Z (unit ^ Z.of_nat (S n))) (inject_Z (at_line l s)).
    Proof.
      intros Hknown Ht' H s Hs. unfold move_line in H.
      set (ways := all_ways faces (revenue t')) in *. set (times := (unit / Zpos ways)%Z) in *.
      destruct ((times * Zpos ways =? unit)%Z && (0 <? times)%Z) eqn:E; [|discriminate].
      apply andb_true_iff in E as [whole positive]. apply Z.eqb_eq in whole. apply Z.ltb_lt in
        positive.
      assert (forall w kept, In (w, kept) (survivors faces (revenue t')) -> (0 <= w)%Z /\
        on_ladder faces (after_roll t' kept)) as law.
      { intros w kept Hin. split; [|eapply after_roll_on_ladder; eassumption].
        apply (survivors_kept faces (revenue t') w kept (proj1 Ht') Hin).
        intros g Hg. pose proof (proj2 faces_ladder g Hg). lia. }
      assert (R (inject_Z times * (sum (fun wk => inject_Z (fst wk)
                   * f (after_roll t' (snd wk)) (score_after s (snd wk))) (survivors faces (revenue
                       t'))
                 * inject_Z (unit ^ Z.of_nat n))) (inject_Z (at_line l s))) as done.
      { clear whole. unfold mean_after. revert l H law. generalize (survivors faces (revenue t'))
          as list.
        induction list as [|[w kept] list IH]; intros l H law.
        - injection H as <-. apply R_equal with 0 0; [cbn; ring | reflexivity | exact R_zero].
        - cbn [map total_line] in H. unfold part at 1 in H. cbn [fst snd] in H.
          destruct (known (after_roll t' kept)) as [[A B]|] eqn:K; [|discriminate].
          destruct (cap + list_sum kept <=? cap')%nat eqn:C; [|discriminate]. apply Nat.leb_le in C.
          destruct (law w kept (or_introl eq_refl)) as [Hw Hladder].
          assert (0 <= inject_Z (w * times)) as Hwt by (rewrite <- (Zle_Qle 0); nia).
          pose proof (Hknown _ _ K Hladder (score_after s kept)) as one.
          assert (score_after s kept <= cap')%nat as inrange
            by (unfold score_after; destruct (list_sum kept); lia).
          specialize (one inrange). apply (R_times _ _ _ Hwt) in one.
          destruct (total_line (map (part cap cap' known t' times) list)) as [[A' B']|] eqn:T;
            [|destruct (list_sum kept); discriminate].
          specialize (IH (A', B') eq_refl (fun w k Hin => law w k (or_intror Hin))).
          pose proof (R_plus _ _ _ _ one IH) as both.
          assert (exists C D, l = (C + A', D + B')%Z /\
            at_line (C, D) s = (w * times * at_line (A, B) (score_after s kept))%Z) as (C' & D & ->
              & L).
          { unfold score_after, at_line. cbn [fst snd]. destruct (list_sum kept) as [|k].
            - injection H as <-. exists (w * times * A)%Z, 0%Z. split; [reflexivity|].
              change (Z.of_nat 0) with 0%Z. ring.
            - injection H as <-. eexists _, _. split; [reflexivity|]. rewrite Nat2Z.inj_add.
              change (Z.of_nat (S k)) with (Z.pos (Pos.of_succ_nat k)). ring. }
          refine (R_equal _ _ _ _ _ _ both).
          + cbn [sum fold_right fst snd]. rewrite inject_Z_mult.
            fold (sum (fun wk => inject_Z (fst wk)
                   * f (after_roll t' (snd wk)) (score_after s (snd wk))) list). ring.
          + rewrite <- inject_Z_mult, <- L, <- inject_Z_plus. unfold at_line. cbn [fst snd].
            rewrite Z.mul_add_distr_r. apply inject_Z_injective. ring. }
      refine (R_equal _ _ _ _ _ (Qeq_refl _) done). unfold mean_after. fold ways.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r, inject_Z_mult by lia. rewrite <- whole at 2.
      rewrite inject_Z_mult.
      assert (inject_Z (Zpos ways) * (1 # ways) == 1) as one by (unfold Qeq; simpl; lia).
      match goal with |- _ == ?a * ?b * (?c * ?d * ?e) =>
        setoid_replace (a * b * (c * d * e)) with ((d * b) * (c * (a * e))) by ring end.
      rewrite one. ring.
    Qed.
  End Bounds.

  (** ** One line above several *)

  Definition above_all (cap : nat) (l : list line) : option line :=
    match l with
    | [] => None
    | first :: rest =>
        let low := fold_right (fun x m => Z.max (at_line x 0) m) (at_line first 0) rest in
        let high := fold_right (fun x m => Z.max (at_line x cap) m) (at_line first cap) rest in
        let S := Z.of_nat cap in
        let found := (low, if (S =? 0)%Z then 0%Z else (- ((low - high) / S))%Z) in
        if forallb (fun x => (at_line x 0 <=? at_line found 0)%Z
                             && (at_line x cap <=? at_line found cap)%Z) l
        then Some found else None
    end.

  Lemma above_all_means cap l found : above_all cap l = Some found ->
    forall x, In x l -> forall s, (s <= cap)%nat -> (at_line x s <= at_line found s)%Z.
  Proof.
    destruct l as [|first rest]; [discriminate|]. unfold above_all. cbv zeta.
    match goal with |- (if forallb ?test _ then Some ?f else None) = _ -> _ => set (top := f) end.
    destruct (forallb _ _) eqn:E; [|discriminate]. intros [= <-] x Hx s Hs.
    rewrite forallb_forall in E. specialize (E x Hx). apply andb_true_iff in E as [E0 E1].
    apply Z.leb_le in E0, E1. clearbody top. destruct x as [A B], top as [C D].
    unfold at_line in *. cbn [fst snd] in *. clear -E0 E1 Hs.
    destruct (Nat.eq_dec cap 0) as [-> | Hcap]; [replace s with 0%nat by lia; exact E0|].
    assert (0 <= Z.of_nat s <= Z.of_nat cap)%Z by lia. assert (0 < Z.of_nat cap)%Z by lia.
    generalize dependent (Z.of_nat s). generalize dependent (Z.of_nat cap). intros S H1 H2 s' H3.
    simpl in E0.
    assert (0 <= S * ((C + D * s') - (A + B * s')))%Z as H; [|nia].
    replace (S * ((C + D * s') - (A + B * s')))%Z
      with ((S - s') * ((C + D * 0) - (A + B * 0)) + s' * ((C + D * S) - (A + B * S)))%Z by ring.
    apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia.
  Qed.

  Fixpoint all_some {X} (l : list (option X)) : option (list X) :=
    match l with
    | [] => Some []
    | Some x :: rest => match all_some rest with Some xs => Some (x :: xs) | None => None end
    | None :: _ => None
    end.

  Lemma all_some_in {X Y} (f : X -> option Y) l : forall found, all_some (map f l) = Some found ->
    forall x, In x l -> exists y, f x = Some y /\ In y found.
  Proof.
    induction l as [|a l IH]; intros found H x Hx; [contradiction|]. simpl in H.
    destruct (f a) as [b|] eqn:E; [|discriminate].
    destruct (all_some (map f l)) as [rest|]; [|discriminate]. injection H as <-.
    destruct Hx as [<- | Hx]; [exists b; simpl; auto|].
    destruct (IH rest eq_refl x Hx) as (y & Hy & Hin). exists y. simpl. auto.
  Qed.
End Lines.
