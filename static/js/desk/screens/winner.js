// Who won, from whom, and who else claimed the tile: one line, wherever a hand is spoken of.

import { t } from "../dom.js";
import { nameOf, restraint } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{number: number, winner: number | null, claimants: number[]}} Claimed a draft, or a hand as it is recorded */

/** How the win came about: off whom, or self-drawn. @param {View} view @param {number | null} discarder */
export const wayOf = (view, discarder) => (discarder === null ? t("self_drawn") : t("from_player", { name: nameOf(view, discarder) }));

/** @param {View} view @param {import("../draft.js").Draft} draft */
export const whoWon = (view, { winner, discarder }) => `${t("wins_title", { name: nameOf(view, winner) })} · ${wayOf(view, discarder)}`;

/** Who has the tile of those who claimed it; a nearer one may have been barred. @param {View} view @param {Claimed} hand */
export function whoHasIt(view, { number, winner, claimants }) {
  if (!claimants.length) return "";
  const also = claimants.map((player) => nameOf(view, player)).join(", ");
  const passed = claimants.some((player) => restraint(view, player, number).barred);
  return t(passed ? "next_who_may_win" : "next_in_turn", { winner: nameOf(view, winner), also });
}
