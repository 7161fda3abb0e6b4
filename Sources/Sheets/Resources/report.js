const body = document.querySelector("#table tbody");
const rows = [...body.rows];
const cards = document.getElementById("cards");
const card = row => document.getElementById("picture-" + row.dataset.picture);

filterBox(document.getElementById("filter"), document.getElementById("count"), rows, () => {
  for (const row of rows) card(row).hidden = row.hidden;
});

// Sorts numbers by value and texts in natural order ("2" before "10"); unknown values are last in both directions.
const headings = [...document.querySelectorAll("#table th")];
const collator = new Intl.Collator(undefined, { numeric: true });
headings.forEach((heading, column) => heading.addEventListener("click", () => {
  const isNumber = heading.classList.contains("number");
  // The first click sorts numbers in descending and texts in ascending order.
  const descends = heading.ariaSort === "ascending" || (isNumber && heading.ariaSort === "none");
  for (const other of headings) other.ariaSort = "none";
  heading.ariaSort = descends ? "descending" : "ascending";
  const value = row => row.cells[column].dataset.value;
  rows.sort((first, second) => {
    const [a, b] = [value(first), value(second)];
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    const order = isNumber ? a - b : collator.compare(a, b);
    return descends ? -order : order;
  });
  body.append(...rows);
  cards.append(...rows.map(card));
}));

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

function makeSlider(pair) {
  const data = pair.dataset;
  const text = document.getElementById(pair.parentElement.id.replace("picture", "data")).textContent;
  const images = text.split(" ");
  const before = element("img", { alt: "before", decoding: "async", draggable: false });
  const after = element("img", { alt: "after", decoding: "async", draggable: false, className: "top" });
  const mark = element("div", { className: "mark" });
  const edge = element("div", { className: "edge" });
  const stack = element("div", { className: "stack" }, before, after, edge, mark);
  const frame = element("div", { className: "frame" }, stack);
  const range = element("input", { type: "range", min: 0, max: 100, step: 0.5, value: 50 });
  range.ariaLabel = "Before to the left, after to the right";
  const says = element("span", { className: "faint" });
  const [width, height] = data.size.split(" ").map(Number);
  const place = data.place && data.place.split(" ").map(Number);
  let shown = "whole", zoom = 1;

  const cut = () => stack.style.setProperty("--cut", range.value + "%");
  function show() {
    const [own] = data[shown + "Size"].split(" ").map(Number);
    [before.src, after.src] = shown === "whole" ? images : images.slice(2);
    stack.style.setProperty("--width", own * zoom + "px");
    stack.classList.toggle("fits", shown === "whole" && zoom === 1);
    stack.classList.toggle("zoomed", zoom > 1);
    mark.hidden = shown !== "whole" || !place;
    if (place) {
      const [x, y, w, h] = place;
      const percents = { left: x / width, top: y / height, width: w / width, height: h / height };
      for (const name in percents) mark.style.setProperty(name, percents[name] * 100 + "%");
    }
    const scale = own === width ? "" : ", reduced to " + data.wholeSize.replace(" ", "×");
    says.textContent = shown === "whole"
      ? width + "×" + height + scale
      : "greatest difference: " + place[2] + "×" + place[3] + " at " + place[0] + ", " + place[1];
    for (const button of tools.querySelectorAll("button")) {
      button.ariaPressed = String(button.value === shown || Number(button.value) === zoom);
    }
  }
  const button = (text, value, action) => {
    const made = element("button", { textContent: text, value });
    made.addEventListener("click", () => { action(); show(); });
    return made;
  };
  const tools = element("div", { className: "tools" });
  if (place) {
    tools.append(button("Whole", "whole", () => { shown = "whole"; }));
    tools.append(button("Detail", "detail", () => { shown = "detail"; }));
  }
  for (const times of [1, 2, 4, 8]) tools.append(button(times + "×", times, () => { zoom = times; }));
  tools.append(range, says);

  range.addEventListener("input", cut);
  const drag = event => {
    const box = stack.getBoundingClientRect();
    range.value = Math.min(100, Math.max(0, (event.clientX - box.left) / box.width * 100));
    cut();
  };
  stack.addEventListener("pointerdown", event => { stack.setPointerCapture(event.pointerId); drag(event); });
  stack.addEventListener("pointermove", event => { if (event.buttons) drag(event); });
  pair.append(tools, frame);
  cut();
  show();
}

const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    watcher.unobserve(entry.target);
    makeSlider(entry.target.querySelector(".pair"));
  }
}, { rootMargin: "600px" });
for (const pair of document.querySelectorAll(".pair")) watcher.observe(pair.closest("article"));
