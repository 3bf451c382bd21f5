// Entering the tiles of a hand and its circumstances: steps from draft to draft, and which of them are possible.

import { count, isComplete, selfDrawn, SIZE, winningTile } from "./draft.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Mode} Mode */

const HONOURS = "ESWNCFP";

/** How many of a tile are in the hand. @param {Draft} draft @param {string} code */
export function used(draft, code) {
  return [...draft.held, ...draft.melds.flatMap((meld) => meld.tiles)].filter((tile) => tile === code).length;
}

/** The tiles a key adds in a mode; nothing when no such set exists. @param {Mode} mode @param {string} code @returns {string[]} */
export function tilesOf(mode, code) {
  if (mode === "tile") return [code];
  if (mode === "pung") return [code, code, code];
  if (mode !== "chow") return [code, code, code, code];
  const low = Number(code[0]);
  return HONOURS.includes(code) || low > 7 ? [] : [0, 1, 2].map((step) => `${low + step}${code[1]}`);
}

/** Whether a key can be tapped: the set exists, has room, and needs no fifth tile. @param {Draft} draft @param {string} code */
export function canAdd(draft, code) {
  const tiles = tilesOf(draft.mode, code);
  if (!tiles.length || !canUse(draft, draft.mode)) return false;
  return tiles.every((tile) => used(draft, tile) + tiles.filter((same) => same === tile).length <= 4);
}

/** Whether there is room for a tile or a meld. @param {Draft} draft @param {Mode} mode */
export function canUse(draft, mode) {
  return mode === "tile" ? count(draft) < SIZE : count(draft) + 3 < SIZE;
}

/** @param {Draft} draft @param {string} code @returns {Draft} */
export function addTile(draft, code) {
  if (!canAdd(draft, code)) return draft;
  const tiles = tilesOf(draft.mode, code);
  if (draft.mode === "tile") return folded({ ...draft, held: [...draft.held, code] });
  const type = draft.mode === "concealed_kong" ? "kong" : draft.mode;
  const meld = { type, tiles, concealed: draft.mode === "concealed_kong" };
  return folded({ ...draft, melds: [...draft.melds, meld], mode: "tile" });
}

/** A complete hand folds the keyboard away. @param {Draft} draft @returns {Draft} */
function folded(draft) {
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

/** Take back what was entered last. @param {Draft} draft @returns {Draft} */
export function removeLast(draft) {
  if (draft.held.length) return removeTile(draft, draft.held.length - 1);
  return draft.melds.length ? removeMeld(draft, draft.melds.length - 1) : draft;
}

/** What the tiles and the other circumstances rule out. @param {Draft} draft @param {string} flag */
export function isExcluded(draft, flag) {
  const { flags } = draft;
  const winning = winningTile(draft);
  const copies = winning ? used(draft, winning) : 0;
  switch (flag) {
    case "replacement":
      return !selfDrawn(draft) || Boolean(flags.robbing_kong) || !draft.melds.some((meld) => meld.type === "kong");
    case "robbing_kong":
      return selfDrawn(draft) || Boolean(flags.replacement || flags.last_tile_of_wall) || copies > 1;
    case "last_tile_of_wall":
      return Boolean(flags.robbing_kong);
    default:
      return Boolean(winning) && draft.held.filter((tile) => tile === winning).length > 1;
  }
}

/** A circumstance that is set can always be taken back. @param {Draft} draft @param {string} flag @returns {Draft} */
export function toggleFlag(draft, flag) {
  if (!draft.flags[flag] && isExcluded(draft, flag)) return draft;
  return { ...draft, flags: { ...draft.flags, [flag]: !draft.flags[flag] } };
}
