// The page of a first visit has its style sheet inline. This loads the sheet into the cache, at low priority, and sets a cookie so
// that later pages link to it (config/front/delivery.py).
//
//   <style data-sheet="/static/joined/event.0123.css">…</style>

const YEAR = 365 * 24 * 3600;
const sheet = /** @type {HTMLStyleElement | null} */ (document.querySelector("style[data-sheet]"))?.dataset.sheet;

/** @param {string} url */
async function preload(url) {
  const response = await fetch(url, { priority: "low" }).catch(() => null);
  if (!response?.ok) return;
  await response.arrayBuffer();
  document.cookie = `visited=1; path=/; samesite=lax; max-age=${YEAR}`;
}

if (sheet) addEventListener("load", () => void preload(sheet));
