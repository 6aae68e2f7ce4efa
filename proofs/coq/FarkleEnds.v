(** * Theorems 12 and 13: how many rolls are enough in Farkle, and when to stop

    Of each state it is found how much a turn gains there, as an integer over a power of 6, and
    with how many rolls at least: no fewer gain so much, and no more gain more. A table of both is
    filled from the most points of a turn down. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia FMapPositive.
From ExactDice Require Import Statements Sums Backward Farkle.
Import ListNotations.
Open Scope Q_scope.

(** [f] is [v] from [l] on, and less before. *)

Definition settles (f : nat -> Q) (v : Q) (l : nat) : Prop :=
  forall n, ((l <= n)%nat -> f n == v) /\ ((n < l)%nat -> f n < v).

Definition maximum (x y : Q) : Q := if Qle_bool x y then y else x.

Lemma maximum_spec x y : x <= y /\ maximum x y = y \/ y <= x /\ maximum x y = x.
Proof.
  unfold maximum. destruct (Qle_bool x y) eqn:E.
  - left. apply Qle_bool_iff in E. auto.
  - right. split; [|reflexivity]. apply Qnot_lt_le. intros less.
    apply Qlt_le_weak, Qle_bool_iff in less. congruence.
Qed.

Lemma settles_at_most f v l n : settles f v l -> f n <= v.
Proof.
  intros H. destruct (H n) as [H1 H2].
  destruct (le_lt_dec l n) as [h|h]; [rewrite (H1 h) | specialize (H2 h)]; lra.
Qed.

Lemma settles_equal f g v w l : (forall n, f n == g n) -> v == w -> settles f v l -> settles g w l.
Proof.
  intros same E H n. destruct (H n) as [H1 H2]. rewrite <- (same n), <- E. auto.
Qed.

Lemma settles_constant v : settles (fun _ => v) v 0.
Proof. intros n. split; [reflexivity | lia]. Qed.

(** Of two the greater decides, and of two that are equal the sooner. *)

Definition entry : Type := Z * nat.

Definition greater (a b : entry) : entry :=
  match (fst a ?= fst b)%Z with
  | Lt => b
  | Gt => a
  | Eq => (fst a, Nat.min (snd a) (snd b))
  end.

Section Unit.
Variable unit : positive.

Definition settles_at (f : nat -> Q) (e : entry) : Prop := settles f (fst e # unit) (snd e).

Lemma over_unit y z : (y < z)%Z -> y # unit < z # unit.
Proof. intros H. unfold Qlt. cbn [Qnum Qden]. nia. Qed.

Lemma settles_maximum f g a b : settles_at f a -> settles_at g b ->
  settles_at (fun n => maximum (f n) (g n)) (greater a b).
Proof.
  intros Hf Hg n. destruct a as [y l], b as [z m]. unfold greater, settles_at in *.
  cbn [fst snd] in *. pose proof (settles_at_most _ _ _ n Hf) as F.
  pose proof (settles_at_most _ _ _ n Hg) as G.
  destruct (Hf n) as [F1 F2], (Hg n) as [G1 G2].
  destruct (y ?= z)%Z eqn:E; cbn [fst snd].
  - apply Z.compare_eq in E. subst z.
    split; intros h; (destruct (maximum_spec (f n) (g n)) as [[? ->] | [? ->]]).
    + destruct (le_lt_dec m n) as [k|k]; [exact (G1 k)|].
      assert (f n == y # unit) by (apply F1; lia). lra.
    + destruct (le_lt_dec l n) as [k|k]; [exact (F1 k)|].
      assert (g n == y # unit) by (apply G1; lia). lra.
    + apply G2. lia.
    + apply F2. lia.
  - apply over_unit in E.
    split; intros h; (destruct (maximum_spec (f n) (g n)) as [[? ->] | [? ->]]);
      first [exact (G1 h) | exact (G2 h) | specialize (G1 h); lra | lra].
  - apply Z.compare_gt_iff, over_unit in E.
    split; intros h; (destruct (maximum_spec (f n) (g n)) as [[? ->] | [? ->]]);
      first [exact (F1 h) | exact (F2 h) | specialize (F1 h); lra | lra].
Qed.

(** A mean settles when all have that it is of. *)

Definition joined (w : Z) (a b : entry) : entry :=
  (w * fst a + fst b, Nat.max (snd a) (snd b))%Z.

Lemma settles_joined w f g a b : (0 < w)%Z -> settles_at f a -> settles_at g b ->
  settles_at (fun n => inject_Z w * f n + g n) (joined w a b).
Proof.
  intros Hw Hf Hg n. destruct a as [y l], b as [z m]. unfold joined, settles_at in *.
  cbn [fst snd] in *. pose proof (settles_at_most _ _ _ n Hf) as F.
  pose proof (settles_at_most _ _ _ n Hg) as G.
  destruct (Hf n) as [F1 F2], (Hg n) as [G1 G2].
  assert ((w * y + z # unit) == inject_Z w * (y # unit) + (z # unit)) as ->
    by (unfold Qeq, Qplus, Qmult, inject_Z; cbn [Qnum Qden]; lia).
  assert (0 < inject_Z w) as positive by (rewrite <- (Zlt_Qlt 0); exact Hw).
  split; intros h.
  - rewrite F1, G1 by lia. reflexivity.
  - apply (Qmult_le_l _ _ _ positive) in F.
    destruct (le_lt_dec l n) as [k|k].
    + assert (g n < z # unit) by (apply G2; lia). lra.
    + assert (f n < y # unit) as F' by (apply F2; lia).
      apply (Qmult_lt_l _ _ _ positive) in F'. lra.
Qed.

(** ** The rule

    From [stop] on nothing is gained by rolling; before, the player may roll on. *)

Variable rolls_on stop : Z -> bool.
Hypothesis may_roll : forall turn, stop turn = false -> rolls_on turn = true.
Hypothesis vain : forall turn dice n, stop turn = true -> rolls_on turn = true ->
  (1 <= dice <= 6)%nat -> farkle_while rolls_on n turn dice <= 0.

Definition gain := farkle_while rolls_on.

(** What a state is worth is said of one roll at least: with none nothing is gained. *)

Definition state_settles (turn : Z) (dice : nat) (e : entry) : Prop :=
  (1 <= snd e)%nat /\ settles_at (fun n => gain (S n) turn dice) (fst e, pred (snd e)).

Definition kept_entry (known : Z -> nat -> option entry) (turn : Z) (kept : Z * nat)
    : option entry :=
  let (score, rest) := kept in
  let here := (score * Zpos unit, O)%Z in
  if ((1 <=? rest) && (rest <=? 6))%nat then
    if stop (turn + score) then Some here
    else match known (turn + score)%Z rest with
      | Some (z, l) => Some (if (0 <? z)%Z then (score * Zpos unit + z, l)%Z else here)
      | None => None
      end
  else None.

Definition kept_worth (n : nat) (turn : Z) (kept : Z * nat) : Q :=
  let (score, rest) := kept in
  if rolls_on (turn + score)%Z
  then maximum (inject_Z score) (inject_Z score + gain n (turn + score) rest)
  else inject_Z score.

Lemma whole score : (score * Zpos unit # unit) == inject_Z score.
Proof. unfold Qeq, inject_Z. cbn [Qnum Qden]. lia. Qed.

Lemma stop_here score f : (forall n, f n <= 0) ->
  settles_at (fun n => maximum (inject_Z score) (inject_Z score + f n))
    (score * Zpos unit, O)%Z.
Proof.
  intros H n. specialize (H n). cbn [fst snd]. rewrite whole. split; [intros _ | lia].
  destruct (maximum_spec (inject_Z score) (inject_Z score + f n)) as [[? ->] | [? ->]]; lra.
Qed.

Lemma kept_settles known turn kept e : all_good state_settles known ->
  kept_entry known turn kept = Some e -> settles_at (fun n => kept_worth n turn kept) e.
Proof.
  intros Hknown H. destruct kept as [score rest]. unfold kept_entry in H. unfold kept_worth.
  destruct ((1 <=? rest) && (rest <=? 6))%nat eqn:D; [|discriminate].
  apply andb_true_iff in D as [D1 D6]. apply Nat.leb_le in D1, D6.
  destruct (stop (turn + score)) eqn:S.
  - injection H as <-. destruct (rolls_on (turn + score)) eqn:R.
    + apply stop_here. intros n. apply vain; auto.
    + apply (settles_equal (fun _ => inject_Z score) _ (inject_Z score)); [reflexivity | |
        apply settles_constant]. symmetry. apply whole.
  - rewrite (may_roll _ S). destruct (known _ rest) as [[z l]|] eqn:K; [|discriminate].
    apply Hknown in K as [Hl K]. cbn [fst snd] in *. unfold settles_at in K. cbn [fst snd] in K.
    destruct (0 <? z)%Z eqn:P; injection H as <-.
    + apply Z.ltb_lt, over_unit in P. assert (0 # unit == 0) as zero by reflexivity.
      intros n. cbn [fst snd].
      assert ((score * Zpos unit + z # unit) == inject_Z score + (z # unit)) as ->
        by (unfold Qeq, Qplus, inject_Z; cbn [Qnum Qden]; lia).
      destruct n as [|n].
      * split; [lia|]. intros _. unfold gain. cbn [farkle_while].
        destruct (maximum_spec (inject_Z score) (inject_Z score + 0)) as [[? ->] | [? ->]]; lra.
      * destruct (K n) as [K1 K2]. split; intros h.
        -- assert (gain (Datatypes.S n) (turn + score) rest == z # unit) by (apply K1; lia).
           destruct (maximum_spec (inject_Z score) (inject_Z score + gain (Datatypes.S n) (turn + score) rest))
             as [[? ->] | [? ->]]; lra.
        -- assert (gain (Datatypes.S n) (turn + score) rest < z # unit) by (apply K2; lia).
           destruct (maximum_spec (inject_Z score) (inject_Z score + gain (Datatypes.S n) (turn + score) rest))
             as [[? ->] | [? ->]]; lra.
    + apply stop_here. intros [|n]; [apply Qle_refl|].
      pose proof (settles_at_most _ _ _ n K) as at_most. cbv beta in at_most.
      assert (z # unit <= 0); [|lra]. apply Z.ltb_ge in P. unfold Qle. cbn [Qnum Qden]. lia.
Qed.

Fixpoint menu_entry (known : Z -> nat -> option entry) (turn : Z) (first : Z * nat) (m : menu)
    : option entry :=
  match m with
  | [] => kept_entry known turn first
  | next :: m =>
      match kept_entry known turn first, menu_entry known turn next m with
      | Some a, Some b => Some (greater a b)
      | _, _ => None
      end
  end.

Lemma outcomes_first n turn first m : highest (outcomes rolls_on n turn (first :: m)) ==
  match m with
  | [] => kept_worth n turn first
  | _ => maximum (kept_worth n turn first) (highest (outcomes rolls_on n turn m))
  end.
Proof.
  destruct first as [score rest]. unfold kept_worth, outcomes at 1. cbn [flat_map fst snd].
  change (farkle_while rolls_on n (turn + score) rest) with (gain n (turn + score) rest).
  fold (outcomes rolls_on n turn m).
  assert (forall y, m <> [] -> y :: outcomes rolls_on n turn m = y :: outcomes rolls_on n turn m
     -> exists z l, outcomes rolls_on n turn m = z :: l) as more.
  { intros _ some _. destruct m as [|[s r] m]; [contradiction|].
    unfold outcomes. cbn [flat_map app]. eauto. }
  destruct m as [|kept m].
  - destruct (rolls_on (turn + score)); reflexivity.
  - destruct (more 0 ltac:(discriminate) eq_refl) as (z & l & ->).
    destruct (rolls_on (turn + score)); cbn [app]; [|reflexivity].
    rewrite !highest_cons. set (h := highest (z :: l)).
    set (g := inject_Z score + gain n (turn + score) rest). clearbody h g. fold (maximum g h).
    fold (maximum (inject_Z score) (maximum g h)).
    destruct (maximum_spec g h) as [[? ->] | [? ->]];
    destruct (maximum_spec (inject_Z score) g) as [[? ->] | [? ->]];
    repeat match goal with |- context [maximum ?x ?y] =>
      destruct (maximum_spec x y) as [[? ->] | [? ->]] end; lra.
Qed.

Lemma menu_settles known turn : all_good state_settles known -> forall m first e,
  menu_entry known turn first m = Some e ->
  settles_at (fun n => menu_worth rolls_on n turn (first :: m)) e.
Proof.
  intros Hknown. induction m as [|next m IH]; intros first e H; cbn [menu_entry] in H.
  - apply (kept_settles _ _ _ _ Hknown) in H. revert H. apply settles_equal; [|reflexivity].
    intros n. unfold menu_worth. rewrite outcomes_first. reflexivity.
  - destruct (kept_entry known turn first) as [a|] eqn:A; [|discriminate].
    destruct (menu_entry known turn next m) as [b|] eqn:B; [|discriminate]. injection H as <-.
    apply (kept_settles _ _ _ _ Hknown) in A. apply IH in B.
    pose proof (settles_maximum _ _ _ _ A B) as AB. revert AB. apply settles_equal; [|reflexivity].
    intros n. unfold menu_worth. rewrite (outcomes_first n turn first). reflexivity.
Qed.

Definition any_menu_entry known turn (m : menu) : option entry :=
  match m with
  | [] => Some (- turn * Zpos unit, O)%Z
  | first :: m => menu_entry known turn first m
  end.

Fixpoint roll_entry known turn (l : list (Z * menu)) : option entry :=
  match l with
  | [] => Some (0%Z, O)
  | (w, m) :: l =>
      match any_menu_entry known turn m, roll_entry known turn l with
      | Some a, Some b => if (0 <? w)%Z then Some (joined w a b) else None
      | _, _ => None
      end
  end.

Lemma roll_settles known turn : all_good state_settles known -> forall l e,
  roll_entry known turn l = Some e ->
  settles_at (fun n => weighted (menu_worth rolls_on n turn) l) e.
Proof.
  intros Hknown. induction l as [|[w m] l IH]; intros e H; cbn [roll_entry] in H.
  - injection H as <-. apply (settles_equal (fun _ => 0) _ 0); [reflexivity.. | apply settles_constant].
  - destruct (any_menu_entry known turn m) as [a|] eqn:A; [|discriminate].
    destruct (roll_entry known turn l) as [b|]; [|discriminate].
    destruct (0 <? w)%Z eqn:W; [|discriminate]. injection H as <-. apply Z.ltb_lt in W.
    assert (settles_at (fun n => menu_worth rolls_on n turn m) a) as first.
    { destruct m as [|kept m]; [|exact (menu_settles _ _ Hknown _ _ _ A)].
      injection A as <-. apply (settles_equal (fun _ => - inject_Z turn) _ (- inject_Z turn));
        [reflexivity | | apply settles_constant].
      cbn [fst]. rewrite whole, inject_Z_opp. reflexivity. }
    exact (settles_joined w _ _ a b W first (IH b eq_refl)).
Qed.

Definition state_entry (of_dice : list (list (Z * menu))) known turn dice : option entry :=
  if ((1 <=? dice) && (dice <=? 6))%nat then
    match roll_entry known turn (nth dice of_dice []) with
    | Some (z, l) =>
        let (q, r) := Z.div_eucl z (sixes dice) in
        if (r =? 0)%Z then Some (q, S l) else None
    | None => None
    end
  else None.

Lemma state_entry_settles known : all_good state_settles known ->
  all_good state_settles (state_entry all_menus known).
Proof.
  intros Hknown turn dice e H. unfold state_entry in H.
  destruct ((1 <=? dice) && (dice <=? 6))%nat eqn:D; [|discriminate].
  apply andb_true_iff in D as [D1 D6]. apply Nat.leb_le in D1, D6.
  rewrite menus_there in H by exact D6.
  destruct (roll_entry known turn (menus dice)) as [[z l]|] eqn:R; [|discriminate].
  pose proof (Z_div_mod z (sixes dice) (Z.lt_gt _ _ (sixes_positive dice))) as exact_division.
  destruct (Z.div_eucl z (sixes dice)) as [q r]. destruct (r =? 0)%Z eqn:E; [|discriminate].
  injection H as <-. apply Z.eqb_eq in E. destruct exact_division as [exact_division _]. subst r.
  apply (roll_settles _ _ Hknown) in R. split; [cbn; lia|].
  assert (sixes dice = Zpos (6 ^ Pos.of_nat dice)) as six by (apply sixes_as_positive; exact D1).
  rewrite six in exact_division. cbn [fst snd pred].
  set (p := (6 ^ Pos.of_nat dice)%positive) in *.
  intros n. destruct (R n) as [R1 R2]. cbn [fst snd] in *.
  change (gain (S n) turn dice) with (farkle_while rolls_on (S n) turn dice).
  rewrite farkle_by_menus. fold p.
  assert ((q # unit) == (z # unit) * (1 # p)) as ->
    by (subst z; unfold Qeq, Qmult; cbn [Qnum Qden]; lia).
  split; intros h.
  - rewrite (R1 h). reflexivity.
  - apply Qmult_lt_r; [reflexivity | exact (R2 h)].
Qed.

Definition settled (of_dice : list (list (Z * menu))) (turns : list Z) : Z -> nat -> option entry :=
  lookup (store (state_entry of_dice) (list_prod turns (seq 1 6))).

Lemma settled_settles turns : all_good state_settles (settled all_menus turns).
Proof. apply lookup_store. exact state_entry_settles. Qed.
End Unit.

(** ** The turn of the README *)

Definition multiples (from_top : nat) : list Z :=
  map (fun k => 50 * Z.of_nat k)%Z (rev (seq 0 from_top)).

Definition needs (e : option entry) (rolls : nat) : bool :=
  match e with Some (z, l) => (0 <? z)%Z && (l =? rolls)%nat | None => false end.

Lemma needs_rolls unit rolls_on turn dice table rolls : all_good (state_settles unit rolls_on) table ->
  needs (table turn dice) rolls = true ->
  let f n := farkle_while rolls_on n turn dice in
  forall n, ((rolls <= n)%nat -> f n == f rolls) /\ ((n < rolls)%nat -> f n < f rolls).
Proof.
  intros good H f. destruct (table turn dice) as [[z l]|] eqn:E; [|discriminate].
  apply good in E as [l1 E]. cbn [needs fst snd] in *. apply andb_true_iff in H as [P L].
  apply Nat.eqb_eq in L. subst l. apply Z.ltb_lt, (over_unit unit) in P.
  unfold settles_at in E. cbn [fst snd] in E. set (v := z # unit) in *. clearbody v.
  assert (0 < v) as positive by (apply Qle_lt_trans with (0 # unit); [discriminate | exact P]).
  change (settles (fun n => f (S n)) v (pred rolls)) in E.
  assert (f O = 0) as none by reflexivity. clearbody f. destruct rolls as [|rolls]; [lia|].
  cbn [pred] in E. pose proof (proj1 (E rolls) (le_n _)) as last. cbv beta in last. intros n.
  destruct n as [|n]; [split; [lia|]; rewrite none, last; auto|].
  destruct (E n) as [E1 E2]. cbv beta in *.
  split; intros h; [rewrite (E1 ltac:(lia)) | rewrite last; apply E2; lia]. now rewrite last.
Qed.

Theorem farkle_ends : farkle_ends_statement.
Proof.
  intros n. rewrite (farkle_below n), (farkle_below 33). revert n.
  apply (needs_rolls (6 ^ 130) below 0 6
    (settled (6 ^ 130) (fun turn => negb (below turn)) all_menus (multiples 120)) 33).
  - apply settled_settles.
    + intros turn. apply negb_false_iff.
    + intros turn dice n h h'. apply negb_true_iff in h. congruence.
  - vm_compute. reflexivity.
Qed.

(** ** Without a target

    From 12950 points on a roll loses more on average by a bust than the best score is worth. *)

Definition far (turn : Z) : bool := (12950 <=? turn)%Z.

Definition best_score (m : menu) : Z := fold_right (fun kept n => Z.max (fst kept) n) 0%Z m.

Definition scored (l : list (Z * menu)) : Z := total_of (fun wm => fst wm * best_score (snd wm))%Z l.

Definition busts (l : list (Z * menu)) : Z :=
  total_of (fun wm => match snd wm with [] => fst wm | _ => 0%Z end) l.

Definition lawful_menus (l : list (Z * menu)) : bool :=
  forallb (fun wm => (0 <=? fst wm)%Z &&
    forallb (fun kept => (1 <=? snd kept) && (snd kept <=? 6))%nat (snd wm) &&
    forallb (fun kept => 0 <=? fst kept)%Z (snd wm)) l && (scored l <? 12950 * busts l)%Z.

Lemma all_lawful dice : (1 <= dice <= 6)%nat -> lawful_menus (menus dice) = true.
Proof.
  intros H. rewrite <- menus_there by lia.
  assert (forallb (fun n => lawful_menus (nth n all_menus [])) (seq 1 6) = true) as all
    by (vm_compute; reflexivity).
  rewrite forallb_forall in all. apply all, in_seq. lia.
Qed.

Lemma best_score_most kept m : In kept m -> (fst kept <= best_score m)%Z.
Proof.
  induction m as [|k m IH]; [contradiction|]. cbn [best_score fold_right].
  fold (best_score m). intros [-> | H]; [lia | specialize (IH H); lia].
Qed.

Lemma far_is_vain : forall n turn dice, far turn = true -> (1 <= dice <= 6)%nat ->
  farkle_free n turn dice <= 0 /\ farkle_free (S n) turn dice < 0.
Proof.
  assert (forall n, (forall turn dice, far turn = true -> (1 <= dice <= 6)%nat ->
      farkle_free n turn dice <= 0) ->
    forall turn dice, far turn = true -> (1 <= dice <= 6)%nat -> farkle_free (S n) turn dice < 0)
    as step.
  { intros n IH turn dice Hfar Hdice. unfold farkle_free. rewrite farkle_by_menus.
    pose proof (all_lawful dice Hdice) as L. unfold lawful_menus in L.
    apply andb_true_iff in L as [L B]. apply Z.ltb_lt in B. rewrite forallb_forall in L.
    apply Z.leb_le in Hfar.
    assert (weighted (menu_worth (fun _ => true) n turn) (menus dice)
      <= inject_Z (scored (menus dice) - turn * busts (menus dice))
      /\ (0 <= busts (menus dice))%Z) as [H Hb].
    { clear B. induction (menus dice) as [|[w m] l IHl].
      - split; [|reflexivity]. unfold weighted, scored, busts. cbn [sum total_of fold_right].
        rewrite Z.mul_0_r. discriminate.
      - destruct IHl as [IHl Hb]; [intros x Hx; apply L; now right|].
        specialize (L (w, m) (or_introl eq_refl)). cbn [fst snd] in L.
        apply andb_true_iff in L as [L scores]. apply andb_true_iff in L as [Hw rests].
        apply Z.leb_le in Hw. rewrite forallb_forall in rests, scores.
        assert (weighted (menu_worth (fun _ => true) n turn) ((w, m) :: l)
          = inject_Z w * menu_worth (fun _ => true) n turn m
            + weighted (menu_worth (fun _ => true) n turn) l) as -> by reflexivity.
        assert (scored ((w, m) :: l) = w * best_score m + scored l)%Z as -> by reflexivity.
        assert (busts ((w, m) :: l) = match m with [] => w | _ => 0 end + busts l)%Z as ->
          by reflexivity.
        set (a := scored l) in *. set (b := busts l) in *. set (c := weighted _ l) in *.
        clearbody a b c.
        assert (menu_worth (fun _ => true) n turn m
          <= inject_Z (best_score m - match m with [] => turn | _ => 0 end)) as one.
        { destruct m as [|first m]; [cbn; rewrite <- inject_Z_opp; apply Qle_refl|].
          unfold menu_worth. set (all := outcomes _ _ _ _).
          assert (In (highest all) all) as there.
          { apply highest_in. discriminate. }
          revert there. generalize (highest all). intros x there.
          unfold all, outcomes in there. apply in_flat_map in there as (kept & Hkept & there).
          pose proof (best_score_most _ _ Hkept) as most. rewrite Zle_Qle in most.
          rewrite Z.sub_0_r. cbv beta iota zeta in there.
          destruct there as [<- | [<- | []]]; [exact most|].
          specialize (rests _ Hkept). apply andb_true_iff in rests as [r1 r6].
          apply Nat.leb_le in r1, r6. specialize (scores _ Hkept). apply Z.leb_le in scores.
          pose proof (IH (turn + fst kept)%Z (snd kept) ltac:(apply Z.leb_le; lia)
            ltac:(lia)) as less. unfold farkle_free in less.
            apply Qle_trans with (inject_Z (fst kept) + 0); [|rewrite Qplus_0_r; exact most].
            apply Qplus_le_r. exact less. }
        split; [|destruct m; lia].
        apply (Qmult_le_compat_r _ _ (inject_Z w)) in one; [|rewrite <- (Zle_Qle 0); exact Hw].
        rewrite <- inject_Z_mult in one.
        apply Qle_trans with (inject_Z ((best_score m - match m with [] => turn | _ => 0 end) * w)
          + inject_Z (a - turn * b)); [lra|].
        rewrite <- inject_Z_plus, <- Zle_Qle. destruct m; lia. }
    apply Qle_lt_trans with (inject_Z (scored (menus dice) - turn * busts (menus dice))
      * (1 # 6 ^ Pos.of_nat dice)); [apply Qmult_le_compat_r; [exact H | discriminate]|].
    assert (scored (menus dice) - turn * busts (menus dice) < 0)%Z as less by nia.
    unfold Qlt, Qmult, inject_Z. cbn [Qnum Qden]. lia. }
  assert (forall n turn dice, far turn = true -> (1 <= dice <= 6)%nat ->
    farkle_free n turn dice <= 0) as all.
  { induction n as [|n IH]; intros turn dice Hfar Hdice; [apply Qle_refl|].
    apply Qlt_le_weak, step; assumption. }
  intros n turn dice Hfar Hdice. split; [auto | apply step; auto].
Qed.

Definition free_table : Z -> nat -> option entry :=
  settled (6 ^ 216) far all_menus (multiples 259).

Lemma free_table_settles : all_good (state_settles (6 ^ 216) (fun _ => true)) free_table.
Proof.
  apply settled_settles; [reflexivity|].
  intros turn dice n Hfar _ Hdice. exact (proj1 (far_is_vain n turn dice Hfar Hdice)).
Qed.

Definition threshold (dice : nat) : Z := nth (dice - 1) [300; 250; 450; 1050; 3400; 12950]%Z 0%Z.

Definition as_told (known : Z -> nat -> option entry) : bool :=
  needs (known 0%Z 6%nat) 50 &&
  forallb (fun k => forallb (fun dice =>
    let turn := (50 * Z.of_nat k)%Z in
    match known turn dice with
    | Some (z, l) => (if turn <? threshold dice then 0 <? z else z <? 0)%Z && (l <=? 51)%nat
    | None => false
    end) (seq 1 6)) (seq 0 259).

Lemma told_means unit known : all_good (state_settles unit (fun _ => true)) known ->
  as_told known = true -> farkle_thresholds_statement.
Proof.
  intros settles told.
  apply andb_true_iff in told as [start told]. split.
  - intros n k dice Hn Hdice turn t. change t with (threshold dice).
    destruct (le_lt_dec 259 k) as [Hk|Hk].
    { assert (far turn = true) as Hfar by (apply Z.leb_le; unfold turn; lia).
      assert (threshold dice <= 12950)%Z.
      { destruct dice as [|[|[|[|[|[|[|d]]]]]]]; try lia; unfold threshold; cbn; lia. }
      apply Z.leb_le in Hfar. split; [lia|]. intros _. destruct n as [|n]; [lia|].
      apply (far_is_vain n); [apply Z.leb_le; exact Hfar | exact Hdice]. }
    rewrite forallb_forall in told. specialize (told k ltac:(apply in_seq; lia)).
    rewrite forallb_forall in told. specialize (told dice ltac:(apply in_seq; lia)).
    cbv beta zeta in told. fold turn in told.
    destruct (known turn dice) as [[z l]|] eqn:E; [|discriminate].
    apply settles in E as [l1 E]. apply andb_true_iff in told as [sign enough].
    apply Nat.leb_le in enough. unfold settles_at in E. cbn [fst snd] in *.
    assert (forall n, (51 <= n)%nat -> farkle_free n turn dice == z # unit) as same.
    { intros [|n'] h; [lia|]. exact (proj1 (E n') ltac:(lia)). }
    destruct (Z.ltb_spec turn (threshold dice)) as [less|more]; (split; [|]); intros h; try lia.
    + apply Z.ltb_lt in sign. rewrite (same n Hn), (same 51%nat (le_n _)). split; [|reflexivity].
      unfold Qlt. cbn [Qnum Qden]. lia.
    + apply Z.ltb_lt in sign. rewrite (same n Hn). unfold Qlt. cbn [Qnum Qden]. lia.
  - exact (needs_rolls unit _ _ _ known _ settles start).
Qed.

Lemma free_table_told : as_told free_table = true.
Proof. vm_cast_no_check (@eq_refl bool true). Qed.

Theorem farkle_thresholds : farkle_thresholds_statement.
Proof. exact (told_means _ _ free_table_settles free_table_told). Qed.
