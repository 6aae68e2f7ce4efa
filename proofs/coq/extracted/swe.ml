(* Bounds of what the software-engineering game is worth from an empty table, by the program that Coq
   proved and extracted:

       swe 4,6,8,12,20 30

   FACES must not fall, and ROUNDS is above 0. This file reads these two, and writes the bounds as
   decimals, the lower one cut off and the upper one rounded up. *)

let bits = 45
let one = 1 lsl bits

(* A number over 2^45 with 13 decimals. *)
let decimal number up =
  let digits = Buffer.create 13 and rest = ref (number land (one - 1)) in
  for _ = 1 to 13 do
    Buffer.add_string digits (string_of_int (!rest * 10 / one));
    rest := !rest * 10 land (one - 1)
  done;
  let cut = int_of_string (string_of_int (number / one) ^ Buffer.contents digits) in
  let whole = if up && !rest > 0 then cut + 1 else cut in
  Printf.sprintf "%d.%013d" (whole / 10000000000000) (whole mod 10000000000000)

let () =
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 8388608 };  (* a third faster *)
  match Array.map int_of_string (Array.of_list (List.concat_map (String.split_on_char ',') (List.tl (Array.to_list Sys.argv)))) with
  | exception Failure _ -> prerr_endline "give FACES ROUNDS"; exit 2
  | numbers when Array.length Sys.argv <> 3 || Array.length numbers < 2 -> prerr_endline "give FACES ROUNDS"; exit 2
  | numbers -> (
      let faces = Array.to_list (Array.sub numbers 0 (Array.length numbers - 1)) in
      let rounds = numbers.(Array.length numbers - 1) in
      let most = List.fold_left max 0 faces in
      if List.sort compare faces <> faces || List.hd faces < 2 || most > 100 || rounds < 1 || rounds > 1000
         || rounds * (rounds + 1) / 2 * most >= 1 lsl (62 - bits)
      then (prerr_endline "FACES must be 2 or more and not fall, ROUNDS 1 or more, and both not too many"; exit 2);
      match Rounded.swe_bounds faces one rounds with
      | Some (low, high) -> Printf.printf "from %s to %s\n" (decimal low false) (decimal high true)
      | None -> prerr_endline "no bounds"; exit 1)
