// Local storage of entries and of the order of fans, the wake lock, and the service worker.

import { emptyDraft } from "./draft.js";

/** @typedef {import("./view.js").View} View */

const BY = "hule-desk:by"; // the depth at which wins are entered on this device
const FANS = "hule-desk:fans";
const TABLE = `hule-desk:${location.pathname}`;
const DECAY = 0.97; // factor by which each saved hand reduces the weight of earlier ones
const CHECK_EVERY = 5_000; // ms: sessions start and tables are handed in without a page load

/** Store what was entered, and the last state of the table from the server. @param {View} view */
export function storeView(view) {
  const { draft, fix, foul, kept, putAway, server, setup } = view;
  try {
    localStorage.setItem(BY, view.by);
    localStorage.setItem(TABLE, JSON.stringify({ draft, fix, foul, kept, putAway, server, skew: setup.skew, ends: setup.ends }));
  } catch {
    // storage is full or forbidden: the page works without it
  }
}

/** @param {View} view @param {boolean} isOld the page comes from the cache of the service worker */
export function restoreView(view, isOld) {
  try {
    const by = localStorage.getItem(BY);
    if (by === "points" || by === "fans") view.by = by;
    const { server, skew, ends, ...entered } = JSON.parse(localStorage.getItem(TABLE) ?? "{}");
    if (entered.draft) Object.assign(view, entered, { draft: completeDraft(entered.draft), fix: entered.fix && completeDraft(entered.fix) });
    if (!isOld || !server) return;
    if (server.urls && server.version > view.server.version) view.server = server;
    Object.assign(view.setup, { skew, ends });
  } catch {
    localStorage.removeItem(TABLE);
  }
}

/** Add properties that a draft stored by an older version lacks. @param {import("./draft.js").Draft} stored */
const completeDraft = (stored) => ({ ...emptyDraft(stored.number), ...stored });

/** Update the weights of fans after a hand is saved. @param {Record<string, number>} fans */
export function countFans(fans) {
  const decayed = Object.entries(fanWeights()).map(([key, weight]) => [key, weight * DECAY]);
  const weights = Object.fromEntries(decayed);
  for (const key of Object.keys(fans)) weights[key] = (weights[key] ?? 0) + 1;
  try {
    localStorage.setItem(FANS, JSON.stringify(weights));
  } catch {
    // storage is full or forbidden: the order stays as it is
  }
}

/** Sort fans by how often and how recently they were used. @template {{key: string}} T @param {T[]} fans @returns {T[]} */
export function sortByUse(fans) {
  const weights = fanWeights();
  return [...fans].sort((a, b) => (weights[b.key] ?? 0) - (weights[a.key] ?? 0));
}

/** Weight of each fan, by key. @returns {Record<string, number>} */
function fanWeights() {
  try {
    return JSON.parse(localStorage.getItem(FANS) ?? "{}");
  } catch {
    return {};
  }
}

/** Keep the screen on while `playing`, where the device supports wake locks. @param {() => boolean} playing */
export function keepAwake(playing) {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  const update = async () => {
    if (!("wakeLock" in navigator)) return;
    const isNeeded = document.visibilityState === "visible" && playing();
    if (!isNeeded) await lock?.release();
    if (isNeeded && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen").catch(() => null); // refused when the battery is low
  };
  document.addEventListener("visibilitychange", () => void update()); // hiding the page releases the lock
  window.setInterval(() => void update(), CHECK_EVERY);
  void update();
}

/**
 * Install the service worker, which serves this page without a network. Browsers allow it on https and localhost only;
 * elsewhere the desk works offline as long as it stays open.
 * @param {any} setup
 */
export async function installServiceWorker({ offline, sprite, marks }) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(offline.service_worker);
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    const staticFiles = files.filter((url) => url.startsWith(`${location.origin}/static/`));
    const themes = [.../** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-when]"))].map((link) => link.href);
    // On a first visit the style sheet is inline; after a reload the page links to it.
    const sheets = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("style[data-sheet]"))].map((style) => style.dataset.sheet);
    const pages = [location.pathname + location.search, offline.tables];
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      document.documentElement.dataset.held = "yes";
    };
    active?.postMessage({ urls: [...staticFiles, ...themes, ...sheets, sprite, marks, offline.worker, offline.words, offline.engines, ...offline.parts, ...pages] }, [channel.port2]);
  } catch (fault) {
    console.info(`no service worker: ${fault}`);
  }
}
