// Open calls, on top of every page of an umpire. Loaded with the page, and again at every call on the event stream.
//
//   <div id="call-bar" data-calls="/umpire/calls.html" role="status"></div>

import { follow } from "./live.js";
import { request } from "./desk/api.js";

const bar = /** @type {HTMLElement} */ (document.getElementById("call-bar"));
/** @type {Set<string>} */
const followed = new Set(); // halls that this script follows
let loading = false;
let again = false;

async function reload() {
  if (loading) {
    again = true;
    return;
  }
  loading = true;
  try {
    const response = await fetch(bar.dataset.calls ?? "", { cache: "no-store" });
    if (response.ok && !response.redirected) show(await response.text());
  } catch {
    // no network: the bar stays, and the stream reloads it when it is back
  } finally {
    loading = false;
  }
  if (!again) return;
  again = false;
  void reload();
}

/** @param {string} html */
function show(html) {
  const part = new DOMParser().parseFromString(html, "text/html").querySelector("[data-halls]");
  if (!(part instanceof HTMLElement)) return;
  if (bar.innerHTML !== part.innerHTML) bar.replaceChildren(...part.children);
  listen((part.dataset.halls ?? "").split(" "));
}

/**
 * Follow these halls in one stream, because browsers open only six connections to a host. Not those that the page follows
 * itself, whose events it dispatches on <body>.
 * @param {string[]} halls
 */
function listen(halls) {
  const others = halls.filter((hall) => hall && !followed.has(hall) && !document.querySelector(`[data-live^="/live/${hall}/"]`));
  if (!others.length) return;
  for (const hall of others) followed.add(hall);
  follow(`/live/${others.join("+")}/staff/`, "", changed, () => void reload());
}

/** @param {{topics?: string[]} | null} change */
function changed(change) {
  if (change?.topics?.includes("calls") ?? true) void reload();
}

/** @param {HTMLElement} button */
async function take(button) {
  button.setAttribute("disabled", "");
  const answer = await request(button.dataset.take ?? "", {});
  const toasts = document.getElementById("toasts");
  const text = answer.kind === "ok" ? button.dataset.done : (answer.problems[0]?.message ?? toasts?.dataset.error);
  document.dispatchEvent(new CustomEvent("toast", { detail: { text, kind: answer.kind === "ok" ? "" : "bad" } }));
  button.removeAttribute("disabled");
  await reload();
}

function start() {
  bar.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-take]") : null;
    if (button instanceof HTMLElement) void take(button);
  });
  document.body.addEventListener("live", (event) => changed(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void reload();
  });
  window.addEventListener("online", () => void reload());
  void reload();
}

if (bar) start(); // for signed-in users only
