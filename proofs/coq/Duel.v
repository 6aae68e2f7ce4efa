(** * The duel of FateStones

    A list of solved games gives a strategy to either player: the chances listed for the present
    hands, and the first die where nothing is listed. If each listed game is a solution of the
    matrix game whose ties lead to the values of the hands that are left, the first hands have the
    value listed, by induction on the number of dice. *)

From Coq Require Import List ZArith QArith Bool Arith Lqa Lia.
From ExactDice Require Import Statements Sums Matrix DuelCertificate.
Import ListNotations.
Open Scope Q_scope.

(** ** Strategies and values from a list of games *)

Definition hand_eq_dec : forall a b : hand, {a = b} + {a <> b} :=
  list_eq_dec (list_eq_dec Nat.eq_dec).

Definition found (games : list game) (mine yours : hand) : option game :=
  find (fun g => if hand_eq_dec (row_hand g) mine then
                   if hand_eq_dec (column_hand g) yours then true else false else false) games.

Definition first_die (own : hand) : list Q := 1 :: repeat 0 (length own - 1).

Definition row_strategy (games : list game) : strategy := fun _ mine yours =>
  match found games mine yours with Some g => row_mixed g | None => first_die mine end.

Definition column_strategy (games : list game) : strategy := fun _ mine yours =>
  match found games yours mine with Some g => column_mixed g | None => first_die mine end.

Fixpoint solved (games : list game) (n : nat) (mine yours : hand) : Q :=
  match n with
  | O => 0
  | S n =>
      match found games mine yours with
      | Some g => game_value g
      | None => nth 0 (nth 0 (stage mine yours (fun i j =>
                  solved games n (without i mine) (without j yours))) []) 0
      end
  end.

Definition is_mixed (size : nat) (x : list Q) : bool :=
  (length x =? size)%nat && forallb (Qle_bool 0) x && Qeq_bool (sum (fun p => p) x) 1.

(** Every listed game has strategies; and the games of [n] dice a side, with all that can follow a
    tie, are solved. *)

Definition listed_well (games : list game) : bool :=
  forallb (fun g => is_mixed (length (row_hand g)) (row_mixed g)
                    && is_mixed (length (column_hand g)) (column_mixed g)) games.

Fixpoint verify (games : list game) (n : nat) (mine yours : hand) : bool :=
  match n with
  | O => true
  | S n =>
      let game := stage mine yours (fun i j => solved games n (without i mine) (without j yours)) in
      let v := solved games (S n) mine yours in
      let x := row_strategy games [] mine yours in
      let y := column_strategy games [] yours mine in
      forallb (fun j => Qle_bool v (dot x (column game j))) (seq 0 (S n))
      && forallb (fun row => Qle_bool (dot row y) v) game
      && forallb (fun i => forallb (fun j => verify games n (without i mine) (without j yours))
                   (seq 0 (S n))) (seq 0 (S n))
  end.

(** ** Strategies are legal *)

Lemma is_mixed_means size x : is_mixed size x = true -> mixed size x.
Proof.
  intros H. apply andb_true_iff in H as [H one]. apply andb_true_iff in H as [L positive].
  rewrite forallb_forall in positive.
  split; [now apply Nat.eqb_eq | split; [|now apply Qeq_bool_iff]].
  intros p Hp. apply Qle_bool_iff. auto.
Qed.

Lemma first_die_mixed own : own <> [] -> mixed (length own) (first_die own).
Proof.
  intros H. destruct own as [|a own]; [contradiction|]. unfold first_die.
  replace (length (a :: own) - 1)%nat with (length own) by (simpl; lia). split; [simpl;
    now rewrite repeat_length | split].
  - intros p [<- | Hp]; [lra|]. apply repeat_spec in Hp. subst. apply Qle_refl.
  - simpl. assert (forall k, sum (fun p => p) (repeat 0 k) == 0) as E
      by (induction k; simpl; [reflexivity | rewrite IHk; reflexivity]).
    fold (sum (fun p : Q => p) (repeat 0 (length own))). rewrite E. reflexivity.
Qed.

Lemma found_means games mine yours g : found games mine yours = Some g ->
  In g games /\ row_hand g = mine /\ column_hand g = yours.
Proof.
  intros H. apply find_some in H as [Hin H].
  destruct (hand_eq_dec (row_hand g) mine); [|discriminate].
  destruct (hand_eq_dec (column_hand g) yours); [auto | discriminate].
Qed.

Lemma row_strategy_legal games : listed_well games = true -> legal (row_strategy games).
Proof.
  intros well h mine yours some. unfold row_strategy.
  destruct (found games mine yours) as [g|] eqn:E; [|now apply first_die_mixed].
  apply found_means in E as (Hin & <- & _). unfold listed_well in well.
  rewrite forallb_forall in well. specialize (well g Hin). apply andb_true_iff in well.
  now apply is_mixed_means.
Qed.

Lemma column_strategy_legal games : listed_well games = true -> legal (column_strategy games).
Proof.
  intros well h mine yours some. unfold column_strategy.
  destruct (found games yours mine) as [g|] eqn:E; [|now apply first_die_mixed].
  apply found_means in E as (Hin & _ & <-). unfold listed_well in well.
  rewrite forallb_forall in well. specialize (well g Hin). apply andb_true_iff in well.
  now apply is_mixed_means.
Qed.

(** ** More after a tie is worth more *)

Lemma dot_monotone x : forall l m, (forall p, In p x -> 0 <= p) -> Forall2 Qle l m ->
  dot x l <= dot x m.
Proof.
  induction x as [|p x IH]; intros l m positive H; [apply Qle_refl|].
  destruct H as [|a b l m Hab H]; [apply Qle_refl|]. rewrite !dot_cons.
  assert (0 <= p) by (apply positive; now left).
  assert (dot x l <= dot x m) by (apply IH; [intros; apply positive; now right | exact H]). nra.
Qed.

Lemma forall2_map {X} (R : Q -> Q -> Prop) (f g : X -> Q) l :
  (forall x, In x l -> R (f x) (g x)) -> Forall2 R (map f l) (map g l).
Proof.
  induction l as [|x l IH]; intros H; constructor; [apply H; now left|].
  apply IH. intros; apply H; now right.
Qed.

Lemma ties_nonnegative a b : (0 <= ties a b)%Z.
Proof.
  unfold ties, pairs. induction (list_prod a b) as [|xy l IH]; simpl; [lia|].
  destruct (_ =? _)%nat; lia.
Qed.

Lemma payoff_of_rest mine yours rest rest' x y :
  (forall p, In p x -> 0 <= p) -> (forall p, In p y -> 0 <= p) ->
  (forall i j, (i < length mine)%nat -> (j < length yours)%nat -> rest i j <= rest' i j) ->
  payoff (stage mine yours rest) x y <= payoff (stage mine yours rest') x y.
Proof.
  intros Hx Hy H. unfold payoff, stage. rewrite !map_map. apply dot_monotone; [exact Hx|].
  apply forall2_map. intros i Hi. apply in_seq in Hi.
  rewrite (dot_comm _ y), (dot_comm _ y). apply dot_monotone; [exact Hy|].
  apply forall2_map. intros j Hj. apply in_seq in Hj. cbv zeta.
  specialize (H i j). specialize (H ltac:(lia) ltac:(lia)).
  pose proof (ties_nonnegative (nth i mine []) (nth j yours [])).
  assert (0 <= ties (nth i mine []) (nth j yours []) # face_pairs (nth i mine []) (nth j yours []))
    by (unfold Qle; simpl; lia).
  nra.
Qed.

Lemma length_without {X} i (l : list X) : (i < length l)%nat -> S (length (without i l)) = length l.
Proof.
  intros H. unfold without. rewrite app_length, firstn_length, skipn_length. lia.
Qed.

(** ** The value *)

Section Values.
  Context (games : list game).
  Hypothesis well : listed_well games = true.

  Lemma stage_value n mine yours :
    length mine = S n -> length yours = S n -> verify games (S n) mine yours = true ->
    let game := stage mine yours (fun i j => solved games n (without i mine) (without j yours)) in
    (forall y, mixed (S n) y ->
      solved games (S n) mine yours <= payoff game (row_strategy games [] mine yours) y) /\
    (forall x, mixed (S n) x ->
      payoff game x (column_strategy games [] yours mine) <= solved games (S n) mine yours) /\
    (forall i j, (i < S n)%nat -> (j < S n)%nat ->
      verify games n (without i mine) (without j yours) = true).
  Proof.
    intros Lm Ly H game. cbn [verify] in H. fold game in H.
    apply andb_true_iff in H as [H rest]. apply andb_true_iff in H as [earns gives].
    rewrite forallb_forall in earns, gives, rest.
    assert (mine <> []) as some by (destruct mine; discriminate).
    assert (yours <> []) as some' by (destruct yours; discriminate).
    destruct (matrix_game game (S n) (S n) (row_strategy games [] mine yours)
      (column_strategy games [] yours mine) (solved games (S n) mine yours)) as [most least].
    - unfold game, stage. now rewrite map_length, seq_length.
    - intros row Hrow. unfold game, stage in Hrow. apply in_map_iff in Hrow as (i & <- & _).
      now rewrite map_length, seq_length.
    - rewrite <- Lm. now apply row_strategy_legal.
    - rewrite <- Ly. now apply column_strategy_legal.
    - intros j Hj. apply Qle_bool_iff, earns, in_seq. lia.
    - intros row Hrow. apply Qle_bool_iff. exact (gives row Hrow).
    - split; [exact most | split; [exact least|]]. intros i j Hi Hj.
      assert (In i (seq 0 (S n))) as Hi' by (apply in_seq; lia). specialize (rest i Hi').
      rewrite forallb_forall in rest. apply rest, in_seq. lia.
  Qed.

  Lemma row_earns tau : legal tau -> forall n h mine yours,
    length mine = n -> length yours = n -> verify games n mine yours = true ->
    solved games n mine yours <= duel n (row_strategy games) tau h mine yours.
  Proof.
    intros lawful. induction n as [|n IH]; intros h mine yours Lm Ly H; [apply Qle_refl|].
    destruct (stage_value n mine yours Lm Ly H) as (most & _ & rest).
    remember (solved games (S n) mine yours) as v. cbn [duel].
    set (y := tau _ yours mine).
    assert (mixed (S n) y) as Hy by (rewrite <- Ly; apply lawful; destruct yours; discriminate).
    assert (mixed (S n) (row_strategy games h mine yours)) as Hx
      by (rewrite <- Lm; apply row_strategy_legal; [exact well | destruct mine; discriminate]).
    eapply Qle_trans; [apply (most y Hy)|].
    change (row_strategy games h mine yours) with (row_strategy games [] mine yours) in *.
    apply payoff_of_rest; [apply Hx | apply Hy |]. intros i j Hi Hj.
    apply IH; [pose proof (length_without i mine Hi); lia | pose proof (length_without j yours Hj);
      lia |].
    apply rest; lia.
  Qed.

  Lemma column_gives sigma : legal sigma -> forall n h mine yours,
    length mine = n -> length yours = n -> verify games n mine yours = true ->
    duel n sigma (column_strategy games) h mine yours <= solved games n mine yours.
  Proof.
    intros lawful. induction n as [|n IH]; intros h mine yours Lm Ly H; [apply Qle_refl|].
    destruct (stage_value n mine yours Lm Ly H) as (_ & least & rest).
    remember (solved games (S n) mine yours) as v. cbn [duel].
    set (x := sigma h mine yours). set (h' := map _ h).
    assert (mixed (S n) x) as Hx by (rewrite <- Lm; apply lawful; destruct mine; discriminate).
    assert (mixed (S n) (column_strategy games h' yours mine)) as Hy
      by (rewrite <- Ly; apply column_strategy_legal; [exact well | destruct yours; discriminate]).
    eapply Qle_trans; [|apply (least x Hx)].
    change (column_strategy games h' yours mine) with (column_strategy games [] yours mine) in *.
    apply payoff_of_rest; [apply Hx | apply Hy |]. intros i j Hi Hj.
    apply IH; [pose proof (length_without i mine Hi); lia | pose proof (length_without j yours Hj);
      lia |].
    apply rest; lia.
  Qed.
End Values.

Lemma certificate_accepted :
  listed_well duel_games && verify duel_games 3 first_hand second_hand
  && Qeq_bool (solved duel_games 3 first_hand second_hand) (28459 # 286848) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem mixed_duel : mixed_statement.
Proof.
  pose proof certificate_accepted as H. apply andb_true_iff in H as [H value].
  apply andb_true_iff in H as [well accepted]. apply Qeq_bool_iff in value. split.
  - exists (row_strategy duel_games). split; [now apply row_strategy_legal|].
    intros tau lawful. rewrite <- value. now apply row_earns.
  - exists (column_strategy duel_games). split; [now apply column_strategy_legal|].
    intros sigma lawful. rewrite <- value. now apply column_gives.
Qed.
