// A screen in the hall: the server says what it shows; this asks again when the page turns, at every write, every quarter of a
// minute, and after sleep. When the server is not there the last picture stays, with a sign, until it is back. A new build
// reloads the page.
//
//   <main data-screen="/t/spring-open/screens/main/" data-slide="ranking-1-2" data-until="1795000000000" data-build="…">
//   <p id="stale" hidden>…</p>                              shown while the picture may be old

import { tick } from "./clock.js";
import { ring } from "./gong.js";
import { now, synchronise } from "./time.js";

const BEAT = 15_000; // ms: the longest without asking, should the stream be silent for a bad reason
const AGAIN = 2_000; // ms between tries while the server is not there
const PATIENCE = 8_000; // ms for an answer
const PAUSE = 400; // ms between two questions: hands come in bursts
const STIRRED = 15_000; // ms
const SLEPT = 5_000; // ms that a second may take before it was sleep

/** @param {HTMLElement} place */
function follow(place) {
  const sign = document.getElementById("stale");
  let timer = 0;
  let asking = false;
  let last = 0;

  /** @param {number} wait */
  const askIn = (wait) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), Math.max(wait, last + PAUSE - Date.now()));
  };

  const untilTurn = () => {
    const { until } = place.dataset;
    return until ? Math.min(Math.max(Number(until) - now(), 0) + 30, BEAT) : BEAT;
  };

  async function ask() {
    if (asking) return;
    asking = true;
    last = Date.now();
    wanted = false;
    try {
      const answer = await fetch(place.dataset.screen ?? location.pathname, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      const part = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-screen]") : null;
      if (!(part instanceof HTMLElement)) throw new Error(`no screen in the answer: ${answer.status}`);
      show(place, part);
      found();
      askIn(wanted ? 0 : untilTurn());
    } catch {
      if (sign) sign.hidden = false;
      askIn(AGAIN);
    } finally {
      asking = false;
    }
  }

  /** The server is there again: the stream need not wait any longer before it tries. */
  function found() {
    if (!sign || sign.hidden) return;
    sign.hidden = true;
    window.dispatchEvent(new Event("online"));
  }

  let wanted = false;
  const soon = () => {
    wanted = true;
    askIn(0);
  };

  document.body.addEventListener("live", soon);
  for (const name of ["online", "offline", "pageshow", "focus"]) window.addEventListener(name, soon);
  document.addEventListener("visibilitychange", soon);
  let second = Date.now();
  window.setInterval(() => {
    if (Date.now() - second > SLEPT) void synchronise().then(soon);
    second = Date.now();
  }, 1_000);
  askIn(untilTurn());
}

/** The page as it is now, in place: the same slide is mended where it differs, another one takes its place. @param {HTMLElement} place @param {HTMLElement} part */
function show(place, part) {
  const { slide, build, until } = part.dataset;
  if (build !== place.dataset.build) {
    // Twice the same new one: while processes are being replaced one by one, a page that is loaded now may not come.
    if (build === place.dataset.newBuild) location.reload();
    place.dataset.newBuild = build;
    return;
  }
  if (until) place.dataset.until = until;
  else delete place.dataset.until;
  const turns = slide !== place.dataset.slide;
  place.classList.toggle("turned", turns);
  if (turns) place.replaceChildren(...part.childNodes);
  else window.Idiomorph.morph(place, part.innerHTML, { morphStyle: "innerHTML" });
  place.dataset.slide = slide;
  for (const moment of ["warns", "ends", "paused"]) {
    if (part.dataset[moment]) place.dataset[moment] = part.dataset[moment];
    else delete place.dataset[moment];
  }
  tick();
}

/** The projector's computer must not fall asleep; browsers allow that on https and on the server's own machine. */
async function stayAwake() {
  try {
    if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen");
  } catch {
    // Not allowed here: then its own settings decide.
  }
}

/** What can be tapped shows while somebody is there: from the beginning, and whenever the pointer moves. */
function stir() {
  document.body.classList.add("stirred");
  window.clearTimeout(stirring);
  stirring = window.setTimeout(() => document.body.classList.remove("stirred"), STIRRED);
}
let stirring = 0;
document.addEventListener("pointermove", stir);
stir();

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-screen]"))) {
  follow(place);
  ring(() => place.dataset, now);
}
document.addEventListener("visibilitychange", () => void stayAwake());
void stayAwake();
