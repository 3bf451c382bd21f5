// A new wind round: who moves where, as large as it can be said without standing in the way of the next hand.

import { h } from "../dom.js";
import { recorded } from "../view.js";
import { t } from "../words.js";

/** @typedef {import("../view.js").View} View */

/** Between two rounds, until the next hand is begun; nothing at other times. @param {View} view */
export function newRound(view) {
  const { state } = view;
  const last = recorded(view, state.next - 1);
  if (!last || !state.may_record || last.round.name === state.round.name) return null;
  const rows = state.seats.map((/** @type {any} */ seat) => h("li", { "data-key": seat.player }, h("b", {}, seat.wind.character), h("span", {}, moves(state, last, seat))));
  const title = h("h2", {}, h("b", { lang: "zh", "aria-hidden": true }, state.round.character), t("new_round", { round: state.round.name }));
  return h("section", { class: "card stack new-round", role: "status", "data-key": "new-round" }, title, h("ul", {}, rows));
}

/** @param {any} state @param {any} last the hand before @param {any} seat */
function moves(state, last, seat) {
  const was = state.seats.find((/** @type {any} */ one) => last.places[one.player].side === seat.side);
  return was.player === seat.player ? t("stays_put", { name: seat.name }) : t("sits_where", { name: seat.name, other: was.name });
}
