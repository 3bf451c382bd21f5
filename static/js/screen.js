// A screen in the hall. The server decides what it shows; this reloads it at the end of a slide, at every write, every quarter of a
// minute, and after sleep. While the server is unreachable the last slide stays, with a sign. A new build reloads the page.
//
//   <main data-screen="/t/spring-open/screens/main/" data-slide="ranking-1-2" data-until="1795000000000" data-build="…">
//   <p id="stale" hidden>…</p>                              shown while the server is unreachable

import { tick } from "./clock.js";
import { ring } from "./gong.js";
import { now, synchronise } from "./time.js";

const MAX_INTERVAL = 15_000; // ms: the longest time between requests, should the stream fail silently
const RETRY = 2_000; // ms between retries
const TIMEOUT = 8_000; // ms
const PAUSE = 400; // ms between requests, as hands come in bursts
const BUTTONS_SHOWN = 15_000; // ms after the pointer moved
const SLEEP = 5_000; // ms: a longer tick means that the device slept

/** @param {HTMLElement} place */
function follow(place) {
  const sign = document.getElementById("stale");
  let timer = 0;
  let loading = false;
  let last = 0;

  /** @param {number} wait */
  const loadIn = (wait) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void load(), Math.max(wait, last + PAUSE - Date.now()));
  };

  const timeToNextSlide = () => {
    const { until } = place.dataset;
    return until ? Math.min(Math.max(Number(until) - now(), 0) + 30, MAX_INTERVAL) : MAX_INTERVAL;
  };

  async function load() {
    if (loading) return;
    loading = true;
    last = Date.now();
    changed = false;
    try {
      const response = await fetch(place.dataset.screen ?? location.pathname, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) });
      const part = response.ok ? new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-screen]") : null;
      if (!(part instanceof HTMLElement)) throw new Error(`no screen in the response: ${response.status}`);
      show(place, part);
      reconnected();
      loadIn(changed ? 0 : timeToNextSlide());
    } catch {
      if (sign) sign.hidden = false;
      loadIn(RETRY);
    } finally {
      loading = false;
    }
  }

  /** Hide the sign, and let the stream reconnect at once. */
  function reconnected() {
    if (!sign || sign.hidden) return;
    sign.hidden = true;
    window.dispatchEvent(new Event("online"));
  }

  let changed = false;
  const soon = () => {
    changed = true;
    loadIn(0);
  };

  document.body.addEventListener("live", soon);
  for (const name of ["online", "offline", "pageshow", "focus"]) window.addEventListener(name, soon);
  document.addEventListener("visibilitychange", soon);
  let second = Date.now();
  window.setInterval(() => {
    if (Date.now() - second > SLEEP) void synchronise().then(soon);
    second = Date.now();
  }, 1_000);
  loadIn(timeToNextSlide());
}

/** Update the slide in place, or replace it by another one. @param {HTMLElement} place @param {HTMLElement} part */
function show(place, part) {
  const { slide, build, until } = part.dataset;
  if (build !== place.dataset.build) {
    // Reload only for the second response of a new build: during a rolling restart the first reload might fail.
    if (build === place.dataset.newBuild) location.reload();
    place.dataset.newBuild = build;
    return;
  }
  if (until) place.dataset.until = until;
  else delete place.dataset.until;
  const isNewSlide = slide !== place.dataset.slide;
  place.classList.toggle("turned", isNewSlide);
  if (isNewSlide) place.replaceChildren(...part.childNodes);
  else window.Idiomorph.morph(place, part.innerHTML, { morphStyle: "innerHTML" });
  place.dataset.slide = slide;
  for (const moment of ["warns", "ends", "paused"]) {
    if (part.dataset[moment]) place.dataset[moment] = part.dataset[moment];
    else delete place.dataset[moment];
  }
  tick();
}

/** Keep the projector's computer awake; browsers allow it on https and localhost. */
async function stayAwake() {
  try {
    if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen");
  } catch {
    // not allowed
  }
}

/** Show buttons for a while, at the beginning and whenever the pointer moves. */
function showButtons() {
  document.body.classList.add("show-buttons");
  window.clearTimeout(hiding);
  hiding = window.setTimeout(() => document.body.classList.remove("show-buttons"), BUTTONS_SHOWN);
}
let hiding = 0;
document.addEventListener("pointermove", showButtons);
showButtons();

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-screen]"))) {
  follow(place);
  ring(() => place.dataset, now);
}
document.addEventListener("visibilitychange", () => void stayAwake());
void stayAwake();
