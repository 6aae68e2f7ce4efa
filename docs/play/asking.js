// What the page and the manual's examples share: the worker that answers, and what is shown of it.
import { watchCharts } from "./chart.js";

export const made = (tag, properties = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
};

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
    waits: () => (isReady ? "Computing." : "Loading the engine, once: 9 MB."),
  };
}

export const progress = ({ what, done, total }) => `${what} ${done}${total ? ` of ${total}` : ""}`;

/** The number first, in a sentence and exactly; all numbers behind it. */
export function painted({ problem, title, big, meaning, exact, html, chart, short }) {
  if (problem) return [made("p", { className: "problem", textContent: problem })];
  if (!title) return [made("div", { innerHTML: html })]; // of Python, in the manual itself
  const folded = (name, ...inside) => made("details", {}, made("summary", { textContent: name }), ...inside);
  const all = folded("All numbers");
  all.open = short || (!big && !chart);
  all.insertAdjacentHTML("beforeend", html); // made by exactdice, which escapes what was typed
  const drawn = made("div");
  drawn.insertAdjacentHTML("beforeend", chart); // as above
  watchCharts(drawn);
  if (!big) return [drawn, all];
  return [made("p", { className: "lead" }, made("strong", { className: "big", textContent: big }), " ",
    made("span", { textContent: meaning })),
  exact.length <= 24 ? made("p", {}, "exactly ", made("code", { textContent: exact }))
    : folded("exactly", made("code", { className: "exact", textContent: exact })), drawn, all];
}
