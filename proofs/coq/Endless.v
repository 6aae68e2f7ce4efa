(** * Endless play

    The bound never falls on average. Each step that may change it moves its square, shifted to be
    above 0, by something; one that may not, where the bound is above 0, lowers the rank with some
    chance. So a number that is bounded falls by 1, on average, at each state whose bound is above 0:
    such states are met a bounded number of times, and elsewhere a draw keeps the bound. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness.
Import ListNotations.
Open Scope Q_scope.

(** One move of weight at least 1 has its share of a mean. *)

Lemma share {state} (c : choice state) (f : state -> Q) D w t : lawful c ->
  (denominator c <= D)%positive -> (forall w u, In (w, u) (moves c) -> (0 < w)%Z -> 0 <= f u) ->
  In (w, t) (moves c) -> (0 < w)%Z -> (1 # D) * f t <= mean c f.
Proof.
  intros [positive _] small Hf Hin Hw. unfold mean.
  assert (f t <= sum (fun move => inject_Z (fst move) * f (snd move)) (moves c)) as H.
  { revert positive Hf Hin. generalize (moves c). intros l positive Hf Hin.
    assert (forall l' : list (Z * state), (forall w u, In (w, u) l' -> (0 <= w)%Z) ->
      (forall w u, In (w, u) l' -> (0 < w)%Z -> 0 <= f u) ->
      0 <= sum (fun move => inject_Z (fst move) * f (snd move)) l') as whole.
    { induction l' as [|[x u] l' IH]; intros P F; [cbn; lra|].
      cbn [sum fold_right fst snd]. fold (sum (fun move => inject_Z (fst move) * f (snd move)) l').
      assert (0 <= inject_Z x * f u).
      { destruct (Z.eq_dec x 0) as [-> | N]; [unfold inject_Z; lra|].
        pose proof (P x u (or_introl eq_refl)). apply Qmult_le_0_compat.
        - rewrite <- (Zle_Qle 0). lia.
        - apply (F x u); [now left | lia]. }
      assert (0 <= sum (fun move => inject_Z (fst move) * f (snd move)) l')
        by (apply IH; intros; [eapply P | eapply F]; try right; eauto).
      lra. }
    induction l as [|[x u] l IH]; [contradiction|].
    cbn [sum fold_right fst snd]. fold (sum (fun move => inject_Z (fst move) * f (snd move)) l).
    destruct Hin as [[= -> ->] | Hin].
    - assert (1 <= inject_Z w) by (rewrite <- (Zle_Qle 1); lia).
      pose proof (Hf w t (or_introl eq_refl) Hw).
      assert (0 <= sum (fun move => inject_Z (fst move) * f (snd move)) l)
        by (apply whole; intros; [eapply positive | eapply Hf]; try right; eauto).
      nra.
    - assert (0 <= sum (fun move => inject_Z (fst move) * f (snd move)) [(x, u)]) as H0
        by (apply whole; intros y v [[= <- <-] | []];
            [apply (positive x u) | intros; apply (Hf x u)]; auto using in_eq).
      cbn [sum fold_right fst snd] in H0.
      assert (f t <= sum (fun move => inject_Z (fst move) * f (snd move)) l)
        by (apply IH; auto; intros; [eapply positive | eapply Hf]; try right; eauto).
      lra. }
  assert (0 <= f t) by eauto.
  assert (1 # D <= 1 # denominator c) by (unfold Qle; simpl; lia).
  pose proof (unit_positive c). nra.
Qed.

Lemma square_positive x : 0 <= x * x.
Proof. destruct x as [n e]. unfold Qle, Qmult. simpl. nia. Qed.

(** Squares of the differences from [x] are 0, or at least some number. *)

Lemma apart l : exists d, 0 < d /\ forall x y, In x l -> In y l -> ~ y == x -> d <= (y - x) * (y - x).
Proof.
  assert (forall x l', exists d, 0 < d /\ forall y, In y l' -> ~ y == x -> d <= (y - x) * (y - x))
    as one.
  { intros x l'. induction l' as [|y l' (d & Hd & H)]; [exists 1; split; [lra | contradiction]|].
    destruct (Qeq_dec y x) as [E | E].
    - exists d. split; [exact Hd|]. intros z [<- | Hz] N; [contradiction | auto].
    - assert (0 < (y - x) * (y - x)).
      { destruct (Qlt_le_dec 0 ((y - x) * (y - x))) as [|le]; [assumption|]. exfalso. apply E.
        assert (y - x == 0) by (destruct (Qlt_le_dec (y - x) 0); [nra|];
          destruct (Qlt_le_dec 0 (y - x)); [nra | lra]). lra. }
      destruct (Qlt_le_dec d ((y - x) * (y - x))).
      + exists d. split; [exact Hd|]. intros z [<- | Hz] N; [lra | auto].
      + exists ((y - x) * (y - x)). split; [assumption|]. intros z [<- | Hz] N; [lra|].
        specialize (H z Hz N). lra. }
  assert (forall l', exists d, 0 < d /\
    forall x y, In x l' -> In y l -> ~ y == x -> d <= (y - x) * (y - x)) as all.
  { induction l' as [|x l' (d & Hd & H)]; [exists 1; split; [lra | contradiction]|].
    destruct (one x l) as (e & He & H'). destruct (Qlt_le_dec d e).
    - exists d. split; [exact Hd|]. intros z y [<- | Hz] Hy N; [specialize (H' y Hy N); lra | auto].
    - exists e. split; [exact He|]. intros z y [<- | Hz] Hy N; [auto|].
      specialize (H z y Hz Hy N). lra. }
  exact (all l).
Qed.

Section Endless.
  Context {state : Type} (p : process state) (inside : state -> Prop) (b : state -> Q)
    (rank : state -> nat) (k : nat) (D : positive) (M d : Q).
  Hypothesis is_closed : closed p inside.
  Hypothesis ends_at_0 : vanishes p inside b.
  Hypothesis last : forall s c, inside s -> In c (p s) ->
    reward c = 0%Z \/ forall w t, In (w, t) (moves c) -> p t = [].
  Hypothesis rises : forall s c, inside s -> In c (p s) -> b s <= worth c b.
  Hypothesis near : forall s c, inside s -> In c (p s) -> 0 < b s -> worth c b == b s ->
    nearer rank s c.
  Hypothesis ranks : forall s, inside s -> (rank s <= k)%nat.
  Hypothesis small : forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive.
  Hypothesis bounded : forall s, inside s -> - M <= b s <= M.
  Hypothesis gaps : 0 < d.
  Hypothesis differ : forall s t, inside s -> inside t -> ~ b t == b s ->
    d <= (b t - b s) * (b t - b s).

  (** What a rank is worth: each lower one [D] times as much, and [D] more. *)

  Fixpoint level (n : nat) : Q :=
    match n with O => 0 | S n => inject_Z (Zpos D) * (level n + 1) end.

  Lemma D_unit : 1 <= inject_Z (Zpos D) /\ (1 # D) * inject_Z (Zpos D) == 1.
  Proof. split; unfold Qle, Qeq; simpl; lia. Qed.

  Lemma level_positive n : 0 <= level n.
  Proof. induction n; simpl; [lra|]. pose proof D_unit. nra. Qed.

  Lemma level_grows m n : (m <= n)%nat -> level m <= level n.
  Proof.
    induction 1 as [|n H IH]; [lra|]. simpl. pose proof D_unit. pose proof (level_positive n). nra.
  Qed.

  Definition is_above s : bool := negb (Qle_bool (b s) 0).

  Lemma above_is s : is_above s = true <-> 0 < b s.
  Proof.
    unfold is_above. destruct (Qle_bool (b s) 0) eqn:E; simpl.
    - apply Qle_bool_iff in E. split; [discriminate | intros; lra].
    - split; [intros _ | reflexivity]. destruct (Qlt_le_dec 0 (b s)) as [|H]; [assumption|].
      apply Qle_bool_iff in H. congruence.
  Qed.

  Definition due s : Q := if is_above s then 1 else 0.
  Definition climb s : Q := if is_above s then level (k - rank s) else 0.
  Definition slope : Q := (level k + 1) * inject_Z (Zpos D) * / d.
  Definition square s : Q := (b s + 2 * M) * (b s + 2 * M).
  Definition inner s : Q := - (slope * square s) - climb s.
  Definition depth : Q := slope * (9 * (M * M)) + level k + 1.
  Definition fall s : Q := match p s with [] => - depth | _ => inner s end.

  Lemma climb_within s : 0 <= climb s <= level k.
  Proof.
    unfold climb. pose proof (level_positive k). destruct (is_above s); [|lra].
    split; [apply level_positive | apply level_grows; lia].
  Qed.

  Lemma slope_positive : 0 <= slope.
  Proof.
    unfold slope. pose proof (level_positive k). pose proof D_unit.
    apply Qmult_le_0_compat; [nra|]. apply Qlt_le_weak. apply Qinv_lt_0_compat. exact gaps.
  Qed.

  Lemma inner_within s : inside s -> 1 - depth <= inner s.
  Proof.
    intros Hs. unfold inner, depth, square. pose proof (bounded s Hs). pose proof (climb_within s).
    pose proof slope_positive.
    assert ((b s + 2 * M) * (b s + 2 * M) <= 9 * (M * M)) by nra.
    assert (slope * ((b s + 2 * M) * (b s + 2 * M)) <= slope * (9 * (M * M)))
      by (apply Qmult_le_l_nonneg || (rewrite !(Qmult_comm slope); apply Qmult_le_compat_r); assumption).
    lra.
  Qed.

  Lemma fall_below_inner s : inside s -> fall s <= inner s /\ - depth <= fall s.
  Proof. intros Hs. unfold fall. pose proof (inner_within s Hs). destruct (p s); lra. Qed.

  Lemma due_within s : 0 <= due s <= 1.
  Proof. unfold due. destruct (is_above s); lra. Qed.

  (** A step that changes the bound, and one that does not. *)

  Lemma calm_or_not s c : inside s -> In c (p s) ->
    (exists w t, In (w, t) (moves c) /\ (0 < w)%Z /\ ~ b t == b s) \/
    (forall w t, In (w, t) (moves c) -> (0 < w)%Z -> b t == b s).
  Proof.
    intros Hs Hc.
    destruct (existsb (fun wt => (0 <? fst wt)%Z && negb (Qeq_bool (b (snd wt)) (b s))) (moves c))
      eqn:E.
    - left. apply existsb_exists in E as ([w t] & Hin & H). apply andb_true_iff in H as [H N].
      apply Z.ltb_lt in H. exists w, t. repeat split; auto. cbn in N.
      intros B. apply Qeq_bool_iff in B. rewrite B in N. discriminate.
    - right. intros w t Hin Hw. destruct (Qeq_dec (b t) (b s)) as [|N]; [assumption|]. exfalso.
      assert (existsb (fun wt => (0 <? fst wt)%Z && negb (Qeq_bool (b (snd wt)) (b s))) (moves c)
              = true); [|congruence].
      apply existsb_exists. exists (w, t). split; [exact Hin|]. cbn. apply andb_true_iff.
      split; [now apply Z.ltb_lt|]. destruct (Qeq_bool (b t) (b s)) eqn:B; [|reflexivity].
      apply Qeq_bool_iff in B. contradiction.
  Qed.

  Lemma mean_square s c : inside s -> In c (p s) -> reward c = 0%Z ->
    square s + mean c (fun t => (b t - b s) * (b t - b s)) <= mean c square.
  Proof.
    intros Hs Hc free. destruct (is_closed s c Hs Hc) as [law goes].
    pose proof (rises s c Hs Hc) as up. unfold worth in up. rewrite free in up.
    assert ((0 # denominator c) == 0) as Z by (unfold Qeq; simpl; lia). rewrite Z in up.
    rewrite (mean_equal c square (fun t => 1 * ((b t - b s) * (b t - b s))
      + 1 * (2 * (b s + 2 * M) * b t + (square s - 2 * (b s + 2 * M) * b s) * 1)))
      by (intros; unfold square; ring).
    rewrite mean_linear, mean_linear, mean_one by exact law.
    pose proof (bounded s Hs). unfold square. nra.
  Qed.

  Lemma step_falls s c : inside s -> In c (p s) -> mean c fall <= fall s - due s.
  Proof.
    intros Hs Hc. destruct (is_closed s c Hs Hc) as [law goes]. pose proof (due_within s).
    assert (fall s = inner s) as -> by (unfold fall; destruct (p s); [contradiction | reflexivity]).
    pose proof (inner_within s Hs) as deep.
    destruct (last s c Hs Hc) as [free | over].
    2: { rewrite (mean_equal c fall (fun _ => - depth))
           by (intros w t Hin; unfold fall; rewrite (over w t Hin); reflexivity).
         rewrite mean_constant by exact law. lra. }
    apply Qle_trans with (mean c inner).
    { apply mean_monotone; [exact law|]. intros w t Hin. now apply fall_below_inner; eauto. }
    rewrite (mean_equal c inner (fun t => (- slope) * square t + (-1) * climb t))
      by (intros; unfold inner; ring).
    rewrite mean_linear. pose proof (mean_square s c Hs Hc free) as grows.
    pose proof slope_positive as pos.
    assert (forall w t, In (w, t) (moves c) -> (0 < w)%Z -> 0 <= (b t - b s) * (b t - b s)) as squares
      by (intros; apply square_positive).
    assert (0 <= mean c (fun t => (b t - b s) * (b t - b s))) as varies.
    { rewrite <- (mean_constant c 0 law). apply mean_monotone; [exact law|]. intros; apply square_positive. }
    assert (0 <= mean c climb) as climbs.
    { rewrite <- (mean_constant c 0 law). apply mean_monotone; [exact law|].
      intros; apply climb_within. }
    pose proof (climb_within s) as within. unfold inner.
    destruct (calm_or_not s c Hs Hc) as [(w & t & Hin & Hw & other) | calm].
    - pose proof (share c _ D w t law (small s c Hs Hc) squares Hin Hw) as part.
      cbv beta in part. pose proof (differ s t Hs (goes w t Hin) other) as wide.
      pose proof D_unit as [D1 DU].
      assert (level k + 1 <= slope * ((1 # D) * d)).
      { unfold slope. setoid_replace ((level k + 1) * inject_Z (Zpos D) * / d * ((1 # D) * d))
          with ((level k + 1) * ((1 # D) * inject_Z (Zpos D)) * (/ d * d)) by ring.
        rewrite DU. assert (/ d * d == 1) as -> by (rewrite Qmult_comm; apply Qmult_inv_r; lra). lra. }
      assert ((1 # D) * d <= mean c (fun t => (b t - b s) * (b t - b s))).
      { assert (0 <= 1 # D) by (unfold Qle; simpl; lia). nra. }
      assert (slope * ((1 # D) * d) <= slope * mean c (fun t => (b t - b s) * (b t - b s)))
        by (rewrite !(Qmult_comm slope); apply Qmult_le_compat_r; assumption).
      assert (slope * (square s + mean c (fun t => (b t - b s) * (b t - b s)))
              <= slope * mean c square)
        by (rewrite !(Qmult_comm slope); apply Qmult_le_compat_r; assumption).
      lra.
    - assert (slope * square s <= slope * mean c square)
        by (rewrite !(Qmult_comm slope); apply Qmult_le_compat_r; [lra | assumption]).
      assert (climb s = if is_above s then level (k - rank s) else 0) as Cs by reflexivity.
      unfold due. destruct (is_above s) eqn:A; [|rewrite Cs; lra].
      assert (0 < b s) as up by now apply above_is.
      assert (mean c b == b s) as same.
      { assert (mean c (fun t => (b t - b s) * 1 + b s * 1) == mean c (fun t => b s * 1 + 0 * 1)) as E.
        { unfold mean. apply Qmult_comp; [|reflexivity]. apply sum_equal. intros [w t] Hin. cbn.
          destruct (Z.eq_dec w 0) as [-> | N]; [ring|].
          destruct law as [positive _]. specialize (positive w t Hin).
          rewrite (calm w t Hin) by lia. ring. }
        rewrite (mean_equal c b (fun t => (b t - b s) * 1 + b s * 1)) by (intros; ring).
        rewrite E, mean_linear, mean_one by exact law. ring. }
      assert (worth c b == b s) as just.
      { unfold worth. rewrite free, same. assert ((0 # denominator c) == 0) as ->
          by (unfold Qeq; simpl; lia). ring. }
      destruct (near s c Hs Hc up just) as (w & t & Hin & Hw & lower).
      assert (forall w u, In (w, u) (moves c) -> (0 < w)%Z -> 0 <= climb u) as climbs'
        by (intros; apply climb_within).
      pose proof (share c climb D w t law (small s c Hs Hc) climbs' Hin Hw) as part.
      assert (is_above t = true) as At by (apply above_is; rewrite (calm w t Hin Hw); exact up).
      assert (climb t = level (k - rank t)) as Ct by (unfold climb; rewrite At; reflexivity).
      rewrite Ct in part. pose proof (ranks s Hs).
      pose proof (level_grows (S (k - rank s)) (k - rank t) ltac:(lia)) as high. simpl in high.
      pose proof D_unit as [D1 DU]. pose proof (level_positive (k - rank s)) as L0.
      assert ((1 # D) * (inject_Z (Zpos D) * (level (k - rank s) + 1)) == level (k - rank s) + 1)
        as whole by (rewrite Qmult_assoc, DU; ring).
      assert (0 <= 1 # D) by (unfold Qle; simpl; lia).
      rewrite Cs. assert ((1 # D) * (inject_Z (Zpos D) * (level (k - rank s) + 1)) <= (1 # D) * level (k - rank t))
        by (rewrite !(Qmult_comm (1 # D)); apply Qmult_le_compat_r; assumption).
      lra.
  Qed.

  Lemma paid_next pi h s c : taken (p s) (pi h s) = Some c -> forall n,
    paid p pi (S n) h s
      == inject_Z (Z.of_nat n) * (reward c # denominator c) + mean c (paid p pi n (s :: h)).
  Proof.
    intros E. induction n as [|n IH].
    - simpl. unfold mean. rewrite (sum_zero _ (moves c)) by (intros; ring). ring.
    - change (paid p pi (S (S n)) h s) with (paid p pi (S n) h s + total p pi (S n) h s).
      rewrite IH. cbn [total]. rewrite E. unfold worth.
      rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus.
      rewrite (mean_equal c (paid p pi (S n) (s :: h))
        (fun t => 1 * paid p pi n (s :: h) t + 1 * total p pi n (s :: h) t))
        by (intros; cbn [paid]; ring).
      rewrite mean_linear. ring.
  Qed.

  Lemma paid_nothing pi h s : taken (p s) (pi h s) = None -> forall n, paid p pi n h s == 0.
  Proof.
    intros E. induction n as [|n IH]; [reflexivity|]. cbn [paid]. rewrite IH.
    destruct n; cbn [total]; rewrite ?E; ring.
  Qed.

  Lemma short pi n : forall h s, inside s ->
    inject_Z (Z.of_nat n) * b s - paid p pi n h s <= M * (fall s + depth).
  Proof.
    induction n as [|n IH]; intros h s Hs; pose proof (fall_below_inner s Hs) as [_ deep];
      pose proof (bounded s Hs);
      assert (0 <= M * (fall s + depth)) by (apply Qmult_le_0_compat; lra).
    - cbn [paid]. change (inject_Z (Z.of_nat 0)) with 0. lra.
    - destruct (taken (p s) (pi h s)) as [c|] eqn:E.
      2: { rewrite (paid_nothing pi h s E), (ends_at_0 s Hs (taken_none _ _ E)). lra. }
      rewrite (paid_next pi h s c E). apply taken_in in E as Hc.
      destruct (is_closed s c Hs Hc) as [law goes].
      assert (mean c (fun t => inject_Z (Z.of_nat n) * b t + (-1) * paid p pi n (s :: h) t)
              <= mean c (fun t => M * fall t + (M * depth) * 1)) as step.
      { apply mean_monotone; [exact law|]. intros w t Hin. specialize (IH (s :: h) t (goes w t Hin)).
        lra. }
      rewrite !mean_linear, mean_one in step by exact law.
      pose proof (rises s c Hs Hc) as up. unfold worth in up.
      pose proof (step_falls s c Hs Hc) as down.
      assert (b s <= M * due s).
      { unfold due. destruct (is_above s) eqn:A; [lra|].
        destruct (Qlt_le_dec 0 (b s)) as [P|]; [apply above_is in P; congruence | lra]. }
      rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. change (inject_Z 1) with 1.
      assert (0 <= inject_Z (Z.of_nat n)) by (rewrite <- (Zle_Qle 0); lia).
      assert (inject_Z (Z.of_nat n) * b s
              <= inject_Z (Z.of_nat n) * ((reward c # denominator c) + mean c b))
        by (rewrite !(Qmult_comm (inject_Z _)); apply Qmult_le_compat_r; assumption).
      assert (M * mean c fall <= M * (fall s - due s))
        by (rewrite !(Qmult_comm M); apply Qmult_le_compat_r; lra).
      lra.
  Qed.

  Lemma mean_holds : exists C, forall pi n h s, inside s ->
    inject_Z (Z.of_nat n) * b s - C <= paid p pi n h s.
  Proof.
    exists (M * (slope * (9 * (M * M)) + depth)). intros pi n h s Hs.
    pose proof (short pi n h s Hs). pose proof (bounded s Hs).
    pose proof (fall_below_inner s Hs) as [low _]. pose proof (climb_within s).
    assert (inner s <= slope * (9 * (M * M))).
    { unfold inner, square. pose proof slope_positive.
      assert (0 <= slope * ((b s + 2 * M) * (b s + 2 * M))) by (apply Qmult_le_0_compat; nra).
      assert (0 <= slope * (9 * (M * M))) by (apply Qmult_le_0_compat; nra). lra. }
    nra.
  Qed.
End Endless.

(** Finitely many numbers have a greatest. *)

Lemma listed_maximum {X} (f : X -> nat) l : exists k, forall x, In x l -> (f x <= k)%nat.
Proof.
  induction l as [|x l [k IH]]; [exists O; contradiction|]. exists (max (f x) k).
  intros y [-> | H]; [lia|]. specialize (IH y H). lia.
Qed.

Lemma listed_bound {X} (f : X -> Q) l : exists M, 0 <= M /\ forall x, In x l -> - M <= f x <= M.
Proof.
  destruct (listed_maximum (fun x => Z.to_nat (Z.abs (Qnum (f x)))) l) as [m big].
  exists (inject_Z (Z.of_nat m)). split; [unfold Qle; simpl; lia|]. intros x Hx.
  specialize (big x Hx). unfold Qle. simpl. nia.
Qed.

Lemma listed_denominator {state} (p : process state) l : exists D, forall s c, In s l -> In c (p s) ->
  (denominator c <= D)%positive.
Proof.
  destruct (listed_maximum (fun c => Pos.to_nat (denominator c)) (flat_map p l)) as [D small].
  exists (Pos.of_nat (S D)). intros s c Hs Hc. specialize (small c).
  assert (In c (flat_map p l)) as Hin by (apply in_flat_map; eauto). specialize (small Hin). lia.
Qed.

Theorem endless : endless_statement.
Proof.
  intros state p states b rank inside is_closed ends last rises near.
  destruct (listed_maximum rank states) as [k ranks].
  destruct (listed_bound b states) as (M & HM & bounded).
  destruct (listed_denominator p states) as [D small].
  destruct (apart (map b states)) as (d & Hd & differ).
  apply (mean_holds p inside b rank k D M d); auto.
  intros s t Hs Ht N. apply differ; auto; now apply in_map.
Qed.
