(** * What is proved

    This file holds definitions and statements alone. Each statement [x_statement] is proved as
    [Theorem x : x_statement] in the file that its comment names; no proof is needed to read what
    is claimed. Numbers are integers [Z] and rationals [Q] ([==] is equality of rationals). There
    are no reals and no limits: what holds in the limit is said by inequalities for each [n]. *)

From Coq Require Import List ZArith QArith Bool Arith.
Import ListNotations.
Open Scope Q_scope.

(** The sum of [f] over a list, and powers. *)

Definition sum {X} (f : X -> Q) (l : list X) : Q := fold_right (fun x rest => f x + rest) 0 l.
Definition total_weight {X} (l : list (Z * X)) : Z := fold_right (fun wx rest => fst wx + rest)%Z 0%Z l.

Fixpoint power (q : Q) (n : nat) : Q := match n with O => 1 | S n => q * power q n end.


(** * Decision processes with undiscounted total reward

    A choice pays [reward / denominator] at once and leads to the state [t] with probability
    [w / denominator], for each [(w, t)] among its moves. A state without choices is terminal. *)

Record choice (state : Type) :=
  Choice { reward : Z; denominator : positive; moves : list (Z * state) }.
Arguments Choice {state}.
Arguments reward {state}.
Arguments denominator {state}.
Arguments moves {state}.

Definition process (state : Type) := state -> list (choice state).

(** A policy sees the states before (the latest first) and the present one, and answers with the
    place of a choice, counted from 0; a place past the end means the first choice. *)

Definition policy (state : Type) := list state -> state -> nat.

Definition stationary {state} (action : state -> nat) : policy state := fun _ s => action s.

Definition taken {state} (choices : list (choice state)) (place : nat) : option (choice state) :=
  match choices with [] => None | first :: _ => Some (nth place choices first) end.

(** The mean of [f] after a choice, and what the choice is worth if [f] is what follows. *)

Definition mean {state} (c : choice state) (f : state -> Q) : Q :=
  sum (fun move => inject_Z (fst move) * f (snd move)) (moves c) * (1 # denominator c).

Definition worth {state} (c : choice state) (f : state -> Q) : Q :=
  (reward c # denominator c) + mean c f.

(** The expected total reward of the first [n] choices, and the probability that play has not
    ended after [n] choices, from the state [s] with the history [h]. *)

Fixpoint total {state} (p : process state) (pi : policy state) n (h : list state) (s : state) : Q :=
  match n, taken (p s) (pi h s) with
  | S n, Some c => worth c (total p pi n (s :: h))
  | _, _ => 0
  end.

Fixpoint alive {state} (p : process state) (pi : policy state) n (h : list state) (s : state) : Q :=
  match n, taken (p s) (pi h s) with
  | _, None => 0
  | O, Some _ => 1
  | S n, Some c => mean c (alive p pi n (s :: h))
  end.

(** [inside] is a set of states that play does not leave, and there weights are probabilities. *)

Definition lawful {state} (c : choice state) : Prop :=
  (forall w t, In (w, t) (moves c) -> (0 <= w)%Z) /\ total_weight (moves c) = Zpos (denominator c).

Definition closed {state} (p : process state) (inside : state -> Prop) : Prop :=
  forall s c, inside s -> In c (p s) ->
    lawful c /\ forall w t, In (w, t) (moves c) -> inside t.

(** [v] vanishes at the end, and never rises on average ([below]), or never falls ([above]), by the
    steps that a policy takes. *)

Definition vanishes {state} (p : process state) (inside : state -> Prop) (v : state -> Q) : Prop :=
  forall s, inside s -> p s = [] -> v s == 0.

Definition below {state} (p : process state) (inside : state -> Prop) (v : state -> Q)
    (pi : policy state) : Prop :=
  forall h s c, inside s -> taken (p s) (pi h s) = Some c -> worth c v <= v s.

Definition above {state} (p : process state) (inside : state -> Prop) (v : state -> Q)
    (pi : policy state) : Prop :=
  forall h s c, inside s -> taken (p s) (pi h s) = Some c -> v s <= worth c v.

(** ** The two bounds (Soundness.v)

    Nothing is assumed of the policy but its steps: it may remember all that happened. [M] bounds
    what is still to come; where play has ended nothing is, so the last term is 0 then. *)

Definition upper_bound_statement : Prop :=
  forall state (p : process state) inside v pi M,
    closed p inside -> vanishes p inside v -> below p inside v pi ->
    0 <= M -> (forall s, inside s -> - M <= v s) ->
    forall n h s, inside s -> total p pi n h s <= v s + M * alive p pi n h s.

Definition lower_bound_statement : Prop :=
  forall state (p : process state) inside v pi M,
    closed p inside -> vanishes p inside v -> above p inside v pi ->
    0 <= M -> (forall s, inside s -> v s <= M) ->
    forall n h s, inside s -> v s - M * alive p pi n h s <= total p pi n h s.

(** ** Play ends (Soundness.v)

    If each step of a policy lowers the rank with positive probability, ranks are at most [k] and
    denominators at most [D], then play lasts beyond [k * m] choices with probability at most
    (1 - D^-k)^m. *)

Definition lowers {state} (p : process state) (inside : state -> Prop) (rank : state -> nat)
    (pi : policy state) : Prop :=
  forall h s c, inside s -> taken (p s) (pi h s) = Some c ->
    exists w t, In (w, t) (moves c) /\ (0 < w)%Z /\ (rank t < rank s)%nat.

Definition play_ends_statement : Prop :=
  forall state (p : process state) inside rank pi k D,
    closed p inside -> lowers p inside rank pi ->
    (forall s, inside s -> (rank s <= k)%nat) ->
    (forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive) ->
    forall m h s, inside s -> alive p pi (k * m) h s <= power (1 - power (1 # D) k) m.

(** ** Certificates (Checker.v)

    A row gives a state, the numerator of its value over the common denominator, the place of the
    action there and the rank. Later rows of the same state are not looked at. *)

Record row (state : Type) := Row { at_state : state; numerator : Z; action : nat; rank : nat }.
Arguments Row {state}.
Arguments at_state {state}.
Arguments numerator {state}.
Arguments action {state}.
Arguments rank {state}.

Record certificate (state : Type) := Certificate { common : positive; rows : list (row state) }.
Arguments Certificate {state}.
Arguments common {state}.
Arguments rows {state}.

Section Certificates.
  Context {state : Type} (eqb : state -> state -> bool).

  Definition row_of (cert : certificate state) (s : state) : option (row state) :=
    find (fun r => eqb (at_state r) s) (rows cert).

  Definition field {X} (get : row state -> X) (none : X) (cert : certificate state) s : X :=
    match row_of cert s with Some r => get r | None => none end.

  Definition value (cert : certificate state) (s : state) : Q :=
    field numerator 0%Z cert s # common cert.

  Definition certified (cert : certificate state) : policy state :=
    stationary (field action O cert).

  Definition listed (cert : certificate state) (s : state) : Prop := In s (map at_state (rows cert)).

  (** A checker is sound if it accepts only what proves all this, for each listed state: no policy
      earns more than the value (up to [M] while play goes on), the certified one earns no less,
      and under the certified one play ends. *)

  Definition sound (check : process state -> certificate state -> bool) : Prop :=
    (forall s t, eqb s t = true <-> s = t) ->
    forall p cert, check p cert = true ->
      (forall M, 0 <= M -> (forall s, listed cert s -> - M <= value cert s) ->
        forall pi n h s, listed cert s ->
          total p pi n h s <= value cert s + M * alive p pi n h s) /\
      (forall M, 0 <= M -> (forall s, listed cert s -> value cert s <= M) ->
        forall n h s, listed cert s ->
          value cert s - M * alive p (certified cert) n h s <= total p (certified cert) n h s) /\
      (exists k epsilon, 0 < epsilon /\ forall m h s, listed cert s ->
          alive p (certified cert) (k * m) h s <= power (1 - epsilon) m).
End Certificates.


(** * Two players who take turns (TurnBased.v)

    In the states of [first] the first player chooses, who gains what the second loses. If the
    values satisfy Bellman's inequality of either player for each choice, and for the action in
    [best] with equality, then the first player who follows [best] earns at least the value
    whatever the second does, and the second who follows it gives at most that. *)

Definition joint {state} (first : state -> bool) (pi rho : policy state) : policy state :=
  fun h s => if first s then pi h s else rho h s.

Definition two_player_statement : Prop :=
  forall state (p : process state) inside (first : state -> bool) v best M,
    closed p inside -> vanishes p inside v ->
    (forall s c, inside s -> first s = true -> In c (p s) -> worth c v <= v s) ->
    (forall s c, inside s -> first s = false -> In c (p s) -> v s <= worth c v) ->
    (forall s c, inside s -> taken (p s) (best s) = Some c -> worth c v == v s) ->
    0 <= M -> (forall s, inside s -> - M <= v s <= M) ->
    forall n h s, inside s ->
      (forall rho, let pi := joint first (stationary best) rho in
        v s - M * alive p pi n h s <= total p pi n h s) /\
      (forall pi, let rho := joint first pi (stationary best) in
        total p rho n h s <= v s + M * alive p rho n h s).


(** * Matrix games (Matrix.v)

    The first player draws a row, the second a column; a mixed strategy is a list of integer
    weights. [payoff] is what the first player expects. If [x] earns at least [v] against each
    column and [y] gives at most [v] to each row, they do so against every mixed strategy. *)

Definition mixed (size : nat) (x : list Q) : Prop :=
  length x = size /\ (forall p, In p x -> 0 <= p) /\ sum (fun p => p) x == 1.

Definition dot (x y : list Q) : Q := sum (fun pair => fst pair * snd pair) (combine x y).

Definition payoff (game : list (list Q)) (x y : list Q) : Q :=
  dot x (map (fun row => dot row y) game).

Definition column (game : list (list Q)) (j : nat) : list Q := map (fun row => nth j row 0) game.

Definition matrix_game_statement : Prop :=
  forall game rows columns x y v,
    length game = rows -> (forall row, In row game -> length row = columns) ->
    mixed rows x -> mixed columns y ->
    (forall j, (j < columns)%nat -> v <= dot x (column game j)) ->
    (forall row, In row game -> dot row y <= v) ->
    (forall y', mixed columns y' -> v <= payoff game x y') /\
    (forall x', mixed rows x' -> payoff game x' y <= v).
