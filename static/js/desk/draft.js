// A hand being entered: plain data and the steps that change it. No screen, no network; every step gives a new draft.

import { announcedBy, hasFans, overrideBy } from "./declaration.js";

/** @typedef {{type: "chow" | "pung" | "kong", tiles: string[], concealed: boolean}} Meld */
/** @typedef {"points" | "fans" | "tiles"} Depth */
/** @typedef {"tile" | "chow" | "pung" | "kong" | "concealed_kong"} Mode */
/**
 * @typedef {object} Draft
 * @property {number} number   which hand of the session
 * @property {number} basis    the version being corrected; 0 for a hand that is new
 * @property {"win" | "draw" | null} outcome
 * @property {number | null} winner
 * @property {number | null} discarder
 * @property {boolean} decided  the way of winning is said: a discarder, or self-drawn
 * @property {Depth} by         what is entered of a win
 * @property {number} points    as announced; 0: not said
 * @property {Record<string, number>} fans  as announced, key to times; empty: not said
 * @property {boolean} overrides  what was announced counts, against the tiles or below the minimum
 * @property {string} override  why it does
 * @property {number[]} claimants  who else claimed the winning discard
 * @property {number[] | null} absent  whose seats were empty; null: nobody's was noted
 * @property {boolean} claiming  a tap on a seat means one who claimed too
 * @property {Meld[]} melds
 * @property {string[]} held    unmelded tiles as entered
 * @property {number | null} wonOn  place in `held` of the winning tile; null: the last one entered
 * @property {number} flowers
 * @property {Record<string, boolean>} flags
 * @property {Mode} mode
 * @property {boolean} changing  the keyboard stays although the hand is complete
 * @property {string} reason
 * @property {{uuid: string, body: string} | null} sent  the name under which this very content was sent
 */

export const SIZE = 14;
export const FLAGS = ["last_of_kind", "last_tile_of_wall", "replacement", "robbing_kong"];
export const MOST_FLOWERS = 8;
const MOST_POINTS = 1000; // three digits; the server says which of them make sense

/** @param {number} number @param {number} [basis] @returns {Draft} */
export function emptyDraft(number, basis = 0) {
  return {
    number,
    basis,
    outcome: null,
    winner: null,
    discarder: null,
    decided: false,
    by: "tiles",
    points: 0,
    fans: {},
    overrides: false,
    override: "",
    claimants: [],
    absent: null,
    claiming: false,
    melds: [],
    held: [],
    wonOn: null,
    flowers: 0,
    flags: {},
    mode: "tile",
    changing: false,
    reason: "",
    sent: null,
  };
}

/** A draft that repeats a recorded hand, to be corrected. @param {any} hand @returns {Draft} */
export function draftOf(hand) {
  const draft = emptyDraft(hand.number, hand.version);
  const tiles = hand.tiles ?? { concealed: [], melds: [], flowers: 0 };
  const held = [...tiles.concealed];
  if (tiles.winning_tile) held.splice(held.indexOf(tiles.winning_tile), 1);
  return {
    ...draft,
    outcome: hand.outcome,
    winner: hand.winner,
    discarder: hand.discarder,
    decided: hand.outcome === "win",
    by: depthOf(hand),
    points: hand.announced?.points ?? 0,
    fans: hand.announced?.fans ?? {},
    overrides: Boolean(hand.override),
    override: hand.override,
    claimants: hand.claimants,
    absent: hand.absent.length ? hand.absent : null,
    melds: tiles.melds.map((/** @type {Meld} */ meld) => ({ type: meld.type, tiles: meld.tiles, concealed: Boolean(meld.concealed) })),
    held: tiles.winning_tile ? [...held, tiles.winning_tile] : held,
    flowers: tiles.flowers ?? 0,
    flags: Object.fromEntries(FLAGS.filter((flag) => tiles[flag]).map((flag) => [flag, true])),
  };
}

/** How much of a recorded hand is written down. @param {any} hand @returns {Depth} */
export function depthOf(hand) {
  if (hand.tiles || hand.outcome !== "win") return "tiles";
  return hand.announced?.fans ? "fans" : "points";
}

/** @param {Draft} draft */
export const isTouched = (draft) => draft.outcome !== null || draft.held.length + draft.melds.length + draft.flowers > 0;

/** A win of which only the points are entered. @param {Draft} draft */
export const byPoints = (draft) => draft.outcome !== "draw" && draft.by === "points";

/** A win of which only the fans are entered. @param {Draft} draft */
export const byFans = (draft) => draft.outcome !== "draw" && draft.by === "fans";

/** A win without tiles. @param {Draft} draft */
export const isAnnounced = (draft) => byPoints(draft) || byFans(draft);

/** Whether all there is to enter at this depth is entered. @param {Draft} draft */
export const isWhole = (draft) => (byPoints(draft) ? draft.points > 0 : byFans(draft) ? hasFans(draft) : isComplete(draft));

/** Tiles so far, a kong counted as three. @param {Draft} draft */
export const count = (draft) => draft.held.length + 3 * draft.melds.length;

/** @param {Draft} draft */
export const isComplete = (draft) => count(draft) === SIZE;

/** @param {Draft} draft */
export const selfDrawn = (draft) => draft.decided && draft.discarder === null;

/** The place of the winning tile in `held`, -1 while tiles are missing. @param {Draft} draft */
export const winningPlace = (draft) => (isComplete(draft) ? draft.wonOn ?? draft.held.length - 1 : -1);

/** @param {Draft} draft @returns {string | undefined} */
export const winningTile = (draft) => draft.held[winningPlace(draft)];

// --- who ------------------------------------------------------------------------------------------------------------
/** One tap on a seat: the winner, then the discarder; the winner again is self-drawn. @param {Draft} draft @param {number} player */
export function tapSeat(draft, player) {
  if (draft.winner === null || draft.decided || draft.outcome !== "win") {
    return { ...draft, outcome: /** @type {const} */ ("win"), winner: player, discarder: null, decided: false, claimants: [], claiming: false };
  }
  return { ...draft, discarder: player === draft.winner ? null : player, decided: true };
}

/** @param {Draft} draft @returns {Draft} */
export function toggleSelfDrawn(draft) {
  if (draft.winner === null) return draft;
  return selfDrawn(draft) ? { ...draft, decided: false } : { ...draft, discarder: null, decided: true, claimants: [], claiming: false };
}

/** @param {Draft} draft @returns {Draft} */
export function toggleWashOut(draft) {
  if (draft.outcome === "draw") return { ...draft, outcome: draft.winner === null ? null : "win" };
  return { ...draft, outcome: "draw" };
}

/** A list with one more, or one fewer. @param {number[]} list @param {number} one */
export const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one].sort((a, b) => a - b));

// --- points ---------------------------------------------------------------------------------------------------------
/** @param {Draft} draft @param {number} digit @returns {Draft} */
export function addDigit(draft, digit) {
  const points = draft.points * 10 + digit;
  return points < MOST_POINTS ? { ...draft, points } : draft;
}

/** @param {Draft} draft @returns {Draft} */
export const removeDigit = (draft) => ({ ...draft, points: Math.trunc(draft.points / 10) });

// --- on the wire ----------------------------------------------------------------------------------------------------
/** The hand as the server reads it. @param {Draft} draft */
export function handOf(draft) {
  const absent = draft.absent ? { absent: draft.absent } : {};
  if (draft.outcome === "draw") return { outcome: "draw", ...absent };
  const who = { outcome: "win", winner: draft.winner, discarder: draft.discarder, ...absent, ...(draft.claimants.length ? { claimants: draft.claimants } : {}) };
  if (isAnnounced(draft)) return { ...who, ...announcedBy(draft), ...overrideBy(draft) };
  const tiles = {
    concealed: draft.held,
    melds: draft.melds,
    winning_tile: winningTile(draft),
    flowers: draft.flowers,
    ...Object.fromEntries(FLAGS.map((flag) => [flag, Boolean(draft.flags[flag])])),
  };
  return { ...who, tiles, ...announcedBy(draft), ...overrideBy(draft) };
}

/** The hand as the server is asked about it: why something is overridden changes nothing in the answer. @param {Draft} draft */
export const askedOf = (draft) => ({ number: draft.number, ...handOf(draft.overrides ? { ...draft, override: "…" } : draft) });

/**
 * Give this very content its own name: the same content sent again is the same write, a changed one is another.
 * @param {Draft} draft @returns {Draft & {sent: {uuid: string, body: string}}}
 */
export function named(draft) {
  const body = JSON.stringify([draft.number, draft.basis, handOf(draft), draft.reason]);
  return { ...draft, sent: draft.sent?.body === body ? draft.sent : { uuid: newUuid(), body } };
}

/** crypto.randomUUID exists on https and localhost only, and a hall may run on neither. @returns {string} */
export function newUuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** Whether a recorded hand says the same as the draft. @param {Draft} draft @param {any} hand */
export function sameAs(draft, hand) {
  const mine = { ...draft, sent: null };
  const key = (/** @type {Draft} */ one) => {
    const { absent, ...said } = handOf(one); // of a new hand the server knows it anyway
    const empty = draft.basis ? absent ?? [] : [];
    const { tiles } = said;
    if (!tiles) return JSON.stringify({ ...said, empty, fans: Object.entries(said.fans ?? {}).sort() });
    const melds = tiles.melds.map((meld) => `${meld.type}${meld.concealed}${[...meld.tiles].sort()}`).sort();
    const flags = FLAGS.filter((flag) => one.flags[flag]);
    const announced = [said.points, said.override, said.claimants, Object.entries(said.fans ?? {}).sort()];
    return JSON.stringify([said.winner, said.discarder, empty, announced, [...tiles.concealed].sort(), melds, tiles.winning_tile, tiles.flowers, flags]);
  };
  return key(mine) === key(draftOf(hand));
}
