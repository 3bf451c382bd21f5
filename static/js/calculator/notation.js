// A draft as text, the way scoring/engine/notation.py reads it: 123m [EEE] (CCCC) +1m.

import { winningPlace } from "../desk/draft.js";

/** @typedef {import("../desk/draft.js").Draft} Draft */

const ORDER = "mpsESWNCFP";

/** @param {string} code @returns {number} */
const rank = (code) => 10 * ORDER.indexOf(code.slice(-1)) + (Number(code[0]) || 0);

/** Tiles by suit, each suit written once. @param {string[]} tiles @returns {string} */
function compact(tiles) {
  const sorted = [...tiles].sort((one, other) => rank(one) - rank(other));
  return sorted.map((code, at) => (code.length === 2 && sorted[at + 1]?.[1] === code[1] ? code[0] : code)).join("");
}

/** @param {Draft} draft @returns {string} */
export function textOf(draft) {
  const won = winningPlace(draft);
  const rest = draft.held.filter((_tile, place) => place !== won);
  const melds = draft.melds.map(({ tiles, concealed }) => (concealed ? `(${compact(tiles)})` : `[${compact(tiles)}]`));
  const last = won < 0 ? "" : `+${draft.held[won]}`;
  return [compact(rest), ...melds, last].filter(Boolean).join(" ");
}
