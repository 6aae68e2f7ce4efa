// The page: a question as text or from a form, answered by the engine.
import { LOADING, engine, made, painted, progress } from "./asking.js";

const at = (id) => document.getElementById(id);
let busy;
const SECONDS = 60; // for a program
let limit;
let solved; // the game that the user pressed Calculate for: an address by itself runs no program
const { known, first } = JSON.parse(at("stored").textContent); // the texts of stored answers, and the first answer

const worker = engine((data) => {
  if ("ready" in data) {
    document.documentElement.dataset.ready = data.ready ? "yes" : "";
    limited();
    if (data.ready && at("status").textContent === LOADING) at("status").textContent = busy ? "Computing." : "";
  } else if (data.broken) at("status").textContent = `The engine did not start: ${data.broken}`;
  else if (data.what) at("status").textContent = progress(data);
  else if (data.asked === busy) show(data);
  else if (data.asked === `check ${at("seal").dataset.words}`) at("checked").textContent = data.checked ?? data.problem;
});

function ask(words) {
  if (isProgram(words) && busy && document.documentElement.dataset.ready) worker.cancel(); // it may not end
  busy = words;
  at("question").value = words === solved || words.startsWith("/") ? "" : words;
  at("status").textContent = worker.waits();
  at("cancel").hidden = false;
  at("answer").classList.toggle("stale", words.startsWith("/")); // the last answer stays while the user types
  if (at("answer").dataset.words !== words && !words.startsWith("/")) at("answer").replaceChildren();
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
  const answer = place ? await (await fetch(`answers/${place}.json`)).json() : first;
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
  const { asked, problem, json, csv, check } = answer;
  const words = (asked !== solved && answer.words) || asked; // a program cannot pose as a question
  if (words !== asked) history.replaceState(null, "", addressOf(words)); // as a command
  if (at("question").value === asked && isProgram(words)) at("question").value = "";
  at("answer").dataset.words = words;
  at("take").hidden = !json;
  at("seal").hidden = !check || words.startsWith("{");
  at("seal").dataset.words = check;
  at("checked").textContent = "";
  at("wrong").textContent = (isProgram(asked) && problem) || "";
  if (isProgram(words)) opened(words);
  if (isProgram(asked) && problem) return;
  at("answer").classList.remove("stale");
  const fresh = made("div", {}, ...painted(answer));
  const [place, result] = [at("answer").querySelector("#result"), fresh.querySelector("#result")];
  const typedIn = document.activeElement.form;
  if (place && result && at("answer").contains(typedIn) && "live" in typedIn.dataset) place.replaceWith(result);
  else at("answer").replaceChildren(...fresh.childNodes);
  if (innerWidth < 640) for (const one of at("answer").querySelectorAll("[data-desk]")) one.open = false;
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
    asked = location.hash.startsWith("#/") ? location.hash.slice(1) : decodeURI(location.hash.slice(1)) || known[0];
    game = /^[[{]/.test(asked) && gameIn(asked);
  } catch {
    return instead("This address holds no question.");
  }
  if (isProgram(asked)) opened(asked);
  if (game) [at("mine").value, at("more").value, at("own").open] = [...game, true];
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

const chosen = () => kinds.find((kind) => kind.command === at("kind").value);
const addressOf = (words) => `#${words.startsWith("/") ? words : encodeURI(words.toWellFormed())}`;
const go = (words) => (location.hash === addressOf(words) ? open() : (location.hash = addressOf(words)));
at("kind").onchange = () => fieldsOf(chosen());
at("fields").onsubmit = (event) => {
  event.preventDefault();
  go(`${chosen().path}?${new URLSearchParams(new FormData(at("fields")))}`);
};
at("box").onsubmit = (event) => (event.preventDefault(), go(at("question").value.trim()));
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
at("game").onsubmit = (event) => {
  event.preventDefault();
  solved = JSON.stringify({ words: `book mine.py ${at("more").value}`.trim(), rules: at("mine").value });
  go(solved);
};
// Forms of pages lead to addresses of pages, some while the user types.
const leads = (form, button) => `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form, button))}`;
at("answer").onsubmit = (event) => (event.preventDefault(), clearTimeout(typing), go(leads(event.target, event.submitter)));
at("answer").oninput = ({ target: { form } }) => {
  if (!form || !("live" in form.dataset)) return;
  clearTimeout(typing);
  typing = setTimeout(() => {
    history.replaceState(null, "", addressOf(leads(form)));
    ask(leads(form));
  }, 300);
};
at("check").onclick = () => {
  at("checked").textContent = "Writing the certificate, then checking it …";
  worker.ask(`check ${at("seal").dataset.words}`);
};
at("cancel").onclick = () => stop("Cancelled.");
onhashchange = open;
open();
const { kinds, own, program } = await (await fetch("questions.json")).json();
for (const kind of kinds) {
  at("examples").append(made("option", { value: kind.example }));
  at("kind").append(made("option", { value: kind.command, textContent: kind.command }));
}
fieldsOf(chosen());
at("program").value ||= program;
at("mine").value ||= own;
