// The page: a question in words, or put together from fields, answered by the worker beside it.
import { engine, made, painted, progress } from "./asking.js";

const at = (id) => document.getElementById(id);
const JSON_OF = /^\{"words"/;
let busy;
let solved; // the game that somebody pressed "Solve" for: an address alone runs no program
const { kinds, known, own } = await (await fetch("questions.json")).json();

const worker = engine((data) => {
  if (data.ready) {
    document.documentElement.dataset.ready = "yes";
    if (!busy) at("status").textContent = "";
  } else if (data.broken) at("status").textContent = `The engine did not start: ${data.broken}`;
  else if (data.what) at("status").textContent = progress(data);
  else if (data.words === busy) show(data);
});

function ask(words) {
  busy = words;
  at("question").value = JSON_OF.test(words) ? "" : words;
  at("status").textContent = worker.waits();
  at("cancel").hidden = false;
  if (at("answer").dataset.words !== words) at("answer").replaceChildren();
  early(words);
  worker.ask(words);
}

// The answers to some questions are there before the engine is.
async function early(words) {
  const place = known.indexOf(words);
  if (place < 0 || document.documentElement.dataset.ready) return;
  const answer = await (await fetch(`answers/${place}.json`)).json();
  if (busy === words) paint({ words, ...answer });
}

function show(answer) {
  busy = undefined;
  at("cancel").hidden = true;
  at("status").textContent = "";
  paint(answer);
  navigator.serviceWorker?.register("offline.js"); // which fetches all, so not before
}

function paint({ words, ...answer }) {
  const { problem, title, json, csv } = answer;
  at("answer").dataset.words = words;
  at("take").hidden = Boolean(problem);
  at("answer").replaceChildren(...(problem ? [] : [made("h2", { textContent: title })]), ...painted(answer));
  for (const [id, text, kind] of [["csv", csv, "text/csv"], ["json", json, "application/json"]]) {
    at(id).hidden = !text;
    at(id).href = `data:${kind};charset=utf-8,${encodeURIComponent(text)}`;
    at(id).download = `${wordsIn(words).replaceAll(/[^\w]+/g, "-")}.${id}`;
  }
}

/** What is asked of a game whose rules stand in the address. */
const wordsIn = (asked) => (JSON_OF.test(asked) ? JSON.parse(asked).words : asked);

function open(asked) {
  if (!JSON_OF.test(asked)) return ask(asked);
  const { words, rules } = JSON.parse(asked);
  at("rules").value = rules;
  at("more").value = words.slice("book mine.py ".length);
  at("own").open = true;
  if (asked === solved) ask(asked);
  else at("status").textContent = "These rules are a program: read them, then press Solve.";
}

const quoted = (word) => (/^[\w.,:/+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

function wordsOf(kind) {
  const words = [kind.command];
  for (const field of kind.fields) {
    const input = at("fields").elements[field.name];
    if (field.flag ? !input.checked : !input.value) continue;
    if (!field.argument) words.push(`--${field.name}`);
    if (!field.flag) words.push(...(field.many ? input.value.split(" ") : [input.value]).map(quoted));
  }
  return words.join(" ");
}

function fieldsOf(kind) {
  const rows = kind.fields.map((field) => {
    const input = field.words.length
      ? made("select", { name: field.name }, made("option", { value: "", textContent: field.default || "none" }),
          ...field.words.map((word) => made("option", { textContent: word })))
      : made("input", { name: field.name, ...(field.flag && { type: "checkbox" }), required: field.required,
          placeholder: field.default, autocomplete: "off" });
    return made("label", {}, `${field.name} `, input, made("small", { textContent: field.help }));
  });
  at("fields").replaceChildren(made("p", { textContent: kind.help }), ...rows, made("p", {}, made("button", { textContent: "Answer" })));
}

for (const kind of kinds) {
  at("examples").append(made("option", { value: kind.example }));
  at("kind").append(made("option", { value: kind.command, textContent: kind.command }));
}
const chosen = () => kinds.find((kind) => kind.command === at("kind").value);
const go = (words) => (location.hash === `#${encodeURI(words)}` ? ask(words) : (location.hash = encodeURI(words)));
fieldsOf(chosen());
at("kind").onchange = () => fieldsOf(chosen());
at("fields").onsubmit = (event) => (event.preventDefault(), go(wordsOf(chosen())));
at("box").onsubmit = (event) => (event.preventDefault(), go(at("question").value.trim()));
at("rules").value = own;
at("game").onsubmit = (event) => {
  event.preventDefault();
  go(solved = JSON.stringify({ words: `book mine.py ${at("more").value}`.trim(), rules: at("rules").value }));
};
at("share").onclick = () => navigator.clipboard.writeText(location.href);
at("cancel").onclick = () => {
  worker.cancel();
  delete document.documentElement.dataset.ready;
  busy = undefined;
  at("cancel").hidden = true;
  at("status").textContent = "Cancelled.";
};
const asked = () => decodeURI(location.hash.slice(1));
onhashchange = () => open(asked());
open(asked() || known[0]);
