(** * The reroll game

    The certificate is accepted for the process made from the rules. All its values are at least 0
    and at most 18, so soundness gives both bounds. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Checker RerollCertificate.
Import ListNotations.
Open Scope Q_scope.

Fixpoint same_dice (l m : list nat) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => (x =? y)%nat && same_dice l m
  | _, _ => false
  end.

Definition same (s t : reroll_state) : bool :=
  match s, t with
  | Start, Start | Stuck, Stuck => true
  | Showing l, Showing m => same_dice l m
  | _, _ => false
  end.

Lemma same_dice_is_equality : forall l m, same_dice l m = true <-> l = m.
Proof.
  induction l as [|x l IH]; intros [|y m]; simpl; try (split;
    [discriminate || reflexivity | congruence]).
  rewrite andb_true_iff, Nat.eqb_eq, IH. split; [intros [-> ->]; reflexivity | intros [= -> ->];
    auto].
Qed.

Lemma same_is_equality : forall s t, same s t = true <-> s = t.
Proof.
  intros [|l|] [|m|]; simpl; try (split; [discriminate || reflexivity | congruence]).
  rewrite same_dice_is_equality. split; congruence.
Qed.

Lemma reroll_accepted : check same reroll reroll_certificate = true.
Proof. vm_compute. reflexivity. Qed.

(** Every listed value lies between 0 and 18. *)

Lemma values_in_range : forall s, listed reroll_certificate s ->
  0 <= value same reroll_certificate s <= 18.
Proof.
  assert (forallb (fun s => Qle_bool 0 (value same reroll_certificate s)
                            && Qle_bool (value same reroll_certificate s) 18)
            (map at_state (rows reroll_certificate)) = true) as H by (vm_compute; reflexivity).
  intros s Hs. rewrite forallb_forall in H. specialize (H s Hs).
  apply andb_true_iff in H as [low high]. split; apply Qle_bool_iff; assumption.
Qed.

Theorem reroll_value : reroll_statement.
Proof.
  destruct (check_sound _ same same_is_equality _ _ reroll_accepted) as (most & least & ends).
  assert (listed reroll_certificate Start) as begun by (left; reflexivity).
  assert (value same reroll_certificate Start == 103369 # 7744) as worth by reflexivity.
  split.
  - intros pi n. rewrite <- worth.
    assert (0 <= 0) as zero by lra.
    specialize (most 0 zero (fun s Hs => proj1 (values_in_range s Hs)) pi n [] Start begun). lra.
  - destruct ends as (k & epsilon & positive & ends).
    exists (field same action O reroll_certificate), k, epsilon.
    split; [exact positive | split; [reflexivity | split; [reflexivity | split; intros n]]].
    + rewrite <- worth. assert (0 <= 18) as eighteen by lra.
      exact (least 18 eighteen (fun s Hs => proj2 (values_in_range s Hs)) n [] Start begun).
    + exact (ends n [] Start begun).
Qed.

Theorem states : states_statement.
Proof. vm_compute. reflexivity. Qed.

Theorem best_score : best_score_statement.
Proof.
  assert (forallb (fun dice => (stick_score dice <=? 18)
            && Bool.eqb (stick_score dice =? 18) (same_dice dice [1; 1; 1] || same_dice dice [1; 1;
              6]))
          (map ascending (rolls 6 3)) = true)%nat as H by (vm_compute; reflexivity).
  intros dice Hin. rewrite forallb_forall in H. specialize (H dice Hin).
  apply andb_true_iff in H as [most one]. apply Nat.leb_le in most. split; [exact most|].
  apply eqb_prop in one.
  rewrite <- Nat.eqb_eq, <- !same_dice_is_equality, one, orb_true_iff. reflexivity.
Qed.
