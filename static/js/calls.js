// A table that waits for an umpire, above every page of whoever answers calls: the desk of another table, the calculator, the
// foul book. Asked for when a page is opened and at every call on the live stream, so it comes and goes everywhere at once.
//
//   <div id="call-bar" data-calls="/umpire/calls.html" role="status"></div>

import { follow } from "./live.js";
import { ask } from "./desk/api.js";

const bar = /** @type {HTMLElement} */ (document.getElementById("call-bar"));
/** @type {Set<string>} */
const heard = new Set(); // the halls with a line of their own
let asking = false;
let again = false;

async function look() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    const answer = await fetch(bar.dataset.calls ?? "", { cache: "no-store" });
    if (answer.ok && !answer.redirected) show(await answer.text());
  } catch {
    // no network: what stands there stays, and the line looks again when it is back
  } finally {
    asking = false;
  }
  if (!again) return;
  again = false;
  void look();
}

/** @param {string} html */
function show(html) {
  const part = new DOMParser().parseFromString(html, "text/html").querySelector("[data-halls]");
  if (!(part instanceof HTMLElement)) return;
  if (bar.innerHTML !== part.innerHTML) bar.replaceChildren(...part.children);
  for (const hall of (part.dataset.halls ?? "").split(" ")) if (hall) listen(hall);
}

/** A page that follows the hall already tells of it on <body>. @param {string} hall */
function listen(hall) {
  if (heard.has(hall) || document.querySelector(`[data-live^="/live/${hall}/"]`)) return;
  heard.add(hall);
  follow(`/live/${hall}/staff/`, "", changed, () => void look());
}

/** @param {{topics?: string[]} | null} told */
function changed(told) {
  if (told?.topics?.includes("calls") ?? true) void look();
}

/** @param {HTMLElement} button */
async function take(button) {
  button.setAttribute("disabled", "");
  const answer = await ask(button.dataset.take ?? "", {});
  const toasts = document.getElementById("toasts");
  const text = answer.kind === "ok" ? button.dataset.done : (answer.problems[0]?.message ?? toasts?.dataset.error);
  document.dispatchEvent(new CustomEvent("toast", { detail: { text, kind: answer.kind === "ok" ? "" : "bad" } }));
  button.removeAttribute("disabled");
  await look();
}

function start() {
  bar.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-take]") : null;
    if (button instanceof HTMLElement) void take(button);
  });
  document.body.addEventListener("live", (event) => changed(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void look();
  });
  window.addEventListener("online", () => void look());
  void look();
}

if (bar) start(); // only somebody who is signed in has one
