// A judged hand in words. The server and the engine on this device answer alike, in codes (tournament/play/engine/opinion.py);
// here they become what the screens show, so that no screen knows which of the two has spoken.

import { filled, joined, lies } from "./dom.js";
import { recorded } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{key: string, points: number, count: number, groups: number[][]}} Counted */
/** @typedef {{form: string, tiles: string[], concealed: boolean}} Group */

const FLOWERS = "flower_tiles";

/**
 * @param {View} view @param {any} found as the engine answers @param {number} number the hand it is about
 * @returns {any} with a receipt, payments and a comparison to be drawn
 */
export function inWords(view, found, number) {
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
  /** @param {any} one */
  const reason = (one) => filled(reasons[one.reason], { fan: fan(one.key), by: fan(one.by), tiles: tiles(one.tiles) });
  return {
    fan,
    reason,
    clause: (/** @type {string} */ clause) => clauses[clause] ?? clause,
    counted: (/** @type {string} */ key, /** @type {number} */ n, values = {}) => filled(counted[key][plural.select(n) === "one" ? 0 : 1], values),
    why: (/** @type {string} */ key, values = {}) => filled(why[key], values),
    /** @param {any} one */
    difference: (one) => [filled(slips[one.slip], { ...one, fan: fan(one.fan) }), one.because ? reason(one.because) : ""].filter(Boolean).join(" "),
  };
}

/** The lines, the sum, what was not counted, and why it is not enough; nothing for tiles that do not win. @param {Speaker} say @param {any} score */
function ofTiles(say, score) {
  if (!score.reading) return null;
  const enough = score.meets_minimum;
  const counts = score.fans.filter((/** @type {Counted} */ fan) => enough || fan.key !== FLOWERS); // MCR 39: flowers only once the hand stands
  return {
    lines: counts.map((/** @type {Counted} */ fan) => ({ ...line(say, fan), sets: sets(fan, score.reading.groups) })),
    not_counted: score.rejected.map((/** @type {any} */ one) => ({ key: one.key, name: say.fan(one.key), reason: say.reason(one), clause: say.clause(one.clause) })),
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
  made.sort((one, other) => (one.tiles[0] < other.tiles[0] ? -1 : Number(one.tiles[0] > other.tiles[0])));
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
  return rows.sort((one, other) => Number(one.change <= 0) - Number(other.change <= 0) || one.change - other.change);
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
