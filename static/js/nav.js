// In a navigation that overflows, scrolls the current link into view and fades the edges with hidden links (data-more="start end",
// css/controls.css).

const EDGE = 2; // px, for rounding

/** @param {Element} row */
function fade(row) {
  if (!(row instanceof HTMLElement)) return;
  const hidden = row.scrollWidth - row.clientWidth - row.scrollLeft;
  const more = [row.scrollLeft > EDGE && "start", hidden > EDGE && "end"].filter(Boolean).join(" ");
  if (row.dataset.more !== more) row.dataset.more = more;
}

const fadeAll = () => document.querySelectorAll("nav:is(.nav, .tabs), .places-nav ul.here").forEach(fade);

for (const here of document.querySelectorAll("nav:is(.nav, .tabs) [aria-current], .places-nav .here [aria-current]")) {
  const row = here.closest("nav, ul");
  if (row && here instanceof HTMLElement) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
}
fadeAll();
document.addEventListener("scroll", (event) => event.target instanceof Element && event.target.matches("nav, .places-nav ul") && fade(event.target), { capture: true, passive: true });
document.addEventListener("redrawn", fadeAll);
window.addEventListener("resize", fadeAll);
