// Everything here is optional: without it forms are sent, links followed, and waiting pages reload.
// Pages are requested only by `ask`; the new page replaces the current one.
import { watchCharts } from "./chart.js";

const main = document.getElementById("main");

/** The page at an address. */
export async function ask(address) {
  const got = await fetch(address, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await got.text(), "text/html");
  const at = new URL(got.url || address, location.href);
  return { page, address: at.pathname + at.search };
}

// Showing pages. ------------------------------------------------------------------------------

let leave = () => {}; // stops watching a long answer, which is then cancelled if nobody else waits
let turn = 0; // of several requested pages the last one counts

function say(root) {
  const lead = root.querySelector("[data-say]");
  if (lead) document.getElementById("said").textContent = lead.dataset.say;
}

function enliven(root) {
  root.querySelectorAll("form[data-live]").forEach(live);
  if (root !== document) window.sortTables(root); // the report's own script has handled the first page
  watchCharts(root);
  leave = watch(root);
}

// Selector by which the focused element is found again on the next page.
function nameOf(element) {
  if (!element || !main.contains(element)) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.dataset.key) return `[data-key="${element.dataset.key}"]`;
  return element.name ? `[name="${element.name}"][value="${CSS.escape(element.value)}"]` : null;
}

function put(page, address, { push = true, only = "" } = {}) {
  const fresh = page.getElementById(only || "main");
  if (!fresh) {
    location.assign(address);
    return;
  }
  leave();
  document.title = page.title;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  const place = document.getElementById(only || "main");
  const held = nameOf(document.activeElement);
  const open = [...place.querySelectorAll("details[id]")].map((one) => [one.id, one.open]);
  place.replaceChildren(...fresh.childNodes);
  place.classList.remove("stale");
  for (const [id, isOpen] of open) {
    const same = document.getElementById(id);
    if (same) same.open = isOpen;
  }
  if (held && !main.contains(document.activeElement)) {
    (main.querySelector(held) ?? main).focus({ preventScroll: true });
  }
  enliven(place);
  say(place);
}

async function go(address, options) {
  const mine = ++turn;
  const { page, address: reached } = await ask(address);
  if (mine === turn) put(page, reached, options);
}

// A long answer: show its progress, and load the answer at the end. Returns a function that stops.
function watch(root) {
  const box = root.querySelector("[data-job]");
  if (!box) return () => {};
  const news = new EventSource(`${box.dataset.job}/events`);
  news.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (["done", "failed", "cancelled"].includes(told.state)) {
      news.close();
      go(told.state === "done" ? told.answer : told.job, { push: false });
      return;
    }
    const progress = box.querySelector("progress");
    if (told.total) {
      progress.max = told.total;
      progress.value = told.done;
    } else {
      progress.removeAttribute("value");
    }
    const counted = told.total ? `${told.done} of ${told.total}` : told.done;
    box.querySelector("[data-news]").textContent =
      told.before !== null ? `${told.before} questions ahead of this one`
      : told.counted === "thousandths" ? `${Math.floor(told.done / 10)} %`
      : told.counted && (told.done || told.total) ? `${told.counted}: ${counted}`
      : told.counted || "working";
  };
  news.onerror = () => { news.close(); setTimeout(() => location.reload(), 2000); };
  return () => news.close();
}

// Forms. --------------------------------------------------------------------------------------

function addressOf(form, button) {
  const query = new URLSearchParams(new FormData(form, button));
  return `${form.getAttribute("action")}?${query}`;
}

function mark(form, page) {
  for (const field of form.querySelectorAll("[name]")) {
    const theirs = field.id && page.getElementById(field.id);
    if (theirs && theirs.hasAttribute("aria-invalid")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

// A form that answers while the user types, from the page that the form leads to. Errors are shown
// only after a second without typing; until then the last answer stays.
function live(form) {
  let timer, late, took = 0;
  const fill = async (isDone, push) => {
    const mine = ++turn;
    const begun = performance.now();
    const { page, address } = await ask(addressOf(form));
    took = performance.now() - begun;
    if (mine !== turn) return;
    const show = () => {
      mark(form, page);
      put(page, address, { push, only: "answer" });
    };
    if (isDone || !page.querySelector("#answer .problem")) show();
    else late = setTimeout(() => mine === turn && show(), 750);
  };
  const soon = (event) => { // numbers immediately if answers are fast; text after a pause
    const isNumber = !event?.target || event.target.inputMode === "numeric";
    clearTimeout(timer);
    clearTimeout(late);
    turn++;
    document.getElementById("answer")?.classList.add("stale");
    timer = setTimeout(fill, isNumber && took < 100 ? 20 : 250, false, false);
  };
  form.addEventListener("input", soon);
  form.addEventListener("change", (event) => event.target.tagName === "SELECT" && soon());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    clearTimeout(late);
    if (event.submitter?.name) go(addressOf(form, event.submitter));
    else fill(true, true);
  });
  for (const field of form.querySelectorAll("input[data-most]")) slide(field, soon);
}

// A slider beside a number box, for touch screens.
function slide(field, soon) {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: 1, max: field.dataset.most, value: field.value });
  slider.ariaLabel = `${field.labels[0]?.textContent}, by a slider`;
  slider.tabIndex = -1; // keyboard users have the box, whose arrow keys do the same
  slider.addEventListener("input", () => { field.value = slider.value; soon(); });
  field.addEventListener("input", () => { slider.value = field.value; });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || !/^\d+$/.test(field.value)) return;
    event.preventDefault();
    field.value = slider.value = Math.max(1, Number(field.value) + step);
    soon();
  });
  field.after(slider);
}

// Links. --------------------------------------------------------------------------------------

const plays = (address) => address.pathname.startsWith("/play/") || address.pathname.startsWith("/games/");

document.addEventListener("click", (event) => {
  const link = event.target.closest("#main a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const address = new URL(link.href);
  const isHere = address.origin === location.origin && address.pathname === location.pathname;
  if (!isHere || !plays(address) || link.hasAttribute("download")) return;
  event.preventDefault();
  go(address.pathname + address.search);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.live !== undefined || form.method !== "get") return;
  const address = new URL(form.action);
  if (address.pathname !== location.pathname || !plays(address)) return;
  event.preventDefault();
  go(addressOf(form, event.submitter));
});

function select(field) { // typing replaces the number
  if (field.matches("input[inputmode=numeric]")) field.select();
}
document.addEventListener("focusin", (event) => select(event.target));
select(document.activeElement); // the page may be older than its script

window.addEventListener("popstate", () => {
  if (plays(location)) go(location.pathname + location.search, { push: false });
  else location.reload();
});

if (innerWidth < 640) for (const one of document.querySelectorAll("[data-desk]")) one.open = false;
enliven(document);
