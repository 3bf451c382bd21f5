// What the desk keeps on this device and asks of it: what was entered, the usual fans, a screen that stays on, and the page
// itself for when there is no network.

import { emptyDraft } from "./draft.js";

/** @typedef {import("./view.js").View} View */

const BY = "hule-desk:by"; // how wins are entered on this device, at every table
const FANS = "hule-desk:fans";
const TABLE = `hule-desk:${location.pathname}`;
const FADING = 0.97; // what one more hand leaves of all before it
const LOOK = 5_000; // ms: a session begins, and a table is handed in, without a page being loaded

/** What was entered outlives a reload and the closing of the browser; so does the table as the server last told it. @param {View} view */
export function remember(view) {
  const { draft, fix, foul, kept, server, setup } = view;
  try {
    localStorage.setItem(BY, view.by);
    localStorage.setItem(TABLE, JSON.stringify({ draft, fix, foul, kept, server, skew: setup.skew, ends: setup.ends }));
  } catch {
    // storage is full or forbidden: the page works without it
  }
}

/** @param {View} view @param {boolean} isOld the page is as it was last seen, not as the server has it now */
export function recall(view, isOld) {
  try {
    const by = localStorage.getItem(BY);
    if (by === "points" || by === "fans") view.by = by;
    const { server, skew, ends, ...entered } = JSON.parse(localStorage.getItem(TABLE) ?? "{}");
    if (entered.draft) Object.assign(view, entered, { draft: whole(entered.draft), fix: entered.fix && whole(entered.fix) });
    if (!isOld || !server) return;
    if (server.urls && server.version > view.server.version) view.server = server;
    Object.assign(view.setup, { skew, ends });
  } catch {
    localStorage.removeItem(TABLE);
  }
}

/** A draft that an older page left may lack what has come since. @param {import("./draft.js").Draft} kept */
const whole = (kept) => ({ ...emptyDraft(kept.number), ...kept });

/** A hand with these fans was saved. @param {Record<string, number>} fans */
export function learn(fans) {
  const faded = Object.entries(weightsOfFans()).map(([key, weight]) => [key, weight * FADING]);
  const weights = Object.fromEntries(faded);
  for (const key of Object.keys(fans)) weights[key] = (weights[key] ?? 0) + 1;
  try {
    localStorage.setItem(FANS, JSON.stringify(weights));
  } catch {
    // storage is full or forbidden: the order stays as it is
  }
}

/** The fans used most, and lately, stand first, so that a usual hand needs no searching. @template {{key: string}} T @param {T[]} fans as the server sent them @returns {T[]} */
export function ordered(fans) {
  const weights = weightsOfFans();
  return [...fans].sort((a, b) => (weights[b.key] ?? 0) - (weights[a.key] ?? 0));
}

/** How much each fan has been used, and lately. @returns {Record<string, number>} */
function weightsOfFans() {
  try {
    return JSON.parse(localStorage.getItem(FANS) ?? "{}");
  } catch {
    return {};
  }
}

/** The screen stays on while a table is being played here, where the device lets a page ask for it. @param {() => boolean} playing */
export function keepAwake(playing) {
  /** @type {WakeLockSentinel | null} */
  let held = null;
  const look = async () => {
    if (!("wakeLock" in navigator)) return;
    const wanted = document.visibilityState === "visible" && playing();
    if (!wanted) await held?.release();
    if (wanted && (!held || held.released)) held = await navigator.wakeLock.request("screen").catch(() => null); // a battery running low says no
  };
  document.addEventListener("visibilitychange", () => void look()); // the device lets go whenever the page is hidden
  window.setInterval(() => void look(), LOOK);
  void look();
}

/**
 * The service worker shows this page again when there is no network. Browsers allow one on https and on this machine itself
 * only; elsewhere the desk keeps working while it stays open.
 * @param {any} setup
 */
export async function install({ offline, sprite, marks }) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(offline.service_worker);
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    const ours = files.filter((url) => url.startsWith(`${location.origin}/static/`));
    const looks = [.../** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-when]"))].map((link) => link.href);
    // A first visit's sheet stands in the page; as it is fetched again it may name it.
    const sheets = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("style[data-sheet]"))].map((style) => style.dataset.sheet);
    const pages = [location.pathname + location.search, offline.tables];
    const line = new MessageChannel();
    line.port1.onmessage = () => {
      document.documentElement.dataset.held = "yes";
    };
    active?.postMessage({ urls: [...ours, ...looks, ...sheets, sprite, marks, offline.worker, offline.words, offline.engines, ...offline.parts, ...pages] }, [line.port2]);
  } catch (fault) {
    console.info(`no service worker: ${fault}`);
  }
}
