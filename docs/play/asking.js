// Shared by the page and the manual's examples: the engine, and the display of answers.
import { saveChart, watchCharts } from "./chart.js";

export const made = (tag, properties = {}, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
};

export const LOADING = "Loading the engine (9 MB, only once).";

const PARTS = ["worker.js", "exactdice.zip", ...["pyodide.mjs", "pyodide.asm.mjs.packed", "pyodide.asm.wasm.packed",
  "python_stdlib.zip", "pyodide-lock.json"].map((name) => `engine/${name}`)];

async function fetched(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} is missing on this site`);
  return response;
}

const bytes = async (name) => (await fetched(name)).arrayBuffer();

// The memory after the first answer is cached, so that the next visit starts from it. Its hash is in
// localStorage, which workers cannot change.
const memoryOf = (version) => new URL(`memory-${version}`, import.meta.url);

async function marked(version, memory) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", memory));
  return `${version} ${hash.join(".")}`;
}

async function kept(version) {
  const memory = await (await caches.match(memoryOf(version)))?.arrayBuffer();
  if (memory && localStorage.getItem("exactdice-memory") === await marked(version, memory)) return memory;
}

async function keep(version, memory) {
  await (await caches.open(`exactdice-${version}`)).put(memoryOf(version), new Response(memory));
  localStorage.setItem("exactdice-memory", await marked(version, memory));
}

/**
 * An engine: `hear` is called with its state, its progress, and each answer.
 *
 * It computes in a sandboxed frame with its own origin, so that a program, even from a link, can
 * access neither the network nor stored data, and ends with its answer.
 */
export function engine(hear) {
  let frame, started, parts, isReady, isFirst, program;
  const send = (message, ...content) => frame.contentWindow?.postMessage(message, "*", content);

  async function start(own) {
    const known = fetched("parts.json").then((response) => response.json());
    const memory = known.then(({ version }) => kept(version)).catch(() => undefined);
    const page = fetched("frame.html").then((response) => response.text()).then((srcdoc) => new Promise((onload) => {
      Object.assign(own, { srcdoc, onload });
      if (own === frame) document.body.append(own);
    }));
    const [ours, whole, , ...others] = await Promise.all([known, memory, page, ...PARTS.map(bytes)]);
    if (own !== frame) return;
    const files = Object.fromEntries(PARTS.map((name, place) => [name, others[place]]));
    if (whole) files.memory = whole;
    parts = ours;
    isFirst &&= !whole;
    send({ files }, ...Object.values(files));
  }

  function begin() {
    frame?.remove();
    [isReady, isFirst, program] = [false, true, undefined];
    hear({ ready: false });
    frame = made("iframe", { sandbox: "allow-scripts", title: "Engine", tabIndex: -1, ariaHidden: true });
    frame.style.cssText = "position: fixed; top: 0; width: 1px; height: 1px; border: 0; opacity: 0; pointer-events: none";
    started = start(frame).catch(({ message }) => hear({ broken: message }));
  }

  function ask(words) {
    if (program) begin();
    if (words.startsWith("{")) program = words;
    isFirst &&= !/^[[{]/.test(words);
    const own = frame;
    started.then(() => { if (own === frame) send({ words }); });
  }

  async function load(library, words) {
    hear({ what: `loading ${library}`, done: "" });
    const [own, name] = [frame, parts.later[library]];
    delete parts.later[library];
    isFirst = false;
    const wheel = await bytes(name);
    if (own !== frame) return;
    send({ wheel }, wheel);
    send({ words });
  }

  addEventListener("message", ({ source, data }) => { // possibly from a program: any data
    if (!source || source !== frame.contentWindow) return; // a removed frame has no window
    const { ready, asked, missing, memory } = Object(data);
    if (memory) return program || keep(parts.version, memory).catch(() => {});
    if (Object.hasOwn(parts.later, missing)) return load(missing, asked).catch(({ message }) => hear({ broken: message }));
    isReady ||= Boolean(ready);
    hear(Object(data));
    if (!asked) return;
    if (isFirst) send({ isKept: true });
    isFirst = false;
    if (asked === program) begin();
  });
  begin();
  return { ask, cancel: begin, waits: () => (isReady ? "Computing." : LOADING) };
}

export const progress = ({ what, done, total }) => `${what} ${done}${total ? ` of ${total}` : ""}`;

const folded = (name, ...inside) => made("details", {}, made("summary", { textContent: name }), ...inside);

function drawn(tag, attributes, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

const series = (kind) => `series k${kind % 6}${kind % 12 > 5 ? " thin" : ""}`;

const named = ([kind, name]) => made("li", {}, drawn("svg", { viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": true },
  drawn("line", { class: series(kind), x2: 28, y1: 4, y2: 4 })), ` ${name}`);

/** A chart of bars or lines, as on the server's pages. */
function chartOf({ width, height, bars, lines, marks, words, label, caption, across, up }) {
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, tabindex: 0 },
    ...marks.flatMap(([y, below, mark]) => [drawn("line", { class: "mark", x1: 0, x2: width, y1: y, y2: y }),
      drawn("text", { class: "left", x: 0, y: below }, mark)]),
    ...bars.map((bar) => drawn("rect", { class: `bar k${bar.kind}`, "data-is": bar.says,
      x: bar.x, y: bar.y, width: bar.width, height: bar.height })),
    ...lines.map(([kind, , points]) => drawn("polyline", { class: series(kind), points })),
    ...words.map(([x, word]) => drawn("text", { x, y: height - 24 }, word)),
    drawn("text", { x: width / 2, y: height - 6 }, across), drawn("text", { class: "right", x: width, y: 14 }, up));
  const figure = made("figure", { className: "chart", "data-chart": "" }, svg,
    made("figcaption", {}, made("span", { "data-reads": "", textContent: caption }), ...["png", "svg"].map((kind) =>
      made("button", { type: "button", className: "small", textContent: kind.toUpperCase(), onclick: () => saveChart(figure, kind) }))),
    made("ul", { className: "legend" }, ...lines.slice(0, 24).map(named),
      lines.length > 24 ? made("li", { textContent: `and ${lines.length - 24} more` }) : ""));
  watchCharts(made("div", {}, figure));
  return figure;
}

function tableOf({ title, html, left, legend }) {
  return [made("h3", { textContent: title }),
    Object.assign(plain(html), { className: "wide", tabIndex: 0, role: "region", ariaLabel: title }),
    made("p", { textContent: left ? `… and ${left} more rows, see the files below.` : "" }),
    made("ul", {}, ...legend.map((textContent) => made("li", { textContent })))];
}

const TEXT = "b br caption code dd div dl dt em h1 h2 h3 li ol p pre small span strong table tbody td th thead tr ul".split(" ");

const KEPT = ["class", "data-l", "scope"]; // the last two label cells

// Keep only text and tables of HTML from Python: no scripts, pictures, links or styles.
function plain(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    if (!TEXT.includes(element.localName)) element.remove();
    for (const { name } of [...element.attributes]) if (!KEPT.includes(name)) element.removeAttribute(name);
  }
  return made("div", {}, ...body.childNodes);
}

/** The main number in a sentence and exactly; then the chart, and all numbers. */
export function painted({ problem, html, big, meaning, exact, chart, tables, facts, failure }) {
  const wrong = problem || failure;
  const shown = wrong ? [made("p", { className: "problem", textContent: wrong })] : [];
  if (problem) return shown;
  if (html !== undefined) return [plain(html)]; // from the manual's cells
  if (big) {
    const how = exact.includes(" ± ") ? "bounds" : "exactly";
    shown.push(made("p", { className: "lead" }, made("strong", { className: "big", textContent: big }), " ",
      made("span", { textContent: meaning })),
    exact.length <= 24 ? made("p", {}, `${how} `, made("code", { textContent: exact }))
      : folded(how, made("code", { className: "exact", textContent: exact })));
  }
  if (chart) shown.push(chartOf(chart));
  const where = facts.map(([name, fact]) => made("div", {}, made("dt", { textContent: name }), made("dd", { textContent: fact })));
  const isShort = ({ name, size }) => name !== "quantities" && size > 0 && size <= 12;
  shown.push(...tables.filter(isShort).flatMap(tableOf));
  const all = folded("All numbers", ...tables.filter((one) => !isShort(one)).flatMap(tableOf), made("dl", { className: "same" }, ...where));
  all.open = !big && !chart;
  return [...shown, all];
}
