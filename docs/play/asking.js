// What the page and the manual's examples share: the worker that answers, and what is shown of it.
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

export const LOADING = "Loading the engine, once: 9 MB.";

/** An engine: `hear` is told that it is ready, how far it is, and each answer. */
export function engine(hear) {
  let worker, isReady;
  const begin = () => {
    isReady = false;
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => { isReady ||= Boolean(data.ready); hear(data); };
    worker.onerror = () => hear({ broken: "play/ is not beside this page, or not whole" });
  };
  begin();
  return {
    ask: (words) => worker.postMessage(words),
    cancel: () => { worker.terminate(); begin(); },
    waits: () => (isReady ? "Computing." : LOADING),
  };
}

export const progress = ({ what, done, total }) => `${what} ${done}${total ? ` of ${total}` : ""}`;

const folded = (name, ...inside) => made("details", {}, made("summary", { textContent: name }), ...inside);

function drawn(tag, attributes, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

/** Bars where the server's pages have them. */
function chartOf({ width, height, bars, marks, words, label, caption }) {
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, tabindex: 0 },
    ...marks.flatMap(([y, below, mark]) => [drawn("line", { class: "mark", x1: 0, x2: width, y1: y, y2: y }),
      drawn("text", { class: "left", x: 0, y: below }, mark)]),
    ...bars.map(({ kind, says, ...place }) => drawn("rect", { class: `bar k${kind}`, "data-is": says, ...place })),
    ...words.map(([x, word]) => drawn("text", { x, y: height - 4 }, word)));
  const figure = made("figure", { className: "chart", "data-chart": "" }, svg,
    made("figcaption", { "data-reads": "", textContent: caption }));
  watchCharts(made("div", {}, figure));
  return figure;
}

function tableOf({ name, title, headings, sides, rows, left, legend }) {
  const cell = (tag, place, more) => made(tag, { className: sides[place], ...more });
  const head = headings.map((textContent, place) => cell("th", place, { scope: "col", textContent }));
  const body = rows.map((row) => made("tr", {}, ...row.map(([textContent, key], place) =>
    cell("td", place, { textContent, "data-l": headings[place], ...(!name && place && { className: `r ${key}` }) }))));
  const className = name ? (headings.length > 2 ? "cards" : "") : "map";
  const table = made("table", { className }, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...body));
  return [made("h3", { textContent: title }),
    made("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: title }, table),
    made("p", { textContent: left ? `… and ${left} more rows: all are in the files below.` : "" }),
    made("ul", {}, ...legend.map((textContent) => made("li", { textContent })))];
}

/** The number first, in a sentence and exactly; then the picture, and all numbers behind it. */
export function painted({ problem, html, big, meaning, exact, chart, tables, facts, failure }) {
  const wrong = problem || failure;
  const shown = wrong ? [made("p", { className: "problem", textContent: wrong })] : [];
  if (problem) return shown;
  if (html !== undefined) return [made("div", { innerHTML: html })]; // of Python, in the manual itself
  if (big) {
    const how = exact.includes(" ± ") ? "as far as known" : "exactly";
    shown.push(made("p", { className: "lead" }, made("strong", { className: "big", textContent: big }), " ",
      made("span", { textContent: meaning })),
    exact.length <= 24 ? made("p", {}, `${how} `, made("code", { textContent: exact }))
      : folded(how, made("code", { className: "exact", textContent: exact })));
  }
  if (chart) shown.push(chartOf(chart));
  const where = facts.map(([name, fact]) => made("div", {}, made("dt", { textContent: name }), made("dd", { textContent: fact })));
  const isShort = ({ name, rows }) => name !== "quantities" && rows.length > 0 && rows.length <= 12;
  shown.push(...tables.filter(isShort).flatMap(tableOf));
  const all = folded("All numbers", ...tables.filter((one) => !isShort(one)).flatMap(tableOf), made("dl", { className: "same" }, ...where));
  all.open = !big && !chart;
  return [...shown, all];
}
