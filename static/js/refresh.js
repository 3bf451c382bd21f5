// Refreshes parts of a page in place, keeping scroll position, focus and open details. live.js dispatches changes; the server
// renders; Idiomorph (static/vendor) changes only what differs.
//
//   <div data-live="/live/spring-open/?after=295" data-live-events="change reset" data-refresh="/t/spring-open/ranking/rows/">
//   data-refresh-only='{"session": 4, "table": 2}'   only for changes there, or without a session or table
//   <tr id="p7" data-figures="12 497">               gets the class "fresh" once when its figures change
//   data-refresh-on="announcements"                 its topic (tournament/base/engine/notices.py); default: event
//   <p data-refresh-at="2026-11-14T21:30:00+00:00">  valid until then: refreshed afterwards
//   <time datetime="…" data-ago="a moment ago">      reads "3 minutes ago"
//
//   <section data-kept>                              filled by a script, never changed here; "redrawn" is dispatched after a refresh
//
// The response may be a whole page (its [data-refresh] part is used) or the part only.

const SPREAD = 300; // ms: spreads the requests of a hall
const PAUSE = 1_000; // ms between two requests of one page
const RETRY = 3_000; // ms after a failed request
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
  const part = [...page.querySelectorAll("[data-refresh]")].find(same) ?? page.body;
  const before = figuresIn(place);
  const callbacks = { beforeAttributeUpdated: keepOpen, beforeNodeMorphed: differs };
  window.Idiomorph.morph(place, part.innerHTML, { morphStyle: "innerHTML", ignoreActiveValue: true, callbacks });
  highlight(place, before);
  updateAges();
  place.dispatchEvent(new Event("redrawn", { bubbles: true }));
}

/** Whether a part shows one of the topics; undefined topics mean any. @param {HTMLElement} place @param {string[] | undefined} topics */
const concerns = (place, topics) => !topics || topics.includes(place.dataset.refreshOn ?? "event");

/** Refresh a part as long as it is on the page. @param {HTMLElement} place */
export function keepUpToDate(place) {
  const only = JSON.parse(place.dataset.refreshOnly ?? "{}");
  let waiting = 0;
  let loading = false;
  let again = false;
  let last = 0;

  const load = async () => {
    waiting = 0;
    loading = true;
    last = Date.now();
    try {
      const response = await fetch(place.dataset.refresh ?? location.href);
      if (response.status >= 500) throw new Error(`no page in the response: ${response.status}`);
      if (response.ok) redraw(place, await response.text());
    } catch {
      // Offline, or the server restarts. The event will not be repeated, so retry.
      window.setTimeout(soon, RETRY);
    } finally {
      loading = false;
      if (again) soon();
    }
  };

  /** Show the first change at once, and following ones together; never miss the last. */
  const soon = () => {
    again = loading;
    if (loading || waiting || !place.isConnected) return;
    waiting = window.setTimeout(load, Math.max(Math.random() * SPREAD, last + PAUSE - Date.now()));
  };

  // data-refresh-at
  window.setInterval(() => {
    const due = place.querySelector("[data-refresh-at]");
    if (due && Date.parse(due.dataset.refreshAt) < Date.now()) soon();
  }, 20_000);

  document.body.addEventListener("live", (event) => {
    const change = /** @type {CustomEvent<Record<string, any> | null>} */ (event).detail ?? {};
    const elsewhere = Object.entries(only).some(([name, value]) => name in change && change[name] !== value);
    if (!elsewhere && concerns(place, change.topics)) soon();
  });
}

/** Update [data-ago]: "3 minutes ago" for the last hour, else the time of day. */
function updateAges() {
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  for (const time of document.querySelectorAll("time[data-ago]")) {
    time.dataset.at ??= time.textContent ?? "";
    const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000);
    time.textContent = minutes < 1 ? time.dataset.ago : minutes < 60 ? words.format(-minutes, "minute") : time.dataset.at;
    time.title = time.dataset.at;
  }
}

for (const place of document.querySelectorAll("[data-refresh]")) keepUpToDate(place);
updateAges();
window.setInterval(updateAges, 20_000);
