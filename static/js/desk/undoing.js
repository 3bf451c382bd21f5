// The penalty just given, with the way back: for a minute, for who gave it. A hand has its own beside it in the list.

import { h, t } from "./dom.js";
import { does } from "./frame.js";

/** @typedef {import("./view.js").View} View */

/** The newest penalty that can still be taken back here; what is not sent has all the time. @param {View} view @returns {any} */
export function undoable(view) {
  const at = Date.now() + view.setup.skew;
  const mine = (/** @type {any} */ one) => !one.cancelled && (one.waiting || (one.undo && at < Date.parse(one.undo.until)));
  return view.state.penalties.filter(mine).at(-1) ?? null;
}

/** On the table and on its sheet. @param {View} view */
export function undoBar(view) {
  const penalty = ["table", "sheet"].includes(view.route.name) && !view.busy ? undoable(view) : null;
  if (!penalty) return null;
  return h(
    "div",
    { class: "banner slim ok", role: "status", "data-key": `undo-${penalty.uuid}` },
    h("p", { class: "grow" }, h("b", {}, penalty.name), " ", t("foul_and_sanction", penalty)),
    h("button", { class: "btn", ...does("undo-penalty", penalty.uuid), "aria-label": t("penalty_undo", { name: penalty.name }) }, t("undo")),
  );
}
