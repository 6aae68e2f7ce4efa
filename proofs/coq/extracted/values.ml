(* Reads a certificate of a value (../../CERTIFICATES.md) from standard input, or several with a form
   feed between each two, and gives the game and what is said of it to the checker that Coq proved
   sound and extracted. This reader is not proved; it does nothing but read: each line becomes one
   entry or one node of Statements.v. Prints a line for each; exit status 1 if one is rejected. *)

open Checker

exception Malformed of string

let need holds what = if not holds then raise (Malformed what)
let is_digits text = text <> "" && String.for_all (fun c -> '0' <= c && c <= '9') text

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let small n = if n = 0 then Z0 else Zpos (positive n)
let ten = small 10

let whole text =
  need (is_digits text) text;
  if String.length text < 18 then small (int_of_string text)
  else String.fold_left (fun n c -> Z.add (Z.mul n ten) (small (Char.code c - 48))) Z0 text

let integer text =
  if text = "" || text.[0] <> '-' then whole text
  else match whole (String.sub text 1 (String.length text - 1)) with Zpos p -> Zneg p | number -> number

let above_0 = function Zpos p -> p | _ -> raise (Malformed "a number that is not above 0")

let over scale text =
  match String.split_on_char '/' text with
  | [ p ] -> { qnum = integer p; qden = scale }
  | [ p; q ] -> { qnum = integer p; qden = above_0 (Z.mul (Zpos scale) (Zpos (above_0 (whole q)))) }
  | _ -> raise (Malformed text)

let rational = over XH (* p or p/q *)
let natural text = need (is_digits text && String.length text < 18) text; int_of_string text
let weight text = match whole text with Z0 -> N0 | Zpos p -> Npos p | Zneg _ -> raise (Malformed text)

let is_known c = ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || String.contains " ;|/=-" c

let rec trimmed text =
  let n = String.length text in
  if n > 0 && text.[n - 1] = ' ' then trimmed (String.sub text 0 (n - 1)) else text

let buffer = Buffer.create 65536

let rec content () =
  match Buffer.add_channel buffer stdin 65536 with () -> content () | exception End_of_file -> Buffer.contents buffer

let left = ref []

(* Each line must end, in printable ASCII; what stands behind # is for people. *)
let line () =
  match !left with
  | [] | [ _ ] -> raise (Malformed "a line is missing, or ends too early")
  | text :: rest ->
      left := rest;
      need (String.for_all (fun c -> ' ' <= c && c <= '~') text) "not in ASCII";
      let said = trimmed (List.hd (String.split_on_char '#' text)) in
      need (String.for_all is_known said) said;
      said

let words text = List.filter (fun word -> word <> "") (String.split_on_char ' ' text)

let headed name count =
  match words (line ()) with
  | first :: rest when first = name && List.length rest = count -> rest
  | _ -> raise (Malformed name)
let one name = List.hd (headed name 1)

let move text =
  let rec lead = function
    | [] -> []
    | w :: t :: rest -> (above_0 (whole w), natural t) :: lead rest
    | _ -> raise (Malformed text)
  in
  match words text with
  | paid :: (_ :: _ as rest) -> { pays = rational paid; leads = lead rest }
  | _ -> raise (Malformed "a move that leads nowhere")

let rec in_rows columns = function
  | [] -> []
  | moves ->
      let row = List.filteri (fun i _ -> i < columns) moves in
      need (List.length row = columns) "rows";
      row :: in_rows columns (List.filteri (fun i _ -> i >= columns) moves)

let node text =
  let at = match String.index_opt text ' ' with Some at -> at | None -> String.length text in
  let owner, rest = (String.sub text 0 at, String.sub text at (String.length text - at)) in
  let parts = String.split_on_char ';' rest in
  match (owner, parts) with
  | "end", _ -> Ended (rational (String.trim rest))
  | "chance", [ only ] -> Drawn (move only)
  | "first", _ -> First (List.map move parts)
  | "second", _ -> Second (List.map move parts)
  | "both", size :: moves -> (
      match List.map natural (words size) with
      | [ rows; columns ] ->
          need (columns > 0) "columns";
          let table = in_rows columns (List.map move moves) in
          need (List.length table = rows) "rows";
          AtOnce table
      | _ -> raise (Malformed size))
  | _ -> raise (Malformed owner)

let act text =
  match (words text, String.split_on_char '|' text) with
  | [], [ _ ] -> Nothing
  | [ place ], [ _ ] -> Take (natural place)
  | _, [ x; y ] -> Mix (List.map weight (words x), List.map weight (words y))
  | _ -> raise (Malformed text)

let entry scale text =
  match words text with
  | low :: high :: first :: second :: rest ->
      { low = over scale low; high = over scale (if high = "=" then low else high);
        rank_first_free = natural first; rank_second_free = natural second;
        does = act (String.concat " " rest) }
  | _ -> raise (Malformed "bounds")

(* So many lines, in their order. *)
let states n read =
  need (n <= List.length !left) "states";
  Array.get (Array.init n (fun _ -> read (line ())))

let read () =
  need (line () = "exactdice-certificate 1") "the first line";
  let asks =
    match one "question" with
    | "total" -> Total | "reach" -> Reach | "draws" -> Draws | other -> raise (Malformed other)
  in
  let players = natural (one "players") in let size = natural (one "states") in
  let initial = natural (one "initial") in
  let scale = above_0 (whole (one "scale")) in
  let claim = List.map rational (headed "claim" 2) in
  need (line () = "bounds") "bounds";
  let entry_at = states size (entry scale) in
  need (line () = "moves") "moves";
  let node_at = states size node in
  need (line () = "done" && !left = [ "" ]) "done";
  { asks; players; size; initial; claimed_low = List.hd claim; claimed_high = List.nth claim 1; entry_at; node_at }

let accepts text =
  left := String.split_on_char '\n' text;
  match read () with
  | exception Malformed what -> print_endline ("rejected: " ^ String.escaped what); false
  | game when check_game game -> print_endline "accepted: the claim holds"; true
  | _ -> print_endline "rejected: a condition does not hold"; false

let () = if List.mem false (List.map accepts (String.split_on_char '\012' (content ()))) then exit 1
