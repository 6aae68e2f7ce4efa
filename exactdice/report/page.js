function sortTables(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    if (table.tBodies[0].rows.length > 12) {
      const search = document.createElement("input");
      search.type = "search"; search.placeholder = "search"; search.ariaLabel = "search";
      search.addEventListener("input", () => {
        const words = search.value.toLowerCase().split(" ");
        for (const row of table.tBodies[0].rows) {
          const cells = row.textContent.toLowerCase();
          row.hidden = !words.every(word => cells.includes(word));
        }
      });
      table.before(search);
    }
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const label = heading.textContent;
      const button = document.createElement("button");
      button.type = "button"; button.textContent = label;
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = heading.ariaSort === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = row => row.cells[column].dataset.sort ?? row.cells[column].textContent;
        const number = text => text.split("/").reduce((p, q) => p / q);
        const order = (a, b) => {
          const [x, y] = [key(a), key(b)], [m, n] = [Number(number(x)), Number(number(y))];
          const by = x !== "" && y !== "" && !isNaN(m) && !isNaN(n) ? m - n : x.localeCompare(y);
          return down ? -by : by;
        };
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
      });
    });
  }
}
sortTables(document);
