(* Theorem 33 of THEOREMS.md: liar's dice with one die each has the value -(s - 2)/s^2 for the first
   player, and both players have an optimal strategy that is not randomized. *)
From Coq Require Import ZArith Lia List Bool Arith.
From ExactDice Require Import Statements.
Import ListNotations.
Open Scope Z_scope.

Import Liar.

(* The strategies. *)

Definition opening (x : nat) : bid := (1%nat, Nat.max x 2).

Definition first : strategy := fun x bids =>
  match bids with [] => Some (opening x) | _ => None end.

Definition second : strategy := fun y bids =>
  match bids with
  | [(1%nat, f)] =>
      if (y =? f)%nat then Some (2%nat, f)
      else if (y <? f)%nat || ((f =? 1)%nat && (y =? 2)%nat) then None
      else Some (1%nat, y)
  | _ => None
  end.

Lemma total_le : forall n f g,
  (forall i, (1 <= i <= n)%nat -> f i <= g i) -> total n f <= total n g.
Proof.
  induction n; intros f g H; cbn [total]; [lia|].
  assert (total n f <= total n g) by (apply IHn; intros; apply H; lia).
  specialize (H (S n) ltac:(lia)). lia.
Qed.

Lemma total_add : forall n f g, total n (fun i => f i + g i) = total n f + total n g.
Proof. induction n; intros; cbn [total]; [lia|]. rewrite IHn. lia. Qed.

Lemma total_swap : forall n m (f : nat -> nat -> Z),
  total n (fun x => total m (fun y => f x y)) = total m (fun y => total n (fun x => f x y)).
Proof.
  induction n; intros m f; cbn [total].
  - induction m; cbn [total]; lia.
  - rewrite IHn, <- total_add. reflexivity.
Qed.

Ltac decide_all :=
  repeat match goal with
  | |- context [(?a =? ?b)%nat] => destruct (Nat.eqb_spec a b)
  | |- context [(?a <? ?b)%nat] => destruct (Nat.ltb_spec a b)
  | |- context [(?a <=? ?b)%nat] => destruct (Nat.leb_spec a b)
  end.

(* The first player's strategy. *)

(* What the second player can do after the first bid: to call, or to make a bid that is called. *)
Definition answer (b : bid) (reply : option bid) (s x y : nat) : Z :=
  match reply with
  | Some c => if legal s [b] c then (if holds c x y then -1 else 1) else (if holds b x y then 1 else -1)
  | None => if holds b x y then 1 else -1
  end.

Lemma play_eq : forall s most one two x y bids,
  play s most one two x y bids =
  match (if Nat.even (length bids) then one x bids else two y bids) with
  | Some c =>
      if legal s bids c then
        match most with O => 0 | S m => play s m one two x y (c :: bids) end
      else called x y bids
  | None => called x y bids
  end.
Proof. intros s [|most] *; reflexivity. Qed.

Lemma called_one : forall x y b, called x y [b] = if holds b x y then 1 else -1.
Proof.
  intros. unfold called. change (Nat.odd (length [b])) with true. rewrite xorb_true_r.
  destruct (holds b x y); reflexivity.
Qed.

Lemma called_two : forall x y b c, called x y [c; b] = if holds c x y then -1 else 1.
Proof.
  intros. unfold called. change (Nat.odd (length [c; b])) with false. rewrite xorb_false_r.
  reflexivity.
Qed.

Lemma called_three : forall x y b c d, called x y [d; c; b] = if holds d x y then 1 else -1.
Proof.
  intros. unfold called. change (Nat.odd (length [d; c; b])) with true. rewrite xorb_true_r.
  destruct (holds d x y); reflexivity.
Qed.

Lemma play_first : forall s n two x y, (2 <= s)%nat -> (1 <= x <= s)%nat ->
  play s (S (S n)) first two x y [] =
  answer (opening x) (two y [opening x]) s x y.
Proof.
  intros s n two x y Hs Hx. rewrite play_eq.
  change (if Nat.even (length (@nil bid)) then first x [] else two y [])
    with (Some (opening x)).
  cbv iota beta. replace (legal s [] (opening x)) with true.
  2: { unfold legal, opening. cbn [fst snd]. decide_all; cbn [andb]; try reflexivity; lia. }
  generalize (opening x). intros b. rewrite play_eq.
  change (if Nat.even (length [b]) then first x [b] else two y [b]) with (two y [b]).
  unfold answer. destruct (two y [b]) as [c|].
  - destruct (legal s [b] c).
    + rewrite play_eq.
      change (if Nat.even (length [c; b]) then first x [c; b] else two y [c; b]) with (@None bid).
      apply called_two.
    + apply called_one.
  - apply called_one.
Qed.

Ltac ends :=
  repeat match goal with |- context [if ?b then _ else _] => destruct b end; lia.

Ltac ends2 := intros Hfirst; destruct (_ <=? 2)%nat; lia.

Lemma answer_high : forall s x y r, (3 <= x <= s)%nat ->
  (if (y <? x)%nat then 1 else -1) <= answer (opening x) r s x y.
Proof.
  intros s x y r Hx.
  assert (Hmax : Nat.max x 2 = x) by lia.
  assert (Hown : holds (opening x) x y = true).
  { unfold holds, shows, opening. cbn [fst snd]. rewrite Hmax, Nat.eqb_refl. apply Nat.leb_le. lia. }
  unfold answer. destruct r as [[k v]|]; [|rewrite Hown; ends].
  destruct (legal s [opening x] (k, v)) eqn:Hlegal; [|rewrite Hown; ends].
  destruct (Nat.ltb_spec y x) as [Hy|Hy]; [|ends].
  replace (holds (k, v) x y) with false; [lia|]. symmetry.
  unfold legal, higher, opening in Hlegal. rewrite Hmax in Hlegal. cbn [fst snd] in Hlegal.
  apply andb_prop in Hlegal as [Hrange Hhigh]. apply orb_prop in Hhigh.
  unfold holds, shows. cbn [fst snd]. apply Nat.leb_gt.
  destruct Hhigh as [Hk|Hk].
  - apply Nat.ltb_lt in Hk.
    destruct (Nat.eqb_spec x v), (Nat.eqb_spec y v); lia.
  - apply andb_prop in Hk as [Hk Hv]. apply Nat.eqb_eq in Hk. apply Nat.ltb_lt in Hv.
    apply andb_prop in Hrange as [_ _].
    destruct (Nat.eqb_spec x v), (Nat.eqb_spec y v); lia.
Qed.

Lemma holds_split : forall k v x y, holds (k, v) x y = (k <=? shows x v + shows y v)%nat.
Proof. reflexivity. Qed.

Lemma answer_low : forall s y r, (1 <= y)%nat ->
  (if (y <=? 2)%nat then 0 else -2) <=
  answer (opening 1) r s 1 y + answer (opening 1) r s 2 y.
Proof.
  intros s y r Hy.
  assert (Htwo : holds (opening 1) 2 y = true) by reflexivity.
  assert (Hone : (2 <= y)%nat -> y = 2%nat -> holds (opening 1) 1 y = true)
    by (intros _ ->; reflexivity).
  assert (Hfirst : 0 <= (if holds (opening 1) 1 y then 1 else -1) + (if holds (opening 1) 2 y then 1 else -1))
    by (rewrite Htwo; destruct (holds (opening 1) 1 y); lia).
  unfold answer. destruct r as [[k v]|]; [|clear - Hfirst; revert Hfirst; ends2].
  destruct (legal s [opening 1] (k, v)) eqn:Hlegal; [|clear - Hfirst; revert Hfirst; ends2].
  destruct (Nat.leb_spec y 2) as [H|H];
    [|ends].
  assert (Hnot : holds (k, v) 1 y = false \/ holds (k, v) 2 y = false).
  { unfold legal, higher, opening in Hlegal. change (Nat.max 1 2) with 2%nat in Hlegal. cbn [fst snd] in Hlegal.
    apply andb_prop in Hlegal as [_ Hhigh]. apply orb_prop in Hhigh.
    rewrite !holds_split. unfold shows.
    destruct Hhigh as [Hk|Hk].
    - apply Nat.ltb_lt in Hk. destruct (Nat.eq_dec v 1) as [->|Hv].
      + right. apply Nat.leb_gt. cbn [Nat.eqb]. destruct (y =? 1)%nat; lia.
      + left. apply Nat.leb_gt. destruct (Nat.eqb_spec 1 v); [lia|]. destruct (y =? v)%nat; lia.
    - apply andb_prop in Hk as [Hk Hv]. apply Nat.eqb_eq in Hk. apply Nat.ltb_lt in Hv.
      left. apply Nat.leb_gt. destruct (Nat.eqb_spec 1 v), (Nat.eqb_spec y v); lia. }
  destruct Hnot as [-> | ->].
  - ends.
  - ends.
Qed.

(* Of what the second player can reach, over all first dice that are 3 or more. *)
Lemma rest_first : forall n y,
  total n (fun x => if (x <=? 2)%nat then 0 else if (y <? x)%nat then 1 else -1) =
  Z.max 0 (Z.of_nat n - Z.of_nat (Nat.max y 2)) - Z.max 0 (Z.of_nat (Nat.min n y) - 2).
Proof. induction n; intros y; cbn [total]; [lia|]. rewrite IHn. decide_all; lia. Qed.

Lemma split_two : forall n f, (2 <= n)%nat ->
  total n f = f 1%nat + f 2%nat + total n (fun x => if (x <=? 2)%nat then 0 else f x).
Proof.
  induction n as [|n IH]; intros f H; [lia|].
  destruct (Nat.eq_dec n 1) as [->|Hn]; [cbn; lia|].
  cbn [total]. rewrite IH by lia. decide_all; lia.
Qed.

Lemma against_second_die : forall s n two y, (2 <= s)%nat -> (1 <= y <= s)%nat ->
  (if (y <=? 2)%nat then Z.of_nat s - 2 else Z.of_nat s - 2 * Z.of_nat y) <=
  total s (fun x => play s (S (S n)) first two x y []).
Proof.
  intros s n two y Hs Hy. rewrite split_two by exact Hs.
  rewrite !play_first by lia.
  pose proof (answer_low s y (two y [opening 1]) ltac:(lia)) as Hlow.
  change (opening 2) with (opening 1).
  assert (total s (fun x => if (x <=? 2)%nat then 0 else if (y <? x)%nat then 1 else -1) <=
    total s (fun x => if (x <=? 2)%nat then 0 else play s (S (S n)) first two x y [])) as Hhigh.
  { apply total_le. intros x Hx. destruct (Nat.leb_spec x 2); [lia|].
    rewrite play_first by lia. apply answer_high. lia. }
  rewrite rest_first in Hhigh. revert Hlow Hhigh. decide_all; lia.
Qed.

Lemma sum_low : forall (S0 : Z) n, (2 <= n)%nat ->
  total n (fun y => if (y <=? 2)%nat then S0 - 2 else S0 - 2 * Z.of_nat y) =
  (Z.of_nat n) * S0 - 4 - (Z.of_nat n * (Z.of_nat n + 1) - 6).
Proof.
  intros S0. induction n as [|n IH]; intros H; [lia|].
  destruct (Nat.eq_dec n 1) as [->|Hn].
  { cbn [total Nat.leb]. change (Z.of_nat 2) with 2. lia. }
  cbn [total]. rewrite IH by lia. destruct (Nat.leb_spec (S n) 2); [lia|].
  rewrite !Nat2Z.inj_succ. ring.
Qed.

Lemma first_guarantees : forall s n two, (2 <= s)%nat ->
  - (Z.of_nat s - 2) <= payoff s (S (S n)) first two.
Proof.
  intros s n two Hs. unfold payoff. rewrite total_swap.
  apply Z.le_trans with
    (total s (fun y => if (y <=? 2)%nat then Z.of_nat s - 2 else Z.of_nat s - 2 * Z.of_nat y)).
  - rewrite sum_low by exact Hs. nia.
  - apply total_le. intros y Hy. apply against_second_die; lia.
Qed.

(* The second player's strategy. *)

(* After two bids the second player calls, so the first player has one more bid at most. *)
Lemma last_bid : forall s n one x y b c,
  play s (S n) one second x y [c; b] =
  match one x [c; b] with
  | Some d =>
      if legal s [c; b] d then (if holds d x y then 1 else -1)
      else (if holds c x y then -1 else 1)
  | None => if holds c x y then -1 else 1
  end.
Proof.
  intros s n one x y b c. rewrite play_eq.
  change (if Nat.even (length [c; b]) then one x [c; b] else second y [c; b]) with (one x [c; b]).
  destruct (one x [c; b]) as [d|]; [|apply called_two].
  destruct (legal s [c; b] d); [|apply called_two].
  rewrite play_eq.
  replace (if Nat.even (length [d; c; b]) then one x [d; c; b] else second y [d; c; b])
    with (@None bid); [apply called_three|].
  change (Nat.even (length [d; c; b])) with false. cbv iota.
  destruct d as [[|[|k]] v]; reflexivity.
Qed.

Lemma at_most_one : forall s n one x y b c, play s (S n) one second x y [c; b] <= 1.
Proof. intros. rewrite last_bid. destruct (one x [c; b]) as [d|]; ends. Qed.

Lemma loses : forall s n one x y b c, holds c x y = true ->
  (forall d, legal s [c; b] d = true -> holds d x y = false) ->
  play s (S n) one second x y [c; b] <= -1.
Proof.
  intros s n one x y b c Hc Hd. rewrite last_bid, Hc.
  destruct (one x [c; b]) as [d|]; [|lia].
  destruct (legal s [c; b] d) eqn:Hlegal; [|lia]. rewrite (Hd d Hlegal). lia.
Qed.

(* An upper bound of what the first player with the die x wins after the first bid (k, f). *)
Definition most_for (k f x y : nat) : Z :=
  if (k =? 1)%nat then
    if (y =? f)%nat then (if (x =? f)%nat then -1 else 1)
    else if (y <? f)%nat || ((f =? 1)%nat && (y =? 2)%nat) then (if (x =? f)%nat then 1 else -1)
    else (if (y <=? x)%nat then 1 else -1)
  else if (y =? f)%nat then 1 else -1.

Lemma legal_higher : forall s c bids k v, legal s (c :: bids) (k, v) = true ->
  (fst c < k \/ fst c = k /\ snd c < v)%nat /\ (1 <= v <= s)%nat /\ (1 <= k <= 2)%nat.
Proof.
  intros s c bids k v H. unfold legal, higher in H. cbn [fst snd] in H.
  apply andb_prop in H as [Hr Hh].
  apply andb_prop in Hr as [Hr Hs]. apply andb_prop in Hr as [Hr Hv].
  apply andb_prop in Hr as [Hk Hk2].
  apply Nat.leb_le in Hk, Hk2, Hv, Hs. split; [|lia].
  apply orb_prop in Hh as [H|H]; [left; apply Nat.ltb_lt; exact H|right].
  apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. apply Nat.ltb_lt in H2. lia.
Qed.

Lemma is_legal : forall s c bids k v, (1 <= k <= 2)%nat -> (1 <= v <= s)%nat ->
  (fst c < k \/ fst c = k /\ snd c < v)%nat -> legal s (c :: bids) (k, v) = true.
Proof.
  intros s c bids k v Hk Hv H. unfold legal, higher. cbn [fst snd].
  replace (1 <=? k)%nat with true by (symmetry; apply Nat.leb_le; lia).
  replace (k <=? 2)%nat with true by (symmetry; apply Nat.leb_le; lia).
  replace (1 <=? v)%nat with true by (symmetry; apply Nat.leb_le; lia).
  replace (v <=? s)%nat with true by (symmetry; apply Nat.leb_le; lia).
  cbn [andb]. apply orb_true_iff. destruct H as [H|[H1 H2]].
  - left. apply Nat.ltb_lt. exact H.
  - right. rewrite H1, Nat.eqb_refl. apply Nat.ltb_lt. exact H2.
Qed.

Lemma after_one : forall s n one x y f, (1 <= y <= s)%nat -> (1 <= f <= s)%nat ->
  play s (S (S n)) one second x y [(1%nat, f) : bid] <= most_for 1 f x y.
Proof.
  intros s n one x y f Hy Hf. rewrite play_eq.
  change (if Nat.even (length [(1%nat, f) : bid]) then one x [(1%nat, f) : bid]
    else second y [(1%nat, f) : bid]) with
    (if (y =? f)%nat then Some (2%nat, f)
     else if (y <? f)%nat || ((f =? 1)%nat && (y =? 2)%nat) then None else Some (1%nat, y)).
  unfold most_for. change (1 =? 1)%nat with true. cbv iota.
  destruct (Nat.eqb_spec y f) as [->|Hyf].
  - rewrite is_legal by (cbn [fst snd]; lia).
    destruct (Nat.eqb_spec x f) as [->|Hx]; [|apply at_most_one].
    apply loses.
    + unfold holds, shows. cbn [fst snd]. rewrite Nat.eqb_refl. reflexivity.
    + intros [k v] H. apply legal_higher in H. cbn [fst snd] in H.
      rewrite holds_split. unfold shows. apply Nat.leb_gt.
      destruct (Nat.eqb_spec f v); lia.
  - destruct ((y <? f)%nat || ((f =? 1)%nat && (y =? 2)%nat)) eqn:Hcall.
    + rewrite called_one, holds_split. unfold shows.
      destruct (Nat.eqb_spec y f); [lia|]. destruct (x =? f)%nat; cbn; lia.
    + assert (f < y)%nat.
      { apply orb_false_iff in Hcall as [H _]. apply Nat.ltb_ge in H. lia. }
      rewrite is_legal by (cbn [fst snd]; lia).
      destruct (Nat.leb_spec y x) as [Hxy|Hxy]; [apply at_most_one|]. apply loses.
      * rewrite holds_split. unfold shows. rewrite Nat.eqb_refl. apply Nat.leb_le. lia.
      * intros [k v] H0. apply legal_higher in H0. cbn [fst snd] in H0.
        rewrite holds_split. unfold shows. apply Nat.leb_gt.
        destruct (Nat.eqb_spec x v), (Nat.eqb_spec y v); lia.
Qed.

Lemma after_two : forall s n one x y f,
  play s (S (S n)) one second x y [(2%nat, f) : bid] <= most_for 2 f x y.
Proof.
  intros s n one x y f. rewrite play_eq.
  change (if Nat.even (length [(2%nat, f) : bid]) then one x [(2%nat, f) : bid]
    else second y [(2%nat, f) : bid]) with (@None bid).
  rewrite called_one, holds_split. unfold shows, most_for. change (2 =? 1)%nat with false. cbv iota.
  destruct (Nat.eqb_spec y f); [ends|]. destruct (x =? f)%nat; cbn; lia.
Qed.

(* The greatest sum over the second player's dice, for a die x of the first player. *)
Definition most_with (s x : nat) : Z :=
  if (x =? 1)%nat then 2 - Z.of_nat s else 2 * Z.of_nat x - Z.of_nat s - 2.

Lemma sum_two : forall f n, (1 <= f)%nat ->
  total n (fun y => if (y =? f)%nat then 1 else -1) =
  - Z.of_nat n + (if (f <=? n)%nat then 2 else 0).
Proof.
  intros f n Hf. induction n as [|n IH]; cbn [total].
  - destruct (Nat.leb_spec f 0); lia.
  - rewrite IH. destruct (Nat.eqb_spec (S n) f), (Nat.leb_spec f n), (Nat.leb_spec f (S n)); lia.
Qed.

Lemma sum_less : forall f n, (1 <= f)%nat ->
  total n (fun y => if (y <? f)%nat then 1 else -1) =
  2 * Z.of_nat (Nat.min n (f - 1)) - Z.of_nat n.
Proof.
  intros f n Hf. induction n as [|n IH]; cbn [total]; [lia|].
  rewrite IH. destruct (Nat.ltb_spec (S n) f); lia.
Qed.

Lemma sum_between : forall f x n, (1 <= f)%nat ->
  total n (fun y => if (f <=? y)%nat then (if (y <=? x)%nat then 1 else -1) else -1) =
  2 * Z.of_nat (Nat.min n x - (f - 1)) - Z.of_nat n.
Proof.
  intros f x n Hf. induction n as [|n IH]; cbn [total]; [lia|].
  rewrite IH. destruct (Nat.leb_spec f (S n)), (Nat.leb_spec (S n) x); lia.
Qed.

Lemma sum_at_two : forall n, (2 <= n)%nat ->
  total n (fun y => if (y =? 2)%nat then -2 else 0) = -2.
Proof.
  induction n as [|n IH]; intros H; [lia|]. cbn [total].
  destruct (Nat.eq_dec n 1) as [->|Hn]; [reflexivity|].
  rewrite IH by lia. destruct (Nat.eqb_spec (S n) 2); lia.
Qed.

Lemma most_one : forall s x f, (2 <= s)%nat -> (1 <= x <= s)%nat -> (1 <= f <= s)%nat ->
  total s (fun y => most_for 1 f x y) <= most_with s x.
Proof.
  intros s x f Hs Hx Hf. unfold most_with.
  assert (Hreduce : forall g, (forall y, (1 <= y <= s)%nat -> most_for 1 f x y <= g y) ->
    total s (fun y => most_for 1 f x y) <= total s g) by (intros; apply total_le; assumption).
  unfold most_for in *. change (1 =? 1)%nat with true in *. cbv iota in *.
  destruct (Nat.eqb_spec x f) as [->|Hxf].
  - destruct (Nat.eqb_spec f 1) as [->|Hf1].
    + apply Z.le_trans with (total s (fun y => if (y =? 2)%nat then 1 else -1)).
      * apply Hreduce. intros y Hy. cbn [andb Nat.eqb orb].
        destruct (Nat.eqb_spec y 1), (Nat.ltb_spec y 1), (Nat.eqb_spec y 2), (Nat.leb_spec y 1);
          cbn [orb]; lia.
      * rewrite sum_two by lia. destruct (Nat.leb_spec 2 s); lia.
    + apply Z.le_trans with (total s (fun y => if (y <? f)%nat then 1 else -1)).
      * apply Hreduce. intros y Hy. replace (f =? 1)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
        cbn [andb]. rewrite orb_false_r.
        destruct (Nat.eqb_spec y f), (Nat.ltb_spec y f), (Nat.leb_spec y f); lia.
      * rewrite sum_less by lia. lia.
  - destruct (Nat.eqb_spec f 1) as [->|Hf1].
    + apply Z.le_trans with (total s (fun y =>
        (if (1 <=? y)%nat then (if (y <=? x)%nat then 1 else -1) else -1) + (if (y =? 2)%nat then -2 else 0))).
      * apply Hreduce. intros y Hy. cbn [andb].
        destruct (Nat.eqb_spec y 1), (Nat.ltb_spec y 1), (Nat.eqb_spec y 2), (Nat.leb_spec y x),
          (Nat.leb_spec 1 y); cbn [orb]; lia.
      * rewrite total_add, sum_between, sum_at_two by lia.
        destruct (Nat.eqb_spec x 1); lia.
    + replace (f =? 1)%nat with false in Hreduce by (symmetry; apply Nat.eqb_neq; lia).
      replace (f =? 1)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
      destruct (Nat.ltb_spec x f) as [Hlow|Hhigh].
      * apply Z.le_trans with (total s (fun y => if (y =? f)%nat then 1 else -1)).
        -- apply Hreduce. intros y Hy. cbn [andb]. rewrite orb_false_r.
           destruct (Nat.eqb_spec y f), (Nat.ltb_spec y f), (Nat.leb_spec y x); lia.
        -- rewrite sum_two by lia. destruct (Nat.leb_spec f s), (Nat.eqb_spec x 1); lia.
      * apply Z.le_trans with (total s (fun y =>
          if (f <=? y)%nat then (if (y <=? x)%nat then 1 else -1) else -1)).
        -- apply Hreduce. intros y Hy. cbn [andb]. rewrite orb_false_r.
           destruct (Nat.eqb_spec y f), (Nat.ltb_spec y f), (Nat.leb_spec y x), (Nat.leb_spec f y); lia.
        -- rewrite sum_between by lia. destruct (Nat.eqb_spec x 1); lia.
Qed.

Lemma most_sum : forall s x k f, (2 <= s)%nat -> (1 <= x <= s)%nat -> (1 <= f <= s)%nat ->
  (k = 1 \/ k = 2)%nat -> total s (fun y => most_for k f x y) <= most_with s x.
Proof.
  intros s x k f Hs Hx Hf [-> | ->].
  - apply most_one; lia.
  - unfold most_for. change (2 =? 1)%nat with false. cbv iota.
    rewrite sum_two by lia. unfold most_with.
    destruct (Nat.leb_spec f s), (Nat.eqb_spec x 1); lia.
Qed.

Lemma total_const : forall n c, total n (fun _ => c) = Z.of_nat n * c.
Proof. induction n; intros c; cbn [total]; [lia|]. rewrite IHn. lia. Qed.

Lemma against_first_die : forall s n one x, (2 <= s)%nat -> (1 <= x <= s)%nat ->
  total s (fun y => play s (S (S (S n))) one second x y []) <= most_with s x.
Proof.
  intros s n one x Hs Hx.
  assert (Hforfeit : total s (fun _ => -1) <= most_with s x).
  { rewrite total_const. unfold most_with. destruct (Nat.eqb_spec x 1); lia. }
  destruct (one x []) as [[k f]|] eqn:Hone.
  - destruct (legal s [] (k, f)) eqn:Hlegal.
    + assert (H : (1 <= k <= 2 /\ 1 <= f <= s)%nat).
      { unfold legal in Hlegal. cbn [fst snd] in Hlegal. rewrite andb_true_r in Hlegal.
        apply andb_prop in Hlegal as [Hr Hsz]. apply andb_prop in Hr as [Hr Hv].
        apply andb_prop in Hr as [Hk Hk2]. apply Nat.leb_le in Hk, Hk2, Hv, Hsz. lia. }
      apply Z.le_trans with (total s (fun y => most_for k f x y)).
      * apply total_le. intros y Hy. rewrite play_eq.
        change (if Nat.even (length (@nil bid)) then one x [] else second y []) with (one x []).
        rewrite Hone, Hlegal.
        assert (Hk : (k = 1 \/ k = 2)%nat) by lia. destruct Hk as [-> | ->].
        -- apply after_one; lia.
        -- apply after_two.
      * apply most_sum; lia.
    + apply Z.le_trans with (total s (fun _ => -1)); [|exact Hforfeit].
      apply total_le. intros y Hy. rewrite play_eq.
      change (if Nat.even (length (@nil bid)) then one x [] else second y []) with (one x []).
      rewrite Hone, Hlegal. cbn. lia.
  - apply Z.le_trans with (total s (fun _ => -1)); [|exact Hforfeit].
    apply total_le. intros y Hy. rewrite play_eq.
    change (if Nat.even (length (@nil bid)) then one x [] else second y []) with (one x []).
    rewrite Hone. cbn. lia.
Qed.

Lemma sum_most : forall s n, (1 <= n)%nat ->
  total n (most_with s) =
  (2 - Z.of_nat s) + Z.of_nat n * (Z.of_nat n + 1) - 2 - (Z.of_nat n - 1) * (Z.of_nat s + 2).
Proof.
  intros s n. induction n as [|n IH]; intros H; [lia|].
  destruct (Nat.eq_dec n 0) as [->|Hn].
  { cbn [total]. unfold most_with. change (1 =? 1)%nat with true. cbv iota. lia. }
  cbn [total]. rewrite IH by lia. unfold most_with. destruct (Nat.eqb_spec (S n) 1); [lia|].
  rewrite !Nat2Z.inj_succ. ring.
Qed.

Lemma second_guarantees : forall s n one, (2 <= s)%nat ->
  payoff s (S (S (S n))) one second <= - (Z.of_nat s - 2).
Proof.
  intros s n one Hs. unfold payoff.
  apply Z.le_trans with (total s (most_with s)).
  - apply total_le. intros x Hx. apply against_first_die; lia.
  - rewrite sum_most by lia. nia.
Qed.

Theorem one_die_each : one_die_each_statement.
Proof.
  exists first, second. intros s more Hs. split; intros.
  - pose proof (first_guarantees s (S more) two Hs) as H. change (3 + more)%nat with (S (S (S more))). lia.
  - pose proof (second_guarantees s more one Hs) as H. change (3 + more)%nat with (S (S (S more))). lia.
Qed.
