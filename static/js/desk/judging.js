// What a hand, or a foul, comes to while it is entered: asked of the server or, without it, of the engine on this device. Both
// answer alike, in codes (tournament/play/engine/preview.py); here they become what the screens show, so that no screen knows
// which of the two has answered. Where the engine cannot run, a hand is taken unchecked, and a foul without what it costs.

import { ask } from "./api.js";
import { filled, joined, lies, t } from "./dom.js";
import { aboutFoul, foulQuestion } from "./screens/foul.js";
import { isFolded, question, recorded } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{rules: object, sentences: Record<string, string>}} Words */
/** @typedef {{key: string, points: number, count: number, groups: number[][]}} Counted */
/** @typedef {{form: string, tiles: string[], concealed: boolean}} Group */

const TYPING_PAUSE = 120;
const FANS = ["fan", "by", "other"]; // what a problem calls by a fan's key
const PATIENCE = 20_000;
const FOREVER = Infinity; // Python loads as long as it takes: hands are taken unchecked meanwhile
const FLOWERS = "flower_tiles";

/**
 * @param {View} view @param {() => void} draw
 * @param {(kind: string) => void} notice gets every answer's kind, for it says whether there is a network
 */
export function asker(view, draw, notice) {
  /** @type {AbortController | null} */
  let controller = null;
  let pending = "";
  let pause = 0;

  /** Ask about what is on the screen, unless that is known or asked already. */
  function inquire() {
    const body = view.route.name === "foul" ? foulQuestion(view) : question(view);
    const kind = view.route.name === "foul" ? "proposal" : "opinion";
    const about = kind === "proposal" && body ? aboutFoul(body) : body;
    const key = about ? JSON.stringify(about) : "";
    if (!key || key === pending || view[kind]?.key === key) return;
    controller?.abort();
    window.clearTimeout(pause);
    pending = key;
    const wait = isFolded(view) ? 0 : TYPING_PAUSE;
    pause = window.setTimeout(() => void send(key, about, kind), wait);
  }

  /** @param {string} key @param {any} body @param {"opinion" | "proposal"} kind */
  async function send(key, body, kind) {
    controller = new AbortController();
    const { penalty_preview, preview } = view.server.urls;
    const answer = await ask(kind === "proposal" ? penalty_preview : preview, body, { signal: controller.signal });
    if (answer.kind === "superseded" || pending !== key) return;
    notice(answer.kind);
    const own = answer.kind === "unreachable" ? await (kind === "opinion" ? judge(view, body) : propose(view, body)) : null;
    if (pending !== key) return;
    pending = "";
    const found = own ?? answer.data;
    const isOk = Boolean(own) || answer.kind === "ok";
    const data = isOk && kind === "opinion" ? inWords(view, found, body.number) : found;
    view[kind] = { key, kind: isOk ? "ok" : answer.kind, data, problems: found?.problems ?? answer.problems };
    draw();
  }

  return {
    inquire,

    /** Scores moved, so that the payments in the last answer are old. */
    forget() {
      Object.assign(view, { opinion: null, proposal: null });
      pending = "";
    },
  };
}

// --- the engine on this device --------------------------------------------------------------------------------------
/** @type {Worker | null} */
let worker = null;
/** @type {Words | null} */
let words = null;
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
let questions = 0;
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

/**
 * What this device makes of a hand: as the server's preview answers; null when the engine cannot say.
 * @param {View} view @param {any} body the hand as it would be sent
 */
async function judge(view, body) {
  if (!worker || !words || !awake) return null;
  const seats = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.start, seat.player]));
  const { number, ...hand } = body;
  const lost = view.state.restraints.filter((/** @type {any} */ restraint) => restraint.hand === number && restraint.barred);
  const barred = Object.fromEntries(lost.map((/** @type {any} */ restraint) => [restraint.player, restraint.params]));
  const found = await put(view.setup.offline, { rules: words.rules, seats, number, hand, barred });
  return found && { ...found, problems: found.problems.map((/** @type {any} */ problem) => ({ ...problem, message: sentence(view, problem) })) };
}

/**
 * What the foul book costs by this device, as far as its scores go: what the server's preview answers, with fewer words.
 * @param {View} view @param {any} body the foul as it would be sent
 */
async function propose(view, body) {
  if (!worker || !words || !awake) return null;
  const { seats, penalties, session, fouled_elsewhere: elsewhere = {} } = view.state;
  const scores = Object.fromEntries(seats.map((/** @type {any} */ seat) => [seat.player, seat.score]));
  const here = penalties.filter((/** @type {any} */ penalty) => penalty.player === body.player && !penalty.cancelled);
  const earlier = [...here.map((/** @type {any} */ { key, hand }) => [key, hand, session]), ...(elsewhere[body.player] ?? [])];
  const { note, because, ...accusation } = body;
  const found = await put(view.setup.offline, { rules: words.rules, session, scores, earlier, accusation }, PATIENCE, "foul");
  if (!found) return null;
  const problems = found.problems.map((/** @type {any} */ problem) => ({ ...problem, message: sentence(view, problem) }));
  return { problems, proposal: found.proposal && costs(view, found.proposal) };
}

/** The sanction in words, and what it moves. @param {View} view @param {any} found as the engine answers */
function costs(view, { imposed, total, open, judgement, effects }) {
  const flags = view.setup.flags.filter((/** @type {any} */ flag) => imposed[flag.key]).map((/** @type {any} */ flag) => flag.text);
  const parts = joined([total && t("points_n", { points: total }), ...flags].filter(Boolean)) || t("discretion");
  const rows = view.state.seats.filter((/** @type {any} */ seat) => effects[seat.player]).map((/** @type {any} */ seat) => ({ player: seat.player, change: effects[seat.player], before: seat.score, after: seat.score + effects[seat.player] }));
  return { imposed, open, judgement, sanction: parts[0].toUpperCase() + parts.slice(1), reason: t("sanction_here"), paid: "", ladder: [], warnings: [], effects: rows, source: "", button: "" };
}

/** @param {any} offline @param {object} question @param {number} [patience] @param {"hand" | "foul"} [about] @returns {Promise<any>} */
function put({ pyodide, engines }, question, patience = PATIENCE, about = "hand") {
  const id = ++questions;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    if (patience !== FOREVER) window.setTimeout(() => resolve(null), patience);
    worker?.postMessage({ id, pyodide, engines, question, about });
  });
}

/** @param {View} view @param {{code: string, params: Record<string, string | number>}} problem */
function sentence(view, { code, params }) {
  const { verdict, tiles } = view.setup;
  const named = (/** @type {string} */ name) => (FANS.includes(name) ? verdict.fans : name === "tile" ? tiles : {});
  const values = Object.entries(params).map(([name, value]) => [name, named(name)[value] ?? value]);
  return filled(words?.sentences[code] ?? code, Object.fromEntries(values)).replace(/\{\{|\}\}/g, (two) => two[0]);
}

// --- the answer in words --------------------------------------------------------------------------------------------
/**
 * @param {View} view @param {any} found as the engine answers @param {number} number the hand it is about
 * @returns {any} with a receipt, payments and a comparison to be drawn
 */
function inWords(view, found, number) {
  const say = speaker(view);
  if ("outlook" in found) return { ...found, outlook: found.outlook && ahead(say, found.outlook) };
  return {
    ...found,
    receipt: found.score ? ofTiles(say, found.score) : ofFans(say, found.announced),
    payments: paid(view, found.payments, recorded({ state: view.server }, number)?.payments ?? {}),
    comparison: found.comparison && compared(say, found.comparison),
  };
}

/** @typedef {ReturnType<typeof speaker>} Speaker */

/** The words of the page. @param {View} view */
function speaker({ setup }) {
  const { fans, reasons, slips, clauses, why, counted } = setup.verdict;
  const plural = new Intl.PluralRules(document.documentElement.lang);
  const fan = (/** @type {string | null} */ key) => (key ? fans[key] ?? key : "");
  const tiles = (/** @type {string[]} */ codes) => joined(codes.map((code) => setup.tiles[code] ?? code));
  /** @param {any} rejected */
  const reason = (rejected) => filled(reasons[rejected.reason], { fan: fan(rejected.key), by: fan(rejected.by), tiles: tiles(rejected.tiles) });
  return {
    fan,
    reason,
    clause: (/** @type {string} */ clause) => clauses[clause] ?? clause,
    counted: (/** @type {string} */ key, /** @type {number} */ n, values = {}) => filled(counted[key][plural.select(n) === "one" ? 0 : 1], values),
    why: (/** @type {string} */ key, values = {}) => filled(why[key], values),
    /** @param {any} found */
    difference: (found) => [filled(slips[found.slip], { ...found, fan: fan(found.fan) }), found.because ? reason(found.because) : ""].filter(Boolean).join(" "),
  };
}

/** The lines, the sum, what was not counted, and why it is not enough; nothing for tiles that do not win. @param {Speaker} say @param {any} score */
function ofTiles(say, score) {
  if (!score.reading) return null;
  const enough = score.meets_minimum;
  const counts = score.fans.filter((/** @type {Counted} */ fan) => enough || fan.key !== FLOWERS); // MCR 39: flowers only once the hand stands
  return {
    lines: counts.map((/** @type {Counted} */ fan) => ({ ...line(say, fan), sets: sets(fan, score.reading.groups) })),
    not_counted: score.rejected.map((/** @type {any} */ rejected) => ({ key: rejected.key, name: say.fan(rejected.key), reason: say.reason(rejected), clause: say.clause(rejected.clause) })),
    points: score.counted_points,
    enough,
    ...(enough ? { title: "", why: "", note: "" } : shortfall(say, score)),
  };
}

/** @param {Speaker} say @param {any} announced */
function ofFans(say, announced) {
  if (!announced?.fans.length) return null;
  const lines = announced.fans.map((/** @type {Counted} */ fan) => ({ ...line(say, fan), sets: [] }));
  return { lines, not_counted: [], points: announced.points, enough: true, title: "", why: "", note: "" };
}

/** @param {Speaker} say @param {Counted} fan */
const line = (say, { key, points, count }) => ({ key, name: say.fan(key), points: points * count, count });

/** The tiles that make a fan, each set once, the lowest first. @param {Counted} fan @param {Group[]} groups */
function sets({ key, groups: places }, groups) {
  if (key === FLOWERS) return [[{ code: "f1" }]];
  const made = [...new Set(places.flat())].map((place) => groups[place]);
  made.sort((a, b) => (a.tiles[0] < b.tiles[0] ? -1 : Number(a.tiles[0] > b.tiles[0])));
  return made.map((group) => (group.form === "kong" ? lies(group) : group.tiles.map((code) => ({ code }))));
}

/** @param {Speaker} say @param {any} score */
function shortfall(say, { points, points_without_flowers: without, minimum, flowers }) {
  const why = [say.why("minimum", { minimum }), flowers && points >= minimum ? say.why("flowers") : ""];
  return {
    title: say.counted("short", without, { points: without, missing: minimum - without, minimum }),
    why: why.filter(Boolean).join(" "),
    note: flowers ? say.counted("flowers", flowers) : "",
  };
}

/** The winner first, then who pays most. @param {View} view @param {Record<string, number>} changes @param {Record<string, number>} replaced what the version that a correction replaces has moved already */
function paid(view, changes, replaced) {
  const scores = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.player, seat.score]));
  const rows = Object.entries(changes).map(([player, change]) => ({
    player: Number(player),
    change,
    before: scores[player],
    after: scores[player] + change - (replaced[player] ?? 0),
  }));
  return rows.sort((a, b) => Number(a.change <= 0) - Number(b.change <= 0) || a.change - b.change);
}

/** @param {Speaker} say @param {any} found */
function compared(say, found) {
  const rows = found.rows.map((/** @type {[string, number | null, number]} */ [fan, announced, counted]) => ({ name: say.fan(fan), announced, counted }));
  return { ...found, rows, sentences: found.differences.map(say.difference) };
}

/** "Mixed Straight 8, All Types 6" @param {Speaker} say @param {any} outlook */
function ahead(say, { score, tiles }) {
  const text = joined(score.fans.map((/** @type {Counted} */ fan) => `${say.fan(fan.key)} ${fan.points * fan.count}`));
  return { points: score.points, tiles, enough: score.meets_minimum, text };
}
