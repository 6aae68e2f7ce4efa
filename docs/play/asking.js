// Shared by the page and the manual's examples: the engine, and the display of answers.
import { watchCharts } from "./chart.js";

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
  let frame, parts, isReady, isFirst, program, last;
  const send = (message, ...content) => frame.contentWindow?.postMessage(message, "*", content);

  async function start(own) {
    const known = fetched("parts.json").then((response) => response.json());
    const memory = known.then(({ version }) => kept(version)).catch(() => undefined);
    const page = fetched("frame.html").then((response) => response.text()).then((srcdoc) => new Promise((onload) => {
      Object.assign(own, { srcdoc, onload });
      if (own === frame) document.body.append(own);
    }));
    const [ours, , ...others] = await Promise.all([known, page, ...PARTS.map(bytes)]);
    if (own !== frame) return;
    const files = Object.fromEntries(PARTS.map((name, place) => [name, others[place]]));
    parts = ours;
    send({ files }, ...Object.values(files));
    const whole = await memory; // its hash is compared while the engine is compiled
    if (own !== frame) return;
    isFirst &&= !whole;
    send({ memory: whole ?? null }, ...(whole ? [whole] : []));
  }

  function begin() {
    frame?.remove();
    [isReady, isFirst, program, last] = [false, true];
    hear({ ready: false });
    frame = made("iframe", { sandbox: "allow-scripts", title: "Engine", tabIndex: -1, ariaHidden: true });
    frame.style.cssText = "position: fixed; top: 0; width: 1px; height: 1px; border: 0; opacity: 0; pointer-events: none";
    start(frame).catch(({ message }) => hear({ broken: message }));
  }

  function ask(words) {
    if (program) begin();
    if (words.startsWith("{")) program = words;
    isFirst &&= !/^[[{]/.test(words);
    last = words; // of several questions while the engine starts
    if (isReady) send({ words });
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
    if (ready && !isReady && last) send({ words: last });
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

const TEXT = ("b blockquote br caption code dd div dl dt em figcaption figure footer h2 h3 i kbd li ol p pre section small span strong table "
  + "tbody td th thead tr ul details summary svg defs line pattern polyline rect text").split(" ");
const FORMS = "a button fieldset form img input label legend option select".split(" ");
const NAMES = new RegExp("^(aria-[a-z]+|data-[a-z]+|action|alt|autocomplete|checked|class|colspan|for|height|id|inputmode|name|open|patternTransform"
  + "|patternUnits|placeholder|points|role|scope|selected|size|spellcheck|tabindex|title|type|value|viewBox|width|[xy][12]?)$");

// Keep only what pages of the server hold; of answers to programs only text, tables and charts.
function plain(html, isOurs) {
  const { body } = new DOMParser().parseFromString(html.replaceAll("https://engine.invalid", `${location.href.split("#")[0]}#`), "text/html");
  for (const title of body.querySelectorAll("h1")) title.replaceWith(made("h2", {}, ...title.childNodes));
  for (const element of body.querySelectorAll("*")) {
    const { href, src, fill } = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
    if (![...TEXT, ...(isOurs ? FORMS : [])].includes(element.localName) || element.hasAttribute("download")) element.remove();
    if (!isOurs && element.id !== "hatch") element.removeAttribute("id"); // which could pose as a part of the page
    for (const { name } of [...element.attributes]) if (!NAMES.test(name)) element.removeAttribute(name);
    if (element.id === "answer") element.id = "result"; // beside the form
    if (/^\/((play|games|ask)\/.*)?$/.test(href)) element.setAttribute("href", `#${href.split("#")[0]}`);
    if (/^die-[1-6]\.svg$/.test(src)) element.setAttribute("src", src);
    if (fill === "url(#hatch)") element.setAttribute("fill", fill);
  }
  watchCharts(body);
  return body.childNodes;
}

/** The server's page of an answer, or the output of the manual's cells. */
export function painted({ asked, problem, html, page }) {
  if (problem) return [made("p", { className: "problem", textContent: problem })];
  return plain(html ?? page, html === undefined && !asked.startsWith("{"));
}
