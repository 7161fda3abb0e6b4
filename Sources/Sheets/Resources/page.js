"use strict";

// Removes accents and case, so that neither affects the filter.
const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

// Shows the items whose data-name contains all words of the box, 120 ms after the last key.
function filterBox(box, count, items, changed) {
  const names = new Map(items.map(item => [item, plain(item.dataset.name)]));
  const apply = () => {
    const words = plain(box.value).split(/\s+/).filter(word => word);
    let shown = 0;
    for (const item of items) {
      const matches = words.every(word => names.get(item).includes(word));
      item.hidden = !matches;
      shown += matches;
    }
    count.textContent = words.length ? shown + " of " + items.length : "";
    changed();
  };
  let timer;
  box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
  box.addEventListener("keydown", event => {
    if (event.key === "Escape" && box.value) { box.value = ""; apply(); event.stopPropagation(); }
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && event.target === document.body) { box.focus(); event.preventDefault(); }
  });
}
