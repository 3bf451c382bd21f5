// A hand being entered: plain data, and pure functions that read it or return a changed copy.

/** @typedef {{type: "chow" | "pung" | "kong", tiles: string[], concealed: boolean}} Meld */
/** @typedef {"points" | "fans" | "tiles"} Depth */
/** @typedef {"tile" | "chow" | "pung" | "kong" | "concealed_kong"} Mode */
/**
 * @typedef {object} Draft
 * @property {number} number   which hand of the session
 * @property {number} basis    the version being corrected; 0 for a new hand
 * @property {"win" | "draw" | "pending" | null} outcome  pending: disputed, the committee has to rule
 * @property {number | null} winner
 * @property {number | null} discarder
 * @property {boolean} decided  the way of winning is known: a discarder, or self-drawn
 * @property {Depth} by         what is entered of a win
 * @property {number} points    as announced; 0: none
 * @property {boolean} overtypes  the next digit replaces the points
 * @property {Record<string, number>} fans  as announced, key to times; empty: none
 * @property {boolean} overrides  the announcement counts against the tiles or below the minimum
 * @property {string} override  the reason
 * @property {number[]} claimants  who else claimed the winning discard; who claims a disputed hand
 * @property {string} dispute   what each side of a disputed hand claims
 * @property {number[] | null} absent  players whose seats were empty; null for none
 * @property {boolean} claiming  a tap on a seat toggles a claimant
 * @property {Meld[]} melds
 * @property {string[]} held    unmelded tiles as entered
 * @property {number | null} wonOn  place in `held` of the winning tile; null: the last one entered
 * @property {number} flowers
 * @property {Record<string, boolean>} flags
 * @property {Mode} mode
 * @property {boolean} changing  the keyboard stays open although the hand is complete
 * @property {string} reason
 * @property {{uuid: string, body: string} | null} sent  the uuid under which this content was sent
 */

export const SIZE = 14;
export const FLAGS = ["last_of_kind", "last_tile_of_wall", "replacement", "robbing_kong"];
export const MAX_FLOWERS = 8;
const HONOURS = "ESWNCFP";
const MAX_POINTS = 1000; // three digits; the server checks the rest

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
    overtypes: false,
    fans: {},
    overrides: false,
    override: "",
    claimants: [],
    dispute: "",
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

/** Return a draft to correct a recorded hand. @param {any} hand @returns {Draft} */
export function draftOf(hand) {
  const draft = emptyDraft(hand.number, hand.version);
  const tiles = hand.tiles ?? { concealed: [], melds: [], flowers: 0 };
  const concealed = [...tiles.concealed];
  if (tiles.winning_tile) concealed.splice(concealed.indexOf(tiles.winning_tile), 1);
  return {
    ...draft,
    outcome: hand.outcome,
    winner: hand.winner,
    discarder: hand.discarder,
    decided: hand.outcome === "win",
    by: depthOf(hand),
    points: hand.announced?.points ?? 0,
    overtypes: true,
    fans: hand.announced?.fans ?? {},
    overrides: Boolean(hand.override),
    override: hand.override,
    claimants: hand.claimants,
    dispute: hand.dispute ?? "",
    absent: hand.absent.length ? hand.absent : null,
    melds: tiles.melds.map((/** @type {Meld} */ meld) => ({ type: meld.type, tiles: meld.tiles, concealed: Boolean(meld.concealed) })),
    held: tiles.winning_tile ? [...concealed, tiles.winning_tile] : concealed,
    flowers: tiles.flowers ?? 0,
    flags: Object.fromEntries(FLAGS.filter((flag) => tiles[flag]).map((flag) => [flag, true])),
  };
}

/** The depth at which a hand was recorded. @param {any} hand @returns {Depth} */
function depthOf(hand) {
  if (hand.tiles || hand.outcome !== "win") return "tiles";
  return hand.announced?.fans ? "fans" : "points";
}

/** @param {Draft} draft */
export const isTouched = (draft) => draft.outcome !== null || draft.held.length + draft.melds.length + draft.flowers > 0;

/** Whether somebody has won, or may still be chosen. @param {Draft} draft */
const mayBeWon = (draft) => draft.outcome === "win" || draft.outcome === null;

/** Whether only the points of a win are entered. @param {Draft} draft */
export const byPoints = (draft) => mayBeWon(draft) && draft.by === "points";

/** Whether only the fans of a win are entered. @param {Draft} draft */
export const byFans = (draft) => mayBeWon(draft) && draft.by === "fans";

/** Whether a win is entered without tiles. @param {Draft} draft */
export const isAnnounced = (draft) => byPoints(draft) || byFans(draft);

/** Whether any fan was named. @param {Draft} draft */
export const hasFans = (draft) => Object.keys(draft.fans).length > 0;

/** Number of tiles entered, a kong counted as three. @param {Draft} draft */
export const countTiles = (draft) => draft.held.length + 3 * draft.melds.length;

/** @param {Draft} draft */
export const isComplete = (draft) => countTiles(draft) === SIZE;

/** Whether everything is entered at this depth. @param {Draft} draft */
export const isFilled = (draft) => (byPoints(draft) ? draft.points > 0 : byFans(draft) ? hasFans(draft) : isComplete(draft));

/** @param {Draft} draft */
export const isSelfDrawn = (draft) => draft.decided && draft.discarder === null;

/** Index of the winning tile in `held`, -1 while tiles are missing. @param {Draft} draft */
export const winningPlace = (draft) => (isComplete(draft) ? draft.wonOn ?? draft.held.length - 1 : -1);

/** @param {Draft} draft @returns {string | undefined} */
export const winningTile = (draft) => draft.held[winningPlace(draft)];

// --- winner, discarder and claimants --------------------------------------------------------------------------------
/** Handle a tap on a seat: first the winner, then the discarder; the winner again for self-drawn. @param {Draft} draft @param {number} player */
export function tapSeat(draft, player) {
  if (draft.winner === null || draft.decided || draft.outcome !== "win") {
    return { ...draft, outcome: /** @type {const} */ ("win"), winner: player, discarder: null, decided: false, claimants: [], claiming: false };
  }
  return { ...draft, discarder: player === draft.winner ? null : player, decided: true };
}

/** @param {Draft} draft @returns {Draft} */
export function toggleSelfDrawn(draft) {
  if (draft.winner === null) return draft;
  return isSelfDrawn(draft) ? { ...draft, decided: false } : { ...draft, discarder: null, decided: true, claimants: [], claiming: false };
}

/** @param {Draft} draft @returns {Draft} */
export function toggleWashOut(draft) {
  if (draft.outcome === "draw") return { ...draft, outcome: draft.winner === null ? null : "win" };
  return { ...draft, outcome: "draw" };
}

/** The hand as disputed: whoever was entered as winner or claimant claims it, and the tiles stay. @param {Draft} draft @returns {Draft} */
export function asDisputed(draft) {
  if (draft.outcome === "pending") return draft;
  const claimants = draft.outcome === "win" && draft.winner !== null ? [draft.winner, ...draft.claimants] : [];
  return { ...draft, outcome: "pending", winner: null, discarder: null, decided: false, claiming: false, claimants };
}

/** A disputed hand to be ruled on: who won is open again, and the tiles stay. @param {Draft} draft @returns {Draft} */
export const asUndecided = (draft) => (draft.outcome === "pending" ? { ...draft, outcome: null, claimants: [], dispute: "" } : draft);

/**
 * Add or remove a claimant of the discard. The winner is the first in turn of those who may win.
 * @param {Draft} draft @param {number} player @param {number[]} turn  the players in the order of the turn
 * @param {(player: number) => boolean} isBarred whether somebody may not win @returns {Draft}
 */
export function tapClaimant(draft, player, turn, isBarred) {
  if (draft.winner === null || draft.discarder === null || player === draft.discarder) return draft;
  const all = [draft.winner, ...draft.claimants];
  const claiming = all.includes(player) ? all.filter((other) => other !== player) : [...all, player];
  if (!claiming.length) return draft;
  const start = turn.indexOf(draft.discarder);
  const place = (/** @type {number} */ claimant) => (turn.indexOf(claimant) - start + turn.length) % turn.length;
  const [winner, ...claimants] = claiming.sort((a, b) => Number(isBarred(a)) - Number(isBarred(b)) || place(a) - place(b));
  return { ...draft, winner, claimants };
}

/** Add an item to a sorted list, or remove it. @param {number[]} list @param {number} item */
export const toggle = (list, item) => (list.includes(item) ? list.filter((other) => other !== item) : [...list, item].sort((a, b) => a - b));

// --- announced points and fans --------------------------------------------------------------------------------------
/** @param {Draft} draft @param {number} digit @returns {Draft} */
export function addDigit(draft, digit) {
  const points = (draft.overtypes ? 0 : draft.points * 10) + digit;
  return points < MAX_POINTS ? { ...draft, points, overtypes: false } : draft;
}

/** @param {Draft} draft @returns {Draft} */
export const removeDigit = (draft) => ({ ...draft, points: Math.trunc(draft.points / 10), overtypes: false });

/** Count a fan once more, and remove those it replaces. @param {Draft} draft @param {string} key @param {string[]} [instead] @returns {Draft} */
export function addFan(draft, key, instead = []) {
  const remaining = Object.entries(draft.fans).filter(([other]) => !instead.includes(other));
  return { ...draft, fans: { ...Object.fromEntries(remaining), [key]: (draft.fans[key] ?? 0) + 1 } };
}

/** @param {Draft} draft @param {string} key @returns {Draft} */
export function removeFan(draft, key) {
  const { [key]: times = 0, ...rest } = draft.fans;
  return { ...draft, fans: times > 1 ? { ...draft.fans, [key]: times - 1 } : rest };
}

/**
 * Add the fan that every self-drawn hand has, unless another fan implies it; remove it when it no longer applies.
 * @param {Draft} draft @param {{key: string, won: string, follows: boolean}[]} fans  those of the rulebook @returns {Draft}
 */
export function withImpliedFan(draft, fans) {
  const drawn = draft.by === "fans" && isSelfDrawn(draft);
  const isPicked = fans.some((fan) => fan.won === "drawn" && draft.fans[fan.key]);
  const implied = fans.find((fan) => fan.follows)?.key;
  if (!implied || (drawn && isPicked)) return draft;
  if (drawn) return { ...draft, fans: { ...draft.fans, [implied]: 1 } };
  const isOnlyFan = Object.keys(draft.fans).length === 1;
  return draft.fans[implied] && (isOnlyFan || draft.by === "fans") ? removeFan(draft, implied) : draft;
}

/** Remove the announcement and its override. @param {Draft} draft @returns {Draft} */
export const withoutAnnouncement = (draft) => ({ ...draft, points: 0, fans: {}, overrides: false, override: "" });

// --- tiles and circumstances ----------------------------------------------------------------------------------------
/** Number of copies of a tile in the hand. @param {Draft} draft @param {string} code */
function copiesOf(draft, code) {
  return [...draft.held, ...draft.melds.flatMap((meld) => meld.tiles)].filter((tile) => tile === code).length;
}

/** The tiles that a key adds in a mode; empty if there is no such set. @param {Mode} mode @param {string} code @returns {string[]} */
function tilesOf(mode, code) {
  if (mode === "tile") return [code];
  if (mode === "pung") return [code, code, code];
  if (mode !== "chow") return [code, code, code, code];
  const low = Number(code[0]);
  return HONOURS.includes(code) || low > 7 ? [] : [0, 1, 2].map((step) => `${low + step}${code[1]}`);
}

/** Whether there is room for a tile or a meld. @param {Draft} draft @param {Mode} mode */
export function canUse(draft, mode) {
  return mode === "tile" ? countTiles(draft) < SIZE : countTiles(draft) + 3 < SIZE;
}

/** Whether a key can be tapped: the set exists, fits, and needs no fifth copy of a tile. @param {Draft} draft @param {string} code */
export function canAdd(draft, code) {
  const tiles = tilesOf(draft.mode, code);
  if (!tiles.length || !canUse(draft, draft.mode)) return false;
  return tiles.every((tile) => copiesOf(draft, tile) + tiles.filter((same) => same === tile).length <= 4);
}

/** @param {Draft} draft @param {string} code @returns {Draft} */
export function addTile(draft, code) {
  if (!canAdd(draft, code)) return draft;
  const tiles = tilesOf(draft.mode, code);
  if (draft.mode === "tile") return foldIfComplete({ ...draft, held: [...draft.held, code] });
  const type = draft.mode === "concealed_kong" ? "kong" : draft.mode;
  const meld = { type, tiles, concealed: draft.mode === "concealed_kong" };
  return foldIfComplete({ ...draft, melds: [...draft.melds, meld], mode: "tile" });
}

/** Close the keyboard if the hand is complete. @param {Draft} draft @returns {Draft} */
function foldIfComplete(draft) {
  return isComplete(draft) ? { ...draft, changing: false, wonOn: null } : draft;
}

/** @param {Draft} draft @param {number} place @returns {Draft} */
export function removeTile(draft, place) {
  return { ...draft, held: draft.held.filter((_tile, at) => at !== place), wonOn: null, changing: true };
}

/** @param {Draft} draft @param {number} place @returns {Draft} */
export function removeMeld(draft, place) {
  return { ...draft, melds: draft.melds.filter((_meld, at) => at !== place), wonOn: null, changing: true };
}

/** Remove the last tile or meld. @param {Draft} draft @returns {Draft} */
export function removeLast(draft) {
  if (draft.held.length) return removeTile(draft, draft.held.length - 1);
  return draft.melds.length ? removeMeld(draft, draft.melds.length - 1) : draft;
}

/** Whether a flag follows from the tiles: the other three of the winning tile lie in the winner's own claimed sets. @param {Draft} draft @param {string} flag */
export function isCertain(draft, flag) {
  const winning = winningTile(draft);
  const claimed = draft.melds.filter((meld) => !meld.concealed).flatMap((meld) => meld.tiles);
  return flag === "last_of_kind" && claimed.filter((tile) => tile === winning).length === 3;
}

/** Whether a flag is set, or certain. @param {Draft} draft @param {string} flag */
export const hasFlag = (draft, flag) => Boolean(draft.flags[flag]) || isCertain(draft, flag);

/** Whether the tiles or other circumstances rule a flag out. @param {Draft} draft @param {string} flag */
export function isExcluded(draft, flag) {
  const { flags } = draft;
  const winning = winningTile(draft);
  const copies = winning ? copiesOf(draft, winning) : 0;
  switch (flag) {
    case "replacement":
      return !isSelfDrawn(draft) || Boolean(flags.robbing_kong) || !draft.melds.some((meld) => meld.type === "kong");
    case "robbing_kong":
      return isSelfDrawn(draft) || Boolean(flags.replacement || flags.last_tile_of_wall) || copies > 1;
    case "last_tile_of_wall":
      return Boolean(flags.robbing_kong);
    default:
      return Boolean(winning) && draft.held.filter((tile) => tile === winning).length > 1;
  }
}

/** Toggle a flag, unless it is ruled out or certain. @param {Draft} draft @param {string} flag @returns {Draft} */
export function toggleFlag(draft, flag) {
  if (isCertain(draft, flag) || (!draft.flags[flag] && isExcluded(draft, flag))) return draft;
  return { ...draft, flags: { ...draft.flags, [flag]: !draft.flags[flag] } };
}

// --- request bodies -------------------------------------------------------------------------------------------------
/** Return the hand as the API takes it. @param {Draft} draft */
export function handOf(draft) {
  const absent = draft.absent ? { absent: draft.absent } : {};
  if (draft.outcome === "draw") return { outcome: "draw", ...absent };
  if (draft.outcome === "pending") {
    const tiles = countTiles(draft) ? { tiles: tilesRecord(draft) } : {};
    return { outcome: "pending", dispute: draft.dispute.trim(), claimants: draft.claimants, ...tiles, ...absent };
  }
  const who = { outcome: "win", winner: draft.winner, discarder: draft.discarder, ...absent, ...(draft.claimants.length ? { claimants: draft.claimants } : {}) };
  if (isAnnounced(draft)) return { ...who, ...announcementOf(draft), ...overrideOf(draft) };
  return { ...who, tiles: tilesRecord(draft), ...announcementOf(draft), ...overrideOf(draft) };
}

/** @param {Draft} draft */
const tilesRecord = (draft) => ({
  concealed: draft.held,
  melds: draft.melds,
  winning_tile: winningTile(draft),
  flowers: draft.flowers,
  ...Object.fromEntries(FLAGS.map((flag) => [flag, hasFlag(draft, flag)])),
});

/** Return what was announced: the fans if named, else the points. @param {Draft} draft @returns {{fans?: Record<string, number>, points?: number}} */
function announcementOf(draft) {
  if (draft.by !== "points" && hasFans(draft)) return { fans: draft.fans };
  return draft.points > 0 && draft.by !== "fans" ? { points: draft.points } : {};
}

/** Return the override, if there is one. @param {Draft} draft @returns {{override?: string}} */
function overrideOf(draft) {
  const announced = Object.keys(announcementOf(draft)).length > 0;
  return draft.overrides && announced ? { override: draft.override.trim() } : {};
}

/** Return the body of a preview. The reason of an override is left out, because it does not change the answer. @param {Draft} draft */
export const previewBody = (draft) => ({ number: draft.number, ...handOf(draft.overrides ? { ...draft, override: "…" } : draft) });

/**
 * Add a uuid for this content: the same content sent again is the same write.
 * @param {Draft} draft @returns {Draft & {sent: {uuid: string, body: string}}}
 */
export function withUuid(draft) {
  const body = JSON.stringify([draft.number, draft.basis, handOf(draft), draft.reason]);
  return { ...draft, sent: draft.sent?.body === body ? draft.sent : { uuid: newUuid(), body } };
}

/** Return a UUID. crypto.randomUUID exists on https and localhost only. @returns {string} */
export function newUuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** Whether a recorded hand is the same as the draft. @param {Draft} draft @param {any} recorded */
export function isSameHand(draft, recorded) {
  const mine = { ...draft, sent: null };
  const key = (/** @type {Draft} */ either) => {
    const { absent, ...hand } = /** @type {any} */ (handOf(either)); // of a new hand the server knows it anyway
    const empty = draft.basis ? absent ?? [] : [];
    const { tiles } = hand;
    if (!tiles || hand.outcome === "pending") return JSON.stringify({ ...hand, empty, fans: Object.entries(hand.fans ?? {}).sort() });
    const melds = tiles.melds.map((/** @type {Meld} */ meld) => `${meld.type}${meld.concealed}${[...meld.tiles].sort()}`).sort();
    const flags = FLAGS.filter((flag) => hasFlag(either, flag));
    const announced = [hand.points, hand.override, hand.claimants, Object.entries(hand.fans ?? {}).sort()];
    return JSON.stringify([hand.winner, hand.discarder, empty, announced, [...tiles.concealed].sort(), melds, tiles.winning_tile, tiles.flowers, flags]);
  };
  return key(mine) === key(draftOf(recorded));
}
