// Judging a hand on this device when the server cannot be asked. The answer is the server's: it is the same engine's. Where
// the engine cannot run, a hand is taken unchecked.

import { filled } from "./dom.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{rules: object, sentences: Record<string, string>}} Words */

const FANS = ["fan", "by", "other"]; // what a problem calls by a fan's key
const PATIENCE = 20_000;
const FOREVER = Infinity; // Python loads as long as it takes: hands are taken unchecked meanwhile

/** @type {Worker | null} */
let worker = null;
/** @type {Words | null} */
let words = null;
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
let asked = 0;
let awake = false; // Python has loaded: nobody waits for that before a hand can be saved

/** Load the engine in the background. @param {any} setup @param {() => void} ready a hand can be judged from now on */
export function prepare(setup, ready) {
  void load(setup).then(ready);
}

/** @param {any} setup */
async function load({ offline }) {
  try {
    const response = await fetch(offline.words, { credentials: "same-origin" });
    words = response.ok ? await response.json() : null;
    worker = words && new Worker(offline.worker, { type: "module" });
  } catch {
    worker = null; // an old browser, or no network yet: hands are taken unchecked
  }
  if (worker && words) await wake(offline, worker, words);
  document.documentElement.dataset.engine = awake ? "ready" : "none";
}

/** Let the engine start before it is needed. @param {any} offline @param {Worker} thread @param {Words} words */
async function wake(offline, thread, { rules }) {
  thread.addEventListener("message", ({ data }) => {
    if (data.fault) console.info(`the engine does not run here: ${data.fault}`);
    waiting.get(data.id)?.(data.answer ?? null);
    waiting.delete(data.id);
  });
  thread.addEventListener("error", () => {
    worker = null;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  const first = await put(offline, { rules, seats: { E: 1, S: 2, W: 3, N: 4 }, number: 1, hand: { outcome: "draw" } }, FOREVER);
  awake = first !== null;
}

/** @param {any} offline @param {object} question @param {number} [patience] @returns {Promise<any>} */
function put({ pyodide, engines }, question, patience = PATIENCE) {
  const id = ++asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    if (patience !== FOREVER) window.setTimeout(() => resolve(null), patience);
    worker?.postMessage({ id, pyodide, engines, question });
  });
}

/**
 * What this device makes of a hand: as the server's preview answers; null when the engine cannot say.
 * @param {View} view @param {any} body the hand as it would be sent
 */
export async function judge(view, body) {
  if (!worker || !words || !awake) return null;
  const seats = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.start, seat.player]));
  const { number, ...hand } = body;
  const lost = view.state.restraints.filter((/** @type {any} */ one) => one.hand === number && one.barred);
  const barred = Object.fromEntries(lost.map((/** @type {any} */ one) => [one.player, one.params]));
  const found = await put(view.setup.offline, { rules: words.rules, seats, number, hand, barred });
  return found && { ...found, problems: found.problems.map((/** @type {any} */ one) => ({ ...one, message: sentence(view, one) })) };
}

/** @param {View} view @param {{code: string, params: Record<string, string | number>}} problem */
function sentence(view, { code, params }) {
  const { verdict, tiles } = view.setup;
  const named = (/** @type {string} */ name) => (FANS.includes(name) ? verdict.fans : name === "tile" ? tiles : {});
  const said = Object.entries(params).map(([name, value]) => [name, named(name)[value] ?? value]);
  return filled(words?.sentences[code] ?? code, Object.fromEntries(said)).replace(/\{\{|\}\}/g, (two) => two[0]);
}
