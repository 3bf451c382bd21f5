// Counts down what a page shows of the session clock, and up what has been waiting.
//
//   <div data-clock data-warns="2026-11-14T21:15:00+00:00" data-ends="2026-11-14T21:30:00+00:00">
//     data-paused="2026-11-14T20:40:00+00:00"      where the clock of the hall stands still, since when
//     <p data-left data-over="Time"></p>  <p data-stage="warning" hidden>…</p>  <p data-stage="over" hidden>…</p>
//   <time data-since="2026-11-14T21:02:00+00:00"></time>      reads 2:05, then 2:06

import { clockText, now, secondsLeft, shown, stageAt, synchronise } from "./time.js";

const RESYNC = 300_000; // ms: clocks drift

/** Every clock and age on the page, now. */
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
  const seconds = secondsLeft(ends, shown(paused, at));
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

/** The server's time, once there is a clock that wants it: a page may get its first one when a part of it is drawn anew. */
function agree() {
  if (Date.now() - agreed < RESYNC || !document.querySelector("[data-clock], [data-since]")) return;
  agreed = Date.now();
  void synchronise().then(tick);
}
let agreed = 0;

tick();
agree();
window.setInterval(() => {
  tick();
  agree();
}, 250);
