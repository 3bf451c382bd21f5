// Refreshes parts of a page in place, keeping scroll position, focus and open details. live.js dispatches changes; the server
// renders; Idiomorph (static/vendor) changes only what differs.
//
//   <div data-live="/live/spring-open/?after=295" data-live-events="change reset" data-refresh="/t/spring-open/ranking/rows/">
//   <div data-places="4/2 5/">                       on it, in it or around it: of the changes at tables only those at session 4,
//                                                   table 2, and in session 5; default: "all"
//   data-refresh-pace="3000"                        ms between two requests; default: 1000
//   <tr id="p7" data-figures="12 497">               gets the class "fresh" once when its figures change
//   data-refresh-id="rank-7"                        shows only this element of the response; nothing where it is missing
//   data-refresh-on="announcements"                 its topic (tournament/base/engine/notices.py); default: event
//   <p data-refresh-at="2026-11-14T21:30:00+00:00">  valid until then: refreshed afterwards
//   <time datetime="…" data-ago="a moment ago">      reads "3 minutes ago"
//
//   <section data-kept>                              filled by a script, never changed here; "redrawn" is dispatched after a refresh
//
// The response may be a whole page (its [data-refresh] part is used) or the part only.

import { outOfDate } from "./live.js";
import { concerns, Loader } from "./loader.js";

const TIMEOUT = 15_000; // ms after which a request counts as failed
const FRESH = 4_000; // ms that a changed row is highlighted

/** @param {HTMLElement} place @returns {Map<string, string>} id → figures */
const figuresIn = (place) =>
  new Map([...place.querySelectorAll("[data-figures]")].map((row) => [row.id, row.dataset.figures ?? ""]));

/** @param {HTMLElement} place @param {Map<string, string>} before */
function highlight(place, before) {
  for (const row of place.querySelectorAll("[data-figures]")) {
    if (!before.has(row.id) || before.get(row.id) === row.dataset.figures) continue;
    row.classList.add("fresh");
    window.setTimeout(() => row.classList.remove("fresh"), FRESH);
  }
}

/** Keep details that the reader opened, and what a script shows or hides. @param {string} name @param {Element} node */
const keepOpen = (name, node) =>
  !(name === "open" && node instanceof HTMLDetailsElement) && !(name === "hidden" && node.closest("[data-own]"));

/**
 * Skip equal nodes, as a hand changes few of 400 lines, and those that a script fills.
 * @param {Node} node @param {Node} target
 */
const differs = (node, target) => !node.isEqualNode(target) && !(node instanceof HTMLElement && "kept" in node.dataset);

/** @param {HTMLElement} place @param {string} html */
function redraw(place, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const same = (/** @type {Element} */ element) => element.getAttribute("data-refresh") === place.dataset.refresh;
  const { refreshId } = place.dataset;
  const part = refreshId ? page.getElementById(refreshId) : ([...page.querySelectorAll("[data-refresh]")].find(same) ?? page.body);
  const before = figuresIn(place);
  const callbacks = { beforeAttributeUpdated: keepOpen, beforeNodeMorphed: differs };
  window.Idiomorph.morph(place, part?.innerHTML ?? "", { morphStyle: "innerHTML", ignoreActiveValue: true, callbacks });
  highlight(place, before);
  updateAges();
  place.dispatchEvent(new Event("redrawn", { bubbles: true }));
}

/** @param {HTMLElement} place */
function placesOf(place) {
  const holder = place.querySelector(":scope > [data-places]") ?? place.closest("[data-places]");
  return holder?.getAttribute("data-places") ?? "all";
}

/** Nobody sees the page, or the part is folded away or removed. @param {HTMLElement} place */
const isHidden = (place) => document.hidden || !place.isConnected || place.closest("details:not([open])") !== null;

/** @type {Set<Loader>} */
const loaders = new Set();
const resume = () => loaders.forEach((loader) => loader.resume());
document.addEventListener("visibilitychange", resume);
document.addEventListener("toggle", resume, true);
window.addEventListener("online", resume);
window.addEventListener("pageshow", resume);

/** Refresh a part as long as it is on the page. @param {HTMLElement} place */
export function keepUpToDate(place) {
  const { refreshOn = "event", refreshPace } = place.dataset;

  const load = async () => {
    const response = await fetch(place.dataset.refresh ?? location.href, { signal: AbortSignal.timeout(TIMEOUT) });
    if (response.ok) redraw(place, await response.text());
    return response;
  };

  const loader = new Loader(load, {
    pace: refreshPace ? Number(refreshPace) : undefined,
    isHidden: () => isHidden(place),
    onLate: (isLate) => outOfDate(place, isLate && place.isConnected),
  });
  loaders.add(loader);

  /** @param {number} [spread] */
  const changed = (spread) => {
    if (place.isConnected) return loader.changed(spread);
    loaders.delete(loader);
    loader.stop();
  };

  // data-refresh-at
  window.setInterval(() => {
    const due = place.querySelector("[data-refresh-at]");
    if (due && Date.parse(due.dataset.refreshAt) < Date.now()) changed();
  }, 20_000);

  document.body.addEventListener("live", (event) => {
    const change = /** @type {CustomEvent<Record<string, any> | null>} */ (event).detail ?? {};
    const places = placesOf(place);
    if (concerns(change, refreshOn, places)) changed(places !== "all" && "table" in change ? undefined : change.spread);
  });
}

/** Update [data-ago]: "3 minutes ago" for the last hour, else the time of day. */
function updateAges() {
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  for (const time of document.querySelectorAll("time[data-ago]")) {
    time.dataset.at ??= time.textContent ?? "";
    const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000);
    time.textContent = minutes < 1 ? time.dataset.ago : minutes < 60 ? words.format(-minutes, "minute").replace(/\d+(?=\p{L})/u, "$& ") : time.dataset.at;
    time.title = time.dataset.at;
  }
}

for (const place of document.querySelectorAll("[data-refresh]")) keepUpToDate(place);
updateAges();
window.setInterval(updateAges, 20_000);
