(** * No first choice is optimal for sure

    Against a first die that is known the other player rolls the best one, and then plays on by the
    certificate. Only the first hands have three dice, so a game put before the listed ones changes
    the first choice alone. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Matrix DuelCertificate Duel.
Import ListNotations.
Open Scope Q_scope.

(** Who draws place [i] with chance 1 earns what it earns. *)

Lemma sum_nonnegative x : (forall p, In p x -> 0 <= p) -> 0 <= sum (fun p => p) x.
Proof.
  induction x as [|p x IH]; intros H; [apply Qle_refl|]. simpl.
  assert (0 <= p) by (apply H; now left).
  assert (0 <= sum (fun p => p) x) by (apply IH; intros; apply H; now right). lra.
Qed.

Lemma nth_at_most_sum x : forall i, (forall p, In p x -> 0 <= p) -> (i < length x)%nat ->
  nth i x 0 <= sum (fun p => p) x.
Proof.
  induction x as [|p x IH]; intros i H Hi; [simpl in Hi; lia|].
  assert (0 <= p) by (apply H; now left).
  assert (forall q, In q x -> 0 <= q) as others by (intros; apply H; now right).
  pose proof (sum_nonnegative x others). destruct i as [|i]; simpl in *; [lra|].
  specialize (IH i others ltac:(lia)). lra.
Qed.

Lemma dot_none x : forall l, (forall p, In p x -> 0 <= p) -> sum (fun p => p) x == 0 ->
  dot x l == 0.
Proof.
  induction x as [|p x IH]; intros [|a l] positive none; try reflexivity.
  simpl in none. rewrite dot_cons.
  assert (0 <= p) by (apply positive; now left).
  assert (0 <= sum (fun p => p) x) by (apply sum_nonnegative; intros; apply positive; now right).
  rewrite (IH l); [|intros; apply positive; now right | lra].
  assert (p == 0) as -> by lra. ring.
Qed.

Lemma dot_pure x : forall i l, (forall p, In p x -> 0 <= p) -> sum (fun p => p) x == 1 ->
  (i < length x)%nat -> length l = length x -> nth i x 0 == 1 -> dot x l == nth i l 0.
Proof.
  induction x as [|p x IH]; intros [|i] [|a l] positive one Hi L Hp; simpl in Hi, L; try lia;
    simpl in one, Hp; rewrite dot_cons;
    assert (0 <= p) by (apply positive; now left);
    assert (forall q, In q x -> 0 <= q) as others by (intros; apply positive; now right);
    pose proof (sum_nonnegative x others).
  - rewrite dot_none by (assumption || lra). simpl. rewrite Hp. ring.
  - pose proof (nth_at_most_sum x i others ltac:(lia)).
    assert (p == 0) as E by lra. rewrite (IH i l); try assumption; try lia; [|lra].
    simpl. rewrite E. ring.
Qed.

(** The games in which the first player rolls place [i] first and the second place [j]. *)

Definition pure (j : nat) : list Q := map (fun k => if (k =? j)%nat then 1 else 0) (seq 0 3).

Definition answered (i j : nat) : list game :=
  Game first_hand second_hand (pure i) (pure j) (28459 # 286848) :: duel_games.

Definition afterwards (games : list game) : list (list Q) :=
  stage first_hand second_hand (fun i j =>
    solved games 2 (without i first_hand) (without j second_hand)).

(** The answer to each place. *)

Definition column_answer (i : nat) : nat := nth i [1; 0; 0]%nat 0%nat.
Definition row_answer (j : nat) : nat := nth j [0; 1; 0]%nat 0%nat.

Definition rest_accepted (games : list game) : bool :=
  listed_well games
  && forallb (fun i => forallb (fun j => verify games 2 (without i first_hand) (without j
    second_hand))
       (seq 0 3)) (seq 0 3).

(** What place [i] earns against the answer [j], and what the answer [i] earns against place [j]. *)

Definition against_column (i j : nat) : Q :=
  nth i (map (fun row => dot row (pure j)) (afterwards (answered i j))) 0.

Definition against_row (i j : nat) : Q :=
  nth j (map (fun k => dot (pure i) (column (afterwards (answered i j)) k)) (seq 0 3)) 0.

Lemma answers_accepted :
  forallb (fun i => let j := column_answer i in
    rest_accepted (answered i j) && negb (Qle_bool (28459 # 286848) (against_column i j))) (seq 0 3)
  && forallb (fun j => let i := row_answer j in
    rest_accepted (answered i j)
    && negb (Qle_bool (against_row i j) (28459 # 286848))) (seq 0 3) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma duel_step n sigma tau h mine yours : duel (S n) sigma tau h mine yours =
  payoff (stage mine yours (fun i j =>
      duel n sigma tau ((mine, yours) :: h) (without i mine) (without j yours)))
    (sigma h mine yours) (tau (map (fun m => (snd m, fst m)) h) yours mine).
Proof. reflexivity. Qed.

Lemma less_by_check p q : negb (Qle_bool p q) = true -> q < p.
Proof.
  intros H. apply Qnot_le_lt. intros atmost. apply Qle_bool_iff in atmost. rewrite atmost in H.
  discriminate.
Qed.

Lemma rest_means games i j : rest_accepted games = true -> (i < 3)%nat -> (j < 3)%nat ->
  listed_well games = true /\ verify games 2 (without i first_hand) (without j second_hand) = true.
Proof.
  intros H Hi Hj. apply andb_true_iff in H as [well H]. split; [exact well|].
  rewrite forallb_forall in H. specialize (H i). rewrite forallb_forall in H.
  apply H; apply in_seq; lia.
Qed.

Lemma two_left i : (i < 3)%nat -> length (without i first_hand) = 2%nat /\
  length (without i second_hand) = 2%nat.
Proof. destruct i as [|[|[|i]]]; intros; try lia; split; reflexivity. Qed.

Theorem sure_choice : sure_choice_statement.
Proof.
  pose proof answers_accepted as H. apply andb_true_iff in H as [columns rows].
  rewrite forallb_forall in columns, rows. split.
  - intros i sigma Hi lawful sure.
    assert (In i (seq 0 3)) as Hin by (apply in_seq; lia).
    specialize (columns i Hin). cbv zeta in columns.
    set (j := column_answer i) in *. apply andb_true_iff in columns as [accepted less].
    apply less_by_check in less. unfold against_column in less.
    assert (found (answered i j) first_hand second_hand
            = Some (Game first_hand second_hand (pure i) (pure j) (28459 # 286848))) as E
              by reflexivity.
    set (games := answered i j) in *.
    assert (forall a b, (a < 3)%nat -> (b < 3)%nat -> listed_well games = true /\
      verify games 2 (without a first_hand) (without b second_hand) = true) as checked
      by (intros; now apply rest_means).
    destruct (checked 0%nat 0%nat) as [well _]; [lia..|].
    exists (column_strategy games). split; [now apply column_strategy_legal|].
    assert (mixed 3 (sigma [] first_hand second_hand)) as Hx by (apply (lawful []); discriminate).
    assert (column_strategy games [] second_hand first_hand = pure j) as Ey
      by (unfold column_strategy; rewrite E; reflexivity).
    assert (mixed 3 (pure j)) as Hy.
    { rewrite <- Ey. apply (column_strategy_legal games well []). discriminate. }
    refine (Qle_lt_trans _ (payoff (afterwards games) (sigma [] first_hand second_hand) (pure j)) _
      _ _).
    + rewrite duel_step. cbn [map]. rewrite Ey. apply payoff_of_rest; [apply Hx | apply Hy |].
      intros a b Ha Hb. apply column_gives; try assumption; try (apply two_left; assumption).
      now apply checked.
    + unfold payoff. rewrite (dot_pure _ i); [exact less | apply Hx | apply Hx | | | exact sure].
      * rewrite (proj1 Hx). exact Hi.
      * rewrite map_length, (proj1 Hx). reflexivity.
  - intros j tau Hj lawful sure.
    assert (In j (seq 0 3)) as Hin by (apply in_seq; lia).
    specialize (rows j Hin). cbv zeta in rows.
    set (i := row_answer j) in *. apply andb_true_iff in rows as [accepted less].
    apply less_by_check in less. unfold against_row in less.
    assert (found (answered i j) first_hand second_hand
            = Some (Game first_hand second_hand (pure i) (pure j) (28459 # 286848))) as E
              by reflexivity.
    set (games := answered i j) in *.
    assert (forall a b, (a < 3)%nat -> (b < 3)%nat -> listed_well games = true /\
      verify games 2 (without a first_hand) (without b second_hand) = true) as checked
      by (intros; now apply rest_means).
    destruct (checked 0%nat 0%nat) as [well _]; [lia..|].
    exists (row_strategy games). split; [now apply row_strategy_legal|].
    assert (mixed 3 (tau [] second_hand first_hand)) as Hy by (apply (lawful []); discriminate).
    assert (row_strategy games [] first_hand second_hand = pure i) as Ex
      by (unfold row_strategy; rewrite E; reflexivity).
    assert (mixed 3 (pure i)) as Hx.
    { rewrite <- Ex. apply (row_strategy_legal games well []). discriminate. }
    refine (Qlt_le_trans _ (payoff (afterwards games) (pure i) (tau [] second_hand first_hand)) _ _
      _).
    + rewrite payoff_by_columns.
      * rewrite dot_comm, (proj1 Hy), (dot_pure _ j);
          [exact less | apply Hy | apply Hy | | | exact sure].
        -- rewrite (proj1 Hy). exact Hj.
        -- rewrite map_length, seq_length, (proj1 Hy). reflexivity.
      * intros row Hrow. unfold afterwards, stage in Hrow. apply in_map_iff in Hrow as (a & <- & _).
        rewrite map_length, seq_length, (proj1 Hy). reflexivity.
    + rewrite duel_step. cbn [map]. rewrite Ex. apply payoff_of_rest; [apply Hx | apply Hy |].
      intros a b Ha Hb. apply row_earns; try assumption; try (apply two_left; assumption).
      now apply checked.
Qed.
