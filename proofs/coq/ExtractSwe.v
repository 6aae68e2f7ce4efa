(** * Bounds of the software-engineering game as a program

    Numbers are machine integers here: nothing that [swe_bounds] computes is above the greatest number
    of [at_end], of which it takes means, times the faces of a die; extracted/swe.ml refuses what may
    be above 2^62. *)

From Coq Require Import NArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From ExactDice Require Import SweBounds.

Extraction "extracted/rounded.ml" swe_bounds.
