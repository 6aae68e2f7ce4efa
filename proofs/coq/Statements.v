(** * What is proved

    This file holds definitions and statements alone. Each name that ends in [_statement] is what a
    theorem of the file that its comment names says; no proof is needed to read what is claimed
    ([sound] is that of the checker). Numbers are integers [Z] and rationals [Q] ([==] is equality of rationals). There
    are no reals and no limits: what holds in the limit is said by inequalities for each [n].

    Processes and certificates come first, then players against each other, then the games: Risk,
    the reroll game, the software-engineering game, FateStones and Farkle. Each stands alone. *)

From Coq Require Import List ZArith QArith Bool Arith.
Import ListNotations.
Open Scope Q_scope.

(** The sum of [f] over a list, and powers. *)

Definition sum {X} (f : X -> Q) (l : list X) : Q := fold_right (fun x rest => f x + rest) 0 l.
Definition total_weight {X} (l : list (Z * X)) : Z :=
  fold_right (fun wx rest => fst wx + rest)%Z 0%Z l.

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

  Definition listed (cert : certificate state) (s : state) : Prop :=
    In s (map at_state (rows cert)).

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


(** * Dice

    All ordered rolls of equal dice, each as likely as any other; and sorting. *)

Fixpoint rolls (sides dice : nat) : list (list nat) :=
  match dice with
  | O => [[]]
  | S n => flat_map (fun roll => map (fun face => face :: roll) (seq 1 sides)) (rolls sides n)
  end.

Fixpoint insert (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: rest => if (x <=? y)%nat then x :: l else y :: insert x rest end.

Definition ascending (l : list nat) : list nat := fold_right insert [] l.

Definition count {X} (f : X -> bool) (l : list X) : Z :=
  fold_right (fun x n => if f x then Z.succ n else n) 0%Z l.


(** * Risk

    Highest die against highest, second against second; a tie costs the attacker a unit. [lost s a
    d k] counts the rolls of [a] attacker's dice with [s] sides against [d] in which the attacker
    loses [k] units. Armies are fighting units: [win s a d] is the chance that [a] of them beat [d]
    with dice of [s] sides if both roll as many dice as they may, 3 against 2. Each round costs at
    least one unit, so the battle is over within [a + d] rounds. *)

Definition attacker_loses (attack defence : list nat) : nat :=
  length (filter (fun xy => fst xy <=? snd xy)%nat
    (combine (rev (ascending attack)) (rev (ascending defence)))).

Definition lost (sides a d k : nat) : Z :=
  count (fun roll => attacker_loses (fst roll) (snd roll) =? k)%nat
    (list_prod (rolls sides a) (rolls sides d)).

Definition all_rolls (sides a d : nat) : positive :=
  (Pos.of_nat sides ^ Pos.of_nat (a + d))%positive.

Definition chance (sides a d k : nat) : Q := lost sides a d k # all_rolls sides a d.

(** The mean of [f] over the armies after a round of [i] dice against [j]. *)

Definition after_round (sides : nat) (f : nat -> nat -> Q) (a d i j : nat) : Q :=
  let pairs := min i j in
  sum (fun k => chance sides i j k * f (a - k)%nat (d - (pairs - k))%nat) (seq 0 (S pairs)).

Fixpoint win_within (sides rounds a d : nat) : Q :=
  match d, a, rounds with
  | O, _, _ => 1
  | _, O, _ => 0
  | _, _, O => 0
  | _, _, S n => after_round sides (win_within sides n) a d (min a 3) (min d 2)
  end.

Definition win (sides a d : nat) : Q := win_within sides (a + d) a d.

(** The equation that defines the game (Risk.v), and the number that the assignment asks for: 4
    total units, one of which stays behind, against 2 (RiskTable.v). *)

Definition risk_equation_statement : Prop :=
  forall s,
    (forall a, win s a 0 = 1) /\ (forall d, (1 <= d)%nat -> win s 0 d = 0) /\
    forall a d, (1 <= a)%nat -> (1 <= d)%nat ->
      win s a d == after_round s (win s) a d (min a 3) (min d 2).

Definition risk_four_two_statement : Prop := win 6 3 2 == 6610505 # 10077696.

(** With one die a side the attacker loses in 21 of 36 rolls (Risk.v). *)

Definition one_against_one_statement : Prop :=
  lost 6 1 1 1 = 21%Z /\ lost 6 1 1 0 = 15%Z /\ all_rolls 6 1 1 = 36%positive.

(** All of 2 to 10 total units against 1 to 10 (RiskTable.v; the table is in RiskCertificate.v). *)

Definition risk_table_statement (table : list (list Q)) : Prop :=
  length table = 9%nat /\ (forall row, In row table -> length row = 10%nat) /\
  forall total d, (2 <= total <= 10)%nat -> (1 <= d <= 10)%nat ->
    win 6 (total - 1) d == nth (d - 1) (nth (total - 2) table []) 0.

(** Maximum dice, as a process in which a choice is a pair of numbers of dice. A battle that is won
    pays 1. Who rolls the most dice gets at least the chance [win], whatever the other side rolls,
    even if it knows all that was rolled and announced before; and the most dice are the defender's
    best answer to each number of the attacker's: with dice of any number of sides (theorems 10 and
    27, MaximumDice.v). *)

Inductive battle := Fight (a d : nat) | Over.

Definition round (sides a d i j : nat) : choice battle :=
  Choice 0 (all_rolls sides i j)
    (map (fun k => (lost sides i j k, Fight (a - k) (d - (min i j - k)))) (seq 0 (S (min i j)))).

Definition risk (sides : nat) : process battle := fun s =>
  match s with
  | Over => []
  | Fight a d =>
      match d, a with
      | O, _ => [Choice 1 1 [(1%Z, Over)]]
      | _, O => []
      | _, _ => map (fun ij => round sides a d (fst ij) (snd ij))
                  (list_prod (seq 1 (min a 3)) (seq 1 (min d 2)))
      end
  end.

Definition most_attack (sides : nat) (pi : policy battle) : Prop :=
  forall h a d, (1 <= a)%nat -> (1 <= d)%nat -> exists j, (1 <= j <= min d 2)%nat /\
    taken (risk sides (Fight a d)) (pi h (Fight a d)) = Some (round sides a d (min a 3) j).

Definition most_defence (sides : nat) (pi : policy battle) : Prop :=
  forall h a d, (1 <= a)%nat -> (1 <= d)%nat -> exists i, (1 <= i <= min a 3)%nat /\
    taken (risk sides (Fight a d)) (pi h (Fight a d)) = Some (round sides a d i (min d 2)).

Definition maximum_dice_statement : Prop :=
  forall s a d, (1 <= s)%nat ->
    (forall pi n h, most_attack s pi -> (a + d < n)%nat ->
      win s a d <= total (risk s) pi n h (Fight a d)) /\
    (forall pi n h, most_defence s pi -> total (risk s) pi n h (Fight a d) <= win s a d) /\
    (forall i j, (1 <= i <= min a 3)%nat -> (1 <= j <= min d 2)%nat ->
      after_round s (win s) a d i (min d 2) <= after_round s (win s) a d i j /\
      after_round s (win s) a d i (min d 2) <= win s a d).

(** Theorems 7 and 27, and theorem 8 for dice of six sides (Monotone.v, Limit.v): [win] for armies of
    any size. *)

Definition monotone_statement : Prop :=
  forall s a d, (1 <= s)%nat -> win s a d <= win s (a + 1) d /\ win s a (d + 1) <= win s a d.

Definition limit_statement : Prop :=
  forall n, (2 <= n)%nat -> 1 - win 6 n n <= power (47 # 48) (n - 2) * power (51 # 50) n.

(** 60 times [lost s i j k], by powers of [s] from the highest down, for the rounds of at most three
    dice against two (AnySides.v). *)

Definition powers (coefficients : list Z) (x : Z) : Z :=
  fold_left (fun rest c => rest * x + c)%Z coefficients 0%Z.

Definition law (i j k : nat) : list Z :=
  nth k match i, j with
        | 1, 1 => [[30; -30; 0]; [30; 30; 0]]%Z
        | 1, 2 => [[20; -30; 10; 0]; [40; 30; -10; 0]]%Z
        | 2, 1 => [[40; -30; -10; 0]; [20; 30; 10; 0]]%Z
        | 2, 2 => [[20; -40; 10; 10; 0]; [20; 0; -20; 0; 0]; [20; 40; 10; -10; 0]]%Z
        | 3, 1 => [[45; -30; -15; 0; 0]; [15; 30; 15; 0; 0]]%Z
        | 3, 2 => [[30; -45; -10; 15; 10; 0]; [18; 15; -10; -15; -8; 0]; [12; 30; 20; 0; -2; 0]]%Z
        | _, _ => []
        end%nat [].

Definition lost_law_statement : Prop :=
  forall s i j k, (1 <= i <= 3)%nat -> (1 <= j <= 2)%nat -> (k <= min i j)%nat ->
    (60 * lost s i j k)%Z = powers (law i j k) (Z.of_nat s).


(** * The reroll game

    Three dice are rolled for nothing. Then any of them may be held and the others rolled again for
    a penalty of 1, as often as the player likes. To hold all is to stick: dice that share a value
    are turned over, the sum is won and play ends. *)

Inductive reroll_state := Start | Showing (dice : list nat) | Stuck.

Definition stick_score (dice : list nat) : nat :=
  list_sum (map (fun v => if (1 <? count (Nat.eqb v) dice)%Z then 7 - v else v)%nat dice).

(** The positions of the dice that are held, fewer first; and the choice to roll the others. *)

Definition holds : list (list nat) := [[]; [0]; [1]; [2]; [0; 1]; [0; 2]; [1; 2]]%nat.

Definition roll_on (cost : Z) (kept : list nat) : choice reroll_state :=
  let rolled := rolls 6 (3 - length kept) in
  let all := Pos.of_nat (length rolled) in
  Choice (- cost * Zpos all) all
    (map (fun more => (1%Z, Showing (ascending (kept ++ more)))) rolled).

Definition reroll : process reroll_state := fun s =>
  match s with
  | Start => [roll_on 0 []]
  | Showing dice =>
      map (fun held => roll_on 1 (map (fun i => nth i dice 0%nat) held)) holds
        ++ [Choice (Z.of_nat (stick_score dice)) 1 [(1%Z, Stuck)]]
  | Stuck => []
  end.

(** No way of playing earns more than 103369/7744; one, which sticks on three ones and rerolls three
    fours, earns that but for at most 18 times the chance that it still goes on, which vanishes
    (Reroll.v). *)

Definition reroll_statement : Prop :=
  (forall pi n, total reroll pi n [] Start <= 103369 # 7744) /\
  exists play k epsilon, 0 < epsilon /\
    play (Showing [1; 1; 1]%nat) = length holds /\ play (Showing [4; 4; 4]%nat) = O /\
    (forall n, (103369 # 7744) - 18 * alive reroll (stationary play) n [] Start
               <= total reroll (stationary play) n [] Start) /\
    (forall m, alive reroll (stationary play) (k * m) [] Start <= power (1 - epsilon) m).

(** There are 56 states in which dice are shown (Reroll.v). *)

Definition states_statement : Prop :=
  length (nodup (list_eq_dec Nat.eq_dec) (map ascending (rolls 6 3))) = 56%nat.

(** The best score is 18, by sticking on three ones, or on two ones and a six (Reroll.v). *)

Definition best_score_statement : Prop :=
  forall dice, In dice (map ascending (rolls 6 3)) ->
    (stick_score dice <= 18)%nat /\
    (stick_score dice = 18%nat <-> dice = [1; 1; 1]%nat \/ dice = [1; 1; 6]%nat).


(** * Finite games: backward induction (Backward.v)

    [best p n s] is what the first [n] choices earn if each is the best. No policy earns more, and
    one earns it. *)

Fixpoint highest (l : list Q) : Q :=
  match l with
  | [] => 0
  | [x] => x
  | x :: rest => let y := highest rest in if Qle_bool x y then y else x
  end.

Fixpoint best {state} (p : process state) (n : nat) (s : state) : Q :=
  match n with
  | O => 0
  | S n => highest (map (fun c => worth c (best p n)) (p s))
  end.

Definition backward_induction_statement : Prop :=
  forall state (p : process state) inside, closed p inside ->
    forall n s, inside s ->
      (forall pi h, total p pi n h s <= best p n s) /\
      (exists pi, total p pi n [] s == best p n s).


(** * The software-engineering game

    A table holds, rung by rung, the numbers of revenue and of legacy dice. With legacy dice one of
    them is fixed, the highest rung first in the list of moves; without, a die is created on the
    lowest rung or a revenue die lifted by one. Then all revenue dice are rolled: on a die with [f]
    faces one face makes it legacy, each of the others adds 1 to the score; if none survives, the
    score becomes 0. [faces] lists the faces of the dice, rung by rung. *)

Record table := Table { revenue : list nat; legacy : list nat }.

Fixpoint bump (rung : nat) (dice : list nat) : list nat :=
  match dice, rung with
  | [], _ => []
  | n :: rest, O => S n :: rest
  | n :: rest, S rung => n :: bump rung rest
  end.

Fixpoint drop (rung : nat) (dice : list nat) : list nat :=
  match dice, rung with
  | [], _ => []
  | n :: rest, O => pred n :: rest
  | n :: rest, S rung => n :: drop rung rest
  end.

Definition occupied (dice : list nat) (rung : nat) : bool := (0 <? nth rung dice 0)%nat.

Definition after_moves (t : table) : list table :=
  let (up, down) := t in
  let rungs := seq 0 (length up) in
  match filter (occupied down) (rev rungs) with
  | [] => Table (bump 0 up) down ::
          map (fun i => Table (bump (S i) (drop i up)) down)
            (filter (occupied up) (seq 0 (length up - 1)))
  | broken => map (fun i => Table (bump i up) (drop i down)) broken
  end.

(** How many ways a roll leaves which revenue dice: [k] of [n] dice survive in C(n, k) (f - 1)^k. *)

Fixpoint binomial (n k : nat) : Z :=
  match n, k with
  | _, O => 1
  | O, S _ => 0
  | S n, S k => binomial n k + binomial n (S k)
  end%Z.

Fixpoint survivors (faces dice : list nat) : list (Z * list nat) :=
  match dice, faces with
  | n :: dice, f :: faces =>
      flat_map (fun k =>
        map (fun rest => (binomial n k * (Z.of_nat f - 1) ^ Z.of_nat k * fst rest, k :: snd rest)%Z)
          (survivors faces dice)) (seq 0 (S n))
  | _, _ => [(1%Z, [])]
  end.

Fixpoint all_ways (faces dice : list nat) : positive :=
  match dice, faces with
  | n :: dice, f :: faces => Z.to_pos (Z.of_nat f ^ Z.of_nat n) * all_ways faces dice
  | _, _ => 1
  end%positive.

Fixpoint fallen (dice kept down : list nat) : list nat :=
  match dice, kept, down with
  | n :: dice, k :: kept, o :: down => (o + (n - k))%nat :: fallen dice kept down
  | _, _, _ => []
  end.

Definition after_roll (t : table) (kept : list nat) : table :=
  Table kept (fallen (revenue t) kept (legacy t)).

Definition score_after (score : nat) (kept : list nat) : nat :=
  match list_sum kept with O => 0 | survive => score + survive end.

(** The process: [Playing n t s] with [n] rounds left; the score is paid at the end. [rolling] is the
    choice that leads to the table [t], which is rolled. *)

Inductive swe_state := Playing (rounds : nat) (t : table) (score : nat) | Finished.

Definition rolling (faces : list nat) (rounds score : nat) (t : table) : choice swe_state :=
  Choice 0 (all_ways faces (revenue t))
    (map (fun wk =>
        (fst wk, Playing rounds (after_roll t (snd wk)) (score_after score (snd wk))))
      (survivors faces (revenue t))).

Definition swe (faces : list nat) : process swe_state := fun s =>
  match s with
  | Finished => []
  | Playing O _ score => [Choice (Z.of_nat score) 1 [(1%Z, Finished)]]
  | Playing (S rounds) t score => map (rolling faces rounds score) (after_moves t)
  end.

Definition swe_value (faces : list nat) (rounds : nat) (t : table) (score : nat) : Q :=
  best (swe faces) (S rounds) (Playing rounds t score).

Definition ladder (faces : list nat) : Prop := faces <> [] /\ forall f, In f faces -> (2 <= f)%nat.

Definition on_ladder (faces : list nat) (t : table) : Prop :=
  length (revenue t) = length faces /\ length (legacy t) = length faces.

(** Ten rounds with the dice of the original game (SweRounds.v). To create whenever that is allowed,
    and else to fix the highest legacy die, is the first choice each time; nothing is better. *)

Definition standard : list nat := [4; 6; 8; 12; 20]%nat.

Definition empty_table (faces : list nat) : table :=
  Table (map (fun _ => O) faces) (map (fun _ => O) faces).

Definition worth_of_rounds (n : nat) (v : Q) : Prop :=
  swe_value standard n (empty_table standard) 0 == v /\
  total (swe standard) (stationary (fun _ => O)) (S n) [] (Playing n (empty_table standard) 0) == v.

Definition ten_rounds_statement : Prop :=
  worth_of_rounds 10
    (26589235523517983373148508703705849 # 1298074214633706907132624082305024).

(** The dice of that game: a legacy die that is fixed for the last round survives it, for a score of
    1, with the chance that the rules give it, rung by rung (SweRounds.v). *)

Definition standard_dice_statement : Prop :=
  let none := map (fun _ => O) standard in
  Forall2 Qeq
    (map (fun rung => swe_value standard 1 (Table none (bump rung none)) 0) (seq 0 (length standard)))
    [3 # 4; 5 # 6; 7 # 8; 11 # 12; 19 # 20].

(** In games of at most 11 rounds nothing is better than that; in every longer game something is
    (SweLonger.v). *)

Definition create_statement : Prop :=
  let created n :=
    total (swe standard) (stationary (fun _ => O)) (S n) [] (Playing n (empty_table standard) 0) in
  forall n,
    ((n <= 11)%nat -> swe_value standard n (empty_table standard) 0 == created n) /\
    ((12 <= n)%nat -> created n < swe_value standard n (empty_table standard) 0).

(** ** Theorem 2 (Convex.v): the value is a maximum of finitely many lines in the score, so it is
    convex and rises by at most 1 when the score does. *)

Definition convex_statement : Prop :=
  forall faces rounds t, ladder faces -> on_ladder faces t ->
    let value s := swe_value faces rounds t s in
    (exists lines : list (Q * Q),
      (forall A B, In (A, B) lines -> 0 <= A /\ 0 <= B <= 1) /\
      forall s, let x := inject_Z (Z.of_nat s) in
        (forall A B, In (A, B) lines -> A + B * x <= value s) /\
        (exists A B, In (A, B) lines /\ A + B * x == value s)) /\
    (forall s, 2 * value (s + 1)%nat <= value s + value (s + 2)%nat) /\
    (forall s, 0 <= value (s + 1)%nat - value s <= 1).

(** ** Theorem 1 (Telescoping.v): within [t] throws [n] equal dice, each of which fails in a throw
    with chance [p], have all failed with chance (1 - q^t)^n. [after_throw] is the mean of [f] over
    how many of [n] dice survive a throw; [brackets] are the nested ones, 1 + q (1 + q (...)). *)

Fixpoint after_throw (p : Q) (n : nat) (f : nat -> Q) : Q :=
  match n with
  | O => f O
  | S n => p * after_throw p n f + (1 - p) * after_throw p n (fun k => f (S k))
  end.

Fixpoint all_failed (p : Q) (t n : nat) : Q :=
  match t with
  | O => match n with O => 1 | S _ => 0 end
  | S t => after_throw p n (all_failed p t)
  end.

Fixpoint brackets (q : Q) (t : nat) : Q :=
  match t with O => 0 | S t => 1 + q * brackets q t end.

Definition telescoping_statement : Prop :=
  forall p n t, let q := 1 - p in
    all_failed p t n == power (1 - power q t) n /\
    power p n * power (brackets q t) n == power (1 - power q t) n.

(** ** Theorem 6 (Reachable.v): which tables play can reach, if every die can fail and survive.
    [may_be] says where a process can be after [n] choices, each of which and each of whose outcomes is
    possible. The weight of a die is 1 on the lowest rung, 2 on the next, and so on. *)

Inductive may_be {state} (p : process state) (s : state) : nat -> state -> Prop :=
  | at_once : may_be p s 0 s
  | further n t c w u : may_be p s n t -> In c (p t) -> In (w, u) (moves c) -> (0 < w)%Z ->
      may_be p s (S n) u.

Fixpoint weigh (unit : nat) (dice : list nat) : nat :=
  match dice with [] => 0 | n :: rest => unit * n + weigh (S unit) rest end.

Definition weight (t : table) : nat := weigh 1 (revenue t) + weigh 1 (legacy t).

Definition reachable_statement : Prop :=
  forall faces rounds n t, ladder faces -> (1 <= n <= rounds)%nat -> on_ladder faces t ->
    ((exists score, may_be (swe faces) (Playing rounds (empty_table faces) 0) n
        (Playing (rounds - n) t score)) <->
     (1 <= weight t <= n)%nat).

(** ** Theorem 3 (Blocks.v): all dice by rung, and how many stand on a rung or above it. A roll or a
    fix leaves the dice as they are; a creation or promotion, possible without legacy alone, adds 1
    to one [from_rung]. Dice can follow others if and only if no [from_rung] is smaller. *)

Fixpoint together (l m : list nat) : list nat :=
  match l, m with a :: l, b :: m => (a + b)%nat :: together l m | _, _ => [] end.

Definition all_dice (t : table) : list nat := together (revenue t) (legacy t).

Definition from_rung (i : nat) (dice : list nat) : nat := list_sum (skipn i dice).

Definition blocks_statement : Prop :=
  forall rungs, (1 <= rungs)%nat ->
    (forall t kept, length (revenue t) = rungs -> length (legacy t) = rungs ->
      Forall2 le kept (revenue t) -> all_dice (after_roll t kept) = all_dice t) /\
    (forall t t', length (revenue t) = rungs -> length (legacy t) = rungs ->
      In t' (after_moves t) ->
      all_dice t' = all_dice t \/
      legacy t = repeat O rungs /\ legacy t' = repeat O rungs /\
      exists i, (i < rungs)%nat /\ forall j,
        from_rung j (all_dice t') = (from_rung j (all_dice t) + if j =? i then 1 else 0)%nat) /\
    (forall faces dice later, ladder faces -> length faces = rungs ->
      length dice = rungs -> length later = rungs ->
      ((exists rounds t score n t' score', on_ladder faces t /\ all_dice t = dice /\
          may_be (swe faces) (Playing rounds t score) n (Playing (rounds - n) t' score') /\
          (n <= rounds)%nat /\ all_dice t' = later) <->
       forall i, (from_rung i dice <= from_rung i later)%nat)).

(** And whoever plays, after [n] rounds one revenue die stands alone on the lowest rung, with a
    score of 1, with positive chance (LoneDie.v): [later] is the mean of [f] over the state after
    [n] choices, and [f] may be 1 in the state that is meant and 0 in all others. *)

Fixpoint later {state} (p : process state) (pi : policy state) (f : state -> Q) n
    (h : list state) (s : state) : Q :=
  match n, taken (p s) (pi h s) with
  | S n, Some c => mean c (later p pi f n (s :: h))
  | _, _ => f s
  end.

Definition lone_table (faces : list nat) : table :=
  Table (bump 0 (map (fun _ => O) faces)) (map (fun _ => O) faces).

Definition lone_die_statement : Prop :=
  forall faces rounds n pi f, ladder faces -> (1 <= n <= rounds)%nat ->
    (forall s, 0 <= f s) -> 0 < f (Playing (rounds - n) (lone_table faces) 1) ->
    0 < later (swe faces) pi f n [] (Playing rounds (empty_table faces) 0).


(** ** Theorem 9 (NeverSkip.v, Robust.v): where a die on a higher rung fails with at most the chance of
    one below. [swe_skipping] is the game in which a player may also leave the table as it is; [put]
    adds a die to a table. *)

Definition rising (faces : list nat) : Prop :=
  forall i j, (i <= j < length faces)%nat -> (nth i faces 0 <= nth j faces 0)%nat.

Definition strictly_rising (faces : list nat) : Prop :=
  forall i j, (i < j < length faces)%nat -> (nth i faces 0 < nth j faces 0)%nat.

Definition swe_skipping (faces : list nat) : process swe_state := fun s =>
  match s with
  | Playing (S rounds) t score => rolling faces rounds score t :: swe faces s
  | _ => swe faces s
  end.

Definition put (rung : nat) (in_revenue : bool) (t : table) : table :=
  if in_revenue then Table (bump rung (revenue t)) (legacy t)
  else Table (revenue t) (bump rung (legacy t)).

(** (a) Every fix and every promotion is as good as a skip, and so is a creation where it is the only
    move. So the game with skips has the values of the game without. *)

Definition never_skip_statement : Prop :=
  forall faces rounds t score, ladder faces -> rising faces -> on_ladder faces t ->
    let value n := best (swe_skipping faces) (S n) in
    value rounds (Playing rounds t score) == swe_value faces rounds t score /\
    forall t', In t' (after_moves t) -> (t' = put 0 true t -> after_moves t = [t']) ->
      worth (rolling faces rounds score t) (value rounds)
      <= worth (rolling faces rounds score t') (value rounds).

(** (b) A table is no better than one whose dice, in pairs, are on the same rung or a higher one, and in
    revenue if the other is. *)

Inductive no_better (rungs : nat) : table -> table -> Prop :=
  | same t : no_better rungs t t
  | paired i j b c t u : no_better rungs t u -> (i <= j < rungs)%nat -> (b = true -> c = true) ->
      no_better rungs (put i b t) (put j c u).

(** And (d) a legacy die more on the lowest rung is never better; (e) the value of the game rises
    weakly with the number of rounds. *)

Definition better_table_statement : Prop :=
  forall faces rounds, ladder faces -> rising faces ->
    (forall t u score more, on_ladder faces t -> no_better (length faces) t u ->
      (score <= more)%nat -> swe_value faces rounds t score <= swe_value faces rounds u more) /\
    (forall t score, on_ladder faces t ->
      swe_value faces rounds (put 0 false t) score <= swe_value faces rounds t score) /\
    swe_value faces rounds (empty_table faces) 0 <= swe_value faces (S rounds) (empty_table faces) 0.

(** (c) With legacy, to fix a die on the highest rung that has some is optimal; and (f) where the
    chances to fail fall strictly, no other move is. *)

Definition fixed (rung : nat) (t : table) : table :=
  Table (bump rung (revenue t)) (drop rung (legacy t)).

Definition most_robust (rung : nat) (t : table) : Prop :=
  occupied (legacy t) rung = true /\
  forall i, (rung < i)%nat -> occupied (legacy t) i = false.

Definition fix_statement : Prop :=
  forall faces rounds t score rung, ladder faces -> rising faces -> on_ladder faces t ->
    most_robust rung t ->
    worth (rolling faces rounds score (fixed rung t)) (best (swe faces) (S rounds))
    == swe_value faces (S rounds) t score.

Definition unique_fix_statement : Prop :=
  forall faces rounds t score rung t', ladder faces -> strictly_rising faces -> on_ladder faces t ->
    most_robust rung t -> In t' (after_moves t) -> t' <> fixed rung t ->
    worth (rolling faces rounds score t') (best (swe faces) (S rounds))
    < swe_value faces (S rounds) t score.

(** ** Theorem 25 (Sooner.v): back to a table without legacy. [repairing] goes on until there is none,
    which pays 1; so the total of [S n] choices is the chance of that within [n] rounds. To take the
    first move each time, which fixes the highest legacy die, makes it the greatest for every [n]. *)

Definition repairing (faces : list nat) : process (option table) := fun s =>
  match s with
  | None => []
  | Some t =>
      if (list_sum (legacy t) =? 0)%nat then [Choice 1 1 [(1%Z, None)]]
      else map (fun t' => Choice 0 (all_ways faces (revenue t'))
        (map (fun wk => (fst wk, Some (after_roll t' (snd wk)))) (survivors faces (revenue t'))))
        (after_moves t)
  end.

Definition sooner_statement : Prop :=
  forall faces t, ladder faces -> rising faces -> on_ladder faces t ->
    (forall rung, most_robust rung t -> hd t (after_moves t) = fixed rung t) /\
    forall n pi h, total (repairing faces) pi n h (Some t)
      <= total (repairing faces) (stationary (fun _ => O)) n h (Some t).


(** * FateStones

    A die is the list of its faces. Both players roll one of their dice, chosen in secret; the
    higher face wins 1 from the other player, and after a tie both dice are gone and the rest is
    played on. When no dice are left nobody has won. A strategy sees the hands before (the latest
    first) and the present ones, its own first, and answers with the chances of its dice. *)

Definition die := list nat.
Definition hand := list die.
Definition strategy := list (hand * hand) -> hand -> hand -> list Q.

(** Faces that win less faces that lose, and faces that tie, of all pairs of faces. *)

Definition pairs (f : nat -> nat -> Z) (a b : die) : Z :=
  fold_right (fun xy n => f (fst xy) (snd xy) + n)%Z 0%Z (list_prod a b).
Definition margin : die -> die -> Z :=
  pairs (fun x y => if (y <? x)%nat then 1 else if (x <? y)%nat then -1 else 0)%Z.
Definition ties : die -> die -> Z := pairs (fun x y => if (x =? y)%nat then 1 else 0)%Z.
Definition face_pairs (a b : die) : positive := Pos.of_nat (length a * length b).

Definition without {X} (i : nat) (l : list X) : list X := firstn i l ++ skipn (S i) l.

(** The matrix game of two hands if [rest i j] is what the dice [i] and [j] leave after a tie. *)

Definition stage (mine yours : hand) (rest : nat -> nat -> Q) : list (list Q) :=
  map (fun i => map (fun j =>
      let a := nth i mine [] in let b := nth j yours [] in
      (margin a b # face_pairs a b) + (ties a b # face_pairs a b) * rest i j)
    (seq 0 (length yours))) (seq 0 (length mine)).

(** What the first player expects within [n] rolls. *)

Fixpoint duel (n : nat) (sigma tau : strategy) h (mine yours : hand) : Q :=
  match n with
  | O => 0
  | S n =>
      payoff
        (stage mine yours (fun i j =>
          duel n sigma tau ((mine, yours) :: h) (without i mine) (without j yours)))
        (sigma h mine yours) (tau (map (fun m => (snd m, fst m)) h) yours mine)
  end.

Definition legal (sigma : strategy) : Prop :=
  forall h mine yours, mine <> [] -> mixed (length mine) (sigma h mine yours).

(** [v] is the value of three dice against three: either player has a strategy that gets it against
    every strategy of the other (Duel.v). In the duel of the certificate it is 28459/286848; and if
    either chooses the first die for sure, whichever, the other can make that worse
    (SureChoice.v). *)

Definition duel_value (mine yours : hand) (v : Q) : Prop :=
  (exists sigma, legal sigma /\ forall tau, legal tau -> v <= duel 3 sigma tau [] mine yours) /\
  (exists tau, legal tau /\ forall sigma, legal sigma -> duel 3 sigma tau [] mine yours <= v).

Definition first_hand : hand := [[1;1;1;6;6;6]; [1;1;2;5;6;6]; [1;1;3;4;6;6]]%nat.
Definition second_hand : hand := [[1;1;3;5;5;6]; [1;1;4;4;5;6]; [1;1;4;5;5;5]]%nat.

Definition mixed_statement : Prop := duel_value first_hand second_hand (28459 # 286848).

Definition sure_choice_statement : Prop :=
  let v := 28459 # 286848 in
  (forall i sigma, (i < 3)%nat -> legal sigma -> nth i (sigma [] first_hand second_hand) 0 == 1 ->
    exists tau, legal tau /\ duel 3 sigma tau [] first_hand second_hand < v) /\
  (forall j tau, (j < 3)%nat -> legal tau -> nth j (tau [] second_hand first_hand) 0 == 1 ->
    exists sigma, legal sigma /\ v < duel 3 sigma tau [] first_hand second_hand).

(** Theorem 16 (Scratches.v): if all rolls tie it is a scratch, and hands are dealt anew. [duel_then]
    goes on with [after]; [whole_game] is [n] deals out of a list, each as likely as any other, and
    strategies may remember all deals. Against a player who rolls each die left with equal chance
    [scratch] is the chance of one, whatever the other does: what wins most in each deal is best, and
    with [n] without bound worth [gain] / (1 - [again]). Between two players whoever plays an optimal
    strategy in each deal does not lose on average, if each deal is as likely as its mirror. *)

Fixpoint picks {X} (l : list X) : list (X * list X) :=
  match l with
  | [] => []
  | x :: l => (x, l) :: map (fun pick => (fst pick, x :: snd pick)) (picks l)
  end.

Definition average {X} (f : X -> Q) (l : list X) : Q := sum f l * (1 # Pos.of_nat (length l)).

Definition tie_chance (a b : die) : Q := ties a b # face_pairs a b.

Fixpoint scratch (mine yours : list die) : Q :=
  match mine with
  | [] => 1
  | a :: mine =>
      average (fun pick => tie_chance a (fst pick) * scratch mine (snd pick)) (picks yours)
  end.

Fixpoint duel_then (after : list (hand * hand) -> Q) n (sigma tau : strategy) h
    (mine yours : hand) : Q :=
  match n with
  | O => after h
  | S n =>
      payoff
        (stage mine yours (fun i j =>
          duel_then after n sigma tau ((mine, yours) :: h) (without i mine) (without j yours)))
        (sigma h mine yours) (tau (map (fun m => (snd m, fst m)) h) yours mine)
  end.

Fixpoint whole_game (deals : list (hand * hand)) (dice n : nat) (sigma tau : strategy) h : Q :=
  match n with
  | O => 0
  | S n => average (fun deal =>
      duel_then (whole_game deals dice n sigma tau) dice sigma tau h (fst deal) (snd deal)) deals
  end.

Definition evenly : strategy := fun _ mine _ => repeat (1 # Pos.of_nat (length mine)) (length mine).

Definition dealt (deals : list (hand * hand)) (dice : nat) : Prop :=
  forall deal, In deal deals -> length (fst deal) = dice /\ length (snd deal) = dice.

Definition scratches_statement : Prop :=
  (forall c n sigma h mine yours, legal sigma -> length mine = n -> length yours = n ->
    duel_then (fun _ => c) n sigma evenly h mine yours
    == duel n sigma evenly h mine yours + scratch mine yours * c) /\
  (forall deals dice best most, dealt deals dice -> legal best ->
    (forall sigma h deal, legal sigma -> In deal deals ->
      duel dice sigma evenly h (fst deal) (snd deal) <= most deal) ->
    (forall h deal, In deal deals ->
      duel dice best evenly h (fst deal) (snd deal) == most deal) ->
    let gain := average most deals in
    let again := average (fun deal => scratch (fst deal) (snd deal)) deals in
    forall n h,
      (forall sigma, legal sigma ->
        whole_game deals dice n sigma evenly h <= whole_game deals dice n best evenly h) /\
      (1 - again) * whole_game deals dice n best evenly h == gain * (1 - power again n)) /\
  (forall deals dice, dealt deals dice -> (1 <= dice)%nat -> deals <> [] ->
    (forall deal a b, In deal deals -> In a (fst deal) -> In b (snd deal) -> tie_chance a b < 1) ->
    0 <= average (fun deal => scratch (fst deal) (snd deal)) deals < 1) /\
  (forall deals dice v, dealt deals dice ->
    (forall f, sum f deals == sum (fun deal => f (snd deal, fst deal)) deals) ->
    (forall deal, v (snd deal, fst deal) == - v deal) ->
    (forall sigma, legal sigma ->
      (forall tau h deal, legal tau -> In deal deals ->
        v deal <= duel dice sigma tau h (fst deal) (snd deal)) ->
      forall n tau h, legal tau -> 0 <= whole_game deals dice n sigma tau h) /\
    (forall tau, legal tau ->
      (forall sigma h deal, legal sigma -> In deal deals ->
        duel dice sigma tau h (fst deal) (snd deal) <= v deal) ->
      forall n sigma h, legal sigma -> whole_game deals dice n sigma tau h <= 0)).


(** * Farkle

    The combinations of Kingdom Come: Deliverance. What is kept of a roll must be a union of
    combinations, and scores the most that one gives. *)

Definition combinations : list (list nat * Z) :=
  [([1], 100%Z); ([5], 50%Z); ([1; 2; 3; 4; 5], 500%Z); ([2; 3; 4; 5; 6], 750%Z);
   ([1; 2; 3; 4; 5; 6], 1500%Z)]%nat
  ++ flat_map (fun v => map (fun n =>
        (repeat v n, ((if Nat.eqb v 1 then 1000 else 100 * Z.of_nat v) * 2 ^ Z.of_nat (n - 3))%Z))
       [3; 4; 5; 6]%nat) (seq 1 6).

Fixpoint remove (x : nat) (dice : list nat) : option (list nat) :=
  match dice with
  | [] => None
  | y :: rest => if (x =? y)%nat then Some rest else option_map (cons y) (remove x rest)
  end.

Fixpoint remove_all (part dice : list nat) : option (list nat) :=
  match part with
  | [] => Some dice
  | x :: part => match remove x dice with Some rest => remove_all part rest | None => None end
  end.

(** The points of [dice], 0 if they are no union; [n] bounds the number of combinations. *)

Fixpoint points (n : nat) (dice : list nat) : Z :=
  match n with
  | O => 0
  | S n =>
      fold_right (fun combination most =>
        match remove_all (fst combination) dice with
        | None => most
        | Some [] => Z.max (snd combination) most
        | Some rest =>
            let more := points n rest in
            if (0 <? more)%Z then Z.max (snd combination + more) most else most
        end) 0%Z combinations
  end.

Fixpoint sublists (l : list nat) : list (list nat) :=
  match l with
  | [] => [[]]
  | x :: rest => map (cons x) (sublists rest) ++ sublists rest
  end.

(** What may be kept of a roll: points, and dice left to roll; six anew when all have scored. *)

Definition options (roll : list nat) : list (Z * nat) :=
  flat_map (fun part =>
      let score := points 6 part in
      let rest := (length roll - length part)%nat in
      if (0 <? score)%Z then [(score, if (rest =? 0)%nat then 6%nat else rest)] else [])
    (sublists roll).

(** Optimal_n of the Farkle README: the most that a turn gains on average with at most [n] rolls,
    with [turn] points so far and [dice] to roll. A roll without an option loses the points of the
    turn; else the player keeps some dice and ends the turn or, below 6000 points, rolls on. *)

Fixpoint farkle (n : nat) (turn : Z) (dice : nat) : Q :=
  match n with
  | O => 0
  | S n =>
      sum (fun roll =>
          match options (ascending roll) with
          | [] => - inject_Z turn
          | some =>
              highest (flat_map (fun kept =>
                let score := fst kept in
                inject_Z score :: if (turn + score <? 6000)%Z
                  then [inject_Z score + farkle n (turn + score)%Z (snd kept)] else []) some)
          end) (rolls 6 dice)
        * (1 # 6 ^ Pos.of_nat dice)
  end.

(** Optimal_1, Optimal_2 and Optimal_3 at the start of a turn (Farkle.v): the first is 399 when cut
    to a whole number; the others are neither equal nor the 517.9492 that is printed for both. *)

Definition farkle_first_statement : Prop :=
  farkle 1 0 6 == 258625 # 648 /\ 399 <= farkle 1 0 6 < 400.

Definition farkle_next_statement : Prop :=
  farkle 2 0 6 == 5094378125 # 10077696 /\
  farkle 3 0 6 == 193017601326625 # 352638738432 /\
  (1294873 # 2500) - farkle 2 0 6 == 78347785027 # 6298560000 /\
  farkle 3 0 6 - (1294873 # 2500) == 6480405541725841 # 220399211520000 /\
  farkle 3 0 6 - farkle 2 0 6 == 14755121976625 # 352638738432.


(** * Bounds against a free player (Bounds.v)

    The process is what is left when one side's strategy is fixed, be it a choice in each state or a
    mixture: its choices are those of the other side, who is free. [b] bounds what can be had. If
    each choice keeps the bound and leads nearer to the end, the fixed side is sure of the bound,
    but for what vanishes with [m]. *)

Definition nearer {state} (rank : state -> nat) (s : state) (c : choice state) : Prop :=
  exists w t, In (w, t) (moves c) /\ (0 < w)%Z /\ (rank t < rank s)%nat.

Definition against_free_statement : Prop :=
  forall state (p : process state) inside b rank k D M,
    closed p inside -> vanishes p inside b ->
    (forall s, inside s -> (rank s <= k)%nat) ->
    (forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive) ->
    0 <= M -> (forall s, inside s -> - M <= b s <= M) ->
    (forall s c, inside s -> In c (p s) -> nearer rank s c) ->
    ((forall s c, inside s -> In c (p s) -> b s <= worth c b) ->
      forall pi m h s, inside s ->
        b s - M * power (1 - power (1 # D) k) m <= total p pi (k * m) h s) /\
    ((forall s c, inside s -> In c (p s) -> worth c b <= b s) ->
      forall pi m h s, inside s ->
        total p pi (k * m) h s <= b s + M * power (1 - power (1 # D) k) m).

(** Where nothing paid is below 0, as in the chance to reach a goal, a lower bound asks of a state
    something only where it is above 0, and an upper bound asks for no ranks. *)

Definition reaching_statement : Prop :=
  forall state (p : process state) inside b rank k D M,
    closed p inside -> vanishes p inside b ->
    (forall s c, inside s -> In c (p s) -> (0 <= reward c)%Z) ->
    (forall s, inside s -> (rank s <= k)%nat) ->
    (forall s c, inside s -> In c (p s) -> (denominator c <= D)%positive) ->
    0 <= M -> (forall s, inside s -> 0 <= b s <= M) ->
    ((forall s c, inside s -> 0 < b s -> In c (p s) -> nearer rank s c) ->
      (forall s c, inside s -> 0 < b s -> In c (p s) -> b s <= worth c b) ->
      forall pi m h s, inside s ->
        b s - M * power (1 - power (1 # D) k) m <= total p pi (k * m) h s) /\
    ((forall s c, inside s -> In c (p s) -> worth c b <= b s) ->
      forall pi n h s, inside s -> total p pi n h s <= b s).

(** Where play may go on for ever, which pays nothing, and the free side may put off what it likes:
    [paid] adds what is expected within 0, 1, ... [n - 1] choices. If each choice keeps the bound, and
    each that just keeps one above 0 leads nearer, then the mean of these [n] numbers is at least the
    bound, but for a number over [n] (Endless.v). [states] lists what is inside, and rewards are those
    of a last choice. *)

Fixpoint paid {state} (p : process state) (pi : policy state) n (h : list state) (s : state) : Q :=
  match n with O => 0 | S n => paid p pi n h s + total p pi n h s end.

Definition endless_statement : Prop :=
  forall state (p : process state) states b rank,
    let inside := fun s => In s states in
    closed p inside -> vanishes p inside b ->
    (forall s c, inside s -> In c (p s) ->
      reward c = 0%Z \/ forall w t, In (w, t) (moves c) -> p t = []) ->
    (forall s c, inside s -> In c (p s) -> b s <= worth c b) ->
    (forall s c, inside s -> In c (p s) -> 0 < b s -> worth c b == b s -> nearer rank s c) ->
    exists C, forall pi n h s, inside s -> inject_Z (Z.of_nat n) * b s - C <= paid p pi n h s.


(** * Games in files (Games.v)

    What a certificate of a value says: `../CERTIFICATES.md` is its text. States are the numbers below
    [size]. A move pays, and leads to each of its states with a chance as its weight. [table] holds a
    list of moves for each row. *)

Record move := Move { pays : Q; leads : list (positive * nat) }.

Inductive node :=
  | Ended (payoff : Q)
  | Drawn (m : move)
  | First (choices : list move)
  | Second (choices : list move)
  | AtOnce (table : list (list move)).

(** What is to be done in a state: the place of a choice, or the weights of rows and columns. *)

Inductive act := Nothing | Take (place : nat) | Mix (rows columns : list N).

Record entry :=
  Entry { low : Q; high : Q; rank_first_free : nat; rank_second_free : nat; does : act }.

Inductive question := Total | Reach | Draws.

Record game := Game {
  asks : question; players : nat; size : nat; initial : nat; claimed_low : Q; claimed_high : Q;
  entry_at : nat -> entry; node_at : nat -> node }.

(** A move as a choice; and one choice of several, drawn by weights, over their common denominator. *)

Definition choice_of (m : move) : choice nat :=
  let whole := total_weight (map (fun wt => (Zpos (fst wt), snd wt)) (leads m)) in
  Choice (Qnum (pays m) * whole) (Z.to_pos whole * Qden (pays m))
    (map (fun wt => (Zpos (fst wt * Qden (pays m)), snd wt)) (leads m)).

Definition mixture (l : list (N * choice nat)) : choice nat :=
  let met := filter (fun wc => negb (fst wc =? 0)%N) l in
  let common := fold_right (fun wc n => Z.lcm (Zpos (denominator (snd wc))) n) 1%Z met in
  let part wc := (Z.of_N (fst wc) * (common / Zpos (denominator (snd wc))))%Z in
  Choice (total_weight (map (fun wc => (part wc * reward (snd wc), tt)%Z) met))
    (Z.to_pos (total_weight (map (fun wc => (Z.of_N (fst wc), tt)) met) * common))
    (flat_map (fun wc => map (fun wt => (part wc * fst wt, snd wt)%Z) (moves (snd wc))) met).

(** What is left to do for one side, which is free, where the other does what the file says; [n] is
    where play has ended. And what is left where both do. *)

Definition against (n : nat) (first_free : bool) (x : node) (a : act) : list (choice nat) :=
  let only i l := map choice_of (firstn 1 (skipn i l)) in
  match x, a with
  | Ended q, Nothing => [Choice (Qnum q) (Qden q) [(Zpos (Qden q), n)]]
  | Drawn m, Nothing => [choice_of m]
  | First l, Take i => if first_free then map choice_of l else only i l
  | Second l, Take i => if first_free then only i l else map choice_of l
  | AtOnce table, Mix x y =>
      if first_free then map (fun row => mixture (combine y (map choice_of row))) table
      else map (fun j => mixture (combine x (map (fun row => choice_of (nth j row (Move 0 []))) table)))
             (seq 0 (length y))
  | _, _ => []
  end.

Definition left_to (first_free : bool) (g : game) : process nat := fun s =>
  if (s <? size g)%nat then against (size g) first_free (node_at g s) (does (entry_at g s)) else [].

Definition following (g : game) : process nat := fun s =>
  match node_at g s with First _ => left_to false g s | _ => left_to true g s end.

Definition bound_of (from_below : bool) (g : game) (s : nat) : Q :=
  if (s <? size g)%nat then (if from_below then low else high) (entry_at g s) else 0.

(** How sure the fixed side is of a bound, whatever the free side does, in each state: [side_is_sure]
    but for what vanishes with [m]; [side_in_time] but for what is still to come while play goes on;
    [side_in_the_mean] as above. *)

Definition compare_from (from_below : bool) (x y : Q) : Prop := if from_below then x <= y else y <= x.

Definition gap (from_below : bool) (x : Q) : Q := if from_below then - x else x.

Definition side_is_sure (n : nat) (p : process nat) (b : nat -> Q) (from_below : bool) : Prop :=
  exists k epsilon M, 0 < epsilon /\ 0 <= M /\
    forall pi m h s, (s <= n)%nat ->
      compare_from from_below (b s + gap from_below (M * power (1 - epsilon) m))
        (total p pi (k * m) h s).

Definition side_in_time (n : nat) (p : process nat) (b : nat -> Q) (from_below : bool) : Prop :=
  exists M, 0 <= M /\
    forall pi m h s, (s <= n)%nat ->
      compare_from from_below (b s + gap from_below (M * alive p pi m h s)) (total p pi m h s).

Definition side_in_the_mean (n : nat) (p : process nat) (b : nat -> Q) (from_below : bool) : Prop :=
  exists C,
    forall pi m h s, (s <= n)%nat ->
      compare_from from_below (inject_Z (Z.of_nat m) * b s + gap from_below C) (paid p pi m h s).

(** A checker is sound if it accepts only games of which all this is so. Of a player alone the bounds
    hold for all policies while play goes on, and what the file says ends play and reaches them. A
    chance is never above its bound. Where the goal is asked for, or endless play is a draw, nothing
    is paid but by a last choice. *)

Definition checker_statement (check : game -> bool) : Prop :=
  forall g, check g = true ->
    let n := size g in let lower := bound_of true g in let upper := bound_of false g in
    (initial g < n)%nat /\
    claimed_low g <= lower (initial g) /\ upper (initial g) <= claimed_high g /\
    (asks g <> Total -> forall free s c, (s < n)%nat -> In c (left_to free g s) ->
      reward c = 0%Z \/ exists q, node_at g s = Ended q) /\
    match asks g with
    | Total =>
        if (players g =? 2)%nat
        then side_is_sure n (left_to false g) lower true /\ side_is_sure n (left_to true g) upper false
        else side_in_time n (left_to false g) lower true /\ side_in_time n (left_to true g) upper false
             /\ side_is_sure n (following g) lower true /\ side_is_sure n (following g) upper false
    | Reach =>
        side_is_sure n (left_to false g) lower true /\
        forall pi m h s, (s <= n)%nat -> total (left_to true g) pi m h s <= upper s
    | Draws =>
        side_in_the_mean n (left_to false g) lower true /\
        side_in_the_mean n (left_to true g) upper false
    end.


(** * The software-engineering game: two claims of its README (SweClaims.v)

    [gone] is the chance that one of the next [n] rolls leaves no revenue die; [next] says which of the
    possible tables is chosen after a roll, by its place. With two d4 and two rolls it is another
    number than that of theorem 1, be a die created after two survive or the lowest promoted. *)

Fixpoint gone (faces : list nat) (next : table -> nat) (n : nat) (t : table) : Q :=
  match n with
  | O => 0
  | S n =>
      sum (fun wk => inject_Z (fst wk) *
          (if (list_sum (snd wk) =? 0)%nat then 1
           else let after := after_roll t (snd wk) in
                gone faces next n (nth (next after) (after_moves after) after)))
        (survivors faces (revenue t))
      * (1 # all_ways faces (revenue t))
  end.

Definition promoting (t : table) : nat := if (list_sum (legacy t) =? 0)%nat then 1 else 0.

Definition in_game_statement : Prop :=
  let t := Table [2; 0; 0; 0; 0]%nat [0; 0; 0; 0; 0]%nat in
  gone standard (fun _ => O) 2 t == 97 # 1024 /\ gone standard promoting 2 t == 7 # 64 /\
  power (1 - power (1 - (1 # 4)) 2) 2 == 49 # 256.

(** In the last round of a game of two rounds or more any play may have a lone d4 and a score of 1; and
    to promote it then, rather than to create another, loses 37/48. *)

Definition last_round_statement : Prop :=
  (forall rounds pi f, (2 <= rounds)%nat -> (forall s, 0 <= f s) ->
    0 < f (Playing 1 (lone_table standard) 1) ->
    0 < later (swe standard) pi f (rounds - 1) [] (Playing rounds (empty_table standard) 0)) /\
  after_moves (lone_table standard)
    = [Table [2; 0; 0; 0; 0] [0; 0; 0; 0; 0]; Table [0; 1; 0; 0; 0] [0; 0; 0; 0; 0]]%nat /\
  exists create promote, swe standard (Playing 1 (lone_table standard) 1) = [create; promote] /\
    worth create (best (swe standard) 1) - worth promote (best (swe standard) 1) == 37 # 48.


(** * The software-engineering game in whole numbers (SweBounds.v)

    What a program of that game computes are bounds of what play is worth, times [scale]. *)

Definition swe_bounds_statement (bounds : list nat -> positive -> nat -> option (N * N)) : Prop :=
  forall faces scale rounds low high, ladder faces -> rising faces -> (1 <= rounds)%nat ->
    bounds faces scale rounds = Some (low, high) ->
    Z.of_N low # scale <= swe_value faces rounds (empty_table faces) 0 <= Z.of_N high # scale.


(** * Farkle: how many rolls are enough (FarkleEnds.v)

    What a turn gains where the player may roll on as long as [rolls_on] says so of its points; with
    those below 6000 that is [farkle]. *)

Section While.
Variable rolls_on : Z -> bool.

Fixpoint farkle_while (n : nat) (turn : Z) (dice : nat) : Q :=
  match n with
  | O => 0
  | S n =>
      sum (fun roll =>
          match options (ascending roll) with
          | [] => - inject_Z turn
          | some =>
              highest (flat_map (fun kept =>
                let score := fst kept in
                inject_Z score :: if rolls_on (turn + score)%Z
                  then [inject_Z score + farkle_while n (turn + score)%Z (snd kept)]
                  else []) some)
          end) (rolls 6 dice)
        * (1 # 6 ^ Pos.of_nat dice)
  end.
End While.

(** Theorem 12 for the turn of the README: Optimal_n is the same from 33 rolls on, and less before. *)

Definition farkle_ends_statement : Prop :=
  forall n,
    ((33 <= n)%nat -> farkle n 0 6 == farkle 33 0 6) /\
    ((n < 33)%nat -> farkle n 0 6 < farkle 33 0 6).

(** Theorem 13, where there is no target: with [dice] dice and points that are a multiple of 50 to roll
    on gains below a threshold, and loses from there on; this with any number of rolls from 51 on, and
    where it gains all these numbers gain the same. At the start of a turn 50 rolls are enough, and no
    fewer are. *)

Definition farkle_free : nat -> Z -> nat -> Q := farkle_while (fun _ => true).

Definition farkle_thresholds_statement : Prop :=
  (forall n k dice, (51 <= n)%nat -> (1 <= dice <= 6)%nat ->
    let turn := (50 * Z.of_nat k)%Z in
    let threshold := nth (dice - 1) [300; 250; 450; 1050; 3400; 12950]%Z 0%Z in
    ((turn < threshold)%Z ->
      0 < farkle_free n turn dice /\ farkle_free n turn dice == farkle_free 51 turn dice) /\
    ((threshold <= turn)%Z -> farkle_free n turn dice < 0)) /\
  forall n,
    ((50 <= n)%nat -> farkle_free n 0 6 == farkle_free 50 0 6) /\
    ((n < 50)%nat -> farkle_free n 0 6 < farkle_free 50 0 6).

(** Theorem 33: liar's dice with one die each. A player has a strategy that guarantees, on average over
    all s^2 pairs of dice, -(s - 2)/s^2 for the first player, against every strategy of the other one; so
    no player needs to randomize, and that is the value. *)

Module Liar.
Local Open Scope Z_scope.

(* The sum of f over 1, ..., n. *)
Fixpoint total (n : nat) (f : nat -> Z) : Z :=
  match n with O => 0 | S m => total m f + f n end.

Definition bid := (nat * nat)%type. (* how many dice, which face *)

Definition shows (die face : nat) : nat := if Nat.eqb die face then 1 else 0.

Definition holds (b : bid) (x y : nat) : bool := (fst b <=? shows x (snd b) + shows y (snd b))%nat.

Definition higher (b c : bid) : bool :=
  (fst b <? fst c)%nat || ((fst b =? fst c)%nat && (snd b <? snd c)%nat).

(* A bid of 1 or 2 dice and a face from 1 to s, higher than the last bid; the last bid comes first. *)
Definition legal (s : nat) (bids : list bid) (c : bid) : bool :=
  ((1 <=? fst c) && (fst c <=? 2) && (1 <=? snd c) && (snd c <=? s))%nat
  && match bids with [] => true | b :: _ => higher b c end.

(* A strategy maps the own die and the bids so far to a bid, or to None, a call. *)
Definition strategy := nat -> list bid -> option bid.

(* What the first player wins with a call. Who calls before any bid, or makes no legal bid, has
   called; the first player, who must bid, then loses 1. *)
Definition called (x y : nat) (bids : list bid) : Z :=
  match bids with
  | [] => -1
  | b :: _ => if xorb (holds b x y) (Nat.odd (length bids)) then -1 else 1
  end.

(* What the first player wins after these bids; a play has at most 2 s bids, and [most] more are
   allowed. *)
Fixpoint play (s most : nat) (one two : strategy) (x y : nat) (bids : list bid) : Z :=
  match (if Nat.even (length bids) then one x bids else two y bids) with
  | Some c =>
      if legal s bids c then
        match most with O => 0 | S m => play s m one two x y (c :: bids) end
      else called x y bids
  | None => called x y bids
  end.

(* The sum over all dice, s^2 times the mean. *)
Definition payoff (s most : nat) (one two : strategy) : Z :=
  total s (fun x => total s (fun y => play s most one two x y [])).
End Liar.

Definition one_die_each_statement : Prop :=
  exists first second : Liar.strategy, forall s more, (2 <= s)%nat ->
    (forall two, (2 - Z.of_nat s <= Liar.payoff s (3 + more) first two)%Z) /\
    (forall one, (Liar.payoff s (3 + more) one second <= 2 - Z.of_nat s)%Z).

(** ** Long-run averages (Average.v)

    The gain [g] is the average reward of a move in the long run, and the bias [h] the advantage of
    a state over the others. If the choices of a policy satisfy these inequalities, the total of [n]
    moves differs from [n * g] by at most two constants, so the average tends to [g], or is bounded
    by it. A certificate has inequalities for all choices of one player, if the other one follows
    the chosen moves: so the average from each state is [g]. *)

Definition gains_below {state} (p : process state) (inside : state -> Prop) (g h : state -> Q)
    (pi : policy state) : Prop :=
  forall past s c, inside s -> taken (p s) (pi past s) = Some c ->
    mean c g <= g s /\ worth c h <= g s + h s.

Definition gains_above {state} (p : process state) (inside : state -> Prop) (g h : state -> Q)
    (pi : policy state) : Prop :=
  forall past s c, inside s -> taken (p s) (pi past s) = Some c ->
    g s <= mean c g /\ g s + h s <= worth c h.

Definition average_statement : Prop :=
  forall state (p : process state) inside pi g h M,
    closed p inside -> vanishes p inside g -> vanishes p inside h ->
    (forall s, inside s -> - M <= h s <= M) ->
    forall n past s, inside s ->
      (gains_below p inside g h pi ->
        total p pi n past s <= inject_Z (Z.of_nat n) * g s + h s + M) /\
      (gains_above p inside g h pi ->
        inject_Z (Z.of_nat n) * g s + h s - M <= total p pi n past s).
