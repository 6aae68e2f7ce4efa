(* Made by proofs/coq/translate.py from proofs/certificates/fatestones.mixed.json; never edit this file. *)

From Coq Require Import List ZArith QArith.
From ExactDice Require Import Statements.
Import ListNotations.

(* Hands, the chances with which either player rolls each die, and the value. *)

Record game := Game { row_hand : hand; column_hand : hand;
  row_mixed : list Q; column_mixed : list Q; game_value : Q }.

Definition duel_games : list game :=
  [Game [[1; 1; 1; 6; 6; 6]; [1; 1; 2; 5; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 4; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [131 # 166; 35 # 166; 0 # 1]%Q [11 # 166; 155 # 166; 0 # 1]%Q (28459 # 286848);
   Game [[1; 1; 1; 6; 6; 6]; [1; 1; 2; 5; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 4; 5; 6]]%nat
     [11 # 14; 3 # 14]%Q [1 # 14; 13 # 14]%Q (197 # 2016);
   Game [[1; 1; 1; 6; 6; 6]; [1; 1; 2; 5; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (17 # 144);
   Game [[1; 1; 1; 6; 6; 6]; [1; 1; 2; 5; 6; 6]]%nat [[1; 1; 4; 4; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (17 # 144);
   Game [[1; 1; 1; 6; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 4; 5; 6]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (1 # 12);
   Game [[1; 1; 1; 6; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (13 # 144);
   Game [[1; 1; 1; 6; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 4; 4; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (13 # 144);
   Game [[1; 1; 2; 5; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 4; 5; 6]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (1 # 18);
   Game [[1; 1; 2; 5; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 3; 5; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (5 # 81);
   Game [[1; 1; 2; 5; 6; 6]; [1; 1; 3; 4; 6; 6]]%nat [[1; 1; 4; 4; 5; 6]; [1; 1; 4; 5; 5; 5]]%nat
     [1 # 1; 0 # 1]%Q [1 # 1; 0 # 1]%Q (115 # 1296)].
