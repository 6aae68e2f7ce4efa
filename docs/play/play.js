// The page: a question in words, or put together from fields, answered by the worker beside it.
import { engine, made, painted, progress } from "./asking.js";

const at = (id) => document.getElementById(id);
let busy;
const { kinds, known } = await (await fetch("questions.json")).json();

const worker = engine((data) => {
  if (data.ready) {
    document.documentElement.dataset.ready = "yes";
    if (!busy) at("status").textContent = "";
  } else if (data.broken) at("status").textContent = `The engine did not start: ${data.broken}`;
  else if (data.what) at("status").textContent = progress(data);
  else if (data.asked === busy) show(data);
});

function ask(words) {
  busy = words;
  at("question").value = words;
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
  if (busy === words) paint({ asked: words, ...answer });
}

function show(answer) {
  busy = undefined;
  at("cancel").hidden = true;
  at("status").textContent = "";
  paint(answer);
  navigator.serviceWorker?.register("offline.js"); // which fetches all, so not before
}

function paint(answer) {
  const { asked, problem, title, json, csv, words = asked } = answer;
  if (words !== asked) history.replaceState(null, "", `#${encodeURI(words)}`); // as a command has it
  if (at("question").value === asked) at("question").value = words; // nothing else is typed there yet
  at("answer").dataset.words = words;
  at("take").hidden = Boolean(problem);
  at("answer").replaceChildren(...(problem ? [] : [made("h2", { textContent: title })]), ...painted(answer));
  for (const [id, text, kind] of [["csv", csv, "text/csv"], ["json", json, "application/json"]]) {
    at(id).hidden = !text;
    at(id).href = `data:${kind};charset=utf-8,${encodeURIComponent(text)}`;
    at(id).download = `${words.replaceAll(/[^\w]+/g, "-")}.${id}`;
  }
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
at("fields").onsubmit = (event) => {
  event.preventDefault();
  go(`${chosen().path}?${new URLSearchParams(new FormData(at("fields")))}`);
};
at("box").onsubmit = (event) => (event.preventDefault(), go(at("question").value.trim()));
at("share").onclick = () => navigator.clipboard.writeText(
  `${at("answer").querySelector(".lead")?.textContent ?? ""}\n${location.href}`.trim());
at("cancel").onclick = () => {
  worker.cancel();
  delete document.documentElement.dataset.ready;
  busy = undefined;
  at("cancel").hidden = true;
  at("status").textContent = "Cancelled.";
};
onhashchange = () => ask(decodeURI(location.hash.slice(1)));
ask(decodeURI(location.hash.slice(1)) || known[0]);
