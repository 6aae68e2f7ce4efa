(** * Always creating is optimal in games of at most eleven rounds, in no other

    Up to eleven rounds both lines at the start agree. In a longer game play meets, with positive
    chance, the lone die on the lowest rung with a score of 1 and eleven rounds left: the die of the
    first round fails and is fixed until then. There something is better than to create, and this
    gap is carried back to the start. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness Backward Swe SweLines SweRounds.
Import ListNotations.
Open Scope Q_scope.

Lemma up_to_eleven : forallb (fun n => match agree unit n with Some _ => true | None => false end)
  (seq 0 12) = true.
Proof. vm_compute. reflexivity. Qed.

(** ** A gap is carried back *)

Definition creates (n : nat) (t : table) (s : nat) : Q := first_total standard n [] t s.

Definition gap (n : nat) (t : table) (s : nat) : Prop := creates n t s < swe_value standard n t s.

Lemma no_more n t s : on_ladder standard t -> creates n t s <= swe_value standard n t s.
Proof.
  intros Ht. exact (proj1 (backward_induction _ _ _ (swe_closed standard standard_ladder) (S n)
    (Playing n t s) Ht) _ []).
Qed.

Lemma stationary_forgets {state} (p : process state) (inside : state -> Prop) action n :
  closed p inside -> forall h h' s, inside s ->
    total p (stationary action) n h s == total p (stationary action) n h' s.
Proof.
  intros is_closed. induction n as [|n IH]; intros h h' s Hs; [reflexivity|]. simpl.
  unfold stationary at 1 3. destruct (taken (p s) (action s)) as [c|] eqn:E; [|reflexivity].
  apply taken_in in E. destruct (is_closed s c Hs E) as [_ goes].
  unfold worth. apply Qplus_inj_l. apply mean_equal. intros w t Hin. apply IH. exact (goes w t Hin).
Qed.

Lemma sum_strict {X} (f g : X -> Q) l x : (forall y, In y l -> f y <= g y) -> In x l -> f x < g x ->
  sum f l < sum g l.
Proof.
  induction l as [|y l IH]; intros H Hin Hx; [contradiction|]. simpl.
  pose proof (H y (or_introl eq_refl)).
  assert (forall z, In z l -> f z <= g z) as rest by (intros; apply H; now right).
  destruct Hin as [-> | Hin]; [pose proof (sum_monotone f g l rest); lra|].
  specialize (IH rest Hin Hx). lra.
Qed.

Lemma gap_before n t t' others s w kept :
  on_ladder standard t -> after_moves t = t' :: others ->
  In (w, kept) (survivors standard (revenue t')) -> (0 < w)%Z ->
  gap n (after_roll t' kept) (score_after s kept) -> gap (S n) t s.
Proof.
  intros Ht M Hin Hw H. unfold gap in *.
  assert (In t' (after_moves t)) as Hmove by (rewrite M; now left).
  pose proof (after_moves_on_ladder standard t t' Ht Hmove) as Ht'.
  apply Qlt_le_trans with (swe_worth standard n t' s).
  - unfold creates. rewrite (first_total_step standard n [] t t' others s M).
    unfold mean_after, swe_worth.
    apply Qmult_lt_compat_r; [reflexivity|].
    apply sum_strict with (x := (w, kept)); [|exact Hin|]; cbn [fst snd].
    + intros [v k] Hk. cbn [fst snd].
      destruct (survivors_kept standard (revenue t') v k (proj1 Ht') Hk) as (_ & _ & positive).
      assert (0 <= inject_Z v) by (rewrite <- (Zle_Qle 0); apply positive;
        intros f Hf; pose proof (proj2 standard_ladder f Hf); lia).
      pose proof (after_roll_on_ladder standard t' v k Ht' Hk) as Hladder.
      rewrite !(Qmult_comm (inject_Z v)). apply Qmult_le_compat_r; [|assumption].
      unfold first_total.
      rewrite (stationary_forgets _ _ _ _ (swe_closed standard standard_ladder) _ []
        (Playing n (after_roll t' k) (score_after s k)) Hladder).
      now apply no_more.
    + assert (0 < inject_Z w) by (rewrite <- (Zlt_Qlt 0); exact Hw).
      pose proof (after_roll_on_ladder standard t' w kept Ht' Hin) as Hladder.
      rewrite !(Qmult_comm (inject_Z w)). apply Qmult_lt_compat_r; [assumption|].
      unfold first_total.
      rewrite (stationary_forgets _ _ _ _ (swe_closed standard standard_ladder) _ []
        (Playing n (after_roll t' kept) (score_after s kept)) Hladder).
      exact H.
  - rewrite swe_value_step. apply highest_is_upper.
    exact (in_map (fun t' => swe_worth standard n t' s) _ _ Hmove).
Qed.

(** ** The lone die *)

Definition lone : table := Table [1; 0; 0; 0; 0]%nat [0; 0; 0; 0; 0]%nat.
Definition broken : table := Table [0; 0; 0; 0; 0]%nat [1; 0; 0; 0; 0]%nat.

Definition unit_of_twelve : Z := (2 ^ 24 * 3 ^ 6 * 5 ^ 2)%Z.

Lemma lone_lines :
  match solve 12 (lower_rule standard unit_of_twelve 12) (tables 5) 11 lone,
        solve 12 (first_rule standard unit_of_twelve 12) (low_tables 5) 11 lone with
  | Some l, Some l' => (at_line l' 1 <? at_line l 1)%Z
  | _, _ => false
  end = true.
Proof. vm_compute. reflexivity. Qed.

Lemma less_scaled x y s a b : 0 < s -> x * s == a -> b <= y * s -> a < b -> x < y.
Proof. intros Hs Hx Hy H. apply (Qmult_lt_r _ _ _ Hs). rewrite Hx. lra. Qed.

Lemma lone_gap : gap 11 lone 1.
Proof.
  pose proof lone_lines as H.
  destruct (solve 12 (lower_rule _ _ _) _ _ lone) as [l|] eqn:E; [|discriminate].
  destruct (solve 12 (first_rule _ _ _) _ _ lone) as [l'|] eqn:E'; [|discriminate].
  apply Z.ltb_lt in H. rewrite Zlt_Qlt in H.
  assert (on_ladder standard lone) as Hlone by (split; reflexivity).
  assert (1 <= cap 12 11)%nat as inrange by (vm_compute; lia).
  pose proof (lower_bounds standard unit_of_twelve 12 standard_ladder ltac:(reflexivity) (tables 5)
    11
    lone l E Hlone 1%nat inrange) as low.
  pose proof (first_exact standard unit_of_twelve 12 standard_ladder (low_tables 5) 11 []
    lone l' E' Hlone 1%nat inrange) as exact.
  refine (less_scaled _ _ _ _ _ _ exact low H).
  rewrite <- (Zlt_Qlt 0). apply Z.pow_pos_nonneg; [reflexivity | discriminate].
Qed.

(** While it is broken, and at the start: one die is rolled, and fails or survives. *)

Lemma roll_of_one : In (3, [1; 0; 0; 0; 0]%nat)%Z (survivors standard (revenue lone)) /\
  In (1, [0; 0; 0; 0; 0]%nat)%Z (survivors standard (revenue lone)).
Proof. split; vm_compute; tauto. Qed.

Lemma broken_gap k : gap (12 + k) broken 0.
Proof.
  assert (on_ladder standard broken) as Hb by (split; reflexivity).
  induction k as [|k IH].
  - exact (gap_before 11 broken lone [] 0 3 _ Hb eq_refl (proj1 roll_of_one) eq_refl lone_gap).
  - exact (gap_before (12 + k) broken lone [] 0 1 _ Hb eq_refl (proj2 roll_of_one) eq_refl IH).
Qed.

Lemma start_gap k : gap (12 + k) (empty_table standard) 0.
Proof.
  destruct k as [|k].
  - exact (gap_before 11 _ lone [] 0 3 _ start_on_ladder eq_refl (proj1 roll_of_one) eq_refl
      lone_gap).
  - exact (gap_before (12 + k) _ lone [] 0 1 _ start_on_ladder eq_refl (proj2 roll_of_one) eq_refl
      (broken_gap k)).
Qed.

Theorem create_until_eleven : create_statement.
Proof.
  unfold create_statement. cbv zeta beta. intros n. split; intros Hn.
  - pose proof up_to_eleven as H. rewrite forallb_forall in H.
    specialize (H n ltac:(apply in_seq; lia)). destruct (agree unit n) as [A|] eqn:E;
      [|discriminate].
    exact (proj1 (agree_means unit n A ltac:(reflexivity) E)).
  - pose proof (start_gap (n - 12)) as H. replace (12 + (n - 12))%nat with n in H by lia. exact H.
Qed.
