(* Reads a certificate of a value (../../CERTIFICATES.md) from standard input, and runs the checker
   of one side that Coq proved sound and extracted, once for each side.

   What is not proved is this reader: that it reads the text, and that what it hands to the checker
   is the game with one side's choices, or mixtures, held fixed. It covers the question `total` of
   two players, or of none, with bounds that are integers over the scale. Exit status 0 if the
   certificate is accepted, 1 if not, 3 if it is of a kind that is not covered. *)

open Checker

exception Malformed of string
exception Uncovered of string

let need holds what = if not holds then raise (Malformed what)
let is_digits text = text <> "" && String.for_all (fun c -> '0' <= c && c <= '9') text

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let small n = if n = 0 then Z0 else Zpos (positive n)
let digits = Array.init 10 small

let integer text =
  let is_below = text <> "" && text.[0] = '-' in
  let figures = if is_below then String.sub text 1 (String.length text - 1) else text in
  need (is_digits figures) text;
  let ten = small 10 in
  let read = String.fold_left (fun n c -> Z.add (Z.mul n ten) digits.(Char.code c - 48)) Z0 figures in
  match read with Zpos p when is_below -> Zneg p | number -> number

let above_0 = function Zpos p -> p | _ -> raise (Malformed "a number that is not above 0")

(* p or p/q *)
let ratio text =
  match String.split_on_char '/' text with
  | [ p ] -> (integer p, XH)
  | [ p; q ] -> (integer p, above_0 (integer q))
  | _ -> raise (Malformed text)

let natural text =
  need (is_digits text && String.length text < 18) text;
  int_of_string text

let line () =
  match input_line stdin with
  | exception End_of_file -> raise (Malformed "the file ends too early")
  | text -> List.hd (String.split_on_char '#' text)

let words text = List.filter (fun word -> word <> "") (String.split_on_char ' ' text)

let headed name count =
  match words (line ()) with
  | first :: rest when first = name && List.length rest = count -> rest
  | _ -> raise (Malformed name)

let move n text =
  let rec leads = function
    | [] -> []
    | w :: t :: rest ->
        let weight = integer w and target = natural t in
        need (target < n) t;
        (Zpos (above_0 weight), target) :: leads rest
    | _ -> raise (Malformed text)
  in
  match words text with
  | [] -> raise (Malformed "a move that leads nowhere")
  | paid :: rest ->
      let p, q = ratio paid and moves = leads rest in
      let total = List.fold_left (fun sum (w, _) -> Z.add sum w) Z0 moves in
      { reward = Z.mul p total;
        denominator = above_0 (Z.mul total (Zpos q));
        moves = List.map (fun (w, t) -> (Z.mul w (Zpos q), t)) moves }

(* One choice that draws among others by weights. *)
let mixed parts =
  let parts = List.filter (fun (w, _) -> w <> Z0) parts in
  let whole = List.fold_left (fun sum (w, _) -> Z.add sum w) Z0 parts in
  let product others = List.fold_left (fun d (_, c) -> Z.mul d (Zpos c.denominator)) (small 1) others in
  let scaled = List.mapi (fun i (w, c) -> (Z.mul w (product (List.filteri (fun j _ -> j <> i) parts)), c)) parts in
  { reward = List.fold_left (fun sum (w, c) -> Z.add sum (Z.mul w c.reward)) Z0 scaled;
    denominator = above_0 (Z.mul whole (product parts));
    moves = List.concat_map (fun (w, c) -> List.map (fun (x, t) -> (Z.mul w x, t)) c.moves) scaled }

(* The choices of a state with the first player free, and with the second. *)
let choices n owner text done_ =
  let parts = String.split_on_char ';' text in
  let fixed moves = match done_ with [ place ] -> [ List.nth moves (natural place) ] | _ -> raise (Malformed owner) in
  match owner with
  | "end" ->
      let p, q = ratio (String.trim text) in
      need (done_ = []) owner;
      let paid = [ { reward = p; denominator = q; moves = [ (Zpos q, n) ] } ] in
      (paid, paid)
  | "chance" ->
      need (List.length parts = 1 && done_ = []) owner;
      let drawn = [ move n text ] in
      (drawn, drawn)
  | "first" -> let moves = List.map (move n) parts in (moves, fixed moves)
  | "second" -> let moves = List.map (move n) parts in (fixed moves, moves)
  | "both" -> (
      match (words (List.hd parts), String.split_on_char '|' (String.concat " " done_)) with
      | [ r; c ], [ x; y ] ->
          let rows = natural r and columns = natural c in
          let x = List.map integer (words x) and y = List.map integer (words y) in
          let moves = Array.of_list (List.map (move n) (List.tl parts)) in
          need (List.length x = rows && List.length y = columns && Array.length moves = rows * columns) owner;
          need (List.for_all (function Zneg _ -> false | _ -> true) (x @ y)) owner;
          ( List.init rows (fun i -> mixed (List.mapi (fun j w -> (w, moves.((i * columns) + j))) y)),
            List.init columns (fun j -> mixed (List.mapi (fun i w -> (w, moves.((i * columns) + j))) x)) )
      | _ -> raise (Malformed owner))
  | _ -> raise (Malformed owner)

let check () =
  need (String.trim (line ()) = "exactdice-certificate 1") "the first line";
  let question = List.hd (headed "question" 1) in
  let number name = natural (List.hd (headed name 1)) in
  let players = number "players" in
  if question <> "total" || players = 1 then raise (Uncovered question);
  let n = number "states" in
  let initial = number "initial" in
  let scale = above_0 (integer (List.hd (headed "scale" 1))) in
  let claim = headed "claim" 2 in
  ignore (headed "bounds" 0);
  let over f = Array.init (n + 1) (fun s -> if s = n then f None else f (Some (words (line ())))) in
  let whole text = if String.contains text '/' then raise (Uncovered "bounds p/q") else integer text in
  let rows =
    over (function
      | None -> (Z0, Z0, 0, 0, [])
      | Some (low :: high :: first :: second :: rest) ->
          let high = whole (if high = "=" then low else high) and low = whole low in
          need (Z.leb low high) "bounds";
          (low, high, 1 + natural first, 1 + natural second, rest)
      | Some _ -> raise (Malformed "bounds"))
  in
  ignore (headed "moves" 0);
  let game =
    Array.init n (fun s ->
        let text = String.trim (line ()) and _, _, _, _, done_ = rows.(s) in
        match String.index_opt text ' ' with
        | None -> raise (Malformed text)
        | Some at -> (
            let owner = String.sub text 0 at in
            if players < 2 && List.mem owner [ "first"; "second" ] then raise (Uncovered "a player alone");
            need (players = 2 || owner <> "both") owner;
            match choices n owner (String.sub text at (String.length text - at)) done_ with
            | exception (Failure _ | Invalid_argument _) -> raise (Malformed text)
            | read -> read))
  in
  need (words (line ()) = [ "done" ]) "done";
  need (match input_line stdin with exception End_of_file -> true | _ -> false) "the end";
  let upper s = let _, high, _, _, _ = rows.(s) in high and lower s = let low, _, _, _, _ = rows.(s) in low in
  let first s = let _, _, rank, _, _ = rows.(s) in rank and second s = let _, _, _, rank, _ = rows.(s) in rank in
  let side pick s = if s = n then [] else pick game.(s) in
  need (initial < n) "initial";
  let (a, q), (b, r) = match List.map ratio claim with [ a; b ] -> (a, b) | _ -> raise (Malformed "claim") in
  need (Z.leb (Z.mul a (Zpos scale)) (Z.mul (lower initial) (Zpos q))) "claim";
  need (Z.leb (Z.mul (upper initial) (Zpos r)) (Z.mul b (Zpos scale))) "claim";
  need (check_side n (side fst) upper scale first false) "the upper bounds";
  need (check_side n (side snd) lower scale second true) "the lower bounds";
  Printf.printf "accepted: the total reward from state %d lies from %s to %s\n" initial (List.nth claim 0) (List.nth claim 1)

let () =
  match check () with
  | () -> ()
  | exception Malformed what -> print_endline ("rejected: " ^ what); exit 1
  | exception Uncovered what -> print_endline ("not covered: " ^ what); exit 3
