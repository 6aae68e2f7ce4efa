// Everything here is a convenience: without it forms are sent, and waiting pages load themselves.
"use strict";

const answer = () => document.getElementById("answer");

// A long answer: show how far it is, and go on when it has ended. What is returned is called by
// those who go on to something else: the answer is ended where nobody waits for it any more.
function watch(root) {
  const box = root.querySelector("[data-job]");
  if (!box) return () => {};
  const news = new EventSource(box.dataset.job + "/events");
  news.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (["done", "failed", "cancelled"].includes(told.state)) {
      news.close();
      location.assign(told.state === "done" ? told.answer : told.job);
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
      told.before !== null ? `${told.before} waiting before this one`
      : told.counted && (told.done || told.total) ? `${told.counted}: ${counted}`
      : told.counted || "working";
  };
  news.onerror = () => { news.close(); setTimeout(() => location.reload(), 2000); };
  return () => news.close();
}

// A form that answers while one types: the part of the page that answers is taken from the page
// that the form leads to.
function live(form) {
  let timer, asked = 0;
  const ask = async () => {
    const turn = ++asked;
    leave();
    leave = () => {};
    const query = new URLSearchParams(new FormData(form));
    const address = `${form.getAttribute("action")}?${query}`;
    const got = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await got.text(), "text/html");
    const found = page.getElementById("answer");
    if (turn !== asked || !found) return;
    document.title = page.title;
    history.replaceState(null, "", address);
    answer().replaceChildren(...found.childNodes);
    for (const field of form.querySelectorAll("[name]")) {
      const theirs = page.getElementById(field.id);
      const wrong = theirs && theirs.getAttribute("aria-invalid");
      if (wrong) field.setAttribute("aria-invalid", wrong);
      else field.removeAttribute("aria-invalid");
    }
    sortTables(answer());
    leave = watch(answer());
  };
  form.addEventListener("input", (event) => {
    const shown = form.querySelector(`output[for="${event.target.id}"]`);
    if (shown) shown.textContent = event.target.value;
    clearTimeout(timer);
    timer = setTimeout(ask, 250);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    ask();
  });
}

let leave = watch(document);
document.querySelectorAll("form[data-live]").forEach(live);
