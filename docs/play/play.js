// The page: a question as text or from a form, answered by the engine.
import { LOADING, engine, made, painted, progress } from "./asking.js";

const at = (id) => document.getElementById(id);
let busy;
const SECONDS = 60; // for a program
let limit;
let solved; // the game that the user pressed Calculate for: an address by itself runs no program
const { kinds, known, own, program } = await (await fetch("questions.json")).json();

const worker = engine((data) => {
  if ("ready" in data) {
    document.documentElement.dataset.ready = data.ready ? "yes" : "";
    limited();
    if (data.ready && at("status").textContent === LOADING) at("status").textContent = busy ? "Computing." : "";
  } else if (data.broken) at("status").textContent = `The engine did not start: ${data.broken}`;
  else if (data.what) at("status").textContent = progress(data);
  else if (data.asked === busy) show(data);
  else if (data.asked === `check ${at("answer").dataset.words}`) at("checked").textContent = data.checked ?? data.problem;
});

function ask(words) {
  if (isProgram(words) && busy && document.documentElement.dataset.ready) worker.cancel(); // it may not end
  busy = words;
  at("question").value = words === solved || isProgram(words) ? "" : words;
  at("status").textContent = worker.waits();
  at("cancel").hidden = false;
  at("answer").classList.toggle("stale", isProgram(words)); // the last answer stays while the user types
  if (at("answer").dataset.words !== words && !isProgram(words)) at("answer").replaceChildren();
  limited();
  early(words);
  worker.ask(words);
}

function limited() { // a program may not end; the time in which the engine loads does not count
  clearTimeout(limit);
  if (busy && isProgram(busy) && document.documentElement.dataset.ready) limit = setTimeout(() => busy && stop(`Stopped after ${SECONDS} seconds.`), 1000 * SECONDS);
}

// Some answers are stored, and shown before the engine is ready.
async function early(words) {
  const place = known.indexOf(words);
  if (place < 0 || document.documentElement.dataset.ready) return;
  const answer = await (await fetch(`answers/${place}.json`)).json();
  if (busy === words) paint({ asked: words, ...answer });
}

// Stops the current computation.
function stop(line) {
  if (busy) worker.cancel();
  busy = undefined;
  at("cancel").hidden = true;
  at("status").textContent = line;
}

// Replaces the answer by a line.
function instead(line) {
  stop(line);
  delete at("answer").dataset.words;
  at("answer").replaceChildren();
  at("take").hidden = at("seal").hidden = true;
}

function show(answer) {
  busy = undefined;
  at("cancel").hidden = true;
  at("status").textContent = "";
  try {
    paint(answer);
  } catch { // a program sent something else
    instead("The engine's answer cannot be shown.");
  }
  navigator.serviceWorker?.register("offline.js"); // after the answer, because it fetches all files
}

function paint(answer) {
  const { asked, problem, title, json, csv } = answer;
  const words = (asked !== solved && answer.words) || asked; // a program cannot pose as a question
  if (words !== asked) history.replaceState(null, "", addressOf(words)); // as a command
  if (at("question").value === asked && isProgram(words)) at("question").value = "";
  at("answer").dataset.words = words;
  at("take").hidden = Boolean(problem);
  at("seal").hidden = !answer.is_certified || words.startsWith("{");
  at("checked").textContent = "";
  at("wrong").textContent = (isProgram(asked) && problem) || "";
  if (isProgram(words)) opened(words);
  if (isProgram(asked) && problem) return;
  at("answer").classList.remove("stale");
  at("answer").replaceChildren(...(problem ? [] : [made("h2", { textContent: title })]), ...painted(answer));
  for (const [id, text, kind] of [["csv", csv, "text/csv"], ["json", json, "application/json"]]) {
    at(id).hidden = !text;
    at(id).href = `data:${kind};charset=utf-8,${encodeURIComponent(text)}`;
    at(id).download = `${words.replaceAll(/[^\w]+/g, "-").slice(0, 80)}.${id}`;
  }
}

// Read the address: a question, or the rules of a game.
function open() {
  let asked, game;
  try {
    asked = isProgram(location.hash.slice(1)) ? location.hash.slice(1) : decodeURI(location.hash.slice(1)) || known[0];
    game = /^[[{]/.test(asked) && gameIn(asked);
  } catch {
    return instead("This address holds no question.");
  }
  if (isProgram(asked)) opened(asked);
  if (game) [at("rules").value, at("more").value, at("own").open] = [...game, true];
  if (!game || asked === solved) return ask(asked);
  instead("These rules are a program: read them, then press Calculate.");
}

// Programs have addresses of their own, as on the server.
const isProgram = (words) => words.startsWith("/ask/anydice?");

function opened(words) {
  const asked = new URLSearchParams(words.slice(words.indexOf("?")));
  if (document.activeElement !== at("program")) at("program").value = asked.get("program"); // else the user types
  at("view").value = asked.get("view") ?? "normal";
  at("programs").open = true;
}

// Rules and options of a game.
function gameIn(asked) {
  const { words, rules } = JSON.parse(asked);
  const [, options = ""] = words.match(/^book mine\.py(?: (.*))?$/);
  if (typeof rules !== "string") throw new TypeError("no rules");
  return [rules, options];
}

// The fields of a question, filled in as in its example.
function fieldsOf(kind) {
  const rows = kind.fields.map(({ name, label, help, hint, words, value, is_required, ...field }) => {
    const input = field.kind === "choice"
      ? made("select", { name }, ...["", ...words].map((word) => made("option", { textContent: word, selected: word === value })))
      : made("input", { name, required: is_required, autocomplete: "off",
          ...(field.kind === "flag" ? { type: "checkbox", value: "true", checked: value === "true" } : { value }) });
    return made("label", {}, `${label} `, input, made("small", { textContent: [help, hint].filter(Boolean).join(" · ") }));
  });
  at("fields").replaceChildren(made("p", { textContent: kind.help }), ...rows, made("p", {}, made("button", { textContent: "Calculate" })));
}

for (const kind of kinds) {
  at("examples").append(made("option", { value: kind.example }));
  at("kind").append(made("option", { value: kind.command, textContent: kind.command }));
}
const chosen = () => kinds.find((kind) => kind.command === at("kind").value);
const addressOf = (words) => `#${isProgram(words) ? words : encodeURI(words.toWellFormed())}`;
const go = (words) => (location.hash === addressOf(words) ? open() : (location.hash = addressOf(words)));
fieldsOf(chosen());
at("kind").onchange = () => fieldsOf(chosen());
at("fields").onsubmit = (event) => {
  event.preventDefault();
  go(`${chosen().path}?${new URLSearchParams(new FormData(at("fields")))}`);
};
at("box").onsubmit = (event) => (event.preventDefault(), go(at("question").value.trim()));
at("program").value = program;
let typing;
const run = () => {
  const view = at("view").value;
  const words = `/ask/anydice?${new URLSearchParams({ program: at("program").value, ...(view !== "normal" && { view }) })}`;
  history.replaceState(null, "", addressOf(words));
  ask(words);
};
at("typed").oninput = () => {
  clearTimeout(typing);
  typing = setTimeout(run, 300);
};
at("typed").onsubmit = (event) => (event.preventDefault(), clearTimeout(typing), run());
at("rules").value = own;
at("game").onsubmit = (event) => {
  event.preventDefault();
  solved = JSON.stringify({ words: `book mine.py ${at("more").value}`.trim(), rules: at("rules").value });
  go(solved);
};
at("share").onclick = () => navigator.clipboard.writeText(
  `${at("answer").querySelector(".lead")?.textContent ?? ""}\n${location.href}`.trim());
at("check").onclick = () => {
  at("checked").textContent = "Writing the certificate, then checking it …";
  worker.ask(`check ${at("answer").dataset.words}`);
};
at("cancel").onclick = () => stop("Cancelled.");
onhashchange = open;
open();
