// Keeps a page that is looked at up to date, in place: without a reload, and without losing the scroll position, the focus or
// what is folded open. live.js tells of changes; the server draws; Idiomorph (static/vendor) changes only what differs.
//
//   <div data-live="/live/spring-open/?after=295" data-live-events="change reset" data-refresh="/t/spring-open/ranking/rows/">
//   data-refresh-only='{"session": 4, "table": 2}'   only for changes there, or that name no place
//   <tr id="p7" data-figures="12 497">               gets the class "fresh" once when its figures change
//   data-refresh-on="announcements"                 the topic that it shows (tournament/base/engine/notices.py), unless that is the event
//   <p data-refresh-at="2026-11-14T21:30:00+00:00">  true until then: the page asks again afterwards
//   <time datetime="…" data-ago="a moment ago">      reads "3 minutes ago", and always a little later
//
//   <section data-kept>                              filled by a script: left alone; when a place is redrawn it is told ("redrawn")
//
// The address may give a whole page (its [data-refresh] part is taken) or the part alone.

const SPREAD = 300; // ms: a hall of phones does not ask in the same instant
const PAUSE = 1_000; // ms between two requests of one page
const RETRY = 3_000; // ms until what could not be had is asked for again
const FRESH = 4_000; // ms that a changed row stays tinted

/** @param {HTMLElement} place @returns {Map<string, string>} id → figures */
const figuresIn = (place) =>
  new Map([...place.querySelectorAll("[data-figures]")].map((row) => [row.id, row.dataset.figures ?? ""]));

/** @param {HTMLElement} place @param {Map<string, string>} before */
function tint(place, before) {
  for (const row of place.querySelectorAll("[data-figures]")) {
    if (!before.has(row.id) || before.get(row.id) === row.dataset.figures) continue;
    row.classList.add("fresh");
    window.setTimeout(() => row.classList.remove("fresh"), FRESH);
  }
}

/** What a reader has folded open stays open, and what a script shows or hides in a place of its own. @param {string} name @param {Element} node */
const keepOpen = (name, node) =>
  !(name === "open" && node instanceof HTMLDetailsElement) && !(name === "hidden" && node.closest("[data-own]"));

/**
 * What is the same already is left alone: of 400 lines a hand changes a few; so is a place that a script fills.
 * @param {Node} node @param {Node} wanted
 */
const differs = (node, wanted) => !node.isEqualNode(wanted) && !(node instanceof HTMLElement && "kept" in node.dataset);

/** @param {HTMLElement} place @param {string} html */
function redraw(place, html) {
  const answer = new DOMParser().parseFromString(html, "text/html");
  const same = (/** @type {Element} */ one) => one.getAttribute("data-refresh") === place.dataset.refresh;
  const part = [...answer.querySelectorAll("[data-refresh]")].find(same) ?? answer.body;
  const before = figuresIn(place);
  const callbacks = { beforeAttributeUpdated: keepOpen, beforeNodeMorphed: differs };
  window.Idiomorph.morph(place, part.innerHTML, { morphStyle: "innerHTML", ignoreActiveValue: true, callbacks });
  tint(place, before);
  tellAges();
  place.dispatchEvent(new Event("redrawn", { bubbles: true }));
}

/** Whether a place shows one of the topics; none when too much was missed to say. @param {HTMLElement} place @param {string[] | undefined} topics */
const concerns = (place, topics) => !topics || topics.includes(place.dataset.refreshOn ?? "event");

/** As long as it is on the page. @param {HTMLElement} place */
export function keepUpToDate(place) {
  const only = JSON.parse(place.dataset.refreshOnly ?? "{}");
  let waiting = 0;
  let asking = false;
  let again = false;
  let last = 0;

  const ask = async () => {
    waiting = 0;
    asking = true;
    last = Date.now();
    try {
      const answer = await fetch(place.dataset.refresh ?? location.href);
      if (answer.status >= 500) throw new Error(`no page in the answer: ${answer.status}`);
      if (answer.ok) redraw(place, await answer.text());
    } catch {
      // The line is cut (live.js says so), or the server begins anew. What was told will not be told again, so it is owed.
      window.setTimeout(soon, RETRY);
    } finally {
      asking = false;
      if (again) soon();
    }
  };

  /** The first change is shown at once, those of the next moment together, the last one always. */
  const soon = () => {
    again = asking;
    if (asking || waiting || !place.isConnected) return;
    waiting = window.setTimeout(ask, Math.max(Math.random() * SPREAD, last + PAUSE - Date.now()));
  };

  /** What is true until a certain moment is asked for again after it. */
  window.setInterval(() => {
    const due = place.querySelector("[data-refresh-at]");
    if (due && Date.parse(due.dataset.refreshAt) < Date.now()) soon();
  }, 20_000);

  document.body.addEventListener("live", (event) => {
    const told = /** @type {CustomEvent<Record<string, any> | null>} */ (event).detail ?? {};
    const elsewhere = Object.entries(only).some(([name, value]) => name in told && told[name] !== value);
    if (!elsewhere && concerns(place, told.topics)) soon();
  });
}

/** Ages beside times: "3 minutes ago" for the last hour, the time of day before. */
function tellAges() {
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  for (const time of document.querySelectorAll("time[data-ago]")) {
    time.dataset.at ??= time.textContent ?? "";
    const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000);
    time.textContent = minutes < 1 ? time.dataset.ago : minutes < 60 ? words.format(-minutes, "minute") : time.dataset.at;
    time.title = time.dataset.at;
  }
}

for (const place of document.querySelectorAll("[data-refresh]")) keepUpToDate(place);
tellAges();
window.setInterval(tellAges, 20_000);
