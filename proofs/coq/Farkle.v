(** * Farkle: the first values of Optimal_n

    Rolls that show the same dice are counted together, and then those that offer the same. Times
    6^(6 n), Optimal_n is an integer; a table of these integers is filled for n = 1, 2 and 3 by the
    rule, from the points that a turn can have. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia FMapPositive.
From ExactDice Require Import Statements Sums Backward.
Import ListNotations.
Open Scope Q_scope.

(** ** Counting together *)

Definition weighted {X} (f : X -> Q) (l : list (Z * X)) : Q :=
  sum (fun wx => inject_Z (fst wx) * f (snd wx)) l.

Section Tally.
  Context {X : Type} (eq_dec : forall x y : X, {x = y} + {x <> y}).

  Fixpoint add (w : Z) (x : X) (l : list (Z * X)) : list (Z * X) :=
    match l with
    | [] => [(w, x)]
    | (v, y) :: rest => if eq_dec x y then (v + w, y)%Z :: rest else (v, y) :: add w x rest
    end.

  Definition tally (l : list (Z * X)) : list (Z * X) :=
    fold_right (fun wx counted => add (fst wx) (snd wx) counted) [] l.

  Lemma weighted_add f w x : forall l, weighted f (add w x l) == inject_Z w * f x + weighted f l.
  Proof.
    unfold weighted. induction l as [|[v y] l IH]; [reflexivity|]. cbn [add].
    destruct (eq_dec x y) as [-> | _]; cbn [sum fold_right fst snd].
    - rewrite inject_Z_plus. ring.
    - fold (sum (fun wx => inject_Z (fst wx) * f (snd wx)) (add w x l)).
      fold (sum (fun wx => inject_Z (fst wx) * f (snd wx)) l). rewrite IH. ring.
  Qed.

  Lemma weighted_tally f l : weighted f (tally l) == weighted f l.
  Proof.
    induction l as [|[w x] l IH]; [reflexivity|]. cbn [tally fold_right fst snd].
    rewrite weighted_add. fold (tally l). rewrite IH. reflexivity.
  Qed.
End Tally.

Fixpoint sorted_rolls (dice : nat) : list (Z * list nat) :=
  match dice with
  | O => [(1%Z, [])]
  | S n => tally (list_eq_dec Nat.eq_dec)
             (flat_map (fun ws => map (fun face => (fst ws, insert face (snd ws))) (seq 1 6))
               (sorted_rolls n))
  end.

Lemma sum_flat_map {X Y} (f : Y -> Q) (g : X -> list Y) l :
  sum f (flat_map g l) == sum (fun x => sum f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. rewrite sum_app, IH. reflexivity. Qed.

Lemma sum_of_rolls dice : forall f,
  sum (fun roll => f (ascending roll)) (rolls 6 dice) == weighted f (sorted_rolls dice).
Proof.
  induction dice as [|n IH]; intros f; [unfold weighted; simpl; ring|].
  cbn [sorted_rolls]. rewrite weighted_tally. unfold weighted. cbn [rolls]. rewrite !sum_flat_map.
  rewrite (sum_equal _ (fun roll => sum (fun face => f (insert face (ascending roll))) (seq 1 6)))
    by (intros roll _; rewrite sum_map; reflexivity).
  rewrite (IH (fun roll => sum (fun face => f (insert face roll)) (seq 1 6))).
  unfold weighted. apply sum_equal. intros [w roll] _. cbn [fst snd].
  rewrite sum_map. cbn [fst snd]. rewrite sum_scaled. reflexivity.
Qed.

(** ** Menus *)

Definition menu := list (Z * nat).

Definition kept_eq_dec : forall a b : Z * nat, {a = b} + {a <> b}.
Proof. decide equality; [apply Nat.eq_dec | apply Z.eq_dec]. Defined.

Definition menus (dice : nat) : list (Z * menu) :=
  tally (list_eq_dec kept_eq_dec)
    (map (fun ws => (fst ws, nodup kept_eq_dec (options (snd ws)))) (sorted_rolls dice)).

Section Menus.
Variable rolls_on : Z -> bool.

Definition outcomes (n : nat) (turn : Z) (m : menu) : list Q :=
  flat_map (fun kept =>
    let score := fst kept in
    inject_Z score :: if rolls_on (turn + score)%Z
      then [inject_Z score + farkle_while rolls_on n (turn + score)%Z (snd kept)] else []) m.

Definition menu_worth (n : nat) (turn : Z) (m : menu) : Q :=
  match m with [] => - inject_Z turn | some => highest (outcomes n turn some) end.

Lemma highest_same l m : l <> [] -> (forall x, In x l <-> In x m) -> highest l == highest m.
Proof.
  intros some same. assert (m <> []) as some'.
  { destruct l as [|x l]; [contradiction|]. intros ->. exact (proj1 (same x) (or_introl eq_refl)). }
  apply Qle_antisym; apply highest_is_upper, same, highest_in; assumption.
Qed.

Lemma menu_worth_nodup n turn m : menu_worth n turn (nodup kept_eq_dec m) == menu_worth n turn m.
Proof.
  assert (forall x, In x (nodup kept_eq_dec m) <-> In x m) as same by (intros; apply nodup_In).
  unfold menu_worth. destruct (nodup kept_eq_dec m) as [|a d] eqn:E, m as [|b m']; try reflexivity.
  - destruct (proj2 (same b) (or_introl eq_refl)).
  - discriminate.
  - apply highest_same; [discriminate|]. intros x. unfold outcomes. rewrite !in_flat_map.
    split; intros (kept & Hkept & Hx); exists kept; (split; [apply same; exact Hkept | exact Hx]).
Qed.

Lemma farkle_by_menus n turn dice :
  farkle_while rolls_on (S n) turn dice
  == weighted (menu_worth n turn) (menus dice) * (1 # 6 ^ Pos.of_nat dice).
Proof.
  cbn [farkle_while]. apply Qmult_comp; [|reflexivity]. unfold menus. rewrite weighted_tally.
  transitivity (sum (fun roll => menu_worth n turn (options (ascending roll))) (rolls 6 dice)).
  { apply sum_equal. intros roll _. unfold menu_worth. destruct (options _); reflexivity. }
  rewrite (sum_of_rolls dice (fun roll => menu_worth n turn (options roll))).
  unfold weighted. rewrite sum_map. apply sum_equal. intros [w roll] _. cbn [fst snd].
  rewrite menu_worth_nodup. reflexivity.
Qed.
End Menus.

(** The turn of the README: as long as it has less than 6000 points. *)

Definition below (turn : Z) : bool := (turn <? 6000)%Z.

Lemma farkle_below n turn dice : farkle n turn dice = farkle_while below n turn dice.
Proof. reflexivity. Qed.

(** ** Integers *)

Definition sixes (n : nat) : Z := (6 ^ Z.of_nat n)%Z.

Fixpoint greatest (l : list Z) : Z :=
  match l with [] => 0%Z | [x] => x | x :: rest => Z.max x (greatest rest) end.

Definition scaled (unit : Z) (x : Q) (z : Z) : Prop := x * inject_Z unit == inject_Z z.

Lemma greatest_scaled unit xs zs : (0 < unit)%Z -> Forall2 (scaled unit) xs zs ->
  scaled unit (highest xs) (greatest zs).
Proof.
  intros Hu H. induction H as [|x z xs zs Hx H IH]; [unfold scaled; cbn; ring|].
  destruct H as [|x' z' xs zs Hx' H]; [exact Hx|]. rewrite highest_cons.
  change (greatest (z :: z' :: zs)) with (Z.max z (greatest (z' :: zs))).
  set (m := highest (x' :: xs)) in *. set (g := greatest (z' :: zs)) in *. clearbody m g.
  assert (0 < inject_Z unit) as positive by (rewrite <- (Zlt_Qlt 0); exact Hu).
  unfold scaled in *. destruct (Qle_bool x m) eqn:E.
  - apply Qle_bool_iff in E. apply (Qmult_le_r _ _ _ positive) in E. rewrite Hx, IH,
      <- Zle_Qle in E.
    rewrite Z.max_r by exact E. exact IH.
  - assert (m <= x) as less.
    { apply Qnot_lt_le. intros less. apply Qlt_le_weak, Qle_bool_iff in less. congruence. }
    apply (Qmult_le_r _ _ _ positive) in less. rewrite Hx, IH, <- Zle_Qle in less.
    rewrite Z.max_l by exact less. exact Hx.
Qed.

Definition table := Z -> nat -> option Z.

Definition valid (n : nat) (known : table) : Prop :=
  forall turn dice z, known turn dice = Some z -> scaled (sixes (6 * n)) (farkle n turn dice) z.

(** All outcomes of a menu as integers, or none if one is not known. *)

Fixpoint integers (unit : Z) (known : table) (turn : Z) (m : menu) : option (list Z) :=
  match m with
  | [] => Some []
  | (score, rest) :: m =>
      match integers unit known turn m with
      | None => None
      | Some l =>
          if (turn + score <? 6000)%Z then
            match known (turn + score)%Z rest with
            | Some z => Some (score * unit :: score * unit + z :: l)%Z
            | None => None
            end
          else Some (score * unit :: l)%Z
      end
  end.

Definition menu_integer (unit : Z) (known : table) (turn : Z) (m : menu) : option Z :=
  match m with
  | [] => Some (- turn * unit)%Z
  | _ => option_map greatest (integers unit known turn m)
  end.

Fixpoint weighted_integer (unit : Z) (known : table) (turn : Z) (l : list (Z * menu)) : option Z :=
  match l with
  | [] => Some 0%Z
  | (w, m) :: l =>
      match menu_integer unit known turn m, weighted_integer unit known turn l with
      | Some z, Some rest => Some (w * z + rest)%Z
      | _, _ => None
      end
  end.

Lemma integers_mean n known turn m : valid n known -> forall l,
  integers (sixes (6 * n)) known turn m = Some l ->
  Forall2 (scaled (sixes (6 * n))) (outcomes below n turn m) l.
Proof.
  intros Hknown. induction m as [|[score rest] m IH]; intros l H; [injection H as <-; constructor|].
  cbn [integers] in H. destruct (integers _ known turn m) as [l'|]; [|discriminate].
  specialize (IH l' eq_refl).
  assert (forall x, scaled (sixes (6 * n)) (inject_Z x) (x * sixes (6 * n))) as whole
    by (intros x; unfold scaled; rewrite inject_Z_mult; reflexivity).
  unfold outcomes. cbn [flat_map fst snd]. fold (outcomes below n turn m).
  unfold below at 1. destruct (turn + score <? 6000)%Z.
  - destruct (known _ _) as [z|] eqn:K; [|discriminate]. injection H as <-.
    constructor; [apply whole | constructor; [|exact IH]]. apply Hknown in K.
    unfold scaled in *. rewrite Qmult_plus_distr_l, K, inject_Z_plus, inject_Z_mult. reflexivity.
  - injection H as <-. constructor; [apply whole | exact IH].
Qed.

Lemma sixes_positive n : (0 < sixes n)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

Lemma weighted_integer_means n known turn l : valid n known -> forall z,
  weighted_integer (sixes (6 * n)) known turn l = Some z ->
  scaled (sixes (6 * n)) (weighted (menu_worth below n turn) l) z.
Proof.
  intros Hknown. induction l as [|[w m] l IH]; intros z H.
  - injection H as <-. unfold scaled, weighted. cbn. ring.
  - cbn [weighted_integer] in H. destruct (menu_integer _ known turn m) as [one|] eqn:E;
      [|discriminate].
    destruct (weighted_integer _ known turn l) as [rest|]; [|discriminate]. injection H as <-.
    specialize (IH rest eq_refl).
    assert (scaled (sixes (6 * n)) (menu_worth below n turn m) one) as first.
    { unfold menu_integer in E. destruct m as [|kept m].
      - injection E as <-. unfold scaled, menu_worth. rewrite inject_Z_mult,
          inject_Z_opp. reflexivity.
      - destruct (integers _ known turn (kept :: m)) as [zs|] eqn:I; [|discriminate].
        injection E as <-. apply greatest_scaled; [apply sixes_positive|].
        exact (integers_mean n known turn _ Hknown zs I). }
    unfold scaled, weighted in *. cbn [sum fold_right fst snd].
    fold (sum (fun wx => inject_Z (fst wx) * menu_worth below n turn (snd wx)) l).
    rewrite Qmult_plus_distr_l, IH, <- Qmult_assoc, first, inject_Z_plus,
      inject_Z_mult. reflexivity.
Qed.

(** The rule, with the menus of 0 to 6 dice worked out before. *)

Definition all_menus : list (list (Z * menu)) := map menus (seq 0 7).

Lemma menus_there dice : (dice <= 6)%nat -> nth dice all_menus [] = menus dice.
Proof.
  intros H. unfold all_menus.
  rewrite (nth_indep _ [] (menus 0)) by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth by lia. reflexivity.
Qed.

Definition farkle_rule (of_dice : list (list (Z * menu))) (n : nat) (known : table) (turn : Z)
    (dice : nat) : option Z :=
  if ((1 <=? dice) && (dice <=? 6))%nat then
    option_map (fun z => z * sixes (6 - dice))%Z
      (weighted_integer (sixes (6 * n)) known turn (nth dice of_dice []))
  else None.

Lemma sixes_sum m n : sixes (m + n) = (sixes m * sixes n)%Z.
Proof. unfold sixes. rewrite Nat2Z.inj_add. apply Z.pow_add_r; lia. Qed.

Lemma sixes_as_positive dice : (1 <= dice)%nat -> sixes dice = Zpos (6 ^ Pos.of_nat dice).
Proof.
  intros H. unfold sixes. rewrite Pos2Z.inj_pow. f_equal. rewrite <- positive_nat_Z, Nat2Pos.id; lia.
Qed.

Lemma farkle_rule_means n known turn dice z : valid n known ->
  farkle_rule all_menus n known turn dice = Some z ->
  scaled (sixes (6 * S n)) (farkle (S n) turn dice) z.
Proof.
  intros Hknown H. unfold farkle_rule in H.
  destruct ((1 <=? dice) && (dice <=? 6))%nat eqn:D; [|discriminate].
  apply andb_true_iff in D as [D1 D6]. apply Nat.leb_le in D1, D6.
  rewrite menus_there in H by exact D6. destruct (weighted_integer _ known turn (menus dice)) as [y|] eqn:W;
    [|discriminate].
  cbn [option_map] in H. assert (z = y * sixes (6 - dice))%Z as -> by congruence.
  apply (weighted_integer_means n known turn _ Hknown) in W.
  unfold scaled in *. rewrite farkle_below, farkle_by_menus.
  replace (6 * S n)%nat with (6 * n + (dice + (6 - dice)))%nat by lia.
  rewrite !sixes_sum, !inject_Z_mult, <- W.
  assert (inject_Z (sixes dice) * (1 # 6 ^ Pos.of_nat dice) == 1) as one.
  { rewrite sixes_as_positive by exact D1.
    unfold Qeq. simpl. lia. }
  set (a := weighted _ _). set (b := inject_Z (sixes (6 * n))).
    set (c := inject_Z (sixes dice)) in *.
  set (d := inject_Z (sixes (6 - dice))). set (e := 1 # 6 ^ Pos.of_nat dice) in *.
  setoid_replace (a * e * (b * (c * d))) with ((c * e) * (a * b * d)) by ring. rewrite one. ring.
Qed.

(** ** Tables by turn and dice *)

Definition key (turn : Z) (dice : nat) : positive := Z.to_pos (8 * turn + Z.of_nat dice + 1).

(** [store] fills a table by a rule, which sees what is there already. *)

Section Store.
  Context {X : Type} (rule : (Z -> nat -> option X) -> Z -> nat -> option X).

  Definition lookup (m : PositiveMap.t (Z * nat * X)) : Z -> nat -> option X := fun turn dice =>
    match PositiveMap.find (key turn dice) m with
    | Some (turn', dice', x) => if (turn =? turn')%Z && (dice =? dice')%nat then Some x else None
    | None => None
    end.

  Definition store (states : list (Z * nat)) : PositiveMap.t (Z * nat * X) :=
    fold_left (fun m s => match rule (lookup m) (fst s) (snd s) with
        | Some x => PositiveMap.add (key (fst s) (snd s)) (s, x) m
        | None => m
        end) states (PositiveMap.empty _).

  Variable good : Z -> nat -> X -> Prop.

  Definition all_good (known : Z -> nat -> option X) : Prop :=
    forall turn dice x, known turn dice = Some x -> good turn dice x.

  Lemma lookup_store : (forall known, all_good known -> all_good (rule known)) ->
    forall states, all_good (lookup (store states)).
  Proof.
    intros sound states.
    assert (forall m, (forall k s x, PositiveMap.find k m = Some (s, x) ->
      good (fst s) (snd s) x) -> all_good (lookup m)) as looked_up.
    { intros m Hm turn dice x. unfold lookup.
      destruct (PositiveMap.find _ _) as [[[turn' dice'] x']|] eqn:E; [|discriminate].
      destruct ((turn =? turn')%Z && (dice =? dice')%nat) eqn:S; [|discriminate].
      intros [= <-]. apply andb_true_iff in S as [S1 S2]. apply Z.eqb_eq in S1.
      apply Nat.eqb_eq in S2. subst. exact (Hm _ (turn', dice') x' E). }
    apply looked_up. unfold store.
    assert (forall k s x, PositiveMap.find k (PositiveMap.empty (Z * nat * X)) = Some (s, x) ->
      good (fst s) (snd s) x) as H
      by (intros k s x H; rewrite PositiveMap.gempty in H; discriminate).
    revert H. generalize (PositiveMap.empty (Z * nat * X)).
    induction states as [|s' states IH]; intros m Hm; [exact Hm|]. simpl. apply IH.
    destruct (rule (lookup m) (fst s') (snd s')) as [x'|] eqn:E; [|exact Hm]. intros k s x H.
    rewrite PositiveMapAdditionalFacts.gsspec in H.
    destruct (PositiveMap.E.eq_dec k _); [injection H as <- <- | exact (Hm k s x H)].
    exact (sound _ (looked_up m Hm) _ _ _ E).
  Qed.
End Store.

Definition states : list (Z * nat) :=
  list_prod (map (fun k => 50 * Z.of_nat k)%Z (seq 0 120)) (seq 1 6).

Fixpoint layer (of_dice : list (list (Z * menu))) (n : nat) : table :=
  match n with
  | O => fun _ _ => Some 0%Z
  | S n =>
      let known := layer of_dice n in
      let found := store (fun _ => farkle_rule of_dice n known) states in
      lookup found
  end.

Lemma layer_valid n : valid n (layer all_menus n).
Proof.
  induction n as [|n IH]; [intros turn dice z [= <-]; unfold scaled; cbn; ring|].
  cbn [layer]. cbv zeta. apply lookup_store. intros _ _ turn dice z.
  exact (farkle_rule_means n _ _ _ _ IH).
Qed.

(** Optimal_(n + 1) at the start of a turn is the rational [v]. *)

Definition agrees (of_dice : list (list (Z * menu))) (n : nat) (v : Q) : bool :=
  match farkle_rule of_dice n (layer of_dice n) 0 6 with
  | Some z => (z * Zpos (Qden v) =? Qnum v * sixes (6 * S n))%Z
  | None => false
  end.

Lemma agrees_means n v : agrees all_menus n v = true -> farkle (S n) 0 6 == v.
Proof.
  unfold agrees. intros H.
  destruct (farkle_rule all_menus n (layer all_menus n) 0 6) as [z|] eqn:E; [|discriminate].
  apply Z.eqb_eq in H. apply (farkle_rule_means n _ _ _ _ (layer_valid n)) in E. unfold scaled in E.
  pose proof (sixes_positive (6 * S n)) as positive. revert H E positive.
  generalize (sixes (6 * S n)) as unit. generalize (farkle (S n) 0 6) as x. intros x unit H E
    positive.
  apply (Qmult_inj_r _ _ (inject_Z unit)).
  - intros zero. unfold Qeq in zero. simpl in zero. lia.
  - rewrite E. unfold Qeq. cbn [Qnum Qden inject_Z Qmult]. lia.
Qed.

Theorem farkle_first : farkle_first_statement.
Proof.
  assert (agrees all_menus 0 (258625 # 648) = true) as H by (vm_compute; reflexivity).
  apply agrees_means in H. unfold farkle_first_statement. revert H.
  generalize (farkle 1 0 6). intros x H. split; [exact H|]. rewrite H. split;
    reflexivity || discriminate.
Qed.

Theorem farkle_next : farkle_next_statement.
Proof.
  assert (agrees all_menus 1 (5094378125 # 10077696) = true) as two by (vm_compute; reflexivity).
  assert (agrees all_menus 2 (193017601326625 # 352638738432) = true) as three
    by (vm_compute; reflexivity).
  apply agrees_means in two, three. unfold farkle_next_statement. revert two three.
  generalize (farkle 2 0 6) (farkle 3 0 6). intros x y two three. rewrite two, three.
  repeat split; reflexivity.
Qed.
