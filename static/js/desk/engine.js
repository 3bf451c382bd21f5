// Judging a hand on this device when the server cannot be asked. The answer has the shape of the server's, so that no
// screen knows the difference; where the engine cannot run, a hand is taken unchecked.

/** @typedef {import("./view.js").View} View */
/** @typedef {{rules: object, sentences: Record<string, string>, fans: Record<string, string>}} Words */

const SETTLED = 2_000; // ms after which the page has its first hand on the screen, and the line is free
const FANS = ["fan", "by", "other"]; // what a problem calls by a fan's key
const PATIENCE = 20_000; // for the first answer, with Python still loading

/** @type {Worker | null} */
let worker = null;
/** @type {Words | null} */
let words = null;
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
let asked = 0;

/** Load the engine in the background. @param {any} setup */
export function prepare(setup) {
  window.setTimeout(() => void load(setup), SETTLED);
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
  document.documentElement.dataset.engine = worker ? "ready" : "none";
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
  await put(offline, { rules, seats: { E: 1, S: 2, W: 3, N: 4 }, number: 1, hand: { outcome: "draw" } });
}

/** @param {any} offline @param {object} question @returns {Promise<any>} */
function put({ pyodide, engines }, question) {
  const id = ++asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    window.setTimeout(() => resolve(null), PATIENCE);
    worker?.postMessage({ id, pyodide, engines, question });
  });
}

/**
 * What this device makes of a hand: as the server's preview answers; null when the engine cannot say.
 * @param {View} view @param {any} body the hand as it would be sent
 */
export async function judge(view, body) {
  if (!worker || !words) return null;
  const seats = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.start, seat.player]));
  const { number, ...hand } = body;
  const lost = view.state.restraints.filter((/** @type {any} */ one) => one.hand === number && one.barred);
  const barred = Object.fromEntries(lost.map((/** @type {any} */ one) => [one.player, one.params]));
  const found = await put(view.setup.offline, { rules: words.rules, seats, number, hand, barred });
  return found && told(view, found);
}

/** Codes into words. @param {View} view @param {any} found */
function told(view, found) {
  const problems = found.problems.map((/** @type {any} */ one) => ({ ...one, message: sentence(one) }));
  if ("outlook" in found) return { problems, outlook: found.outlook && ahead(found.outlook) };
  const scores = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.player, seat.score]));
  const payments = Object.entries(found.payments).map(([player, change]) => ({
    player: Number(player),
    change,
    before: scores[player],
    after: scores[player] + change,
  }));
  payments.sort((one, other) => Number(one.change <= 0) - Number(other.change <= 0) || one.change - other.change);
  const { points, overridden, overridable, struck } = found;
  return { problems, payments, points, overridden, overridable, struck, comparison: found.comparison && comparison(found.comparison), receipt: found.receipt && receipt(found.receipt, problems) };
}

/** What was announced beside the tiles; why they differ, only the server says. @param {any} found */
function comparison(found) {
  const rows = found.rows.map((/** @type {[string, number | null, number]} */ [fan, announced, counted]) => ({ name: fanName(fan), announced, counted }));
  return { ...found, rows, sentences: [] };
}

/** @param {any} found @param {any[]} problems */
function receipt(found, problems) {
  const lines = found.lines.map((/** @type {any} */ line) => ({
    ...line,
    name: fanName(line.fan),
    sets: line.sets.map((/** @type {string[]} */ tiles) => tiles.map((code) => ({ code }))),
  }));
  const short = problems.find((/** @type {any} */ one) => one.code === "below_minimum");
  return { ...found, lines, title: short?.message ?? "", why: "", note: "", not_counted: [] };
}

/** @param {any} outlook */
function ahead(outlook) {
  const names = outlook.fans.map((/** @type {[string, number]} */ [fan, points]) => `${fanName(fan)} ${points}`);
  return { ...outlook, text: names.join(", ") };
}

/** @param {string} key */
const fanName = (key) => words?.fans[key] ?? key;

/** @param {{code: string, params: Record<string, string | number>}} problem */
function sentence({ code, params }) {
  const text = words?.sentences[code] ?? code;
  const said = (/** @type {string} */ name) => (FANS.includes(name) ? fanName(String(params[name])) : String(params[name] ?? ""));
  return text.replace(/\{(\w+)\}/g, (_all, name) => said(name)).replace(/\{\{|\}\}/g, (two) => two[0]);
}
