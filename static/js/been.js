// A first visit's page has its style sheet within it. The next is to come with a link, so the sheet is asked for once more,
// when there is nothing else to do, and kept; the cookie says so (config/front/delivery.py).
//
//   <style data-sheet="/static/joined/event.0123.css">…</style>

const YEAR = 365 * 24 * 3600;
const sheet = /** @type {HTMLStyleElement | null} */ (document.querySelector("style[data-sheet]"))?.dataset.sheet;

/** @param {string} address */
async function keep(address) {
  const answer = await fetch(address, { priority: "low" }).catch(() => null);
  if (!answer?.ok) return;
  await answer.arrayBuffer();
  document.cookie = `been=1; path=/; samesite=lax; max-age=${YEAR}`;
}

if (sheet) addEventListener("load", () => void keep(sheet));
