// Counts down session clocks, and counts up waiting times.
//
//   <div data-clock data-warns="2026-11-14T21:15:00+00:00" data-ends="2026-11-14T21:30:00+00:00">
//     data-paused="2026-11-14T20:40:00+00:00"      since when the clock is paused
//     <p data-left data-over="Time"></p>  <p data-stage="warning" hidden>…</p>  <p data-stage="over" hidden>…</p>
//   <time data-since="2026-11-14T21:02:00+00:00"></time>      reads 2:05, then 2:06

import { clockText, now, secondsLeft, shownTime, stageAt, synchronise } from "./time.js";

const RESYNC = 300_000; // ms: clocks drift

/** Update every clock and waiting time on the page. */
export function tick() {
  const at = now();
  for (const place of document.querySelectorAll("[data-clock]")) show(/** @type {HTMLElement} */ (place), at);
  for (const time of document.querySelectorAll("[data-since]")) {
    const since = Date.parse(/** @type {HTMLElement} */ (time).dataset.since ?? "");
    write(time, clockText(Math.max(0, Math.floor((at - since) / 1000))));
  }
}

/** @param {HTMLElement} place @param {number} at */
function show(place, at) {
  const { ends = "", paused } = place.dataset;
  const seconds = secondsLeft(ends, shownTime(paused, at));
  const stage = stageAt(place.dataset, at);
  const left = /** @type {HTMLElement | null} */ (place.querySelector("[data-left]"));
  if (left) {
    write(left, seconds ? clockText(seconds) : (left.dataset.over ?? ""));
    left.classList.toggle("late", !seconds);
  }
  for (const sentence of place.querySelectorAll("[data-stage]")) {
    sentence.toggleAttribute("hidden", sentence.getAttribute("data-stage") !== stage);
  }
}

/** @param {Element} place @param {string} text */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Ask for the server's time if the page has a clock; a refresh may add the first one. */
function resync() {
  if (Date.now() - lastSync < RESYNC || !document.querySelector("[data-clock], [data-since]")) return;
  lastSync = Date.now();
  void synchronise().then(tick);
}
let lastSync = 0;

tick();
resync();
window.setInterval(() => {
  tick();
  resync();
}, 250);
