// Adds to each example of the manual a button that runs it in the browser, and a link to edit it.
import { engine, made, painted, progress } from "./asking.js";

let worker, asked; // the engine, started by the first click; the example that waits

function hear(data) {
  if (!asked || data.ready) return;
  const [answer, button] = [asked.querySelector("[role=status]"), asked.querySelector("button")];
  if (data.what) answer.textContent = progress(data);
  else if (data.broken) answer.textContent = `The engine did not start: ${data.broken}`;
  else if (data.asked === asked.asks) {
    answer.replaceChildren(...painted(data));
    button.textContent = "Run it again";
    asked = undefined;
  }
}

function cancel() {
  worker.cancel();
  asked.querySelector("button").textContent = "Run it here";
  asked.querySelector("[role=status]").textContent = "Cancelled.";
  asked = undefined;
}

function run(place, button, answer) {
  const isSame = asked === place;
  if (asked) cancel();
  if (isSame) return;
  worker ??= engine(hear);
  asked = place;
  button.textContent = "Cancel";
  answer.textContent = worker.waits();
  worker.ask(place.asks);
}

const cells = [...document.querySelectorAll(".cell_input pre")]; // a cell runs after all cells before it
for (const [number, cell] of cells.entries()) {
  const place = made("div");
  place.asks = JSON.stringify(cells.slice(0, number + 1).map((one) => one.textContent));
  cell.closest(".cell").append(place);
  offer(place);
}
for (const place of document.querySelectorAll("[data-run]")) {
  place.asks = place.dataset.run;
  const address = new URL(`./#${encodeURI(place.asks)}`, import.meta.url);
  offer(place, " ", made("a", { href: address, textContent: "Edit" }));
}

function offer(place, ...more) {
  const button = made("button", { type: "button", textContent: "Run it here" });
  const answer = made("div", { className: "report" });
  answer.setAttribute("role", "status");
  button.onclick = () => run(place, button, answer);
  place.append(button, ...more, answer);
}
