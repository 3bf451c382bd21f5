// The server's time, so that all devices show the same second.

const TRIES = 3;
const TRY_INTERVAL = 1_500; // ms between tries, after the other requests of a new page
let skew = 0;

/** The server's time. @returns {number} */
export const now = () => Date.now() + skew;

/**
 * Ask the server for its time; the quickest of a few responses is the most exact.
 * @returns {Promise<number | null>} milliseconds this device's clock is behind; null without a response
 */
export async function synchronise() {
  let best = Infinity;
  for (let at = 0; at < TRIES; at += 1) {
    if (at) await new Promise((resolve) => window.setTimeout(resolve, TRY_INTERVAL));
    const sent = Date.now();
    try {
      const { now: server } = await (await fetch("/now/", { cache: "no-store" })).json();
      const elapsed = Date.now() - sent;
      if (elapsed >= best) continue;
      best = elapsed;
      skew = server - (sent + elapsed / 2);
    } catch {
      break; // offline: keep the last skew
    }
  }
  return best === Infinity ? null : skew;
}

/** Whole seconds until a moment; 0 afterwards. @param {string} moment @param {number} at */
export const secondsLeft = (moment, at) => Math.max(0, Math.ceil((Date.parse(moment) - at) / 1000));

/**
 * The time that a clock shows: `at`, or when it was paused.
 * @param {string | null | undefined} paused @param {number} at
 */
export const shownTime = (paused, at) => (paused ? Math.min(at, Date.parse(paused)) : at);

/**
 * The stage of a session: playing, paused, warning or over.
 * @param {{warns?: string, ends?: string, paused?: string | null}} clock @param {number} at
 */
export function stageAt({ warns = "", ends = "", paused }, at) {
  const time = shownTime(paused, at);
  if (!secondsLeft(ends, time)) return "over";
  if (paused) return "paused";
  return secondsLeft(warns, time) ? "playing" : "warning";
}

/** @param {number} seconds @returns {string} 1:02:05, 18:20, 0:09 */
export function clockText(seconds) {
  const twoDigits = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
}
