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
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      read(bars.findIndex((bar) => x >= bar.x.baseVal.value
        && x < bar.x.baseVal.value + bar.width.baseVal.value + 1));
    });
    svg.addEventListener("pointerleave", () => read(-1));
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
