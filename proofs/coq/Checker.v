(** * The checker of certificates, and that it is sound

    [check] compares integers only. A value is its numerator over the common denominator [C], so
    with the denominator [D] of a choice, what the choice is worth is at most the value if and only
    if  reward * C + sum of weight * numerator <= numerator of the state * D. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Soundness.
Import ListNotations.
Open Scope Q_scope.

Section Checker.
  Context {state : Type} (eqb : state -> state -> bool).

  (** The rows of the states that moves lead to; none if one of them is not listed. *)

  Fixpoint look_up (cert : certificate state) (l : list (Z * state))
      : option (list (Z * row state)) :=
    match l with
    | [] => Some []
    | (w, t) :: rest =>
        match row_of eqb cert t, look_up cert rest with
        | Some r, Some found => Some ((w, r) :: found)
        | _, _ => None
        end
    end.

  Definition weighted (found : list (Z * row state)) : Z :=
    fold_right (fun wr rest => fst wr * numerator (snd wr) + rest)%Z 0%Z found.

  (** One choice in a state with the row [r]: its weights are probabilities, and it is worth no
      more than the value; the one that is taken is worth the value, and may lower the rank. *)

  Definition check_choice (cert : certificate state) (r : row state) (is_taken : bool)
      (c : choice state) : bool :=
    match look_up cert (moves c) with
    | None => false
    | Some found =>
        let returned := (reward c * Zpos (common cert) + weighted found)%Z in
        let due := (numerator r * Zpos (denominator c))%Z in
        forallb (fun wr => 0 <=? fst wr)%Z found
        && (total_weight found =? Zpos (denominator c))%Z
        && (returned <=? due)%Z
        && (negb is_taken
            || (returned =? due)%Z
               && existsb (fun wr => (0 <? fst wr)%Z && (rank (snd wr) <? rank r)) found)
    end.

  Definition check_state (p : process state) (cert : certificate state) (s : state) : bool :=
    match row_of eqb cert s with
    | None => false
    | Some r =>
        match p s with
        | [] => (numerator r =? 0)%Z && (rank r =? 0)
        | choices =>
            (action r <? length choices)
            && forallb (check_choice cert r false) choices
            && match taken choices (action r) with
               | Some c => check_choice cert r true c
               | None => false
               end
        end
    end.

  Definition check (p : process state) (cert : certificate state) : bool :=
    forallb (fun r => check_state p cert (at_state r)) (rows cert).

  (** ** Soundness *)

  Hypothesis eqb_is_equality : forall s t, eqb s t = true <-> s = t.

  Lemma row_is_listed cert s r : row_of eqb cert s = Some r -> listed cert s.
  Proof.
    intros H. apply find_some in H as [Hin E]. apply eqb_is_equality in E. subst s.
    apply in_map. exact Hin.
  Qed.

  Lemma look_up_moves cert l : forall found, look_up cert l = Some found ->
    total_weight found = total_weight l /\
    (forall w t, In (w, t) l -> exists r, row_of eqb cert t = Some r /\ In (w, r) found) /\
    (forall w r, In (w, r) found -> exists t, row_of eqb cert t = Some r /\ In (w, t) l) /\
    sum (fun move => inject_Z (fst move) * value eqb cert (snd move)) l
      == (weighted found # common cert).
  Proof.
    induction l as [|[w t] l IH]; simpl; intros found H.
    - injection H as <-. repeat split; contradiction.
    - destruct (row_of eqb cert t) as [r|] eqn:E; [|discriminate].
      destruct (look_up cert l) as [rest|]; [|discriminate]. injection H as <-.
      destruct (IH rest eq_refl) as (whole & there & back & IHsum). repeat split.
      + simpl. now rewrite whole.
      + intros x u [[= -> ->] | Hin]; [exists r; simpl; auto|].
        destruct (there x u Hin) as (r' & ? & ?). exists r'. simpl. auto.
      + intros x r' [[= -> ->] | Hin]; [exists t; simpl; auto|].
        destruct (back x r' Hin) as (u & ? & ?). exists u. simpl. auto.
      + rewrite IHsum. unfold value, field. rewrite E. simpl.
        unfold Qeq, Qplus, Qmult, inject_Z. simpl. lia.
  Qed.

  Lemma check_choice_sound cert s r b c :
    row_of eqb cert s = Some r -> check_choice cert r b c = true ->
    lawful c /\ (forall w t, In (w, t) (moves c) -> listed cert t) /\
    worth c (value eqb cert) <= value eqb cert s /\
    (b = true -> worth c (value eqb cert) == value eqb cert s /\
      exists w t, In (w, t) (moves c) /\ (0 < w)%Z /\
        (field eqb rank O cert t < field eqb rank O cert s)%nat).
  Proof.
    intros E H. unfold check_choice in H.
    destruct (look_up cert (moves c)) as [found|] eqn:F; [|discriminate].
    destruct (look_up_moves cert _ found F) as (whole & there & back & Hsum).
    rewrite !andb_true_iff, orb_true_iff, andb_true_iff in H.
    destruct H as [[[positive total] atmost] rest].
    rewrite forallb_forall in positive.
    apply Z.eqb_eq in total. apply Z.leb_le in atmost.
    assert (worth c (value eqb cert) ==
            (reward c * Zpos (common cert) + weighted found # denominator c * common cert)) as W.
    { unfold worth, mean. rewrite Hsum. unfold Qeq. simpl. rewrite !Pos2Z.inj_mul. ring. }
    split; [split | split; [|split]].
    - intros w t Hin. destruct (there w t Hin) as (r' & _ & Hr).
      apply positive in Hr. apply Z.leb_le in Hr. exact Hr.
    - congruence.
    - intros w t Hin. destruct (there w t Hin) as (r' & Hr & _). eapply row_is_listed. exact Hr.
    - rewrite W. unfold value, field. rewrite E. unfold Qle. simpl. rewrite Pos2Z.inj_mul. nia.
    - intros ->. destruct rest as [? | [equal lower]]; [discriminate|]. split.
      + apply Z.eqb_eq in equal. rewrite W. unfold value, field. rewrite E. unfold Qeq. simpl.
        rewrite Pos2Z.inj_mul. nia.
      + apply existsb_exists in lower as ([w r'] & Hin & less).
        apply andb_true_iff in less as [pos less]. simpl in *.
        apply Z.ltb_lt in pos. apply Nat.ltb_lt in less.
        destruct (back w r' Hin) as (t & Ht & Hmove). exists w, t.
        unfold field. rewrite E, Ht. auto.
  Qed.

  Section Accepted.
    Context (p : process state) (cert : certificate state).
    Hypothesis accepted : check p cert = true.

    Lemma state_accepted s : listed cert s -> exists r, row_of eqb cert s = Some r /\
      (p s = [] -> value eqb cert s == 0) /\
      (forall c, In c (p s) -> check_choice cert r false c = true) /\
      (forall c, taken (p s) (action r) = Some c -> check_choice cert r true c = true).
    Proof.
      intros Hs. unfold listed in Hs. rewrite in_map_iff in Hs. destruct Hs as (r0 & <- & Hin).
      unfold check in accepted. rewrite forallb_forall in accepted.
      specialize (accepted r0 Hin). unfold check_state in accepted.
      destruct (row_of eqb cert (at_state r0)) as [r|] eqn:E; [|discriminate].
      exists r. split; [reflexivity|].
      destruct (p (at_state r0)) as [|first others].
      - apply andb_true_iff in accepted as [zero _]. apply Z.eqb_eq in zero.
        repeat split; try discriminate; try contradiction.
        intros _. unfold value, field. rewrite E, zero. reflexivity.
      - apply andb_true_iff in accepted as [inner last].
        apply andb_true_iff in inner as [_ each]. rewrite forallb_forall in each.
        repeat split; [discriminate | exact each |]. intros c Hc. rewrite Hc in last. exact last.
    Qed.

    Lemma accepted_closed : closed p (listed cert).
    Proof.
      intros s c Hs Hc. destruct (state_accepted s Hs) as (r & E & _ & each & _).
      destruct (check_choice_sound cert s r false c E (each c Hc)) as (? & ? & _). auto.
    Qed.

    Lemma accepted_vanishes : vanishes p (listed cert) (value eqb cert).
    Proof. intros s Hs. destruct (state_accepted s Hs) as (r & _ & H & _). exact H. Qed.

    Lemma accepted_below pi : below p (listed cert) (value eqb cert) pi.
    Proof.
      intros h s c Hs Hc. apply taken_in in Hc.
      destruct (state_accepted s Hs) as (r & E & _ & each & _).
      now destruct (check_choice_sound cert s r false c E (each c Hc)) as (_ & _ & ? & _).
    Qed.

    Lemma certified_step h s c : listed cert s -> taken (p s) (certified eqb cert h s) = Some c ->
      worth c (value eqb cert) == value eqb cert s /\
      exists w t, In (w, t) (moves c) /\ (0 < w)%Z /\
        (field eqb rank O cert t < field eqb rank O cert s)%nat.
    Proof.
      intros Hs Hc. destruct (state_accepted s Hs) as (r & E & _ & _ & last).
      unfold certified, stationary, field in Hc. rewrite E in Hc.
      now apply (check_choice_sound cert s r true c E (last c Hc)).
    Qed.

    Lemma accepted_above : above p (listed cert) (value eqb cert) (certified eqb cert).
    Proof. intros h s c Hs Hc. destruct (certified_step h s c Hs Hc) as [-> _]. lra. Qed.

    Lemma accepted_lowers : lowers p (listed cert) (field eqb rank O cert) (certified eqb cert).
    Proof. intros h s c Hs Hc. now destruct (certified_step h s c Hs Hc). Qed.

    (** The largest rank, and the largest denominator that is in use. *)

    Definition largest_rank : nat := list_max (map rank (rows cert)).

    Definition largest_denominator : positive :=
      fold_right Pos.max 1%positive
        (flat_map (fun r => map denominator (p (at_state r))) (rows cert)).

    Lemma ranks_bounded s : (field eqb rank O cert s <= largest_rank)%nat.
    Proof.
      unfold field. destruct (row_of eqb cert s) as [r|] eqn:E; [|lia].
      apply find_some in E as [Hin _]. unfold largest_rank.
      pose proof (proj1 (list_max_le (map rank (rows cert)) _) (Nat.le_refl _)) as H.
      rewrite Forall_forall in H. apply H, in_map, Hin.
    Qed.

    Lemma denominators_bounded s c :
      listed cert s -> In c (p s) -> (denominator c <= largest_denominator)%positive.
    Proof.
      intros Hs Hc. unfold largest_denominator.
      assert (In (denominator c) (flat_map (fun r => map denominator (p (at_state r))) (rows
        cert))).
      { unfold listed in Hs. apply in_map_iff in Hs as (r & <- & Hin).
        apply in_flat_map. exists r. split; [exact Hin | apply in_map, Hc]. }
      induction (flat_map _ _) as [|d l IH]; [contradiction|]. simpl.
      destruct H as [-> | H]; [lia|]. specialize (IH H). lia.
    Qed.
  End Accepted.
End Checker.

Theorem check_sound : forall state (eqb : state -> state -> bool), sound eqb (check eqb).
Proof.
  intros state eqb equality p cert accepted.
  pose proof (accepted_closed eqb equality p cert accepted) as is_closed.
  pose proof (accepted_vanishes eqb p cert accepted) as ends.
  repeat split.
  - intros M HM low pi n h s Hs.
    apply upper_bound with (inside := listed cert); auto. apply accepted_below; assumption.
  - intros M HM high n h s Hs.
    apply lower_bound with (inside := listed cert); auto. apply accepted_above; assumption.
  - exists (largest_rank cert), (power (1 # largest_denominator p cert) (largest_rank cert)).
    split; [apply power_positive; reflexivity|]. intros m h s Hs.
    apply play_ends with (inside := listed cert) (rank := field eqb rank O cert); auto.
    + apply accepted_lowers; assumption.
    + intros. apply ranks_bounded.
    + intros t c Ht Hc. eapply denominators_bounded; eassumption.
Qed.
