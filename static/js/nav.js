// Where the links of a navigation need more room than there is, the one of this page is brought into view, and an edge
// behind which there are more fades (data-more="start end", css/controls.css).

const EDGE = 2; // px that rounding may leave

/** @param {Element} row */
function fade(row) {
  if (!(row instanceof HTMLElement)) return;
  const hidden = row.scrollWidth - row.clientWidth - row.scrollLeft;
  const more = [row.scrollLeft > EDGE && "start", hidden > EDGE && "end"].filter(Boolean).join(" ");
  if (row.dataset.more !== more) row.dataset.more = more;
}

const fadeAll = () => document.querySelectorAll("nav:is(.nav, .tabs)").forEach(fade);

for (const here of document.querySelectorAll("nav [aria-current]")) here.scrollIntoView({ block: "nearest", inline: "center" });
fadeAll();
document.addEventListener("scroll", (event) => event.target instanceof Element && event.target.matches("nav") && fade(event.target), { capture: true, passive: true });
document.addEventListener("redrawn", fadeAll);
window.addEventListener("resize", fadeAll);
