// What pages do with a server and without: charts, tables of states, keys, copies.

// A chart shows the value of the bar under the pointer, or selected by the arrow keys.

export function watchCharts(root) {
  for (const figure of root.querySelectorAll("[data-chart]")) {
    const reads = figure.querySelector("[data-reads]");
    const bars = [...figure.querySelectorAll("[data-is]")];
    const svg = figure.querySelector("svg");
    const usual = reads.textContent;
    let at = -1;
    const read = (place) => {
      bars[at]?.classList.remove("on");
      at = place;
      bars[at]?.classList.add("on");
      reads.textContent = bars[at]?.dataset.is ?? usual;
    };
    const point = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      const far = bars.map((bar) => Math.abs(x - bar.x.baseVal.value - bar.width.baseVal.value / 2));
      read(far.indexOf(Math.min(...far))); // the nearest: fingers are wider than bars
    };
    for (const kind of ["pointermove", "pointerdown"]) svg.addEventListener(kind, point);
    svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && read(-1));
    svg.addEventListener("focus", () => reads.setAttribute("role", "status"));
    svg.addEventListener("blur", () => { reads.removeAttribute("role"); read(-1); });
    svg.addEventListener("keydown", (event) => {
      const place = {
        ArrowRight: Math.min(at + 1, bars.length - 1), ArrowLeft: Math.max(at - 1, 0),
        Home: 0, End: bars.length - 1,
      }[event.key];
      if (place === undefined) return;
      event.preventDefault();
      read(place);
    });
  }
}

// A chart as a file: the sentence above it, the chart with its colours, its legend, the address.
const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "text-anchor"];
const SVG = "http://www.w3.org/2000/svg";

async function saveChart(figure, kind) {
  const svg = figure.querySelector("svg");
  const copy = svg.cloneNode(true);
  const theirs = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((one, place) => {
    const style = getComputedStyle(one);
    for (const name of STYLED) theirs[place].setAttribute(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.viewBox.baseVal;
  const lines = [document.querySelector(".lead")?.textContent.trim().replace(/\s+/g, " ") ?? document.title,
    ...[...document.querySelectorAll(".named")].map((one) => one.textContent.trim()), location.href];
  const ink = getComputedStyle(document.body);
  const write = (text, y, size, colour = ink.color) => {
    const line = document.createElementNS(SVG, "text");
    line.textContent = text.length > 90 ? `${text.slice(0, 89)}…` : text;
    for (const [name, value] of Object.entries({ x: 0, y, fill: colour, "font-size": size })) line.setAttribute(name, value);
    copy.append(line);
  };
  const paper = document.createElementNS(SVG, "rect");
  const top = 34;
  const low = 16 * lines.length;
  const box = { x: -10, y: -top, width: width + 20, height: height + top + low };
  for (const [name, value] of Object.entries({ ...box, fill: ink.backgroundColor })) paper.setAttribute(name, value);
  copy.prepend(paper);
  write(lines[0], -14, 16);
  document.querySelectorAll(".named").forEach((one, place) => {
    const key = one.querySelector(".key");
    write(one.textContent.trim(), height + 14 + 16 * place, 12, key && getComputedStyle(key).backgroundColor);
  });
  write(location.href, height + low - 2, 10);
  for (const [name, value] of Object.entries({ xmlns: SVG, viewBox: Object.values(box).join(" "),
    width: 2 * box.width, height: 2 * box.height, "font-family": "sans-serif" })) copy.setAttribute(name, value);
  const file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  give(kind === "svg" ? file : await drawn(file, 2 * box.width, 2 * box.height), kind);
}

async function drawn(file, width, height) {
  const image = Object.assign(new Image(), { src: URL.createObjectURL(file) });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done) => { canvas.toBlob(done); });
}

function give(file, kind) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(file), download: `exactdice.${kind}` });
  link.click();
}

document.addEventListener("click", ({ target }) => {
  const [copied, saved] = [target.closest("[data-copy]"), target.closest("[data-picture]")];
  if (copied) copy(copied);
  else if (saved) saveChart(saved.closest("figure"), saved.dataset.picture);
});

// A key activates its button or link anywhere on the page, except in fields.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, select, textarea, [data-chart]")) return;
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const meant = document.querySelector(`main [data-key="${CSS.escape(event.key)}"]`);
  if (!meant) return;
  event.preventDefault();
  meant.click();
});

// Arrow keys move between the cells of a table of states.
document.addEventListener("keydown", (event) => {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  const cell = event.target.closest("table.map td");
  if (!step || !cell) return;
  const rows = cell.closest("tbody").rows;
  let [row, column, next] = [cell.parentElement.sectionRowIndex, cell.cellIndex, null];
  do {
    [row, column] = [row + step[0], column + step[1]];
    next = rows[row]?.cells[column];
  } while (next && !next.querySelector("a"));
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.firstChild.tabIndex = 0;
  next.firstChild.focus();
});

async function copy(button) {
  const more = button.dataset.address === undefined ? "" : `\n${location.href}`;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy + more);
    button.textContent = "Copied";
  } catch { // not allowed on pages from another machine without TLS
    const field = document.createElement("input");
    field.value = button.dataset.copy + more;
    field.ariaLabel = "To be copied";
    button.after(field);
    field.select();
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}
