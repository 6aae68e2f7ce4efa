(* Reads a certificate of the reroll game from standard input and runs the checker that Coq proved
   sound and extracted.

   The first line is the common denominator; each other one is a state, the numerator of its value,
   the place of its action and its rank. A state is `start`, `stuck` or dice such as 1,4,4. Exit
   status 0 if the certificate is accepted, 1 if not. `translate.py` writes this from JSON. *)

open Checker

exception Malformed of string

let natural text =
  if text = "" || String.length text > 18 || not (String.for_all (fun c -> '0' <= c && c <= '9') text)
  then raise (Malformed text);
  int_of_string text

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let integer text =
  if text <> "" && text.[0] = '-' then
    match natural (String.sub text 1 (String.length text - 1)) with 0 -> Z0 | n -> Zneg (positive n)
  else match natural text with 0 -> Z0 | n -> Zpos (positive n)

let state = function
  | "start" -> Start
  | "stuck" -> Stuck
  | dice -> Showing (List.map natural (String.split_on_char ',' dice))

let row line =
  match String.split_on_char ' ' line with
  | [ s; value; place; rank ] ->
      { at_state = state s; numerator = integer value; action = natural place; rank = natural rank }
  | _ -> raise (Malformed line)

let rec lines () = match input_line stdin with line -> line :: lines () | exception End_of_file -> []

let () =
  match lines () with
  | exception _ -> exit 1
  | [] -> prerr_endline "rejected: empty"; exit 1
  | denominator :: rest -> (
      match
        let n = natural denominator in
        if n = 0 then raise (Malformed denominator);
        { common = positive n; rows = List.map row rest }
      with
      | exception Malformed text -> prerr_endline ("rejected: malformed: " ^ text); exit 1
      | certificate -> (
          match List.find_opt (fun text -> String.starts_with ~prefix:"start " text) rest with
          | Some first when check_reroll certificate ->
              let numerator = List.nth (String.split_on_char ' ' first) 1 in
              Printf.printf "accepted: the start is worth %s/%s\n" numerator denominator
          | _ -> prerr_endline "rejected"; exit 1))
