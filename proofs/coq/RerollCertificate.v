(* Made by proofs/coq/translate.py from proofs/certificates/reroll.optimal-play.json; never edit this file. *)

From Coq Require Import List ZArith QArith.
From ExactDice Require Import Statements.
Import ListNotations.

(* A row: state, numerator of its value, place of the action, rank. *)

Definition reroll_certificate : certificate reroll_state :=
  Certificate 7744
  [Row Start 103369 0 2;
   Row (Showing [1; 1; 1]) 139392 7 1;
   Row (Showing [1; 1; 2]) 121968 4 2;
   Row (Showing [1; 1; 3]) 121968 4 2;
   Row (Showing [1; 1; 4]) 123904 7 1;
   Row (Showing [1; 1; 5]) 131648 7 1;
   Row (Showing [1; 1; 6]) 139392 7 1;
   Row (Showing [1; 2; 2]) 104544 6 2;
   Row (Showing [1; 2; 3]) 103576 1 2;
   Row (Showing [1; 2; 4]) 103576 1 2;
   Row (Showing [1; 2; 5]) 103576 1 2;
   Row (Showing [1; 2; 6]) 103576 1 2;
   Row (Showing [1; 3; 3]) 103576 1 2;
   Row (Showing [1; 3; 4]) 103576 1 2;
   Row (Showing [1; 3; 5]) 103576 1 2;
   Row (Showing [1; 3; 6]) 103576 1 2;
   Row (Showing [1; 4; 4]) 103576 1 2;
   Row (Showing [1; 4; 5]) 103576 1 2;
   Row (Showing [1; 4; 6]) 103576 1 2;
   Row (Showing [1; 5; 5]) 103576 1 2;
   Row (Showing [1; 5; 6]) 103576 1 2;
   Row (Showing [1; 6; 6]) 103576 1 2;
   Row (Showing [2; 2; 2]) 116160 7 1;
   Row (Showing [2; 2; 3]) 104544 4 2;
   Row (Showing [2; 2; 4]) 108416 7 1;
   Row (Showing [2; 2; 5]) 116160 7 1;
   Row (Showing [2; 2; 6]) 123904 7 1;
   Row (Showing [2; 3; 3]) 95656 1 2;
   Row (Showing [2; 3; 4]) 95656 1 2;
   Row (Showing [2; 3; 5]) 95656 1 2;
   Row (Showing [2; 3; 6]) 95656 1 2;
   Row (Showing [2; 4; 4]) 95656 1 2;
   Row (Showing [2; 4; 5]) 95656 1 2;
   Row (Showing [2; 4; 6]) 95656 1 2;
   Row (Showing [2; 5; 5]) 95656 1 2;
   Row (Showing [2; 5; 6]) 100672 7 1;
   Row (Showing [2; 6; 6]) 95656 1 2;
   Row (Showing [3; 3; 3]) 95625 0 2;
   Row (Showing [3; 3; 4]) 95625 0 2;
   Row (Showing [3; 3; 5]) 100672 7 1;
   Row (Showing [3; 3; 6]) 108416 7 1;
   Row (Showing [3; 4; 4]) 95625 0 2;
   Row (Showing [3; 4; 5]) 95625 0 2;
   Row (Showing [3; 4; 6]) 100672 7 1;
   Row (Showing [3; 5; 5]) 95625 0 2;
   Row (Showing [3; 5; 6]) 108416 7 1;
   Row (Showing [3; 6; 6]) 95625 0 2;
   Row (Showing [4; 4; 4]) 95625 0 2;
   Row (Showing [4; 4; 5]) 95625 0 2;
   Row (Showing [4; 4; 6]) 95625 0 2;
   Row (Showing [4; 5; 5]) 95625 0 2;
   Row (Showing [4; 5; 6]) 116160 7 1;
   Row (Showing [4; 6; 6]) 95625 0 2;
   Row (Showing [5; 5; 5]) 95625 0 2;
   Row (Showing [5; 5; 6]) 95625 0 2;
   Row (Showing [5; 6; 6]) 95625 0 2;
   Row (Showing [6; 6; 6]) 95625 0 2;
   Row Stuck 0 0 0]%nat.
