// A win by its points alone: the figure, the keys for it, and what each of the four gets.

import { h, t } from "../dom.js";
import { byPoints } from "../draft.js";
import { does, problemsAt } from "../frame.js";
import { current, opinion } from "../view.js";

/** @typedef {import("../view.js").View} View */

const WAYS = /** @type {const} */ (["points", "fans", "tiles"]);
const DIGITS = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 0],
];
const FIGURE = (/** @type {string} */ where) => where === "points";

/** Points, fans or tiles: a habit of this device. @param {View} view @param {import("../draft.js").Depth} chosen */
export function ways(view, chosen) {
  const buttons = WAYS.map((way) => h("button", { "aria-pressed": way === chosen, ...does("by", way) }, t(`by_${way}`)));
  return h("div", { class: "seg", role: "group", "aria-label": t("by") }, buttons);
}

/** @param {View} view */
export function pointsPad(view) {
  const draft = current(view);
  const figure = h("div", { class: "points" }, h("output", { "aria-live": "polite" }, draft.points || "–"), faults(view) ?? h("small", { class: "small" }, t("points_hint")));
  const less = h("button", { class: "small", ...does("digit-less"), "aria-label": t("delete_digit"), "aria-disabled": !draft.points }, "⌫");
  const clear = h("button", { class: "small", ...does("digits-clear"), "aria-disabled": !draft.points }, t("clear"));
  const rows = DIGITS.map((digits, row) => [...digits.map(key), row ? clear : less]);
  return [figure, ...problemsAt(view, FIGURE), h("div", { class: "keys" }, rows)];
}

/** @param {number} digit */
const key = (digit) => h("button", { ...does("digit", digit), "data-digit": digit }, digit);

/** What the server has against the figure: beside it, so that no key moves. @param {View} view */
function faults(view) {
  const found = opinion(view)?.problems ?? [];
  return found.length ? h("small", { class: "at", role: "status" }, found.map((one) => one.message).join(" ")) : null;
}

/** What a player's score changes by, beyond what a hand being corrected has moved already; null while it is not known. @param {View} view @param {number} player @returns {number | null} */
export function changeOf(view, player) {
  if (!byPoints(current(view))) return null;
  const rows = opinion(view)?.data?.payments ?? [];
  const row = rows.find((/** @type {any} */ one) => one.player === player);
  return row ? row.after - row.before : null;
}
