const grid = document.getElementById("grid");
const items = [...grid.children];
const view = document.getElementById("view");
const image = view.querySelector("img");
const caption = document.getElementById("caption");
const original = document.getElementById("original");
let current = null;

const shown = () => items.filter(item => !item.hidden);
const link = item => item.querySelector("a");

filterBox(document.getElementById("filter"), document.getElementById("count"), items, () => {
  document.getElementById("nothing").hidden = shown().length > 0;
});

function open(item) {
  current = item;
  const thumbnail = item.querySelector("img");
  image.onerror = () => {
    // The original is missing, or the browser cannot display it: show the thumbnail instead.
    image.onerror = null;
    if (thumbnail) image.src = thumbnail.src;
    caption.textContent = item.dataset.name + " (the original cannot be shown)";
  };
  image.alt = item.dataset.name;
  image.src = link(item).getAttribute("href");
  caption.textContent = item.dataset.name + (item.dataset.facts ? " · " + item.dataset.facts : "");
  original.href = link(item).getAttribute("href");
  if (!view.open) view.showModal();
}

function step(by) {
  const all = shown();
  const index = all.indexOf(current) + by;
  if (all[index]) open(all[index]);
}

view.addEventListener("close", () => {
  image.onerror = null;
  image.removeAttribute("src");
  if (current) link(current).focus();
});
document.getElementById("previous").addEventListener("click", () => step(-1));
document.getElementById("next").addEventListener("click", () => step(1));
document.getElementById("close").addEventListener("click", () => view.close());
view.addEventListener("click", event => { if (event.target.classList.contains("stage")) view.close(); });
view.addEventListener("keydown", event => {
  const all = shown();
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => step(-1), ArrowDown: () => step(1),
    Home: () => open(all[0]), End: () => open(all[all.length - 1]), Escape: () => view.close(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

grid.addEventListener("click", event => {
  const item = event.target.closest("li");
  // Modifier keys keep their usual action, such as a new tab or a download.
  if (!item || !event.target.closest("a") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(item);
});
grid.addEventListener("keydown", event => {
  const all = shown();
  const index = all.findIndex(item => item.contains(document.activeElement));
  if (index < 0) return;
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  const to = {
    ArrowLeft: index - 1, ArrowRight: index + 1, ArrowUp: index - columns, ArrowDown: index + columns,
    Home: 0, End: all.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  if (all[to]) link(all[to]).focus();
});
