// Seats in which nobody sits: nobody wins, discards or claims there, and before their time the others wait.

import { current, isFixing } from "./view.js";

/** @typedef {import("./view.js").View} View */

/** The seat of a player in whose place nobody sits in the hand on the screen. @param {View} view @param {number | null} player */
export function emptySeat(view, player) {
  const draft = current(view);
  const found = view.state.empty_seats.find((/** @type {any} */ one) => one.player === player && one.hand === draft.number);
  return found && (!isFixing(view) || draft.absent?.includes(found.player)) ? found : null;
}

/** Why nothing can be said yet, or not of this player: the others wait, or nobody sits there. @param {View} view @param {number | null} [player] */
export function hindrance(view, player = null) {
  const now = Date.now() + view.setup.skew;
  const waits = view.state.empty_seats.find((/** @type {any} */ one) => {
    const gone = view.state.absences.find((/** @type {any} */ each) => each.player === one.player);
    return one.too_early && one.hand === current(view).number && gone && now < Date.parse(gone.since) + view.setup.late.stand_in_after * 60_000;
  });
  return (waits?.too_early ?? emptySeat(view, player)?.why) || "";
}
