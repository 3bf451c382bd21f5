// The organiser's board counts the session down; pages to print have a button for it.
//
//   <p class="big-clock" data-ends="2026-11-14T21:30:00+00:00" data-over="Time"></p>
//   <button class="js-only" data-print>…</button>

/** @param {number} seconds @returns {string} 1:02:05, 18:20, 0:09 */
function clock(seconds) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  for (const place of document.querySelectorAll("[data-ends]")) {
    const { ends, over } = /** @type {HTMLElement} */ (place).dataset;
    const left = Math.ceil((Date.parse(ends ?? "") - Date.now()) / 1000);
    const text = left > 0 ? clock(left) : (over ?? "");
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("late", left <= 0);
  }
}

tick();
window.setInterval(tick, 250);
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});
