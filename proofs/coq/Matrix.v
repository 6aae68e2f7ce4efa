(** * Matrix games

    Against a mixed strategy a player earns a mean of what is earned against the pure ones. *)

From Coq Require Import List ZArith QArith Lqa Lia.
From ExactDice Require Import Statements Sums.
Import ListNotations.
Open Scope Q_scope.

Lemma dot_cons a x b y : dot (a :: x) (b :: y) = a * b + dot x y.
Proof. reflexivity. Qed.

(** A mean of numbers of at least (at most) [v] is at least (at most) [v]. *)

Lemma dot_at_least x y v : length x = length y ->
  (forall p, In p x -> 0 <= p) -> (forall q, In q y -> v <= q) -> v * sum (fun p => p) x <= dot x y.
Proof.
  revert y. induction x as [|p x IH]; intros [|q y]; try discriminate; intros L Hx Hy.
  - unfold dot. simpl. lra.
  - rewrite dot_cons. cbn [sum fold_right]. fold (sum (fun p : Q => p) x).
    pose proof (Hx p (or_introl eq_refl)). pose proof (Hy q (or_introl eq_refl)).
    assert (v * sum (fun p => p) x <= dot x y)
      by (apply IH; [now injection L | intros; apply Hx | intros; apply Hy]; simpl; auto).
    nra.
Qed.

Lemma dot_at_most x y v : length x = length y ->
  (forall p, In p x -> 0 <= p) -> (forall q, In q y -> q <= v) -> dot x y <= v * sum (fun p => p) x.
Proof.
  revert y. induction x as [|p x IH]; intros [|q y]; try discriminate; intros L Hx Hy.
  - unfold dot. simpl. lra.
  - rewrite dot_cons. cbn [sum fold_right]. fold (sum (fun p : Q => p) x).
    pose proof (Hx p (or_introl eq_refl)). pose proof (Hy q (or_introl eq_refl)).
    assert (dot x y <= v * sum (fun p => p) x)
      by (apply IH; [now injection L | intros; apply Hx | intros; apply Hy]; simpl; auto).
    nra.
Qed.

Lemma dot_comm x y : dot x y == dot y x.
Proof.
  revert y. induction x as [|a x IH]; intros [|b y]; try reflexivity.
  rewrite !dot_cons, IH. ring.
Qed.

Lemma dot_zero_row x l : (forall b, In b l -> b == 0) -> dot x l == 0.
Proof.
  revert x. induction l as [|b l IH]; intros [|a x] H; try reflexivity.
  rewrite dot_cons, (H b (or_introl eq_refl)), IH; [ring|]. intros; apply H; now right.
Qed.

(** Sum first over the columns: the payoff is also the mean, by [y], of what [x] earns against
    each column. *)

Lemma payoff_by_columns y : forall x game,
  (forall row, In row game -> length row = length y) ->
  payoff game x y == dot (map (fun j => dot x (column game j)) (seq 0 (length y))) y.
Proof.
  induction y as [|b y IH]; intros x game H.
  - simpl. unfold payoff. rewrite dot_zero_row; [reflexivity|].
    intros q Hq. apply in_map_iff in Hq as (row & <- & Hin).
    specialize (H row Hin). destruct row; [reflexivity | discriminate].
  - cbn [length seq map]. rewrite dot_cons.
    rewrite <- seq_shift, map_map.
    assert (map (fun j => dot x (column game (S j))) (seq 0 (length y))
            = map (fun j => dot x (column (map (@tl Q) game) j)) (seq 0 (length y))) as ->.
    { apply map_ext. intros j. f_equal. unfold column. rewrite map_map. apply map_ext.
      intros [|a row]; simpl; [now destruct j | reflexivity]. }
    rewrite <- IH.
    + unfold payoff, column. clear IH. revert game H.
      induction x as [|a x IHx]; intros [|row game] H; try (unfold dot; simpl; ring).
      simpl map. rewrite !dot_cons, IHx by (intros; apply H; now right).
      specialize (H row (or_introl eq_refl)). destruct row as [|c row]; [discriminate|].
      rewrite dot_cons. simpl. ring.
    + intros row Hin. apply in_map_iff in Hin as (r & <- & Hr). specialize (H r Hr).
      destruct r; [discriminate | simpl in *; lia].
Qed.

Theorem matrix_game : matrix_game_statement.
Proof.
  intros game rows columns x y v Hgame Hrow Hx Hy earns gives. split.
  - intros z (L & positive & one).
    rewrite payoff_by_columns by (intros; rewrite L; auto).
    rewrite dot_comm.
    apply Qle_trans with (v * sum (fun p => p) z); [rewrite one; lra|].
    apply dot_at_least; [rewrite map_length, seq_length; reflexivity | exact positive |].
    intros q Hq. apply in_map_iff in Hq as (j & <- & Hj). apply in_seq in Hj. apply earns. lia.
  - intros z (L & positive & one). unfold payoff.
    apply Qle_trans with (v * sum (fun p => p) z); [|rewrite one; lra].
    apply dot_at_most; [rewrite map_length; congruence | exact positive |].
    intros q Hq. apply in_map_iff in Hq as (row & <- & Hin). apply gives. exact Hin.
Qed.
