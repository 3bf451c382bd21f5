// Previews of hands and fouls while they are entered: from the server or, without it, from the engine on this device. Both
// answer with codes (tournament/play/engine/preview.py), for which this module fills in the texts. Where the engine cannot run,
// hands are taken unchecked and fouls without their cost.

import { request } from "./api.js";
import { chooseForm, fillTemplate, joinList, layMeld, t } from "./dom.js";
import { foulRequest, withoutReasons } from "./screens/foul.js";
import { isFolded, nameOf, previewRequest, recordedHand } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{rules: object, sentences: Record<string, string>}} Words */
/** @typedef {{key: string, points: number, count: number, groups: number[][]}} Counted */
/** @typedef {{form: string, tiles: string[], concealed: boolean}} Group */

const TYPING_PAUSE = 120;
const FANS = ["fan", "by", "other"]; // parameters of problems that are keys of fans
const TIMEOUT = 20_000;
const FLOWERS = "flower_tiles";

/**
 * @param {View} view @param {() => void} draw
 * @param {(kind: string) => void} onAnswer is called with the kind of every answer, which tells whether there is a network
 */
export function createPreviewer(view, draw, onAnswer) {
  /** @type {AbortController | null} */
  let controller = null;
  let pending = "";
  let pause = 0;

  /** Request a preview of what is on the screen, unless there is one or it is on its way. */
  function refreshPreview() {
    const body = view.route.name === "foul" ? foulRequest(view) : previewRequest(view);
    const kind = view.route.name === "foul" ? "proposal" : "preview";
    const about = kind === "proposal" && body ? withoutReasons(body) : body;
    const key = about ? JSON.stringify(about) : "";
    if (key && key === pending) return;
    controller?.abort();
    window.clearTimeout(pause);
    pending = "";
    if (!key || view[kind]?.key === key) return; // what was on its way would replace the right one
    pending = key;
    const wait = isFolded(view) ? 0 : TYPING_PAUSE;
    pause = window.setTimeout(() => void send(key, about, kind), wait);
  }

  /** @param {string} key @param {any} body @param {"preview" | "proposal"} kind */
  async function send(key, body, kind) {
    controller = new AbortController();
    const { penalty_preview, preview } = view.server.urls;
    const answer = await request(kind === "proposal" ? penalty_preview : preview, body, { signal: controller.signal });
    if (answer.kind === "superseded" || pending !== key) return;
    onAnswer(answer.kind);
    const local = answer.kind === "unreachable" ? await (kind === "preview" ? judge(view, body) : propose(view, body)) : null;
    if (pending !== key) return;
    pending = "";
    const result = local ?? answer.data;
    const isOk = Boolean(local) || answer.kind === "ok";
    const data = isOk && kind === "preview" ? toWords(view, result, body.number) : result;
    view[kind] = { key, kind: isOk ? "ok" : answer.kind, data, problems: result?.problems ?? answer.problems };
    draw();
  }

  return {
    refreshPreview: refreshPreview,

    /** Drop the previews, because scores have changed. */
    invalidate() {
      Object.assign(view, { preview: null, proposal: null });
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
let isReady = false; // Python has loaded

/** Load the engine in the background. @param {any} setup @param {() => void} ready */
export function loadEngine(setup, ready) {
  void startWorker(setup).then(ready);
}

/** @param {any} setup */
async function startWorker({ offline }) {
  try {
    const response = await fetch(offline.words, { credentials: "same-origin" });
    words = response.ok ? await response.json() : null;
    worker = words && new Worker(offline.worker, { type: "module" });
  } catch {
    worker = null; // an old browser, or no network
  }
  if (worker && words) await startEngine(offline, worker, words);
  document.documentElement.dataset.engine = isReady ? "ready" : "none";
}

/** Start the engine with a first question. @param {any} offline @param {Worker} thread @param {Words} words */
async function startEngine(offline, thread, { rules }) {
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
  const first = await askEngine(offline, { rules, seats: { E: 1, S: 2, W: 3, N: 4 }, number: 1, hand: { outcome: "draw" } }, Infinity);
  isReady = first !== null;
}

/**
 * Judge a hand on this device, like the server's preview; null if the engine is not available.
 * @param {View} view @param {any} body the hand as it would be sent
 */
async function judge(view, body) {
  if (!worker || !words || !isReady) return null;
  const seats = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.start, seat.player]));
  const { number, ...hand } = body;
  const barring = view.state.restraints.filter((/** @type {any} */ restraint) => restraint.hand === number && restraint.barred);
  const barred = Object.fromEntries(barring.map((/** @type {any} */ restraint) => [restraint.player, restraint.params]));
  const result = await askEngine(view.setup.offline, { rules: words.rules, seats, number, hand, barred });
  return result && { ...result, problems: result.problems.map((/** @type {any} */ problem) => ({ ...problem, message: sentence(view, problem) })) };
}

/**
 * Propose a sanction on this device, like the server's preview with fewer texts; null if the engine is not available.
 * @param {View} view @param {any} body the foul as it would be sent
 */
async function propose(view, body) {
  if (!worker || !words || !isReady) return null;
  const { seats, penalties, session, fouled_elsewhere: elsewhere = {} } = view.state;
  const scores = Object.fromEntries(seats.map((/** @type {any} */ seat) => [seat.player, seat.score]));
  const here = penalties.filter((/** @type {any} */ penalty) => penalty.player === body.player && !penalty.cancelled);
  const earlier = [...here.map((/** @type {any} */ { key, hand }) => [key, hand, session]), ...(elsewhere[body.player] ?? [])];
  const { note, because, ...accusation } = body;
  const result = await askEngine(view.setup.offline, { rules: words.rules, session, scores, earlier, accusation }, TIMEOUT, "foul");
  if (!result) return null;
  const problems = result.problems.map((/** @type {any} */ problem) => ({ ...problem, message: sentence(view, problem) }));
  return { problems, proposal: result.proposal && proposalInWords(view, result.proposal, nameOf(view, body.player)) };
}

/** Add texts and changes of scores to a proposal. @param {View} view @param {any} proposal as the engine answers @param {string} name of the player */
function proposalInWords(view, { imposed, total, open, judgement, grave, effects }, name) {
  const flags = view.setup.flags.filter((/** @type {any} */ flag) => imposed[flag.key]).map((/** @type {any} */ flag) => flag.text);
  const parts = joinList([total && t("points_n", { points: total }, total), ...flags].filter(Boolean)) || t("discretion");
  const rows = view.state.seats.filter((/** @type {any} */ seat) => effects[seat.player]).map((/** @type {any} */ seat) => ({ player: seat.player, change: effects[seat.player], before: seat.score, after: seat.score + effects[seat.player] }));
  return { imposed, open, judgement, grave, sanction: parts[0].toUpperCase() + parts.slice(1), reason: t("sanction_here"), book: "", paid: "", ladder: [], warnings: [], effects: rows, source: "", button: t("penalise", { name, sanction: parts }) };
}

/** @param {any} offline @param {object} question @param {number} [timeout] @param {"hand" | "foul"} [about] @returns {Promise<any>} */
function askEngine({ pyodide, engines }, question, timeout = TIMEOUT, about = "hand") {
  const id = ++questions;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    if (timeout !== Infinity) window.setTimeout(() => resolve(null), timeout);
    worker?.postMessage({ id, pyodide, engines, question, about });
  });
}

/** @param {View} view @param {{code: string, params: Record<string, string | number>}} problem */
function sentence(view, { code, params }) {
  const { verdict, tiles } = view.setup;
  const namesOf = (/** @type {string} */ name) => (FANS.includes(name) ? verdict.fans : name === "tile" ? tiles : {});
  const values = Object.entries(params).map(([name, value]) => [name, namesOf(name)[value] ?? value]);
  const text = words?.sentences[code] ?? code;
  const template = typeof text === "string" ? text : chooseForm(text, params[text[2]]);
  return fillTemplate(template, Object.fromEntries(values)).replace(/\{\{|\}\}/g, (two) => two[0]);
}

// --- texts of an answer ---------------------------------------------------------------------------------------------
/**
 * @param {View} view @param {any} answer as the engine answers @param {number} number the hand it is about
 * @returns {any} with a receipt, payments and a comparison to be drawn
 */
function toWords(view, answer, number) {
  const texts = createTexts(view);
  if ("outlook" in answer) return { ...answer, outlook: answer.outlook && outlookInWords(texts, answer.outlook) };
  return {
    ...answer,
    receipt: answer.score ? tilesReceipt(texts, answer.score) : fansReceipt(texts, answer.announced),
    payments: paymentRows(view, answer.payments, recordedHand({ state: view.server }, number)?.payments ?? {}),
    comparison: answer.comparison && comparisonInWords(texts, answer.comparison),
  };
}

/** @typedef {ReturnType<typeof createTexts>} Texts */

/** Functions that fill in texts by code. @param {View} view */
function createTexts({ setup }) {
  const { fans, reasons, slips, clauses, why, counted } = setup.verdict;
  const fan = (/** @type {string | null} */ key) => (key ? fans[key] ?? key : "");
  const tiles = (/** @type {string[]} */ codes) => joinList(codes.map((code) => setup.tiles[code] ?? code));
  /** @param {any} rejected */
  const reason = (rejected) => fillTemplate(reasons[rejected.reason], { fan: fan(rejected.key), by: fan(rejected.by), tiles: tiles(rejected.tiles) });
  return {
    fan,
    reason,
    clause: (/** @type {string} */ clause) => clauses[clause] ?? clause,
    counted: (/** @type {string} */ key, /** @type {number} */ n, values = {}) => fillTemplate(chooseForm(counted[key], n), values),
    why: (/** @type {string} */ key, values = {}) => fillTemplate(why[key], values),
    /** @param {any} difference */
    difference: (difference) => [fillTemplate(slips[difference.slip], { ...difference, fan: fan(difference.fan) }), difference.because ? reason(difference.because) : ""].filter(Boolean).join(" "),
  };
}

/** The receipt of tiles; null for tiles that do not win. @param {Texts} texts @param {any} score */
function tilesReceipt(texts, score) {
  if (!score.reading) return null;
  const enough = score.meets_minimum;
  const counts = score.fans.filter((/** @type {Counted} */ fan) => enough || fan.key !== FLOWERS); // MCR 39: flowers only once the hand stands
  return {
    lines: counts.map((/** @type {Counted} */ fan) => ({ ...line(texts, fan), sets: sets(fan, score.reading.groups) })),
    not_counted: score.rejected.map((/** @type {any} */ rejected) => ({ key: rejected.key, name: rejected.also_counted ? t("another_fan", { fan: texts.fan(rejected.key) }) : texts.fan(rejected.key), reason: texts.reason(rejected), clause: texts.clause(rejected.clause) })),
    points: score.counted_points,
    enough,
    ...(enough ? { title: "", why: "", note: "" } : shortfall(texts, score)),
  };
}

/** @param {Texts} texts @param {any} announced */
function fansReceipt(texts, announced) {
  if (!announced?.fans.length) return null;
  const lines = announced.fans.map((/** @type {Counted} */ fan) => ({ ...line(texts, fan), sets: [] }));
  return { lines, not_counted: [], points: announced.points, enough: true, title: "", why: "", note: "" };
}

/** @param {Texts} texts @param {Counted} fan */
const line = (texts, { key, points, count }) => ({ key, name: texts.fan(key), points: points * count, count });

/** The sets that make a fan, lowest first. @param {Counted} fan @param {Group[]} groups */
function sets({ key, groups: places }, groups) {
  if (key === FLOWERS) return [[{ code: "f1" }]];
  const parts = [...new Set(places.flat())].map((place) => groups[place]);
  parts.sort((a, b) => (a.tiles[0] < b.tiles[0] ? -1 : Number(a.tiles[0] > b.tiles[0])));
  return parts.map((group) => (group.form === "kong" ? layMeld(group) : group.tiles.map((code) => ({ code }))));
}

/** @param {Texts} texts @param {any} score */
function shortfall(texts, { points, points_without_flowers: without, minimum, flowers }) {
  const why = [texts.why("minimum", { minimum }), flowers && points >= minimum ? texts.why("flowers") : ""];
  return {
    title: texts.counted("short", without, { points: without, missing: minimum - without, minimum }),
    why: why.filter(Boolean).join(" "),
    note: flowers ? texts.counted("flowers", flowers) : "",
  };
}

/** Rows of payments: the winner first, then by amount. @param {View} view @param {Record<string, number>} changes @param {Record<string, number>} replaced payments of the version that a correction replaces */
function paymentRows(view, changes, replaced) {
  const scores = Object.fromEntries(view.state.seats.map((/** @type {any} */ seat) => [seat.player, seat.score]));
  const rows = Object.entries(changes).map(([player, change]) => ({
    player: Number(player),
    change,
    before: scores[player],
    after: scores[player] + change - (replaced[player] ?? 0),
  }));
  return rows.sort((a, b) => Number(a.change <= 0) - Number(b.change <= 0) || a.change - b.change);
}

/** @param {Texts} texts @param {any} comparison */
function comparisonInWords(texts, comparison) {
  const rows = comparison.rows.map((/** @type {[string, number | null, number]} */ [fan, announced, counted]) => ({ name: texts.fan(fan), announced, counted }));
  return { ...comparison, rows, sentences: comparison.differences.map(texts.difference) };
}

/** "Mixed Straight 8, All Types 6" @param {Texts} texts @param {any} outlook */
function outlookInWords(texts, { score, tiles }) {
  const text = joinList(score.fans.map((/** @type {Counted} */ fan) => `${texts.fan(fan.key)} ${fan.points * fan.count}`));
  return { points: score.points, tiles, enough: score.meets_minimum, text };
}
